//! Walks on ground that is not a level, empty floor.

use robot::BodyFrame;
use testkit::Stage;

use super::kit::*;

fn stage(robot: &str, terrain: &str, settings: &str) -> Stage {
    Stage::new(robot, &format!("walk Go frame=world {settings}"), &format!("terrain {terrain}\nend 200"))
}

fn hips_m(stage: &Stage) -> [f64; 3] {
    let at = stage.poses().world_from(BodyFrame::Walking).translation_m();
    [at.x, at.y, at.z]
}

#[track_caller]
fn assert_stands(stage: &Stage, wanted_m: [f64; 3]) {
    let is_m = hips_m(stage);
    let near = is_m.iter().zip(wanted_m).all(|(is, wanted)| (is - wanted).abs() < 0.01);
    assert!(near, "stands at {is_m:?}, not at {wanted_m:?}");
}

/// Fails for this reason, before anything moved.
#[track_caller]
fn assert_refuses(mut stage: Stage, why: &str) {
    let before = stage.state().positions.clone();
    stage.run();
    let end = end_of(&stage, "Go");
    assert!(end.contains("failure") && end.contains(why), "{end}");
    assert_eq!(stage.state().positions, before);
}

#[test]
fn to_a_pull_door_with_one_foot_back() {
    on_every_robot(|name, robot| {
        let half_m = robot.walking.stance_width_m / 2.0;
        let (ahead_m, back_m) = (0.25 * robot.walking.max_forward_m, 0.25 * robot.walking.max_backward_m);
        let step_m = 0.6 * robot.walking.max_forward_m;
        let settings = format!(
            r#"step_length_m={step_m} frame=door stance={{"x_m":-0.7,"y_m":0.3}} focal={{"y_m":0.3}} first=auto
               left_foot={{"x_m":{ahead_m},"y_m":{half_m}}} right_foot={{"x_m":{},"y_m":{},"yaw_deg":-10}}"#,
            -back_m, -half_m
        );
        let outline = format!("walk Go {}", settings.replace('\n', " "));
        let mut stage = Stage::new(name, &outline, "terrain door-frame\nend 60\n0 frame door 1.44 0 0");
        assert_succeeds(&mut stage, "Go");
        let [left, right] = soles(&stage).map(|sole| sole.translation_m());
        assert!((left.x - 0.74 - ahead_m).abs() < 5e-3 && (right.x - 0.74 + back_m).abs() < 5e-3, "{left} {right}");
    });
}

#[test]
fn through_a_door_frame() {
    on_every_robot(|name, _| {
        let mut stage = stage(name, "door-frame", r#"stance={"x_m":2.6,"y_m":0.6} focal={"x_m":4,"y_m":0.6}"#);
        let mut passed = 0;
        while stage.tick() {
            let [x_m, y_m, _] = hips_m(&stage);
            if (1.44..1.56).contains(&x_m) {
                assert!(y_m.abs() < 0.425 - 0.3, "{name}: {y_m} m beside the middle of the frame");
                passed += 1;
            }
        }
        assert!(end_of(&stage, "Go").contains("success"), "{name}: {}", end_of(&stage, "Go"));
        assert!(passed > 0, "{name}");
        assert_stands(&stage, [2.6, 0.6, 0.0]);
    });
}

#[test]
fn around_a_table() {
    on_every_robot(|name, _| {
        let mut stage = stage(name, "table", r#"stance={"x_m":3.2} focal={"x_m":5}"#);
        let mut widest_m = 0.0_f64;
        while stage.tick() {
            widest_m = widest_m.max(hips_m(&stage)[1].abs());
        }
        assert!(end_of(&stage, "Go").contains("success"), "{name}: {}", end_of(&stage, "Go"));
        assert!(widest_m > 0.8, "{name}: at most {widest_m} m beside the table's middle");
        assert_stands(&stage, [3.2, 0.0, 0.0]);
    });
}

const STAIRS: &str = "planner=a_star parameters=stairs";

#[test]
fn low_stairs_up_and_down() {
    let outline = format!(
        r#"
        sequence S
          walk Up frame=world stance={{"x_m":2.2}} focal={{"x_m":9}} {STAIRS} step_length_m=0.2
          walk Down frame=world stance={{"x_m":3.8}} focal={{"x_m":9}} {STAIRS} step_length_m=0.2"#
    );
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, &outline, "terrain low-stairs\nend 200");
        while stage.tick() && !stage.trace().contains("- Up") {}
        assert!(end_of(&stage, "Up").contains("success"), "{name}: {}", end_of(&stage, "Up"));
        assert_stands(&stage, [2.2, 0.0, 0.15]);
        assert_succeeds(&mut stage, "Down");
        assert_stands(&stage, [3.8, 0.0, 0.0]);
    });
}

#[test]
fn stairs_up_and_down() {
    let outline = format!(
        r#"
        sequence S
          walk Up frame=world stance={{"x_m":2.7}} focal={{"x_m":9}} {STAIRS}
          walk Down frame=world stance={{"x_m":5.2}} focal={{"x_m":9}} {STAIRS}"#
    );
    let mut stage = Stage::new("coact-one", &outline, "terrain stairs\nend 200");
    while stage.tick() && !stage.trace().contains("- Up") {}
    assert!(end_of(&stage, "Up").contains("success"), "{}", end_of(&stage, "Up"));
    assert_stands(&stage, [2.7, 0.0, 0.85]);
    assert_succeeds(&mut stage, "Down");
    assert_stands(&stage, [5.2, 0.0, 0.0]);
}

#[test]
fn stairs_too_high_for_a_robot() {
    let stage = stage("coact-mini", "stairs", &format!(r#"stance={{"x_m":2.7}} focal={{"x_m":9}} {STAIRS}"#));
    assert_refuses(stage, "no steps lead there");
}

const BLOCKS: &str = r#"stance={"x_m":3.4} focal={"x_m":9} planner=a_star parameters=rough"#;

/// How high and how far aside it comes on its way.
#[track_caller]
fn walked_m(stage: &mut Stage) -> [f64; 2] {
    let [mut highest_m, mut widest_m] = [0.0_f64; 2];
    while stage.tick() {
        let [_, y_m, z_m] = hips_m(stage);
        (highest_m, widest_m) = (highest_m.max(z_m), widest_m.max(y_m.abs()));
    }
    assert!(end_of(stage, "Go").contains("success"), "{}", end_of(stage, "Go"));
    assert_stands(stage, [3.4, 0.0, 0.0]);
    [highest_m, widest_m]
}

#[test]
fn over_low_blocks() {
    let [highest_m, widest_m] = walked_m(&mut stage("coact-one", "low-blocks", &format!("{BLOCKS} step_length_m=0.2")));
    assert!(highest_m > 0.02 && widest_m < 0.8, "up to {highest_m} m high, {widest_m} m aside");
}

#[test]
fn over_cinder_blocks() {
    let [highest_m, widest_m] = walked_m(&mut stage("coact-one", "cinder-blocks", BLOCKS));
    assert!(highest_m > 0.1 && widest_m < 0.8, "up to {highest_m} m high, {widest_m} m aside");
}

#[test]
fn with_short_steps_around_cinder_blocks() {
    let mut stage = stage("coact-one", "cinder-blocks", &format!("{BLOCKS} step_length_m=0.05 planning_s=20"));
    let [highest_m, widest_m] = walked_m(&mut stage);
    assert!(highest_m < 0.01 && widest_m > 0.8, "up to {highest_m} m high, {widest_m} m aside");
}

#[test]
fn a_goal_that_cannot_be_reached() {
    on_every_robot(|name, _| {
        let settings = r#"stance={"x_m":2.9} focal={"x_m":9} planner=a_star parameters=rough"#;
        assert_refuses(stage(name, "ditch", settings), "no steps lead there");
    });
}

#[test]
fn given_steps_are_laid_onto_the_ground() {
    let step = |x_m: f64, z_m: f64| format!(r#"{{"side":"left","pose":{{"x_m":{x_m},"y_m":0.1,"z_m":{z_m}}}}}"#);
    let walk = |steps: &[String]| stage("coact-one", "stairs", &format!("by=steps steps=[{}]", steps.join(",")));
    // However high they were written: the floor, then, from beside them, the first of the stairs.
    let mut on_floor = walk(&[step(0.2, 0.1)]);
    assert_succeeds(&mut on_floor, "Go");
    assert!(soles(&on_floor)[0].translation_m().z.abs() < 1e-3);
    let right = |x_m: f64| step(x_m, 0.0).replace("left", "right").replace(r#""y_m":0.1"#, r#""y_m":-0.1"#);
    let mut up = walk(&[step(0.3, 0.0), right(0.5), step(0.84, 0.0)]);
    assert_succeeds(&mut up, "Go");
    let [left, right_sole] = soles(&up).map(|sole| sole.translation_m().z);
    assert!((left - 0.17).abs() < 1e-3 && right_sole.abs() < 1e-3, "{left} {right_sole}");
    // On an edge there is no place for a foot.
    let on_edge = walk(&[step(0.3, 0.0), right(0.5), step(0.7, 0.0)]);
    assert_refuses(on_edge, "step 3 (left foot, x 0.70 m, y 0.10 m): it cannot stand there");
}

#[test]
fn a_step_onto_the_other_foot_is_refused() {
    on_every_robot(|name, _| {
        let settings = r#"by=steps steps=[{"side":"left","pose":{"y_m":-0.05}}]"#;
        assert_refuses(Stage::new(name, &format!("walk Go {settings}"), ""), "step 1 (left foot");
    });
}
