use crate::common;

use std::sync::Arc;

use common::{catalogue, report};
use model::file::{MemoryFiles, load, save};
use model::{Definition, Edit, Field, Fields, Library, NodeId, NodeRef, Subtree};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::json;

fn name() -> impl Strategy<Value = Arc<str>> {
    prop_oneof!["[abc]", Just(String::new()), Just("Previous".to_owned()), "[a/~\\[\\]1]{0,4}", "\\PC{0,6}"]
        .prop_map(Arc::from)
}

fn kind() -> impl Strategy<Value = Arc<str>> {
    let known = ["sequence", "fallback", "parallel", "wait", "goto", "arm", "checkpoint"];
    prop_oneof![4 => prop::sample::select(known.to_vec()), 1 => prop::sample::select(vec!["teleport", "XDefinition"])]
        .prop_map(Arc::from)
}

fn number() -> impl Strategy<Value = Field> {
    let number = prop_oneof![
        any::<f64>().prop_filter_map("finite", serde_json::Number::from_f64),
        any::<i64>().prop_map(serde_json::Number::from),
        (0..9_u64).prop_map(serde_json::Number::from),
    ];
    number.prop_map(Field::Number)
}

fn value() -> impl Strategy<Value = Field> {
    prop_oneof![
        Just(Field::Null),
        any::<bool>().prop_map(Field::Bool),
        number(),
        "\\PC{0,8}".prop_map(|text| Field::Text(text.into())),
        Just(Field::Json(Box::new(json!([])))),
        Just(Field::Json(Box::new(json!({"a": [1, 2.0], "b": {"c": null}})))),
        prop::collection::vec("\\PC{0,40}", 0..5).prop_map(|texts| Field::Json(Box::new(json!(texts)))),
    ]
}

fn key() -> impl Strategy<Value = Arc<str>> {
    let keys =
        ["duration_s", "timeout_s", "retry", "until", "autonomy", "side", "angles_deg", "claims", "zeta", "odd key"];
    prop::sample::select(keys.to_vec()).prop_map(Arc::from)
}

/// Targets are places in tree order, to be made ids when the tree is known.
#[derive(Clone, Debug)]
enum Change {
    Insert(usize, usize, Arc<str>, Arc<str>, Vec<(Arc<str>, Field)>, bool),
    Delete(usize),
    Move(usize, usize, usize),
    Set(usize, Arc<str>, Option<Field>),
    Refer(usize, &'static str, usize),
    Rename(usize, Arc<str>),
    Notes(usize, Arc<str>),
    Retype(usize, Arc<str>),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0..64_usize;
    let fields = prop::collection::vec((key(), value()), 0..4);
    prop_oneof![
        4 => (place.clone(), place.clone(), kind(), name(), fields, any::<bool>())
            .prop_map(|(parent, index, kind, name, fields, id)| Change::Insert(parent, index, kind, name, fields, id)),
        1 => place.clone().prop_map(Change::Delete),
        1 => (place.clone(), place.clone(), place.clone()).prop_map(|(node, to, index)| Change::Move(node, to, index)),
        2 => (place.clone(), key(), prop::option::of(value())).prop_map(|(node, key, value)| Change::Set(node, key, value)),
        1 => (place.clone(), prop::sample::select(vec!["after", "target"]), place.clone())
            .prop_map(|(node, key, to)| Change::Refer(node, key, to)),
        1 => (place.clone(), name()).prop_map(|(node, name)| Change::Rename(node, name)),
        1 => (place.clone(), name()).prop_map(|(node, notes)| Change::Notes(node, notes)),
        1 => (place, kind()).prop_map(|(node, kind)| Change::Retype(node, kind)),
    ]
}

fn edit(tree: &Definition, change: Change, next_id: &mut u64) -> Edit {
    let order: Vec<NodeId> = tree.walk(tree.root).collect();
    let at = |place: usize| order[place % order.len()];
    match change {
        Change::Insert(parent, index, kind, name, values, id_written) => {
            let parent = at(parent);
            *next_id += 1;
            let mut fields = Fields::default();
            for (key, value) in values {
                if fields.get(&key).is_none() {
                    fields.push(key, value);
                }
            }
            let index = index % (tree.node(parent).children.len() + 1);
            let subtree = Subtree {
                id: NodeId(*next_id),
                kind,
                name,
                notes: "".into(),
                fields,
                id_written,
                children: Vec::new(),
            };
            Edit::Insert { parent, index, subtree }
        }
        Change::Delete(node) => Edit::Delete { node: at(node) },
        Change::Move(node, parent, index) => Edit::Move { node: at(node), parent: at(parent), index: index % 4 },
        Change::Set(node, field, value) => Edit::Set { node: at(node), field, value, at: None },
        Change::Refer(node, key, to) => {
            let reference = NodeRef { id: Some(at(to)), text: tree.node(at(to)).label().clone() };
            Edit::Set { node: at(node), field: key.into(), value: Some(Field::Ref(Box::new(reference))), at: None }
        }
        Change::Rename(node, name) => Edit::Rename { node: at(node), name },
        Change::Notes(node, notes) => Edit::Notes { node: at(node), notes },
        Change::Retype(node, kind) => Edit::Retype { node: at(node), kind },
    }
}

fn open(text: &str) -> Library {
    load("main.json", &MemoryFiles::from([("main.json", text)]), &catalogue()).expect("it opens").library
}

/// A library after random edits, and what undoes them, last first.
fn edited(changes: Vec<Change>) -> (Library, Vec<Vec<Edit>>) {
    let mut library = open(
        r#"{"version": 1, "name": "root", "inputs": {"a": {"default": 1}}, "children": [{"type": "wait", "name": "a"}]}"#,
    );
    let mut undo = Vec::new();
    let mut next_id = 100;
    for change in changes {
        let edit = edit(library.main(), change, &mut next_id);
        if let Ok((inverse, _)) = library.apply_all(&[edit]) {
            undo.push(inverse);
        }
    }
    undo.reverse();
    (library, undo)
}

/// Types, names, notes and settings in tree order, without ids that are derived from the position.
fn shape(tree: &Definition) -> Vec<(usize, String, String, String)> {
    let depth = |id| tree.ancestors(id).count();
    tree.walk(tree.root)
        .map(|id| {
            let node = tree.node(id);
            (depth(id), node.kind.to_string(), node.name.to_string(), node.notes.to_string())
        })
        .collect()
}

/// A setting is there again, or was its default. The root's unknown ones are the file's.
fn kept(old: &Definition, new: &Definition, catalogue: &model::Catalogue) -> Result<(), String> {
    for (old_id, new_id) in old.walk(old.root).zip(new.walk(new.root)) {
        let (before, after) = (old.node(old_id), new.node(new_id));
        for (key, field) in before.fields.iter().filter(|(_, field)| !matches!(field, Field::Ref(_))) {
            let extra = new.header.extra.get(&**key).filter(|_| old_id == old.root);
            let there = after.fields.get(key).map(Field::to_json).or_else(|| extra.cloned());
            let info = catalogue.get(&before.kind);
            let common = model::common_fields().iter().find(|info| info.name == **key);
            let default = info.and_then(|info| info.field(key).or(common)).map(|info| info.default.clone());
            let value = field.to_json();
            let is_default = default.is_some_and(|default| {
                default == value || default.as_f64().is_some_and(|number| value.as_f64() == Some(number))
            });
            if there != Some(value) && !(there.is_none() && is_default) {
                return Err(format!("{key} of {} became {there:?}", before.kind));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn undoing_gives_the_same_bytes(changes in prop::collection::vec(change(), 1..25)) {
        let before = save(edited(Vec::new()).0.main(), &catalogue());
        let (mut library, undo) = edited(changes);
        for inverse in undo {
            prop_assert!(library.apply_all(&inverse).is_ok());
        }
        prop_assert_eq!(save(library.main(), &catalogue()), before);
    }

    #[test]
    fn what_is_saved_loads_the_same(changes in prop::collection::vec(change(), 1..25)) {
        let (library, _) = edited(changes);
        let text = save(library.main(), &catalogue());
        let again = open(&text);
        prop_assert_eq!(shape(again.main()), shape(library.main()), "{}", text);
        prop_assert_eq!(kept(library.main(), again.main(), &catalogue()), Ok(()), "{}", text);
        prop_assert_eq!(&again.main().header.inputs, &library.main().header.inputs);
        prop_assert_eq!(save(again.main(), &catalogue()), text);
    }

    #[test]
    fn references_lead_to_the_same_nodes_after_saving(changes in prop::collection::vec(change(), 1..25)) {
        let (library, _) = edited(changes);
        let again = open(&save(library.main(), &catalogue()));
        let (old, new) = (library.main(), again.main());
        let old_order: Vec<NodeId> = old.walk(old.root).collect();
        let new_order: Vec<NodeId> = new.walk(new.root).collect();
        for (place, id) in old_order.iter().enumerate() {
            let Some(Field::Ref(reference)) = old.node(*id).fields.get("after") else { continue };
            let Some(target) = old_order.iter().position(|id| Some(*id) == reference.id) else { continue };
            match new.node(new_order[place]).fields.get("after") {
                Some(Field::Ref(found)) => prop_assert_eq!(found.id, Some(new_order[target])),
                other => prop_assert!(false, "the reference became {:?}", other),
            }
        }
    }

    #[test]
    fn no_text_makes_loading_panic(text in "\\PC{0,80}", json in "\\{(\"(version|type|name|id|children|after)\": ?(1|\"a\"|null|\\[\\{\\}\\]|\\[1\\]),?){0,6}\\}") {
        for text in [text, json] {
            if let Ok(loaded) = load("main.json", &MemoryFiles::from([("main.json", text.as_str())]), &catalogue()) {
                let _ = report(&loaded);
                let saved = save(loaded.library.main(), &catalogue());
                let again = save(open(&saved).main(), &catalogue());
                prop_assert_eq!(again, saved, "{}", text);
            }
        }
    }
}
