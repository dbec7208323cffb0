//! World files: what loads, what is drawn, and everything that is told about broken ones.

use sim::{World, WorldError};

fn problems(text: &str) -> Vec<String> {
    match World::from_json("w.json", text) {
        Ok(_) => Vec::new(),
        Err(WorldError::Unusable { problems, .. }) => problems.iter().map(ToString::to_string).collect(),
        Err(other) => vec![other.to_string()],
    }
}

#[test]
fn worlds_of_our_own_load_and_are_drawn_by_seed() {
    for name in World::names() {
        let world = World::find(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(world.name(), name);
        assert_eq!(world.draw(3), world.draw(3), "{name}");
        let text = std::fs::read_to_string(format!("../../worlds/{name}.json")).expect("beside the program");
        if text.contains("from") {
            assert_ne!(world.draw(3), world.draw(4), "{name}");
        }
    }
    let files = std::fs::read_dir("../../worlds").expect("a folder").count();
    assert_eq!(files, World::names().len(), "every file is built in");
}

#[test]
fn all_problems_are_told_at_once_with_line_and_remedy() {
    let told = problems(
        r#"{
  "version": 1,
  "objects": [
    {"type": "dor"},
    {"type": "door", "handle": "levr", "width_m": {"from": 0.8, "to": 9}, "widht_m": 1},
    {"type": "ball", "name": "door", "colour": "reddish", "on": "shelf"},
    {"type": "table", "at": {"x_m": "far"}, "height_m": {"from": 2, "to": 1}}
  ],
  "disturbances": [
    {"do": "hold_door", "object": "door"},
    {"at_s": 1, "do": "take_away", "object": "door"},
    {"at_s": 1, "do": "push_hand"},
    {"on": {"event": "lifted", "object": "bal"}, "do": "explode"}
  ]
}"#,
    );
    let expected = [
        ("line 4", "`dor` is none of door, table"),
        ("line 5", "`levr` is none of lever, knob, push_bar, fixed; did you mean `lever`?"),
        ("line 5", "9 is not between 0.5 and 3"),
        ("line 5", "`widht_m` does not belong here; did you mean `width_m`?"),
        ("line 6", "the name `door` is taken already"),
        ("line 6", "`reddish` is no colour"),
        ("line 6", "there is no object `shelf` before this one"),
        ("line 7", "a number"),
        ("line 7", "the lower one first"),
        ("line 10", "either `at_s` or `on`"),
        ("line 11", "`door` is no ball, box or container"),
        ("line 12", "either `force_n` or `by_m`"),
        ("line 13", "there is no object `bal` in this world"),
        ("line 13", "`explode` is none of hold_door"),
    ];
    for (line, text) in expected {
        assert!(
            told.iter().any(|problem| problem.contains(line) && problem.contains(text)),
            "{line}: {text} in\n{}",
            told.join("\n")
        );
    }
}

#[test]
fn what_is_no_world_is_said_to_be_none() {
    assert!(problems("{").concat().contains("w.json line 1: not JSON"));
    assert!(problems("[]").concat().contains("an object {…} belongs here"));
    assert!(problems("{}").concat().contains("write \"version\": 1"));
    assert!(problems(r#"{"version": 2}"#).concat().contains("2 is not between 1 and 1"));
    assert!(problems(r#"{"version": 1, "mjcf": "gone.xml"}"#).concat().contains("there is no such file"));
    let unknown = World::find("push-dor").expect_err("there is none").to_string();
    assert!(unknown.contains("push-door-lever"), "{unknown}");
}
