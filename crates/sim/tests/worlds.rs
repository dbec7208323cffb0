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

#[test]
fn what_is_expected_and_where_the_robot_starts_is_checked() {
    let told = problems(
        r#"{
  "version": 1,
  "robot": {"before": "dor", "away_m": 1},
  "objects": [
    {"type": "door"},
    {"type": "ball"},
    {"type": "valve"}
  ],
  "expect": [
    {"thru": "door"},
    {"through": "ball"},
    {"untouched": "door/fram"},
    {"inside": "ball", "of": "door"},
    {"inside": {"class": "bal"}, "of": "door"},
    {"sorted": {"reddish": "door"}},
    {"turned": "valve", "to_deg": 600},
    {"opened": "door", "often": 3},
    {"happened": {"event": "lifted", "object": "door"}}
  ]
}"#,
    );
    let expected = [
        ("line 3", "there is no object `dor` in this world; did you mean `door`?"),
        ("line 10", "write what is expected, with one of the keys through, untouched"),
        ("line 11", "`ball` is no door"),
        ("line 12", "a door has no part `fram`; did you mean `frame`?"),
        ("line 13", "`door` is no container"),
        ("line 14", "of the class `bal`; did you mean `ball`?"),
        ("line 15", "`reddish` is no colour"),
        ("line 16", "`valve` ends at 540°, short of that"),
        ("line 17", "`often` does not belong here"),
        ("line 18", "`door` is no ball, box or container"),
    ];
    for (line, text) in expected {
        assert!(told.iter().any(|told| told.contains(line) && told.contains(text)), "{line} {text}: {told:#?}");
    }
}

#[test]
fn a_start_before_an_object_faces_it() {
    let world = World::from_json(
        "w.json",
        r#"{"version": 1, "robot": {"before": "door", "away_m": 2, "bearing_deg": 30},
            "objects": [{"type": "door", "at": {"x_m": 3, "y_m": 1, "yaw_deg": 90}}]}"#,
    );
    let start = world.expect("a good world").draw(0).world_from_walking;
    let ahead_m = start.translation_m() + start.transform_vector(&geometry::Vector3::new(2.0, 0.0, 0.0));
    assert!((ahead_m - geometry::Vector3::new(3.0, 1.0, 0.0)).norm() < 1e-9, "{ahead_m}");
    // Who comes along the x axis of this door goes along y of the world; 30° further means from its −y, the world's x.
    let expected_m = geometry::Vector3::new(4.0, 1.0 - 3.0_f64.sqrt(), 0.0);
    assert!((start.translation_m() - expected_m).norm() < 1e-9, "{}", start.translation_m());
}

#[test]
fn a_merged_world_is_drawn_to_a_file_that_gives_the_same_world() {
    let with = serde_json::json!({
        "robot": {"before": "door", "away_m": {"from": 1, "to": 3}, "bearing_deg": {"from": -30, "to": 30}},
        "objects": [{"name": "door", "closer": {"any": [null, {"torque_nm": {"from": 3, "to": 8}}]}}],
        "expect": [{"through": "door"}]
    });
    let world = World::find("push-door-lever").expect("our own").merged("merged", &[&with]).expect("it fits");
    for seed in 0..20 {
        let file = world.drawn(seed).to_string();
        let again = World::from_json("push-door-lever.json", &file).expect("it loads");
        assert_eq!(again.draw(seed), world.draw(seed));
    }
    let broken = serde_json::json!({"objects": [{"name": "door", "hinge": "up"}]});
    let error =
        World::find("push-door-lever").expect("our own").merged("merged", &[&broken]).expect_err("no such hinge");
    assert!(error.to_string().contains("objects[0].hinge: `up` is none of left, right"), "{error}");
}
