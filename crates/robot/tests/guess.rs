//! What is guessed from the URDF alone is what was written by hand.

use std::path::Path;

use robot::{Proposal, Robot, Side};

const OWN: [(&str, &str); 2] = [
    ("coact-one", include_str!("../../../robots/coact-one/robot.urdf")),
    ("coact-mini", include_str!("../../../robots/coact-mini/robot.urdf")),
];

#[test]
fn the_guess_is_what_was_written_by_hand() {
    for (name, urdf) in OWN {
        let own = Robot::builtin(name).unwrap();
        let proposal = Proposal::new(urdf, Path::new("robot.urdf"), "robot.urdf").unwrap();
        let (guessed, problems) = proposal.robot.as_ref().unwrap();
        assert_eq!(problems, &[], "{name}");
        let frames = |robot: &Robot| {
            let f = &robot.frames;
            [f.pelvis, f.chest, f.head, f.hands[0], f.hands[1], f.soles[0], f.soles[1]]
        };
        assert_eq!(frames(guessed), frames(&own), "{name}");
        for part in &own.parts {
            let other = guessed.part(part.name).unwrap_or_else(|| panic!("{name} has no {}", part.name));
            assert_eq!(other.coordinates, part.coordinates, "{name}: {}", part.name);
            assert_eq!((other.base, other.tip), (part.base, part.tip), "{name}: {}", part.name);
        }
        assert_eq!(guessed.cameras[0].link, own.cameras[0].link, "{name}");
        assert!((guessed.walking.stance_width_m - own.walking.stance_width_m).abs() < 0.005, "{name}");
        assert!((guessed.walking.foot_length_m - own.walking.foot_length_m).abs() < 0.005, "{name}");
        assert!(guessed.grip("close", Side::Left).is_some_and(|grip| !grip.is_empty()), "{name}");
    }
}

#[test]
fn the_proposed_file_says_the_same_when_it_is_read_again() {
    for (name, urdf) in OWN {
        let proposal = Proposal::new(urdf, Path::new("robot.urdf"), "robot.urdf").unwrap();
        let read: serde_json::Value = serde_json::from_str(&proposal.text()).unwrap();
        assert_eq!(read, proposal.file, "{name}");
    }
}

/// One that looks backward, with frames as they come: the file places its own.
#[test]
fn frames_that_lie_otherwise_are_placed() {
    let (_, urdf) = OWN[1];
    let turned = urdf.replacen(
        "<child link=\"hips\"/><origin xyz=\"0 0 0.06\"/>",
        "<child link=\"hips\"/><origin xyz=\"0 0 0.06\" rpy=\"0 0 3.14159265358979\"/>",
        1,
    );
    assert_ne!(turned, urdf);
    let turned = turned
        .replace("l_foot_sole", "l_toe_bar")
        .replace("<origin xyz=\"0.02 0 -0.05\"/>", "<origin xyz=\"0 0 -0.01\"/>");
    let proposal = Proposal::new(&turned, Path::new("robot.urdf"), "robot.urdf").unwrap();
    let (robot, problems) = proposal.robot.as_ref().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(problems.iter().filter(|problem| problem.is_error()).count(), 0, "{problems:?}");
    let mut poses = robot.model.new_poses();
    robot.model.forward(&robot.model.neutral(), &mut poses);
    let pelvis_from = |link| poses.base_from(robot.frames.pelvis).inverse() * poses.base_from(link);
    let [left, right] = robot.frames.soles.map(pelvis_from);
    assert!(left.translation_m().y > 0.05 && right.translation_m().y < -0.05, "{left:?}");
    assert!(left.rotation().angle() < 1e-3 && right.rotation().angle() < 1e-3, "{left:?} {right:?}");
}
