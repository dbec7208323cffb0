//! A robot around an engine: what the engine gave out reaches it, and what it tells comes back.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{FrameAt, TickInput, TickOutput};
use robot::interface::{Command, CommandId, Order, Queueing, RobotState};
use robot::{PartName, Robot};

use scene::Sight;

use crate::driver::{Clock, Driver, Event};

/// Slower than this a joint is at rest.
const REST_SPEED: f64 = 0.01;

/// Own commands are numbered from here: those of the engine count up from 1.
const FIRST_OWN_ID: u64 = 1 << 63;

pub(crate) struct Attached {
    pub driver: Box<dyn Driver>,
    /// When a robot whose time is given began, in the time of ticks: in a world that comes later nothing has happened
    /// yet. None: its first tick is to come.
    began_ns: Option<i64>,
    /// Not told to anybody yet.
    frames: Vec<FrameAt>,
    /// Told to stop, and since when; not told to be still yet.
    stopping: Vec<(Arc<str>, i64)>,
    own_commands: u64,
    sees: bool,
    /// Detectors that were asked for and are not there.
    missing: BTreeSet<Arc<str>>,
    /// The last state that reached the engine, as the robot told it.
    told: Option<Arc<RobotState>>,
    pub warnings: Vec<String>,
    pub notes: Vec<(i64, String)>,
}

impl Attached {
    pub fn new(driver: Box<dyn Driver>, frames: Vec<FrameAt>) -> Attached {
        Attached {
            driver,
            began_ns: None,
            frames,
            stopping: Vec::new(),
            own_commands: 0,
            sees: false,
            missing: BTreeSet::new(),
            told: None,
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Its cameras take pictures from now on; asked again, they go on.
    pub fn open_eyes(&mut self) -> Result<(), String> {
        if !std::mem::replace(&mut self.sees, true) {
            self.driver.open_eyes()?;
        }
        Ok(())
    }

    /// Tells of those that are not there, each once.
    pub fn expect_detectors<'a>(&mut self, names: impl IntoIterator<Item = &'a Arc<str>>) {
        for name in names {
            let known = self.driver.detectors();
            if known.contains(&&**name) || !self.missing.insert(Arc::clone(name)) {
                continue;
            }
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let text = format!("there is no detector `{name}`, so that it finds nothing; this robot has {known}");
            self.warnings.push(text);
        }
    }

    /// What it tells by the time of this tick.
    pub fn gather(&mut self, input: &mut TickInput) {
        for frame in std::mem::take(&mut self.frames) {
            self.place(frame, input);
        }
        let began_ns = self.began_ns(input.time_ns);
        self.driver.advance(input.time_ns - began_ns);
        for event in self.driver.take_events() {
            match event {
                Event::Warning(text) => self.warnings.push(text),
                Event::Note { time_ns, text } => self.notes.push((time_ns + began_ns, text)),
                Event::Placed(frame) => self.place(frame, input),
            }
        }
        let stopping = std::mem::take(&mut self.stopping).into_iter();
        let (still, moving) = stopping.partition(|(part, since_ns)| self.rests_since(part, *since_ns));
        self.stopping = moving;
        input.still.extend::<Vec<Arc<str>>>(Vec::into_iter(still).map(|(part, _)| part).collect());
        input.sights.extend(self.driver.take_sights().into_iter().map(|sight| seen_later(sight, began_ns)));
        let state = self.driver.state();
        if !self.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, state)) {
            self.told = Some(Arc::clone(state));
            input.robot = Some(told_later(state, began_ns));
        }
    }

    fn place(&mut self, frame: FrameAt, input: &mut TickInput) {
        self.driver.place_frame(&frame.name, &frame.world_from_frame);
        input.frames.push(frame);
    }

    /// Stops come first: a command given in the tick of a stop starts from rest.
    pub fn obey(&mut self, time_ns: i64, output: &TickOutput) {
        if output.stop {
            self.driver.stop();
        }
        for part in &output.stop_parts {
            self.stop_part(time_ns, part);
        }
        if let Some(on) = output.hold {
            self.driver.hold(on);
        }
        for frame in &output.frames {
            self.driver.place_frame(&frame.name, &frame.world_from_frame);
        }
        for settings in &output.detectors {
            self.expect_detectors(settings.models.keys());
            self.driver.configure_detectors(settings);
        }
        for command in &output.commands {
            self.give(command);
        }
    }

    fn stop_part(&mut self, time_ns: i64, part: &Arc<str>) {
        let robot = self.driver.robot();
        let coordinates = coordinates_of(robot, part);
        if !coordinates.is_empty() {
            let name = |index: &usize| robot.model.coordinates()[*index].name.as_str().into();
            let joints = coordinates.iter().map(name).collect();
            let id = CommandId(FIRST_OWN_ID + self.own_commands);
            self.own_commands += 1;
            self.give(&Command { id, queueing: Queueing::Override, order: Order::Stop { joints } });
        }
        if !self.stopping.iter().any(|(stopping, _)| stopping == part) {
            self.stopping.push((Arc::clone(part), time_ns));
        }
    }

    fn give(&mut self, command: &Command) {
        // The step that gave it learns of a refusal from the robot's state.
        let _ = self.driver.command(command);
    }

    /// Something may still free a claim although nothing runs.
    pub fn may_still_act(&self) -> bool {
        !self.stopping.is_empty()
    }

    fn began_ns(&mut self, now_ns: i64) -> i64 {
        let is_given = self.driver.clock() == Clock::Given;
        *self.began_ns.get_or_insert(if is_given { now_ns } else { 0 })
    }

    /// A state of before the stop says nothing about it.
    fn rests_since(&self, part: &str, since_ns: i64) -> bool {
        let state = self.driver.state();
        let is_slow = |index: &usize| state.velocities[*index].abs() < REST_SPEED;
        let time_ns = state.time_ns + self.began_ns.unwrap_or(0);
        time_ns > since_ns && coordinates_of(self.driver.robot(), part).iter().all(is_slow)
    }
}

fn seen_later(sight: Arc<Sight>, by_ns: i64) -> Arc<Sight> {
    if by_ns == 0 { sight } else { Arc::new(Sight { time_ns: sight.time_ns + by_ns, ..(*sight).clone() }) }
}

fn told_later(state: &Arc<RobotState>, by_ns: i64) -> Arc<RobotState> {
    if by_ns == 0 {
        return Arc::clone(state);
    }
    Arc::new(RobotState { time_ns: state.time_ns + by_ns, ..(**state).clone() })
}

/// Of a part or of a joint. A token that is neither has nothing that could move.
fn coordinates_of(robot: &Robot, name: &str) -> Vec<usize> {
    match PartName::from_word(name).and_then(|name| robot.part(name)) {
        Some(part) => part.coordinates.clone(),
        None => robot.model.coordinate(name).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stub::{Script, Stub};

    #[test]
    fn a_robot_that_comes_late_begins_then_and_has_nothing_to_make_up_for() {
        const LATE_NS: i64 = 3_600_000_000_000;
        let text = r#"{"version": 1, "robot": "coact-one", "script": [{"at_s": 0.02, "note": "rain"}]}"#;
        let stub = Stub::new(Script::from_text(text, "stub.json").expect("a script"));
        let mut robot = Attached::new(Box::new(stub), Vec::new());
        let mut told = Vec::new();
        for tick in 0..4 {
            let mut input = TickInput { time_ns: LATE_NS + tick * 10_000_000, ..TickInput::default() };
            robot.gather(&mut input);
            told.extend(input.robot.map(|state| state.time_ns - LATE_NS));
            let notes: Vec<i64> = robot.notes.iter().map(|(time_ns, _)| time_ns - LATE_NS).collect();
            assert_eq!(notes, vec![20_000_000; usize::from(tick >= 2)], "tick {tick}");
        }
        assert!(told.len() > 1 && told.iter().all(|time_ns| (0..=30_000_000).contains(time_ns)), "{told:?}");
    }

    #[test]
    fn a_part_is_still_by_a_state_of_after_its_stop_and_none_before() {
        let text = r#"{"version": 1, "robot": "coact-one",
            "script": [{"at_s": 0.02, "silent": true}, {"at_s": 0.05, "silent": false}]}"#;
        let stub = Stub::new(Script::from_text(text, "stub.json").expect("a script"));
        let mut robot = Attached::new(Box::new(stub), Vec::new());
        let mut still = Vec::new();
        for tick in 0..8 {
            let mut input = TickInput { time_ns: tick * 10_000_000, ..TickInput::default() };
            robot.gather(&mut input);
            still.extend(input.still.iter().map(|part| (tick, part.to_string())));
            let stop_parts = if tick == 3 { vec!["left_arm".into()] } else { Vec::new() };
            robot.obey(input.time_ns, &TickOutput { stop_parts, ..TickOutput::default() });
            assert_eq!(robot.may_still_act(), (3..5).contains(&tick), "{tick}");
        }
        assert_eq!(still, [(5, "left_arm".to_owned())]);
    }
}
