//! Robots of others, as PyPI has them: `./dev` unpacks some into `third_party/example-robot-data/robots`. COACT_URDFS names more, by spaces.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use robot::{PartName, Proposal, Robot, Side, TRIED_WALK_M};

fn guessed(urdf: &Path) -> Proposal {
    let text = fs::read_to_string(urdf).unwrap_or_else(|error| panic!("{}: {error}", urdf.display()));
    let name = urdf.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Proposal::new(&text, urdf, &name).unwrap_or_else(|error| panic!("{}: {error}", urdf.display()))
}

/// Talos, G1 with and without fingers, Romeo; empty where they were not unpacked.
fn known() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/example-robot-data/robots");
    let files = [
        "talos_data/robots/talos_full_v2.urdf",
        "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        "romeo_description/urdf/romeo.urdf",
    ];
    let found: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).filter(|file| file.is_file()).collect();
    if found.is_empty() {
        eprintln!("SKIPPED: no robots of others in {}; `./dev robots` gets them", folder.display());
    }
    found
}

#[test]
fn they_are_guessed_and_walk() {
    for urdf in known() {
        let place = urdf.display();
        let proposal = guessed(&urdf);
        let (robot, problems) = proposal.robot.unwrap_or_else(|error| panic!("{place}: {error}"));
        assert!(!problems.iter().any(robot::Problem::is_error), "{place}: {problems:?}");
        let robot = Arc::new(robot);
        robot.rehearse_walk(TRIED_WALK_M).unwrap_or_else(|why| panic!("{place}: {why}"));
        for preset in ["home", "ready", "wide"] {
            assert!(robot.configuration(preset).is_some(), "{place} has no {preset}");
        }
        for side in Side::BOTH {
            assert!(robot.part(PartName::Arm(side)).is_some_and(|arm| arm.coordinates.len() == 7), "{place}");
            assert!(robot.part(PartName::Leg(side)).is_some_and(|leg| leg.coordinates.len() == 6), "{place}");
        }
        soles_are_under_the_feet(&robot);
        assert!(proposal.guessed.iter().all(|told| !told.reason.is_empty()), "{place}");
        let is_other = |told: &robot::Guessed| {
            told.alternatives.iter().filter_map(|other| other.link.as_ref()).all(|link| !told.links.contains(link))
        };
        assert!(proposal.guessed.iter().all(is_other), "{place}: what was taken is no alternative to itself");
    }
}

/// Nothing of a robot that stands is below its soles.
fn soles_are_under_the_feet(robot: &Robot) {
    let positions = robot.configuration("home").expect("a preset that is always there");
    let mut poses = robot.model.new_poses();
    robot.model.forward(&positions, &mut poses);
    let pelvis = poses.base_from(robot.frames.pelvis).inverse();
    let [left, right] = robot.frames.soles.map(|sole| (pelvis * poses.base_from(sole)).translation_m());
    assert!((left.z - right.z).abs() < 0.005 && (left.x - right.x).abs() < 0.01, "{}: {left} {right}", robot.name);
    assert!(left.y > 0.03 && right.y < -0.03, "{}: {left} {right}", robot.name);
    for (index, link) in robot.description.links.iter().enumerate() {
        for shape in &link.collisions {
            for point in shape.hull_m() {
                let at_m = (pelvis * poses.base_from(index) * shape.link_from_shape).transform_point(&point.into());
                assert!(
                    at_m.z > left.z - 0.012,
                    "{}: {} is {} m below the sole",
                    robot.name,
                    link.name,
                    left.z - at_m.z
                );
            }
        }
    }
}
