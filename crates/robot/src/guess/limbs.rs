//! Mirrored pairs of limbs, and which of them are legs and arms.

use super::body::Body;

/// A chain of joints on the left and its like on the right, each by the first link that moves.
#[derive(Clone, Debug)]
pub(super) struct Limbs {
    /// What both hang on.
    pub trunk: usize,
    pub roots: [usize; 2],
    /// Ends of the longest way on each side: links that move.
    pub ends: [usize; 2],
    /// On that way.
    pub joints: usize,
    /// Along that way.
    pub length_m: f64,
}

/// The fewest joints that make a leg or an arm.
const LEAST_JOINTS: usize = 3;
/// Ends within this share of the height are on one ground.
const SAME_GROUND: f64 = 0.12;
const OF_ARMS: [&str; 7] = ["shoulder", "elbow", "wrist", "hand", "finger", "gripper", "thumb"];
const OF_LEGS: [&str; 7] = ["hip", "knee", "ankle", "thigh", "shank", "calf", "foot"];
const LEG_JOINTS: usize = 6;
/// Of the height of the robot: nothing shorter is an arm.
const SHORTEST_ARM: f64 = 0.12;

impl Limbs {
    /// All there are, each once.
    pub fn all(body: &Body) -> Vec<Limbs> {
        let mut all: Vec<Limbs> = Vec::new();
        for [left, right] in body.pairs_of_leaves() {
            let trunk = body.meeting(left, right);
            let ways = [left, right].map(|leaf| body.moving_between(trunk, leaf));
            let [Some(left), Some(right)] = [0, 1].map(|side: usize| ways[side].first().copied()) else { continue };
            let limbs = Limbs {
                trunk,
                roots: [left, right],
                ends: [0, 1].map(|side: usize| ways[side].last().copied().unwrap_or(left)),
                joints: ways[0].len().min(ways[1].len()),
                length_m: length_m(body, &ways[0]),
            };
            match all.iter_mut().find(|known| known.trunk == trunk && known.roots == limbs.roots) {
                Some(known) if known.length_m < limbs.length_m => *known = limbs,
                Some(_) => {}
                None => all.push(limbs),
            }
        }
        all
    }

    /// The two that end in these links; None: they are not moved each by joints of their own.
    pub fn between(body: &Body, ends: [usize; 2]) -> Option<Limbs> {
        let trunk = body.meeting(ends[0], ends[1]);
        let ways = ends.map(|end| body.moving_between(trunk, end));
        let [Some(left), Some(right)] = [0, 1].map(|side: usize| ways[side].first().copied()) else { return None };
        Some(Limbs {
            trunk,
            roots: [left, right],
            ends: ends.map(|end| body.piece_of(end)),
            joints: ways[0].len().min(ways[1].len()),
            length_m: length_m(body, &ways[0]),
        })
    }

    /// Whether links on the way are called so.
    fn is_called(&self, body: &Body, words: &[&str]) -> bool {
        body.moving_between(self.trunk, self.ends[0]).iter().any(|link| body.is_called(*link, words))
    }

    fn lowest_m(&self, body: &Body) -> f64 {
        self.ends.iter().map(|end| body.at_m(*end).z).fold(f64::INFINITY, f64::min)
    }
}

fn length_m(body: &Body, way: &[usize]) -> f64 {
    way.windows(2).map(|two| (body.at_m(two[1]) - body.at_m(two[0])).norm()).sum()
}

/// The pair that stands on the ground, and how many others stand there too.
pub(super) fn legs<'a>(body: &Body, all: &'a [Limbs]) -> Option<(&'a Limbs, Vec<&'a Limbs>)> {
    let is_arm = |limbs: &Limbs| limbs.is_called(body, &OF_ARMS) && !limbs.is_called(body, &OF_LEGS);
    let long = || all.iter().filter(|limbs| limbs.joints >= LEAST_JOINTS && !is_arm(limbs));
    let legs = long().min_by(|a, b| a.lowest_m(body).total_cmp(&b.lowest_m(body)))?;
    let ground_m = legs.lowest_m(body) + SAME_GROUND * body.height_m();
    let on_ground = |limbs: &&Limbs| limbs.lowest_m(body) < ground_m && !std::ptr::eq(*limbs, legs);
    // Legs go down from what they hang on.
    let goes_down = legs.lowest_m(body) < body.at_m(legs.roots[0]).z - 0.3 * legs.length_m;
    goes_down.then(|| (legs, long().filter(on_ground).collect()))
}

/// The feet: what the sixth joint moves, or what is before the toes.
pub(super) fn feet(body: &Body, legs: &Limbs) -> [usize; 2] {
    [0, 1].map(|side| {
        let mut way = body.moving_between(legs.trunk, legs.ends[side]);
        while way.len() > LEAST_JOINTS && way.last().is_some_and(|last| body.is_called(*last, &["toe"])) {
            way.pop();
        }
        way.truncate(LEG_JOINTS.max(LEAST_JOINTS));
        way.last().copied().unwrap_or(legs.ends[side])
    })
}

/// The pair of the longest reach among those that are no legs.
pub(super) fn arms<'a>(body: &Body, all: &'a [Limbs], legs: &Limbs) -> Option<&'a Limbs> {
    let in_legs = |limbs: &Limbs| legs.roots.iter().any(|root| body.is_below(limbs.roots[0], *root));
    let is_leg = |limbs: &Limbs| limbs.is_called(body, &OF_LEGS) && !limbs.is_called(body, &OF_ARMS);
    let others = all.iter().filter(|limbs| limbs.joints >= LEAST_JOINTS && !in_legs(limbs) && !is_leg(limbs));
    let long = others.filter(|limbs| limbs.length_m > SHORTEST_ARM * body.height_m());
    long.max_by(|a, b| a.length_m.total_cmp(&b.length_m))
}

/// Wheels where feet should be.
pub(super) fn wheel(body: &Body, legs: &Limbs) -> Option<usize> {
    body.subtree(legs.roots[0]).into_iter().find(|link| body.is_called(*link, &["wheel"]))
}
