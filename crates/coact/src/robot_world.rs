//! A robot around an engine: what the engine gave out reaches it, and its state comes back.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{FrameAt, TickInput, TickOutput};
use onboard::Surroundings;
use protocol::talk::SceneAt;
use recording::Report;
use robot::interface::{Command, CommandId, Order, Queueing};
use robot::{PartName, Robot, RobotInterface};

use crate::simulated::Simulated;

/// Slower than this a joint is at rest.
const REST_SPEED: f64 = 0.01;

/// Own commands are numbered from here: those of the engine count up from 1.
const FIRST_OWN_ID: u64 = 1 << 63;

pub struct RobotWorld {
    robot: Box<dyn Simulated>,
    /// Not told to anybody yet.
    frames: Vec<FrameAt>,
    /// Told to stop; not told to be still yet.
    stopping: Vec<Arc<str>>,
    own_commands: u64,
    sees: bool,
    /// Detectors that were asked for and are not there.
    missing: BTreeSet<Arc<str>>,
    warnings: Vec<String>,
}

impl RobotWorld {
    pub fn new(robot: Box<dyn Simulated>, frames: Vec<FrameAt>) -> RobotWorld {
        RobotWorld {
            robot,
            frames,
            stopping: Vec::new(),
            own_commands: 0,
            sees: false,
            missing: BTreeSet::new(),
            warnings: Vec::new(),
        }
    }

    pub fn interface(&self) -> &dyn RobotInterface {
        &*self.robot
    }

    /// Its cameras take pictures from now on; asked again, they go on.
    pub fn open_eyes(&mut self) -> anyhow::Result<()> {
        if !std::mem::replace(&mut self.sees, true) {
            self.robot.open_eyes()?;
        }
        Ok(())
    }

    /// Tells of those that are not there, each once.
    pub fn expect_detectors<'a>(&mut self, names: impl IntoIterator<Item = &'a Arc<str>>) {
        for name in names {
            let known = self.robot.detectors();
            if known.contains(&&**name) || !self.missing.insert(Arc::clone(name)) {
                continue;
            }
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let text = format!("there is no detector `{name}`, so that it finds nothing; this robot has {known}");
            self.warnings.push(text);
        }
    }

    /// As they truly are, for people to look at.
    pub fn solids(&self) -> Vec<SceneAt> {
        self.robot.solids().into_iter().map(SceneAt::Solid).collect()
    }

    /// Stops come first: a command given in the tick of a stop starts from rest.
    fn obey(&mut self, output: &TickOutput) {
        if output.stop {
            self.robot.stop();
        }
        for part in &output.stop_parts {
            let coordinates = coordinates_of(self.robot.robot(), part);
            if !coordinates.is_empty() {
                let model = &self.robot.robot().model;
                let joints = coordinates.iter().map(|index| model.coordinates()[*index].name.as_str().into()).collect();
                let id = CommandId(FIRST_OWN_ID + self.own_commands);
                self.own_commands += 1;
                self.give(&Command { id, queueing: Queueing::Override, order: Order::Stop { joints } });
            }
            if !self.stopping.contains(part) {
                self.stopping.push(Arc::clone(part));
            }
        }
        if let Some(on) = output.hold {
            self.robot.hold(on);
        }
        for frame in &output.frames {
            self.robot.place_frame(&frame.name, &frame.world_from_frame);
        }
        for settings in &output.detectors {
            self.expect_detectors(settings.models.keys());
            self.robot.configure_detectors(settings);
        }
        for command in &output.commands {
            self.give(command);
        }
    }

    fn give(&mut self, command: &Command) {
        // The step that gave it learns of a refusal from the robot's state.
        let _ = self.robot.command(command);
    }

    fn at_rest(&self, part: &str) -> bool {
        let velocities = &self.robot.state().velocities;
        coordinates_of(self.robot.robot(), part).iter().all(|index| velocities[*index].abs() < REST_SPEED)
    }
}

/// Of a part or of a joint. A token that is neither has nothing that could move.
fn coordinates_of(robot: &Robot, name: &str) -> Vec<usize> {
    match PartName::from_word(name).and_then(|name| robot.part(name)) {
        Some(part) => part.coordinates.clone(),
        None => robot.model.coordinate(name).into_iter().collect(),
    }
}

impl Surroundings for RobotWorld {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        for frame in &self.frames {
            self.robot.place_frame(&frame.name, &frame.world_from_frame);
        }
        input.frames.append(&mut self.frames);
        self.obey(last_output);
        self.robot.advance(time_ns);
        let (still, moving) = std::mem::take(&mut self.stopping).into_iter().partition(|part| self.at_rest(part));
        self.stopping = moving;
        input.still.extend::<Vec<Arc<str>>>(still);
        input.sights.extend(self.robot.take_sights());
        input.robot = Some(Arc::clone(self.robot.state()));
    }

    fn may_still_act(&self) -> bool {
        !self.stopping.is_empty()
    }

    fn failure(&self) -> Option<String> {
        self.robot.failure()
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.extend(self.robot.take_detector_problems());
        warnings
    }

    fn sum_up(&mut self, report: &mut Report) {
        self.robot.sum_up(report);
    }
}

#[cfg(test)]
mod tests {
    use geometry::Pose;
    use robot::RobotInterface;
    use robot::interface::{Capabilities, Refusal, RobotState};
    use sim::{FaultPlan, KinematicRobot};

    use super::*;

    /// A robot whose detector cannot look.
    struct Unseeing(KinematicRobot);

    impl Simulated for Unseeing {
        fn take_detector_problems(&mut self) -> Vec<String> {
            vec!["the detector `cups` could not look: its input is [1, 1, 8, 8]".to_owned()]
        }
    }

    impl RobotInterface for Unseeing {
        fn robot(&self) -> &Arc<Robot> {
            self.0.robot()
        }

        fn capabilities(&self) -> &Capabilities {
            self.0.capabilities()
        }

        fn state(&self) -> &Arc<RobotState> {
            self.0.state()
        }

        fn command(&mut self, command: &Command) -> Result<(), Refusal> {
            self.0.command(command)
        }

        fn stop(&mut self) {
            self.0.stop();
        }

        fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
            self.0.place_frame(name, world_from_frame);
        }

        fn hold(&mut self, on: bool) {
            self.0.hold(on);
        }

        fn advance(&mut self, time_ns: i64) {
            self.0.advance(time_ns);
        }
    }

    #[test]
    fn what_keeps_a_detector_from_looking_is_a_warning_of_the_run() {
        let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
        let home = robot.configuration("home").expect("a preset");
        let robot = KinematicRobot::new(robot, &home, &Pose::identity(), &FaultPlan::default()).expect("no faults");
        let mut world: Vec<Box<dyn Surroundings>> = vec![Box::new(RobotWorld::new(Box::new(Unseeing(robot)), vec![]))];
        world.before_tick(0, &TickOutput::default(), &mut TickInput::default());
        assert_eq!(world.take_warnings(), ["the detector `cups` could not look: its input is [1, 1, 8, 8]"]);
    }
}
