//! Damaged files: they open or are refused, but nothing panics, and what opens is saved and opens again.

use model::file::{MemoryFiles, load, save};
use model::{Library, NodeId};
use testkit::mutate::{Dice, fuzz, mutate};

const GOOD: &[&str] = &[
    r#"{"version": 1, "name": "Pick", "inputs": {"x": {"default": 1, "unit": "m", "notes": "n"}}, "outputs": {"y": {}},
  "variables": {"n": 0, "list": [1, {"a": null}]}, "cell": "cell.json", "children": [
    {"type": "wait", "name": "A", "duration_s": 0.1}, {"type": "goto", "name": "B", "target": "A", "after": "A"},
    {"type": "skill", "name": "S", "file": "s.json", "inputs": {"x": "x + 1"}, "outputs": {"y": "n"}},
    {"type": "fallback", "name": "F", "outcomes": ["o"], "children": [
      {"type": "stand_in", "id": "00000000000000ab", "name": "G", "duration_s": 0.2, "fails_if": "n > 1", "claims": ["arm"]},
      {"type": "gosub", "target": "/F/G", "until": [{"condition": "n > 2", "edge": "rise"}, "x > 3"], "retry": 2}]}]}"#,
    r#"{"type": "ActionSequenceDefinition", "name": "T", "children": [
  {"type": "WaitDurationActionDefinition", "name": "w", "waitDuration": 1.5, "executionMode": "OVERRIDE"},
  {"type": "FallbackNodeDefinition", "name": "f", "children": [{"type": "ConditionNodeDefinition", "conditionType": "COUNTER"}]}]}"#,
];
const SKILL: &str = r#"{"version": 1, "inputs": {"x": {}}, "children": [{"type": "log", "value": "x"}]}"#;

fn open(main: &str, skill: &str) -> Option<Library> {
    let files = MemoryFiles::from([("main.json", main), ("s.json", skill)]);
    let loaded = load("main.json", &files, nodes::registry().catalogue()).ok()?;
    for problem in &loaded.problems {
        assert!(!problem.to_string().is_empty());
    }
    Some(loaded.library)
}

/// Every node is reached once, from its parent, and knows it.
fn walk(library: &Library) {
    for (definition, tree) in library.iter() {
        let order: Vec<NodeId> = tree.walk(tree.root).collect();
        assert_eq!(order.len(), tree.len());
        for id in order {
            assert_eq!(library.owner_of(id), Some(definition));
            for child in &tree.node(id).children {
                assert_eq!(tree.node(*child).parent, Some(id));
            }
            assert!(tree.path(id).starts_with('/'));
        }
    }
}

fn check(dice: &mut Dice) {
    let good = *dice.pick(GOOD);
    let main = mutate(good, dice);
    let skill = if dice.roll(3) == 0 { mutate(SKILL, dice) } else { SKILL.to_owned() };
    let Some(library) = open(&main, &skill) else { return };
    walk(&library);
    let registry = nodes::registry();
    let saved = save(library.main(), registry.catalogue());
    let again = open(&saved, &skill).unwrap_or_else(|| panic!("saved, it does not open:\n{main}\n{saved}"));
    walk(&again);
    assert_eq!(save(again.main(), registry.catalogue()), saved, "{main}");
}

#[test]
fn damaged_files() {
    fuzz(3_000, check);
}

#[test]
fn a_hundred_thousand_nodes_and_ten_thousand_levels() {
    let nodes = vec![r#"{"type": "wait", "name": "w", "after": "w"}"#; 100_000].join(",");
    let library = open(&format!(r#"{{"version": 1, "children": [{nodes}]}}"#), SKILL).expect("it opens");
    assert_eq!(library.main().len(), 100_001);
    let saved = save(library.main(), nodes::registry().catalogue());
    assert!(open(&saved, SKILL).is_some());
    for unclosed in [true, false] {
        let mut deep = r#"{"version": 1, "children": ["#.repeat(10_000);
        if !unclosed {
            deep.push_str(&"]}".repeat(10_000));
        }
        assert!(open(&deep, SKILL).is_none());
    }
}

#[test]
fn what_a_declaration_has_more_keeps_its_order() {
    let text = r#"{"version": 1, "inputs": {"x": {"first": 1, "unit": "m", "second": 2, "notes": 5, "third": 3}}}"#;
    let registry = nodes::registry();
    let saved = save(open(text, SKILL).expect("it opens").main(), registry.catalogue());
    assert_eq!(save(open(&saved, SKILL).expect("it opens").main(), registry.catalogue()), saved);
}
