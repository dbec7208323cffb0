//! What an edit may not bring into a tree.

use crate::common;

use common::{catalogue, named, open, open_all};
use model::file::{MemoryFiles, load, save};
use model::{Edit, EditError, Field, Fields, Header, Library, NodeId, Subtree};
use serde_json::{Value as Json, json};

fn set(library: &mut Library, node: NodeId, field: &str, value: Json) -> Result<(), EditError> {
    let edit = Edit::Set { node, field: field.into(), value: Some(Field::from_json(value)), at: None };
    library.apply(&edit).map(|_| ())
}

fn single(id: u64, kind: &str, fields: Fields) -> Subtree {
    let (kind, name, notes) = (kind.into(), "".into(), "".into());
    Subtree { id: NodeId(id), kind, name, notes, fields, id_written: false, children: Vec::new() }
}

#[test]
fn parts_of_a_node_are_no_settings() {
    let mut library = open(r#"{"version": 1, "children": [{"type": "wait", "name": "a"}]}"#).library;
    let (root, a) = (library.main().root, named(library.main(), "a"));
    for key in ["name", "children", "type", "id", "notes"] {
        for value in [json!("x"), json!(1), json!([])] {
            assert_eq!(set(&mut library, a, key, value), Err(EditError::NoSetting(key.to_owned())));
        }
        let away = Edit::Set { node: a, field: key.into(), value: None, at: None };
        assert_eq!(library.apply(&away).err(), Some(EditError::NoSetting(key.to_owned())));
    }
    for key in ["inputs", "outputs", "variables", "cell", "version"] {
        assert_eq!(set(&mut library, root, key, json!({})), Err(EditError::NoSetting(key.to_owned())));
        assert_eq!(set(&mut library, a, key, json!({})), Ok(()));
    }
}

#[test]
fn a_subtree_has_each_setting_once_and_no_parts_of_a_node() {
    let mut library = open(r#"{"version": 1}"#).library;
    let root = library.main().root;
    let mut insert = |keys: &[&str]| {
        let mut fields = Fields::default();
        for key in keys {
            fields.push((*key).into(), Field::Text("x".into()));
        }
        library.apply(&Edit::Insert { parent: root, index: 0, subtree: single(7, "wait", fields) }).err()
    };
    assert_eq!(insert(&["name"]), Some(EditError::NoSetting("name".to_owned())));
    assert_eq!(insert(&["odd", "odd"]), Some(EditError::Twice("odd".to_owned())));
    assert_eq!(insert(&["odd"]), None);
}

#[test]
fn a_part_that_a_file_has_wrong_survives_delete_and_undo() {
    let text = r#"{"version": 1, "children": [{"type": "wait", "name": 5, "id": "xyz"}]}"#;
    let mut library = open(text).library;
    let before = save(library.main(), &catalogue());
    let node = library.main().node(library.main().root).children[0];
    let (inverse, _) = library.apply(&Edit::Delete { node }).expect("it can be deleted");
    library.apply(&inverse).expect("and put back");
    assert_eq!(save(library.main(), &catalogue()), before);
}

#[test]
fn a_root_needs_a_type() {
    let mut library = open(r#"{"version": 1}"#).library;
    let node = library.main().root;
    assert_eq!(library.apply(&Edit::Retype { node, kind: "".into() }).err(), Some(EditError::NoType));
    let mut fields = Fields::default();
    fields.push("inputs".into(), Field::Null);
    let add = |root| Edit::AddFile { file: "b.json".into(), header: Box::new(Header::default()), root };
    assert_eq!(library.apply(&add(single(1, "", Fields::default()))).err(), Some(EditError::NoType));
    let refused = library.apply(&add(single(1, "sequence", fields))).err();
    assert_eq!(refused, Some(EditError::NoSetting("inputs".to_owned())));
}

/// A chain of sequences below the root, as deep as edits allow.
fn deepest() -> (Library, Vec<NodeId>) {
    let mut library = open(r#"{"version": 1}"#).library;
    let mut chain = vec![library.main().root];
    for id in 1000.. {
        let parent = chain[chain.len() - 1];
        let edit = Edit::Insert { parent, index: 0, subtree: single(id, "sequence", Fields::default()) };
        if library.apply(&edit).is_err() {
            return (library, chain);
        }
        chain.push(NodeId(id));
    }
    unreachable!("there is a limit")
}

#[test]
fn what_edits_nest_a_file_can_hold() {
    let (mut library, chain) = deepest();
    assert_eq!(chain.len(), 256);
    let last = chain[255];
    assert_eq!(set(&mut library, last, "claims", json!(["arm"])), Ok(()));
    assert_eq!(set(&mut library, last, "until", json!([{"condition": "x"}])), Err(EditError::TooDeep));
    let text = save(library.main(), &catalogue());
    let again = load("main.json", &MemoryFiles::from([("main.json", text.as_str())]), &catalogue()).expect("it opens");
    assert_eq!(save(again.library.main(), &catalogue()), text);
    let subtree = single(1, "wait", Fields::default());
    library.apply(&Edit::Insert { parent: chain[0], index: 0, subtree }).expect("there is room at the top");
    let down = Edit::Move { node: NodeId(1), parent: last, index: 0 };
    assert_eq!(library.apply(&down).err(), Some(EditError::TooDeep));
}

#[test]
fn headers_nest_no_deeper_than_files() {
    let mut library = open(r#"{"version": 1}"#).library;
    let deep = (0..511).fold(json!(1), |inner, _| json!([inner]));
    let header = Header { variables: vec![("x".into(), deep)], ..Header::default() };
    let edit = Edit::Header { definition: Library::MAIN, header: Box::new(header) };
    assert_eq!(library.apply(&edit).err(), Some(EditError::TooDeep));
}

#[test]
fn owners_follow_the_edits() {
    let mut library = open_all([
        ("main.json", r#"{"version": 1, "children": [{"type": "skill", "file": "s.json"}]}"#),
        ("s.json", r#"{"version": 1, "children": [{"type": "wait", "name": "a"}]}"#),
    ])
    .library;
    let skill = library.find("s.json").expect("it is loaded");
    let (root, a) = (library.get(skill).root, named(library.get(skill), "a"));
    assert_eq!((library.owner_of(root), library.owner_of(a)), (Some(skill), Some(skill)));
    let (inverse, _) = library.apply(&Edit::Delete { node: a }).expect("it is there");
    assert_eq!(library.owner_of(a), None);
    library.apply(&inverse).expect("undo applies");
    assert_eq!(library.owner_of(a), Some(skill));
    let add = Edit::AddFile {
        file: "t.json".into(),
        header: Box::default(),
        root: single(77, "sequence", Fields::default()),
    };
    let (inverse, _) = library.apply(&add).expect("the name is free");
    assert_eq!(library.owner_of(NodeId(77)), library.find("t.json"));
    library.apply(&inverse).expect("it is the newest");
    assert_eq!(library.owner_of(NodeId(77)), None);
}
