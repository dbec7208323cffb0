//! Questions of what runs on the other side: it asks and is answered as if it were on this one.

use ::robot::{PartName, Robot};
use expression::{Query, frame_of, pose_of, pose_value};
use geometry::Pose;
use model::Value;

use super::super::body::Frames;
use crate::settings::{Mirror, Plane};
use crate::types::Cannot;

/// The answer to any question, as everything is now on the other side.
pub(in crate::world) fn of_body(frames: Frames<'_>, query: Query, about: &[Value]) -> Result<Value, Cannot> {
    let there: Vec<Value> =
        about.iter().enumerate().map(|(place, value)| turned(frames.body.robot(), query, (place, value))).collect();
    let answer = super::of_body(frames, query, &there)?;
    Ok(if turns_answer(query, about) { other(answer) } else { answer })
}

pub(crate) fn frame(robot: &Robot, frame: &str) -> String {
    Mirror { robot, plane: Plane::World, body: None }.frame(frame)
}

fn turned(robot: &Robot, query: Query, (place, value): (usize, &Value)) -> Value {
    match value {
        Value::Text(text) if query.frames().contains(&place) => Value::text(&frame(robot, text)),
        Value::Text(_) if query.takes_side() && place == 0 => other(value.clone()),
        Value::Text(text) if query == Query::Has => match PartName::from_word(text) {
            Some(part) => Value::text(Mirror { robot, plane: Plane::World, body: None }.part(part).word()),
            None => value.clone(),
        },
        _ if query == Query::InFrame => in_frame_there(robot, other(value.clone())),
        _ => value.clone(),
    }
}

/// A pose that says itself in which frame it is.
fn in_frame_there(robot: &Robot, value: Value) -> Value {
    let Some(there) = frame_of(&value).map(|given_in| frame(robot, given_in)) else { return value };
    let Value::Map(mut entries) = value else { return value };
    std::sync::Arc::make_mut(&mut entries).insert("frame".into(), Value::text(&there));
    Value::Map(entries)
}

/// What it says has another sign there, or another side.
pub(crate) fn turns_answer(query: Query, about: &[Value]) -> bool {
    let is =
        |place: usize, words: &[&str]| matches!(about.get(place), Some(Value::Text(text)) if words.contains(&&**text));
    match query {
        Query::InFrame | Query::Hinge => true,
        Query::Angle => about.len() > 1,
        Query::Effort | Query::JointAngle => is(0, &["spine", "neck"]) && is(1, &["roll", "yaw"]),
        _ => false,
    }
}

/// A number, a side or a pose.
fn other(value: Value) -> Value {
    match &value {
        Value::Number(number) => Value::Number(0.0 - number),
        Value::Text(text) if **text == *"left" => Value::text("right"),
        Value::Text(text) if **text == *"right" => Value::text("left"),
        Value::Map(entries) => match pose_of(&value) {
            Some(pose) => with_entries(&pose.mirrored(), entries),
            None => value,
        },
        _ => value,
    }
}

/// What else it says, as in which frame it is, stays.
fn with_entries(pose: &Pose, entries: &std::collections::BTreeMap<std::sync::Arc<str>, Value>) -> Value {
    let Value::Map(numbers) = pose_value(pose) else { return pose_value(pose) };
    let mut all = entries.clone();
    all.extend(numbers.iter().map(|(key, number)| (key.clone(), number.clone())));
    Value::Map(std::sync::Arc::new(all))
}
