use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::Foreign;
use robot::interface::{Order, Queueing};
use robot::{PartName, Preview, Robot, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::checks;
use crate::body::fingers::{self, Blocked};
use crate::body::goal::{angles_now_deg, goals_deg, joints_within, mirror_angles};
use crate::body::joints::{JointGoals, joint_name};
use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct Hand;

/// What says where the fingers go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A grip of the robot.
    #[default]
    Grip,
    /// `angles_deg` of the finger joints.
    Angles,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The hand that moves.
    pub side: Side,
    /// What says where the fingers go: a grip of the robot, or the angles of the finger joints.
    pub by: By,
    /// A grip of the robot: `open`, `close`, `pinch`, `flat`, `hook`, `relax`, `door_lever_open`, `door_lever_close`,
    /// `door_lever_crush`, `key_open` or `key_close`, as far as it has them.
    #[schemars(extend("x-by" = ["grip"], "format" = "grip"))]
    pub grip: String,
    /// Of the finger joints, in the robot's order.
    #[schemars(extend("x-by" = ["angles"], "x-unit" = "deg", "x-part" = "hand"))]
    pub angles_deg: Vec<f64>,
    /// How fast the fingers move.
    #[schemars(range(min = 1.0, max = 3600.0), extend("x-unit" = "deg/s"))]
    pub speed_deg_s: f64,
    /// A speed for each finger joint, in place of the one for all.
    #[schemars(extend("x-unit" = "deg/s"))]
    pub speeds_deg_s: Vec<f64>,
    /// How far off a finger joint may end and still count as there.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub tolerance_deg: f64,
    /// What it means that something stops the fingers before they are there.
    pub blocked: Blocked,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            by: By::Grip,
            grip: "open".to_owned(),
            angles_deg: Vec::new(),
            speed_deg_s: 90.0,
            speeds_deg_s: Vec::new(),
            tolerance_deg: 5.0,
            blocked: Blocked::Success,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goals: Option<JointGoals>,
}

impl StepType for Hand {
    const NAME: &'static str = "hand";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Moves the fingers of a hand: to a grip, or to angles. Its outcome is `reached`, or `blocked` where something \
         stopped a finger.";
    const ICON: Option<&'static str> = Some("hand");
    const WORDS: &'static [&'static str] = &["grasp", "fingers", "grip", "close", "open"];
    const FOREIGN: &'static [Foreign] = thesis::HAND;
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        vec![PartName::Hand(settings.side).word().into()]
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        if settings.by != By::Angles {
            return Vec::new();
        }
        let wrong = checks::part(robot, PartName::Hand(settings.side), &settings.angles_deg);
        wrong.into_iter().map(|wrong| ("angles_deg", wrong)).collect()
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let hand = PartName::Hand(settings.side);
        mirror_angles(&mut settings.angles_deg, hand, mirror)?;
        // A speed has no side, but goes with its joint.
        mirror_angles(&mut settings.speeds_deg_s, hand, mirror)?;
        settings.speeds_deg_s.iter_mut().for_each(|speed| *speed = speed.abs());
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        settings.by = By::Angles;
        settings.angles_deg = angles_now_deg(body, PartName::Hand(settings.side))?;
        Ok(())
    }

    /// A new one closes or opens: that fingers stay as they are is no reason to add one.
    fn begin(_settings: &mut Settings, _body: &Body) -> Result<(), Cannot> {
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let State { motion, goals } = state;
        let judge = |body: &Body, goals: &JointGoals| joints_within(body, goals, settings.tolerance_deg);
        let tick = motion::tick_towards(motion, goals, context, |body| plan(settings, body), judge);
        fingers::ended(tick, motion.is_done(), settings.blocked)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, JointGoals), Cannot> {
    let hand = PartName::Hand(settings.side);
    let joints = joints_of(body, &[hand])?;
    let goals = match settings.by {
        By::Angles => goals_deg(body, hand, "angles_deg", &settings.angles_deg)?,
        By::Grip => grip(settings, body)?,
    };
    let speeds = speeds_rad_s(settings, body, &goals)?;
    let way_s = |((at, goal), speed): (&(usize, f64), &f64)| (body.state().positions[*at] - goal).abs() / speed;
    let nominal_s = goals.iter().zip(&speeds).map(way_s).fold(0.0, f64::max) + fingers::SETTLE_S;
    let targets = goals.iter().map(|(at, goal)| (joint_name(body, *at), *goal)).collect();
    let order = Order::Fingers { side: settings.side, targets, speeds };
    Ok((Intent { order, queueing: Queueing::Override, nominal_s, joints, may_touch_body: false }, goals))
}

fn grip(settings: &Settings, body: &Body) -> Result<JointGoals, Cannot> {
    let robot = body.robot();
    robot.grip(&settings.grip, settings.side).filter(|grip| !grip.is_empty()).cloned().ok_or_else(|| {
        let known = robot.grips.keys().cloned().collect();
        WhyNot::NoneNamed { robot: robot.name.clone(), what: "grip", name: settings.grip.clone(), known }.into()
    })
}

/// One for each joint that moves.
fn speeds_rad_s(settings: &Settings, body: &Body, goals: &JointGoals) -> Result<Vec<f64>, Cannot> {
    if settings.speeds_deg_s.is_empty() {
        return Ok(vec![settings.speed_deg_s.to_radians(); goals.len()]);
    }
    let hand = PartName::Hand(settings.side);
    let speeds = goals_deg(body, hand, "speeds_deg_s", &settings.speeds_deg_s)?;
    let of = |at: &usize| speeds.iter().find(|(other, _)| other == at).map(|(_, speed)| *speed);
    Ok(goals.iter().filter_map(|(at, _)| of(at)).collect())
}
