//! The small file that a guess makes.

use std::path::Path;
use std::sync::Arc;

use geometry::{Pose, Vector3};
use serde_json::{Map, Value, json};

use super::body::Extent;
use super::grips::{Grip, grips};
use super::hands::Facing;
use super::hung::Hung;
use super::json::text_of;
use super::parts::{Pieces, parts};
use super::points::points_m;
use super::posture::{self, Posture};
use super::said::{Corrections, FrameName};
use super::told::{Alternative, Confidence, Guessed, Topic};
use super::walking::{Walking, rounded, walking};
use super::{Frame, Guess};
use crate::urdf::Adapted;
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
        Proposal::corrected(urdf_text, urdf_file, urdf, &Corrections::default())
    }

    /// The same, where a person has said some of it.
    pub fn corrected(
        urdf_text: &str,
        urdf_file: &Path,
        urdf: &str,
        corrections: &Corrections,
    ) -> Result<Proposal, UrdfError> {
        let folder = urdf_file.parent().unwrap_or(Path::new(""));
        let Hung { adapted, description, model, guess } = Hung::of(urdf_text, folder, corrections)?;
        let load = |file: &Value| Robot::from_texts(&text_of(file), "robot.json", urdf_text, urdf_file);
        let mut guessed = guess.frames_told(&description);
        let mut file = frames_json(&guessed, urdf, &adapted);
        let mut robot = load(&file);
        if let Ok((found, _)) = &robot {
            guessed.extend(whole(&guess, found, corrections));
            file = whole_json(&guessed, found, frames_json(&guessed, urdf, &adapted), corrections);
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
        let pieces = Pieces::of(description);
        let others = |found: &super::Found| {
            let taken = found.frame.link;
            found.others.clone().into_iter().filter(move |link| *link != taken)
        };
        let told = |frame: FrameName| match self.frame(frame) {
            None => Guessed {
                key: format!("frames.{}", frame.word()),
                topic: Topic::Frame { frame },
                value: Value::Null,
                reason: "not found: the errors say why".to_owned(),
                confidence: Confidence::Missing,
                links: Vec::new(),
                shown: Vec::new(),
                alternatives: Vec::new(),
            },
            Some(found) => Guessed {
                key: format!("frames.{}", frame.word()),
                topic: Topic::Frame { frame },
                value: frame_json(&found.frame, description),
                reason: found.reason.clone(),
                confidence: found.confidence,
                links: vec![name(found.frame.link)],
                shown: pieces.with(description, found.frame.link),
                alternatives: others(found).map(|link| alternative(name(link))).collect(),
            },
        };
        let mut all: Vec<Guessed> = FrameName::ALL.into_iter().map(told).collect();
        let hands = |list: fn(&Guessed) -> &Vec<String>| -> Vec<String> {
            let is_hand = |told: &&Guessed| {
                matches!(told.topic, Topic::Frame { frame: FrameName::LeftHand | FrameName::RightHand })
            };
            all.iter().filter(is_hand).flat_map(list).cloned().collect()
        };
        if let Some(palm) = &self.palm {
            let links = hands(|told| &told.links);
            let turned = |(turn_deg, facing): &(f64, Facing)| Alternative {
                value: json!(turn_deg),
                link: None,
                reason: format!("turned by {turn_deg:.0}°, it faces {}", facing.word()),
            };
            let told = Guessed {
                key: "palm".to_owned(),
                topic: Topic::Palm,
                value: json!(palm.facing.word()),
                reason: format!("the palm of the left hand faces {}: {}", palm.facing.word(), palm.reason),
                confidence: palm.confidence,
                shown: hands(|told| &told.shown),
                links,
                alternatives: palm.turns.iter().map(turned).collect(),
            };
            all.push(told);
        }
        all
    }
}

fn alternative(link: String) -> Alternative {
    Alternative { value: json!(link), link: Some(link), reason: "hangs beside it".to_owned() }
}

/// A small file with the frames only: what a first reading of the robot needs.
fn frames_json(guessed: &[Guessed], urdf: &str, adapted: &Adapted) -> Value {
    let frames: Map<String, Value> = guessed
        .iter()
        .filter(|told| told.confidence > Confidence::Missing)
        .filter_map(|told| Some((told.key.strip_prefix("frames.")?.to_owned(), told.value.clone())))
        .collect();
    let mut file = json!({"version": 1, "urdf": urdf});
    if let Some(root) = &adapted.root {
        file["root"] = json!(root);
    }
    if !adapted.held.is_empty() {
        file["held"] = json!(adapted.held);
    }
    file["frames"] = Value::Object(frames);
    file
}

/// All but the frames, of a robot that was read with the frames of this guess.
fn whole(guess: &Guess, robot: &Robot, corrections: &Corrections) -> Vec<Guessed> {
    let mut told = parts(robot);
    let mut add = |topic: Topic, key: String, value: Value, (reason, confidence): (String, Confidence)| {
        let (links, shown, alternatives) = (Vec::new(), Vec::new(), Vec::new());
        told.push(Guessed { key, topic, value, reason, confidence, links, shown, alternatives });
    };
    let (home, walking) = standing(guess, robot);
    let others = posture::others(robot, &home);
    for posture in std::iter::once(&home).chain(&others) {
        for (key, slides) in [("presets_deg", false), ("presets_m", true)] {
            let value = preset_json(robot, &posture.positions, slides);
            if !slides || value.as_object().is_some_and(|value| !value.is_empty()) {
                let thought = (posture.reason.clone(), posture.confidence);
                add(Topic::Preset, format!("{key}.{}", posture.name), value, thought);
            }
        }
    }
    let (grips, nearer_m) = grips(robot, corrections.grips_reversed);
    for grip in &grips {
        let confidence = match (corrections.grips_reversed, nearer_m > 0.01) {
            (true, _) => Confidence::Sure,
            (false, true) => Confidence::Likely,
            (false, false) => Confidence::Doubtful,
        };
        for (key, slides) in [("grips_deg", false), ("grips_m", true)] {
            let value = grip_json(robot, grip, slides);
            if !value.is_empty() {
                let reason = match corrections.grips_reversed {
                    true => "a person said that they close the other way",
                    false => "closed is where the fingers are nearest to each other and to the palm",
                };
                let thought = (reason.to_owned(), confidence);
                add(Topic::Grip, format!("{key}.{}", grip.name), Value::Object(value), thought);
            }
        }
    }
    for link in &guess.cameras {
        let name = robot.description.links[*link].name.clone();
        let value = json!({"link": name, "horizontal_view_deg": 70, "width": 640, "height": 480});
        let (why, confidence) = match corrections.cameras.is_some() {
            true => ("a person said so", Confidence::Likely),
            false => ("its name says so", Confidence::Doubtful),
        };
        let thought = (format!("{why}; the angle of view is not in a URDF"), confidence);
        add(Topic::Camera, format!("cameras.{name}"), value, thought);
    }
    add(Topic::Walking, "walking".to_owned(), json!(walking.limits), (walking.reason, walking.confidence));
    show(&mut told, robot);
    told
}

/// Cameras by their links, walking by the feet, grips by the fingers, with the other way they may close.
fn show(all: &mut [Guessed], robot: &Robot) {
    let pieces = Pieces::of(&robot.description);
    let of_part = |words: [&str; 2]| -> Vec<String> {
        let parts = all.iter().filter(|told| words.iter().any(|word| told.key == format!("parts.{word}")));
        parts.flat_map(|told| told.shown.clone()).collect()
    };
    let fingers = of_part(["left_hand", "right_hand"]);
    let feet: Vec<String> = robot.frames.soles.iter().flat_map(|sole| pieces.with(&robot.description, *sole)).collect();
    for told in all {
        match told.topic {
            Topic::Camera => {
                told.links = told.value["link"].as_str().map(str::to_owned).into_iter().collect();
                told.shown.clone_from(&told.links);
            }
            Topic::Walking => told.shown.clone_from(&feet),
            Topic::Grip => {
                told.shown.clone_from(&fingers);
                let reason = "the fingers close the other way".to_owned();
                told.alternatives = vec![Alternative { value: json!("reversed"), link: None, reason }];
            }
            Topic::Frame { .. } | Topic::Palm | Topic::Part | Topic::Preset => {}
        }
    }
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
fn whole_json(guessed: &[Guessed], robot: &Robot, mut file: Value, corrections: &Corrections) -> Value {
    let part = |part: &Part| (part.name.word().to_owned(), part_json(part, robot));
    file["parts"] = Value::Object(robot.parts.iter().map(part).collect());
    for told in guessed {
        match (told.topic, told.key.split_once('.')) {
            (Topic::Frame { .. } | Topic::Palm | Topic::Part, _) => {}
            (_, Some((section, key))) => file[section][key] = told.value.clone(),
            (_, None) => file[&told.key] = told.value.clone(),
        }
    }
    if !corrections.is_empty() {
        file["corrections"] = json!(corrections);
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
