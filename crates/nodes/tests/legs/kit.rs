use geometry::Pose;
use robot::{BodyFrame, BodyPoses, Robot, Side};
use testkit::Stage;

/// Runs a test on each robot.
pub fn on_every_robot(test: impl Fn(&str, &Robot)) {
    let names = Robot::names();
    assert!(names.len() > 1, "one robot proves little");
    for name in names {
        test(name, &Robot::builtin(name).expect("a robot of our own"));
    }
}

/// The last line of the trace that tells of its end.
pub fn end_of(stage: &Stage, name: &str) -> String {
    let trace = stage.trace();
    let line = trace.lines().rfind(|line| line.contains(&format!(" - {name} ")));
    line.unwrap_or_else(|| panic!("`{name}` has not ended:\n{trace}")).to_owned()
}

#[track_caller]
pub fn assert_succeeds(stage: &mut Stage, name: &str) {
    stage.run();
    let end = end_of(stage, name);
    assert!(end.contains(&format!("- {name} success")), "{end}");
}

#[track_caller]
pub fn assert_near(one: &Pose, other: &Pose, within_m: f64, within_deg: f64) {
    let apart = one.distance(other);
    let (apart_m, apart_deg) = (apart.position_m, apart.angle_rad.to_degrees());
    assert!(apart_m <= within_m && apart_deg <= within_deg, "{apart_m} m and {apart_deg}° apart");
}

pub fn soles(stage: &Stage) -> [Pose; 2] {
    Side::BOTH.map(|side| stage.poses().world_from(BodyFrame::Sole(side)))
}

/// How a frame is turned in another one, against how it is with all joints at zero; yaw, pitch, roll.
pub fn turned_deg(poses: &BodyPoses, base: BodyFrame, tip: BodyFrame) -> [f64; 3] {
    let seen = |poses: &BodyPoses| poses.world_from(base).inverse() * poses.world_from(tip);
    let neutral = BodyPoses::new(poses.robot().clone());
    let rpy = (Pose::new(Default::default(), seen(poses).rotation() * seen(&neutral).rotation().inverse())).rpy();
    [rpy.yaw_rad, rpy.pitch_rad, rpy.roll_rad].map(f64::to_degrees)
}

#[track_caller]
pub fn assert_turned(is_deg: [f64; 3], wanted_deg: [f64; 3], within_deg: f64) {
    let apart = is_deg.iter().zip(wanted_deg).all(|(is, wanted)| (is - wanted).abs() <= within_deg);
    assert!(apart, "{is_deg:?} is not {wanted_deg:?}");
}

pub fn is_at_rest(stage: &Stage) -> bool {
    stage.state().velocities.iter().all(|velocity| velocity.abs() < 1e-3)
}
