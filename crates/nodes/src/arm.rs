use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::{Foreign, Handle, Looks};
use robot::interface::{HandPath, HandWaypoint, Order, Queueing, Reach};
use robot::{PartName, Preview, Robot, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::checks;
use crate::body::frame::{Goal, given};
use crate::body::goal::{self, PoseTolerance, angles_now_deg, goals_deg, hand_name, mirror_angles, no_part};
use crate::body::joints::{JointGoals, joint_path};
use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::body::posture::Posture;
use crate::body::reach::{moved_by, solve_path};
use crate::body::setting::{FrameName, PoseSetting};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct Arm;

/// What says where the arm goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// `pose` of the hand in `frame`, on the way through `waypoints`.
    #[default]
    Pose,
    /// `angles_deg` of the joints, on the way through `waypoints`.
    Angles,
    /// A named configuration of the robot.
    Preset,
    /// `posture`: how the arm is bent, for any robot.
    Posture,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Waypoint {
    /// When the arm is there, as a share of the duration, above 0 and below 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub at: f64,
    /// Of the hand, where the arm goes by pose.
    #[schemars(extend("x-by" = ["pose"]))]
    pub pose: PoseSetting,
    /// Of the joints, where the arm goes by angles.
    #[schemars(extend("x-by" = ["angles"], "x-unit" = "deg", "x-part" = "arm"))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub angles_deg: Vec<f64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The arm that moves.
    pub side: Side,
    /// What says where the arm goes: a pose of its hand, the angles of its joints, a preset of the robot, or how it is bent.
    pub by: By,
    /// The frame of the poses: one of the body, or an object. The hand's own counts as it stands at the start.
    #[schemars(extend("x-by" = ["pose"]))]
    pub frame: FrameName,
    /// Where the hand ends.
    #[schemars(extend("x-by" = ["pose"]))]
    pub pose: PoseSetting,
    /// Of the arm's joints, from the shoulder outward.
    #[schemars(extend("x-by" = ["angles"], "x-unit" = "deg", "x-part" = "arm"))]
    pub angles_deg: Vec<f64>,
    /// A preset of the robot, `home` for example.
    #[schemars(extend("x-by" = ["preset"], "format" = "preset"))]
    pub preset: String,
    /// How the arm is bent, hanging down where nothing is said. Joints that cannot go so far go as far as they can.
    #[schemars(extend("x-by" = ["posture"]))]
    pub posture: Posture,
    /// Moved through on the way, without stopping.
    #[schemars(extend("x-by" = ["pose", "angles"]))]
    pub waypoints: Vec<Waypoint>,
    /// Whether the spine helps the hand to get there.
    pub reach: Reach,
    /// Keeps to the frame while it moves. Otherwise the path stays where it was when the step began; links of the body
    /// always take it along.
    pub follow: bool,
    /// Moves the joints evenly instead of the hand along a straight path; poses are solved when the step begins.
    pub joints_only: bool,
    /// By pose along a path of the hand: when the step has ended, the hand stays where it is in the world while the body
    /// moves, until its arm is told something else.
    #[schemars(extend("x-by" = ["pose"]))]
    pub hold_in_world: bool,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// By angles, preset or posture: how far off the joints may end, all errors added up.
    #[schemars(range(min = 0.0), extend("x-by" = ["angles", "preset", "posture"], "x-unit" = "rad"))]
    pub joint_tolerance_rad: f64,
    /// By pose: how far off the hand may end.
    #[schemars(range(min = 0.0), extend("x-by" = ["pose"], "x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// By pose: how far turned from its goal the hand may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-by" = ["pose"], "x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            by: By::Pose,
            frame: FrameName::named("chest"),
            pose: PoseSetting::default(),
            angles_deg: Vec::new(),
            preset: String::new(),
            posture: Posture::default(),
            waypoints: Vec::new(),
            reach: Reach::Arm,
            follow: false,
            joints_only: false,
            hold_in_world: false,
            duration_s: 4.0,
            joint_tolerance_rad: 0.3,
            position_tolerance_m: 0.15,
            orientation_tolerance_deg: 20.0,
            may_touch_body: false,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    target: Option<Target>,
}

/// Where it is to end, fixed at the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    Hand(Goal),
    Joints(JointGoals),
}

impl StepType for Arm {
    const NAME: &'static str = "arm";
    const GROUP: &'static str = "body";
    const DOC: &'static str =
        "Moves an arm: to joint angles, to a preset, to a posture, or so that the hand is at a pose in a frame.";
    const ICON: Option<&'static str> = Some("grab");
    const WORDS: &'static [&'static str] = &["reach", "move", "hand", "point", "wave"];
    const FOREIGN: &'static [Foreign] = thesis::ARM;
    const HANDLES: &'static [Handle] = &[
        Handle::pose("pose", Looks::Hand),
        Handle { part: Some("pose"), by: Some("pose"), ..Handle::pose("waypoints", Looks::Hand) },
    ];
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        moved(settings).iter().map(|part| part.word().into()).collect()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        if settings.by != By::Angles {
            return Vec::new();
        }
        let arm = PartName::Arm(settings.side);
        let goal = checks::part(robot, arm, &settings.angles_deg).into_iter().map(|wrong| ("angles_deg", wrong));
        let waypoints = settings.waypoints.iter().flat_map(|waypoint| checks::part(robot, arm, &waypoint.angles_deg));
        goal.chain(waypoints.map(|wrong| ("waypoints", wrong))).collect()
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let arm = PartName::Arm(settings.side);
        mirror_angles(&mut settings.angles_deg, arm, mirror)?;
        for waypoint in &mut settings.waypoints {
            mirror_angles(&mut waypoint.angles_deg, arm, mirror)?;
        }
        if settings.by == By::Pose {
            for pose in poses(&mut settings.pose, &mut settings.waypoints) {
                pose.mirror(&settings.frame, mirror)?;
            }
            settings.frame.mirror(mirror);
        }
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        match settings.by {
            By::Pose => settings.pose.set_to_robot(&settings.frame, hand_name(settings.side), body),
            By::Angles | By::Preset | By::Posture => {
                settings.by = By::Angles;
                settings.angles_deg = angles_now_deg(body, PartName::Arm(settings.side))?;
                Ok(())
            }
        }
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        for pose in poses(&mut settings.pose, &mut settings.waypoints) {
            pose.change_frame(&settings.frame, to, body)?;
        }
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let State { motion, target } = state;
        let judge = |body: &Body, target: &Target| reached(settings, target, body);
        motion::tick_towards(motion, target, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

fn poses<'a>(last: &'a mut PoseSetting, waypoints: &'a mut [Waypoint]) -> impl Iterator<Item = &'a mut PoseSetting> {
    waypoints.iter_mut().map(|waypoint| &mut waypoint.pose).chain(std::iter::once(last))
}

fn moved(settings: &Settings) -> Vec<PartName> {
    let reach = if settings.by == By::Pose { settings.reach } else { Reach::Arm };
    moved_by(settings.side, reach)
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, Target), Cannot> {
    let joints = joints_of(body, &moved(settings))?;
    let (order, target) = match settings.by {
        By::Pose => by_pose(settings, body)?,
        By::Angles => by_angles(settings, body)?,
        By::Preset => by_preset(settings, body)?,
        By::Posture => by_posture(settings, body)?,
    };
    Ok((
        Intent {
            order,
            queueing: Queueing::Override,
            nominal_s: settings.duration_s,
            joints,
            may_touch_body: settings.may_touch_body,
        },
        target,
    ))
}

/// When each waypoint and the end are, from the start.
fn times_s(settings: &Settings) -> Result<Vec<f64>, Cannot> {
    let mut before = 0.0;
    for waypoint in &settings.waypoints {
        if waypoint.at <= before || waypoint.at >= 1.0 {
            return Err(WhyNot::WaypointOutOfOrder { at: waypoint.at }.into());
        }
        before = waypoint.at;
    }
    let shares = settings.waypoints.iter().map(|waypoint| waypoint.at).chain([1.0]);
    Ok(shares.map(|share| share * settings.duration_s).collect())
}

fn by_pose(settings: &Settings, body: &Body) -> Result<(Order, Target), Cannot> {
    let follow = settings.follow && !settings.joints_only;
    let given = given(body, &settings.frame.0, &moved(settings), follow)?;
    let poses = settings.waypoints.iter().map(|waypoint| &waypoint.pose).chain([&settings.pose]);
    let waypoints: Vec<HandWaypoint> = (times_s(settings)?.into_iter().zip(poses))
        .map(|(time_s, pose)| HandWaypoint { time_s, frame_from_hand: given.frame_from_named * pose.pose() })
        .collect();
    let frame_from_thing = given.frame_from_named * settings.pose.pose();
    let target = Target::Hand(Goal { frame: given.frame.clone(), frame_from_thing });
    let (side, reach) = (settings.side, settings.reach);
    let path = HandPath { side, reach, frame: given.frame, waypoints, follow, hold: settings.hold_in_world };
    let order = if settings.joints_only { Order::Joints(solve_path(body, &path)?) } else { Order::Hand(path) };
    Ok((order, target))
}

fn by_angles(settings: &Settings, body: &Body) -> Result<(Order, Target), Cannot> {
    let arm = PartName::Arm(settings.side);
    let angles = settings.waypoints.iter().map(|waypoint| &waypoint.angles_deg).chain([&settings.angles_deg]);
    let goals =
        angles.map(|angles_deg| goals_deg(body, arm, "angles_deg", angles_deg)).collect::<Result<Vec<_>, _>>()?;
    let target = goals.last().cloned().unwrap_or_default();
    Ok((joint_path(body, times_s(settings)?.into_iter().zip(goals)), Target::Joints(target)))
}

fn by_preset(settings: &Settings, body: &Body) -> Result<(Order, Target), Cannot> {
    let robot = body.robot();
    let preset = &settings.preset;
    let positions = robot.configuration(preset).ok_or_else(|| {
        let known = robot.presets.keys().cloned().collect();
        WhyNot::NoneNamed { robot: robot.name.clone(), what: "preset", name: preset.clone(), known }
    })?;
    let arm = robot.part(PartName::Arm(settings.side));
    let goals: JointGoals = arm.into_iter().flat_map(|arm| &arm.coordinates).map(|at| (*at, positions[*at])).collect();
    Ok((joint_path(body, [(settings.duration_s, goals.clone())]), Target::Joints(goals)))
}

fn by_posture(settings: &Settings, body: &Body) -> Result<(Order, Target), Cannot> {
    let arm = PartName::Arm(settings.side);
    let goals = settings.posture.goals(body.robot(), arm).ok_or_else(|| no_part(body.robot(), arm))?;
    Ok((joint_path(body, [(settings.duration_s, goals.clone())]), Target::Joints(goals)))
}

fn reached(settings: &Settings, target: &Target, body: &Body) -> Result<(), Cannot> {
    match target {
        Target::Joints(goals) => goal::joints_reached(body, goals, settings.joint_tolerance_rad),
        Target::Hand(hand_goal) => {
            let tolerance = PoseTolerance {
                position_m: settings.position_tolerance_m,
                angle_deg: settings.orientation_tolerance_deg,
            };
            goal::hand_reached(body, settings.side, hand_goal, tolerance)
        }
    }
}
