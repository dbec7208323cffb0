//! Values out of a JSON file of ours; everything that is not as it should be is told with its key, its line and a remedy.

use std::ops::RangeInclusive;

use geometry::{Pose, RollPitchYaw, Vector3};
use serde_json::{Map, Value};

use crate::profile::Places;
use crate::{Problem, Severity, did_you_mean};

#[derive(Debug)]
pub struct Report {
    file: String,
    places: Places,
    problems: Vec<Problem>,
    /// What may stand where a number belongs.
    number: &'static str,
}

/// One JSON object while it is read.
#[derive(Debug)]
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    path: String,
    known: Vec<&'static str>,
    report: &'a mut Report,
}

impl Report {
    pub fn new(file: &str, places: Places) -> Report {
        let twice = places.twice.clone();
        let mut report = Report { file: file.to_owned(), places, problems: Vec::new(), number: "a number" };
        twice.iter().for_each(|path| report.error(path, "this key is there twice; remove one"));
        report
    }

    #[must_use]
    pub fn with_number(self, number: &'static str) -> Report {
        Report { number, ..self }
    }

    pub fn error(&mut self, path: &str, message: impl Into<String>) {
        self.add(Severity::Error, path, message);
    }

    pub fn add(&mut self, severity: Severity, path: &str, message: impl Into<String>) {
        let problem = Problem {
            severity,
            file: self.file.clone(),
            line: self.places.line(path),
            element: path.to_owned(),
            message: message.into(),
        };
        // The same range is read at both its ends.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems;
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// None: there is something else, which is told.
    pub fn fields<'a>(&'a mut self, value: &'a Value, path: &str) -> Option<Fields<'a>> {
        match value {
            Value::Object(map) => Some(Fields { map, path: path.to_owned(), known: Vec::new(), report: self }),
            other => {
                self.error(path, format!("an object {{…}} belongs here, not {}", kind(other)));
                None
            }
        }
    }
}

impl<'a> Fields<'a> {
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.map.get(key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    pub fn is_object(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(Value::is_object)
    }

    pub fn path(&self, key: &str) -> String {
        join(&self.path, key)
    }

    pub fn error(&mut self, key: &str, message: impl Into<String>) {
        let path = self.path(key);
        self.report.error(&path, message);
    }

    pub fn number(&mut self, key: &'static str, default: f64, range: RangeInclusive<f64>) -> f64 {
        let Some(value) = self.get(key) else { return default };
        match value.as_f64() {
            Some(number) if range.contains(&number) => number,
            Some(number) => {
                let (from, to) = range.into_inner();
                self.error(key, format!("{number} is not between {from} and {to}"));
                default
            }
            None => {
                let wanted = self.report.number;
                self.error(key, format!("{wanted} belongs here, not {}", kind(value)));
                default
            }
        }
    }

    pub fn count(&mut self, key: &'static str, default: usize, range: RangeInclusive<usize>) -> usize {
        let (from, to) = range.into_inner();
        let number = self.number(key, default as f64, from as f64..=to as f64);
        if number.fract() != 0.0 {
            self.error(key, format!("{number} is not a whole number"));
        }
        number as usize
    }

    pub fn flag(&mut self, key: &'static str, default: bool) -> bool {
        let Some(value) = self.get(key) else { return default };
        value.as_bool().unwrap_or_else(|| {
            self.error(key, format!("true or false belongs here, not {}", kind(value)));
            default
        })
    }

    /// None: not there, or no text, which is told.
    pub fn text(&mut self, key: &'static str) -> Option<&'a str> {
        let value = self.get(key)?;
        let text = value.as_str().filter(|text| !text.is_empty());
        if text.is_none() {
            self.error(key, format!("a text belongs here, not {}", kind(value)));
        }
        text
    }

    pub fn needed_text(&mut self, key: &'static str) -> Option<&'a str> {
        if !self.has(key) {
            self.known.push(key);
            self.error("", format!("`{key}` is missing: write it"));
            return None;
        }
        self.text(key)
    }

    /// One of some words; the first of them where nothing is written.
    pub fn word<T: Copy>(&mut self, key: &'static str, words: &[(&'static str, T)]) -> T {
        let Some(text) = self.text(key) else { return words[0].1 };
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == text) {
            return *meant;
        }
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let near = did_you_mean(text, all.iter().copied());
        self.error(key, format!("`{text}` is none of {}{near}", all.join(", ")));
        words[0].1
    }

    /// `{"x_m": 1, "y_m": 0, "z_m": 0, "yaw_deg": 90}`; what is left out is zero.
    pub fn level_pose(&mut self, key: &'static str) -> Pose {
        self.pose_of(key, ["", "", "yaw_deg"])
    }

    pub fn pose(&mut self, key: &'static str) -> Pose {
        self.pose_of(key, ["roll_deg", "pitch_deg", "yaw_deg"])
    }

    fn pose_of(&mut self, key: &'static str, angles: [&'static str; 3]) -> Pose {
        let Some(mut fields) = self.inner(key) else { return Pose::identity() };
        let [x, y, z] = ["x_m", "y_m", "z_m"].map(|axis| fields.number(axis, 0.0, -100.0..=100.0));
        let mut angle_rad = |key: &'static str| match key {
            "" => 0.0,
            key => fields.number(key, 0.0, -360.0..=360.0).to_radians(),
        };
        let [roll, pitch, yaw] = angles.map(&mut angle_rad);
        fields.end();
        Pose::from_rpy(Vector3::new(x, y, z), RollPitchYaw::new(roll, pitch, yaw))
    }

    /// Each item of a list, which may be left out.
    pub fn each<T>(&mut self, key: &'static str, mut read: impl FnMut(&mut Fields) -> T) -> Vec<T> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Value::Array(items) = value else {
            self.error(key, format!("a list […] belongs here, not {}", kind(value)));
            return Vec::new();
        };
        let mut all = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(mut fields) = self.item(key, index, item) {
                all.push(read(&mut fields));
                fields.end();
            }
        }
        all
    }

    /// All of it, for who reads names.
    pub fn entries(&self) -> &'a Map<String, Value> {
        self.map
    }

    pub fn inner(&mut self, key: &'static str) -> Option<Fields<'_>> {
        let value = self.get(key)?;
        let path = self.path(key);
        self.report.fields(value, &path)
    }

    /// An object whose keys are names; anything else is told.
    pub fn map(&mut self, key: &'static str) -> Option<&'a Value> {
        let value = self.get(key)?;
        if !value.is_object() {
            self.error(key, format!("an object {{…}} belongs here, not {}", kind(value)));
        }
        Some(value)
    }

    /// One of an object whose keys are names.
    pub fn entry<'b>(&'b mut self, key: &str, name: &str, value: &'b Value) -> Option<Fields<'b>> {
        let path = join(&self.path(key), name);
        self.report.fields(value, &path)
    }

    /// One of a list.
    pub fn item<'b>(&'b mut self, key: &str, index: usize, value: &'b Value) -> Option<Fields<'b>> {
        let path = format!("{}[{index}]", self.path(key));
        self.report.fields(value, &path)
    }

    /// What was never asked for does not belong here.
    pub fn end(self) {
        for key in self.map.keys().filter(|key| !self.known.contains(&key.as_str())) {
            let near = did_you_mean(key, self.known.iter().copied());
            let message = format!("`{key}` does not belong here{near}; known: {}", self.known.join(", "));
            self.report.error(&join(&self.path, key), message);
        }
    }
}

/// The path of a key in what is at a path; of no key that path itself.
pub fn join(path: &str, key: &str) -> String {
    match (path, key) {
        (path, "") => path.to_owned(),
        ("", key) => key.to_owned(),
        (path, key) => format!("{path}.{key}"),
    }
}

/// What is there instead.
pub fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "this object".to_owned(),
        other => other.to_string(),
    }
}
