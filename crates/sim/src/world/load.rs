use std::fs;
use std::path::{Path, PathBuf};

use geometry::{Pose, RollPitchYaw, Vector3};
use robot::{Places, Problem};
use serde_json::Value;
use thiserror::Error;

use super::disturbance::Disturbance;
use super::draw::{Pick, draw, most_choices};
use super::merge::merge;
use super::objects::Object;
use super::perception::{CameraSettings, DetectorSetup};
use super::truth::Truth;
use super::{Colour, Floor, PlacedWorld, builtin};
use robot::reader::{Fields, Report};

const VERSION: f64 = 1.0;
const DRAWN_NUMBER: &str = r#"a number, {"from": 1, "to": 2} with the lower one first, or {"any": [1, 2]}"#;

/// As its file has it, with its ranges. What loads has no problems, whatever is drawn.
#[derive(Clone, Debug)]
pub struct World {
    name: String,
    file: String,
    json: Value,
    places: Places,
    folder: PathBuf,
}

#[derive(Debug, Error)]
pub enum WorldError {
    #[error("there is no world `{name}`: neither a file, nor one of our own, {}", World::names().join(", "))]
    Unknown { name: String },
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("{file} line {}: not JSON: {error}", error.line())]
    NotJson { file: String, error: serde_json::Error },
    #[error("{file} is not usable:{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    Unusable { file: String, problems: Vec<Problem> },
}

impl World {
    /// Of our own.
    pub fn names() -> Vec<&'static str> {
        builtin::WORLDS.iter().map(|(name, _)| *name).collect()
    }

    /// What one of our own says of itself.
    pub fn notes(name: &str) -> Option<String> {
        let (_, text) = builtin::WORLDS.iter().find(|(each, _)| *each == name)?;
        let json: serde_json::Value = serde_json::from_str(text).ok()?;
        json["notes"].as_str().map(str::to_owned)
    }

    /// One of our own by name, or what is at a path: a world, or an MJCF file.
    pub fn find(name_or_path: &str) -> Result<World, WorldError> {
        if let Some((name, text)) = builtin::WORLDS.iter().find(|(name, _)| *name == name_or_path) {
            return World::from_json(&format!("worlds/{name}.json"), text);
        }
        let path = Path::new(name_or_path);
        if !path.is_file() {
            return Err(WorldError::Unknown { name: name_or_path.to_owned() });
        }
        if path.extension().is_some_and(|extension| extension == "xml" || extension == "mjcf") {
            let mjcf = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let text = serde_json::json!({"version": VERSION, "mjcf": mjcf}).to_string();
            return World::from_json(name_or_path, &text);
        }
        let bytes = fs::read(path).map_err(|error| WorldError::Unreadable { file: name_or_path.to_owned(), error })?;
        World::from_json(name_or_path, &String::from_utf8_lossy(&bytes))
    }

    /// `file` is what problems name; other files are looked for beside it.
    pub fn from_json(file: &str, text: &str) -> Result<World, WorldError> {
        let text = text.trim_start_matches('\u{feff}');
        let json = serde_json::from_str(text).map_err(|error| WorldError::NotJson { file: file.to_owned(), error })?;
        let path = Path::new(file);
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let world = World { name, file: file.to_owned(), json, places: Places::of(text), folder };
        let problems = world.problems();
        if problems.is_empty() { Ok(world) } else { Err(WorldError::Unusable { file: world.file, problems }) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same seed gives the same world.
    pub fn draw(&self, seed: u64) -> PlacedWorld {
        let mut report = self.report();
        PlacedWorld { seed, ..self.read(Pick::Seed(seed), &mut report) }
    }

    /// The same with other values over its own, as `docs/trials.md` has it. Problems name `file`.
    pub fn merged(&self, file: &str, with: &[&Value]) -> Result<World, WorldError> {
        let json = with.iter().fold(self.json.clone(), |json, with| merge(&json, with));
        let places = Places::of(&json.to_string());
        let world = World { file: file.to_owned(), json, places, ..self.clone() };
        let problems = world.problems();
        if problems.is_empty() { Ok(world) } else { Err(WorldError::Unusable { file: world.file, problems }) }
    }

    /// What problems name.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Of MuJoCo, if it has one.
    pub(crate) fn mjcf_file(&self) -> Option<std::path::PathBuf> {
        self.json.get("mjcf").and_then(Value::as_str).map(|mjcf| self.folder.join(mjcf))
    }

    /// As its file has it.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// A file of the world that the seed gives, to be read anywhere.
    pub fn drawn(&self, seed: u64) -> Value {
        let mut json = draw(&self.json, "", Pick::Seed(seed));
        if let Some(mjcf) = json.get("mjcf").and_then(Value::as_str) {
            let path = self.folder.join(mjcf);
            let path = std::path::absolute(&path).unwrap_or(path);
            json["mjcf"] = path.to_string_lossy().into_owned().into();
        }
        json
    }

    /// Read at both ends of its ranges and with each of its choices.
    fn problems(&self) -> Vec<Problem> {
        let mut report = self.report();
        let choices = most_choices(&self.json).min(64);
        for pick in [Pick::Lowest, Pick::Highest].into_iter().chain((1..choices).map(Pick::Item)) {
            self.read(pick, &mut report);
        }
        report.finish()
    }

    fn report(&self) -> Report {
        Report::new(&self.file, self.places.clone()).with_number(DRAWN_NUMBER)
    }

    fn read(&self, pick: Pick, report: &mut Report) -> PlacedWorld {
        let json = draw(&self.json, "", pick);
        let mut world = PlacedWorld {
            name: self.name.clone(),
            world_from_walking: Pose::identity(),
            preset: None,
            floor: Floor { colour: Colour::GREY, friction: 0.8 },
            objects: Vec::new(),
            disturbances: Vec::new(),
            expected: Vec::new(),
            camera: CameraSettings::default(),
            detector: DetectorSetup::default(),
            seed: 0,
            mjcf: None,
        };
        let Some(mut fields) = report.fields(&json, "") else { return world };
        if fields.number("version", 0.0, VERSION..=VERSION) == 0.0 {
            fields.error("version", "write \"version\": 1, so that later programs still read this file");
        }
        fields.text("notes");
        if let Some(mut floor) = fields.inner("floor") {
            world.floor.colour = Colour::read(&mut floor, "colour", "grey");
            world.floor.friction = floor.number("friction", 0.8, 0.0..=3.0);
            floor.end();
        }
        if let Some(mut camera) = fields.inner("camera") {
            world.camera = CameraSettings::read(&mut camera);
            camera.end();
        }
        if let Some(mut detector) = fields.inner("detector") {
            world.detector = DetectorSetup::read(&mut detector);
            detector.end();
        }
        world.mjcf = fields.text("mjcf").map(|mjcf| self.folder.join(mjcf));
        match &world.mjcf {
            Some(mjcf) if !mjcf.is_file() => fields.error("mjcf", "there is no such file beside this one"),
            Some(mjcf) => {
                if let Err(why) = crate::mjcf::check(mjcf) {
                    fields.error("mjcf", why);
                }
            }
            None => {}
        }
        each(&mut fields, "objects", |item| {
            let object = Object::read(item, &world.objects);
            let read = object.is_some();
            world.objects.extend(object);
            read
        });
        if let Some(mut start) = fields.inner("robot") {
            world.world_from_walking = world_from_start(&mut start, &world.objects);
            world.preset = start.text("preset").map(str::to_owned);
            start.end();
        }
        each(&mut fields, "disturbances", |item| {
            let disturbance = Disturbance::read(item, &world.objects);
            let read = disturbance.is_some();
            world.disturbances.extend(disturbance);
            read
        });
        each(&mut fields, "expect", |item| {
            let truth = Truth::read(item, &world.objects);
            let read = truth.is_some();
            world.expected.extend(truth);
            read
        });
        fields.end();
        world
    }
}

/// `at` a pose, or `before` an object and facing it.
fn world_from_start(start: &mut Fields, objects: &[Object]) -> Pose {
    let at = start.level_pose("at");
    let before = start.text("before");
    let away_m = start.number("away_m", 1.0, 0.0..=100.0);
    let [bearing_rad, turned_rad] =
        ["bearing_deg", "turned_deg"].map(|key| start.number(key, 0.0, -180.0..=180.0).to_radians());
    let Some(name) = before else {
        if let Some(key) = ["away_m", "bearing_deg", "turned_deg"].into_iter().find(|key| start.has(key)) {
            start.error(key, "belongs to `before`: name the object that the robot starts before");
        }
        return at;
    };
    if start.has("at") {
        start.error("before", "the robot starts either `at` a pose or `before` an object: remove one");
    }
    let Some(object) = objects.iter().find(|object| &*object.name == name) else {
        let near = robot::did_you_mean(name, objects.iter().map(|object| &*object.name));
        start.error("before", format!("there is no object `{name}` in this world{near}"));
        return at;
    };
    let facing_rad = object.world_from_object.rpy().yaw_rad + bearing_rad;
    let to_object_m = Vector3::new(libm::cos(facing_rad), libm::sin(facing_rad), 0.0) * away_m;
    let object_m = object.world_from_object.translation_m();
    let at_m = Vector3::new(object_m.x, object_m.y, 0.0) - to_object_m;
    Pose::from_rpy(at_m, RollPitchYaw::new(0.0, 0.0, facing_rad + turned_rad))
}

/// What could not be read has been told: its keys are not judged.
fn each(fields: &mut Fields, key: &'static str, mut read: impl FnMut(&mut Fields) -> bool) {
    let Some(value) = fields.get(key) else { return };
    let Value::Array(items) = value else {
        fields.error(key, "a list […] belongs here");
        return;
    };
    for (index, item) in items.iter().enumerate() {
        let Some(mut item) = fields.item(key, index, item) else { continue };
        if read(&mut item) {
            item.end();
        }
    }
}
