//! Each operation, as the file it leaves; and that undo gives the file before.

mod kit;
mod moving;
mod settings;
mod skills;
mod splicing;

use document::{Document, DocumentError};
use model::file::load;
use model::{EditError, NodeId};

use kit::*;

#[test]
fn what_is_not_there_is_refused() {
    let mut document = open(THREE);
    let gone = NodeId(0xdead);
    assert_eq!(document.delete(&[gone]), Err(DocumentError::NoNode(gone)));
    assert_eq!(document.rename(gone, "x"), Err(EditError::NoNode(gone).into()));
    assert_eq!(document.delete(&[]), Err(DocumentError::Nothing));
    assert_eq!(document.undo(), Err(DocumentError::NothingToUndo));
    assert_eq!(document.redo(), Err(DocumentError::NothingToRedo));
    assert_eq!(document.extract(document.library().main().root, "x.json"), Err(EditError::Root.into()));
}

#[test]
fn unsaved_changes_are_known_by_file() {
    let folder = std::env::temp_dir().join(format!("coact-document-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let main = folder.join("main.json").display().to_string();
    std::fs::write(
        &main,
        r#"{"version": 1, "children": [{"type": "sequence", "name": "S"}, {"type": "wait", "name": "A"}]}"#,
    )
    .expect("a file for the test");
    let registry = nodes::registry();
    let library = load(&main, &model::file::Disk, registry.catalogue()).expect("it opens").library;
    let mut document = Document::new(library, registry, 1);
    let (s, a) = (named(&document, "S"), named(&document, "A"));
    assert!(document.changed_files().is_empty());
    document.rename(a, "B").expect("a rename");
    assert!(document.is_changed(&main));
    document.undo().expect("undo");
    assert!(!document.is_changed(&main));
    document.extract(s, "s.json").expect("a skill");
    let skill = folder.join("s.json").display().to_string();
    assert_eq!(document.changed_files().iter().map(|file| &**file).collect::<Vec<_>>(), [&*skill, &*main]);
    assert_eq!(document.save_all().expect("both are written").len(), 2);
    assert!(document.changed_files().is_empty());
    assert_eq!(std::fs::read_to_string(&main).expect("it is there"), document.text(&main).expect("so is this"));
    document.undo().expect("undo");
    assert!(document.is_changed(&main), "it is as it was loaded, but not as it was saved");
    // A file that was written before this behavior had one of its name is not lost.
    std::fs::write(folder.join("t.json"), "mine").expect("a file for the test");
    document.extract(s, "t.json").expect("a skill");
    assert!(document.save_all().is_err());
    assert_eq!(std::fs::read_to_string(folder.join("t.json")).expect("it is there"), "mine");
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}
