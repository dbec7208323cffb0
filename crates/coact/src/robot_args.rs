//! Which robot a behavior runs on, and what surrounds it.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use engine::{FrameAt, Ground, Registry};
use geometry::{Pose, RollPitchYaw, Vector3};
use model::Library;
use model::file::Disk;
use robot::Robot;
use runlog::Playback;
use scene::template::Library as Templates;
use sim::{FaultPlan, PlannedFault, SimulatedDetector};
use site::Around;
use site::stub::Script;

use crate::out::{Stop, complain, count};

/// Before the file of a robot that is scripted.
const STUB: &str = "stub:";

#[derive(clap::Args, Clone, Default)]
pub struct RobotArgs {
    /// The robot: the name of a built-in one, or a robot.json, or the folder of one; or stub:FILE for a robot that does
    /// what a file says. Without it, a behavior that moves a body gets the first built-in one.
    #[arg(long, value_name = "ROBOT")]
    robot: Option<String>,
    /// Where an object is, in metres and degrees. May be given several times.
    #[arg(long = "frame", value_name = "NAME=X,Y,Z[,ROLL,PITCH,YAW]")]
    frames: Vec<String>,
    /// What goes wrong with the simulated robot: a fault or a plan of faults, as JSON or a file. May be given several
    /// times.
    #[arg(long = "fault", value_name = "JSON|FILE")]
    faults: Vec<String>,
    /// In place of a robot, what its joints and cameras told in a recording, in a loop: one of ours, or an MCAP file or
    /// rosbag2 with joint states and depth pictures of ROS 2. It moves as it did then, whatever it is told.
    #[arg(long, value_name = "FILE", conflicts_with = "faults")]
    playback: Option<PathBuf>,
    /// The ground that walks are planned on and what stands on it. Without it, the blocks and stairs of the world, or a
    /// level floor.
    #[arg(long, value_name = "FILE")]
    terrain: Option<String>,
}

/// The robot that was asked for, read once.
#[derive(Default)]
pub struct Choice {
    named: Option<Arc<Robot>>,
    /// It is scripted.
    pub stub: Option<Script>,
    /// What a behavior that moves a body gets if none was named.
    default: Option<OnceCell<Arc<Robot>>>,
    /// Whatever the behavior is: something else needs a robot.
    pub needed: bool,
    pub around: Around,
}

impl RobotArgs {
    pub fn named(robot: Option<String>) -> RobotArgs {
        RobotArgs { robot, ..RobotArgs::default() }
    }

    /// As it was written.
    pub fn written(&self) -> Option<&str> {
        self.robot.as_deref()
    }

    /// Whether no robot was named, or this one.
    pub fn is_left_open_or(&self, robot: &str) -> bool {
        self.robot.as_deref().is_none_or(|named| named == robot)
    }

    /// The same, of this robot in place of the one that was named.
    pub fn of(&self, robot: String) -> RobotArgs {
        RobotArgs { robot: Some(robot), ..self.clone() }
    }

    /// The same, of this robot if none was named.
    pub fn with_robot(&self, robot: Option<String>) -> RobotArgs {
        RobotArgs { robot: self.robot.clone().or(robot), ..self.clone() }
    }

    /// What was asked for, whatever the behavior needs.
    pub fn choice(&self) -> Result<Choice, Stop> {
        let stub = self.robot.as_deref().and_then(|name| name.strip_prefix(STUB)).map(script).transpose()?;
        let named = match &stub {
            Some(script) => Some(Arc::clone(&script.robot)),
            None => {
                self.robot.as_deref().map(find).transpose()?.map_or_else(|| self.recorded_robot(), |it| Ok(Some(it)))?
            }
        };
        let frames: Vec<FrameAt> = self.frames.iter().map(|text| frame(text)).collect::<Result<_>>()?;
        let ground = self.terrain.as_deref().map(ground).transpose()?.unwrap_or_default();
        Ok(Choice { named, stub, default: None, needed: false, around: Around { frames, ground } })
    }

    /// As [`Self::choice`], with a robot of our own for a behavior that needs one.
    pub fn choice_or_default(&self) -> Result<Choice, Stop> {
        Ok(Choice { default: Some(OnceCell::new()), ..self.choice()? })
    }

    /// The one of a recording of ours that is played back.
    fn recorded_robot(&self) -> Result<Option<Arc<Robot>>> {
        let Some(path) = &self.playback else { return Ok(None) };
        Playback::robot_of(path).context("--playback")
    }

    /// What is played back in place of a robot, if that was asked for.
    pub fn playback(&self) -> Option<&Path> {
        self.playback.as_deref()
    }

    /// What only a simulation has.
    pub fn refuse_beside_stub(&self, has_world: bool) -> Result<()> {
        match (has_world, self.faults.is_empty()) {
            (true, _) => bail!("--world: a stub is in no world: its file says what it sees"),
            (_, false) => bail!("--fault: a stub has no faults but those in its file"),
            (false, true) => Ok(()),
        }
    }

    /// Faults without a robot would say nothing.
    pub fn refuse_without_robot(&self) -> Result<(), Stop> {
        let given = [
            ("--fault", !self.faults.is_empty()),
            ("--frame", !self.frames.is_empty()),
            ("--terrain", self.terrain.is_some()),
            ("--playback", self.playback.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(anyhow!("{name}: this behavior moves no robot: name one with --robot").into()),
        }
    }

    /// Of a run that is on record.
    pub fn with_faults(faults: Vec<String>) -> RobotArgs {
        RobotArgs { faults, ..RobotArgs::default() }
    }

    /// As JSON, to be on record.
    pub fn faults(&self) -> Vec<String> {
        // Whoever cannot read one has refused it before.
        self.faults.iter().filter_map(|given| fault_text(given).ok()).collect()
    }

    pub fn fault_plan(&self, seed: u64) -> Result<FaultPlan> {
        let mut all = FaultPlan { seed, faults: Vec::new() };
        for given in &self.faults {
            let text = fault_text(given)?;
            let plan = plan(&text).context(format!("--fault {given}"))?;
            all.seed = all.seed.wrapping_add(plan.seed);
            all.faults.extend(plan.faults);
        }
        Ok(all)
    }
}

/// The JSON that was given, or that of the file.
fn fault_text(given: &str) -> Result<String> {
    if given.trim_start().starts_with(['{', '[']) {
        return Ok(given.to_owned());
    }
    std::fs::read_to_string(given).context(format!("--fault {given}"))
}

/// A plan, a list of faults, or one fault.
fn plan(text: &str) -> Result<FaultPlan> {
    let json: serde_json::Value = serde_json::from_str(text)?;
    let faults: Vec<PlannedFault> = match &json {
        serde_json::Value::Array(_) => serde_json::from_value(json)?,
        serde_json::Value::Object(plan) if !plan.contains_key("faults") => vec![serde_json::from_value(json)?],
        _ => return Ok(FaultPlan::from_json(text)?),
    };
    Ok(FaultPlan { seed: 0, faults })
}

impl Choice {
    /// The robot for this behavior; none: it moves no body, and none was asked for.
    pub fn robot(&self, behavior: &Library, registry: &Registry) -> Option<Arc<Robot>> {
        let takes_ours = self.needed || self.default.is_some() && check::moves_body(behavior, registry);
        (self.named.is_some() || takes_ours).then(|| self.any_robot())
    }

    /// Those behind the cameras of the robot.
    pub fn detectors(&self) -> Vec<Arc<str>> {
        self.stub.as_ref().map_or_else(simulated_detectors, |script| script.detectors.clone())
    }

    /// The one that was asked for by name.
    pub fn named(&self) -> Option<Arc<Robot>> {
        self.named.clone()
    }

    /// The one that was asked for, or the first of our own.
    pub fn any_robot(&self) -> Arc<Robot> {
        let ours = || {
            let names = Robot::names();
            let robot = names.first().and_then(|name| Robot::builtin(name));
            Arc::new(robot.expect("the robots of our own are sound: a test loads each"))
        };
        let default = || self.default.as_ref().map_or_else(ours, |default| Arc::clone(default.get_or_init(ours)));
        self.named.clone().unwrap_or_else(default)
    }
}

pub fn simulated_detectors() -> Vec<Arc<str>> {
    vec![SimulatedDetector::NAME.into()]
}

fn script(path: &str) -> Result<Script> {
    Script::read(path).map_err(|wrong| {
        wrong.iter().for_each(|wrong| complain(&wrong.to_string()));
        anyhow!("--robot {STUB}{path} has {}: mend it first", count(wrong.len(), "error"))
    })
}

fn find(name: &str) -> Result<Arc<Robot>> {
    let (robot, problems) = Robot::find(name)?;
    for problem in &problems {
        complain(&problem.to_string());
    }
    if problems.iter().any(|problem| problem.severity == robot::Severity::Error) {
        bail!("robot {name} has errors: mend it first");
    }
    Ok(Arc::new(robot))
}

/// Where meshes are kept that were made for the page: of this person, or where COACT_MESHES says; `none` keeps nothing.
pub fn kept_meshes() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let own = || cache().or_else(|| set("LOCALAPPDATA")).map(|cache| cache.join("coact").join("meshes"));
    set("COACT_MESHES").or_else(own).filter(|folder| folder.as_os_str() != "none")
}

/// All joints in a preset.
pub fn start(robot: &Robot, preset: &str) -> Result<Vec<f64>> {
    robot.configuration(preset).ok_or_else(|| {
        let known: Vec<&str> = robot.presets.keys().map(String::as_str).collect();
        anyhow!("robot `{}` has no preset `{preset}`; it has {}", robot.name, known.join(", "))
    })
}

/// What can be done with objects: the files in `templates` beside the behavior, then our own. What is wrong with one is
/// told, and the others serve.
pub fn templates_beside(file: &str) -> Arc<Templates> {
    let (templates, wrong) = check::templates_beside(file, &Disk);
    wrong.iter().for_each(|wrong| complain(&wrong.to_string()));
    Arc::new(templates)
}

fn ground(path: &str) -> Result<Ground> {
    let text = std::fs::read_to_string(path).context(format!("--terrain {path}"))?;
    Ground::from_text(&text).map_err(|problem| anyhow!("--terrain {path}: {problem}"))
}

fn frame(text: &str) -> Result<FrameAt> {
    let wrong =
        || anyhow!("--frame {text}: write NAME=x,y,z in metres, then roll,pitch,yaw in degrees if it is turned");
    let (name, numbers) = text.split_once('=').ok_or_else(wrong)?;
    let numbers: Vec<f64> =
        numbers.split(',').map(|number| number.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    let (xyz_m, rpy_deg) = match numbers[..] {
        [x, y, z] => ([x, y, z], [0.0; 3]),
        [x, y, z, roll, pitch, yaw] => ([x, y, z], [roll, pitch, yaw]),
        _ => return Err(wrong()),
    };
    if name.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
        return Err(wrong());
    }
    let [roll, pitch, yaw] = rpy_deg.map(f64::to_radians);
    let world_from_frame = Pose::from_rpy(Vector3::from(xyz_m), RollPitchYaw::new(roll, pitch, yaw));
    Ok(FrameAt { name: name.into(), world_from_frame })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read() {
        let at = frame("mug=0.5,-0.1, 1,0,0,90").expect("a frame");
        assert_eq!(&*at.name, "mug");
        let ahead_m =
            at.world_from_frame.transform_vector(&Vector3::new(1.0, 0.0, 0.0)) + at.world_from_frame.translation_m();
        assert!((ahead_m - Vector3::new(0.5, 0.9, 1.0)).norm() < 1e-9, "{ahead_m}");
        for wrong in ["mug", "=1,2,3", "mug=1,2", "mug=1,2,x", "mug=1,2,inf", "mug=1,2,3,4"] {
            assert!(frame(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_fault_or_several() {
        let one = r#"{"at_s": 1, "kind": "state_lost"}"#;
        let written = [one.to_owned(), format!("[{one}]"), format!(r#"{{"faults": [{one}]}}"#)];
        for text in &written {
            assert_eq!(plan(text).expect("a plan").faults.len(), 1, "{text}");
        }
        assert!(plan("{}").is_err());
    }
}
