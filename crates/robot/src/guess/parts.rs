//! Parts of the body as they follow from the frames, told as what was guessed: what is not there is told, too.

use serde_json::{Value, json};

use super::told::{Confidence, Guessed, Topic};
use crate::{Description, Motion, Part, PartName, Robot};

/// A leg of fewer cannot put its foot every way, nor an arm its hand.
const FREE_JOINTS: usize = 6;

pub(super) fn parts(robot: &Robot) -> Vec<Guessed> {
    PartName::ALL.into_iter().map(|name| told(robot, name)).collect()
}

fn told(robot: &Robot, name: PartName) -> Guessed {
    let part = robot.part(name);
    let joint = |coordinate: usize| robot.model.coordinates()[coordinate].name.clone();
    let (reason, confidence) = match part {
        None => (missing(name).to_owned(), Confidence::Missing),
        Some(part) => thought(robot, part, &joint),
    };
    let joints: Vec<String> = part.iter().flat_map(|part| &part.coordinates).map(|at| joint(*at)).collect();
    Guessed {
        key: format!("parts.{}", name.word()),
        topic: Topic::Part,
        value: if part.is_some() { json!(joints) } else { Value::Null },
        reason,
        confidence,
        links: Vec::new(),
        shown: part.map_or_else(Vec::new, |part| moved(robot, part)),
        alternatives: Vec::new(),
    }
}

fn missing(name: PartName) -> &'static str {
    match name {
        PartName::Hand(_) => "nothing moves beyond the hand: it has no fingers",
        PartName::Spine => "nothing between pelvis and chest moves: it has no spine",
        PartName::Neck => "nothing between chest and head moves: it has no neck",
        PartName::Arm(_) => "no joints lead from the chest to this hand",
        PartName::Leg(_) => "no joints lead from the pelvis to this sole",
    }
}

fn thought(robot: &Robot, part: &Part, joint: &dyn Fn(usize) -> String) -> (String, Confidence) {
    let count = part.coordinates.len();
    let limb = |bend: &str| match robot.role(part.name, bend) {
        Some(role) if count >= FREE_JOINTS => {
            (format!("{count} joints; the {bend} is `{}`", joint(role.coordinate)), Confidence::Sure)
        }
        Some(role) => {
            let at = joint(role.coordinate);
            let reason = format!("{count} joints, which do not reach every way; the {bend} is `{at}`");
            (reason, Confidence::Likely)
        }
        None => (format!("{count} joints, of which none is a {bend}"), Confidence::Doubtful),
    };
    match part.name {
        PartName::Leg(_) => limb("knee"),
        PartName::Arm(_) => limb("elbow"),
        PartName::Hand(_) => (format!("the {count} joints beyond the hand"), Confidence::Sure),
        PartName::Spine => (format!("the {count} joints between pelvis and chest"), Confidence::Sure),
        PartName::Neck if robot.role(part.name, "pitch").is_some() => {
            (format!("the {count} joints between chest and head"), Confidence::Sure)
        }
        PartName::Neck => {
            (format!("the {count} joints between chest and head, none of which nods"), Confidence::Likely)
        }
    }
}

/// What of the URDF the joints of a part move, without what other parts move.
fn moved(robot: &Robot, part: &Part) -> Vec<String> {
    let drives =
        |link: usize| robot.model.links[link].drive.is_some_and(|at| part.coordinates.contains(&at.coordinate));
    let pieces = Pieces::of(&robot.description);
    pieces.names(&robot.description, drives)
}

/// Links that are fixed to each other, by the one that a joint moves.
pub(super) struct Pieces(Vec<usize>);

impl Pieces {
    pub fn of(description: &Description) -> Pieces {
        let mut pieces = vec![0; description.links.len()];
        for joint in &description.joints {
            let moves = matches!(joint.motion, Motion::Moving(_));
            pieces[joint.child] = if moves { joint.child } else { pieces[joint.parent] };
        }
        Pieces(pieces)
    }

    /// The link with what is fixed to it outward; where none of that is seen, all that it is fixed to.
    pub fn with(&self, description: &Description, link: usize) -> Vec<String> {
        let own = self.0[link];
        let mut outward = vec![false; description.links.len()];
        outward[link] = true;
        for joint in &description.joints {
            outward[joint.child] |= outward[joint.parent] && self.0[joint.child] == own;
        }
        let seen = |at: usize| outward[at] && !description.links[at].visuals.is_empty();
        if !(0..outward.len()).any(seen) {
            return self.names(description, |piece| piece == own);
        }
        let links = description.links.iter().zip(&outward).filter(|(link, outward)| link.line > 0 && **outward);
        links.map(|(link, _)| link.name.clone()).collect()
    }

    /// Of the URDF: frames that were placed have no line there.
    fn names(&self, description: &Description, takes: impl Fn(usize) -> bool) -> Vec<String> {
        let links = self.0.iter().zip(&description.links).filter(|(piece, link)| link.line > 0 && takes(**piece));
        links.map(|(_, link)| link.name.clone()).collect()
    }
}
