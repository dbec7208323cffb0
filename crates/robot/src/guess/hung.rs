//! A robot as behaviors need it: hung on its pelvis, each leg moved by joints of its own.

use std::path::Path;

use super::body::Body;
use super::{Corrections, FrameName, Guess};
use crate::urdf::Adapted;
use crate::{Description, Model, Problem, Severity, UrdfError};
use geometry::Vector3;

/// Links that are tried as the root, at most.
const MOST_TRIED: usize = 6;
/// Limbs hang on a link that is worth a try.
const LEAST_LIMBS: usize = 3;
const LEAST_JOINTS: usize = 3;

pub(super) struct Hung {
    pub adapted: Adapted,
    pub description: Description,
    pub model: Model,
    pub guess: Guess,
}

impl Hung {
    pub fn of(text: &str, folder: &Path, corrections: &Corrections) -> Result<Hung, UrdfError> {
        let first = Hung::with(Adapted::default(), text, folder, corrections)?;
        let mut hung = first.rooted(text, folder, corrections);
        let held = hung.shared_by_the_legs();
        if !held.is_empty() {
            let adapted = Adapted { held: held.clone(), ..hung.adapted.clone() };
            if let Ok(mut other) = Hung::with(adapted, text, folder, corrections) {
                let message = "it moves both legs: it is held still, so the robot does not turn by it";
                other.guess.problems.extend(held.iter().map(|name| remark(format!("joint {name}"), message)));
                if let Some(root) = &other.adapted.root {
                    other.guess.problems.push(rooted(root));
                }
                hung = other;
            }
        }
        Ok(hung)
    }

    fn with(adapted: Adapted, text: &str, folder: &Path, corrections: &Corrections) -> Result<Hung, UrdfError> {
        let text = if adapted.is_none() { Ok(text.to_owned()) } else { adapted.apply(text) };
        // Names are of this very text.
        let text = text.unwrap_or_default();
        let (description, _) = Description::from_urdf(&text, folder)?;
        let model = Model::new(&description);
        let guess = Guess::corrected(&description, &model, corrections);
        Ok(Hung { adapted, description, model, guess })
    }

    /// On the pelvis, where chest or soles do not hang on it as the URDF is.
    fn rooted(self, text: &str, folder: &Path, corrections: &Corrections) -> Hung {
        if self.is_whole() {
            return self;
        }
        for root in self.roots() {
            let adapted = Adapted { root: Some(root.clone()), ..Adapted::default() };
            if let Ok(mut other) = Hung::with(adapted, text, folder, corrections)
                && other.is_whole()
            {
                other.guess.problems.push(rooted(&root));
                return other;
            }
        }
        self
    }

    /// Legs and arms were found, and both hang on the pelvis.
    fn is_whole(&self) -> bool {
        let at = |name| self.guess.frame(name).map(|found| found.frame.link);
        let (Some(pelvis), Some(chest)) = (at(FrameName::Pelvis), at(FrameName::Chest)) else { return false };
        at(FrameName::Head).is_some() && self.upward(chest).any(|link| link == pelvis)
    }

    fn upward(&self, link: usize) -> impl Iterator<Item = usize> {
        let above = |link: &usize| link.checked_sub(1).map(|joint| self.description.joints[joint].parent);
        std::iter::successors(Some(link), above)
    }

    /// Links that might be the pelvis, the likeliest first.
    fn roots(&self) -> Vec<String> {
        let body = Body::of(&self.description, &self.model, Vector3::z());
        let found = self.guess.pelvis.as_ref().map(|found| found.frame.link);
        let limbs = |link: usize| {
            let below =
                body.children[link].iter().filter(|child| body.reach[**child] + body.moves(**child) >= LEAST_JOINTS);
            below.count() + usize::from(link > 0)
        };
        let mut others: Vec<usize> =
            (1..self.description.links.len()).filter(|link| limbs(*link) >= LEAST_LIMBS).collect();
        others.sort_by_key(|link| !body.is_called(*link, &["pelvis", "hip", "waist", "base", "torso"]));
        let all = found.into_iter().filter(|link| *link > 0).chain(others);
        all.map(|link| body.name(link).to_owned()).take(MOST_TRIED).collect()
    }

    /// Joints on the way to both soles that one coordinate drives, as hips of some robots.
    fn shared_by_the_legs(&self) -> Vec<String> {
        let at = |name| self.guess.frame(name).map(|found| found.frame.link);
        let (Some(pelvis), Some(left), Some(right)) =
            (at(FrameName::Pelvis), at(FrameName::LeftSole), at(FrameName::RightSole))
        else {
            return Vec::new();
        };
        let driven = |sole: usize| -> Vec<usize> {
            let way = self.upward(sole).take_while(|link| *link != pelvis);
            way.filter_map(|link| self.model.links[link].drive.map(|drive| drive.coordinate)).collect()
        };
        let (left, right) = (driven(left), driven(right));
        let is_shared = |link: usize| {
            self.model.links[link]
                .drive
                .is_some_and(|drive| left.contains(&drive.coordinate) && right.contains(&drive.coordinate))
        };
        self.description.joints.iter().filter(|joint| is_shared(joint.child)).map(|joint| joint.name.clone()).collect()
    }
}

fn rooted(root: &str) -> Problem {
    remark(
        format!("link {root}"),
        "the URDF does not begin with it, though legs and trunk hang on it: the robot is hung up by it",
    )
}

fn remark(element: String, message: &str) -> Problem {
    Problem { severity: Severity::Note, file: String::new(), line: 0, element, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Proposal, Robot, TRIED_WALK_M};

    const OWN: [(&str, &str); 2] = [
        ("coact-one", include_str!("../../../../robots/coact-one/robot.urdf")),
        ("coact-mini", include_str!("../../../../robots/coact-mini/robot.urdf")),
    ];

    fn proposal(text: &str) -> Proposal {
        Proposal::new(text, Path::new("robot.urdf"), "robot.urdf").unwrap()
    }

    /// Whatever link the file begins with: the chest, as of Booster's T1, a foot, the head, a hand.
    #[test]
    fn a_robot_is_guessed_the_same_whichever_link_is_its_root() {
        for (name, urdf) in OWN {
            let own = Robot::builtin(name).unwrap();
            let frames = &own.frames;
            for root in [frames.chest, frames.soles[0], frames.soles[1], frames.head, frames.hands[1]] {
                let root = own.description.links[root].name.clone();
                let text = Adapted { root: Some(root.clone()), held: Vec::new() }.apply(urdf).unwrap();
                assert_eq!(text.matches('\n').count(), urdf.matches('\n').count(), "{name} on {root}");
                let proposal = proposal(&text);
                assert!(proposal.file["root"].is_string(), "{name} on {root}");
                let (guessed, problems) = proposal.robot.unwrap_or_else(|error| panic!("{name} on {root}: {error}"));
                assert!(!problems.iter().any(Problem::is_error), "{name} on {root}: {problems:?}");
                let names = |robot: &Robot| {
                    let f = &robot.frames;
                    let all = [f.pelvis, f.chest, f.head, f.hands[0], f.hands[1], f.soles[0], f.soles[1]];
                    all.map(|link| robot.description.links[link].name.clone())
                };
                assert_eq!(names(&guessed), names(&own), "{name} on {root}");
                let pelvis = Some(own.description.links[frames.pelvis].name.clone());
                let as_used = Adapted { root: pelvis, held: Vec::new() }.apply(&text).unwrap();
                assert!(*guessed.urdf == *as_used && as_used != text, "{name} on {root}: it is drawn as it is used");
                let (turned, _) = Description::from_urdf(&text, Path::new("")).unwrap();
                assert_eq!(turned.links[0].name, root);
                moves_alike(&own, (&turned, &Model::new(&turned)), &root);
                moves_alike(&own, (&guessed.description, &guessed.model), &root);
                Arc::new(guessed).rehearse_walk(TRIED_WALK_M).unwrap_or_else(|why| panic!("{name} on {root}: {why}"));
            }
        }
    }

    /// Each link is where it was, seen from the pelvis, whatever the joints are.
    fn moves_alike(own: &Robot, (description, model): (&Description, &Model), root: &str) {
        let pelvis = description.link(&own.description.links[own.frames.pelvis].name).unwrap();
        let mut random = ::model::Random::new(3);
        let (mut here, mut there) = (own.model.new_poses(), model.new_poses());
        for _ in 0..5 {
            let positions: Vec<f64> = own
                .model
                .coordinates()
                .iter()
                .map(|joint| random.between(joint.limits.lower.max(-1.0), joint.limits.upper.min(1.0)))
                .collect();
            let others: Vec<f64> =
                model.coordinates().iter().map(|joint| positions[own.model.coordinate(&joint.name).unwrap()]).collect();
            own.model.forward(&positions, &mut here);
            model.forward(&others, &mut there);
            for (link, known) in own.description.links.iter().enumerate() {
                let known_there = description.link(&known.name).unwrap();
                let seen = here.base_from(own.frames.pelvis).inverse() * here.base_from(link);
                let seen_there = there.base_from(pelvis).inverse() * there.base_from(known_there);
                let off = seen.distance(&seen_there);
                assert!(off.position_m < 1e-6 && off.angle_rad < 1e-6, "{root}: {} is {off:?} off", known.name);
            }
        }
    }

    /// As of NAO: one motor turns both hips, about axes at half a right angle.
    fn with_one_motor(urdf: &str, hips: [&str; 2]) -> Proposal {
        let mut text = urdf.to_owned();
        for (hip, axis) in hips.into_iter().zip(["0 0.7071068 -0.7071068", "0 0.7071068 0.7071068"]) {
            let start = text.find(&format!("<joint name=\"{hip}\"")).unwrap();
            let end = start + text[start..].find("</joint>").unwrap();
            let joint = text[start..end].to_owned();
            let from = joint.find("<axis xyz=\"").unwrap() + "<axis xyz=\"".len();
            let to = from + joint[from..].find('"').unwrap();
            let mut shared = format!("{}{axis}{}", &joint[..from], &joint[to..]);
            if hip == hips[1] {
                shared += &format!("<mimic joint=\"{}\"/>", hips[0]);
            }
            text.replace_range(start..end, &shared);
        }
        let proposal = proposal(&text);
        assert_eq!(proposal.file["held"], serde_json::json!(hips));
        proposal
    }

    fn held_and_told(proposal: Proposal, hip: &str) -> (Robot, Vec<Problem>) {
        let (guessed, problems) = proposal.robot.unwrap();
        assert!(!problems.iter().any(Problem::is_error), "{problems:?}");
        let element = format!("joint {hip}");
        assert!(problems.iter().any(|problem| problem.element == element && problem.severity == Severity::Note));
        for side in crate::Side::BOTH {
            assert_eq!(guessed.part(crate::PartName::Leg(side)).unwrap().coordinates.len(), 5);
        }
        (guessed, problems)
    }

    /// The first joint of each leg, as of NAO: what is left rolls, pitches three times and rolls, so the sole stays level.
    #[test]
    fn a_joint_of_both_legs_is_held_and_told() {
        let hips = ["left_hip_yaw", "right_hip_yaw"];
        let (guessed, problems) = held_and_told(with_one_motor(OWN[0].1, hips), hips[0]);
        assert!(!problems.iter().any(|problem| problem.element == "walking"), "{problems:?}");
        Arc::new(guessed).rehearse_walk(TRIED_WALK_M).unwrap();
    }

    /// Between hip and knee: what is left pitches, rolls, pitches, rolls and pitches, so no sole under a bent knee stays level
    /// when the pelvis moves aside.
    #[test]
    fn a_robot_that_cannot_walk_with_a_joint_held_is_told() {
        let hips = ["l_leg_3", "r_leg_3"];
        let (guessed, problems) = held_and_told(with_one_motor(OWN[1].1, hips), hips[0]);
        let why = Arc::new(guessed).rehearse_walk(TRIED_WALK_M).unwrap_err();
        let told = |problem: &Problem| {
            problem.element == "walking" && problem.severity == Severity::Warning && problem.message.contains(&why)
        };
        assert!(problems.iter().any(told), "{why}: {problems:?}");
    }
}
