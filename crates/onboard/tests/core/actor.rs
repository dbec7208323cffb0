//! A robot that does what it is told as a file says, sees what a test says, and stands among things.

use std::sync::Arc;

use engine::Ground;
use geometry::Pose;
use robot::Robot;
use robot::interface::{Capabilities, Command, Refusal, RobotState};
use scene::Sight;
use site::stub::{Script, Stub};
use site::{Around, Clock, Driver, Jobs, Site, Solid};

const OBLIGING: &str = r#"{"version": 1, "robot": "coact-mini", "detectors": ["yolo"], "answers": [{"order": "any"}]}"#;

pub struct Actor {
    pub stub: Stub,
    pub is_open: bool,
    /// What its camera sees at a time.
    pub sees: fn(i64) -> Option<Sight>,
    /// The solids around it after so many ticks.
    pub solids: fn(u32) -> Vec<Solid>,
    pub time_ns: i64,
    pub ticks: u32,
}

impl Actor {
    pub fn new(sees: fn(i64) -> Option<Sight>) -> Actor {
        let script = Script::from_text(OBLIGING, "obliging.json").expect("a script");
        let solids = |_| Vec::new();
        Actor { stub: Stub::new(script), is_open: true, sees, solids, time_ns: 0, ticks: 0 }
    }

    pub fn site(self, ground: Ground) -> Site {
        let around = Around { frames: Vec::new(), ground };
        Site::new(Some(Box::new(self)), around, Jobs::modelled(), nodes::registry())
    }
}

impl Driver for Actor {
    fn robot(&self) -> &Arc<Robot> {
        self.stub.robot()
    }

    fn capabilities(&self) -> &Capabilities {
        self.stub.capabilities()
    }

    fn clock(&self) -> Clock {
        self.stub.clock()
    }

    fn advance(&mut self, time_ns: i64) {
        (self.time_ns, self.ticks) = (time_ns, self.ticks + 1);
        self.stub.advance(time_ns);
    }

    fn state(&self) -> &Arc<RobotState> {
        self.stub.state()
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        self.stub.command(command)
    }

    fn stop(&mut self) {
        self.stub.stop();
    }

    fn hold(&mut self, on: bool) {
        self.stub.hold(on);
    }

    fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
        self.stub.place_frame(name, world_from_frame);
    }

    fn open_eyes(&mut self) -> Result<(), String> {
        self.is_open = true;
        Ok(())
    }

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        let sight = self.is_open.then(|| (self.sees)(self.time_ns)).flatten();
        sight.map(Arc::new).into_iter().collect()
    }

    fn detectors(&self) -> Vec<&str> {
        self.stub.detectors()
    }

    fn solids(&self) -> Vec<Solid> {
        (self.solids)(self.ticks)
    }
}
