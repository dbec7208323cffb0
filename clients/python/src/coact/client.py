import base64
import itertools
import json
import threading
import time

import websocket

from .document import Document
from .errors import CoactError, Timeout
from .looking import look
from .robot_state import RobotState

VERSION = 5


def connect(address="127.0.0.1:8420", token=None, name=None, timeout=30.0, session=None):
    """Connects to `coact demo` or `coact operator`.

    `address` is HOST:PORT, or the address of a page behind a proxy with TLS, such as `https://robot.example`. `session` is
    the secret of an earlier connection, `coact.session`: with it that one goes on, with its run control.
    """
    return Coact(address, token=token, name=name, timeout=timeout, session=session)


def socket_url(address):
    scheme, found, rest = address.rpartition("://")
    scheme = {"https": "wss", "http": "ws", "": "ws"}.get(scheme, scheme)
    host, _, path = rest.partition("/")
    return f"{scheme}://{host}/{path or 'api/v1'}"


class Run:
    """How a run ended."""

    def __init__(self, view):
        self.view = view
        ended = view["ended"]
        #: success, failure or halted.
        self.result = ended["result"]
        #: Why it did not succeed; None where it did.
        self.reason = ended["reason"]
        #: Somebody or something stopped it.
        self.stopped = ended["stopped"]
        #: All of it, for a person.
        self.text = ended["text"]
        #: From the run's own beginning to its end, in seconds of the engine's clock; None where its beginning was not seen.
        self.duration_s = view["run_s"]

    def __repr__(self):
        after = "" if self.duration_s is None else f" after {self.duration_s:.2f} s"
        return f"<run: {self.result}{after}>"


class Coact:
    """One connection. Safe to use from several threads."""

    def __init__(self, address, token=None, name=None, timeout=30.0, session=None):
        self.timeout = timeout
        self._url = socket_url(address)
        who = {"token": token, "name": name}
        self._hello = {"ask": "hello", "version": VERSION, **{key: value for key, value in who.items() if value is not None}}
        self.run_view = None
        self.link = None
        self.people = []
        self.robot_has = None
        self.robot_state = None
        self.notices = []
        self.happenings = []
        self.variables = {}
        self._listeners = []
        self._document = None
        self._numbers = itertools.count(1)
        self._replies = {}
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._closed = None
        self._socket = websocket.create_connection(self._url, timeout=timeout, enable_multithread=True)
        self._socket.settimeout(None)
        self._reader = threading.Thread(target=self._read, name="coact", daemon=True)
        self._reader.start()
        try:
            self.welcome = self.request(**self._hello, session=session)
            self.session = self.welcome["session"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    # --- what goes over the socket

    def request(self, ask, timeout=None, **what):
        """Any request of the API; gives its answer.

        An edit waits for a robot whose tree has not arrived yet: nothing of a refused edit was done. A command to the
        robot is never given twice.
        """
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        while True:
            try:
                return self._request_once(ask, timeout, what)
            except CoactError as error:
                if ask != "edit" or error.code != "no_robot" or time.monotonic() > until:
                    raise
                with self._changed:
                    self._changed.wait(0.1)

    def _request_once(self, ask, timeout, what):
        number = next(self._numbers)
        body = {key: value for key, value in what.items() if value is not None}
        text = json.dumps({"id": number, "ask": ask, **body})
        with self._changed:
            self._replies[number] = None
        try:
            with self._sending:
                self._socket.send(text)
        except (OSError, websocket.WebSocketException) as error:
            raise CoactError("closed", f"the connection is gone: {error}") from error
        reply = self.wait_until(lambda: self._replies[number], timeout, f"the answer to {ask!r}")
        del self._replies[number]
        if "error" in reply:
            raise CoactError(reply["error"]["code"], reply["error"]["text"])
        return reply["ok"]

    def wait_until(self, condition, timeout=None, what="what was waited for"):
        """Waits until `condition()` is true and gives its value."""
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        with self._changed:
            while True:
                value = condition()
                if value:
                    return value
                if self._closed is not None:
                    raise CoactError("closed", f"the connection is gone: {self._closed}")
                left = until - time.monotonic()
                if left <= 0:
                    raise Timeout(f"{what} did not come in time")
                self._changed.wait(left)

    def listen(self, listener):
        """Calls `listener(push)` for everything the server says unasked, on another thread."""
        self._listeners.append(listener)

    def _read(self):
        why = "the server closed it"
        while True:
            try:
                kind, data = self._socket.recv_data()
            except (OSError, websocket.WebSocketException) as error:
                why = str(error) or why
                break
            if kind == websocket.ABNF.OPCODE_CLOSE:
                why = data[2:].decode("utf-8", "replace") or why
                break
            with self._changed:
                if kind == websocket.ABNF.OPCODE_BINARY:
                    self.robot_state = RobotState.unpack(data) or self.robot_state
                elif kind == websocket.ABNF.OPCODE_TEXT:
                    self._take(json.loads(data))
                self._changed.notify_all()
        with self._changed:
            self._closed = why
            self._changed.notify_all()

    def _take(self, message):
        if "reply" in message:
            # Before whatever changes it next.
            if message.get("ok", {}).get("is") == "document":
                self._document = Document(message["ok"])
            if message["reply"] in self._replies:
                self._replies[message["reply"]] = message
            return
        push = message.get("push")
        if push == "document":
            self._document = Document(message)
        elif push == "changed" and self._document is not None:
            self._document.change(message)
        elif push == "delivery":
            self.robot_has = message["robot_has"]
        elif push == "run":
            self.run_view = message
        elif push == "link":
            self.link = message
        elif push == "people":
            self.people = message["people"]
        elif push == "notice":
            self.notices.append(message["text"])
        elif push == "happened":
            self.happenings.extend(message["happenings"])
        elif push == "variables":
            self.variables = {each["name"]: each["value"] for each in message["variables"]}
        for listener in self._listeners:
            listener(message)

    # --- files and the tree

    def files(self):
        return [entry["file"] for entry in self.request(ask="files")["files"]]

    def open(self, file, discard=False):
        self._load(ask="open", file=file, discard=discard)

    def new(self, file, discard=False):
        self._load(ask="new", file=file, discard=discard)

    def _load(self, **what):
        self.take_control()
        self.request(timeout=200.0, **what)
        self._document = None
        return self.document

    def save(self, files=None, overwrite=False):
        return self.request(ask="save", files=files, overwrite=overwrite)["files"]

    def save_as(self, file):
        """A copy of the behavior under a name that no file has; the one that is open stays open."""
        self.request(ask="save_as", file=file)

    def rename_file(self, file, to, anyway=False):
        self.request(ask="rename_file", file=file, to=to, anyway=anyway)

    def delete_file(self, file, anyway=False):
        self.request(ask="delete_file", file=file, anyway=anyway)

    def new_folder(self, folder):
        self.request(ask="new_folder", folder=folder)

    @property
    def document(self):
        if self._document is None:
            self.request(ask="document")
        return self._document

    def edit(self, do, **what):
        """One operation; gives the ids of what is new."""
        body = {key: value for key, value in what.items() if value is not None}
        answer = self.request(ask="edit", operation={"do": do, **body})
        document = self.document
        self.wait_until(lambda: document is not self._document or document.version >= answer["version"], what="the edit")
        return answer["created"]

    def add(self, kind, name="", settings=None, parent=None, index=None):
        """A new node, behind the others of its parent unless told where; gives its id."""
        parent = self._id(parent) if parent is not None else self.document.root.id
        if index is None:
            index = len(self.document.nodes[parent].children)
        return self.edit("add", parent=parent, index=index, kind=kind, name=name, settings=settings or {})[0]

    def set(self, node, **settings):
        """Settings of a node; None gives the default back."""
        self.request(ask="edit", operation={"do": "set", "node": self._id(node), "settings": settings})

    def move(self, nodes, parent, index):
        self.edit("move", nodes=self._ids(nodes), parent=self._id(parent), index=index)

    def delete(self, *nodes):
        self.edit("delete", nodes=self._ids(nodes))

    def rename(self, node, name):
        self.edit("rename", node=self._id(node), name=name)

    def notes(self, node, notes):
        self.edit("notes", node=self._id(node), notes=notes)

    def retype(self, node, kind):
        self.edit("retype", node=self._id(node), kind=kind)

    def refer(self, node, field, target):
        self.edit("refer", node=self._id(node), field=field, target=self._id(target))

    def duplicate(self, *nodes):
        return self.edit("duplicate", nodes=self._ids(nodes))

    def wrap(self, nodes, kind):
        return self.edit("wrap", nodes=self._ids(nodes), kind=kind)[0]

    def unwrap(self, node):
        self.edit("unwrap", node=self._id(node))

    def mirror(self, *nodes, copy=False):
        return self.edit("mirror", nodes=self._ids(nodes), copy=copy)

    def extract(self, node, file):
        return self.edit("extract", node=self._id(node), file=file)

    def inline(self, node):
        return self.edit("inline", node=self._id(node))

    def set_to_robot(self, *nodes):
        self.edit("set_to_robot", nodes=self._ids(nodes))

    def change_frame(self, nodes, frame):
        self.edit("change_frame", nodes=self._ids(nodes), frame=frame)

    def copy(self, *nodes):
        """Nodes as text, for `paste` into this or another behavior."""
        return self.request(ask="copy", nodes=self._ids(nodes))["text"]

    def paste(self, text, parent=None, index=None):
        """What `copy` gave, or the text of a behavior file, behind the other children unless told where."""
        parent = self._id(parent) if parent is not None else self.document.root.id
        if index is None:
            index = len(self.document.nodes[parent].children)
        return self.edit("paste", parent=parent, index=index, text=text)

    def insert(self, tree, parent=None, index=None, then="waited", capabilities=None, from_=None):
        """A node with all that is below it, as in a behavior file, as one operation; gives its id. Without a place it
        is what runs next, under a lock too. `then`: what runs behind it, "waited", "end" or a node. `from_`: refused
        where the run has gone on since."""
        place = None if parent is None else {"parent": self._id(parent), "index": index or 0}
        then = then if then in ("waited", "end") else {"step": self._id(then)}
        what = {"tree": tree, "place": place, "then": then, "capabilities": capabilities, "from": from_}
        return self.edit("insert", **what)[0]

    def capabilities(self, file=None):
        """What robots are able to do, by the files of the folder `capabilities`, and what is so now by the run."""
        return self.request(ask="capabilities", **({} if file is None else {"file": file}))

    def synthesize(self, capabilities, *goals, from_=None, strict=False, retry=0, modes=()):
        """The way to goals, found on the robot: its `steps` and its `tree` for `insert`; `why` where there is none."""
        what = {"capabilities": capabilities, "goals": goals, "strict": strict, "retry": retry, "modes": modes}
        return self.request(ask="synthesize", timeout=30.0, **what, **({} if from_ is None else {"from": from_}))

    def take_steps(self, node, steps):
        """A walk goes by these steps, as `preview` told them."""
        self.edit("take_steps", node=self._id(node), steps=steps)

    def set_variables(self, file=None, **variables):
        self.edit("variables", file=file or self.document.files[0]["file"], variables=variables)

    def undo(self):
        self.request(ask="undo")

    def redo(self):
        self.request(ask="redo")

    @staticmethod
    def _id(node):
        return node if isinstance(node, str) else node.id

    def _ids(self, nodes):
        nodes = [nodes] if isinstance(nodes, str) or hasattr(nodes, "id") else nodes
        return [self._id(node) for node in nodes]

    # --- what is known

    def check(self):
        return self.request(ask="check")["problems"]

    def history(self, most=100):
        return self.request(ask="history", most=most)["entries"]

    def node_types(self):
        return self.request(ask="node_types")["types"]

    def robot(self):
        return self.request(ask="robot")

    def preview(self, node=None, settings=None):
        """What the steps would do one after the other, or one node from where the robot is now, with these settings."""
        node = self._id(node) if node is not None else None
        return self.request(ask="preview", node=node, timeout=120.0, **{"with": settings})["steps"]

    def recordings(self, search=None):
        """Recorded runs, newest first."""
        return self.request("recordings", **({} if search is None else {"search": search}))["recordings"]

    def recording(self, name):
        """The tree at its beginning, the bars of its steps, what happened, marks, channels."""
        return self.request("open_recording", recording=name)

    def moment(self, name, at_s, tree=False):
        """How everything was then, as pushes tell it live."""
        return self.request("moment", recording=name, at_s=at_s, tree=tree)

    def range(self, name, channel, from_s=0.0, to_s=1e9, most=20_000):
        """A number over time, with its statistics."""
        return self.request("range", recording=name, channel=channel, from_s=from_s, to_s=to_s, most=most)

    def recorded_picture(self, name, camera, at_s):
        """The newest picture at that time, as the bytes of a JPEG."""
        picture = self.request("recorded_picture", recording=name, camera=camera, at_s=at_s)
        return base64.b64decode(picture["jpeg_base64"])

    def mark(self, name, at_s, text):
        """A note that stays in the file; an empty text takes those of that moment away."""
        return self.request("mark", recording=name, at_s=at_s, text=text)["marks"]

    def keep(self, name, keep=True):
        self.request("keep", recording=name, keep=keep)

    def compare(self, name, other):
        """The first difference of two recorded runs; None: there is none."""
        return self.request("compare", recording=name, **{"with": other})["difference"]

    def replay(self, name, timeout=600.0):
        """Computes it anew: `difference` is None where it is the same, bit for bit."""
        return self.request("replay", timeout, recording=name)

    def what_if(self, name, from_s, against="best", timeout=600.0):
        """What becomes of it with the tree that is open now, from that time on."""
        return self.request("what_if", timeout, recording=name, from_s=from_s, against=against)

    def presence(self, node=None, edits=False, wants_control=False):
        """Where you look, for the others; `wants_control` asks whoever has run control for it."""
        node = self._id(node) if node is not None else None
        self.request(ask="presence", node=node, edits=edits, wants_control=wants_control)

    def watch(self, robot_hz=0.0, happenings=False, variables=False, scene=False):
        topics = {"robot_hz": robot_hz, "happenings": happenings, "variables": variables, "scene": scene}
        self.request(ask="watch", topics=topics)

    def look(self, what="picture", camera=None, region=None, for_s=1.0, timeout=None):
        """One picture or cloud of now, on any link, as a `Picture` or a `Cloud`.

        It comes in pieces: given is what has come `for_s` after the first one. A narrow line wants some 20 s. `region` is
        left, top, right, bottom as shares of the picture, 0 to 1: a part is sent finer than the whole.
        """
        wanted = {"camera": camera, "region": region}
        ask = {"ask": "look", "what": what, **{key: value for key, value in wanted.items() if value is not None}}
        return look(f"{self._url}/bulk", self._hello, ask, for_s, (self.timeout if timeout is None else timeout) + for_s)

    # --- running

    def take_control(self):
        try:
            self.request(ask="take_control")
        except CoactError as error:
            if error.code != "no_robot":
                raise

    def give_control(self, to=None, session=None):
        """To a person by name, in the window that did something last, or to the one that `people` calls `session`."""
        self.request(ask="give_control", to=to, session=session)

    def control(self, do, valid_for_s=None, **what):
        """One command for the robot, such as control("set_next", to={"node": id})."""
        self.request(ask="run", control={"do": do, **what}, valid_for_s=valid_for_s)

    def reset_world(self, world=None):
        """The simulated world begins anew, or another one of this name does; the robot must have stopped."""
        self.take_control()
        self.request(ask="reset_world", **({} if world is None else {"world": world}))

    def run(self, wait=True, timeout=600.0, from_start=False):
        """Lets the behavior run by itself, from its next step or from the first; waits for its end."""
        self.take_control()
        before = self._runs()
        if from_start:
            self.control("from_start")
        else:
            self.control("automatic", on=True)
        return self.wait_until_done(timeout, before) if wait else None

    def _runs(self):
        return self.run_view["runs"] if self.run_view else 0

    def step(self, into=False):
        """Starts the next step."""
        self.take_control()
        self.control("press", into=into)

    def admit(self, step=None):
        """Lets a step start that somebody who is not in control added; all such if none is named."""
        self.control("admit", **({} if step is None else {"step": step}))

    def held(self):
        """What waits for continue_(): each with its step, by what ("breakpoint", "outcome") and the reason."""
        return self.run_view["held"] if self.run_view else []

    def continue_(self, step=None):
        """Lets a held step go on, such as continue_(client.held()[0]["step"]); without one, all that breakpoints hold."""
        self.take_control()
        self.control("continue", **({} if step is None else {"step": step}))

    def wait_until_done(self, timeout=600.0, before=None):
        """Waits for the end of the run, or of one that begins after so many."""

        def done():
            run = self.run_view
            return run and run["ended"] and not run["running"] and (before is None or run["runs"] > before)

        self.wait_until(done, timeout, "the end of the run")
        return Run(self.run_view)

    def stop(self):
        """Stops the robot; everybody may."""
        self.request(ask="stop")
