use crate::common;

use common::{catalogue, catalogue_with, named, report};
use expect_test::expect;
use model::file::{Loaded, MemoryFiles, load, save};
use model::{Catalogue, Definition, Field, Fields, Foreign, Library, NodeId};
use serde_json::Value as Json;

const DEMO: &str = include_str!("fixtures/thesis_demo.json");

const ARM: &[Foreign] = &[
    Foreign::plain("ArmActionDefinition", &[("usePredefinedJointAngles", "hold")])
        .only_if("side", "left")
        .converted(angles),
    Foreign::plain("WalkActionDefinition", &[]),
];

fn angles(fields: &mut Fields) {
    let taken = (0..7).filter_map(|joint| fields.remove(&format!("j{joint}Degrees")));
    let angles: Vec<Json> = taken.map(|(_, angle)| angle.to_json()).collect();
    fields.push("angles_deg".into(), Field::Json(Box::new(angles.into())));
}

fn open(files: &[(&str, &str)], path: &str, catalogue: &Catalogue) -> Loaded {
    let mut memory = MemoryFiles::default();
    for (path, text) in files {
        memory.insert(*path, *text);
    }
    load(path, &memory, catalogue).expect("the main file opens")
}

/// Every value of the file is at its node, at its own key or at the one it was mapped to.
fn assert_kept(json: &Json, tree: &Definition, id: NodeId, renamed: &dyn Fn(&str) -> Vec<&'static str>) {
    let node = tree.node(id);
    for (key, value) in json.as_object().expect("a node") {
        match key.as_str() {
            "type" => {}
            "name" => assert_eq!(Some(&*node.name), value.as_str()),
            "notes" => assert_eq!(Some(&*node.notes), value.as_str()),
            "children" => {
                let children = value.as_array().expect("a list");
                assert_eq!(children.len(), node.children.len());
                for (child, id) in children.iter().zip(&node.children) {
                    assert_kept(child, tree, *id, renamed);
                }
            }
            key => {
                let keys = std::iter::once(key).chain(renamed(key));
                let field = keys.filter_map(|key| node.fields.get(key)).next();
                let there = field.unwrap_or_else(|| panic!("{key} of {} is gone", node.name)).to_json();
                assert!(there == *value || value == "OVERRIDE" && there == "override", "{key}: {value} became {there}");
            }
        }
    }
}

#[test]
fn the_demo_loads_whole_where_its_actions_are_not_known() {
    let loaded = open(&[("Demo Behavior.json", DEMO)], "Demo Behavior.json", &catalogue());
    expect![[r#"
        warning: Demo Behavior.json /Move Right Arm [type]: `ArmActionDefinition` is kept, but this version cannot run it
            replace it by a type of this version to run it
        warning: Demo Behavior.json /Move Left Arm [type]: `ArmActionDefinition` is kept, but this version cannot run it
            replace it by a type of this version to run it
        warning: Demo Behavior.json /Walk action [type]: `WalkActionDefinition` is kept, but this version cannot run it
            replace it by a type of this version to run it
    "#]]
    .assert_eq(&report(&loaded));
    let tree = loaded.library.main();
    let json: Json = serde_json::from_str(DEMO).expect("valid JSON");
    assert_kept(&json, tree, tree.root, &|_| Vec::new());
    assert_eq!(&*tree.node(tree.root).kind, "sequence");
    let saved = save(tree, &catalogue());
    let again = open(&[("Demo Behavior.json", &saved)], "Demo Behavior.json", &catalogue());
    assert_eq!(report(&again), report(&loaded));
    assert_eq!(save(again.library.main(), &catalogue()), saved);
    assert_kept(&json, again.library.main(), again.library.main().root, &|_| Vec::new());
}

#[test]
fn types_are_mapped_where_the_catalogue_says_how() {
    let catalogue = catalogue_with(ARM);
    let loaded = open(&[("d.json", DEMO)], "d.json", &catalogue);
    let tree = loaded.library.main();
    assert_eq!(&*tree.node(named(tree, "Move Right Arm")).kind, "ArmActionDefinition");
    let left = tree.node(named(tree, "Move Left Arm"));
    assert_eq!(&*left.kind, "arm");
    assert_eq!(left.fields.get("hold"), Some(&Field::Bool(true)));
    let expected = serde_json::json!([40.1, 22.92, -22.92, -108.86, 0.0, 0.0, 0.0]);
    assert_eq!(left.fields.get("angles_deg"), Some(&Field::Json(Box::new(expected))));
    assert_eq!(left.fields.get("after"), Some(&Field::Text("Previous".into())));
    let walk = tree.node(named(tree, "Walk action"));
    assert_eq!(walk.fields.get("on_conflict"), Some(&Field::Text("override".into())));
    assert!(loaded.problems.iter().all(|problem| !problem.is_error()), "{}", report(&loaded));
    let ignored = "`preset` of `ArmActionDefinition` has no counterpart in `arm`; it is kept and ignored";
    assert!(report(&loaded).contains(ignored), "{}", report(&loaded));
}

const MAIN: &str = r#"{ "type" : "ActionSequenceDefinition", "name" : "door/Open.json", "notes" : "", "children" : [
    { "file" : "door/parts/GoHome.json" },
    { "type" : "CheckPointNodeDefinition", "name" : "start", "notes" : "", "children" : [ ], "executeAfterAction" : "Beginning" },
    { "type" : "FallbackNodeDefinition", "name" : "try", "notes" : "", "children" : [
        { "type" : "WaitDurationActionDefinition", "name" : "Wait", "notes" : "", "children" : [ ],
          "executeAfterAction" : "door/parts/GoHome.json", "waitDuration" : 2.5 } ] },
    { "type" : "GotoNodeDefinition", "name" : "again", "notes" : "", "children" : [ ],
      "executeAfterAction" : "Previous", "nodeToGoto" : "start" },
    { "type" : "GotoNodeDefinition", "name" : "old", "notes" : "", "children" : [ ], "gotoNode" : "Next" } ] }"#;

#[test]
fn control_nodes_and_files_of_their_own() {
    let home = r#"{ "type" : "ActionSequenceDefinition", "name" : "door/parts/GoHome.json", "notes" : "", "children" : [
        { "file" : "door/Close.json" } ] }"#;
    let close =
        r#"{ "type" : "BehaviorTreeNodeDefinition", "name" : "door/Close.json", "notes" : "", "children" : [ ] }"#;
    let files = [("/b/door/Open.json", MAIN), ("/b/door/parts/GoHome.json", home), ("/b/door/Close.json", close)];
    let loaded = open(&files, "/b/door/Open.json", &catalogue());
    assert_eq!(report(&loaded), "");
    assert_eq!(loaded.library.len(), 3);
    assert!(loaded.library.find("/b/door/Close.json").is_some());
    expect![[r#"
        {
          "version": 2,
          "name": "door/Open.json",
          "children": [
            {"type": "skill", "name": "door/parts/GoHome.json", "file": "parts/GoHome.json"},
            {"type": "checkpoint", "name": "start", "after": "Beginning"},
            {
              "type": "fallback",
              "name": "try",
              "children": [
                {"type": "wait", "name": "Wait", "after": "door/parts/GoHome.json", "duration_s": 2.5}
              ]
            },
            {"type": "goto", "name": "again", "after": "Previous", "target": "start"},
            {"type": "goto", "name": "old"}
          ]
        }
    "#]]
    .assert_eq(&save(loaded.library.main(), &catalogue()));
    let start = named(loaded.library.main(), "start");
    let again = loaded.library.main().node(named(loaded.library.main(), "again"));
    assert!(matches!(again.fields.get("target"), Some(Field::Ref(reference)) if reference.id == Some(start)));
    assert!(
        loaded
            .library
            .skill_of(Library::MAIN, loaded.library.main().node(loaded.library.main().root).children[0])
            .is_some()
    );
}
