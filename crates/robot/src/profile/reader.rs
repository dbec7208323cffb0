use geometry::{Pose, RollPitchYaw, Vector3};
use serde_json::{Map, Value};

use crate::problem::Severity;
use crate::reader::{Report, join};
use crate::words::did_you_mean;

/// What is not as it should be is told and left out: of a robot the rest is of use.
impl Report {
    pub(super) fn warn(&mut self, path: &str, message: impl Into<String>) {
        self.add(Severity::Warning, path, message);
    }

    pub(super) fn object<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.error(path, format!("{} where an object {{…}} belongs; left out", kind(value)));
        }
        object
    }

    /// The object under a key; None if it is left out or none.
    pub(super) fn section<'v>(&mut self, object: &'v Map<String, Value>, key: &str) -> Option<&'v Map<String, Value>> {
        self.object(object.get(key)?, key)
    }

    pub(super) fn text<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v str> {
        let text = value.as_str();
        if text.is_none() {
            self.error(path, format!("{} where a text belongs; left out", kind(value)));
        }
        text
    }

    pub(super) fn number(&mut self, value: &Value, path: &str) -> Option<f64> {
        let number = value.as_f64().filter(|number| number.is_finite());
        if number.is_none() {
            self.error(path, format!("{} where a number belongs; left out", kind(value)));
        }
        number
    }

    /// `xyz_m` and `rpy_deg` of an object; zero where they are left out.
    pub(super) fn pose(&mut self, object: &Map<String, Value>, path: &str) -> Pose {
        let [xyz_m, rpy_deg] = ["xyz_m", "rpy_deg"].map(|key| {
            let Some(written) = object.get(key) else { return [0.0; 3] };
            let numbers = written.as_array().map(|list| list.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
            numbers.and_then(|numbers| numbers.try_into().ok()).unwrap_or_else(|| {
                self.error(&join(path, key), "three numbers [x, y, z] belong here; zero is taken");
                [0.0; 3]
            })
        });
        let [roll_rad, pitch_rad, yaw_rad] = rpy_deg.map(f64::to_radians);
        Pose::from_rpy(Vector3::from(xyz_m), RollPitchYaw::new(roll_rad, pitch_rad, yaw_rad))
    }

    /// Keys that mean nothing are likely mistyped ones.
    pub(super) fn only(&mut self, object: &Map<String, Value>, path: &str, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let near = did_you_mean(key, known.iter().copied());
            let remedy = if near.is_empty() { format!("; known are {}", known.join(", ")) } else { near };
            self.error(&join(path, key), format!("there is no such key{remedy}"));
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
