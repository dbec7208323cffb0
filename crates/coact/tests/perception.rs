#![cfg(feature = "mujoco")]
//! Behaviors that see their world only through its camera and detector, with their usual noise. The truth they are
//! compared with is the world file as it was drawn.

use crate::common;

use common::{behavior, coact, folder};
use geometry::Pose;
use serde_json::Value as Json;
use sim::{PlacedWorld, World};

fn world(name: &str, text: &str) -> String {
    let path = folder(name).join("world.json");
    std::fs::write(&path, format!(r#"{{"version": 1, {text}}}"#)).expect("a file for the test");
    path.to_str().expect("UTF-8").to_owned()
}

fn drawn(world: &str, seed: u64) -> PlacedWorld {
    World::find(world).expect("a world").draw(seed)
}

#[track_caller]
fn seen(file: &str, world: &str, seed: u64) -> Json {
    let ran = coact(&["run", file, "--world", world, "--seed", &seed.to_string(), "--json"]);
    assert_eq!(ran.code, 0, "seed {seed}: {}{}", ran.out, ran.err);
    ran.json()
}

/// What became of an object, with when it was told.
fn changes<'a>(report: &'a Json, object: &'a str) -> impl Iterator<Item = (&'a str, &'a Json)> {
    let all = report["scene"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter(move |each| each["object"] == object).map(|each| (each["what"].as_str().expect("a word"), each))
}

/// Where an object was told to be last: position, and yaw in degrees.
#[track_caller]
fn last(report: &Json, object: &str) -> ([f64; 3], f64) {
    let (_, told) = changes(report, object).filter(|(_, each)| each["pose"].is_object()).last().expect("an object");
    // Zeros are left out.
    let number = |key: &str| told["pose"][key].as_f64().unwrap_or(0.0);
    (["x_m", "y_m", "z_m"].map(number), number("yaw_deg"))
}

fn level_m(at_m: [f64; 3], truth: &Pose) -> f64 {
    let truth_m = truth.translation_m();
    (at_m[0] - truth_m.x).hypot(at_m[1] - truth_m.y)
}

fn notes_of_the_world(report: &Json) -> usize {
    report["log"].as_array().expect("a log").iter().filter(|note| note["kind"] == "world").count()
}

/// The balls of a world, the nearest to a head that stands at its start first, each with its distance.
fn balls(world: &PlacedWorld) -> Vec<(f64, Pose)> {
    let head_m = geometry::Vector3::new(0.05, 0.0, 1.6);
    let balls = world.objects.iter().filter(|object| &*object.class == "ball").map(|object| object.world_from_object);
    let mut balls: Vec<_> = balls.map(|ball| ((ball.translation_m() - head_m).norm(), ball)).collect();
    balls.sort_by(|a, b| a.0.total_cmp(&b.0));
    balls
}

#[test]
fn the_nearest_of_three_balls_is_locked_on_to() {
    let mut clear = 0;
    for seed in 0..5 {
        let balls = balls(&drawn("table-balls", seed));
        assert_eq!(balls.len(), 3);
        if balls[1].0 - balls[0].0 < 0.02 {
            continue;
        }
        clear += 1;
        let report = seen("examples/world/nearest-ball.json", "table-balls", seed);
        let off_m = level_m(last(&report, "ball").0, &balls[0].1);
        assert!(off_m < 0.03, "seed {seed}: {off_m} m from the nearest ball");
    }
    assert!(clear >= 2, "in {clear} worlds one ball is clearly the nearest");
}

#[test]
fn two_objects_of_a_class_are_two_things() {
    for seed in 0..3 {
        let balls = balls(&drawn("table-balls", seed));
        let report = seen("examples/world/two-balls.json", "table-balls", seed);
        let found = ["one", "another"].map(|name| {
            let at_m = last(&report, name).0;
            let near = balls.iter().position(|(_, ball)| level_m(at_m, ball) < 0.03);
            near.unwrap_or_else(|| panic!("seed {seed}: no ball where `{name}` is, {at_m:?}"))
        });
        assert_ne!(found[0], found[1], "seed {seed}");
    }
}

const SHELF_WITH_BALL: &str = r#""objects": [
    {"type": "wall", "name": "shelf", "at": {"x_m": 1.2}, "length_m": 0.4, "height_m": 1.1},
    {"type": "ball", "on": "shelf", "radius_m": 0.06}]"#;

#[test]
fn what_is_lost_goes_stale_and_is_found_again() {
    let file =
        behavior("perception-lost", r#"{"type": "setup_object", "class": "ball"}, {"type": "wait", "duration_s": 8}"#);
    let words = |disturbance: &str| {
        let path = world("perception-lost-world", &format!(r#"{SHELF_WITH_BALL}, "disturbances": [{disturbance}]"#));
        let report = seen(&file, &path, 1);
        let words: Vec<(String, f64)> = changes(&report, "ball")
            .filter(|(what, _)| ["stale", "found again"].contains(what))
            .map(|(what, each)| (what.to_owned(), each["time_s"].as_f64().expect("a time")))
            .collect();
        (words, last(&report, "ball").0)
    };
    let (told, at_m) = words(r#"{"at_s": 1.5, "do": "blind_camera", "duration_s": 4}"#);
    let [(first, lost_s), (then, found_s)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((first.as_str(), then.as_str()), ("stale", "found again"));
    assert!((1.5..5.5).contains(lost_s) && *found_s > 5.5, "{told:?}");
    let truth = Pose::from_translation(1.2, 0.0, 1.1);
    assert!(level_m(at_m, &truth) < 0.06, "{at_m:?}");
    // Taken away for good: it stays where it was last.
    let (told, at_m) = words(r#"{"at_s": 1.5, "do": "take_away", "object": "ball"}"#);
    assert_eq!(told.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>(), ["stale"]);
    assert!(level_m(at_m, &truth) < 0.06, "{at_m:?}");
}

/// The right hand comes between the head and one end of the lever of a door.
const COVER: &str = r#"{"type": "neck", "pitch_deg": 20, "duration_s": 1},
    {"type": "setup_object", "class": "door_handle"},
    {"type": "wait", "duration_s": 1},
    {"type": "define_frame", "object": "kept", "kind": "hybrid", "a": "door_handle", "b": "door_handle"},
    {"type": "freeze_object", "object": "kept"},
    {"type": "arm", "frame": "kept", "pose": {"x_m": -0.1, "y_m": 0.04, "z_m": 0.1, "yaw_deg": 90}, "duration_s": 3},
    {"type": "wait", "duration_s": 1.5}"#;

#[test]
fn a_hand_before_a_handle_moves_it_unless_it_is_frozen() {
    let file = behavior("perception-cover", COVER);
    let touched = r#"{"on": {"event": "handle_turns", "object": "door", "past_share": 0.05}, "do": "blind_camera"}"#;
    let path = world(
        "perception-cover-world",
        &format!(r#""objects": [{{"type": "door", "at": {{"x_m": 0.68, "y_m": 0.1}}}}], "disturbances": [{touched}]"#),
    );
    for seed in 0..2 {
        let report = seen(&file, &path, seed);
        assert_eq!(notes_of_the_world(&report), 0, "the hand touched the handle");
        let (covered_m, frozen_m) = (last(&report, "door_handle").0, last(&report, "kept").0);
        // The middle of its lever.
        let truth = Pose::from_translation(0.605, -0.21, 1.0);
        assert!(level_m(frozen_m, &truth) < 0.02, "seed {seed}: {frozen_m:?}");
        assert!(level_m(covered_m, &truth) > 0.03, "seed {seed}: {covered_m:?}");
        let (what, _) = changes(&report, "kept").last().expect("a change");
        assert_eq!(what, "frozen", "nothing becomes of it after that");
    }
}

#[test]
fn a_frozen_handle_is_reached_by_memory() {
    // As near as the hand comes by the template: 12 cm before the lever, 6 cm from the axis that the event counts from.
    let near = r#"{"on": {"event": "hand_near", "object": "door", "within_m": 0.22}, "do": "blind_camera"}"#;
    let dark = r#"{"at_s": 2, "do": "blind_camera", "duration_s": 100}"#;
    let path = world(
        "perception-memory-world",
        &format!(r#""objects": [{{"type": "door", "at": {{"x_m": 1.5}}}}], "disturbances": [{dark}, {near}]"#),
    );
    let report = seen("examples/world/blind-reach.json", &path, 0);
    let at_m = last(&report, "door_handle").0;
    assert!(level_m(at_m, &Pose::from_translation(1.425, -0.31, 1.0)) < 0.02, "{at_m:?}");
    let words: Vec<&str> = changes(&report, "door_handle").map(|(what, _)| what).collect();
    assert_eq!(words, ["set up", "frozen", "stale"]);
    assert_eq!(notes_of_the_world(&report), 2, "dark, and the hand is there: {}", report["log"]);
}

#[test]
fn the_edge_of_a_table_is_found_within_3_cm_and_3_degrees() {
    let at =
        r#"{"x_m": {"from": 1.1, "to": 1.8}, "y_m": {"from": -0.1, "to": 0.1}, "yaw_deg": {"from": -12, "to": 12}}"#;
    let table = format!(r#""objects": [{{"type": "table", "at": {at}, "height_m": {{"from": 0.7, "to": 0.95}}}}]"#);
    let path = world("perception-table-world", &table);
    for seed in 0..3 {
        let report = seen("examples/world/to-the-table.json", &path, seed);
        let (at_m, yaw_deg) = last(&report, "table");
        let truth = drawn(&path, seed).object("table").expect("a table").world_from_object;
        // Tables are 0.6 m deep.
        let from_middle = truth.inverse().transform_point(&geometry::Point3::new(at_m[0], at_m[1], 0.0));
        let turned_deg = (yaw_deg - truth.rpy().yaw_rad.to_degrees()).abs();
        assert!((from_middle.x + 0.3).abs() < 0.03, "seed {seed}: edge at {from_middle}");
        assert!(turned_deg < 3.0, "seed {seed}: {turned_deg}° off");
    }
}

#[test]
fn the_angle_of_a_door_panel_is_known_within_4_degrees() {
    for (seed, (opens, sign, open_deg)) in (0..).zip([
        ("push", 1.0, 0.0),
        ("push", 1.0, 25.0),
        ("push", 1.0, 60.0),
        ("pull", -1.0, 20.0),
        ("pull", -1.0, 40.0),
    ]) {
        let door = format!(
            r#""objects": [{{"type": "door", "opens": "{opens}", "open_deg": {open_deg}, "latch": false, "friction_nm": 5,
                "at": {{"x_m": {{"from": 1.4, "to": 1.7}}, "yaw_deg": {{"from": -8, "to": 8}}}}}}]"#
        );
        let path = world("perception-door-world", &door);
        let report = seen("examples/world/door-panel.json", &path, seed);
        let truth_deg = drawn(&path, seed).object("door").expect("a door").world_from_object.rpy().yaw_rad.to_degrees()
            + sign * open_deg;
        let off_deg = (last(&report, "panel").1 - truth_deg).abs();
        assert!(off_deg < 4.0, "{opens} {open_deg}°, seed {seed}: {off_deg}° off");
    }
}

#[test]
fn the_frame_of_a_door_is_known_within_5_cm_and_4_degrees_however_the_door_stands() {
    for (opens, open_deg, outcome) in
        [("push", 0.0, "closed"), ("push", 25.0, "ajar_push"), ("pull", 20.0, "ajar_pull"), ("pull", 40.0, "ajar_pull")]
    {
        let door = format!(
            r#""objects": [{{"type": "door", "opens": "{opens}", "open_deg": {open_deg}, "latch": false, "friction_nm": 5,
                "at": {{"x_m": {{"from": 1.4, "to": 1.7}}, "yaw_deg": {{"from": -8, "to": 8}}}}}}]"#
        );
        let path = world("perception-frame-world", &door);
        for seed in 0..2 {
            let case = format!("{opens} {open_deg}°, seed {seed}");
            let report = seen("examples/world/door-frame.json", &path, seed);
            let found = report["steps"].as_array().expect("steps").last().expect("a frame").clone();
            assert_eq!(found["outcome"], outcome, "{case}");
            let (at_m, yaw_deg) = last(&report, "frame");
            let truth = drawn(&path, seed).object("door").expect("a door").world_from_object;
            // On the face of the closed panel, behind the middle of its lever.
            let behind_lever = truth * Pose::from_translation(-0.02, -0.31, 1.0);
            let off_m = level_m(at_m, &behind_lever).hypot(at_m[2] - 1.0);
            let off_deg = (yaw_deg - truth.rpy().yaw_rad.to_degrees()).abs();
            assert!(off_m < 0.05 && off_deg < 4.0, "{case}: {off_m} m and {off_deg}° off");
        }
    }
}

#[test]
fn what_no_camera_sees_changes_no_byte() {
    let door = r#"{"type": "door", "at": {"x_m": 1.5}}"#;
    let run = |hidden: &str| {
        let path = world("perception-hidden-world", &format!(r#""objects": [{door}, {hidden}]"#));
        let ran = coact(&["run", "examples/world/door-panel.json", "--world", &path, "--json"]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.out
    };
    // Behind the robot; they fall and roll while it looks ahead.
    let behind = |x_m: f64, z_m: f64| run(&format!(r#"{{"type": "ball", "at": {{"x_m": {x_m}, "z_m": {z_m}}}}}"#));
    assert_eq!(behind(-1.0, 0.0), behind(-2.0, 1.5));
    // Behind the panel of the closed door.
    let beyond = |x_m: f64, y_m: f64| run(&format!(r#"{{"type": "box", "at": {{"x_m": {x_m}, "y_m": {y_m}}}}}"#));
    let near = beyond(2.0, 0.2);
    assert_eq!(near, beyond(2.6, -0.2));
    // Before it, it is seen: the points around the door are others then.
    let before = r#"{"type": "box", "at": {"x_m": 1.3, "y_m": 0.1}, "height_m": 1.3, "width_m": 0.4}"#;
    assert_ne!(near, run(before));
}

#[test]
fn a_ball_is_grasped_and_lifted_by_its_template() {
    let lifted = r#"{"on": {"event": "lifted", "object": "ball", "by_m": 0.05}, "do": "blind_camera"}"#;
    let post = r#"{"type": "block", "name": "post", "at": {"x_m": 0.45, "y_m": -0.2},
        "length_m": 0.03, "width_m": 0.03, "height_m": 0.9}"#;
    let path = world(
        "perception-grasp-world",
        &format!(r#""objects": [{post}, {{"type": "ball", "on": "post"}}], "disturbances": [{lifted}]"#),
    );
    for seed in 0..4 {
        let report = seen("examples/world/grasp-the-ball.json", &path, seed);
        let steps = report["steps"].as_array().expect("steps");
        let grasp = steps.iter().find(|step| step["type"] == "template_grasp").expect("a grasp");
        assert_eq!(grasp["outcome"], "blocked", "something is between the fingers");
        assert_eq!(notes_of_the_world(&report), 1, "the ball was lifted: {}", report["log"]);
    }
}

#[test]
fn a_ball_on_a_table_is_walked_to_and_lifted_by_its_template() {
    // Of the 15 cm that it is lifted.
    let lifted = r#"{"on": {"event": "lifted", "object": "ball", "by_m": 0.13}, "do": "blind_camera"}"#;
    let table = r#"{"type": "table", "at": {"x_m": 0.8}, "height_m": {"from": 0.78, "to": 0.84}}"#;
    let ball = r#"{"type": "ball", "on": "table", "at": {"x_m": -0.2, "y_m": {"from": -0.25, "to": -0.1}}}"#;
    let path = world("perception-table-ball", &format!(r#""objects": [{table}, {ball}], "disturbances": [{lifted}]"#));
    for seed in 0..2 {
        let report = seen("examples/world/ball-from-the-table.json", &path, seed);
        let steps = report["steps"].as_array().expect("steps");
        let grasp = steps.iter().find(|step| step["type"] == "template_grasp").expect("a grasp");
        assert_eq!(grasp["outcome"], "blocked", "something is between the fingers");
        assert_eq!(notes_of_the_world(&report), 2, "it was dark for a while: {}", report["log"]);
    }
}

#[test]
fn a_door_is_unlatched_and_opened_by_the_template_of_its_lever() {
    let event = |event: &str| format!(r#"{{"on": {{"object": "door", {event}}}, "do": "blind_camera"}}"#);
    // The latch lets go, and not before the hand presses.
    let turned = event(r#""event": "handle_turns", "past_share": 1"#);
    let opened = event(r#""event": "door_opens", "past_deg": 5"#);
    let at =
        r#"{"x_m": {"from": 1.45, "to": 1.6}, "y_m": {"from": -0.1, "to": 0.1}, "yaw_deg": {"from": -4, "to": 4}}"#;
    let door = format!(r#""objects": [{{"type": "door", "at": {at}}}], "disturbances": [{turned}, {opened}]"#);
    let path = world("perception-lever-world", &door);
    for seed in 0..2 {
        let report = seen("examples/world/open-the-door.json", &path, seed);
        let log = report["log"].as_array().expect("a log");
        let times_s: Vec<f64> = log
            .iter()
            .filter(|note| note["text"] == "all cameras are blind")
            .filter_map(|note| note["time_s"].as_f64())
            .collect();
        let steps = report["steps"].as_array().expect("steps");
        let begins_s = |name: &str| {
            let step = steps.iter().find(|step| step["path"] == format!("/{name}")).expect("a step");
            step["start_s"].as_f64().expect("a time")
        };
        let [turned_s, opened_s] = times_s[..] else { panic!("seed {seed}: {log:?}") };
        assert!(begins_s("Press") < turned_s && turned_s < begins_s("Push"), "seed {seed}: unlatched at {turned_s} s");
        assert!(begins_s("Push") < opened_s, "seed {seed}: open at {opened_s} s");
    }
}

#[test]
fn a_preview_runs_beside_what_is_real() {
    let file = "examples/world/nearest-ball.json";
    let real = seen(file, "table-balls", 0);
    let preview = coact(&["preview", file, "--run", "--json"]);
    assert_eq!(preview.code, 0, "{}{}", preview.out, preview.err);
    let preview = preview.json();
    assert!(preview.get("world").is_none_or(Json::is_null));
    let ([x_m, y_m, z_m], _) = last(&preview, "ball");
    let off_m = (x_m - 0.6).hypot(y_m).hypot(z_m - 0.83);
    assert!(off_m < 0.01, "the nominal pose, {off_m} m off");
    let paths = |report: &Json| {
        let steps = report["steps"].as_array().expect("steps").iter();
        steps.map(|step| (step["path"].clone(), step["result"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(paths(&real), paths(&preview));
    // What is real has not changed by it.
    assert_eq!(real, seen(file, "table-balls", 0));
}

#[test]
fn guards_can_ask_how_far_and_how_many() {
    let path = world("perception-guards-world", SHELF_WITH_BALL);
    let guards = |far: &str, many: &str| {
        format!(
            r#"{{"type": "setup_object", "class": "ball"}},
            {{"type": "condition", "condition": "points('ball', 0.2) {many}"}},
            {{"type": "arm", "side": "left", "by": "preset", "preset": "wide", "duration_s": 2,
              "until": {{"condition": "distance('left_hand', 'walking') {far}", "outcome": "far"}}}}"#
        )
    };
    let arm = |far: &str| {
        let report = seen(&behavior("perception-guards", &guards(far, "> 20")), &path, 0);
        report["steps"].as_array().expect("steps").last().expect("an arm").clone()
    };
    let (ended, whole) = (arm("> 0.98"), arm("> 5"));
    assert_eq!(ended["outcome"], "far");
    assert!(whole.get("outcome").is_none(), "{whole}");
    assert!(ended["end_s"].as_f64() < whole["end_s"].as_f64());
    let none = coact(&["run", &behavior("perception-few", &guards("> 5", "> 100000")), "--world", &path]);
    assert_eq!(none.code, 1, "{}", none.out);
    let unknown = behavior(
        "perception-unknown",
        r#"{"type": "setup_object", "class": "ball"}, {"type": "condition", "condition": "distance('bal', 'head') < 1"}"#,
    );
    let ran = coact(&["run", &unknown, "--world", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("there is no frame `bal` now"), "{}", ran.out);
}
