//! A recording in place of a robot: what its cameras and joints told is told again, in a loop, so that steps that look are
//! written and tried without a robot. It moves as it did then, whatever it is told.

mod cdr;
mod ours;
mod ros;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use engine::FrameAt;
use geometry::{Pose, Vector3};
use robot::interface::{
    Capabilities, Command, CommandStatus, FootState, Mode, Phase, Refusal, RobotState, Vitals, WalkingState, Wrench,
};
use robot::{BodyPoses, Robot};
use scene::{Cloud, Sight};
use site::{Clock, Driver, Event};

use crate::read::{File, ReadError};

/// The reader is ahead by so many: a tick waits only for a disk that is slower than the recording.
const AHEAD: usize = 64;
/// Refusals that are told; older ones everybody knows.
const MOST_REFUSALS: usize = 20;
const REFUSAL: &str = "this robot is a recording that is played back: it goes where it went then";

/// Told at a time since the beginning.
struct Item {
    at_ns: i64,
    what: What,
}

enum What {
    State(Box<RobotState>),
    Sight(Sight),
    Frame(FrameAt),
    /// It cannot be read any further.
    Broken(String),
}

/// Says whether anybody still listens.
type Give<'a> = dyn FnMut(Item) -> bool + 'a;

/// One time through; gives how long it is.
type Pass = Box<dyn Fn(&mut Give<'_>) -> Result<i64, ReadError> + Send>;

pub struct Playback {
    robot: Arc<Robot>,
    capabilities: Capabilities,
    from: Receiver<Item>,
    next: Option<Item>,
    told: RobotState,
    state: Arc<RobotState>,
    sights: Vec<Arc<Sight>>,
    events: Vec<Event>,
    refusals: VecDeque<CommandStatus>,
    broken: Option<String>,
}

impl Playback {
    /// Of one of our recordings, with the robot in it; of any other MCAP file, or the folder of a rosbag2 that holds one,
    /// with the robot that is given.
    pub fn open(path: &Path, robot: impl FnOnce() -> Arc<Robot>) -> Result<Playback, ReadError> {
        let path = file_of(path)?;
        let (robot, pass) = match File::open(&path) {
            Ok(file) => ours::pass(file)?,
            Err(ReadError::NotOurs(_)) => {
                let robot = robot();
                (Arc::clone(&robot), ros::pass(&path, robot)?)
            }
            Err(error) => return Err(error),
        };
        let (to, from) = sync_channel(AHEAD);
        let name = path.display().to_string();
        let io = |error| ReadError::Io { file: name.clone(), error };
        std::thread::Builder::new().name("playback".to_owned()).spawn(move || repeat(&pass, &to)).map_err(io)?;
        let positions = robot.configuration("home").unwrap_or_else(|| robot.model.neutral());
        let told = standing(&robot, positions, 0);
        Ok(Playback {
            robot,
            capabilities: Capabilities::new(Vec::new()),
            from,
            next: None,
            state: Arc::new(told.clone()),
            told,
            sights: Vec::new(),
            events: Vec::new(),
            refusals: VecDeque::new(),
            broken: None,
        })
    }

    /// That of a recording of ours. None: whoever plays it back says which it is.
    pub fn robot_of(path: &Path) -> Result<Option<Arc<Robot>>, ReadError> {
        match File::open(&file_of(path)?) {
            Ok(file) => file.begin().robot().map_err(|what| file.content(&what)),
            Err(ReadError::NotOurs(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn take(&mut self, item: Item) {
        match item.what {
            What::State(state) => self.told = *state,
            What::Sight(sight) => self.sights.push(Arc::new(sight)),
            What::Frame(frame) => self.events.push(Event::Placed(frame)),
            What::Broken(why) => self.broken = Some(why),
        }
    }

    fn tell(&mut self) {
        let commands = self.refusals.iter().cloned().collect();
        let told = RobotState { commands, ..self.told.clone() };
        if *self.state != told {
            self.state = Arc::new(told);
        }
    }
}

/// Again and again, until nobody listens.
fn repeat(pass: &Pass, to: &SyncSender<Item>) {
    let mut began_ns = 0;
    loop {
        let mut count = 0_u64;
        let mut give = |item: Item| {
            count += 1;
            to.send(Item { at_ns: began_ns + item.at_ns, what: later(item.what, began_ns) }).is_ok()
        };
        let why = match pass(&mut give) {
            Ok(_) if count == 0 => "it has neither joint states nor pictures that are understood".to_owned(),
            Ok(duration_ns) => {
                began_ns += duration_ns.max(1);
                if to.send(Item { at_ns: began_ns, what: What::Sight(nothing(began_ns)) }).is_err() {
                    return;
                }
                continue;
            }
            Err(error) => error.to_string(),
        };
        // Nobody may listen any more.
        let _ = to.send(Item { at_ns: began_ns, what: What::Broken(why) });
        return;
    }
}

/// A mark between two passes: it tells nothing.
fn nothing(time_ns: i64) -> Sight {
    Sight { camera: "".into(), time_ns, cloud: None, detections: Vec::new() }
}

/// With the times of a pass that begins then.
fn later(what: What, by_ns: i64) -> What {
    match what {
        What::State(state) => What::State(Box::new(RobotState { time_ns: state.time_ns + by_ns, ..*state })),
        What::Sight(sight) => What::Sight(seen_later(sight, by_ns)),
        other => other,
    }
}

fn seen_later(sight: Sight, by_ns: i64) -> Sight {
    let moved = |cloud: Arc<Cloud>| {
        let mut cloud = Arc::unwrap_or_clone(cloud);
        cloud.time_ns += by_ns;
        Arc::new(cloud)
    };
    Sight { time_ns: sight.time_ns + by_ns, cloud: sight.cloud.map(moved), ..sight }
}

/// A rosbag2 is a folder.
fn file_of(path: &Path) -> Result<PathBuf, ReadError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let name = path.display().to_string();
    let io = |error| ReadError::Io { file: name.clone(), error };
    let entries = std::fs::read_dir(path).map_err(io)?.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "mcap")).collect();
    files.sort();
    let what =
        "no MCAP file is in this folder: one of SQLite is made one with `ros2 bag convert` or PyPI's `rosbags-convert`";
    files.into_iter().next().ok_or_else(|| ReadError::Content { file: name.clone(), what: what.to_owned() })
}

/// Where it is told nothing but its joints, it stands in the origin.
fn standing(robot: &Arc<Robot>, positions: Vec<f64>, time_ns: i64) -> RobotState {
    let world_from_base = BodyPoses::new(Arc::clone(robot)).stand(&positions);
    let count = positions.len();
    let none = Wrench { force_n: Vector3::zeros(), torque_nm: Vector3::zeros() };
    RobotState {
        time_ns,
        positions,
        velocities: vec![0.0; count],
        efforts: vec![0.0; count],
        world_from_base,
        hand_wrenches: [none; 2],
        feet: [FootState { contact: true, ..FootState::default() }; 2],
        walking: WalkingState::default(),
        commands: Vec::new(),
        faults: Vec::new(),
        mode: Mode::default(),
        vitals: Vitals::default(),
    }
}

impl Driver for Playback {
    fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn clock(&self) -> Clock {
        Clock::Given
    }

    fn advance(&mut self, time_ns: i64) {
        while self.broken.is_none() {
            let Some(item) = self.next.take().or_else(|| self.from.recv().ok()) else { break };
            if item.at_ns > time_ns {
                self.next = Some(item);
                break;
            }
            self.take(item);
        }
        self.sights.retain(|sight| !sight.camera.is_empty());
        self.tell();
    }

    fn state(&self) -> &Arc<RobotState> {
        &self.state
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        if self.refusals.len() == MOST_REFUSALS {
            self.refusals.pop_front();
        }
        self.refusals.push_back(CommandStatus { id: command.id, phase: Phase::Refused { reason: REFUSAL.to_owned() } });
        self.tell();
        Err(Refusal(REFUSAL.to_owned()))
    }

    fn stop(&mut self) {}

    fn hold(&mut self, _on: bool) {}

    fn place_frame(&mut self, _name: &str, _world_from_frame: &Pose) {}

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        std::mem::take(&mut self.sights)
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn failure(&self) -> Option<&str> {
        self.broken.as_deref()
    }
}
