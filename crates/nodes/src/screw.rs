use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::{Foreign, Handle, Looks};
use robot::interface::{HandPath, Order, Queueing, Reach};
use robot::{BodyFrame, Preview, Screw as ScrewMotion, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::frame::{Goal, given};
use crate::body::goal::{PoseTolerance, hand_name, hand_reached};
use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::body::reach::moved_by;
use crate::body::setting::{FrameName, PoseSetting};
use crate::thesis;
use crate::why_not::Lack;

pub struct Screw;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The hand that moves.
    pub side: Side,
    /// The frame of the axis: one of the body, or an object. The hand's own counts as it stands at the start.
    pub frame: FrameName,
    /// Where the axis is: the hand turns about its x and moves along its x.
    pub axis: PoseSetting,
    /// How far the hand moves along the axis.
    #[schemars(extend("x-unit" = "m"))]
    pub translation_m: f64,
    /// How far the hand turns about the axis; positive is counter-clockwise seen against its x.
    #[schemars(extend("x-unit" = "deg"))]
    pub rotation_deg: f64,
    /// The hand is nowhere faster than this.
    #[schemars(range(min = 0.001, max = 10.0), extend("x-unit" = "m/s"))]
    pub max_linear_m_s: f64,
    /// The hand turns nowhere faster than this.
    #[schemars(range(min = 0.1, max = 720.0), extend("x-unit" = "deg/s"))]
    pub max_angular_deg_s: f64,
    /// Whether the spine helps the hand.
    pub reach: Reach,
    /// Keeps to the frame while it moves. Otherwise the axis stays where it was when the step began; links of the body
    /// always take it along.
    pub follow: bool,
    /// How far off the hand may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal the hand may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            frame: FrameName::named("chest"),
            axis: PoseSetting::default(),
            translation_m: 0.1,
            rotation_deg: 0.0,
            max_linear_m_s: 0.1,
            // 0.6 rad/s
            max_angular_deg_s: 34.4,
            reach: Reach::Arm,
            follow: false,
            position_tolerance_m: 0.15,
            orientation_tolerance_deg: 20.0,
            may_touch_body: false,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    /// Where the hand is to end, fixed at the start.
    goal: Option<Goal>,
}

impl StepType for Screw {
    const NAME: &'static str = "screw";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Turns a hand about an axis and moves it along the axis, from where the hand is: for handles, valves, doors and \
         straight pushes.";
    const ICON: Option<&'static str> = Some("rotate-cw");
    const WORDS: &'static [&'static str] = &["turn", "rotate", "twist", "unscrew", "valve", "push", "pull"];
    const FOREIGN: &'static [Foreign] = thesis::SCREW;
    const HANDLES: &'static [Handle] = &[Handle::pose("axis", Looks::Axis)];
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        moved_by(settings.side, settings.reach).iter().map(|part| part.word().into()).collect()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        let turn_s = settings.rotation_deg.abs() / settings.max_angular_deg_s;
        Some(turn_s.max(settings.translation_m.abs() / settings.max_linear_m_s))
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.axis.mirror(&settings.frame, mirror)?;
        settings.frame.mirror(mirror);
        // A right-handed screw is a left-handed one in the mirror.
        settings.rotation_deg = 0.0 - settings.rotation_deg;
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    /// Lays the axis through the hand: touch the hinge, then take it over.
    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        settings.axis.set_to_robot(&settings.frame, hand_name(settings.side), body)
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        settings.axis.change_frame(&settings.frame, to, body)?;
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let State { motion, goal } = state;
        let tolerance =
            PoseTolerance { position_m: settings.position_tolerance_m, angle_deg: settings.orientation_tolerance_deg };
        let judge = |body: &Body, goal: &Goal| hand_reached(body, settings.side, goal, tolerance);
        motion::tick_towards(motion, goal, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, Goal), Cannot> {
    if settings.translation_m == 0.0 && settings.rotation_deg == 0.0 {
        return Err(Lack::Motion.into());
    }
    let parts = moved_by(settings.side, settings.reach);
    let given = given(body, &settings.frame.0, &parts, settings.follow)?;
    let here = Goal { frame: given.frame.clone(), frame_from_thing: geometry::Pose::identity() };
    let world_from_hand = body.poses().world_from(BodyFrame::Hand(settings.side));
    let frame_from_hand = here.world_from_thing(body)?.inverse() * world_from_hand;
    let screw = ScrewMotion {
        frame_from_screw: given.frame_from_named * settings.axis.pose(),
        advance_m: settings.translation_m,
        turn_rad: settings.rotation_deg.to_radians(),
        max_linear_m_s: settings.max_linear_m_s,
        max_angular_rad_s: settings.max_angular_deg_s.to_radians(),
    };
    let waypoints = screw.path(&frame_from_hand);
    let frame_from_thing = waypoints.last().map_or(frame_from_hand, |last| last.frame_from_hand);
    let (side, reach, follow) = (settings.side, settings.reach, settings.follow);
    let goal = Goal { frame: given.frame.clone(), frame_from_thing };
    let order = Order::Hand(HandPath { side, reach, frame: given.frame, waypoints, follow, hold: false });
    let nominal_s = screw.duration_s(&frame_from_hand);
    Ok((
        Intent {
            order,
            queueing: Queueing::Override,
            nominal_s,
            joints: joints_of(body, &parts)?,
            may_touch_body: settings.may_touch_body,
        },
        goal,
    ))
}
