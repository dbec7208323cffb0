use std::sync::Arc;

use engine::{Body, Context, Halt, Tick};
use robot::PartName;
use robot::interface::{CommandId, Order, Phase, Queueing};
use serde::{Deserialize, Serialize};

/// What a step remembers of the command it gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Motion {
    command: Option<CommandId>,
    /// How long it takes if nothing goes wrong.
    nominal_s: f64,
    joints: Vec<Arc<str>>,
    /// When the robot began with it: a command may wait in a queue.
    began_ns: Option<i64>,
    /// How far it had come, and when it last came further.
    progress: f64,
    progressed_ns: i64,
    stopping: bool,
}

/// What a step wants of the robot.
pub struct Plan {
    pub order: Order,
    pub queueing: Queueing,
    pub nominal_s: f64,
    /// What comes to rest when the step is halted.
    pub joints: Vec<Arc<str>>,
}

/// A robot that says nothing about a command for this long has not heard it.
const ANSWER_S: f64 = 1.0;
/// At the end a robot may still settle, up to this share of the time the motion takes.
const LATEST_SHARE: f64 = 1.5;
/// Past its time, a motion that comes no further for this long has got stuck.
const STUCK_S: f64 = 1.0;

/// Gives the command in the first tick and follows it. `judge` says how far from its goal the body is: an error ends
/// the step as failed if it has not gone by the latest.
pub fn tick(
    state: &mut Motion,
    context: &mut Context<'_>,
    plan: impl FnOnce(&Body) -> Result<Plan, String>,
    judge: impl FnOnce(&Body) -> Result<(), String>,
) -> Tick {
    match follow(state, context, plan) {
        Err(reason) => Tick::failure(reason),
        Ok(false) => Tick::Running,
        Ok(true) => match context.body().and_then(judge) {
            Ok(()) => Tick::SUCCESS,
            Err(_) if since(state.began_ns, context) < LATEST_SHARE * state.nominal_s => Tick::Running,
            Err(reason) => Tick::failure(reason),
        },
    }
}

/// True: the robot says it is done.
fn follow(
    state: &mut Motion,
    context: &mut Context<'_>,
    plan: impl FnOnce(&Body) -> Result<Plan, String>,
) -> Result<bool, String> {
    let Some(id) = state.command else {
        let plan = plan(context.body()?)?;
        state.nominal_s = plan.nominal_s;
        state.joints = plan.joints;
        state.command = Some(context.command(plan.queueing, plan.order));
        context.progress(0.0);
        return Ok(false);
    };
    let now_ns = context.elapsed_ns();
    match context.phase(id).cloned() {
        None if engine::ns_to_seconds(now_ns) > ANSWER_S => {
            Err(format!("the robot has not answered its command for {ANSWER_S} s"))
        }
        None | Some(Phase::Queued) => Ok(false),
        Some(Phase::Running { progress }) => {
            state.began_ns.get_or_insert(now_ns);
            if progress > state.progress {
                (state.progress, state.progressed_ns) = (progress, now_ns);
            }
            context.progress(progress);
            let late = since(state.began_ns, context) > LATEST_SHARE * state.nominal_s;
            if late && engine::ns_to_seconds(now_ns - state.progressed_ns) > STUCK_S {
                return Err(format!("it got stuck at {:.0} % of its motion", progress * 100.0));
            }
            Ok(false)
        }
        Some(Phase::Done) => {
            state.began_ns.get_or_insert(now_ns);
            context.progress(1.0);
            Ok(true)
        }
        Some(Phase::Ended { reason }) => Err(format!("the robot ended its motion: {reason}")),
        Some(Phase::Refused { reason }) => Err(format!("the robot refused it: {reason}")),
        Some(Phase::Failed { reason }) => Err(reason),
    }
}

fn since(began_ns: Option<i64>, context: &Context<'_>) -> f64 {
    began_ns.map_or(0.0, |began_ns| engine::ns_to_seconds(context.elapsed_ns() - began_ns))
}

/// Stops the joints it moves, and rests when the robot says that the motion has ended.
pub fn halt(state: &mut Motion, context: &mut Context<'_>) -> Halt {
    let Some(id) = state.command else { return Halt::Done };
    let running = match context.phase(id) {
        Some(Phase::Queued | Phase::Running { .. }) => true,
        // Given in this very tick, or not heard of yet.
        None => !state.stopping,
        Some(_) => false,
    };
    if !running {
        return Halt::Done;
    }
    if !std::mem::replace(&mut state.stopping, true) {
        context.command(Queueing::Override, Order::Stop { joints: state.joints.clone() });
    }
    Halt::StillHalting
}

/// The joints of parts, by name; an error names the part the robot does not have.
pub fn joints_of(body: &Body, parts: &[PartName]) -> Result<Vec<Arc<str>>, String> {
    let robot = body.robot();
    let mut joints = Vec::new();
    for name in parts {
        let part = robot.part(*name).ok_or_else(|| format!("robot `{}` has no {name}", robot.name))?;
        let coordinates = robot.model.coordinates();
        joints.extend(part.coordinates.iter().map(|index| Arc::from(coordinates[*index].name.as_str())));
    }
    Ok(joints)
}
