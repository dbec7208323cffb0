use engine::Branching;
use model::{Field, Role};

use crate::tree::{At, Tree};

/// The tracks of a file. A skill use that is flattened counts as one step of its track.
pub struct Tracks {
    pub tracks: Vec<Track>,
    places: Vec<Place>,
}

pub struct Track {
    /// The step whose track it is; none: the root.
    pub owner: Option<At>,
    pub above: Option<usize>,
    pub start: Start,
    /// The steps, in order.
    pub steps: Vec<At>,
    /// For each step the place of the step it executes after.
    pub after: Vec<After>,
}

/// What is flattened into a track.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Node(At),
    /// Only what is in it: the node itself is a step of another track.
    Inside(At),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Beginning,
    Step(u32),
    /// Named outside of the file.
    Unknown,
}

#[derive(Clone, Copy)]
struct Place {
    track: u32,
    /// Of the step, or of the first step of a flattened node.
    pos: u32,
    is_step: bool,
}

/// Where a target stands, seen from a step of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Executing after it means this.
    Before(After),
    Itself,
    Later,
    /// In a track around this one.
    Around,
    /// In a track beside this one.
    Elsewhere,
}

impl Tracks {
    pub fn new(tree: &Tree<'_>) -> Tracks {
        let mut tracks = Tracks { tracks: Vec::new(), places: Vec::with_capacity(tree.len() as usize) };
        // The track that the children of a node share.
        let mut shared: Vec<Option<u32>> = vec![None; tree.len() as usize];
        for at in tree.all() {
            let track = match tree.parent(at) {
                None => tracks.open(None, Start::Node(at)),
                Some(parent) if tracks.is_flat(tree, parent) => tracks.places[parent as usize].track,
                Some(parent) => {
                    let each = tree.role(parent).is_none_or(|role| !role.organises())
                        && tree.branching(parent) != Some(Branching::Together);
                    match shared[parent as usize] {
                        Some(track) => track,
                        None if each => tracks.open(Some(parent), Start::Node(at)),
                        None => {
                            let track = tracks.open(Some(parent), Start::Inside(parent));
                            shared[parent as usize] = Some(track);
                            track
                        }
                    }
                }
            };
            let is_step = !tracks.is_flat(tree, at);
            let steps = &mut tracks.tracks[track as usize].steps;
            tracks.places.push(Place { track, pos: steps.len() as u32, is_step });
            if is_step {
                steps.push(at);
            }
        }
        tracks.settle(tree);
        tracks
    }

    fn is_flat(&self, tree: &Tree<'_>, at: At) -> bool {
        tree.is_flattened(at) && tree.role(at) != Some(Role::Skill)
    }

    fn open(&mut self, owner: Option<At>, start: Start) -> u32 {
        let above = owner.map(|owner| self.places[owner as usize].track as usize);
        self.tracks.push(Track { owner, above, start, steps: Vec::new(), after: Vec::new() });
        self.tracks.len() as u32 - 1
    }

    pub fn track_of(&self, at: At) -> usize {
        self.places[at as usize].track as usize
    }

    /// Place of a step in its track, or of the first step of a flattened node.
    pub fn pos(&self, at: At) -> usize {
        self.places[at as usize].pos as usize
    }

    pub fn is_step(&self, at: At) -> bool {
        self.places[at as usize].is_step
    }

    /// Places of the steps that a node of a track is or stands for.
    pub fn steps(&self, tree: &Tree<'_>, at: At) -> std::ops::Range<usize> {
        let from = self.pos(at);
        if self.is_step(at) {
            return from..from + 1;
        }
        let end = tree.span(at).end;
        from..self.tracks[self.track_of(at)].steps.partition_point(|step| *step < end)
    }

    /// The organising nodes around a node in its track, innermost first.
    pub fn around<'t>(&'t self, tree: &'t Tree<'_>, at: At) -> impl Iterator<Item = At> + 't {
        let start = self.tracks[self.track_of(at)].start;
        let mut ended = false;
        tree.upward(at).skip(1).take_while(move |up| {
            let here = !ended && (!self.is_step(*up) || start == Start::Inside(*up));
            ended |= start == Start::Inside(*up);
            here && tree.role(*up).is_some_and(Role::organises)
        })
    }

    pub fn after(&self, at: At) -> After {
        let track = &self.tracks[self.track_of(at)];
        track.after.get(self.pos(at)).copied().unwrap_or(After::Beginning)
    }

    /// What every step executes after. A flattened node's own setting counts for its first step.
    fn settle(&mut self, tree: &Tree<'_>) {
        for index in 0..self.tracks.len() {
            let count = self.tracks[index].steps.len();
            let mut after: Vec<After> = Vec::with_capacity(count);
            for pos in 0..count {
                let step = self.tracks[index].steps[pos];
                let from = self.speaks_for(tree, step);
                after.push(from.map_or(previous(pos), |from| self.written(tree, from, step).unwrap_or(previous(pos))));
            }
            self.tracks[index].after = after;
        }
    }

    /// The step itself, or the innermost flattened node it is the first step of, whichever says what to execute after.
    fn speaks_for(&self, tree: &Tree<'_>, step: At) -> Option<At> {
        let pos = self.pos(step);
        let first_of = |at: &At| *at == step || (self.is_flat(tree, *at) && self.pos(*at) == pos);
        let is_written = |at: &At| tree.node(*at).fields.get("after").and_then(Field::as_str).is_some();
        let says = |at: &At| {
            let is_reference = engine::reference_in(tree.node(*at), "after").is_some();
            is_written(at) && (is_reference || tree.text(*at, "after") != "Previous")
        };
        let speaker = tree.upward(step).take_while(first_of).find(|at| says(at) || *at != step && is_written(at));
        speaker.filter(says)
    }

    fn written(&self, tree: &Tree<'_>, from: At, step: At) -> Option<After> {
        match engine::reference_in(tree.node(from), "after") {
            None if tree.text(from, "after") == "Beginning" => Some(After::Beginning),
            None => None,
            Some(_) => match tree.target(from, "after") {
                None => Some(After::Unknown),
                Some(target) => match self.see(tree, step, target) {
                    Standing::Before(after) => Some(after),
                    _ => None,
                },
            },
        }
    }

    /// Where `target` stands for the step, or for the first step of the flattened node, `from`.
    pub fn see(&self, tree: &Tree<'_>, from: At, target: At) -> Standing {
        let (track, pos) = (self.track_of(from), self.pos(from));
        let organises = tree.is_flattened(target);
        if organises && self.track_of(target) == track || self.tracks[track].start == Start::Inside(target) {
            let holds = self.tracks[track].start == Start::Inside(target);
            if holds && tree.role(target).is_none_or(|role| !role.organises()) {
                return Standing::Around;
            }
            let first = if holds { 0 } else { self.pos(target) };
            return if target == from && self.is_step(from) {
                Standing::Itself
            } else if first <= pos {
                Standing::Before(previous(first))
            } else {
                Standing::Later
            };
        }
        let Some(found) = tree.upward(target).find(|at| self.track_of(*at) == track && self.is_step(*at)) else {
            let mut above = self.tracks[track].above;
            while let Some(outer) = above {
                if outer == self.track_of(target) {
                    return Standing::Around;
                }
                above = self.tracks[outer].above;
            }
            return Standing::Elsewhere;
        };
        let place = self.pos(found);
        match place.cmp(&pos) {
            std::cmp::Ordering::Less => Standing::Before(After::Step(place as u32)),
            std::cmp::Ordering::Equal if self.is_step(from) => Standing::Itself,
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => Standing::Later,
        }
    }

    /// The children of a fallback that are its try, and those that are its catch.
    pub fn try_and_catch(&self, tree: &Tree<'_>, fallback: At) -> (Vec<At>, Vec<At>) {
        let children: Vec<At> = tree.children(fallback).collect();
        let Some(first) = children.first().copied() else { return (Vec::new(), Vec::new()) };
        let low = self.pos(first);
        let mut members = 0;
        for child in &children {
            let joins = *child == first
                || match self.after(*child) {
                    After::Beginning => true,
                    After::Step(place) => (place as usize) < low,
                    After::Unknown => false,
                };
            if !joins {
                break;
            }
            members += 1;
        }
        let mut children = children;
        let catch = children.split_off(members);
        (children, catch)
    }
}

fn previous(pos: usize) -> After {
    pos.checked_sub(1).map_or(After::Beginning, |before| After::Step(before as u32))
}
