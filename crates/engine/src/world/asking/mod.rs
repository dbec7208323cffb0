//! What functions in expressions ask of the robot and of what is around it: one seam, for whoever runs, checks or previews.

pub(crate) mod mirrored;
mod now;
mod objects;
mod robot;
mod senses;

use ::robot::{PartName, Robot, Side};
use expression::{Env, Query, Slot};
use model::Value;

use super::body::Frames;
use crate::types::Cannot;

pub use now::evaluate;

/// The answer to a question about the robot, which is the same in every run; about anything else there is none.
fn of_robot(robot: &Robot, query: Query, about: &[Value]) -> Option<Result<Value, Cannot>> {
    robot::answer(robot, query, about).transpose()
}

/// The answer to any question, as everything is now.
pub(in crate::world) fn of_body(frames: Frames<'_>, query: Query, about: &[Value]) -> Result<Value, Cannot> {
    if let Some(answer) = of_robot(frames.body.robot(), query, about) {
        return answer;
    }
    match query {
        Query::Effort | Query::JointAngle | Query::HandForce | Query::HandTorque | Query::FootLoad => {
            senses::answer(frames.body, query, about)
        }
        _ => objects::answer(frames, query, about),
    }
}

/// What is wrong with a question, whatever is around the robot.
pub fn can_answer(robot: &Robot, query: Query, about: &[Value]) -> Result<(), Cannot> {
    match query {
        Query::Effort | Query::JointAngle => robot::joint(robot, about).map(drop),
        Query::HandForce | Query::HandTorque | Query::FootLoad => side(about).map(drop),
        _ => of_robot(robot, query, about).map_or(Ok(()), |answer| answer.map(drop)),
    }
}

/// Of expressions nothing but what they ask of a robot is known: for a checker.
pub struct RobotOnly<'r>(pub &'r Robot);

impl Env for RobotOnly<'_> {
    fn variable(&self, _: Slot) -> Option<&Value> {
        None
    }

    fn is_free(&self, _: u32) -> bool {
        false
    }

    fn outcome(&self, _: u32) -> &str {
        ""
    }

    fn result(&self, _: u32) -> &'static str {
        ""
    }

    fn time_s(&self) -> f64 {
        0.0
    }

    fn random(&self) -> f64 {
        0.0
    }

    fn ask(&self, query: Query, about: &[Value]) -> Result<Value, String> {
        match of_robot(self.0, query, about) {
            Some(answer) => Ok(answer?),
            None => Err(Cannot::NoRobotToAsk.to_string()),
        }
    }
}

fn text(about: &[Value], place: usize) -> Result<&str, Cannot> {
    match about.get(place) {
        Some(Value::Text(text)) => Ok(text),
        Some(other) => Err(Cannot::NoName { found: other.kind() }),
        None => Err(Cannot::NoName { found: "nothing" }),
    }
}

fn side(about: &[Value]) -> Result<Side, Cannot> {
    let word = text(about, 0)?;
    let side = Side::BOTH.into_iter().find(|side| side.word() == word);
    side.ok_or_else(|| Cannot::NoSide { word: word.to_owned() })
}

fn no_part(robot: &Robot, part: PartName) -> Cannot {
    Cannot::NoPart { robot: robot.name.clone(), part }
}
