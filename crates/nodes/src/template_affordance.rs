use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use geometry::Pose;
use robot::interface::{HandPath, HandWaypoint, Order, Queueing, Reach};
use robot::{BodyFrame, Preview, Robot, Side};
use scene::template::{Affordance, AffordedMotion, Tool, Way};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::frame::{Goal, given};
use crate::body::goal::{PoseTolerance, hand_reached};
use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::body::reach::moved_by;
use crate::template_goal::{Which, check_object};
use crate::why_not::WhyNot;

pub struct TemplateAffordance;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object of the scene.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// The class of the template; left out, that of the object. The template of another class serves where the motion is
    /// the same: a valve's for a steering wheel.
    pub template: String,
    /// The affordance of the template; left out, its first.
    pub affordance: String,
    /// The hand that moves.
    pub side: Side,
    /// The point of what the hand has attached that follows the affordance; left out, the hand itself.
    pub usability: String,
    /// How far a straight one goes; left out, as the template says.
    #[schemars(extend("x-unit" = "m"))]
    pub displacement_m: Option<f64>,
    /// How far a circular one turns; left out, as the template says.
    #[schemars(extend("x-unit" = "deg"))]
    pub displacement_deg: Option<f64>,
    /// How far a circular one goes along its axis with every whole turn; left out, as the template says.
    #[schemars(extend("x-unit" = "m"))]
    pub pitch_m: Option<f64>,
    /// Whether the tool keeps its orientation; left out, as the template says.
    pub keep_orientation: Option<bool>,
    /// How fast a straight one is; left out, as the template says.
    #[schemars(range(min = 0.001, max = 10.0), extend("x-unit" = "m/s"))]
    pub speed_m_s: Option<f64>,
    /// How fast a circular one turns; left out, as the template says.
    #[schemars(range(min = 0.1, max = 720.0), extend("x-unit" = "deg/s"))]
    pub speed_deg_s: Option<f64>,
    /// For an object that is built the other way round: the template in the mirror of the object's x-z plane.
    pub mirrored: bool,
    /// How many times as large as the template the object is.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub scale: f64,
    /// Whether the spine helps the hand.
    pub reach: Reach,
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
            object: String::new(),
            template: String::new(),
            affordance: String::new(),
            side: Side::Right,
            usability: String::new(),
            displacement_m: None,
            displacement_deg: None,
            pitch_m: None,
            keep_orientation: None,
            speed_m_s: None,
            speed_deg_s: None,
            mirrored: false,
            scale: 1.0,
            reach: Reach::Arm,
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

impl StepType for TemplateAffordance {
    const NAME: &'static str = "template_affordance";
    const GROUP: &'static str = "template";
    const DOC: &'static str = "Moves a hand as the object's template affords, from wherever the hand is: turns a \
                               valve, presses a lever, pushes a box. A point of a held object may follow the motion \
                               in the hand's place.";
    const WORDS: &'static [&'static str] = &["turn", "open", "pull", "push", "use"];
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        moved_by(settings.side, settings.reach).iter().map(|part| part.word().into()).collect()
    }

    fn check(settings: &Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        let straight = settings.displacement_m.or(settings.speed_m_s);
        let round = settings.displacement_deg.or(settings.speed_deg_s).or(settings.pitch_m);
        let mut wrong = check_object(&settings.object);
        if straight.is_some() && round.is_some() {
            let both = "metres are for a straight affordance, degrees and a pitch for a circular one: keep one of them";
            wrong.push(("displacement_m", both.to_owned()));
        }
        wrong
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.object = mirror.frame(&settings.object);
        settings.side = mirror.side(settings.side);
        settings.mirrored = !settings.mirrored;
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
    let parts = moved_by(settings.side, settings.reach);
    let given = given(body, &settings.object, &parts, false)?;
    let here = Goal { frame: given.frame.clone(), frame_from_thing: Pose::identity() };
    let world_from_hand = body.poses().world_from(BodyFrame::Hand(settings.side));
    let frame_from_hand = here.world_from_thing(body)?.inverse() * world_from_hand;
    let affordance = settings.affordance(body)?;
    let displacement = affordance.displacement();
    if displacement == 0.0 {
        return Err(WhyNot::GoesNowhere { affordance: affordance.name }.into());
    }
    let way = affordance.way(&given.frame_from_named, &frame_from_hand, &settings.tool(body)?, displacement);
    let frame_from_thing = way.frame_from_hand.last().copied().unwrap_or(frame_from_hand);
    let goal = Goal { frame: given.frame.clone(), frame_from_thing };
    let waypoints = timed(&way);
    let nominal_s = waypoints.last().map_or(0.0, |last| last.time_s);
    let path = HandPath {
        side: settings.side,
        reach: settings.reach,
        frame: given.frame,
        waypoints,
        follow: false,
        hold: false,
    };
    let joints = joints_of(body, &parts)?;
    Ok((
        Intent {
            order: Order::Hand(path),
            queueing: Queueing::Override,
            nominal_s,
            joints,
            may_touch_body: settings.may_touch_body,
        },
        goal,
    ))
}

/// At rest at both ends, for which the first and the last part take twice the time of the others.
fn timed(way: &Way) -> Vec<HandWaypoint> {
    let parts = way.frame_from_hand.len().saturating_sub(1).max(1);
    let part_s = way.duration_s / parts as f64;
    let time_s = |index: usize| (index + usize::from(index > 0) + usize::from(index == parts)) as f64 * part_s;
    let poses = way.frame_from_hand.iter().enumerate();
    poses.map(|(index, pose)| HandWaypoint { time_s: time_s(index), frame_from_hand: *pose }).collect()
}

impl Settings {
    /// As the template says, but for what the step says otherwise.
    fn affordance(&self, body: &Body) -> Result<Affordance, Cannot> {
        let Settings { object, template, mirrored, scale, .. } = self;
        let template = Which { object, template, mirrored: *mirrored, scale: *scale }.template(body)?;
        let mut affordance = template.affordance(&self.affordance).map_err(WhyNot::from)?.clone();
        let name = &affordance.name;
        // Written for the object that is not in the mirror.
        let turned = if *mirrored { -1.0 } else { 1.0 };
        match &mut affordance.motion {
            AffordedMotion::Cartesian { displacement_m, speed_m_s } => {
                if self.displacement_deg.or(self.speed_deg_s).or(self.pitch_m).is_some() {
                    return Err(WhyNot::IsStraight { affordance: name.clone() }.into());
                }
                *displacement_m = self.displacement_m.unwrap_or(*displacement_m);
                *speed_m_s = self.speed_m_s.unwrap_or(*speed_m_s);
            }
            AffordedMotion::Circular { displacement_deg, pitch_m, speed_deg_s } => {
                if self.displacement_m.or(self.speed_m_s).is_some() {
                    return Err(WhyNot::IsCircular { affordance: name.clone() }.into());
                }
                *displacement_deg = self.displacement_deg.map_or(*displacement_deg, |angle_deg| turned * angle_deg);
                *pitch_m = self.pitch_m.map_or(*pitch_m, |pitch_m| turned * pitch_m);
                *speed_deg_s = self.speed_deg_s.unwrap_or(*speed_deg_s);
            }
        }
        affordance.keep_orientation = self.keep_orientation.unwrap_or(affordance.keep_orientation);
        Ok(affordance)
    }

    fn tool(&self, body: &Body) -> Result<Tool, Cannot> {
        if self.usability.is_empty() {
            return Ok(Tool::hand());
        }
        let in_hand = body.scene().held().in_hand(self.side).map_err(WhyNot::from)?;
        let template = Which { object: &in_hand.object, template: "", mirrored: false, scale: 1.0 }.template(body)?;
        let usability = template.usability(&self.usability).map_err(WhyNot::from)?;
        Ok(Tool::of_held(&in_hand.hand_from_object, &usability))
    }
}
