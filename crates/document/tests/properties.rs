//! What holds for every sequence of operations.

use std::sync::LazyLock;

use document::{Document, DocumentError, SidedSkills};
use engine::{Engine, Mirror, Options, Plane};
use model::{Edit, NodeId, Subtree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::FileFailurePersistence;
use robot::Robot;
use serde_json::{Value as Json, json};
use testkit::random::{ChangePlan, NodePick, NodePicks, change, files, load_files};

#[derive(Clone, Debug)]
enum Act {
    Change(ChangePlan),
    Delete(NodePicks),
    MoveTo(NodePicks, NodePick, usize),
    Set(NodePick, &'static str, Json),
    Refer(NodePick, NodePick),
    Reset(NodePick, &'static str),
    Rename(NodePick, &'static str),
    Notes(NodePick),
    Retype(NodePick, &'static str),
    Duplicate(NodePicks),
    Wrap(NodePicks, &'static str),
    Unwrap(NodePick),
    Extract(NodePick, &'static str),
    Inline(NodePick),
    Variables(Json),
    Mirror(NodePick),
    MirrorCopy(NodePicks),
    Undo,
    Redo,
}

static ROBOT: LazyLock<Robot> = LazyLock::new(|| Robot::builtin("coact-mini").expect("our own"));

fn mirror() -> Mirror<'static> {
    Mirror { robot: &ROBOT, plane: Plane::Sagittal, body: None }
}

fn act() -> impl Strategy<Value = Act> {
    let place = NodePick::any();
    let kinds = ["sequence", "fallback", "parallel", "loop", "choose", "wait", "gosub", "skill", "teleport"];
    let settings = [
        ("after", json!("A")),
        ("target", json!("B")),
        ("duration_s", json!(0.5)),
        ("duration_s", json!("x")),
        ("duration_s", json!({"=": "0.25 + x"})),
        ("duration_s", json!({"=": "distance('left_hand', 'pelvis')"})),
        ("retry", json!({"=": "x"})),
        ("mirrored", json!({"=": "x == 1"})),
        ("inputs", json!({"x": "left_hand_force_n + x"})),
        ("retry", json!(2)),
        ("until", json!("left_hand_force_n > 1")),
        ("claims", json!(["left_arm"])),
        ("odd", json!(1)),
    ];
    prop_oneof![
        4 => change().prop_map(Act::Change),
        1 => NodePick::several().prop_map(Act::Delete),
        4 => (NodePick::several(), place.clone(), 0..5_usize).prop_map(|(nodes, to, index)| Act::MoveTo(nodes, to, index)),
        2 => (place.clone(), select(settings.to_vec())).prop_map(|(node, (key, value))| Act::Set(node, key, value)),
        1 => (place.clone(), place.clone()).prop_map(|(node, to)| Act::Refer(node, to)),
        1 => (place.clone(), select(vec!["after", "claims"])).prop_map(|(node, key)| Act::Reset(node, key)),
        1 => (place.clone(), select(vec!["A", "B", "Z", "Left", "right"])).prop_map(|(node, name)| Act::Rename(node, name)),
        1 => place.clone().prop_map(Act::Notes),
        1 => (place.clone(), select(kinds.to_vec())).prop_map(|(node, kind)| Act::Retype(node, kind)),
        3 => NodePick::several().prop_map(Act::Duplicate),
        3 => (NodePick::several(), select(kinds.to_vec())).prop_map(|(nodes, kind)| Act::Wrap(nodes, kind)),
        2 => place.clone().prop_map(Act::Unwrap),
        5 => (place.clone(), select(vec!["a.json", "skills/b.json", "../c.json"]))
            .prop_map(|(node, file)| Act::Extract(node, file)),
        2 => place.clone().prop_map(Act::Mirror),
        1 => NodePick::several().prop_map(Act::MirrorCopy),
        5 => place.prop_map(Act::Inline),
        1 => select(vec![json!({"x": 1}), json!({})]).prop_map(Act::Variables),
        3 => Just(Act::Undo),
        2 => Just(Act::Redo),
    ]
}

fn carry_out(document: &mut Document, act: &Act, next_id: &mut u64) -> Result<Vec<Edit>, DocumentError> {
    let library = document.library().clone();
    let ids = |places: &NodePicks| places.iter().map(|place| place.node(&library)).collect::<Vec<NodeId>>();
    let id = |place: &NodePick| place.node(&library);
    match act {
        // What comes as an edit is done as the operation that is nearest to it.
        Act::Change(plan) => match plan.edit(&library, next_id) {
            Edit::Insert { parent, index, subtree } => document.insert(parent, index, &subtree),
            Edit::Delete { node } => document.delete(&[node]),
            Edit::Move { node, parent, index } => document.move_to(&[node], parent, index),
            Edit::Set { node, field, value: Some(value), .. } => document.set(node, &field, value.to_json()),
            Edit::Set { node, field, .. } => document.reset(node, &field),
            Edit::Retype { node, kind } => document.retype(node, &kind),
            _ => document.delete(&[]),
        },
        Act::Delete(nodes) => document.delete(&ids(nodes)),
        Act::MoveTo(nodes, to, index) => document.move_to(&ids(nodes), id(to), *index),
        Act::Set(node, key, value) => document.set(id(node), key, value.clone()),
        Act::Refer(node, to) => document.refer(id(node), "after", id(to)),
        Act::Reset(node, key) => document.reset(id(node), key),
        Act::Rename(node, name) => document.rename(id(node), name),
        Act::Notes(node) => document.set_notes(id(node), "noted"),
        Act::Retype(node, kind) => document.retype(id(node), kind),
        Act::Duplicate(nodes) => document.duplicate(&ids(nodes)),
        Act::Wrap(nodes, kind) => document.wrap(&ids(nodes), kind),
        Act::Unwrap(node) => document.unwrap(id(node)),
        Act::Extract(node, file) => document.extract(id(node), file),
        Act::Inline(place) => {
            let tree = library.get(place.definition(&library));
            let skills: Vec<NodeId> = tree.walk(tree.root).filter(|id| &*tree.node(*id).kind == "skill").collect();
            document.inline(skills.first().copied().unwrap_or(id(place)))
        }
        Act::Variables(json) => {
            let entries = json.as_object().into_iter().flatten();
            if entries.clone().count() % 2 == 1 {
                let lets = entries.map(|(key, value)| (key.as_str().into(), value.to_string().into())).collect();
                return document.set_lets("main.json", lets);
            }
            document
                .set_variables("main.json", entries.map(|(key, value)| (key.as_str().into(), value.clone())).collect())
        }
        Act::Mirror(node) => document.mirror(&[id(node)], &mirror(), SidedSkills::MirroredOrCopy),
        Act::MirrorCopy(nodes) => document.mirror_copy(&ids(nodes), &mirror(), SidedSkills::MirroredOrCopy),
        Act::Undo => document.undo().map(|undone| undone.edits),
        Act::Redo => document.redo().map(|undone| undone.edits),
    }
}

fn texts(document: &Document) -> Vec<(String, String)> {
    let files = document.library().iter().map(|(_, tree)| tree.file.to_string());
    files.map(|file| (file.clone(), document.text(&file).expect("it is in the library"))).collect()
}

fn trees(document: &Document) -> Vec<Subtree> {
    document.library().iter().map(|(_, tree)| tree.subtree(tree.root)).collect()
}

fn open(files: &[(String, Json)]) -> Document {
    Document::new(load_files(files).library, testkit::registry(), 3)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn everything_can_be_undone_and_done_again(files in files(), acts in vec(act(), 1..20)) {
        let mut document = open(&files);
        let (first, first_trees) = (texts(&document), trees(&document));
        let mut next_id = 0;
        for act in &acts {
            let before = (texts(&document), trees(&document));
            if carry_out(&mut document, act, &mut next_id).is_err() {
                prop_assert_eq!((texts(&document), trees(&document)), before, "refused, but changed: {:?}", act);
            }
        }
        let last = (texts(&document), trees(&document));
        let mut steps = 0;
        while document.undo().is_ok() {
            steps += 1;
        }
        prop_assert_eq!(texts(&document), first);
        prop_assert_eq!(trees(&document), first_trees);
        prop_assert!(document.changed_files().is_empty());
        for _ in 0..steps {
            prop_assert!(document.redo().is_ok());
        }
        while document.redo().is_ok() {}
        if !acts.iter().any(|act| matches!(act, Act::Undo)) {
            prop_assert_eq!((texts(&document), trees(&document)), last);
        }
    }

    #[test]
    fn an_engine_that_gets_the_edits_has_the_same_tree(files in files(), acts in vec(act(), 1..12)) {
        let mut document = open(&files);
        let mut engine = Engine::new(load_files(&files).library, testkit::registry(), &Options::default());
        let on = engine::Command { id: 0, what: engine::Control::Automatic { on: true } };
        engine.tick(&engine::TickInput { commands: vec![on], ..Default::default() });
        let mut next_id = 0;
        for (tick, act) in acts.iter().enumerate() {
            let Ok(edits) = carry_out(&mut document, act, &mut next_id) else { continue };
            let batch = engine::EditBatch { id: 1, edits, by: None };
            let time_ns = (tick as i64 + 1) * testkit::TICK_NS;
            let output = engine.tick(&engine::TickInput { time_ns, edits: vec![batch], ..Default::default() });
            prop_assert_eq!(output.answers[0].refused.as_deref(), None);
            prop_assert_eq!(engine.check_invariants(), Ok(()));
        }
        let there = Document::new(engine.library().clone(), testkit::registry(), 4);
        prop_assert_eq!(texts(&there), texts(&document));
    }

    /// A skill written out behaves as before only if its nodes find each other as before.
    #[test]
    fn references_stay_inside_their_file(files in files(), acts in vec(act(), 1..12)) {
        let mut document = open(&files);
        let mut next_id = 0;
        for act in &acts {
            let _ = carry_out(&mut document, act, &mut next_id);
        }
        for (owner, tree) in document.library().iter() {
            for id in tree.walk(tree.root) {
                for (key, field) in tree.node(id).fields.iter() {
                    let model::Field::Ref(reference) = field else { continue };
                    let target = reference.id.and_then(|id| document.library().owner_of(id));
                    prop_assert!(target.is_none_or(|target| target == owner), "{} of {} leads elsewhere", key, tree.path(id));
                }
            }
        }
    }
}
