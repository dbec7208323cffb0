//! Why a command of an operator is not done.

use model::NodeId;
use scene::SceneError;
use thiserror::Error;

use crate::Cannot;
use crate::operator::MOST_NAME;

#[derive(Clone, Debug, Error)]
pub enum Refused {
    #[error("node {via} is not a skill use or call here")]
    NoUse { via: NodeId },
    #[error("node {node} is not in the tree; it may have been deleted meanwhile")]
    NoNode { node: NodeId },
    #[error("that node is not a step")]
    NoStep,
    #[error("that node is not part of the tree that runs")]
    NotInRun,
    #[error("the track of `{node}` does not run")]
    TrackAtRest { node: String },
    #[error("it was pressed in this tick already")]
    PressedAlready,
    #[error("what it belongs to has ended")]
    Ended,
    /// What holds its track, as it is shown.
    #[error("{hold}")]
    Held { hold: String },
    #[error("`{lock}` is locked: next does not leave it for the end")]
    LockedToEnd { lock: String },
    #[error("the end is reached: run it from the start, or set next")]
    AtTheEnd,
    #[error("something still runs: stop it first")]
    StillRuns,
    #[error("next is in a locked node, which it does not leave: unlock it first")]
    NextLocked,
    #[error("it is halting already")]
    HaltingAlready,
    #[error("it does not run")]
    NotRunning,
    #[error("it does not ask anything now")]
    AsksNothing,
    #[error("it was answered in this tick already")]
    AnsweredAlready,
    /// In the words of the question.
    #[error("{why}")]
    NoAnswer { why: String },
    #[error("{}", nothing_held(held))]
    NothingHeld { held: Vec<String> },
    #[error("`{node}` is not held: {}", nothing_held(held))]
    NotHeld { node: String, held: Vec<String> },
    #[error("it is not held for being added by somebody else")]
    NotAdded,
    #[error("nothing is held for being added by somebody else")]
    NothingAdded,
    #[error("`{name}` is a sense of the robot: it can be read, not set")]
    Sense { name: String },
    #[error("`{name}` is a signal of the cell: it can be read, not set")]
    Signal { name: String },
    #[error("there is no variable `{name}`{}", hint(name, known))]
    NoVariable { name: String, known: Vec<String> },
    #[error("there is no robot, so that there is no scene")]
    NoScene,
    #[error("`{name}` is a frame of the robot or the world: give the object another name")]
    NameOfFrame { name: String },
    #[error("the name has {bytes} bytes: give it one of at most {MOST_NAME}")]
    LongName { bytes: usize },
    #[error("the pose is not one: give x, y, z in metres, then a quaternion x, y, z, w of length 1")]
    NoPose,
    #[error(transparent)]
    Cannot(#[from] Cannot),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// What could be named instead.
fn nothing_held(held: &[String]) -> String {
    let held: Vec<String> = held.iter().map(|label| format!("`{label}`")).collect();
    match held.is_empty() {
        true => "nothing waits for continue".to_owned(),
        false => format!("name what continues: {}", held.join(", ")),
    }
}

fn hint(name: &str, known: &[String]) -> String {
    const MOST: usize = 12;
    if let Some(near) = model::file::nearest(name, known.iter().map(String::as_str)) {
        return format!("; did you mean `{near}`?");
    }
    if known.is_empty() {
        return ": none is declared".to_owned();
    }
    let names: Vec<String> = known.iter().take(MOST).map(|own| format!("`{own}`")).collect();
    let more = if known.len() > MOST { " and others" } else { "" };
    format!("; there are {}{more}", names.join(", "))
}
