//! The small file that a guess makes.

use std::path::Path;
use std::sync::Arc;

use geometry::{Pose, Vector3};
use serde_json::{Map, Value, json};

use super::body::Extent;
use super::grips::{Grip, grips};
use super::json::text_of;
use super::points::points_m;
use super::posture::{self, Posture};
use super::told::{Alternative, Confidence, Guessed};
use super::walking::{Walking, rounded, walking};
use super::{Frame, Guess};
use crate::{Description, Model, MovingKind, Part, Problem, Robot, RobotError, Severity, TRIED_WALK_M, UrdfError};

/// Of the length of the leg.
const WORTH_A_STEP: f64 = 0.25;

/// A URDF from outside, and the small file that would make a robot of it.
#[derive(Debug)]
pub struct Proposal {
    pub description: Description,
    pub model: Model,
    pub file: Value,
    /// Everything in the file that was guessed, in its order, with why and how sure.
    pub guessed: Vec<Guessed>,
    /// The robot that the two make, and all that is wrong with either or with the guess.
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
        let mut guessed = guess.frames_told(&description);
        let mut file = frames_json(&guessed, urdf);
        let mut robot = load(&file);
        if let Ok((found, _)) = &robot {
            guessed.extend(whole(&guess, found));
            file = whole_json(&guessed, found, urdf);
            robot = load(&file);
        }
        let mut problems = guess.problems;
        if let Ok((found, _)) = &robot
            && let Err(why) = Arc::new(found.clone()).rehearse_walk(TRIED_WALK_M)
        {
            problems.push(Problem {
                severity: Severity::Warning,
                file: String::new(),
                line: 0,
                element: "walking".to_owned(),
                message: format!("as guessed it does not walk {TRIED_WALK_M} m: {why}"),
            });
        }
        tell(&mut robot, problems);
        Ok(Proposal { description, model, file, guessed, robot })
    }

    pub fn text(&self) -> String {
        text_of(&self.file)
    }
}

/// What is wrong with the guess is the first thing to know.
fn tell(robot: &mut Result<(Robot, Vec<Problem>), RobotError>, told: Vec<Problem>) {
    match robot {
        Ok((_, problems)) | Err(RobotError::Unusable { problems, .. }) => {
            problems.splice(0..0, told);
        }
        Err(_) => {}
    }
}

/// Of the robot in its neutral position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub mass_kg: f64,
    pub height_m: f64,
}

impl Size {
    pub fn of(description: &Description, model: &Model) -> Size {
        let mut poses = model.new_poses();
        model.forward(&model.neutral(), &mut poses);
        let frames = (0..description.links.len()).map(|link| poses.base_from(link).translation_m());
        let points = description.links.iter().enumerate().flat_map(|(index, link)| {
            let base_from_link = poses.base_from(index);
            let shapes = if link.collisions.is_empty() { &link.visuals } else { &link.collisions };
            let place = move |point: Vector3<f64>| base_from_link.transform_point(&point.into()).coords;
            shapes.iter().flat_map(points_m).map(place).collect::<Vec<_>>()
        });
        let height_m = Extent::of(frames.chain(points)).map_or(0.0, |extent| extent.size_m().z);
        Size { mass_kg: description.mass_kg(), height_m }
    }
}

impl Guess {
    fn frames_told(&self, description: &Description) -> Vec<Guessed> {
        let name = |link: usize| description.links[link].name.clone();
        let frames = self.frames().into_iter().filter_map(|(frame, found)| Some((frame, found?)));
        let others = |found: &super::Found| {
            let taken = found.frame.link;
            found.others.clone().into_iter().filter(move |link| *link != taken)
        };
        let told = |(frame, found): (&str, &super::Found)| Guessed {
            key: format!("frames.{frame}"),
            value: frame_json(&found.frame, description),
            reason: found.reason.clone(),
            confidence: found.confidence,
            links: vec![name(found.frame.link)],
            alternatives: others(found).map(|link| alternative(name(link))).collect(),
        };
        frames.map(told).collect()
    }
}

fn alternative(link: String) -> Alternative {
    Alternative { value: json!(link), link, reason: "hangs beside it".to_owned() }
}

/// A small file with the frames only: what a first reading of the robot needs.
fn frames_json(guessed: &[Guessed], urdf: &str) -> Value {
    let frames: Map<String, Value> = guessed
        .iter()
        .filter_map(|told| Some((told.key.strip_prefix("frames.")?.to_owned(), told.value.clone())))
        .collect();
    json!({"version": 1, "urdf": urdf, "frames": frames})
}

/// All but the frames, of a robot that was read with the frames of this guess.
fn whole(guess: &Guess, robot: &Robot) -> Vec<Guessed> {
    let mut told = Vec::new();
    let mut add = |key: String, value: Value, reason: String, confidence: Confidence| {
        told.push(Guessed { key, value, reason, confidence, links: Vec::new(), alternatives: Vec::new() });
    };
    let (home, walking) = standing(guess, robot);
    let others = posture::others(robot, &home);
    for posture in std::iter::once(&home).chain(&others) {
        for (key, slides) in [("presets_deg", false), ("presets_m", true)] {
            let value = preset_json(robot, &posture.positions, slides);
            if !slides || value.as_object().is_some_and(|value| !value.is_empty()) {
                add(format!("{key}.{}", posture.name), value, posture.reason.clone(), posture.confidence);
            }
        }
    }
    let (grips, nearer_m) = grips(robot);
    for grip in &grips {
        let confidence = if nearer_m > 0.01 { Confidence::Likely } else { Confidence::Doubtful };
        for (key, slides) in [("grips_deg", false), ("grips_m", true)] {
            let value = grip_json(robot, grip, slides);
            if !value.is_empty() {
                let reason = "closed is where the fingers are nearest to each other and to the palm".to_owned();
                add(format!("{key}.{}", grip.name), Value::Object(value), reason, confidence);
            }
        }
    }
    for link in &guess.cameras {
        let name = robot.description.links[*link].name.clone();
        let value = json!({"link": name, "horizontal_view_deg": 70, "width": 640, "height": 480});
        let reason = "its name says so; the angle of view is not in a URDF".to_owned();
        add(format!("cameras.{name}"), value, reason, Confidence::Doubtful);
    }
    add("walking".to_owned(), json!(walking.limits), walking.reason, walking.confidence);
    told
}

/// With knees bent as little as lets it walk by steps worth the name; else by the longest.
fn standing(guess: &Guess, robot: &Robot) -> (Posture, Walking) {
    let hanging = posture::hanging(robot);
    let mut best: Option<(Posture, Walking)> = None;
    for share in posture::BENT {
        let Some(home) = posture::home(robot, &hanging, share) else { continue };
        let walking = walking(robot, &home.positions, guess.foot_m);
        let length_m = |walking: &Walking| if walking.refused.is_some() { 0.0 } else { walking.limits.max_forward_m };
        let is_enough = length_m(&walking) > WORTH_A_STEP * walking.leg_m;
        if is_enough || best.as_ref().is_none_or(|(_, known)| length_m(&walking) > length_m(known)) {
            best = Some((home, walking));
        }
        if is_enough {
            break;
        }
    }
    best.unwrap_or_else(|| {
        let home = posture::straight(hanging.0);
        let walking = walking(robot, &home.positions, guess.foot_m);
        (home, walking)
    })
}

/// The file in the order of its keys, with what is not sure in its notes.
fn whole_json(guessed: &[Guessed], robot: &Robot, urdf: &str) -> Value {
    let mut file = frames_json(guessed, urdf);
    let part = |part: &Part| (part.name.word().to_owned(), part_json(part, robot));
    file["parts"] = Value::Object(robot.parts.iter().map(part).collect());
    for told in guessed {
        match told.key.split_once('.') {
            Some(("frames", _)) => {}
            Some((section, key)) => file[section][key] = told.value.clone(),
            None => file[&told.key] = told.value.clone(),
        }
    }
    file["notes"] =
        guessed.iter().map(|told| (told.key.clone(), Value::from(told.note()))).collect::<Map<_, _>>().into();
    file
}

fn frame_json(frame: &Frame, description: &Description) -> Value {
    let link = &description.links[frame.link].name;
    let Some(pose) = &frame.link_from_frame else { return json!(link) };
    let (xyz_m, rpy_deg) = place_json(pose);
    json!({"link": link, "xyz_m": xyz_m, "rpy_deg": rpy_deg})
}

fn place_json(pose: &Pose) -> ([f64; 3], [f64; 3]) {
    let (at_m, rpy) = (pose.translation_m(), pose.rpy());
    let xyz_m = [at_m.x, at_m.y, at_m.z].map(|part| rounded(part, 1e4));
    (xyz_m, [rpy.roll_rad, rpy.pitch_rad, rpy.yaw_rad].map(|angle_rad| rounded(angle_rad.to_degrees(), 1e2)))
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

/// Turning or sliding joints that are not where they are without a word; of the right side only what is no mirror image.
fn preset_json(robot: &Robot, positions: &[f64], slides: bool) -> Value {
    let neutral = robot.model.neutral();
    let mirrored = robot.mirrored(positions);
    let mut preset = Map::new();
    for (at, coordinate) in robot.model.coordinates().iter().enumerate() {
        let partner = robot.mirror[at].coordinate;
        let is_mirror_image = partner < at && (mirrored[at] - positions[at]).abs() < 2e-3;
        // One that is neutral must say so where its partner is not.
        let is_plain = (positions[at] - neutral[at]).abs() < 1e-3
            && (partner == at || (positions[partner] - neutral[partner]).abs() < 1e-3 || is_mirror_image);
        if (coordinate.kind == MovingKind::Prismatic) == slides && !is_mirror_image && !is_plain {
            preset.insert(coordinate.name.clone(), json!(written(robot, at, positions[at])));
        }
    }
    Value::Object(preset)
}

fn grip_json(robot: &Robot, grip: &Grip, slides: bool) -> Map<String, Value> {
    let coordinates = robot.model.coordinates();
    let of_kind = grip.positions.iter().filter(|(at, _)| (coordinates[*at].kind == MovingKind::Prismatic) == slides);
    of_kind.map(|(at, position)| (coordinates[*at].name.clone(), json!(written(robot, *at, *position)))).collect()
}

/// In degrees or metres with few digits, never beyond a limit.
fn written(robot: &Robot, coordinate: usize, position: f64) -> f64 {
    let known = &robot.model.coordinates()[coordinate];
    let (factor, per_one) = if known.kind == MovingKind::Prismatic { (1.0, 1e4) } else { (1f64.to_degrees(), 10.0) };
    let [lower, upper] = [known.limits.lower, known.limits.upper].map(|limit| limit * factor * per_one);
    let rounded = (position * factor * per_one).round();
    let within = if rounded > upper {
        upper.floor()
    } else if rounded < lower {
        lower.ceil()
    } else {
        rounded
    };
    within / per_one + 0.0
}
