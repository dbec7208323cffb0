//! What became of edits that were made without knowing of each other.

use std::fmt;
use std::sync::Arc;

use loro::{LoroValue, TreeID};
use model::NodeId;

use crate::history::{Change, Log, Op, Part, Rank};
use crate::origin::Birth;
use crate::state::State;
use crate::view::Bend;

/// Who made an edit, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub peer: u64,
    pub who: Arc<str>,
    pub when_s: i64,
}

/// An edit that is not seen as it was made, because somebody else made another at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub node: NodeId,
    /// What the node is called.
    pub label: Arc<str>,
    pub part: Part,
    pub fate: Fate,
    /// Whose edit this is about.
    pub of: Author,
    /// Whose edit stands in its way.
    pub by: Author,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Both changed the same; the other's stands.
    Superseded,
    /// The node was deleted, so the change is not seen.
    Deleted,
    /// It was put into a node that was deleted, and stays where that was.
    Kept,
    /// Together with the other's move it would be inside itself, so it stays where it was.
    Circle,
    /// Two files got one name; this one has another now.
    Renamed,
    /// Nested too deep where it came to: the node stands further up, or the setting is left out.
    TooDeep,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Notice { label, of, by, .. } = self;
        let what = match &self.part {
            Part::Place => "place".to_owned(),
            Part::Presence => "deletion".to_owned(),
            Part::Type => "type".to_owned(),
            Part::Name => "name".to_owned(),
            Part::Notes => "notes".to_owned(),
            Part::File => "file name".to_owned(),
            Part::Setting(key) | Part::Declaration(key) => format!("`{key}`"),
        };
        match self.fate {
            Fate::Superseded => write!(f, "{}'s change of the {what} of `{label}` gave way to {}'s", of.who, by.who),
            Fate::Deleted => write!(f, "{} deleted `{label}` while {} changed its {what}", by.who, of.who),
            Fate::Kept => {
                write!(f, "{} deleted what {} put `{label}` into; it stays where that was", by.who, of.who)
            }
            Fate::Renamed => {
                write!(f, "{} and {} both made a file of one name: `{label}` has another now", of.who, by.who)
            }
            Fate::TooDeep if self.part == Part::Place => {
                write!(
                    f,
                    "`{label}` came to lie too deep and stands further up: {} and {} moved at once",
                    of.who, by.who
                )
            }
            Fate::TooDeep => write!(f, "the {what} of `{label}` does not fit where the node is now and is left out"),
            Fate::Circle => {
                write!(
                    f,
                    "`{label}` stays where it was: after {}'s move, {}'s would put it into itself",
                    by.who, of.who
                )
            }
        }
    }
}

impl Log {
    /// Adds changes that came, causes first, and says what they cost and what it cost them.
    pub fn follow(&mut self, state: &State, changes: Vec<Change>) -> Vec<Notice> {
        let mut notices = Vec::new();
        let mut first_place: Option<Rank> = None;
        for change in changes {
            for other in self.beside(state, &change) {
                for (op, beside) in pairs(&change, other) {
                    notices.extend(clash(state, (&change, op), (other, beside)));
                }
            }
            let places = change.ops.iter().filter(|op| op.part == Part::Place).map(|op| op.rank);
            first_place = places.chain(first_place).min();
            self.add(change);
        }
        if let Some(first) = first_place {
            notices.extend(self.circles(state, first));
        }
        notices
    }

    /// Moves that have no effect since one came that counts before them.
    fn circles(&self, state: &State, first: Rank) -> Vec<Notice> {
        let mut lost: Vec<(Rank, TreeID, TreeID)> = Vec::new();
        for (node, (rank, parent)) in &self.places {
            let Some(parent) = parent else { continue };
            if *rank >= first && state.parent_in_loro(*node) != Some(*parent) {
                lost.push((*rank, *node, *parent));
            }
        }
        lost.sort_unstable_by_key(|(rank, _, _)| *rank);
        let mut notices = Vec::new();
        for (rank, node, parent) in lost {
            // The other move is of one of those the node would have come below.
            let above = std::iter::successors(Some(parent), |at| state.parent_in_loro(*at));
            let moved = above.take_while(|at| *at != node).filter_map(|at| self.places.get(&at));
            let other = moved.map(|(rank, _)| *rank).filter(|other| other.peer != rank.peer).max();
            let Some(other) = other.filter(|other| *other >= first || rank >= first) else { continue };
            let (Some(of), Some(by)) = (self.author(state, rank), self.author(state, other)) else { continue };
            notices.push(state.notice(node, Part::Place, Fate::Circle, (of, by)));
        }
        notices
    }

    /// What is seen otherwise than it was made.
    pub fn bends(&self, state: &State, bends: &[Bend]) -> Vec<Notice> {
        let placed_by = |node: TreeID| {
            let rank = self.places.get(&node).map(|(rank, _)| *rank);
            rank.and_then(|rank| self.author(state, rank)).unwrap_or_else(|| Author {
                peer: 0,
                who: "the file".into(),
                when_s: 0,
            })
        };
        let notice = |bend: &Bend| match bend {
            Bend::Place { node, left } => {
                state.notice(*node, Part::Place, Fate::TooDeep, (placed_by(*node), placed_by(*left)))
            }
            Bend::Drop { node, key } => {
                let part = Part::Setting(key.clone());
                state.notice(*node, part, Fate::TooDeep, (placed_by(*node), placed_by(*node)))
            }
            Bend::Rename { root, .. } => {
                let name = state.file_name(*root);
                let other = state.roots().into_iter().find(|other| state.file_name(*other) == name).unwrap_or(*root);
                state.notice(*root, Part::File, Fate::Renamed, (placed_by(*root), placed_by(other)))
            }
        };
        bends.iter().map(notice).collect()
    }

    fn author(&self, state: &State, rank: Rank) -> Option<Author> {
        let changes = self.by_peer.get(&rank.peer)?;
        let at = changes.partition_point(|change| change.rank <= rank).checked_sub(1)?;
        Some(state.author(&changes[at]))
    }
}

/// Operations of two changes on one node, or on a node and what was put into it.
fn pairs<'c>(one: &'c Change, other: &'c Change) -> impl Iterator<Item = (&'c Op, &'c Op)> {
    one.ops.iter().flat_map(move |op| {
        let near = move |beside: &&Op| {
            beside.node == op.node || beside.parent == Some(op.node) || op.parent == Some(beside.node)
        };
        other.ops.iter().filter(near).map(move |beside| (op, beside))
    })
}

fn went(op: &Op) -> bool {
    op.part == Part::Presence && op.value == Some(LoroValue::Bool(true))
}

fn clash(state: &State, one: (&Change, &Op), other: (&Change, &Op)) -> Option<Notice> {
    let same_node = one.1.node == other.1.node;
    if same_node && one.1.part == other.1.part {
        let (winner, loser) = if one.1.rank > other.1.rank { (one, other) } else { (other, one) };
        if winner.1.part != Part::Place && winner.1.value == loser.1.value {
            return None;
        }
        return Some(told(state, Fate::Superseded, loser, winner));
    }
    for (deletion, edit) in [(one, other), (other, one)] {
        let node = deletion.1.node;
        if !went(deletion.1) || went(edit.1) || !state.deleted.contains(&node) {
            continue;
        }
        let puts = edit.1.part == Part::Place && (same_node || edit.1.parent == Some(node));
        if state.is_seen(node) {
            // A file that somebody put something into is not removed.
            return puts.then(|| told(state, Fate::Superseded, deletion, edit));
        }
        if same_node && edit.1.part != Part::Presence {
            return Some(told(state, Fate::Deleted, edit, deletion));
        }
        if edit.1.part == Part::Place && edit.1.parent == Some(deletion.1.node) {
            return Some(told(state, Fate::Kept, edit, deletion));
        }
    }
    None
}

fn told(state: &State, fate: Fate, of: (&Change, &Op), by: (&Change, &Op)) -> Notice {
    state.notice(of.1.node, of.1.part.clone(), fate, (state.author(of.0), state.author(by.0)))
}

impl State {
    fn author(&self, change: &Change) -> Author {
        Author { peer: change.rank.peer, who: self.name_of(change.rank.peer), when_s: change.when_s }
    }

    fn notice(&self, node: TreeID, part: Part, fate: Fate, (of, by): (Author, Author)) -> Notice {
        let id = self.nodes.get(&node).map_or(NodeId(0), Birth::id);
        Notice { node: id, label: self.label(node), part, fate, of, by }
    }

    fn label(&self, node: TreeID) -> Arc<str> {
        if !self.nodes.contains_key(&node) {
            return "".into();
        }
        let content = self.content(node);
        if content.name.is_empty() { content.kind } else { content.name }
    }
}
