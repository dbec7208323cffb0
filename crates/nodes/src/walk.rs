use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Job, JobAnswer, JobId, Mirror, StepType, Tick};
use footsteps::{Planar, Planning, Waypoint};
use geometry::Pose;
use model::{Drag, Fixed, Foreign, Gives, Handle, Looks, Offer, Stands};
use robot::interface::{Footstep, Order, Queueing};
use robot::{BodyFrame, Preview, Robot, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::feet::{both_legs, is_stepping, legs_claimed};
use crate::body::goal::PoseTolerance;
use crate::body::leg_checks;
use crate::body::motion::{self, Intent, Motion};
use crate::body::place::{FootSetting, PointSetting, WaypointSetting};
use crate::body::preview;
use crate::body::setting::{FrameName, PoseSetting};
use crate::body::walking::{Soles, Stance, Wishes, given, going_through, planning};
use crate::thesis;
use crate::why_not::{Lack, WhyNot};

pub struct Walk;

/// What says where the feet go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Steps are planned when the walk begins, to stand at `stance` and face `focal`.
    #[default]
    Goal,
    /// `steps`, as they are written; where the ground is known, it says how high and how tilted.
    Steps,
}

/// What finds the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Planner {
    /// As few steps as it can, on flat ground.
    #[default]
    Quick,
    /// Turns, walks straight, turns.
    TurnWalkTurn,
    /// Searches for footholds, also on rough ground.
    AStar,
}

/// The kind of ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parameters {
    /// Level floors of rooms.
    #[default]
    Flat,
    /// Rubble and blocks.
    Rough,
    /// Treads shorter than a foot.
    Stairs,
    /// Between walls.
    Narrow,
}

impl Parameters {
    fn set(self) -> Result<footsteps::Parameters, Cannot> {
        let name = match self {
            Parameters::Flat => "flat",
            Parameters::Rough => "rough",
            Parameters::Stairs => "stairs",
            Parameters::Narrow => "narrow",
        };
        footsteps::Parameters::built_in(name).ok_or_else(|| WhyNot::NoParameters { name }.into())
    }
}

/// The foot that steps first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum First {
    /// Whichever gets there sooner.
    #[default]
    Auto,
    Left,
    Right,
}

/// One step of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// The foot that steps.
    pub side: Side,
    /// Where its sole lands.
    pub pose: PoseSetting,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What says where the feet go: a goal that steps are planned to, or the steps themselves.
    pub by: By,
    /// The frame of the goal and of the steps, as it is when the walk begins.
    pub frame: FrameName,
    /// By goal: the middle between the feet at the end.
    #[schemars(extend("x-by" = ["goal"]))]
    pub stance: PointSetting,
    /// By goal: what the robot faces at the end. The farther it is from the stance, the finer it turns.
    #[schemars(extend("x-by" = ["goal"]))]
    pub focal: PointSetting,
    /// By goal: where the left foot ends, seen from the stance; left out, half a stance width to the left.
    #[schemars(extend("x-by" = ["goal"]))]
    pub left_foot: Option<FootSetting>,
    /// By goal: where the right foot ends, seen from the stance; left out, half a stance width to the right.
    #[schemars(extend("x-by" = ["goal"]))]
    pub right_foot: Option<FootSetting>,
    /// By goal: ends with both feet where they belong. Otherwise the walk may end with one step less.
    #[schemars(extend("x-by" = ["goal"]))]
    pub square_up: bool,
    /// By goal: places to pass on the way, in this order.
    #[schemars(extend("x-by" = ["goal"]))]
    pub waypoints: Vec<WaypointSetting>,
    /// By goal: what finds the steps.
    #[schemars(extend("x-by" = ["goal"]))]
    pub planner: Planner,
    /// By goal: the foot that steps first.
    #[schemars(extend("x-by" = ["goal"]))]
    pub first: First,
    /// The kind of ground: how feet are set on it, and what a plan is to avoid.
    pub parameters: Parameters,
    /// How far the robot keeps from obstacles; left out, as the parameters say.
    #[schemars(range(min = 0.0, max = 5.0), extend("x-unit" = "m"))]
    pub obstacle_clearance_m: Option<f64>,
    /// By goal: how long a step is at most; left out, as the parameters say, or three quarters of what the robot can.
    #[schemars(range(min = 0.02, max = 2.0), extend("x-by" = ["goal"], "x-unit" = "m"))]
    pub step_length_m: Option<f64>,
    /// By goal: how long a search for steps may take; then the best found so far are walked.
    #[schemars(range(min = 0.01, max = 60.0), extend("x-by" = ["goal"], "x-unit" = "s"))]
    pub planning_s: f64,
    /// By steps: the steps, in this order.
    #[schemars(extend("x-by" = ["steps"]))]
    pub steps: Vec<Step>,
    /// How long a foot is in the air.
    #[schemars(range(min = 0.1, max = 60.0), extend("x-unit" = "s"))]
    pub swing_s: f64,
    /// How long both feet are on the ground before each swing.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "s"))]
    pub transfer_s: f64,
    /// How far off a foot may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal a foot may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            by: By::Goal,
            frame: FrameName::named("walking"),
            stance: PointSetting::default(),
            focal: PointSetting { x_m: 1.0, ..PointSetting::default() },
            left_foot: None,
            right_foot: None,
            square_up: true,
            waypoints: Vec::new(),
            planner: Planner::Quick,
            first: First::Auto,
            parameters: Parameters::Flat,
            obstacle_clearance_m: None,
            step_length_m: None,
            planning_s: 2.0,
            steps: Vec::new(),
            swing_s: 0.8,
            transfer_s: 0.5,
            position_tolerance_m: 0.1,
            orientation_tolerance_deg: 15.0,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    /// Steps are being found.
    planning: Option<JobId>,
    /// Where the feet are to end.
    soles: Option<Soles>,
    steps: usize,
    steps_done: usize,
}

/// The feet at the end are seen from between them.
const ON_STANCE: Stands = Stands::At { place: "stance", facing: "focal" };

const fn step_of(title: &'static str, short: &'static str, side: &'static str) -> Offer {
    let gives = Gives::Entry { list: "steps", pose: "pose", side };
    Offer { title, short, looks: Looks::Foot, with: &[("by", Fixed::Text("steps"))], gives }
}

impl StepType for Walk {
    const NAME: &'static str = "walk";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Walks: to a place, facing a point, or by steps that are given one by one. While another walk runs, `on_conflict` says \
         whether this one waits for its end or takes over after the step under way.";
    const ICON: Option<&'static str> = Some("footprints");
    const WORDS: &'static [&'static str] = &["go", "move", "step", "drive", "footsteps", "turn around"];
    const FOREIGN: &'static [Foreign] = thesis::WALK;
    const HANDLES: &'static [Handle] = &[
        Handle { drag: Drag::Place, ..Handle::pose("stance", Looks::Point) },
        Handle { drag: Drag::Ground, ..Handle::pose("waypoints", Looks::Point) },
        Handle { drag: Drag::Place, title: Some("faces"), ..Handle::pose("focal", Looks::Point) },
        Handle {
            stands: ON_STANCE,
            drag: Drag::Ground,
            title: Some("left"),
            side: Some("left"),
            ..Handle::pose("left_foot", Looks::Foot)
        },
        Handle {
            stands: ON_STANCE,
            drag: Drag::Ground,
            title: Some("right"),
            side: Some("right"),
            ..Handle::pose("right_foot", Looks::Foot)
        },
        Handle { part: Some("pose"), drag: Drag::Ground, ..Handle::pose("steps", Looks::Foot) },
    ];
    const OFFERS: &'static [Offer] = &[
        step_of("Add a left step", "Left foot", "left"),
        step_of("Add a right step", "Right foot", "right"),
        Offer {
            title: "Add a walk",
            short: "Walk",
            looks: Looks::Point,
            with: &[],
            gives: Gives::Ground { place: "stance", facing: "focal" },
        },
    ];
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        legs_claimed()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        let step_s = settings.swing_s + settings.transfer_s;
        (settings.by == By::Steps).then_some(settings.steps.len() as f64 * step_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        match settings.by {
            By::Steps => {
                let steps: Vec<(Side, Pose)> =
                    settings.steps.iter().map(|step| (step.side, step.pose.pose())).collect();
                leg_checks::steps(robot, &steps).into_iter().map(|wrong| ("steps", wrong)).collect()
            }
            By::Goal => {
                let feet = [settings.left_foot, settings.right_foot];
                let field = if settings.left_foot.is_some() { "left_foot" } else { "right_foot" };
                let wrong = leg_checks::stance(robot, feet.map(|foot| foot.map(|foot| foot.pose())));
                wrong.into_iter().map(|wrong| (field, wrong)).collect()
            }
        }
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        let steps = wanted(settings, body).and_then(|wanted| match wanted {
            Wanted::Given(steps) => Ok(steps),
            Wanted::Planned(planning) => planning.run(&|| false).steps.map_err(Cannot::told),
        });
        let is_planned = settings.by == By::Goal;
        Some(steps.and_then(|steps| match steps.is_empty() && is_planned {
            // It is there already.
            true => Ok(preview::at_rest(body)),
            false => preview::of(body, &Order::Footsteps { steps }),
        }))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let frame = &settings.frame;
        settings.stance.mirror(frame, mirror)?;
        settings.focal.mirror(frame, mirror)?;
        for waypoint in &mut settings.waypoints {
            waypoint.mirror(frame, mirror)?;
        }
        for step in &mut settings.steps {
            step.pose.mirror(frame, mirror)?;
            step.side = mirror.side(step.side);
        }
        let (left, right) = (settings.left_foot, settings.right_foot);
        (settings.left_foot, settings.right_foot) =
            (right.map(|foot| foot.mirrored()), left.map(|foot| foot.mirrored()));
        settings.first = match settings.first {
            First::Auto => First::Auto,
            First::Left => First::Right,
            First::Right => First::Left,
        };
        settings.frame.mirror(mirror);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        if settings.by == By::Steps {
            return Err(WhyNot::StepsAreAWay.into());
        }
        let frame_from_world = body.world_from(&settings.frame.0)?.inverse();
        let world_from_walking = body.poses().world_from(BodyFrame::Walking);
        let world_from_ahead = world_from_walking * Pose::from_translation(1.0, 0.0, 0.0);
        settings.stance = PointSetting::measured(&(frame_from_world * world_from_walking));
        settings.focal = PointSetting::measured(&(frame_from_world * world_from_ahead));
        let middle_from_world = world_from_walking.inverse();
        let [left, right] = Soles::now(body).both().map(|sole| FootSetting::measured(&(middle_from_world * sole)));
        (settings.left_foot, settings.right_foot) = (Some(left), Some(right));
        Ok(())
    }

    /// Half a metre ahead.
    fn begin(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        let frame_from_walking =
            body.world_from(&settings.frame.0)?.inverse() * body.poses().world_from(BodyFrame::Walking);
        let ahead = |ahead_m| PointSetting::measured(&(frame_from_walking * Pose::from_translation(ahead_m, 0.0, 0.0)));
        (settings.stance, settings.focal) = (ahead(0.5), ahead(1.5));
        Ok(())
    }

    fn take_steps(settings: &mut Settings, steps: &[(Side, Pose)], body: &Body) -> Result<(), Cannot> {
        let frame_from_world = body.world_from(&settings.frame.0)?.inverse();
        let step = |(side, world_from_sole): &(Side, Pose)| Step {
            side: *side,
            pose: PoseSetting::measured(&(frame_from_world * *world_from_sole)),
        };
        settings.steps = steps.iter().map(step).collect();
        settings.by = By::Steps;
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        let from = &settings.frame;
        settings.stance.change_frame(from, to, body)?;
        settings.focal.change_frame(from, to, body)?;
        for waypoint in &mut settings.waypoints {
            waypoint.change_frame(from, to, body)?;
        }
        for step in &mut settings.steps {
            step.pose.change_frame(from, to, body)?;
        }
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let State { motion, planning, soles, steps, steps_done } = state;
        let mut found = Vec::new();
        if soles.is_none() {
            match footsteps_of(settings, planning, context) {
                Err(reason) => return Tick::failure(reason),
                Ok(None) => return Tick::Running,
                Ok(Some(planned)) if planned.is_empty() => return Tick::SUCCESS,
                Ok(Some(planned)) => found = planned,
            }
            *steps = found.len();
        }
        let tolerance =
            PoseTolerance { position_m: settings.position_tolerance_m, angle_deg: settings.orientation_tolerance_deg };
        let judge = |body: &Body, soles: &Soles| soles.reached(body, tolerance);
        let tick = motion::tick_towards(motion, soles, context, |body| plan(body, found), judge);
        if let Ok(walking) = context.body().map(|body| &body.state().walking)
            && walking.steps == *steps
        {
            *steps_done = walking.steps_done;
        }
        tick
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

/// None: not yet. The feet wait for the steps of another walk to end, or for their own to be found.
fn footsteps_of(
    settings: &Settings,
    planning: &mut Option<JobId>,
    context: &mut Context<'_>,
) -> Result<Option<Vec<Footstep>>, Cannot> {
    if let Some(job) = *planning {
        return match context.take_answer(job) {
            Some(JobAnswer::Footsteps(steps)) => steps.map(Some).map_err(Cannot::told),
            // Of another kind: not of this job.
            Some(JobAnswer::Behavior(_)) | None => Ok(None),
        };
    }
    if is_stepping(context) {
        return Ok(None);
    }
    match wanted(settings, context.body()?)? {
        Wanted::Given(steps) => match going_through(context.body()?, &steps) {
            None => Ok(Some(steps)),
            Some(work) => {
                *planning = Some(context.give_job(Job::GoingThrough(work)));
                Ok(None)
            }
        },
        Wanted::Planned(work) => {
            *planning = Some(context.give_job(Job::Footsteps(work)));
            Ok(None)
        }
    }
}

/// In the world, from where everything is now.
enum Wanted {
    Given(Vec<Footstep>),
    /// Steps that are still to be found.
    Planned(Box<Planning>),
}

fn wanted(settings: &Settings, body: &Body) -> Result<Wanted, Cannot> {
    let world_from_frame = body.world_from(&settings.frame.0)?;
    if settings.by == By::Goal {
        return by_goal(settings, body, &world_from_frame).map(|planning| Wanted::Planned(Box::new(planning)));
    }
    if settings.steps.is_empty() {
        return Err(Lack::Steps.into());
    }
    let step = |step: &Step| Footstep {
        side: step.side,
        world_from_sole: world_from_frame * step.pose.pose(),
        swing_s: settings.swing_s,
        transfer_s: settings.transfer_s,
        swing_height_m: body.robot().walking.swing_height_m,
    };
    let steps: Vec<Footstep> = settings.steps.iter().map(step).collect();
    Ok(Wanted::Given(given(body, steps, parameters(settings)?)?))
}

fn parameters(settings: &Settings) -> Result<footsteps::Parameters, Cannot> {
    let mut set = settings.parameters.set()?;
    set.body.clearance_m = settings.obstacle_clearance_m.unwrap_or(set.body.clearance_m);
    Ok(set)
}

fn by_goal(settings: &Settings, body: &Body, world_from_frame: &Pose) -> Result<Planning, Cannot> {
    let stance = Stance {
        world_from_stance: *world_from_frame * settings.stance.pose(),
        world_from_focal: *world_from_frame * settings.focal.pose(),
        middle_from_soles: [settings.left_foot, settings.right_foot].map(|foot| foot.map(|foot| foot.pose())),
        square_up: settings.square_up,
    };
    let waypoint = |waypoint: &WaypointSetting| {
        let at = Planar::of(&(*world_from_frame * waypoint.pose()));
        Waypoint { at_m: [at.x_m, at.y_m], yaw_rad: waypoint.yaw_deg.map(|_| at.yaw_rad) }
    };
    let wishes = Wishes {
        planner: match settings.planner {
            Planner::Quick => footsteps::Planner::Quick,
            Planner::TurnWalkTurn => footsteps::Planner::TurnWalkTurn,
            Planner::AStar => footsteps::Planner::AStar,
        },
        first: match settings.first {
            First::Auto => footsteps::First::Auto,
            First::Left => footsteps::First::Left,
            First::Right => footsteps::First::Right,
        },
        waypoints: settings.waypoints.iter().map(waypoint).collect(),
        swing_s: settings.swing_s,
        transfer_s: settings.transfer_s,
        parameters: parameters(settings)?,
        step_length_m: settings.step_length_m,
        planning_s: settings.planning_s,
    };
    Ok(planning(body, &stance, wishes))
}

fn plan(body: &Body, steps: Vec<Footstep>) -> Result<(Intent, Soles), Cannot> {
    let joints = both_legs(body)?;
    let soles = Soles::now(body).after(&steps);
    let nominal_s = steps.iter().map(|step| step.swing_s + step.transfer_s).sum();
    Ok((
        Intent {
            order: Order::Footsteps { steps },
            queueing: Queueing::Override,
            nominal_s,
            joints,
            may_touch_body: false,
        },
        soles,
    ))
}
