//! The robot of a stage: a simulated one that sees and knows what the script says.

use std::sync::Arc;

use engine::FrameAt;
use geometry::Pose;
use robot::Robot;
use robot::interface::{Capabilities, Command, Refusal, RobotState};
use scene::Sight;
use sim::KinematicRobot;
use site::{Clock, Driver, Event};

use crate::camera::Camera;

pub(crate) struct Staged {
    robot: KinematicRobot,
    camera: Camera,
    frames: Vec<(i64, FrameAt)>,
    time_ns: i64,
}

impl Staged {
    pub fn new(robot: KinematicRobot, camera: Camera, frames: Vec<(i64, FrameAt)>) -> Staged {
        Staged { robot, camera, frames, time_ns: 0 }
    }
}

impl Driver for Staged {
    fn robot(&self) -> &Arc<Robot> {
        self.robot.robot()
    }

    fn capabilities(&self) -> &Capabilities {
        self.robot.capabilities()
    }

    fn clock(&self) -> Clock {
        self.robot.clock()
    }

    fn advance(&mut self, time_ns: i64) {
        self.time_ns = time_ns;
        self.robot.advance(time_ns);
    }

    fn state(&self) -> &Arc<RobotState> {
        self.robot.state()
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        self.robot.command(command)
    }

    fn stop(&mut self) {
        self.robot.stop();
    }

    fn hold(&mut self, on: bool) {
        self.robot.hold(on);
    }

    fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
        self.robot.place_frame(name, world_from_frame);
    }

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        self.camera.sight(self.time_ns).into_iter().collect()
    }

    fn take_events(&mut self) -> Vec<Event> {
        let now = self.frames.iter().filter(|(at_ns, _)| *at_ns == self.time_ns);
        now.map(|(_, frame)| Event::Placed(frame.clone())).collect()
    }
}
