//! The file of a stub: which robot it says to be, how it answers commands, and what it tells when.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{FrameAt, seconds_to_ns};
use geometry::{Pose, Vector3};
use model::file::{Disk, Files, join, nearest};
use model::{Problem, Severity};
use robot::control::Controller;
use robot::interface::{Capabilities, Capability, Fault, Mode};
use robot::{MovingKind, Robot, Side};
use scene::{Detection, Sight};
use serde::Deserialize;

/// As many moments as a file may have, those that repeat counted each time.
const MOST_MOMENTS: usize = 100_000;
const LONGEST_S: f64 = 1e6;

/// What a stub goes by, sound as far as can be known before it runs.
#[derive(Clone, Debug)]
pub struct Script {
    pub robot: Arc<Robot>,
    pub start: Vec<f64>,
    pub capabilities: Capabilities,
    pub detectors: Vec<Arc<str>>,
    pub(super) answers: Vec<Answer>,
    /// By rising time.
    pub(super) moments: Vec<(i64, Arc<Told>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    robot: String,
    #[serde(default = "home")]
    start: String,
    capabilities: Option<Vec<Capability>>,
    #[serde(default)]
    detectors: Vec<Arc<str>>,
    #[serde(default)]
    answers: Vec<Answer>,
    #[serde(default)]
    script: Vec<Moment>,
    #[serde(default, rename = "notes")]
    _notes: serde_json::Value,
}

fn home() -> String {
    "home".to_owned()
}

/// What becomes of commands of a kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub order: OrderKind,
    /// How many commands are answered so; all that come.
    pub times: Option<u64>,
    /// Until the state tells of the command.
    #[serde(default)]
    pub heard_after_s: f64,
    /// As long as the command itself says.
    pub takes_s: Option<f64>,
    #[serde(default)]
    pub ends: Ends,
    /// How the robot is when it has ended.
    #[serde(default)]
    pub then: Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderKind {
    Any,
    Joints,
    Hand,
    Footsteps,
    Fingers,
    Gripper,
    Pelvis,
    Foot,
    Wrench,
    Stiffness,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ends {
    #[default]
    Done,
    Refused(String),
    Failed(String),
    /// It runs until something else ends it.
    Never,
    /// Nobody ever hears of it.
    Lost,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moment {
    at_s: f64,
    every_s: Option<f64>,
    until_s: Option<f64>,
    state: Option<Change>,
    /// No state arrives from here on; false: it does again.
    silent: Option<bool>,
    sight: Option<WrittenSight>,
    place: Option<WrittenFrame>,
    warning: Option<String>,
    note: Option<String>,
    /// Empty: it is over.
    failure: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSight {
    camera: Arc<str>,
    #[serde(default)]
    detections: Vec<WrittenDetection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDetection {
    detector: Arc<str>,
    class: Arc<str>,
    confidence: f64,
    /// In the world.
    pose: Pose,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFrame {
    name: Arc<str>,
    pose: Pose,
}

/// What is told at one time.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub change: Change,
    pub silent: Option<bool>,
    pub sight: Option<Sight>,
    pub place: Option<FrameAt>,
    pub warning: Option<String>,
    pub note: Option<String>,
    pub failure: Option<String>,
}

/// What is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Change {
    /// Of joints that turn.
    pub positions_deg: BTreeMap<String, f64>,
    /// Of joints that slide.
    pub positions_m: BTreeMap<String, f64>,
    /// Where the root link is.
    pub base: Option<Pose>,
    /// What the world does to each hand, in its frame.
    pub hand_forces_n: BTreeMap<Side, Vector3<f64>>,
    pub feet_on_ground: BTreeMap<Side, bool>,
    pub faults: Option<Vec<Fault>>,
    pub mode: Option<Mode>,
}

impl Script {
    /// All that is wrong with the file, each with its place.
    pub fn read(file: &str) -> Result<Script, Vec<Problem>> {
        let text = Disk.read(file).map_err(|why| vec![problem(file, "", &why)])?;
        Script::from_text(&text, file)
    }

    /// `file`: what it is called, and where a robot that is no built-in one is looked for.
    pub fn from_text(text: &str, file: &str) -> Result<Script, Vec<Problem>> {
        let written: Written =
            serde_json::from_str(text).map_err(|error| vec![problem(file, "", &error.to_string())])?;
        if written.version != 1 {
            return Err(vec![problem(file, "version", &format!("{}: this program reads 1", written.version))]);
        }
        let robot = find(&written.robot, file).map_err(|why| vec![problem(file, "robot", &why)])?;
        let mut reading = Reading { file, robot: &robot, wrong: Vec::new() };
        let start = robot.configuration(&written.start).unwrap_or_else(|| {
            let known: Vec<&str> = robot.presets.keys().map(String::as_str).collect();
            let known = known.join(", ");
            reading.complain("start", &format!("`{}` is no preset of the robot; it has {known}", written.start));
            robot.model.neutral()
        });
        for (number, answer) in written.answers.iter().enumerate() {
            reading.answer(&format!("answers[{number}]"), answer);
        }
        let mut moments = Vec::new();
        for (number, moment) in written.script.into_iter().enumerate() {
            reading.moment(&format!("script[{number}]"), moment, &mut moments);
        }
        moments.sort_by_key(|(at_ns, _)| *at_ns);
        if !reading.wrong.is_empty() {
            return Err(reading.wrong);
        }
        let shaped = || Controller::new(Arc::clone(&robot), &start, &Pose::identity()).capabilities().clone();
        let capabilities = written.capabilities.map_or_else(shaped, Capabilities::new);
        Ok(Script { capabilities, detectors: written.detectors, answers: written.answers, moments, start, robot })
    }
}

fn problem(file: &str, place: &str, message: &str) -> Problem {
    let problem = Problem::in_file(Severity::Error, file, message, "docs/robots.md has every key");
    Problem { field: (!place.is_empty()).then(|| place.to_owned()), ..problem }
}

fn find(name: &str, file: &str) -> Result<Arc<Robot>, String> {
    let is_ours = Robot::names().contains(&name);
    let name = if is_ours { name.to_owned() } else { join(file, name) };
    let (robot, problems) = Robot::find(&name).map_err(|error| error.to_string())?;
    match problems.iter().find(|problem| problem.severity == robot::Severity::Error) {
        Some(problem) => Err(problem.to_string()),
        None => Ok(Arc::new(robot)),
    }
}

struct Reading<'a> {
    file: &'a str,
    robot: &'a Robot,
    wrong: Vec<Problem>,
}

impl Reading<'_> {
    fn complain(&mut self, place: &str, message: &str) {
        self.wrong.push(problem(self.file, place, message));
    }

    fn seconds(&mut self, place: &str, seconds: f64) {
        if !(0.0..=LONGEST_S).contains(&seconds) {
            self.complain(place, &format!("{seconds} s; from 0 s to {LONGEST_S} s"));
        }
    }

    fn answer(&mut self, place: &str, answer: &Answer) {
        self.seconds(&format!("{place}.heard_after_s"), answer.heard_after_s);
        if let Some(takes_s) = answer.takes_s {
            self.seconds(&format!("{place}.takes_s"), takes_s);
        }
        self.change(&format!("{place}.then"), &answer.then);
    }

    fn moment(&mut self, place: &str, moment: Moment, moments: &mut Vec<(i64, Arc<Told>)>) {
        let before = self.wrong.len();
        self.seconds(&format!("{place}.at_s"), moment.at_s);
        let change = moment.state.unwrap_or_default();
        self.change(&format!("{place}.state"), &change);
        let times = self.times(place, (moment.at_s, moment.every_s, moment.until_s));
        if moments.len() + times > MOST_MOMENTS {
            self.complain(place, &format!("more than {MOST_MOMENTS} moments; let it repeat less often"));
        }
        if self.wrong.len() > before {
            return;
        }
        let told = Arc::new(Told {
            change,
            silent: moment.silent,
            sight: moment.sight.map(sight),
            place: moment.place.map(|frame| FrameAt { name: frame.name, world_from_frame: frame.pose }),
            warning: moment.warning,
            note: moment.note,
            failure: moment.failure,
        });
        let at_ns = |time: usize| seconds_to_ns(moment.at_s + time as f64 * moment.every_s.unwrap_or(0.0));
        moments.extend((0..times).map(|time| (at_ns(time), Arc::clone(&told))));
    }

    /// How often a moment is.
    fn times(&mut self, place: &str, (at_s, every_s, until_s): (f64, Option<f64>, Option<f64>)) -> usize {
        match (every_s, until_s) {
            (None, None) => 1,
            (Some(every_s), Some(until_s)) if every_s > 0.0 && until_s >= at_s => {
                self.seconds(&format!("{place}.until_s"), until_s);
                // As many as fit; what is cut off is too many anyway.
                ((until_s - at_s) / every_s + 1.0 + 1e-9) as usize
            }
            _ => {
                let wrong = "what repeats has both `every_s`, above 0 s, and `until_s`, not before `at_s`";
                self.complain(place, wrong);
                1
            }
        }
    }

    fn change(&mut self, place: &str, change: &Change) {
        let turning = change.positions_deg.keys().map(|joint| ("positions_deg", joint, false));
        let sliding = change.positions_m.keys().map(|joint| ("positions_m", joint, true));
        for (key, joint, slides) in turning.chain(sliding) {
            let coordinates = self.robot.model.coordinates();
            let Some(found) = self.robot.model.coordinate(joint) else {
                let near = nearest(joint, coordinates.iter().map(|each| each.name.as_str()));
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let wrong = format!("robot `{}` has no joint `{joint}`{near}", self.robot.name);
                self.complain(&format!("{place}.{key}"), &wrong);
                continue;
            };
            if (coordinates[found].kind == MovingKind::Prismatic) != slides {
                let other = if slides { "positions_deg" } else { "positions_m" };
                self.complain(&format!("{place}.{key}"), &format!("`{joint}` belongs under `{other}`"));
            }
        }
    }
}

/// Its time is that of its moment.
fn sight(written: WrittenSight) -> Sight {
    let detections = written.detections.into_iter().map(|each| Detection {
        detector: each.detector,
        class: each.class,
        confidence: each.confidence,
        world_position: each.pose.translation_m().into(),
        world_from_object: Some(each.pose),
        pixels: None,
    });
    Sight { camera: written.camera, time_ns: 0, cloud: None, detections: detections.collect() }
}

impl Change {
    /// Where it puts joints, by coordinate; rad or m.
    pub fn positions(&self, robot: &Robot) -> Vec<(usize, f64)> {
        let turning = self.positions_deg.iter().map(|(joint, deg)| (joint, deg.to_radians()));
        let sliding = self.positions_m.iter().map(|(joint, m)| (joint, *m));
        turning.chain(sliding).filter_map(|(joint, at)| Some((robot.model.coordinate(joint)?, at))).collect()
    }
}
