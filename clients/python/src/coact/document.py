class Node:
    """A node as it is now; settings hold those that are written, the rest has its default."""

    def __init__(self, document, view):
        self._document = document
        self.id = view["id"]
        self.parent = view.get("parent")
        self.kind = view["kind"]
        self.name = view["name"]
        self.notes = view.get("notes", "")
        self.settings = view["settings"]
        self.file = view["file"]
        self._references = view.get("references", {})
        self._children = view["children"]

    @property
    def children(self):
        return [self._document.nodes[child] for child in self._children if child in self._document.nodes]

    def refers_to(self, setting):
        """The node that a setting names, as it is called now; None where it names none that is in the tree."""
        return self._document.nodes.get(self._references.get(setting))

    @property
    def label(self):
        return self.name or self.kind

    def __repr__(self):
        return f"<{self.kind} {self.label!r} {self.id}>"


class Document:
    """The tree that is open, kept up to date with what everybody does to it."""

    def __init__(self, view):
        self.version = view["version"]
        self.files = view["files"]
        self.undo = view.get("undo")
        self.redo = view.get("redo")
        self.nodes = {}
        self._take(view["nodes"])

    def _take(self, views):
        for view in views:
            self.nodes[view["id"]] = Node(self, view)

    def change(self, push):
        """What an edit changed."""
        self.version = push["version"]
        self.files = push["files"] or self.files
        self.undo, self.redo = push.get("undo"), push.get("redo")
        for view in push["nodes"]:
            if "children" not in view:
                view["children"] = self.nodes[view["id"]]._children
        self._take(push["nodes"])
        for removed in push["removed"]:
            self.nodes.pop(removed, None)
        for change in push["children"]:
            children = self.nodes[change["parent"]]._children
            children[:] = [child for child in children if child not in change["out"]]
            for place, child in change["in"]:
                children.insert(place, child)

    @property
    def root(self):
        return self.nodes[self.files[0]["root"]]

    @property
    def unsaved(self):
        return [file["file"] for file in self.files if file["unsaved"]]

    def find(self, label):
        """The one node of this name, or of this type where it has no name."""
        found = [node for node in self.nodes.values() if node.label == label]
        if len(found) != 1:
            raise KeyError(f"{len(found)} nodes are called {label!r}")
        return found[0]
