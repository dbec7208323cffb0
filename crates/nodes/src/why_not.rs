//! What only the built-in steps fail with.

use std::fmt;

use engine::Cannot;
use robot::{ChainError, PartName, Side};
use scene::derived::DerivedError;
use scene::template::{HeldError, TemplateError};
use thiserror::Error;

use crate::body::goal::PoseMiss;
use crate::body::motion::MotionFailure;

#[derive(Clone, Debug, Error)]
pub enum WhyNot {
    #[error("it {0}")]
    Lacks(Lack),
    #[error("`{object}` has no nominal pose: give it one to preview with")]
    NoNominalPose { object: String },
    #[error("found {times} times, as often as in a preview it is")]
    FoundOften { times: u32 },
    #[error("angles of joints are in no frame: let it go by orientation first")]
    AnglesInNoFrame,
    #[error("steps say a way, not where the robot is: let it go by goal first")]
    StepsAreAWay,
    #[error("a waypoint is at {at} of the way: each must be behind the one before, above 0 and below 1")]
    WaypointOutOfOrder { at: f64 },
    #[error("`{field}` has {given} numbers, but the {part} of robot `{robot}` has {wanted} joints")]
    Count { field: &'static str, given: usize, part: PartName, robot: String, wanted: usize },
    #[error("there are {given} angles for the {joints} joints of the {part}")]
    MirroredCount { given: usize, joints: usize, part: PartName },
    #[error("there are no parameters `{name}`")]
    NoParameters { name: &'static str },

    #[error("robot `{robot}` has no {what} `{name}`; it has {}", known.join(", "))]
    NoneNamed { robot: String, what: &'static str, name: String, known: Vec<String> },
    #[error("robot `{robot}` has no joint `{joint}`")]
    NoJoint { robot: String, joint: String },
    #[error("robot `{robot}` has no joint `{joint}` in its {part}; it has {}", known.join(", "))]
    NoJointInPart { robot: String, joint: String, part: PartName, known: Vec<String> },
    #[error("robot `{robot}` has no {} hand that opens", side.word())]
    NoGripper { robot: String, side: Side },
    #[error("the {part} of robot `{robot}` has no joint that makes it {turn}")]
    NoTurn { robot: String, part: PartName, turn: &'static str },
    #[error("joint `{joint}` slides: give it in `positions_m`")]
    Slides { joint: String },
    #[error("joint `{joint}` turns: give it in `angles_deg`")]
    Turns { joint: String },

    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("object `{object}` has no template: {why}. Give `template`")]
    NoTemplate { object: String, why: String },
    #[error("affordance `{affordance}` goes nowhere: give a displacement")]
    GoesNowhere { affordance: String },
    #[error("affordance `{affordance}` is straight: give `displacement_m` and `speed_m_s`")]
    IsStraight { affordance: String },
    #[error("affordance `{affordance}` is circular: give `displacement_deg` and `speed_deg_s`")]
    IsCircular { affordance: String },
    #[error(transparent)]
    Held(#[from] HeldError),

    #[error("`{name}` is a frame of the robot: an object needs another name")]
    NameOfFrame { name: String },
    #[error("there is no object `{object}` to {what}: {}", known_objects(known))]
    NoObject { object: String, what: &'static str, known: Vec<String> },
    #[error("no picture was taken since the step began: is there a camera?")]
    NoNewPicture,
    #[error("there is no new picture of {} to count points in", camera_or_any(camera.as_deref()))]
    NoPictureToCount { camera: Option<String> },
    #[error("no camera saw anything in {within_s} s: run it in a world, or look at it with `coact preview`")]
    NothingSeen { within_s: f64 },
    #[error("no `{class}` of detector `{detector}` was found in {within_s} s: `{other}` sees one")]
    SeenByOther { class: String, detector: String, within_s: f64, other: String },
    #[error(
        "no stable `{class}` was found in {within_s} s: {seen} seen, too seldom, too unsure{} or taken by another object",
        if *in_regions { ", not within the regions" } else { "" }
    )]
    Unstable { class: String, within_s: f64, seen: usize, in_regions: bool },
    #[error("no `{class}` was seen in {within_s} s; seen was {}", or_nothing(others))]
    NotSeen { class: String, within_s: f64, others: Vec<String> },
    #[error(transparent)]
    Derived(#[from] DerivedError),

    #[error(
        "it would drive {} {:.1} cm into {} of its own body: choose another pose or way, or set `may_touch_body` if that \
         is meant",
        links[0], depth_m * 100.0, links[1]
    )]
    TouchesItself { links: [String; 2], depth_m: f64 },
    #[error(transparent)]
    Chain(#[from] ChainError),
    #[error("the {} hand cannot get there: the nearest is {off_m:.3} m and {off_deg:.1}° off", side.word())]
    OutOfReach { side: Side, off_m: f64, off_deg: f64 },
    #[error("the spine cannot turn the chest so: it stays {off_deg:.1}° off; {allowed_deg}° are allowed")]
    ChestOutOfReach { off_deg: f64, allowed_deg: f64 },

    #[error(transparent)]
    Motion(#[from] MotionFailure),
    #[error("its joints ended {off_deg:.1}° from the goal, all errors added up; {allowed_deg:.1}° are allowed")]
    JointsMissed { off_deg: f64, allowed_deg: f64 },
    #[error("joint `{joint}` ended {off_deg:.1}° from the goal; {allowed_deg}° are allowed")]
    JointMissed { joint: String, off_deg: f64, allowed_deg: f64 },
    #[error("the {} gripper ended {off_deg:.1}° from its opening; {allowed_deg}° are allowed", side.word())]
    OpeningMissed { side: Side, off_deg: f64, allowed_deg: f64 },
    #[error("{}", each(misses))]
    Missed { misses: Vec<PoseMiss> },
    #[error("the robot is still frozen")]
    StillFrozen,
    #[error("the robot is not frozen")]
    NotFrozen,
}

/// What a step cannot do without.
#[derive(Clone, Copy, Debug)]
pub enum Lack {
    Motion,
    Object,
    Joint,
    Steps,
    Wrench,
    NominalPose,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lack::Motion => "neither turns nor moves the hand: give `rotation_deg` or `translation_m`",
            Lack::Object => "names no object: give `object`",
            Lack::Joint => "names no joint: give one in `angles_deg`",
            Lack::Steps => "has no steps: give some, or let it go by goal",
            Lack::Wrench => "presses with nothing: give a force or a torque",
            Lack::NominalPose => "has no nominal pose",
        })
    }
}

impl From<WhyNot> for Cannot {
    fn from(why: WhyNot) -> Cannot {
        Cannot::of_type(why)
    }
}

impl From<Lack> for Cannot {
    fn from(lack: Lack) -> Cannot {
        WhyNot::Lacks(lack).into()
    }
}

fn each(misses: &[PoseMiss]) -> String {
    let misses: Vec<String> = misses.iter().map(ToString::to_string).collect();
    misses.join("; ")
}

fn known_objects(known: &[String]) -> String {
    if known.is_empty() { "no object was set up".to_owned() } else { format!("there are {}", known.join(", ")) }
}

fn camera_or_any(camera: Option<&str>) -> String {
    camera.map_or_else(|| "any camera".to_owned(), |camera| format!("camera `{camera}`"))
}

fn or_nothing(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
