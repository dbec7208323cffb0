use robot::Side;
use rustc_hash::FxHashMap;

use super::lattice::Place;
use crate::setup::Step;
use crate::terrain::Foothold;

/// A foot on a place, reached in the cheapest way known.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub place: Place,
    pub side: Side,
    pub foothold: Foothold,
    pub cost: f64,
    pub estimate: f64,
    /// The stance foot of the step that led here; the foot that swings next.
    pub parent: u32,
    /// In which it was expanded last.
    pub round: u32,
}

pub(super) const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Nodes {
    pub all: Vec<Node>,
    by_place: FxHashMap<Place, u32>,
}

impl Nodes {
    pub fn add(&mut self, place: Place, side: Side, foothold: Foothold, estimate: f64) -> u32 {
        let index = self.all.len() as u32;
        self.all.push(Node { place, side, foothold, cost: f64::INFINITY, estimate, parent: NONE, round: 0 });
        self.by_place.insert(place, index);
        index
    }

    pub fn find(&self, place: Place) -> Option<u32> {
        self.by_place.get(&place).copied()
    }

    pub fn steps_to(&self, last: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut index = last;
        loop {
            let node = &self.all[index as usize];
            if let Place::Start(_) = node.place {
                break;
            }
            steps.push((node.side, node.foothold));
            index = node.parent;
        }
        steps.reverse();
        steps
    }
}
