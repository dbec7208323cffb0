use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Binder, Body, Cannot, Context, End, Halt, Mirror, StepType, Tick};
use expression::Expression;
use robot::interface::Queueing;
use robot::{MovingKind, Preview, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::checks;
use crate::body::goal::joints_reached;
use crate::body::joints::{JointGoals, joint_name, joint_path};
use crate::body::motion::{self, Intent, Motion};
use crate::body::setting::{degrees, metres};
use crate::why_not::{Lack, WhyNot};

pub struct JointMove;

/// Which change of its condition an event is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// It becomes true.
    #[default]
    Rise,
    /// It becomes false.
    Fall,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    /// The outcome of the step if this event ends it.
    pub name: String,
    /// What is watched, `right_hand_force_n > 20` for example.
    pub condition: Expression,
    /// Which change of it counts, after the start.
    pub edge: Edge,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Joints that turn, by name, and where they go.
    #[schemars(extend("x-unit" = "deg"))]
    pub angles_deg: BTreeMap<String, f64>,
    /// Joints that slide, by name, and where they go.
    #[schemars(extend("x-unit" = "m"))]
    pub positions_m: BTreeMap<String, f64>,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// Events that end the motion before its time: the joints stop where they are, and the outcome is the event's name.
    pub events: Vec<Event>,
    /// How far off the joints may end, all errors added up.
    #[schemars(range(min = 0.0), extend("x-unit" = "rad"))]
    pub joint_tolerance_rad: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            angles_deg: BTreeMap::new(),
            positions_m: BTreeMap::new(),
            duration_s: 4.0,
            events: Vec::new(),
            joint_tolerance_rad: 0.3,
            may_touch_body: false,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goals: Option<JointGoals>,
    watched: Vec<Watched>,
    /// The event that ends it, while its joints come to rest.
    fired: Option<usize>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Watched {
    /// None: it could not be judged yet.
    held: Option<bool>,
    warned: bool,
}

impl StepType for JointMove {
    const NAME: &'static str = "joint_move";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Moves any joints to angles, until they are there or one of its events happens. Its outcome is `on_schedule` or \
         the name of the event.";
    const ICON: Option<&'static str> = Some("git-fork");
    const WORDS: &'static [&'static str] = &["joints", "turn"];
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        for event in &mut settings.events {
            binder.expression("events", &mut event.condition);
        }
    }

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        settings.angles_deg.keys().chain(settings.positions_m.keys()).map(|joint| joint.as_str().into()).collect()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        let turn = settings.angles_deg.iter().filter_map(|(name, to)| checks::joint(robot, name, *to, false));
        let slide = settings.positions_m.iter().filter_map(|(name, to)| checks::joint(robot, name, *to, true));
        turn.map(|wrong| ("angles_deg", wrong)).chain(slide.map(|wrong| ("positions_m", wrong))).collect()
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        for positions in [&mut settings.angles_deg, &mut settings.positions_m] {
            let mirrored = positions.iter().map(|(joint, position)| {
                let (joint, position) = mirror.joint(joint, *position).ok_or_else(|| no_joint(mirror.robot, joint))?;
                Ok::<_, Cannot>((joint, position + 0.0))
            });
            *positions = mirrored.collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        for (joint, angle_deg) in &mut settings.angles_deg {
            *angle_deg = degrees(body.state().positions[coordinate(body, joint, true)?]);
        }
        for (joint, position_m) in &mut settings.positions_m {
            *position_m = metres(body.state().positions[coordinate(body, joint, false)?]);
        }
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        if state.fired.is_none() {
            state.fired = watch(settings, &mut state.watched, context);
        }
        if let Some(fired) = state.fired {
            return match motion::halt(&mut state.motion, context) {
                Halt::Done => Tick::Ended(ended_by(&settings.events[fired])),
                Halt::StillHalting => Tick::Running,
            };
        }
        let State { motion, goals, .. } = state;
        let judge = |body: &Body, goals: &JointGoals| joints_reached(body, goals, settings.joint_tolerance_rad);
        match motion::tick_towards(motion, goals, context, |body| plan(settings, body), judge) {
            Tick::Ended(end) if end.verdict == engine::Verdict::Success => Tick::Ended(end.with_outcome("on_schedule")),
            tick => tick,
        }
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

/// The first event that happens in this tick.
fn watch(settings: &Settings, watched: &mut Vec<Watched>, context: &mut Context<'_>) -> Option<usize> {
    watched.resize_with(settings.events.len(), Watched::default);
    let mut fired = None;
    for (index, (event, seen)) in settings.events.iter().zip(watched).enumerate() {
        match context.holds(&event.condition) {
            Ok(holds) => {
                let changed = seen.held.replace(holds).is_some_and(|held| held != holds);
                if changed && fired.is_none() && holds == (event.edge == Edge::Rise) {
                    fired = Some(index);
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut seen.warned, true) {
                    context.warn(format!("event `{}` cannot be judged yet: {error}", event.condition.text()));
                }
            }
        }
    }
    fired
}

fn ended_by(event: &Event) -> End {
    let became = if event.edge == Edge::Rise { "true" } else { "false" };
    let name = if event.name.is_empty() { "event" } else { &event.name };
    End::SUCCESS.with_outcome(name).with_reason(format!("`{}` became {became}", event.condition.text()))
}

fn no_joint(robot: &Robot, joint: &str) -> WhyNot {
    WhyNot::NoJoint { robot: robot.name.clone(), joint: joint.to_owned() }
}

fn coordinate(body: &Body, joint: &str, turns: bool) -> Result<usize, Cannot> {
    let robot = body.robot();
    let at = robot.model.coordinate(joint).ok_or_else(|| no_joint(robot, joint))?;
    match (robot.model.coordinates()[at].kind == MovingKind::Prismatic, turns) {
        (true, true) => Err(WhyNot::Slides { joint: joint.to_owned() }.into()),
        (false, false) => Err(WhyNot::Turns { joint: joint.to_owned() }.into()),
        _ => Ok(at),
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, JointGoals), Cannot> {
    let mut goals = JointGoals::new();
    for (joint, angle_deg) in &settings.angles_deg {
        goals.push((coordinate(body, joint, true)?, angle_deg.to_radians()));
    }
    for (joint, position_m) in &settings.positions_m {
        goals.push((coordinate(body, joint, false)?, *position_m));
    }
    if goals.is_empty() {
        return Err(Lack::Joint.into());
    }
    let order = joint_path(body, [(settings.duration_s, goals.clone())]);
    let joints = goals.iter().map(|(at, _)| joint_name(body, *at)).collect();
    Ok((
        Intent {
            order,
            queueing: Queueing::Override,
            nominal_s: settings.duration_s,
            joints,
            may_touch_body: settings.may_touch_body,
        },
        goals,
    ))
}
