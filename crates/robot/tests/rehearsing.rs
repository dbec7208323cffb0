//! Walks that take longer to be gone through than a control step has.

use std::sync::Arc;

use geometry::Pose;
use robot::control::Controller;
use robot::interface::{Command, CommandId, Footstep, Order, Phase, Queueing};
use robot::{BodyFrame, BodyPoses, Robot, Side};

const STEP_NS: i64 = 2_000_000;
const LONGEST_STEPS: usize = 20_000;

struct Walker {
    controller: Controller,
    robot: Arc<Robot>,
    last: u64,
}

impl Walker {
    fn new() -> Walker {
        let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
        let positions = robot.configuration("home").expect("a preset");
        let mut poses = BodyPoses::new(robot.clone());
        poses.place(&positions, &Pose::identity());
        let world_from_base = poses.world_from(BodyFrame::Walking).inverse();
        let controller = Controller::new(robot.clone(), &positions, &world_from_base);
        Walker { controller, robot, last: 0 }
    }

    /// From a tread on: a foot on each, both on the last.
    fn stairs(&self, first: usize, count: usize, rise_m: f64, tread_m: f64) -> Vec<Footstep> {
        let walking = &self.robot.walking;
        let step = |index: usize| {
            let (side, sign) = if index.is_multiple_of(2) { (Side::Left, 0.5) } else { (Side::Right, -0.5) };
            let treads = (index + 1).min(first + count - 1) as f64;
            let aside_m = sign * walking.stance_width_m;
            let world_from_sole = Pose::from_translation(tread_m * treads, aside_m, rise_m * treads);
            let swing_height_m = walking.swing_height_m;
            Footstep { side, world_from_sole, swing_s: 0.9, transfer_s: 0.4, swing_height_m }
        };
        (first..first + count).map(step).collect()
    }

    /// From the sixth step on within what the robot says of its steps, but not of its legs.
    fn too_steep(&self) -> Vec<Footstep> {
        let mut steps = self.stairs(0, 10, 0.17, 0.28);
        steps.pop();
        let walking = &self.robot.walking;
        let more = [walking.max_forward_m - 0.28, walking.max_step_up_m - 0.17];
        for (index, step) in steps[5..].iter_mut().enumerate() {
            let [forward_m, up_m] = more.map(|more_m| more_m * (index + 1) as f64);
            step.world_from_sole = Pose::from_translation(forward_m, 0.0, up_m) * step.world_from_sole;
        }
        steps
    }

    fn walk(&mut self, steps: &[Footstep], queueing: Queueing) -> CommandId {
        self.last += 1;
        let id = CommandId(self.last);
        let command = Command { id, queueing, order: Order::Footsteps { steps: steps.to_vec() } };
        self.controller.command(&command).expect("it is taken up");
        id
    }

    fn phase(&self, id: CommandId) -> Phase {
        let status = self.controller.statuses().into_iter().find(|status| status.id == id);
        status.expect("it is told").phase
    }

    /// In how many control steps it has begun or ended.
    fn until_begun(&mut self, id: CommandId) -> usize {
        for count in 0..LONGEST_STEPS {
            match self.phase(id) {
                Phase::Queued => {}
                Phase::Running { progress } if progress == 0.0 => {}
                _ => return count,
            }
            self.controller.step(STEP_NS);
        }
        panic!("it never begins")
    }

    fn step_while(&mut self, mut goes_on: impl FnMut(&Controller) -> bool) {
        for _ in 0..LONGEST_STEPS {
            if !goes_on(&self.controller) {
                return;
            }
            self.controller.step(STEP_NS);
        }
        panic!("it never ends")
    }

    fn sole(&mut self, side: Side) -> Pose {
        let sole = self.robot.frames.soles[side.index()];
        self.controller.poses().world_from_link(sole)
    }

    /// What it goes through from here to the end.
    fn to_end(&mut self, id: CommandId) -> Vec<Vec<f64>> {
        let mut positions = Vec::new();
        while matches!(self.phase(id), Phase::Running { .. } | Phase::Queued) {
            assert!(positions.len() < LONGEST_STEPS, "it ends");
            self.controller.step(STEP_NS);
            positions.push(self.controller.desired().positions.clone());
        }
        positions
    }
}

#[test]
fn a_long_search_moves_nothing_and_then_plays_what_a_patient_robot_plays() {
    let (mut patient, mut walker) = (Walker::new(), Walker::new());
    patient.controller.be_patient();
    let stairs = walker.stairs(0, 10, 0.17, 0.28);
    let expected_id = patient.walk(&stairs, Queueing::Override);
    assert_eq!(patient.until_begun(expected_id), 1);
    let expected = patient.to_end(expected_id);
    assert_eq!(patient.phase(expected_id), Phase::Done);

    let standing = walker.controller.desired().clone();
    let id = walker.walk(&stairs, Queueing::Override);
    let mut searched = 0;
    while walker.controller.walking().steps == 0 {
        assert_eq!(walker.controller.desired(), &standing, "it stands after {searched} control steps");
        assert_eq!(walker.phase(id), Phase::Running { progress: 0.0 });
        walker.controller.step(STEP_NS);
        searched += 1;
        assert!(searched < 50, "the search goes on");
    }
    assert!(searched > 1, "the stairs are worth a search of several control steps");
    assert_eq!(walker.to_end(id), expected);
    assert_eq!(walker.phase(id), Phase::Done);
}

#[test]
fn a_walk_on_the_floor_begins_at_once() {
    let mut walker = Walker::new();
    let floor = walker.stairs(0, 20, 0.0, 0.25);
    let id = walker.walk(&floor, Queueing::Override);
    assert_eq!(walker.until_begun(id), 1);
}

#[test]
fn what_the_search_refuses_is_told_and_nothing_has_moved() {
    let mut walker = Walker::new();
    let standing = walker.controller.desired().clone();
    let steep = walker.too_steep();
    let id = walker.walk(&steep, Queueing::Override);
    assert!(walker.until_begun(id) > 1);
    let Phase::Refused { reason } = walker.phase(id) else { panic!("{:?}", walker.phase(id)) };
    assert!(reason.starts_with("footstep 7 of 9"), "{reason}");
    assert_eq!(walker.controller.desired(), &standing);
    let floor = walker.stairs(0, 4, 0.0, 0.25);
    let id = walker.walk(&floor, Queueing::Override);
    walker.to_end(id);
    assert_eq!(walker.phase(id), Phase::Done);
}

#[test]
fn a_stop_or_another_walk_ends_the_search() {
    for stops in [true, false] {
        let mut walker = Walker::new();
        let (stairs, floor) = (walker.stairs(0, 10, 0.17, 0.28), walker.stairs(0, 4, 0.0, 0.25));
        let searched = walker.walk(&stairs, Queueing::Override);
        walker.controller.step(STEP_NS);
        if stops {
            walker.controller.stop();
            let standing = walker.controller.desired().clone();
            (0..50).for_each(|_| drop(walker.controller.step(STEP_NS).clone()));
            assert_eq!(walker.controller.desired(), &standing);
        }
        let id = walker.walk(&floor, Queueing::Override);
        assert!(matches!(walker.phase(searched), Phase::Ended { .. }), "{:?}", walker.phase(searched));
        assert_eq!(walker.until_begun(id), 1);
        walker.to_end(id);
        assert_eq!(walker.phase(id), Phase::Done);
        assert!(walker.sole(Side::Left).translation_m().z.abs() < 1e-3, "on the floor");
    }
}

#[test]
fn a_foot_in_the_air_lands_into_the_walk_that_was_searched_meanwhile() {
    let mut walker = Walker::new();
    let floor = walker.stairs(0, 4, 0.0, 0.25);
    let first = walker.walk(&floor, Queueing::Override);
    walker.step_while(|controller| controller.walking().swinging != Some(Side::Left));
    // The left foot is on its way to 0.25 m: from there on upwards, the right foot first.
    let mut stairs = walker.stairs(1, 8, 0.17, 0.28);
    for step in &mut stairs {
        step.world_from_sole = Pose::from_translation(0.25 - 0.28, 0.0, -0.17) * step.world_from_sole;
    }
    let id = walker.walk(&stairs, Queueing::Override);
    assert!(matches!(walker.phase(first), Phase::Ended { .. }));
    let mut on_both = 0;
    walker.step_while(|controller| {
        on_both += usize::from(controller.walking().swinging.is_none());
        controller.walking().swinging != Some(Side::Right)
    });
    assert!(on_both < 400, "it goes on without standing: {on_both} control steps on both feet");
    walker.to_end(id);
    assert_eq!(walker.phase(id), Phase::Done);
    assert!((walker.sole(Side::Right).translation_m().z - 7.0 * 0.17).abs() < 1e-3);
}

#[test]
fn on_both_feet_it_comes_to_rest_before_it_searches() {
    let mut walker = Walker::new();
    let floor = walker.stairs(0, 4, 0.0, 0.25);
    let first = walker.walk(&floor, Queueing::Override);
    (0..60).for_each(|_| drop(walker.controller.step(STEP_NS).clone()));
    assert_eq!(walker.controller.walking().swinging, None);
    let stairs = walker.stairs(0, 10, 0.17, 0.28);
    let id = walker.walk(&stairs, Queueing::Override);
    assert!(matches!(walker.phase(first), Phase::Ended { .. }));
    walker.to_end(id);
    assert_eq!(walker.phase(id), Phase::Done);
    assert!((walker.sole(Side::Left).translation_m().z - 9.0 * 0.17).abs() < 1e-3);
}

#[test]
fn what_waits_is_searched_too_and_refused_before_its_turn() {
    let mut walker = Walker::new();
    let floor = walker.stairs(0, 4, 0.0, 0.0);
    let first = walker.walk(&floor, Queueing::Override);
    let steep = walker.too_steep();
    let id = walker.walk(&steep, Queueing::Queue);
    assert_eq!(walker.phase(id), Phase::Queued);
    walker.step_while(|controller| controller.statuses().iter().any(|status| status.phase == Phase::Queued));
    assert!(matches!(walker.phase(id), Phase::Refused { .. }), "{:?}", walker.phase(id));
    assert!(matches!(walker.phase(first), Phase::Running { .. }));
}
