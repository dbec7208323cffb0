//! What cameras and detectors are like in a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use robot::reader::Fields;

/// Of every camera in use.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraSettings {
    /// Those of the robot that are used; None: all.
    pub names: Option<Vec<String>>,
    pub width: u32,
    pub height: u32,
    /// From the left edge to the right one; None: as the robot file has it.
    pub view_rad: Option<f64>,
    pub near_m: f64,
    pub far_m: f64,
    /// Standard deviation of depth at 1 m; it grows with the square of the distance.
    pub noise_m: f64,
    pub rate_hz: f64,
    /// From the picture to its arrival.
    pub latency_s: f64,
}

/// How well things are detected.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectorSetup {
    pub usual: Skill,
    /// Where a class differs.
    pub classes: BTreeMap<Arc<str>, Skill>,
    /// On average; zero: never.
    pub false_alarm_every_s: f64,
    /// A thing of fewer pixels is not seen.
    pub least_pixels: usize,
    /// Bodies of the user's own MJCF that are detected, and as what.
    pub bodies: BTreeMap<String, Arc<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// Share of the pictures in which it is not found.
    pub misses: f64,
    /// On average.
    pub confidence: f64,
}

impl Default for CameraSettings {
    fn default() -> CameraSettings {
        CameraSettings {
            names: None,
            width: 160,
            height: 120,
            view_rad: None,
            near_m: 0.1,
            far_m: 8.0,
            noise_m: 0.01,
            rate_hz: 10.0,
            latency_s: 0.1,
        }
    }
}

impl Default for DetectorSetup {
    fn default() -> DetectorSetup {
        DetectorSetup {
            usual: Skill { misses: 0.05, confidence: 0.8 },
            classes: BTreeMap::new(),
            false_alarm_every_s: 20.0,
            least_pixels: 6,
            bodies: BTreeMap::new(),
        }
    }
}

impl CameraSettings {
    pub(super) fn read(fields: &mut Fields) -> CameraSettings {
        let usual = CameraSettings::default();
        let settings = CameraSettings {
            names: names(fields),
            width: fields.count("width", usual.width as usize, 8..=1280) as u32,
            height: fields.count("height", usual.height as usize, 8..=1024) as u32,
            view_rad: fields.has("view_deg").then(|| fields.number("view_deg", 80.0, 5.0..=150.0).to_radians()),
            near_m: fields.number("near_m", usual.near_m, 0.0..=10.0),
            far_m: fields.number("far_m", usual.far_m, 0.1..=100.0),
            noise_m: fields.number("noise_m", usual.noise_m, 0.0..=0.2),
            rate_hz: fields.number("rate_hz", usual.rate_hz, 0.1..=100.0),
            latency_s: fields.number("latency_s", usual.latency_s, 0.0..=5.0),
        };
        fields.get("view_deg");
        if settings.near_m >= settings.far_m {
            fields.error("near_m", "not below `far_m`: such a camera has no view");
        }
        settings
    }
}

fn names(fields: &mut Fields) -> Option<Vec<String>> {
    let value = fields.get("names")?;
    let names: Option<Vec<String>> = value.as_array().and_then(|items| {
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
        texts.collect()
    });
    if names.is_none() {
        fields.error("names", "a list of names of the robot's cameras belongs here; [] for none");
    }
    names
}

impl DetectorSetup {
    pub(super) fn read(fields: &mut Fields) -> DetectorSetup {
        let usual = DetectorSetup::default();
        let skill = read_skill(fields, usual.usual);
        DetectorSetup {
            usual: skill,
            false_alarm_every_s: fields.number("false_alarm_every_s", usual.false_alarm_every_s, 0.0..=1e6),
            least_pixels: fields.count("least_pixels", usual.least_pixels, 1..=100_000),
            classes: classes(fields, skill),
            bodies: bodies(fields),
        }
    }

    pub fn skill(&self, class: &str) -> Skill {
        self.classes.get(class).copied().unwrap_or(self.usual)
    }
}

fn read_skill(fields: &mut Fields, usual: Skill) -> Skill {
    Skill {
        misses: fields.number("misses", usual.misses, 0.0..=1.0),
        confidence: fields.number("confidence", usual.confidence, 0.0..=1.0),
    }
}

fn classes(fields: &mut Fields, usual: Skill) -> BTreeMap<Arc<str>, Skill> {
    let mut classes = BTreeMap::new();
    let Some(Value::Object(map)) = fields.map("classes") else { return classes };
    for (class, value) in map {
        let Some(mut inner) = fields.entry("classes", class, value) else { continue };
        classes.insert(Arc::from(class.as_str()), read_skill(&mut inner, usual));
        inner.end();
    }
    classes
}

fn bodies(fields: &mut Fields) -> BTreeMap<String, Arc<str>> {
    let mut bodies = BTreeMap::new();
    let Some(Value::Object(map)) = fields.map("bodies") else { return bodies };
    for (body, value) in map {
        match value.as_str() {
            Some(class) => drop(bodies.insert(body.clone(), Arc::from(class))),
            None => fields.error(&format!("bodies.{body}"), "the class that a detector calls it belongs here"),
        }
    }
    bodies
}
