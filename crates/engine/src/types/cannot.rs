//! Why a step cannot do what it should. The sentence is made where the step ends.

use std::error::Error as StdError;
use std::sync::Arc;

use expression::EvaluationError;
use robot::PartName;
use thiserror::Error;

use crate::engine::{MAX_NESTING, MAX_STEPS, MAX_USES};
use crate::run::MAX_CALLS;

#[derive(Clone, Debug, Error)]
pub enum Cannot {
    #[error("there is no robot to move: run it with --robot")]
    NoRobot,
    #[error("there is no robot whose frames could be asked for")]
    NoRobotToAsk,
    #[error("no picture was taken: is there a camera?")]
    NoPicture,
    #[error("there is no frame `{frame}` now; there are {}", known.join(", "))]
    UnknownFrame { frame: String, known: Vec<String> },
    #[error("tokens and results of nodes are known only while it runs")]
    OnlyARunKnows,
    #[error("a name in quotes is needed, not {found}")]
    NoName { found: &'static str },
    #[error("`{word}` is no side: write 'left' or 'right'")]
    NoSide { word: String },
    #[error("robot `{robot}` has no joint for the role `{role}` of `{of}`; there are {}", known.join(", "))]
    NoRole { robot: String, of: String, role: String, known: Vec<&'static str> },
    #[error("there is no object `{object}` in the scene{}", among(known))]
    NoObject { object: String, known: Vec<String> },
    #[error("`{object}` is no door: a step `door_panel` makes its frame")]
    NoDoor { object: String },
    #[error("nothing tells where `{object}` is when it is closed: a step `door_frame` finds that")]
    NoDoorFrame { object: String },
    #[error("nothing tells how large `{object}` is: it was not measured, and no template has its shape")]
    NoSize { object: String },
    #[error("a pose is needed, a map with x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg, not {found}")]
    NoPose { found: &'static str },
    #[error("robot `{robot}` has no {part}")]
    NoPart { robot: String, part: PartName },
    #[error("the {part} and the {other} do not mirror each other")]
    NotMirrored { part: PartName, other: PartName },
    #[error("nothing says what link `{link}` is on the other side: give the pose in another frame")]
    LinkWithoutSide { link: String },
    #[error("a pose in `{frame}` can only be mirrored across `{plane}` where both are known: connect to the robot")]
    MirroredUnseen { frame: String, plane: String },
    #[error("it has no pose and no angles to set")]
    NothingToSet,
    #[error("it has no steps of the feet")]
    NoSteps,
    #[error("it has no pose in a frame")]
    NoPoseInFrame,
    #[error("{0}")]
    Settings(Arc<serde_json::Error>),
    #[error("its settings cannot be read: {0}")]
    Unreadable(Box<Cannot>),
    #[error(transparent)]
    Expression(#[from] EvaluationError),
    /// A guard, by its word.
    #[error("`{word} {condition}` cannot be judged: {why}")]
    Judge { word: &'static str, condition: String, why: Box<Cannot> },
    #[error("input `{name}` is not given and has no default")]
    InputMissing { name: Arc<str> },
    /// All that a use is given and does not take.
    #[error("`{of}` does not start: {}", listed(wrong))]
    Inputs { of: Arc<str>, wrong: Vec<Cannot> },
    #[error("no step before it has an outcome: name one in `of`")]
    NoOutcomeBefore,
    #[error("there is no node `{name}` whose outcome could be asked")]
    NoNodeToAsk { name: String },
    #[error("this version does not know the type `{kind}`")]
    UnknownType { kind: String },
    #[error("skill file `{file}` could not be loaded")]
    SkillNotLoaded { file: String },
    #[error("skill `{file}` uses itself")]
    SkillInItself { file: String },
    #[error("calls are nested deeper than {MAX_CALLS}: it calls itself without end")]
    CallsTooDeep,
    #[error("more than {MAX_USES} uses and calls: it calls itself without end")]
    TooManyCalls,
    #[error("composites lie in each other more than {MAX_NESTING} deep")]
    NestedTooDeep,
    #[error(
        "the tree has more than {MAX_STEPS} steps or {MAX_USES} uses of skills: skills that use others several times \
         make so many"
    )]
    TooLong,
    #[error("the value of `{place}`, `{text}`, is not known: {why}")]
    ValueOf { place: String, text: Box<str>, why: Box<Cannot> },
    #[error("`{place}` is a value of the moment, `{text}`: what it is only a run knows")]
    OfTheMoment { place: String, text: Box<str> },
    #[error(
        "`{place}` is a value of the moment, `{text}`, and no expression says what that is on the other side: write out \
         what has a side, or use a skill `mirrored`"
    )]
    NoExpressionOfOtherSide { place: String, text: Box<str> },
    #[error("it cannot be done on the other side, as the use of its skill asks: {0}")]
    NoOtherSide(Box<Cannot>),
    #[error("{wrong}")]
    WrongValue { wrong: Box<str> },
    #[error("what it claims would be another between two attempts: claims do not follow values then")]
    ClaimsChanged,
    /// In the words of a robot, a planner or a library of templates.
    #[error("{0}")]
    Told(Box<str>),
    /// What only steps of one kind say.
    #[error(transparent)]
    OfType(Arc<dyn StdError + Send + Sync>),
}

fn listed(all: &[Cannot]) -> String {
    all.iter().map(Cannot::to_string).collect::<Vec<_>>().join("; ")
}

fn among(known: &[String]) -> String {
    if known.is_empty() { ": none was set up".to_owned() } else { format!("; there are {}", known.join(", ")) }
}

impl Cannot {
    pub fn of_type(error: impl StdError + Send + Sync + 'static) -> Cannot {
        Cannot::OfType(Arc::new(error))
    }

    pub fn told(text: impl Into<Box<str>>) -> Cannot {
        Cannot::Told(text.into())
    }
}

impl From<serde_json::Error> for Cannot {
    fn from(error: serde_json::Error) -> Cannot {
        Cannot::Settings(Arc::new(error))
    }
}

impl From<Cannot> for String {
    fn from(cannot: Cannot) -> String {
        cannot.to_string()
    }
}
