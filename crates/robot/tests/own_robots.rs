//! The robots of our own: their two files fit together, and their left side is the mirror of their right one.

use geometry::Pose;
use robot::{PartName, Robot, Side};

const GRIPS: [&str; 11] = [
    "open",
    "close",
    "pinch",
    "flat",
    "hook",
    "relax",
    "door_lever_open",
    "door_lever_close",
    "door_lever_crush",
    "key_open",
    "key_close",
];

fn all() -> Vec<Robot> {
    let loaded = Robot::names().into_iter().map(|name| Robot::find(name).unwrap_or_else(|error| panic!("{error}")));
    loaded
        .map(|(robot, problems)| {
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(told, [""; 0], "{}", robot.name);
            robot
        })
        .collect()
}

#[test]
fn every_part_preset_and_grip_is_there() {
    for robot in all() {
        let name = &robot.name;
        assert_eq!(robot.parts.len(), PartName::ALL.len(), "{name}");
        let mut of_parts: Vec<usize> = robot.parts.iter().flat_map(|part| part.coordinates.clone()).collect();
        of_parts.sort_unstable();
        let every: Vec<usize> = (0..robot.model.coordinates().len()).collect();
        assert_eq!(of_parts, every, "{name}: every joint is of one part");
        for preset in ["zero", "home", "ready", "wide", "door_clearance"] {
            assert!(robot.presets.contains_key(preset), "{name}: {preset}");
        }
        for grip in GRIPS {
            for side in Side::BOTH {
                let fingers = robot.part(PartName::Hand(side)).unwrap().coordinates.len();
                let given = robot.grip(grip, side).unwrap_or_else(|| panic!("{name}: {grip}")).len();
                assert_eq!(given, fingers, "{name}: {grip} of the {} hand", side.word());
            }
        }
        assert!(!robot.cameras.is_empty(), "{name}");
    }
}

#[test]
fn it_stands_in_every_preset() {
    for robot in all() {
        let (name, model) = (&robot.name, &robot.model);
        let mut poses = model.new_poses();
        for preset in robot.presets.keys() {
            let positions = robot.configuration(preset).unwrap();
            assert!(model.within_limits(&positions), "{name}: {preset}");
            model.forward(&positions, &mut poses);
            let soles = robot.frames.soles.map(|sole| poses.base_from(sole));
            for sole in &soles {
                let rpy = sole.rpy();
                assert!(
                    rpy.pitch_rad.abs() < 1e-6 && rpy.roll_rad.abs() < 1e-6,
                    "{name}: {preset}: a foot is not level"
                );
                let forward_m = model.centre_of_mass_m(&poses).unwrap().x - sole.translation_m().x;
                assert!(forward_m.abs() < 0.1, "{name}: {preset}: weight {forward_m} m before the middle of the foot");
            }
            let [left, right] = soles.map(|sole| sole.translation_m());
            assert!((left.z - right.z).abs() < 1e-9, "{name}: {preset}");
            if preset == "home" {
                let apart_m = (left - right).norm();
                assert!((apart_m - robot.walking.stance_width_m).abs() < 0.02, "{name}: soles {apart_m} m apart");
            }
        }
    }
}

#[test]
fn the_left_side_mirrors_the_right_one() {
    for robot in all() {
        let (name, model) = (&robot.name, &robot.model);
        let shares = (0..model.coordinates().len()).map(|index| 0.1 + 0.8 * ((index * 7 % 11) as f64 / 10.0));
        let limits = model.coordinates().iter().map(|coordinate| coordinate.limits);
        let positions: Vec<f64> = limits.zip(shares).map(|(l, share)| l.lower + share * (l.upper - l.lower)).collect();
        let other = robot.mirrored(&positions);
        assert!(model.within_limits(&other), "{name}");
        assert_eq!(robot.mirrored(&other), positions, "{name}: twice is nothing");
        let (mut poses, mut other_poses) = (model.new_poses(), model.new_poses());
        model.forward(&positions, &mut poses);
        model.forward(&other, &mut other_poses);
        for (index, link) in robot.description.links.iter().enumerate() {
            if link.name.starts_with("right_") || link.name.starts_with("r_") {
                continue;
            }
            let left = link.name.strip_prefix("left_").map(|rest| format!("right_{rest}"));
            let there = left.or_else(|| link.name.strip_prefix("l_").map(|rest| format!("r_{rest}")));
            let there = model.link(there.as_ref().unwrap_or(&link.name)).expect("the right has it too");
            let here: Pose = poses.base_from(index).mirrored();
            let off = here.distance(&other_poses.base_from(there));
            assert!(off.position_m < 1e-9 && off.angle_rad < 1e-6, "{name}: {}: {off:?}", link.name);
        }
    }
}

#[test]
fn arms_have_joints_enough_for_any_pose() {
    for robot in all() {
        for side in Side::BOTH {
            assert!(robot.part(PartName::Arm(side)).unwrap().coordinates.len() >= 6, "{}", robot.name);
        }
    }
}

#[test]
fn coact_one_is_full_size() {
    let robot = Robot::builtin("coact-one").unwrap();
    assert!((70.0..80.0).contains(&robot.model.mass_kg()));
    let mut poses = robot.model.new_poses();
    robot.model.forward(&robot.model.neutral(), &mut poses);
    let height_m = poses.base_from(robot.frames.head).translation_m().z + 0.2
        - poses.base_from(robot.frames.soles[0]).translation_m().z;
    assert!((1.65..1.78).contains(&height_m), "{height_m} m");
}
