use std::sync::Arc;

use geometry::Pose;
use robot::{BodyFrame, PartName, Robot, Side};
use testkit::Stage;

/// Runs a test on each robot.
pub fn on_every_robot(test: impl Fn(&str, &Robot)) {
    let names = Robot::names();
    assert!(names.len() > 1, "one robot proves little");
    for name in names {
        test(name, &Robot::builtin(name).expect("a robot of our own"));
    }
}

pub fn joints(robot: &Robot, part: PartName) -> Vec<&str> {
    let part = robot.part(part).expect("the part");
    part.coordinates.iter().map(|at| robot.model.coordinates()[*at].name.as_str()).collect()
}

/// The angles of a part in a preset, as settings have them.
pub fn preset_deg(robot: &Robot, preset: &str, part: PartName) -> String {
    let positions = robot.configuration(preset).expect("the preset");
    let part = robot.part(part).expect("the part");
    let angles: Vec<String> = part.coordinates.iter().map(|at| format!("{:.3}", positions[*at].to_degrees())).collect();
    format!("[{}]", angles.join(","))
}

/// Where a hand is in a preset, seen from a frame.
pub fn hand_in(robot: &Robot, preset: &str, frame: BodyFrame, side: Side) -> Pose {
    let mut poses = robot::BodyPoses::new(Arc::new(robot.clone()));
    poses.place(&robot.configuration(preset).expect("the preset"), &Pose::identity());
    poses.world_from(frame).inverse() * poses.world_from(BodyFrame::Hand(side))
}

/// A pose as settings have it.
pub fn setting(pose: &Pose) -> String {
    let (at, rpy) = (pose.translation_m(), pose.rpy());
    let [roll, pitch, yaw] = [rpy.roll_rad, rpy.pitch_rad, rpy.yaw_rad].map(f64::to_degrees);
    format!(
        r#"{{"x_m": {:.5}, "y_m": {:.5}, "z_m": {:.5}, "roll_deg": {roll:.4}, "pitch_deg": {pitch:.4}, "yaw_deg": {yaw:.4}}}"#,
        at.x, at.y, at.z
    )
}

pub fn hand(stage: &Stage, side: Side) -> Pose {
    stage.poses().world_from(BodyFrame::Hand(side))
}

#[track_caller]
pub fn assert_near(one: &Pose, other: &Pose, within_m: f64, within_deg: f64) {
    let apart = one.distance(other);
    let (apart_m, apart_deg) = (apart.position_m, apart.angle_rad.to_degrees());
    assert!(apart_m <= within_m && apart_deg <= within_deg, "{apart_m} m and {apart_deg}° apart");
}

/// Runs to the end; the last line of the trace that begins with `- name`.
pub fn end_of(stage: &mut Stage, name: &str) -> String {
    stage.run();
    let trace = stage.trace();
    let line = trace.lines().rfind(|line| line.contains(&format!(" - {name} ")));
    line.unwrap_or_else(|| panic!("`{name}` has not ended:\n{trace}")).to_owned()
}

#[track_caller]
pub fn assert_succeeds(stage: &mut Stage, name: &str) {
    let end = end_of(stage, name);
    assert!(end.contains(&format!("- {name} success")), "{end}");
}

pub fn is_at_rest(stage: &Stage) -> bool {
    stage.state().velocities.iter().all(|velocity| velocity.abs() < 1e-3)
}

#[track_caller]
pub fn assert_stays(stage: &Stage, before: &[f64], what: &str) {
    for (before, now) in before.iter().zip(&stage.state().positions) {
        assert!((before - now).abs() < 1e-3, "{what}: a joint moved by {}", now - before);
    }
}
