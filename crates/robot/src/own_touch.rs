//! Whether a way would drive the body into itself, known before anything moves.

use crate::{JointWay, LinkContact, Robot};

/// Two links that would be in each other on the way, or at its end; one that moves first.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnTouch {
    pub links: [String; 2],
    pub depth_m: f64,
}

/// Another way that the body is on already.
#[derive(Clone, Copy, Debug)]
pub struct UnderWay<'a> {
    pub way: &'a JointWay,
    /// Of its time.
    pub passed_s: f64,
}

/// Skin and shapes that are drawn too wide touch; deeper than this is a blow.
const DEEPEST_M: f64 = 0.01;
/// Links that are in each other already may go apart, and may tremble on the way.
const DEEPER_M: f64 = 0.005;
/// Between two configurations that are looked at, of the joint that goes furthest; rad or m.
const APART: f64 = 0.08;
/// A way is looked at in no more places than this, however long it is.
const MOST_LOOKS: usize = 200;

impl OwnTouch {
    /// Of a way from where the robot is, while others go on: every two links that it moves against each other, but for
    /// those that are not watched at all.
    pub fn of(robot: &Robot, positions: &[f64], way: &JointWay, others: &[UnderWay<'_>]) -> Option<OwnTouch> {
        // What moves the same joints is overridden by this.
        let stays = |other: &&UnderWay<'_>| !other.way.coordinates.iter().any(|at| way.coordinates.contains(at));
        let others: Vec<UnderWay<'_>> = others.iter().filter(stays).copied().collect();
        let together = Together { start: positions, way, others: &others };
        let movers = movers(robot, way);
        let model = robot.collision_model();
        // What both hang on may move as it likes: it does not bring them together.
        let pairs = model.pairs_of(|[one, other]| movers[one] != movers[other] && !are_near(robot, [one, other]));
        let mut poses = robot.model.new_poses();
        robot.model.forward(positions, &mut poses);
        let before = model.contacts(&poses, &pairs);
        for (time_s, positions) in together.looks() {
            robot.model.forward(&positions, &mut poses);
            let contacts = model.contacts(&poses, &pairs);
            let blows: Vec<&LinkContact> = contacts.iter().filter(|contact| is_blow(contact, &before)).collect();
            // What comes of the others alone is theirs.
            let without = if blows.is_empty() || others.is_empty() {
                Vec::new()
            } else {
                robot.model.forward(&together.without(time_s), &mut poses);
                model.contacts(&poses, &pairs)
            };
            if let Some(contact) = blows.into_iter().find(|contact| is_blow(contact, &without)) {
                let [one, other] = contact.links.map(|link| robot.description.links[link].name.clone());
                let links = if movers[contact.links[0]].is_some() { [one, other] } else { [other, one] };
                return Some(OwnTouch { links, depth_m: contact.depth_m });
            }
        }
        None
    }
}

fn is_blow(contact: &LinkContact, before: &[LinkContact]) -> bool {
    let was_m = before.iter().find(|other| other.links == contact.links).map_or(0.0, |other| other.depth_m);
    contact.depth_m > DEEPEST_M && contact.depth_m > was_m + DEEPER_M
}

/// An elbow is often a link of its own: an arm that folds brings what is before and behind it together, as far as its
/// limits let it.
const NEAR_JOINTS: usize = 2;

/// Whether one hangs on the other by so few joints that these decide how near they come.
pub(crate) fn are_near(robot: &Robot, [one, other]: [usize; 2]) -> bool {
    let links = &robot.model.links;
    // A link has a higher index than what it hangs on.
    let (mut link, above) = (one.max(other), one.min(other));
    let mut joints = 0;
    while link > above {
        joints += usize::from(links[link].drive.is_some());
        match links[link].parent {
            Some(parent) => link = parent,
            None => return false,
        }
    }
    link == above && joints <= NEAR_JOINTS
}

/// For each link the nearest one, itself or one that it hangs on, that a joint of the way moves.
fn movers(robot: &Robot, way: &JointWay) -> Vec<Option<usize>> {
    let mut movers: Vec<Option<usize>> = Vec::new();
    for (index, link) in robot.model.links.iter().enumerate() {
        let is_driven = link.drive.is_some_and(|drive| way.moves(drive.coordinate));
        let above = link.parent.and_then(|parent| movers[parent]);
        movers.push(if is_driven { Some(index) } else { above });
    }
    movers
}

/// A way and what else the body is doing, in the same time.
struct Together<'a> {
    start: &'a [f64],
    way: &'a JointWay,
    others: &'a [UnderWay<'a>],
}

impl Together<'_> {
    fn at(&self, time_s: f64) -> Vec<f64> {
        let mut positions = self.without(time_s);
        self.way.at(time_s, &mut positions);
        positions
    }

    /// Where the body would be without the way.
    fn without(&self, time_s: f64) -> Vec<f64> {
        let mut positions = self.start.to_vec();
        for other in self.others {
            other.way.at(other.passed_s + time_s, &mut positions);
        }
        positions
    }

    /// Configurations along it with their times, until all have ended.
    fn looks(&self) -> Vec<(f64, Vec<f64>)> {
        let of_others = self.others.iter().flat_map(|other| other.way.times_s().map(|time_s| time_s - other.passed_s));
        let mut times_s: Vec<f64> = self.way.times_s().chain(of_others).filter(|time_s| *time_s >= 0.0).collect();
        times_s.sort_by(f64::total_cmp);
        let mut looks = Vec::new();
        let (mut last_s, mut last) = (0.0, self.start.to_vec());
        for (index, time_s) in times_s.iter().enumerate() {
            let next = self.at(*time_s);
            let gone = furthest(&last, &next);
            let is_end = *time_s == self.way.duration_s() || index + 1 == times_s.len();
            if gone < APART && !is_end {
                continue;
            }
            let parts = (gone / APART).ceil().clamp(1.0, MOST_LOOKS as f64) as usize;
            for part in 1..parts {
                let between_s = last_s + (time_s - last_s) * part as f64 / parts as f64;
                looks.push((between_s, self.at(between_s)));
            }
            looks.push((*time_s, next.clone()));
            (last_s, last) = (*time_s, next);
        }
        thinned(looks)
    }
}

fn furthest(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).fold(0.0, |furthest, (from, to)| furthest.max((to - from).abs()))
}

/// With its end.
fn thinned(mut looks: Vec<(f64, Vec<f64>)>) -> Vec<(f64, Vec<f64>)> {
    let every = looks.len().div_ceil(MOST_LOOKS).max(1);
    let last = looks.len().saturating_sub(1);
    let mut index = 0;
    looks.retain(|_| {
        index += 1;
        (index - 1) % every == 0 || index - 1 == last
    });
    looks
}
