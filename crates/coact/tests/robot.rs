//! Behaviors that move a body: run, check, preview, move, edit.

use crate::common;

use common::{behavior, coact, file, folder};
use expect_test::expect;

const REACH: &str =
    r#"{"type": "arm", "name": "Out", "side": "left", "by": "preset", "preset": "wide", "duration_s": 2}"#;
const TOUCH: &str = r#"{"at_s": 1, "kind": {"hand_force": {"side": "left", "force_n": [0, 0, 30]}}}"#;

#[test]
fn a_behavior_that_moves_a_body_gets_a_robot() {
    let file = behavior("robot-default", REACH);
    let ran = coact(&["run", &file, "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.json()["robot"], "coact-one");
    let end_s = ran.json()["steps"][0]["end_s"].as_f64().expect("it ended");
    assert!((2.0..3.0).contains(&end_s), "{end_s}");
    let small = coact(&["run", &file, "--json", "--robot", "coact-mini"]);
    assert_eq!((small.code, &small.json()["robot"]), (0, &"coact-mini".into()));
    assert_eq!(coact(&["run", &file, "--json"]).out, ran.out, "the same run again");
}

#[test]
fn one_that_moves_none_is_as_before() {
    let file = behavior("robot-none", r#"{"type": "wait", "duration_s": 1}"#);
    assert!(coact(&["run", &file, "--json"]).json().get("robot").is_none());
    let named = coact(&["run", &file, "--json", "--robot", "robots/coact-mini"]);
    assert_eq!(named.json()["robot"], "coact-mini");
    for option in [["--fault", TOUCH], ["--frame", "mug=1,2,3"]] {
        let ran = coact(&["run", &file, option[0], option[1]]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("moves no robot"), "{}", ran.err);
    }
}

#[test]
fn wrong_usage_is_told() {
    let file = behavior("robot-usage", REACH);
    let unknown = coact(&["run", &file, "--robot", "atlas"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("coact-one") && unknown.err.contains("coact-mini"), "{}", unknown.err);
    for (option, value, told) in [
        ("--frame", "mug=1,2", "NAME=x,y,z"),
        ("--fault", "{}", "missing field"),
        ("--fault", r#"{"kind": {"joint_stuck": {"joint": "tail"}}}"#, "no joint `tail`"),
        ("--fault", "no-such-file.json", "no-such-file.json"),
        ("--world", "w", "there is no world `w`"),
        ("--log", "/no/such/folder/l.mcap", "/no/such/folder/l.mcap"),
    ] {
        let ran = coact(&["run", &file, option, value]);
        assert_eq!(ran.code, 2, "{option} {value}: {}", ran.out);
        assert!(ran.err.contains(told), "{option} {value}: {}", ran.err);
    }
}

#[test]
fn what_the_hand_feels_ends_a_motion() {
    let guard = r#""until": {"condition": "left_hand_force_n > 20", "outcome": "touched"}"#;
    let file = behavior("robot-touch", &REACH.replace(r#""side""#, &format!(r#"{guard}, "side""#)));
    assert!(coact(&["run", &file, "--json"]).json()["steps"][0].get("outcome").is_none());
    let ran = coact(&["run", &file, "--json", "--fault", TOUCH]);
    let step = &ran.json()["steps"][0];
    assert_eq!((ran.code, &step["outcome"]), (0, &"touched".into()), "{}", ran.out);
    assert!(step["end_s"].as_f64().expect("it ended") < 1.5, "{step}");
    let plan = folder("robot-touch-plan").join("plan.json");
    std::fs::write(&plan, format!(r#"{{"faults": [{TOUCH}]}}"#)).expect("a plan");
    let again = coact(&["run", &file, "--json", "--fault", plan.to_str().expect("UTF-8")]);
    assert_eq!(again.out, ran.out);
}

#[test]
fn a_stuck_joint_fails_the_step() {
    let file = behavior("robot-stuck", REACH);
    let stuck = r#"{"kind": {"joint_stuck": {"joint": "left_shoulder_roll"}}}"#;
    let ran = coact(&["run", &file, "--quiet", "--fault", stuck]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.starts_with("failure after"), "{}", ran.out);
}

#[test]
fn objects_are_where_they_are_said_to_be() {
    let step = r#"{"type": "arm", "name": "To the mug", "frame": "mug", "pose": {"x_m": -0.05}, "duration_s": 2}"#;
    let file = behavior("robot-frame", step);
    let without = coact(&["run", &file, "--quiet"]);
    assert_eq!(without.code, 1);
    assert!(without.out.contains("no frame `mug`"), "{}", without.out);
    let with = coact(&["run", &file, "--quiet", "--frame", "mug=0.45,-0.25,1.1"]);
    assert_eq!(with.code, 0, "{}", with.out);
}

#[test]
fn a_check_against_a_robot() {
    let steps = r#"
        {"type": "joint_move", "name": "Joints", "angles_deg": {"left_elbow_pich": 1, "left_shoulder_roll": 500}},
        {"type": "arm", "name": "Preset", "by": "preset", "preset": "wild"},
        {"type": "hand", "name": "Grip", "grip": "opn"},
        {"type": "arm", "name": "Frame", "frame": "chst", "until": "left_hand_force_n > 1"},
        {"type": "arm", "name": "Object", "frame": "mug"},
        {"type": "arm", "name": "Angles", "by": "angles", "angles_deg": [1, 2]}"#;
    let file = behavior("robot-check", steps);
    let unknown = coact(&["check", &file]);
    assert_eq!(unknown.out, "no problems in 1 file\n");
    let ran = coact(&["check", &file, "--robot", "coact-one"]);
    assert_eq!(ran.code, 2);
    expect![[r#"
        error: FILE /Joints [angles_deg]: robot `coact-one` has no joint `left_elbow_pich`; did you mean `left_elbow_pitch`?
            change `angles_deg`, or take another robot
        error: FILE /Joints [angles_deg]: joint `left_shoulder_roll` of robot `coact-one` goes from -20.1° to 149.0°, not to 500°
            change `angles_deg`, or take another robot
        error: FILE /Preset [preset]: robot `coact-one` has no preset `wild`
            it has door_clearance, home, ready, wide, zero
        error: FILE /Grip [grip]: robot `coact-one` has no grip `opn`
            did you mean `open`?
        warning: FILE /Frame [frame]: `chst` is no frame of the robot; an object of that name has to be there when it runs
            did you mean `chest`?
        error: FILE /Angles [angles_deg]: the right arm of robot `coact-one` has 7 joints, and 2 angles are given
            change `angles_deg`, or take another robot
        5 errors, 1 warning in 1 file
    "#]].assert_eq(&ran.out.replace(&file, "FILE"));
}

#[test]
fn a_preview_moves_on_from_step_to_step() {
    let far = r#"{"type": "arm", "name": "Too far", "side": "left", "pose": {"x_m": 3}, "duration_s": 2}"#;
    let file = behavior("robot-preview", &format!(r#"{REACH}, {{"type": "wait"}}, {far}"#));
    let ran = coact(&["preview", &file]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    expect![[r#"
        step      duration  quality               collisions
        /Out        2.02 s  good                  none
        /Too far    3.04 s  not reached (478.58)  none

        1 of 2 steps cannot be done
    "#]]
    .assert_eq(&ran.out);
    let only = coact(&["preview", &file, "--node", "Out", "--json"]);
    assert_eq!(only.code, 0, "{}", only.err);
    let steps = &only.json()["steps"];
    assert_eq!(steps.as_array().map(Vec::len), Some(1));
    let duration_s = steps[0]["preview"]["duration_s"].as_f64().expect("a number");
    assert!((2.0..2.1).contains(&duration_s), "{duration_s}");
    assert_eq!(coact(&["preview", &file, "--node", "Owt"]).code, 2);
    let none = behavior("robot-preview-none", r#"{"type": "wait"}"#);
    assert_eq!(coact(&["preview", &none]).out, "nothing here moves a body\n");
}

#[test]
fn joints_by_hand() {
    let ran = coact(&["move", "right_elbow_pitch=-60", "neck_yaw=20", "--duration", "1", "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.json()["steps"][0]["outcome"], "on_schedule");
    for (joint, told) in [
        ("right_elbow_pich=1", "did you mean `right_elbow_pitch`?"),
        ("neck_yaw=900", "goes from"),
        ("neck_yaw", "JOINT=POSITION"),
    ] {
        let ran = coact(&["move", joint]);
        assert_eq!(ran.code, 2, "{joint}: {}", ran.out);
        assert!(ran.err.contains(told), "{joint}: {}", ran.err);
    }
}

#[test]
fn edits_of_files() {
    let text = format!(r#"{{"version": 1, "name": "Test", "children": [{REACH}]}}"#);
    let path = file("robot-edit", &text);
    let mirrored = path.replace("behavior.json", "mirrored.json");
    let ran = coact(&["edit", &path, "mirror", "/", "--output", &mirrored]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&path).expect("it stays"), text);
    let other = std::fs::read_to_string(&mirrored).expect("it was written");
    assert!(!other.contains("left") && other.contains("wide"), "{other}");
    let copied = coact(&["edit", &path, "mirror", "Out", "--copy"]);
    assert_eq!(copied.code, 0, "{}", copied.err);
    assert_eq!(std::fs::read_to_string(&path).expect("changed in place").matches("\"arm\"").count(), 2);
    let pose = r#"{"version": 1, "name": "Test", "children": [{"type": "arm", "name": "Push", "frame": "door"}]}"#;
    let path = file("robot-edit-frame", pose);
    assert_eq!(coact(&["edit", &path, "change-frame", "Push", "world"]).code, 2, "nobody knows where the door is");
    let ran = coact(&["edit", &path, "change-frame", "Push", "world", "--frame", "door=1,0,0.5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let world = std::fs::read_to_string(&path).expect("changed");
    assert!(world.contains(r#""frame": "world""#) && world.contains(r#""z_m": 0.5"#), "{world}");
    assert_eq!(coact(&["edit", &path, "set-to-robot", "Push", "--preset", "ready"]).code, 0);
    assert_ne!(std::fs::read_to_string(&path).expect("changed"), world);
}
