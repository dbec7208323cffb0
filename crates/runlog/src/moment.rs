//! A recording at one moment, and numbers of it over time.

use std::collections::BTreeMap;

use engine::TickInput;
use model::{Edit, Library, Value};
use robot::interface::{Pressure, RobotState};

use crate::fold::Folded;
use crate::line::{Fact, InputLine, SeenLine, TraceLine};
use crate::read::{File, ReadError};
use crate::topic;

pub struct Moment {
    pub time_ns: i64,
    pub tick: u64,
    /// All that was told of the run by then.
    pub seen: SeenLine,
    pub robot: Option<RobotState>,
}

impl File {
    /// How everything was at a time of the engine.
    pub fn moment(&self, at_ns: i64) -> Result<Moment, ReadError> {
        let mut folded = Folded::default();
        let mut from_ns = self.begin().began_ns;
        if let Some((time_ns, bytes)) = self.newest(topic::KEYFRAME, at_ns)? {
            folded.take(self.parsed(&bytes)?);
            from_ns = time_ns;
        }
        let told = |topic: &str| topic == topic::SEEN;
        self.visit((from_ns, at_ns), &told, &mut |_, _, bytes| {
            folded.take(self.parsed(bytes)?);
            Ok(true)
        })?;
        let (mut time_ns, mut tick, mut robot) = (from_ns, 0, None);
        if let Some((input_ns, bytes)) = self.newest(topic::INPUT, at_ns)? {
            let line: InputLine = self.parsed(&bytes)?;
            (time_ns, tick) = (input_ns, line.tick);
            robot = self.robot_at(at_ns)?;
        }
        Ok(Moment { time_ns, tick, seen: folded.line(), robot })
    }

    /// The newest state of the robot; none: there is no robot.
    pub fn robot_at(&self, at_ns: i64) -> Result<Option<RobotState>, ReadError> {
        let Some((joints_ns, joints)) = self.newest(topic::JOINTS, at_ns)? else { return Ok(None) };
        let mut found = None;
        self.visit((joints_ns, joints_ns), &|topic| topic == topic::INPUT, &mut |_, _, bytes| {
            let line: InputLine = self.parsed(bytes)?;
            found = line.input.robot;
            Ok(found.is_none())
        })?;
        found.map(|state| self.with_joints(&state, &joints)).transpose()
    }

    /// The tree as it was then, with how many batches of edits had led to it.
    pub fn library_at(&self, at_ns: i64) -> Result<(Library, u32), ReadError> {
        let mut library = self.begin().library();
        let mut version = 0;
        if self.summary()?.edits.is_empty() {
            return Ok((library, 0));
        }
        self.visit((i64::MIN / 4, at_ns), &|topic| topic == topic::INPUT, &mut |_, _, bytes| {
            let line: InputLine = self.parsed(bytes)?;
            version += apply(&mut library, &line.input);
            Ok(true)
        })?;
        Ok((library, version))
    }

    /// What can be plotted, each with its unit.
    pub fn channels(&self) -> Result<Vec<(String, String)>, ReadError> {
        let mut names = Vec::new();
        if let Some(robot) = self.begin().robot().map_err(|what| self.content(&what))? {
            for coordinate in robot.model.coordinates() {
                for (what, unit) in [("position", "rad"), ("velocity", "rad/s"), ("effort", "N·m")] {
                    names.push((format!("joint/{}/{what}", coordinate.name), unit.to_owned()));
                }
            }
            let mut state = RobotState::standing(&[], &geometry::Pose::identity());
            // Known only while feet press on the ground: it has its name all the same.
            state.vitals.pressure = Some(Pressure { centre_m: [0.0; 2], margin_m: 0.0 });
            names.extend(body_numbers(&state).into_iter().map(|(name, unit, _)| (name, unit.to_owned())));
        }
        names.extend(self.summary()?.numbers);
        Ok(names)
    }

    /// Every value of a channel from one time to another, and its unit. None: there is no such channel.
    pub fn range(&self, channel: &str, span_ns: (i64, i64)) -> Result<Option<Numbers>, ReadError> {
        let known = self.channels()?.into_iter().find(|(name, _)| name == channel);
        let Some((_, unit)) = known else { return Ok(None) };
        let mut numbers = Numbers { unit, values: Vec::new() };
        if let Some(joint) = channel.strip_prefix("joint/") {
            self.joint_range(joint, span_ns, &mut numbers)?;
        } else if channel.starts_with("variable/") || channel.starts_with("condition/") {
            self.trace_range(channel, span_ns, &mut numbers)?;
        } else {
            self.visit(span_ns, &|topic| topic == topic::INPUT, &mut |_, time_ns, bytes| {
                let line: InputLine = self.parsed(bytes)?;
                let state = line.input.robot;
                let number = state.and_then(|state| {
                    body_numbers(&state).into_iter().find(|(name, ..)| name == channel).map(|(.., value)| value)
                });
                numbers.values.extend(number.map(|number| (time_ns, number)));
                Ok(true)
            })?;
        }
        Ok(Some(numbers))
    }

    fn joint_range(&self, joint: &str, span_ns: (i64, i64), numbers: &mut Numbers) -> Result<(), ReadError> {
        let (name, what) = joint.rsplit_once('/').unwrap_or((joint, "position"));
        let robot = self.begin().robot().map_err(|what| self.content(&what))?;
        let Some(index) = robot.and_then(|robot| robot.model.coordinate(name)) else { return Ok(()) };
        let of = match what {
            "velocity" => 1,
            "effort" => 2,
            _ => 0,
        };
        self.visit(span_ns, &|topic| topic == topic::JOINTS, &mut |_, time_ns, bytes| {
            let read = crate::foxglove::read_joint_states(bytes).ok_or_else(|| self.content("joints are damaged"))?;
            numbers.values.extend(read[of].get(index).map(|value| (time_ns, *value)));
            Ok(true)
        })
    }

    fn trace_range(&self, channel: &str, span_ns: (i64, i64), numbers: &mut Numbers) -> Result<(), ReadError> {
        self.visit(span_ns, &|topic| topic == topic::TRACE, &mut |_, time_ns, bytes| {
            let line: TraceLine = self.parsed(bytes)?;
            let value = |fact: &Fact| match fact {
                Fact::Measured { path, value, .. } => (channel == format!("condition{path}")).then_some(*value),
                Fact::Changed { name, value: Some(Value::Number(value)), .. } => {
                    (channel == format!("variable/{name}")).then_some(*value)
                }
                _ => None,
            };
            numbers.values.extend(line.did.iter().filter_map(value).map(|value| (time_ns, value)));
            Ok(true)
        })
    }
}

/// A channel over time.
pub struct Numbers {
    pub unit: String,
    /// With the engine's time.
    pub values: Vec<(i64, f64)>,
}

fn body_numbers(state: &RobotState) -> Vec<(String, &'static str, f64)> {
    let mut all = Vec::new();
    for (side, wrench) in ["left", "right"].into_iter().zip(&state.hand_wrenches) {
        for (axis, place) in [("x", 0), ("y", 1), ("z", 2)] {
            all.push((format!("hand/{side}/force_{axis}"), "N", wrench.force_n[place]));
            all.push((format!("hand/{side}/torque_{axis}"), "N·m", wrench.torque_nm[place]));
        }
    }
    for (side, foot) in ["left", "right"].into_iter().zip(&state.feet) {
        all.push((format!("foot/{side}/load"), "N", foot.load_n));
    }
    if let Some(Pressure { centre_m: [x_m, y_m], margin_m }) = state.vitals.pressure {
        for (what, number) in [("x", x_m), ("y", y_m), ("margin", margin_m)] {
            all.push((format!("pressure/{what}"), "m", number));
        }
    }
    let at = state.world_from_base.translation_m();
    for (axis, number) in [("x", at.x), ("y", at.y), ("z", at.z)] {
        all.push((format!("base/{axis}"), "m", number));
    }
    all.push(("faults".to_owned(), "", state.faults.len() as f64));
    all
}

/// The batches of an input; each applies whole or not at all, as in the engine. How many there were.
fn apply(library: &mut Library, input: &TickInput) -> u32 {
    for batch in &input.edits {
        let edits: &[Edit] = &batch.edits;
        // One that the engine refused is refused here for the same reason.
        let _ = library.apply_all(edits);
    }
    input.edits.len() as u32
}

/// Of all values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub count: usize,
    pub least: f64,
    pub greatest: f64,
    pub mean: f64,
    pub deviation: f64,
}

impl Numbers {
    pub fn statistics(&self) -> Statistics {
        let count = self.values.len();
        if count == 0 {
            return Statistics::default();
        }
        let numbers = || self.values.iter().map(|(_, value)| *value);
        let mean = numbers().sum::<f64>() / count as f64;
        let square = numbers().map(|value| (value - mean).powi(2)).sum::<f64>() / count as f64;
        let (least, greatest) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
        Statistics { count, least, greatest, mean, deviation: square.sqrt() }
    }

    /// At most so many: of more, the least and the greatest of each part, so that no peak is lost.
    pub fn thinned(&self, most: usize) -> Vec<(i64, f64)> {
        let most = most.max(2);
        if self.values.len() <= most {
            return self.values.clone();
        }
        let part = self.values.len().div_ceil(most / 2);
        let mut kept = BTreeMap::new();
        for (number, values) in self.values.chunks(part).enumerate() {
            let by = |one: &&(i64, f64), other: &&(i64, f64)| one.1.total_cmp(&other.1);
            for (time_ns, value) in values.iter().min_by(by).into_iter().chain(values.iter().max_by(by)) {
                kept.insert((number, *time_ns), *value);
            }
        }
        kept.into_iter().map(|((_, time_ns), value)| (time_ns, value)).collect()
    }
}
