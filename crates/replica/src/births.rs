use std::ops::Index;

use loro::TreeID;
use rustc_hash::FxHashMap;

use crate::origin::Birth;

/// Every node there ever was in this epoch. Those it began with were planted in a row, and lie in one.
#[derive(Default)]
pub(crate) struct Births {
    planted: Vec<Birth>,
    later: FxHashMap<TreeID, Birth>,
}

impl Births {
    pub fn insert(&mut self, at: TreeID, birth: Birth) {
        match Self::place(at) {
            Some(place) if place < self.planted.len() => self.planted[place] = birth,
            Some(place) if place == self.planted.len() => self.planted.push(birth),
            _ => drop(self.later.insert(at, birth)),
        }
    }

    pub fn get(&self, at: &TreeID) -> Option<&Birth> {
        let planted = Self::place(*at).and_then(|place| self.planted.get(place));
        planted.or_else(|| self.later.get(at))
    }

    pub fn contains_key(&self, at: &TreeID) -> bool {
        self.get(at).is_some()
    }

    pub fn len(&self) -> usize {
        self.planted.len() + self.later.len()
    }

    pub fn all_are_there(&mut self) {
        self.planted.shrink_to_fit();
    }

    /// Genesis is peer 0, and counts its nodes.
    fn place(at: TreeID) -> Option<usize> {
        if at.peer == 0 { usize::try_from(at.counter).ok() } else { None }
    }
}

impl Index<&TreeID> for Births {
    type Output = Birth;

    fn index(&self, at: &TreeID) -> &Birth {
        self.get(at).expect("the id was read from this tree")
    }
}
