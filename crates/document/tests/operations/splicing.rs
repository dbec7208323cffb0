//! Steps put in with what comes behind them.

use document::{Document, DocumentError, Then};
use model::file::{MemoryFiles, load};
use model::{Field, Library};

use crate::operations::kit::*;

const FOUND: &str = r#"{"version": 2, "children": [{"type": "sequence", "name": "Achieve: B", "children": [
    {"type": "wait", "name": "One", "duration_s": 1},
    {"type": "skill", "name": "Two", "file": "used.json"}]}]}"#;
const USED: &str = r#"{"version": 2, "children": [{"type": "wait", "name": "Inside", "duration_s": 1}]}"#;

fn found(document: &Document) -> Library {
    let files = MemoryFiles::from([("found.json", FOUND), ("used.json", USED)]);
    load("found.json", &files, document.catalogue()).expect("it opens").library
}

fn names(document: &Document) -> Vec<String> {
    let main = document.library().main();
    main.walk(main.root).skip(1).map(|id| main.node(id).label().to_string()).collect()
}

#[test]
fn all_of_it_is_one_step_of_undo_whatever_follows() {
    let third = |document: &Document| named(document, "C");
    for (then, expected) in [
        (None, vec!["A", "Achieve: B", "One", "Two", "B", "C"]),
        (Some(false), vec!["A", "Achieve: B", "Achieve: B", "One", "Two", "goto", "B", "C"]),
        (Some(true), vec!["A", "Achieve: B", "Achieve: B", "One", "Two", "goto", "B", "C"]),
    ] {
        let mut document = open(THREE);
        let before = (names(&document), document.library().len());
        let then = match then {
            None => Then::Waited,
            Some(false) => Then::End,
            Some(true) => Then::Step(third(&document)),
        };
        let root = document.library().main().root;
        let from = found(&document);
        document.splice((root, 1), &from, then).expect("it goes in");
        assert_eq!(names(&document), expected);
        assert_eq!(document.library().len(), before.1 + 1, "the skill came along");
        if then != Then::Waited {
            let fields = &document.library().main().node(named(&document, "goto")).fields;
            match then {
                Then::End => assert_eq!(fields.get("end"), Some(&Field::Bool(true))),
                _ => {
                    let Some(Field::Ref(target)) = fields.get("target") else { panic!("no target") };
                    assert_eq!(target.id, Some(third(&document)));
                }
            }
        }
        assert_eq!(document.undo_label(), Some("insert"));
        document.undo().expect("one step");
        assert_eq!((names(&document), document.library().len()), before);
    }
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let mut document = open(THREE);
    let root = document.library().main().root;
    let from = found(&document);
    let gone = model::NodeId(0xdead);
    assert_eq!(document.splice((gone, 0), &from, Then::Waited), Err(DocumentError::NoNode(gone)));
    assert_eq!(document.splice((root, 0), &from, Then::Step(gone)), Err(DocumentError::NoNode(gone)));
    assert!(document.splice((root, 9), &from, Then::End).is_err());
    assert_eq!(names(&document), ["A", "B", "C"]);
    assert_eq!(document.undo_label(), None);
}
