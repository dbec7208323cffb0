use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::Foreign;
use robot::interface::{Order, Queueing};
use robot::{PartName, Preview, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::fingers::{self, Blocked};
use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::body::setting::degrees;
use crate::thesis;
use crate::why_not::WhyNot;

pub struct Gripper;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The hand that moves.
    pub side: Side,
    /// The angle between the fingers; 0 is closed. More than the gripper can is as far as it can.
    #[schemars(range(min = 0.0, max = 360.0), extend("x-unit" = "deg"))]
    pub opening_deg: f64,
    /// At this force the fingers give way.
    #[schemars(range(min = 0.0), extend("x-unit" = "N"))]
    pub force_limit_n: f64,
    /// How far off the opening may end and still count as reached.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub tolerance_deg: f64,
    /// What it means that something stops the fingers before they are there.
    pub blocked: Blocked,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            opening_deg: 0.0,
            force_limit_n: 20.0,
            tolerance_deg: 5.0,
            blocked: Blocked::Success,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
}

impl StepType for Gripper {
    const NAME: &'static str = "gripper";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Opens or closes a gripper with limited force. Its outcome is `reached`, or `blocked` where something stopped \
         the fingers: they hold it.";
    const ICON: Option<&'static str> = Some("hand-grab");
    const WORDS: &'static [&'static str] = &["grasp", "open", "close", "release", "fingers", "let go", "hold"];
    const FOREIGN: &'static [Foreign] = thesis::GRIPPER;
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        vec![PartName::Hand(settings.side).word().into()]
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|plan| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        settings.opening_deg = degrees(opening(settings.side, body)?.0);
        Ok(())
    }

    /// A new one closes or opens: that fingers stay as they are is no reason to add one.
    fn begin(_settings: &mut Settings, _body: &Body) -> Result<(), Cannot> {
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let motion = &mut state.motion;
        let tick = motion::tick(motion, context, |body| plan(settings, body), |body| reached(settings, body));
        fingers::ended(tick, motion.is_done(), settings.blocked)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

/// Now, and at most.
fn opening(side: Side, body: &Body) -> Result<(f64, f64), Cannot> {
    let robot = body.robot();
    let gripper = robot.gripper(side).ok_or_else(|| WhyNot::NoGripper { robot: robot.name.clone(), side })?;
    Ok((gripper.opening_rad(&body.state().positions), gripper.widest_rad()))
}

fn plan(settings: &Settings, body: &Body) -> Result<Intent, Cannot> {
    let (now_rad, widest_rad) = opening(settings.side, body)?;
    let opening_rad = settings.opening_deg.to_radians().min(widest_rad);
    let nominal_s = (opening_rad - now_rad).abs() / SPEED_RAD_S + fingers::SETTLE_S;
    let joints = joints_of(body, &[PartName::Hand(settings.side)])?;
    let order = Order::Gripper { side: settings.side, opening_rad, force_limit_n: settings.force_limit_n };
    Ok(Intent { order, queueing: Queueing::Override, nominal_s, joints, may_touch_body: false })
}

/// Of a usual gripper, for what is expected: the command does not say how fast.
const SPEED_RAD_S: f64 = 2.0;

fn reached(settings: &Settings, body: &Body) -> Result<(), Cannot> {
    let (now_rad, widest_rad) = opening(settings.side, body)?;
    let (now_deg, goal_deg) = (now_rad.to_degrees(), settings.opening_deg.min(widest_rad.to_degrees()));
    let (off_deg, allowed_deg) = ((now_deg - goal_deg).abs(), settings.tolerance_deg);
    if off_deg <= allowed_deg {
        return Ok(());
    }
    Err(WhyNot::OpeningMissed { side: settings.side, off_deg, allowed_deg }.into())
}
