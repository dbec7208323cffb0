//! The door for tests with a robot: an engine and a simulated robot, tick by tick.

use std::sync::Arc;

use engine::{Body, Engine, FrameAt, Ground, RunState, TickInput};
use geometry::{Pose, RollPitchYaw, Vector3};
use robot::interface::RobotState;
use robot::{BodyPoses, Robot, Side};
use sim::{FaultKind, FaultPlan, KinematicRobot, PlannedFault};
use site::{Around, Driver, Jobs, Site};

use crate::camera::Camera;
use crate::script::Script;
use crate::staged::Staged;
use crate::trace::{note_output, trace_at};

/// Lines of a script that are not for the engine.
const OWN_VERBS: [&str; 7] = ["frame", "see", "points", "hide", "hand_force", "stuck", "silent"];

/// 100 Hz.
pub const ROBOT_TICK_NS: i64 = 10_000_000;

/// A behavior on a simulated robot. Beside the verbs of [`Script`] a script has: `preset NAME` as a line of its own for
/// how the robot stands at first, `terrain NAME` for a file of `terrains/`, `preview` for objects with
/// nominal poses; and behind a time `frame name x y z [yaw_deg]` for where an object is from then on, `see name class x
/// y z [yaw=deg] [confidence=c]`, `points name count x y z [r g b]` and `hide name` for what the camera sees from then
/// on, `hand_force side newton [until]`, `stuck joint`, and `silent part [says_running]`.
pub struct Stage {
    pub engine: Engine,
    site: Site,
    script: Script,
    frames: Vec<(i64, FrameAt)>,
    /// What reached the engine so far, tick by tick; none: it is not kept.
    inputs: Option<Vec<TickInput>>,
    time_ns: i64,
    notes: Vec<(u64, String)>,
}

impl Stage {
    pub fn new(robot: &str, outline: &str, script: &str) -> Stage {
        Stage::with(robot, script, |options| crate::load(outline, options))
    }

    /// As [`Stage::new`], from the text of a behavior file.
    pub fn of_file(robot: &str, text: &str, script: &str) -> Stage {
        Stage::with(robot, script, |options| crate::load_text(text, options))
    }

    /// As [`Stage::new`], of files that are loaded.
    pub fn of_library(robot: &str, library: &model::Library, script: &str) -> Stage {
        Stage::with(robot, script, |options| Engine::new(library.clone(), nodes::registry(), options))
    }

    fn with(robot: &str, script: &str, load: impl Fn(&engine::Options) -> Engine) -> Stage {
        let robot = Arc::new(Robot::builtin(robot).unwrap_or_else(|| panic!("there is no robot `{robot}`")));
        let (settings, rest): (Vec<&str>, Vec<&str>) = script
            .lines()
            .map(str::trim)
            .partition(|line| line.starts_with("preset ") || line.starts_with("terrain ") || *line == "preview");
        let setting = |name: &str| settings.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let preset = setting("preset ").unwrap_or("home");
        let ground = setting("terrain ").map(ground).unwrap_or_default();
        let mut script = Script::parse(&rest.join("\n"));
        let (mut frames, mut camera, mut plan) = (Vec::new(), Camera::default(), FaultPlan::default());
        for (at_ns, words) in script.take(|verb| OWN_VERBS.contains(&verb)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["frame", name, place @ ..] => frames.push((at_ns, frame(name, place))),
                ["see" | "points" | "hide", ..] => camera.add(at_ns, &words),
                fault => plan.faults.push(planned(at_ns, fault)),
            }
        }
        let positions = robot.configuration(preset).unwrap_or_else(|| panic!("there is no preset `{preset}`"));
        let robot = KinematicRobot::new(robot, &positions, &Pose::identity(), &plan).expect("a plan for this robot");
        let site = site(Staged::new(robot, camera, frames.clone()), ground);
        let preview = settings.contains(&"preview");
        let options = engine::Options { body: site.body(), preview, ..script.options.clone() };
        Stage { engine: load(&options), site, script, frames, inputs: None, time_ns: 0, notes: Vec::new() }
    }

    /// A preview of the same tree from where this robot is now, with no input but its start.
    pub fn beside(&self) -> Stage {
        let robot = self.driver().robot().clone();
        let stands = self.poses().world_from(robot::BodyFrame::Walking);
        let plan = FaultPlan::default();
        let robot = KinematicRobot::new(robot, &self.state().positions, &stands, &plan).expect("no faults");
        let ground = self.site.body().map(|body| body.ground().clone()).unwrap_or_default();
        Stage {
            engine: self.engine.preview(),
            site: site(Staged::new(robot, Camera::default(), Vec::new()), ground),
            script: Script::parse(""),
            frames: Vec::new(),
            inputs: None,
            time_ns: 0,
            notes: Vec::new(),
        }
    }

    /// One tick; false when nothing is left to do.
    pub fn tick(&mut self) -> bool {
        let (input, wanted) = self.script.input_at(self.time_ns, &self.engine);
        let mut input = TickInput { time_ns: self.time_ns, ..input };
        self.site.tick(&mut self.engine, &mut input);
        if let Some(inputs) = &mut self.inputs {
            inputs.push(input.clone());
        }
        let output = self.engine.output().clone();
        note_output(&self.engine, &input, &output, &wanted, &mut self.notes);
        let more = self.script.has_input_after(self.time_ns);
        let ended = matches!(self.engine.run_state(), RunState::Ended(_));
        self.time_ns += ROBOT_TICK_NS;
        (more || !ended || !self.engine.running().is_empty()) && self.time_ns <= self.script.end_ns
    }

    /// Ticks until then, or until nothing is left to do.
    pub fn run_until(&mut self, time_s: f64) {
        while self.time_ns < engine::seconds_to_ns(time_s) && self.tick() {}
    }

    pub fn run(&mut self) {
        while self.tick() {}
    }

    pub fn time_s(&self) -> f64 {
        engine::ns_to_seconds(self.time_ns)
    }

    pub fn state(&self) -> &Arc<RobotState> {
        self.driver().state()
    }

    pub fn driver(&self) -> &dyn Driver {
        self.site.driver().expect("a stage has a robot")
    }

    pub fn driver_mut(&mut self) -> &mut dyn Driver {
        self.site.driver_mut().expect("a stage has a robot")
    }

    pub fn poses(&self) -> BodyPoses {
        let mut poses = BodyPoses::new(self.driver().robot().clone());
        poses.update(self.state());
        poses
    }

    /// The robot as an author sees it now, with the objects placed so far.
    pub fn body(&self) -> Body {
        let mut body = self.site.body().expect("a stage has a robot");
        self.frames.iter().filter(|(at_ns, _)| *at_ns <= self.time_ns).for_each(|(_, frame)| body.place(frame));
        body
    }

    /// From now on all that reaches the engine is kept.
    pub fn keep_inputs(&mut self) {
        self.inputs.get_or_insert_default();
    }

    /// Given to another engine, it does the same.
    pub fn inputs(&self) -> &[TickInput] {
        self.inputs.as_deref().unwrap_or_default()
    }

    pub fn trace(&self) -> String {
        trace_at(&self.engine, &self.notes, ROBOT_TICK_NS)
    }
}

/// Runs an outline under a script on a robot of our own and compares the trace.
#[track_caller]
pub fn check_on(robot: &str, outline: &str, script: &str, expected: expect_test::Expect) {
    expected.assert_eq(&run_on(robot, outline, script));
}

pub fn run_on(robot: &str, outline: &str, script: &str) -> String {
    let mut stage = Stage::new(robot, outline, script);
    stage.run();
    stage.trace()
}

fn site(staged: Staged, ground: Ground) -> Site {
    let around = Around { frames: Vec::new(), ground };
    Site::new(Some(Box::new(staged)), around, Jobs::modelled(), nodes::registry())
}

fn ground(name: &str) -> Ground {
    let path = format!("{}/../../terrains/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Ground::from_text(&text).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

fn frame(name: &str, place: &[&str]) -> FrameAt {
    let place: Vec<f64> = place.iter().map(|text| number(text)).collect();
    let yaw_rad = place.get(3).map_or(0.0, |yaw_deg| yaw_deg.to_radians());
    let at_m = Vector3::new(place[0], place[1], place[2]);
    FrameAt { name: name.into(), world_from_frame: Pose::from_rpy(at_m, RollPitchYaw::new(0.0, 0.0, yaw_rad)) }
}

fn planned(at_ns: i64, words: &[&str]) -> PlannedFault {
    let at_s = engine::ns_to_seconds(at_ns);
    let side = |word: &str| if word == "left" { Side::Left } else { Side::Right };
    let (until_s, kind) = match words {
        ["hand_force", word, newton, until @ ..] => {
            let force_n = [number(newton), 0.0, 0.0];
            let kind = FaultKind::HandForce { side: side(word), force_n, torque_nm: [0.0; 3] };
            (until.first().map(|until| number(until)), kind)
        }
        ["stuck", joint] => (None, FaultKind::JointStuck { joint: (*joint).to_owned() }),
        ["silent", part, rest @ ..] => {
            (None, FaultKind::PartSilent { part: (*part).to_owned(), says_running: !rest.is_empty() })
        }
        other => panic!("the script has no fault `{}`", other.join(" ")),
    };
    PlannedFault { at_s, until_s, kind }
}
