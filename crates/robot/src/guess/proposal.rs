//! The small file that a guess makes.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::body::Body;
use super::{Frame, Guess};
use crate::{
    Description, Model, MovingKind, Part, PartName, Problem, Robot, RobotError, Side, UrdfError, WalkingLimits,
};

/// A URDF from outside, and the small file that would make a robot of it.
#[derive(Debug)]
pub struct Proposal {
    pub description: Description,
    pub model: Model,
    pub file: Value,
    /// The robot that the two make.
    pub robot: Result<(Robot, Vec<Problem>), RobotError>,
}

impl Proposal {
    /// `urdf` is how the small file names the URDF.
    pub fn new(urdf_text: &str, urdf_file: &Path, urdf: &str) -> Result<Proposal, UrdfError> {
        let folder = urdf_file.parent().unwrap_or(Path::new(""));
        let (description, _) = Description::from_urdf(urdf_text, folder)?;
        let model = Model::new(&description);
        let guess = Guess::of(&description, &model);
        let load = |file: &Value| Robot::from_texts(&text_of(file), "robot.json", urdf_text, urdf_file);
        let mut file = guess.frames_json(&description, urdf);
        let mut robot = load(&file);
        if let Ok((found, _)) = &robot {
            file = guess.whole_json(found, urdf);
            robot = load(&file);
        }
        Ok(Proposal { description, model, file, robot })
    }

    pub fn text(&self) -> String {
        text_of(&self.file)
    }
}

/// JSON as a person would set it: what fits a line is on one.
fn text_of(file: &Value) -> String {
    let mut text = String::new();
    set(file, 0, 0, &mut text);
    text.push('\n');
    text
}

fn set(value: &Value, indent: usize, before: usize, text: &mut String) {
    const WIDTH: usize = 118;
    let line = line(value);
    let object = value.as_object().filter(|object| !object.is_empty());
    let Some(object) = object.filter(|_| indent < 2 || indent + before + line.len() > WIDTH) else {
        text.push_str(&line);
        return;
    };
    text.push_str("{\n");
    for (index, (key, inner)) in object.iter().enumerate() {
        let key = format!("{}{}: ", " ".repeat(indent + 2), Value::from(key.as_str()));
        text.push_str(&key);
        set(inner, indent + 2, key.len(), text);
        text.push_str(if index + 1 < object.len() { ",\n" } else { "\n" });
    }
    text.push_str(&" ".repeat(indent));
    text.push('}');
}

fn line(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(list) => format!("[{}]", joined(list.iter().map(line).collect())),
        Value::Object(object) => {
            let entry = |(key, inner): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), line(inner));
            format!("{{{}}}", joined(object.iter().map(entry).collect()))
        }
        other => other.to_string(),
    }
}

/// Of the robot in its neutral position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub mass_kg: f64,
    /// Of links and shapes of simple form; meshes are not read, so it may be more.
    pub height_m: f64,
}

impl Size {
    pub fn of(description: &Description, model: &Model) -> Size {
        let body = Body::of(description, model);
        let mut poses = model.new_poses();
        model.forward(&model.neutral(), &mut poses);
        let all: Vec<usize> = (0..description.links.len()).collect();
        let heights_m = poses.base_from_links().iter().map(|pose| pose.translation_m.z);
        let (mut low_m, mut high_m) =
            heights_m.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
        if let Some(extent) = body.extent(&all, &poses) {
            (low_m, high_m) = (low_m.min(extent.low_m.z), high_m.max(extent.high_m.z));
        }
        Size { mass_kg: description.mass_kg(), height_m: high_m - low_m }
    }
}

impl Guess {
    /// A small file with the frames only: what a first reading of the robot needs.
    pub fn frames_json(&self, description: &Description, urdf: &str) -> Value {
        let frames: Map<String, Value> = self
            .frames()
            .into_iter()
            .filter_map(|(name, frame)| Some((name.to_owned(), frame_json(&frame?, description))))
            .collect();
        json!({"version": 1, "urdf": urdf, "frames": frames})
    }

    /// The whole file, for a robot that was read with the frames of this guess.
    pub fn whole_json(&self, robot: &Robot, urdf: &str) -> Value {
        let mut file = self.frames_json(&robot.description, urdf);
        file["parts"] = Value::Object(
            robot.parts.iter().map(|part| (part.name.word().to_owned(), part_json(part, robot))).collect(),
        );
        file["presets_deg"] = json!({"home": {}});
        let grips = grips(robot);
        if !grips.is_empty() {
            file["grips_deg"] = Value::Object(grips);
        }
        let cameras = self.cameras.iter().map(|link| {
            let name = robot.description.links[*link].name.clone();
            (name.clone(), json!({"link": name, "horizontal_view_deg": 70, "width": 640, "height": 480}))
        });
        file["cameras"] = Value::Object(cameras.collect());
        file["walking"] = json!(walking(robot));
        file
    }
}

fn frame_json(frame: &Frame, description: &Description) -> Value {
    let link = &description.links[frame.link].name;
    let Some(pose) = &frame.link_from_frame else { return json!(link) };
    let rpy = pose.rpy();
    let xyz_m: Vec<f64> = pose.translation_m().iter().map(|part| rounded(*part, 1e4)).collect();
    let rpy_deg = [rpy.roll_rad, rpy.pitch_rad, rpy.yaw_rad].map(|angle_rad| rounded(angle_rad.to_degrees(), 1e2));
    json!({"link": link, "xyz_m": xyz_m, "rpy_deg": rpy_deg})
}

fn part_json(part: &Part, robot: &Robot) -> Value {
    let joints: Vec<&str> =
        part.coordinates.iter().map(|coordinate| robot.model.coordinates()[*coordinate].name.as_str()).collect();
    let [base, tip] = [part.base, part.tip].map(|link| robot.description.links[link].name.as_str());
    // A tip that the small file itself places is what the part has without being told.
    if robot.is_placed(part.tip) || robot.is_placed(part.base) {
        return json!({"joints": joints});
    }
    json!({"base": base, "tip": tip, "joints": joints})
}

/// Open is neutral, closed is the far end; whoever knows the hand knows better.
fn grips(robot: &Robot) -> Map<String, Value> {
    let Some(hand) = robot.part(PartName::Hand(Side::Left)) else { return Map::new() };
    let turning = hand.coordinates.iter().map(|coordinate| &robot.model.coordinates()[*coordinate]);
    let turning = turning.filter(|coordinate| coordinate.kind == MovingKind::Revolute);
    let (mut open, mut close) = (Map::new(), Map::new());
    for coordinate in turning {
        let (lower, upper) = (coordinate.limits.lower, coordinate.limits.upper);
        let far = if upper.abs() >= lower.abs() { upper } else { lower };
        if far.is_finite() {
            open.insert(coordinate.name.clone(), json!(rounded(0.0_f64.max(lower).min(upper).to_degrees(), 1.0)));
            close.insert(coordinate.name.clone(), json!((0.9 * far).to_degrees().trunc()));
        }
    }
    if open.is_empty() {
        return Map::new();
    }
    Map::from_iter([("open".to_owned(), Value::Object(open)), ("close".to_owned(), Value::Object(close))])
}

/// The limits of a full-size robot, made smaller or larger with the legs.
fn walking(robot: &Robot) -> WalkingLimits {
    let mut poses = robot.model.new_poses();
    robot.model.forward(&robot.model.neutral(), &mut poses);
    let [left, right] = robot.frames.soles.map(|sole| poses.base_from(sole).translation_m());
    let usual = WalkingLimits::default();
    let leg_m = poses.base_from(robot.frames.pelvis).translation_m().z - left.z;
    let share = (leg_m / 0.9).clamp(0.1, 3.0);
    let scaled = |length_m: f64| rounded(length_m * share, 1e2);
    let stance_width_m = rounded((left.y - right.y).abs(), 1e3);
    let body = Body::of(&robot.description, &robot.model);
    let foot = body.upward(robot.frames.soles[0]).find(|link| body.moves(*link) == 1).unwrap_or(0);
    let foot_m = body.extent(&body.cluster(foot), &poses).map(|extent| extent.high_m - extent.low_m);
    let foot_m = foot_m.filter(|size_m| size_m.x > 0.05 && size_m.y > 0.02 && size_m.x < 0.5 && size_m.y < 0.3);
    WalkingLimits {
        foot_length_m: foot_m.map_or(scaled(usual.foot_length_m), |size_m| rounded(size_m.x, 1e3)),
        foot_width_m: foot_m.map_or(scaled(usual.foot_width_m), |size_m| rounded(size_m.y, 1e3)),
        stance_width_m,
        min_width_m: rounded(stance_width_m * 0.7, 1e3),
        max_width_m: rounded(stance_width_m * 1.8, 1e3),
        max_forward_m: scaled(usual.max_forward_m),
        max_backward_m: scaled(usual.max_backward_m),
        max_step_up_m: scaled(usual.max_step_up_m),
        max_step_down_m: scaled(usual.max_step_down_m),
        swing_height_m: scaled(usual.swing_height_m),
        ..usual
    }
}

fn rounded(number: f64, per_one: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * per_one).round() / per_one + 0.0
}
