//! Damaged files: they load or are refused, but nothing panics, and what loads fits together.

use std::path::Path;

use robot::{Proposal, Robot};
use testkit::mutate::{Dice, fuzz, mutate};

const URDFS: [&str; 3] = [
    include_str!("../../../robots/coact-one/robot.urdf"),
    include_str!("../../../robots/coact-mini/robot.urdf"),
    include_str!("fixtures/odd.urdf"),
];
const SMALL_FILES: [&str; 2] =
    [include_str!("../../../robots/coact-one/robot.json"), include_str!("../../../robots/coact-mini/robot.json")];

fn fits_together(robot: &Robot) {
    let count = robot.model.coordinates().len();
    assert_eq!(robot.mirror.len(), count);
    for (own, to) in robot.mirror.iter().enumerate() {
        assert_eq!((robot.mirror[to.coordinate].coordinate, robot.mirror[to.coordinate].sign), (own, to.sign));
    }
    for preset in robot.presets.keys() {
        let positions = robot.configuration(preset).expect("a preset of its own");
        assert!(robot.model.within_limits(&positions), "{preset}");
        robot.model.forward(&positions, &mut robot.model.new_poses());
    }
    for part in &robot.parts {
        assert!(!part.coordinates.is_empty() && part.coordinates.iter().all(|coordinate| *coordinate < count));
    }
}

#[test]
fn damaged_urdfs() {
    // Each that is usable is made to stand and to walk, which takes a while.
    fuzz(200, |dice: &mut Dice| {
        let own = *dice.pick(&URDFS);
        let urdf = mutate(own, dice);
        let Ok(proposal) = Proposal::new(&urdf, Path::new("robot.urdf"), "robot.urdf") else { return };
        if let Ok((robot, _)) = &proposal.robot {
            fits_together(robot);
        }
    });
}

#[test]
fn damaged_small_files() {
    fuzz(600, |dice: &mut Dice| {
        let own = dice.roll(2);
        let text = mutate(SMALL_FILES[own], dice);
        match Robot::from_texts(&text, "robot.json", URDFS[own], Path::new("robot.urdf")) {
            Ok((robot, _)) => fits_together(&robot),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}
