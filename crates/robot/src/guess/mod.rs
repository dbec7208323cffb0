//! What the parts of a robot are, guessed from the shape of its tree, so that nobody begins with an empty file.
//!
//! The two mirrored chains that reach lowest are legs, two others with many joints are arms; where an arm divides is the
//! hand; between the roots of legs and arms is the spine, and what rises above is the head.

mod body;
mod frames;
mod proposal;

use geometry::Pose;

use crate::{Description, Model, Side};
use body::Body;

pub use proposal::{Proposal, Size};

/// Joints on a way through the fingers, at most: a longer way is still the arm.
const LONGEST_FINGER: usize = 5;

/// What could be found; the frames with a place of their own where the links of the URDF do not lie as they should.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    pub pelvis: Option<Frame>,
    pub chest: Option<Frame>,
    pub head: Option<Frame>,
    pub hands: [Option<Frame>; 2],
    pub soles: [Option<Frame>; 2],
    pub cameras: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub link: usize,
    /// None: the frame of the link itself.
    pub link_from_frame: Option<Pose>,
}

impl Guess {
    pub fn of(description: &Description, model: &Model) -> Guess {
        let body = Body::of(description, model);
        let mut guess = Guess { cameras: cameras(&body), ..Guess::default() };
        let pairs = body.pairs_of_leaves();
        let Some((pelvis, feet)) = legs(&body, &pairs) else { return guess };
        guess.pelvis = Some(frames::level(&body, pelvis));
        guess.soles = frames::soles(&body, pelvis, feet).map(Some);
        let Some((chest, shoulders)) = arms(&body, &pairs, pelvis) else { return guess };
        guess.chest = Some(frames::plain(chest));
        guess.hands = frames::hands(&body, pelvis, shoulders.map(|shoulder| wrist(&body, shoulder))).map(Some);
        guess.head = head(&body, chest, &shoulders).map(frames::plain);
        guess
    }

    pub fn frames(&self) -> [(&'static str, Option<Frame>); 7] {
        let [left, right] = Side::BOTH.map(Side::index);
        [
            ("pelvis", self.pelvis),
            ("chest", self.chest),
            ("head", self.head),
            ("left_hand", self.hands[left]),
            ("right_hand", self.hands[right]),
            ("left_sole", self.soles[left]),
            ("right_sole", self.soles[right]),
        ]
    }
}

/// The link both hang on, and their last links that move.
fn legs(body: &Body, pairs: &[[usize; 2]]) -> Option<(usize, [usize; 2])> {
    let long = pairs.iter().filter(|[left, right]| body.joints_between(body.meeting(*left, *right), *left) >= 3);
    let lowest = |[left, right]: &[usize; 2]| body.at_m(*left).z.min(body.at_m(*right).z);
    let [left, right] = *long.min_by(|a, b| lowest(a).total_cmp(&lowest(b)))?;
    let last = |leaf: usize| body.upward(leaf).find(|link| body.moves(*link) == 1).unwrap_or(leaf);
    Some((body.meeting(left, right), [last(left), last(right)]))
}

/// The link both hang on, and the first link of each.
fn arms(body: &Body, pairs: &[[usize; 2]], pelvis: usize) -> Option<(usize, [usize; 2])> {
    let joints = |[left, right]: &[usize; 2]| body.joints_between(body.meeting(*left, *right), *left);
    // The legs meet in the pelvis too; arms that hang there hang higher.
    let others = pairs.iter().filter(|[left, right]| {
        let at = body.meeting(*left, *right);
        at != pelvis || first(body, at, *left).is_some_and(|first| body.at_m(first).z > body.at_m(pelvis).z + 0.05)
    });
    // The first of the longest.
    let [left, right] = *others.filter(|pair| joints(pair) >= 4).rev().max_by_key(|pair| joints(pair))?;
    let chest = body.meeting(left, right);
    Some((chest, [first(body, chest, left)?, first(body, chest, right)?]))
}

/// The link on the way down that moves first.
fn first(body: &Body, above: usize, link: usize) -> Option<usize> {
    let way: Vec<usize> = body.upward(link).take_while(|link| *link != above).collect();
    way.into_iter().rev().find(|link| body.moves(*link) == 1)
}

/// Outward along the way with most joints, until it divides into fingers or ends.
fn wrist(body: &Body, shoulder: usize) -> usize {
    let mut at = shoulder;
    let mut wrist = shoulder;
    loop {
        let ways: Vec<usize> =
            body.children[at].iter().copied().filter(|c| body.reach[*c] + body.moves(*c) > 0).collect();
        let Some(next) = ways.iter().rev().copied().max_by_key(|c| body.reach[*c] + body.moves(*c)) else { break };
        if ways.len() > 1 && body.reach[at] <= LONGEST_FINGER {
            break;
        }
        at = next;
        if body.moves(at) == 1 {
            wrist = at;
        }
    }
    wrist
}

/// What moves on the way up, past the eyes; else the highest link that is fixed to the chest.
fn head(body: &Body, chest: usize, shoulders: &[usize; 2]) -> Option<usize> {
    let in_arms = |link: usize| shoulders.iter().any(|shoulder| body.is_below(link, *shoulder));
    let above = |link: &usize| !in_arms(*link) && body.at_m(*link).z > body.at_m(shoulders[0]).z;
    let highest =
        |links: Vec<usize>| links.into_iter().filter(above).max_by(|a, b| body.at_m(*a).z.total_cmp(&body.at_m(*b).z));
    let top = highest(body.subtree(chest))?;
    let Some(neck) = first(body, chest, top) else {
        let named = body.cluster(chest).into_iter().find(|link| body.name(*link).to_lowercase().contains("head"));
        return named.or(Some(top));
    };
    let mut at = neck;
    let mut head = neck;
    loop {
        let ways: Vec<usize> =
            body.children[at].iter().copied().filter(|c| body.reach[*c] + body.moves(*c) > 0).collect();
        let [only] = ways[..] else { break };
        at = only;
        if body.moves(at) == 1 {
            head = at;
        }
    }
    Some(head)
}

/// By name: nothing in the tree tells a camera from a bracket. Optical frames look along z, so others come first.
fn cameras(body: &Body) -> Vec<usize> {
    let named = |word: &str| -> Vec<usize> {
        let all = 0..body.description.links.len();
        let has = |link: &usize| {
            let name = body.name(*link).to_lowercase();
            name.split(['_', '-', '/', '.']).any(|part| part.starts_with(word)) && !name.contains("optical")
        };
        all.filter(has).collect()
    };
    let found = named("cam");
    let mut ends: Vec<usize> = Vec::new();
    for link in found {
        // A camera is often a bracket, a body and a frame, one on the other.
        if !ends.iter().any(|end| body.is_below(link, *end)) {
            ends.push(link);
        }
    }
    ends
}
