//! The robot of our own: its two files fit together, and its left side is the mirror of its right one.

use std::collections::BTreeMap;
use std::fs;

use geometry::Pose;
use robot::Model;
use serde::Deserialize;

mod common;

#[derive(Deserialize)]
struct RobotFile {
    frames: BTreeMap<String, String>,
    parts: BTreeMap<String, Part>,
    presets_deg: BTreeMap<String, BTreeMap<String, f64>>,
    mirror: BTreeMap<String, Mirrored>,
    cameras: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Part {
    joints: Vec<String>,
    base: Option<String>,
    end_effector: Option<String>,
}

#[derive(Deserialize)]
struct Mirrored {
    joint: String,
    #[serde(default = "one")]
    sign: f64,
}

fn one() -> f64 {
    1.0
}

fn robot_file() -> RobotFile {
    let text = fs::read_to_string(common::folder().join("robot.json")).expect("the file is there");
    serde_json::from_str(&text).expect("the file is as it should be")
}

fn positions(model: &Model, preset_deg: &BTreeMap<String, f64>) -> Vec<f64> {
    let mut positions = model.neutral();
    for (joint, angle_deg) in preset_deg {
        positions[model.coordinate(joint).expect("a joint of the robot")] = angle_deg.to_radians();
    }
    positions
}

fn mirrored(model: &Model, file: &RobotFile, positions: &[f64]) -> Vec<f64> {
    let mut other = positions.to_vec();
    for (joint, to) in &file.mirror {
        let (here, there) = (model.coordinate(joint).expect("a joint"), model.coordinate(&to.joint).expect("a joint"));
        other[there] = to.sign * positions[here];
        other[here] = to.sign * positions[there];
    }
    other
}

#[test]
fn every_name_is_there() {
    let (model, file) = (common::coact_one(), robot_file());
    let ends = file.parts.values().flat_map(|part| part.base.iter().chain(&part.end_effector));
    for link in file.frames.values().chain(file.cameras.values()).chain(ends) {
        assert!(model.link(link).is_some(), "no link {link}");
    }
    let mut joints: Vec<&str> = file.parts.values().flat_map(|part| &part.joints).map(String::as_str).collect();
    joints.sort_unstable();
    let mut all: Vec<&str> = model.coordinates().iter().map(|coordinate| coordinate.name.as_str()).collect();
    all.sort_unstable();
    assert_eq!(joints, all, "every joint is of one part");
}

#[test]
fn size_and_presets() {
    let (model, file) = (common::coact_one(), robot_file());
    assert!((70.0..80.0).contains(&model.mass_kg()));
    let mut poses = model.new_poses();
    for (name, preset_deg) in &file.presets_deg {
        let positions = positions(&model, preset_deg);
        assert!(model.within_limits(&positions), "{name}");
        model.forward(&positions, &mut poses);
        let sole = poses.base_from(model.link("left_sole").unwrap());
        assert!(sole.rpy().pitch_rad.abs() < 1e-9, "{name}: the foot is level");
        let forward_m = model.centre_of_mass_m(&poses).unwrap().x - sole.translation_m().x;
        assert!(forward_m.abs() < 0.1, "{name}: the weight is over the foot, not {forward_m} m before its middle");
    }
    model.forward(&model.neutral(), &mut poses);
    let height_m = poses.base_from(model.link("head").unwrap()).translation_m().z + 0.2
        - poses.base_from(model.link("left_sole").unwrap()).translation_m().z;
    assert!((1.65..1.78).contains(&height_m), "{height_m} m");
}

#[test]
fn the_left_side_mirrors_the_right_one() {
    let (model, file) = (common::coact_one(), robot_file());
    let shares = (0..model.coordinates().len()).map(|index| 0.1 + 0.8 * ((index * 7 % 11) as f64 / 10.0));
    let limits = model.coordinates().iter().map(|coordinate| coordinate.limits);
    let positions: Vec<f64> = limits.zip(shares).map(|(l, share)| l.lower + share * (l.upper - l.lower)).collect();
    let other = mirrored(&model, &file, &positions);
    assert!(model.within_limits(&other));
    assert_eq!(mirrored(&model, &file, &other), positions, "twice is nothing");
    let (mut poses, mut other_poses) = (model.new_poses(), model.new_poses());
    model.forward(&positions, &mut poses);
    model.forward(&other, &mut other_poses);
    let pairs = [("left_palm", "right_palm"), ("left_sole", "right_sole"), ("head", "head"), ("chest", "chest")];
    let fingers = [("left_thumb_distal", "right_thumb_distal"), ("left_ring_distal", "right_ring_distal")];
    for (left, right) in pairs.into_iter().chain(fingers) {
        let here: Pose = poses.base_from(model.link(left).unwrap()).mirrored();
        let off = here.distance(&other_poses.base_from(model.link(right).unwrap()));
        assert!(off.position_m < 1e-9 && off.angle_rad < 1e-6, "{left}: {off:?}");
    }
}
