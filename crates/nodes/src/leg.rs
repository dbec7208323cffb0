use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::{Foreign, Handle, Looks};
use robot::interface::{Frame, Order, Queueing};
use robot::{BodyFrame, Preview, Robot, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::feet::{both_legs, is_stepping, legs_claimed, sole_name};
use crate::body::frame::Goal;
use crate::body::goal::{Judged, PoseTolerance, pose_reached};
use crate::body::leg_checks;
use crate::body::motion::{self, Intent, Motion};
use crate::body::preview;
use crate::body::setting::{FrameName, PoseSetting};
use crate::thesis;

pub struct Leg;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The foot that moves; the robot stands on the other one.
    pub side: Side,
    /// The frame of the pose, as it is when the step begins.
    pub frame: FrameName,
    /// Where the sole goes. At the height of the other foot it stands on the ground again.
    pub pose: PoseSetting,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How far off the sole may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal the sole may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            frame: FrameName::named("walking"),
            pose: PoseSetting::default(),
            duration_s: 4.0,
            position_tolerance_m: 0.05,
            orientation_tolerance_deg: 10.0,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goal: Option<Goal>,
}

impl StepType for Leg {
    const NAME: &'static str = "leg";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Moves one foot by itself: lifts it, puts it somewhere, sets it down.";
    const ICON: Option<&'static str> = Some("person-standing");
    const WORDS: &'static [&'static str] = &["foot", "lift", "kick", "step"];
    const FOREIGN: &'static [Foreign] = thesis::LEG;
    const HANDLES: &'static [Handle] = &[Handle::pose("pose", Looks::Foot)];
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        legs_claimed()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        // In other frames the feet may be anywhere.
        let sole = (settings.frame.0 == "walking").then(|| settings.pose.pose());
        let wrong = sole.and_then(|sole| leg_checks::foot(robot, &sole));
        wrong.into_iter().map(|wrong| ("pose", wrong)).collect()
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.pose.mirror(&settings.frame, mirror)?;
        settings.frame.mirror(mirror);
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        settings.pose.set_to_robot(&settings.frame, sole_name(settings.side), body)
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        settings.pose.change_frame(&settings.frame, to, body)?;
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        if state.goal.is_none() && is_stepping(context) {
            return Tick::Running;
        }
        let judge = |body: &Body, goal: &Goal| {
            let now = body.poses().world_from(BodyFrame::Sole(settings.side));
            let (position_m, angle_deg) = (settings.position_tolerance_m, settings.orientation_tolerance_deg);
            let tolerance = PoseTolerance { position_m, angle_deg };
            Ok(pose_reached(Judged::Foot(settings.side), &now, &goal.world_from_thing(body)?, tolerance)?)
        };
        motion::tick_towards(&mut state.motion, &mut state.goal, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, Goal), Cannot> {
    let joints = both_legs(body)?;
    let world_from_sole = body.world_from(&settings.frame.0)? * settings.pose.pose();
    let order = Order::Foot {
        side: settings.side,
        frame: Frame::World,
        frame_from_sole: world_from_sole,
        duration_s: settings.duration_s,
    };
    let plan =
        Intent { order, queueing: Queueing::Override, nominal_s: settings.duration_s, joints, may_touch_body: false };
    Ok((plan, Goal { frame: Frame::World, frame_from_thing: world_from_sole }))
}
