use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Tick};
use robot::interface::{CommandId, Mode, Order, Phase, Queueing};
use robot::{JointWay, PartName};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::goal::no_part;
use super::own_body;

/// What a step remembers of the command it gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Motion {
    command: Option<CommandId>,
    /// When it was given: some steps plan before they move.
    given_ns: i64,
    /// How long it takes if nothing goes wrong.
    nominal_s: f64,
    joints: Vec<Arc<str>>,
    /// When the robot began with it: a command may wait in a queue.
    began_ns: Option<i64>,
    /// How far it had come, and when it last came further.
    progress: f64,
    progressed_ns: i64,
    done_ns: Option<i64>,
    stop: Option<CommandId>,
    /// Why it fails, once its joints have come to rest, and when that was known.
    failed: Option<(MotionFailure, i64)>,
}

/// What the robot made of a command, in its own words where it has some.
#[derive(Clone, Debug, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionFailure {
    #[error("the robot has not answered its command for {for_s} s")]
    Unanswered { for_s: f64 },
    #[error("it got stuck at {:.0} % of its motion", progress * 100.0)]
    Stuck { progress: f64 },
    #[error("the robot ended its motion: {reason}")]
    Ended { reason: String },
    #[error("the robot refused it: {reason}")]
    Refused { reason: String },
    #[error("{reason}")]
    Failed { reason: String },
}

/// What a step wants of the robot.
pub struct Intent {
    pub order: Order,
    pub queueing: Queueing,
    pub nominal_s: f64,
    /// What comes to rest when the step is halted.
    pub joints: Vec<Arc<str>>,
    /// It is meant to touch its own body. Otherwise an order to joints or a hand that would do so is not given.
    pub may_touch_body: bool,
}

impl Motion {
    /// The robot said that it did what it was told.
    pub fn is_done(&self) -> bool {
        self.done_ns.is_some()
    }
}

/// A robot that says nothing about a command for this long has not heard it.
const ANSWER_S: f64 = 1.0;
/// At the end a robot may still settle, up to this share of the time the motion takes.
const LATEST_SHARE: f64 = 1.5;
/// Past its time, a motion that comes no further for this long has got stuck.
const STUCK_S: f64 = 1.0;

/// Gives the command in the first tick and follows it. `judge` says how far from its goal the body is: an error ends
/// the step as failed if it has not gone by the latest. Whatever the end, nothing of it moves any more.
pub fn tick(
    state: &mut Motion,
    context: &mut Context<'_>,
    plan: impl FnOnce(&Body) -> Result<Intent, Cannot>,
    judge: impl FnOnce(&Body) -> Result<(), Cannot>,
) -> Tick {
    tick_towards(state, &mut Some(()), context, |body| Ok((plan(body)?, ())), |body, _| judge(body))
}

/// As [`tick`], with a goal that is found with the plan and kept in the step's state.
pub fn tick_towards<T>(
    state: &mut Motion,
    goal: &mut Option<T>,
    context: &mut Context<'_>,
    plan: impl FnOnce(&Body) -> Result<(Intent, T), Cannot>,
    judge: impl FnOnce(&Body, &T) -> Result<(), Cannot>,
) -> Tick {
    if state.command.is_none() {
        let begun = |body: &Body| {
            let (plan, found) = plan(body)?;
            Ok((own_body::spared(body, &plan)?, plan, found))
        };
        return match context.body().and_then(begun) {
            Ok((way, plan, found)) => {
                *goal = Some(found);
                begin(state, context, plan, way);
                Tick::Running
            }
            Err(reason) => Tick::failure(reason),
        };
    }
    if state.failed.is_none() {
        match follow(state, context) {
            Ok(false) => return Tick::Running,
            Ok(true) => match context.body().and_then(|body| goal.as_ref().map_or(Ok(()), |goal| judge(body, goal))) {
                Ok(()) => return Tick::SUCCESS,
                Err(_) if may_settle(state, context) => return Tick::Running,
                Err(reason) => return Tick::failure(reason),
            },
            Err(reason) => state.failed = Some((reason, context.elapsed_ns())),
        }
    }
    let rests = halt(state, context) == Halt::Done;
    match &state.failed {
        // A robot that does not hear the stop either will not answer by waiting longer.
        Some((reason, since_ns)) if rests || since(Some(*since_ns), context.elapsed_ns()) > ANSWER_S => {
            Tick::failure(reason.to_string())
        }
        _ => Tick::Running,
    }
}

fn begin(state: &mut Motion, context: &mut Context<'_>, plan: Intent, way: Option<JointWay>) {
    state.nominal_s = plan.nominal_s;
    state.joints = plan.joints;
    state.command = Some(context.command_along(plan.queueing, plan.order, way));
    state.given_ns = context.elapsed_ns();
    context.progress(0.0);
}

/// True: the robot says it is done.
fn follow(state: &mut Motion, context: &mut Context<'_>) -> Result<bool, MotionFailure> {
    let Some(id) = state.command.filter(|_| state.done_ns.is_none()) else { return Ok(true) };
    let now_ns = context.elapsed_ns();
    match context.phase(id).cloned() {
        None if engine::ns_to_seconds(now_ns - state.given_ns) > ANSWER_S => {
            Err(MotionFailure::Unanswered { for_s: ANSWER_S })
        }
        None | Some(Phase::Queued) => Ok(false),
        Some(Phase::Running { progress }) => {
            state.began_ns.get_or_insert(now_ns);
            if progress > state.progress {
                (state.progress, state.progressed_ns) = (progress, now_ns);
            }
            context.progress(progress);
            let late = since(state.began_ns, now_ns) > LATEST_SHARE * state.nominal_s;
            if late && engine::ns_to_seconds(now_ns - state.progressed_ns) > STUCK_S {
                return Err(MotionFailure::Stuck { progress });
            }
            Ok(false)
        }
        Some(Phase::Done) => {
            state.began_ns.get_or_insert(now_ns);
            state.done_ns = Some(now_ns);
            context.progress(1.0);
            Ok(true)
        }
        Some(Phase::Ended { reason }) => Err(MotionFailure::Ended { reason }),
        Some(Phase::Refused { reason }) => Err(MotionFailure::Refused { reason }),
        Some(Phase::Failed { reason }) => Err(MotionFailure::Failed { reason }),
    }
}

/// A robot that had to be slower than asked has as much longer to settle.
fn may_settle(state: &Motion, context: &Context<'_>) -> bool {
    let began_ns = state.began_ns.unwrap_or_default();
    let took_s = state.done_ns.map_or(0.0, |done_ns| engine::ns_to_seconds(done_ns - began_ns));
    since(state.began_ns, context.elapsed_ns()) < LATEST_SHARE * state.nominal_s.max(took_s)
}

fn since(began_ns: Option<i64>, now_ns: i64) -> f64 {
    began_ns.map_or(0.0, |began_ns| engine::ns_to_seconds(now_ns - began_ns))
}

/// Stops the joints it moves. Done when they are at rest, or belong to another command.
pub fn halt(state: &mut Motion, context: &mut Context<'_>) -> Halt {
    let stop = Order::Stop { joints: state.joints.clone() };
    halt_by(state, context, stop)
}

/// As [`halt`], by another order than a stop of the joints.
pub fn halt_by(state: &mut Motion, context: &mut Context<'_>, stop: Order) -> Halt {
    let Some(id) = state.command else { return Halt::Done };
    let last = state.stop.unwrap_or(id);
    let ended = !matches!(context.phase(last), None | Some(Phase::Queued | Phase::Running { .. }));
    if (ended || state.done_ns.is_some()) && !is_stopping(context) {
        return Halt::Done;
    }
    if state.stop.is_none() {
        state.stop = Some(context.command(Queueing::Override, stop));
    }
    Halt::StillHalting
}

/// All of it: then it takes no commands, and tells no end of one joint.
fn is_stopping(context: &Context<'_>) -> bool {
    context.body().is_ok_and(|body| body.state().mode == Mode::Stopping)
}

/// The joints of parts, by name; an error names the part the robot does not have.
pub fn joints_of(body: &Body, parts: &[PartName]) -> Result<Vec<Arc<str>>, Cannot> {
    let robot = body.robot();
    let mut joints = Vec::new();
    for name in parts {
        let part = robot.part(*name).ok_or_else(|| no_part(robot, *name))?;
        let coordinates = robot.model.coordinates();
        joints.extend(part.coordinates.iter().map(|index| Arc::from(coordinates[*index].name.as_str())));
    }
    Ok(joints)
}
