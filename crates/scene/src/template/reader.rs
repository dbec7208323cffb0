//! Values out of a template file; everything that is not as it should be is told with its key, its line and a remedy.

use std::ops::RangeInclusive;

use geometry::{Pose, RollPitchYaw, Vector3};
use robot::{Places, Problem, Severity, did_you_mean};
use serde_json::{Map, Value};

pub(super) struct Report {
    pub file: String,
    pub places: Places,
    pub problems: Vec<Problem>,
}

impl Report {
    pub fn error(&mut self, path: &str, message: impl Into<String>) {
        let line = self.places.line(path);
        self.problems.push(problem(&self.file, line, path, message));
    }

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

pub(super) fn problem(file: &str, line: u32, element: &str, message: impl Into<String>) -> Problem {
    let (file, element) = (file.to_owned(), element.to_owned());
    Problem { severity: Severity::Error, file, line, element, message: message.into() }
}

/// One JSON object while it is read.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    path: String,
    known: Vec<&'static str>,
    report: &'a mut Report,
}

impl<'a> Fields<'a> {
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.map.get(key)
    }

    pub fn error(&mut self, key: &str, message: impl Into<String>) {
        let path = join(&self.path, key);
        self.report.error(&path, message);
    }

    pub fn number(&mut self, key: &'static str, default: f64, range: RangeInclusive<f64>) -> f64 {
        let Some(value) = self.get(key) else { return default };
        match value.as_f64() {
            Some(number) if range.contains(&number) => return number,
            Some(number) => self.error(key, format!("{number} is not between {} and {}", range.start(), range.end())),
            None => self.error(key, format!("a number belongs here, not {}", kind(value))),
        }
        default
    }

    pub fn flag(&mut self, key: &'static str) -> bool {
        let Some(value) = self.get(key) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.error(key, format!("true or false belongs here, not {}", kind(value)));
            false
        })
    }

    pub fn text(&mut self, key: &'static str) -> Option<&'a str> {
        let value = self.get(key)?;
        let text = value.as_str().filter(|text| !text.is_empty());
        if text.is_none() {
            self.error(key, format!("a text belongs here, not {}", kind(value)));
        }
        text
    }

    pub fn needed_text(&mut self, key: &'static str) -> String {
        if !self.map.contains_key(key) {
            self.known.push(key);
            self.error("", format!("`{key}` is missing: write it"));
            return String::new();
        }
        self.text(key).unwrap_or_default().to_owned()
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

    /// What is left out is zero.
    pub fn pose(&mut self, key: &'static str) -> Pose {
        let Some(mut fields) = self.inner(key) else { return Pose::identity() };
        let [x, y, z] = ["x_m", "y_m", "z_m"].map(|axis| fields.number(axis, 0.0, -100.0..=100.0));
        let angle = |angle: &'static str, fields: &mut Fields| fields.number(angle, 0.0, -360.0..=360.0).to_radians();
        let rpy = RollPitchYaw::new(
            angle("roll_deg", &mut fields),
            angle("pitch_deg", &mut fields),
            angle("yaw_deg", &mut fields),
        );
        fields.end();
        Pose::from_rpy(Vector3::new(x, y, z), rpy)
    }

    pub fn inner(&mut self, key: &'static str) -> Option<Fields<'_>> {
        let value = self.get(key)?;
        let path = join(&self.path, key);
        self.report.fields(value, &path)
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
            let path = format!("{}[{index}]", join(&self.path, key));
            if let Some(mut fields) = self.report.fields(item, &path) {
                all.push(read(&mut fields));
                fields.end();
            }
        }
        all
    }

    pub fn map(&self) -> &'a Map<String, Value> {
        self.map
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

fn join(path: &str, key: &str) -> String {
    match (path, key) {
        (path, "") => path.to_owned(),
        ("", key) => key.to_owned(),
        (path, key) => format!("{path}.{key}"),
    }
}

pub(super) fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "this object".to_owned(),
        other => other.to_string(),
    }
}
