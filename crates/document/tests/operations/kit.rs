use document::{Document, DocumentError};
use expect_test::Expect;
use model::file::{MemoryFiles, load};
use model::{Edit, NodeId};

pub fn open(outline: &str) -> Document {
    let mut files = MemoryFiles::default();
    for (name, json) in testkit::to_json(outline) {
        files.insert(name, json.to_string());
    }
    let registry = nodes::registry();
    let loaded = load("main.json", &files, registry.catalogue()).expect("it opens");
    Document::new(loaded.library, registry, 1)
}

pub fn named(document: &Document, name: &str) -> NodeId {
    let mut all = document.library().iter().flat_map(|(_, tree)| tree.walk(tree.root).map(move |id| (tree, id)));
    all.find(|(tree, id)| &**tree.node(*id).label() == name).expect("a node of that name").1
}

pub fn text(document: &Document) -> String {
    let files = document.library().iter().map(|(_, tree)| tree.file.clone());
    files.map(|file| format!("{file} {}", document.text(&file).expect("it is there"))).collect()
}

/// Does it, compares the files, takes it back and does it again. The edits do the same to a library elsewhere.
#[track_caller]
pub fn check(outline: &str, act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>, expected: Expect) {
    let mut document = open(outline);
    let before = text(&document);
    let mut elsewhere = document.library().clone();
    let edits = act(&mut document).expect("it is possible");
    let after = text(&document);
    expected.assert_eq(&after);
    elsewhere.apply_all(&edits).expect("the edits apply elsewhere");
    let there = Document::new(elsewhere, nodes::registry(), 2);
    assert_eq!(text(&there), after);
    document.undo().expect("one step");
    assert_eq!(text(&document), before);
    assert!(document.undo_label().is_none(), "it was one step");
    assert!(document.changed_files().is_empty());
    document.redo().expect("and again");
    assert_eq!(text(&document), after);
}

#[track_caller]
pub fn refused(outline: &str, act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>, expected: Expect) {
    let mut document = open(outline);
    let before = text(&document);
    let error = act(&mut document).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
    assert_eq!(text(&document), before);
    assert!(document.undo_label().is_none());
}

pub const THREE: &str = "
sequence Root
  wait A
  wait B after=A
  wait C
";
