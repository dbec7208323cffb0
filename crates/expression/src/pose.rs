//! Poses as values: maps with the entries that settings have, `{'x_m': 0.3, 'yaw_deg': 90}`. What is not there is 0.

use std::collections::BTreeMap;
use std::sync::Arc;

use geometry::{Pose, RollPitchYaw, Vector3};
use model::Value;

use crate::code::Items;
use crate::evaluate::{Evaluated, Program, finite, wrong};
use crate::val::Val;
use crate::{EvaluationError, Kind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PoseOperation {
    Make,
    Compose,
    Invert,
    Offset,
    Mirror,
    Between,
}

/// As people write them.
const ENTRIES: [&str; 6] = ["x_m", "y_m", "z_m", "roll_deg", "pitch_deg", "yaw_deg"];
/// A pose may say what it is given in.
const FRAME: &str = "frame";

/// None: not a map, one with other entries, or one whose entries are not numbers.
pub fn pose_of(value: &Value) -> Option<Pose> {
    let Value::Map(entries) = value else { return None };
    if entries.keys().any(|key| !ENTRIES.contains(&&**key) && **key != *FRAME) {
        return None;
    }
    let mut numbers = [0.0; 6];
    for (number, entry) in numbers.iter_mut().zip(ENTRIES) {
        match entries.get(entry) {
            None => {}
            Some(Value::Number(written)) => *number = *written,
            Some(_) => return None,
        }
    }
    let [x_m, y_m, z_m, roll, pitch, yaw] = numbers;
    let rpy = RollPitchYaw::new(roll.to_radians(), pitch.to_radians(), yaw.to_radians());
    Some(Pose::from_rpy(Vector3::new(x_m, y_m, z_m), rpy))
}

/// The frame that a pose says it is given in.
pub fn frame_of(value: &Value) -> Option<&Arc<str>> {
    match value {
        Value::Map(entries) => match entries.get(FRAME) {
            Some(Value::Text(frame)) => Some(frame),
            _ => None,
        },
        _ => None,
    }
}

/// To a nanometre, so that there and back again is the same.
pub fn pose_value(pose: &Pose) -> Value {
    let (at, rpy) = (pose.translation_m(), pose.rpy());
    let degrees = [rpy.roll_rad, rpy.pitch_rad, rpy.yaw_rad].map(f64::to_degrees);
    let rounded = |number: f64| (number * 1e9).round() / 1e9 + 0.0;
    let numbers = [at.x, at.y, at.z].into_iter().chain(degrees).map(|number| Value::Number(rounded(number)));
    let entries: BTreeMap<Arc<str>, Value> = ENTRIES.into_iter().map(Arc::from).zip(numbers).collect();
    Value::Map(Arc::new(entries))
}

fn in_frame_of(pose: Value, first: &Value) -> Value {
    match (pose, frame_of(first)) {
        (Value::Map(entries), Some(frame)) => {
            let mut entries = entries.as_ref().clone();
            entries.insert(FRAME.into(), Value::Text(frame.clone()));
            Value::Map(Arc::new(entries))
        }
        (pose, _) => pose,
    }
}

impl<'a> Program<'a> {
    pub(crate) fn pose(&self, operation: PoseOperation, items: Items) -> Evaluated<Val<'a>> {
        if operation == PoseOperation::Make {
            let numbers = self.numbers::<6>(items, 0, "pose")?;
            let entries = ENTRIES.into_iter().map(Arc::from).zip(numbers.map(Value::Number)).collect();
            return Ok(Val::Owned(Value::Map(Arc::new(entries))));
        }
        let first = self.operand(items, 0)?;
        let a = self.a_pose(&first)?;
        let pose = match operation {
            PoseOperation::Make => a,
            PoseOperation::Compose => a * self.a_pose(&self.operand(items, 1)?)?,
            PoseOperation::Invert => return Ok(Val::Owned(checked(&a.inverse())?)),
            PoseOperation::Offset => {
                let [x_m, y_m, z_m] = self.numbers::<3>(items, 1, "offset")?;
                a * Pose::from_translation(x_m, y_m, z_m)
            }
            PoseOperation::Mirror => a.mirrored(),
            PoseOperation::Between => {
                let b = self.a_pose(&self.operand(items, 1)?)?;
                let [share] = self.numbers::<1>(items, 2, "between")?;
                a.interpolate(&b, share)
            }
        };
        Ok(Val::Owned(in_frame_of(checked(&pose)?, &first)))
    }

    fn operand(&self, items: Items, index: usize) -> Evaluated<Value> {
        match self.operands(items).nth(index) {
            Some(at) => Ok(self.value(at)?.into_value()),
            None => Err(EvaluationError::NotBound),
        }
    }

    fn numbers<const N: usize>(&self, items: Items, from: usize, place: &'static str) -> Evaluated<[f64; N]> {
        let mut numbers = [0.0; N];
        for (number, at) in numbers.iter_mut().zip(self.operands(items).skip(from)) {
            *number = finite(self.number(at, place)?, place)?;
        }
        Ok(numbers)
    }

    fn a_pose(&self, value: &Value) -> Evaluated<Pose> {
        let found = || wrong("a pose", Kind::Pose, &Val::from(value.clone()));
        pose_of(value).ok_or_else(found)
    }
}

fn checked(pose: &Pose) -> Evaluated<Value> {
    if pose.is_finite() { Ok(pose_value(pose)) } else { Err(EvaluationError::NotFinite("a pose")) }
}
