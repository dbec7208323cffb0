//! The first example of the thesis: the right arm, the left arm, a walk of 1.3 m; then all at once.

use expect_test::expect;
use robot::BodyFrame;
use serde_json::Value as Json;
use testkit::Stage;

const DEMO: &str = include_str!("../../../model/tests/fixtures/thesis_demo.json");

/// As the thesis makes it concurrent: what follows the first executes after the beginning.
fn concurrent() -> String {
    let mut file: Json = serde_json::from_str(DEMO).expect("JSON");
    for child in file["children"].as_array_mut().expect("children").iter_mut().skip(1) {
        child["executeAfterAction"] = "Beginning".into();
    }
    file.to_string()
}

fn run(text: &str) -> Stage {
    let mut stage = Stage::of_file("coact-one", text, "");
    let before = stage.poses().world_from(BodyFrame::Walking);
    stage.run();
    let poses = stage.poses();
    let walked_m = (before.inverse() * poses.world_from(BodyFrame::Walking)).translation_m();
    assert!((walked_m.x - 1.292).abs() < 0.01 && (walked_m.y + 0.013).abs() < 0.01, "{walked_m:?}");
    let model = &stage.driver().robot().model;
    let at_deg = |joint: &str| stage.state().positions[model.coordinate(joint).expect("a joint")].to_degrees();
    assert!((at_deg("right_shoulder_roll") + 22.92).abs() < 0.1 && (at_deg("left_shoulder_roll") - 22.92).abs() < 0.1);
    assert!((at_deg("right_elbow_pitch") + 108.86).abs() < 0.1 && (at_deg("left_elbow_pitch") + 108.86).abs() < 0.1);
    stage
}

#[test]
fn one_after_the_other() {
    expect![[r#"
        0.00 + Move Right Arm
        1.01 - Move Right Arm success
        1.01 + Move Left Arm
        2.02 - Move Left Arm success
        2.02 + Walk action
        9.34 - Walk action success
        9.34 # the behavior succeeded
    "#]]
    .assert_eq(&run(DEMO).trace());
}

#[test]
fn all_at_once() {
    expect![[r#"
        0.00 + Move Right Arm
        0.00 + Move Left Arm
        0.00 + Walk action
        1.01 - Move Right Arm success
        1.01 - Move Left Arm success
        7.32 - Walk action success
        7.32 # the behavior succeeded
    "#]]
    .assert_eq(&run(&concurrent()).trace());
}

#[test]
fn at_once_is_faster_by_the_time_of_both_arms() {
    let [one_by_one_s, at_once_s] = [run(DEMO).time_s(), run(&concurrent()).time_s()];
    assert!((one_by_one_s - at_once_s - 2.0).abs() < 0.2, "{one_by_one_s} s and {at_once_s} s");
}
