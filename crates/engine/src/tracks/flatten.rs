//! From nodes to the ordered steps of a track.

use std::sync::Arc;

use model::{Field, NodeId, Role};
use rustc_hash::FxHashMap;

use super::track::{NONE, Phase, Region, RegionKind};
use super::turned::literally_mirrored;
use crate::Cannot;
use crate::edits::Shape;
use crate::engine::{Engine, MAX_STEPS, MAX_USES, Use};
use crate::ids::{StepId, TrackId, UseId};

/// Settings that make an organising node a step of its own.
pub const GROUPING: [&str; 9] =
    ["until", "while", "timeout_s", "retry", "end_as", "outcome_as", "claims", "autonomy", "outcome_autonomy"];

/// The steps of a track before they become instances.
pub(crate) struct Flat {
    pub entries: Vec<FlatEntry>,
    pub regions: Vec<Region>,
    /// Where there were too many.
    pub too_long: Option<(UseId, NodeId)>,
    /// Laid as they were when they started.
    pub kept: Vec<(UseId, NodeId)>,
}

pub(crate) struct FlatEntry {
    pub use_id: UseId,
    pub node: NodeId,
    /// Innermost fallback or skill.
    pub region: u32,
    /// An organising node whose first step this is and that has an execute-after of its own.
    pub after_from: Option<(UseId, NodeId)>,
}

/// A track that is being laid.
struct Laying<'a> {
    flat: Flat,
    shapes: &'a FxHashMap<(UseId, NodeId), Shape>,
}

#[derive(Clone, Copy)]
struct Place {
    region: u32,
    after_from: Option<(UseId, NodeId)>,
    depth: u32,
}

/// Stands for what is around a node that is laid alone.
pub(crate) const HOME: u32 = NONE - 1;

/// Skills in skills in skills: deeper than this nobody meant it, and the stack is not endless.
const MAX_DEPTH: u32 = 400;

impl Engine {
    /// What is in progress keeps its shape.
    pub(crate) fn flatten(
        &mut self,
        use_id: UseId,
        container: NodeId,
        inside: bool,
        shapes: &FxHashMap<(UseId, NodeId), Shape>,
    ) -> Flat {
        let flat = Flat { entries: Vec::new(), regions: Vec::new(), too_long: None, kept: Vec::new() };
        let mut laying = Laying { flat, shapes };
        let place = Place { region: NONE, after_from: None, depth: 0 };
        let role = self.role(use_id, container);
        match role {
            // A guarded skill without its file has nothing inside; the step around says so when it starts.
            Some(Role::Skill) if inside && self.open_use(use_id, container).is_err() => {}
            Some(role) if inside && role.organises() => self.flatten_group(&mut laying, use_id, container, role, place),
            _ if inside => {
                let mut place = place;
                for child in self.children_of(use_id, container) {
                    place = self.flatten_node(&mut laying, use_id, child, place);
                }
            }
            _ => {
                self.flatten_node(&mut laying, use_id, container, place);
            }
        }
        let mut flat = laying.flat;
        if let Some((use_id, node)) = flat.too_long {
            // One step that fails with the reason, before anything of it has moved.
            flat.regions.clear();
            flat.entries = vec![FlatEntry { use_id, node, region: NONE, after_from: None }];
        }
        flat
    }

    /// One node and what is below it, as if it stood alone; what is around it is [`HOME`].
    pub(crate) fn flatten_at(
        &mut self,
        use_id: UseId,
        node: NodeId,
        depth: u32,
        shapes: &FxHashMap<(UseId, NodeId), Shape>,
    ) -> Flat {
        let flat = Flat { entries: Vec::new(), regions: Vec::new(), too_long: None, kept: Vec::new() };
        let mut laying = Laying { flat, shapes };
        self.flatten_node(&mut laying, use_id, node, Place { region: HOME, after_from: None, depth });
        laying.flat
    }

    fn role(&self, use_id: UseId, node: NodeId) -> Option<Role> {
        let definition = self.library.get(self.uses[use_id.index()].definition);
        self.registry.catalogue().role(&definition.node(node).kind)
    }

    fn children_of(&self, use_id: UseId, node: NodeId) -> Vec<NodeId> {
        self.library.get(self.uses[use_id.index()].definition).enabled_children(node).collect()
    }

    /// Gives back the place of whatever comes behind the node.
    fn flatten_node(&mut self, laying: &mut Laying<'_>, use_id: UseId, id: NodeId, mut place: Place) -> Place {
        let flat = &mut laying.flat;
        let node = self.library.get(self.uses[use_id.index()].definition).node(id);
        let role = self.registry.catalogue().role(&node.kind);
        let is_group = node.fields.iter().any(|(key, field)| makes_group(key, field));
        let before = flat.entries.len();
        let is_new_use = role == Some(Role::Skill) && !self.use_of.contains_key(&(use_id, id));
        if flat.too_long.is_some() {
            return place;
        }
        if self.steps.len() + before > MAX_STEPS || (is_new_use && self.uses.len() >= MAX_USES) {
            flat.too_long = Some((use_id, id));
            return place;
        }
        let is_plain = role.is_some_and(Role::organises) && !is_group && place.depth < MAX_DEPTH;
        let shape = laying.shapes.get(&(use_id, id));
        let laid_plain = match shape {
            Some(Shape::Step) => false,
            Some(Shape::Region(RegionKind::Skill(_))) => is_plain || (is_group && role == Some(Role::Skill)),
            Some(Shape::Region(_)) => true,
            None => is_plain,
        };
        if laid_plain != is_plain {
            flat.kept.push((use_id, id));
        }
        if laid_plain {
            if node.fields.get("after").is_some() {
                place.after_from = Some((use_id, id));
            }
            self.flatten_group(laying, use_id, id, role.unwrap_or(Role::Sequence), place);
        } else {
            flat.entries.push(FlatEntry { use_id, node: id, region: place.region, after_from: place.after_from });
        }
        if laying.flat.entries.len() > before {
            place.after_from = None;
        }
        place
    }

    /// None: a skill that cannot be opened.
    fn region_kind(&mut self, laying: &mut Laying<'_>, use_id: UseId, id: NodeId, role: Role) -> Option<RegionKind> {
        let kind = match role {
            Role::Fallback => RegionKind::Fallback(self.caught_outcomes(use_id, id)),
            Role::Skill => RegionKind::Skill(self.open_use(use_id, id).ok()?),
            _ => RegionKind::Sequence,
        };
        match laying.shapes.get(&(use_id, id)) {
            // Of another file nothing runs yet: the children are those that the use has now.
            Some(Shape::Region(RegionKind::Skill(_))) => Some(kind),
            Some(Shape::Region(_)) if matches!(kind, RegionKind::Skill(_)) => Some(kind),
            Some(Shape::Region(started)) if *started != kind => {
                laying.flat.kept.push((use_id, id));
                Some(started.clone())
            }
            _ => Some(kind),
        }
    }

    fn flatten_group(&mut self, laying: &mut Laying<'_>, use_id: UseId, id: NodeId, role: Role, place: Place) {
        let Some(kind) = self.region_kind(laying, use_id, id, role) else {
            // A step in its place, so that the run says what is wrong when it gets there.
            let after_from = place.after_from;
            laying.flat.entries.push(FlatEntry { use_id, node: id, region: place.region, after_from });
            return;
        };
        let flat = &mut laying.flat;
        let index = flat.regions.len() as u32;
        let special = !matches!(kind, RegionKind::Sequence);
        let inner = match kind {
            RegionKind::Skill(inner) => Some(inner),
            _ => None,
        };
        let lo = flat.entries.len() as u32;
        flat.regions.push(Region {
            node: id,
            use_id,
            kind,
            outer: place.region,
            lo,
            hi: lo,
            try_hi: lo,
            phase: Phase::Idle,
            entered_for: None,
            to_catch: false,
            failed: None,
            gave_up: None,
            entered_tick: 0,
            locked: false,
            inside: false,
            breakpoint: false,
        });
        let mut place = Place {
            region: if special { index } else { place.region },
            after_from: place.after_from,
            depth: place.depth + 1,
        };
        match inner {
            Some(inner) => {
                let root = self.library.get(self.uses[inner.index()].definition).root;
                self.flatten_node(laying, inner, root, place);
            }
            None => {
                for child in self.children_of(use_id, id) {
                    place = self.flatten_node(laying, use_id, child, place);
                }
            }
        }
        let flat = &mut laying.flat;
        flat.regions[index as usize].hi = flat.entries.len() as u32;
    }

    fn caught_outcomes(&self, use_id: UseId, id: NodeId) -> Box<[Arc<str>]> {
        let node = self.library.get(self.uses[use_id.index()].definition).node(id);
        match node.fields.get("outcomes") {
            Some(Field::Json(json)) => json
                .as_array()
                .map(|outcomes| outcomes.iter().filter_map(|outcome| Some(outcome.as_str()?.into())).collect())
                .unwrap_or_default(),
            _ => Box::default(),
        }
    }

    /// The use a skill node opens; the same one each time it is asked.
    pub(crate) fn open_use(&mut self, use_id: UseId, node: NodeId) -> Result<UseId, Cannot> {
        let outer = self.uses[use_id.index()].definition;
        let Some(inner) = self.library.skill_of(outer, node) else {
            let file = self.library.get(outer).get(node).and_then(|node| node.fields.get("file")?.as_str());
            return Err(Cannot::SkillNotLoaded { file: file.unwrap_or("").to_owned() });
        };
        if self.is_open_above(use_id, inner) {
            return Err(Cannot::SkillInItself { file: self.library.get(inner).file.to_string() });
        }
        let fields = self.fields_of_use(use_id, node);
        let mirrored = literally_mirrored(&fields);
        if let Some(known) = self.use_of.get(&(use_id, node)).copied()
            && self.uses[known.index()].definition == inner
        {
            let interface = self.interface_of(use_id, &fields, inner);
            self.uses[known.index()].interface = Some(Arc::new(interface));
            if let Some(mirrored) = mirrored {
                self.will_be_mirrored(known, mirrored);
            }
            return Ok(known);
        }
        if self.uses.len() >= MAX_USES {
            return Err(Cannot::TooLong);
        }
        let scope = self.world.board.add_scope(inner);
        let interface = self.interface_of(use_id, &fields, inner);
        let calls = self.uses[use_id.index()].calls;
        self.uses.push(Use {
            parent: Some(use_id),
            via: node,
            definition: inner,
            scope,
            is_call: false,
            calls,
            interface: Some(Arc::new(interface)),
            mirrored: mirrored.unwrap_or_default(),
            to_be_mirrored: mirrored.unwrap_or_default(),
        });
        let opened = UseId::new(self.uses.len() - 1);
        self.use_of.insert((use_id, node), opened);
        self.tell_side(opened);
        Ok(opened)
    }

    fn is_open_above(&self, use_id: UseId, definition: model::DefinitionId) -> bool {
        let mut at = Some(use_id);
        while let Some(use_id) = at {
            let current = &self.uses[use_id.index()];
            if current.definition == definition && !current.is_call {
                return true;
            }
            at = current.parent;
        }
        false
    }

    /// Settles execute-after and try ends once every step of the track has its place.
    pub(crate) fn resolve_order(&mut self, track: TrackId, after_from: &[Option<(UseId, NodeId)>]) {
        let entries = std::mem::take(&mut self.track_mut(track).entries);
        self.track_mut(track).referring.clear();
        self.referring.remove(&track);
        for (id, after_from) in entries.iter().zip(after_from) {
            self.order_step(track, *id, *after_from);
        }
        self.track_mut(track).entries = entries;
        self.settle_tries(track);
    }

    /// Settles the execute-after of a step that has its place; `after_from` is the organising node it begins.
    pub(crate) fn order_step(&mut self, track: TrackId, id: StepId, after_from: Option<(UseId, NodeId)>) {
        let step = self.step(id);
        let (own, previous) = ((step.use_id, step.node), step.pos as i32 - 1);
        let of_around = || after_from.and_then(|key| Some((key, self.written_after(key.0, key.1)?)));
        let written = self.written_after(own.0, own.1).map(|after| (own, after)).or_else(of_around);
        let after = match written {
            None => previous,
            Some((_, After::Beginning)) => -1,
            Some((by, After::Node(target))) => {
                self.track_mut(track).referring.push((id, by));
                self.referring.insert(track);
                self.place_after(track, id, target)
            }
        };
        self.step_mut(id).after = after;
    }

    fn place_after(&self, track: TrackId, id: StepId, target: Option<(UseId, NodeId)>) -> i32 {
        let pos = self.step(id).pos;
        // Never runs, and so is never waited for.
        if target.is_some_and(|target| self.is_off(target)) {
            return -1;
        }
        target.and_then(|target| self.place_before(track, pos, target)).unwrap_or(pos as i32 - 1)
    }

    /// An execute-after by name finds another node than before.
    pub(crate) fn has_moved_references(&self, track: TrackId) -> bool {
        self.track(track).referring.iter().any(|(id, by)| {
            let gone = self.step(*id).track != track || self.step(*id).detached;
            let is_there = self.tree_of(by.0).is_some_and(|tree| tree.contains(by.1));
            gone || !is_there
                || match self.written_after(by.0, by.1) {
                    Some(After::Node(target)) => self.place_after(track, *id, target) != self.step(*id).after,
                    _ => true,
                }
        })
    }

    /// Disabled, or in something that is.
    fn is_off(&self, (mut use_id, mut node): (UseId, NodeId)) -> bool {
        loop {
            if self.tree_of(use_id).is_some_and(|tree| tree.is_off(node)) {
                return true;
            }
            let current = &self.uses[use_id.index()];
            let Some(parent) = current.parent else { return false };
            (use_id, node) = (parent, current.via);
        }
    }

    /// The first step of a child of a fallback belongs to its try: it executes after something before the fallback.
    pub(crate) fn joins_try(&self, track: TrackId, step: StepId, fallback: (UseId, NodeId), lo: u32) -> bool {
        let after = self.step(step).after;
        after < lo as i32 && !(after < 0 && self.waits_for_disabled_in(track, step, fallback))
    }

    fn waits_for_disabled_in(&self, track: TrackId, step: StepId, around: (UseId, NodeId)) -> bool {
        let mut said = self.track(track).referring.iter().filter(|(id, _)| *id == step).map(|(_, by)| *by);
        said.any(|by| match self.written_after(by.0, by.1) {
            Some(After::Node(Some(target))) => self.is_off(target) && self.is_above(around, target),
            _ => false,
        })
    }

    pub(crate) fn written_after(&self, use_id: UseId, id: NodeId) -> Option<After> {
        let node = self.library.get(self.uses[use_id.index()].definition).node(id);
        match node.fields.get("after")?.as_str()? {
            "Previous" if !is_reference(node) => None,
            "Beginning" if !is_reference(node) => Some(After::Beginning),
            text => Some(After::Node(self.follow(use_id, id, "after", text))),
        }
    }

    /// The place `target` stands for, seen from place `pos` of a track; none if it is not before it.
    fn place_before(&self, track: TrackId, pos: u32, target: (UseId, NodeId)) -> Option<i32> {
        let here = self.track(track);
        if let Some(region) = here.regions.iter().find(|region| (region.use_id, region.node) == target) {
            return (region.lo <= pos).then_some(region.lo as i32 - 1);
        }
        let place = self.place_in_track(track, target)?;
        (place < pos).then_some(place as i32)
    }

    /// The place of the step of `track` that is, or contains, a node.
    fn place_in_track(&self, track: TrackId, target: (UseId, NodeId)) -> Option<u32> {
        let (mut use_id, mut node) = target;
        loop {
            if let Some(step) = self.known.get(&(use_id, node)).and_then(|known| known.step)
                && self.step(step).track == track
                && !self.step(step).detached
            {
                return Some(self.step(step).pos);
            }
            let current = &self.uses[use_id.index()];
            let definition = self.library.get(current.definition);
            match definition.get(node)?.parent {
                Some(parent) => node = parent,
                None => (use_id, node) = (current.parent?, current.via),
            }
        }
    }

    fn settle_tries(&mut self, track: TrackId) {
        let mut children: FxHashMap<(UseId, NodeId), u32> = FxHashMap::default();
        let count = self.track(track).regions.len();
        if self.track(track).regions.iter().all(|region| !matches!(region.kind, RegionKind::Fallback(_))) {
            return;
        }
        for region in &self.track(track).regions {
            children.insert((region.use_id, region.node), region.hi);
        }
        for index in 0..count {
            let region = &self.track(track).regions[index];
            if !matches!(region.kind, RegionKind::Fallback(_)) {
                continue;
            }
            let (lo, use_id, hi) = (region.lo, region.use_id, region.hi);
            let fallback = (use_id, region.node);
            let mut try_hi = lo;
            for (number, child) in self.children_of(use_id, fallback.1).into_iter().enumerate() {
                let first = try_hi;
                let step = self.track(track).entries.get(first as usize);
                let joins = number == 0 || step.is_none_or(|step| self.joins_try(track, *step, fallback, lo));
                if !joins || first >= hi {
                    break;
                }
                try_hi = children.get(&(use_id, child)).copied().unwrap_or(first + 1).max(first);
            }
            self.track_mut(track).regions[index].try_hi = try_hi.min(hi);
        }
    }
}

/// This setting makes a step of its own of an organising node. So does a use of a skill that says only when it starts on
/// which side it runs.
pub fn makes_group(key: &str, field: &Field) -> bool {
    let is_of_the_moment = || matches!(field, Field::Json(json) if model::bound_text(json).is_some());
    (GROUPING.contains(&key) && !is_default(key, field)) || (key == "mirrored" && is_of_the_moment())
}

/// Written, but no other than left out: a file does not keep it.
fn is_default(key: &str, field: &Field) -> bool {
    let Some(info) = model::common_fields().iter().find(|info| info.name == key) else { return false };
    match (field, &info.default) {
        (Field::Number(number), default) => default.as_f64() == number.as_f64(),
        (field, default) => field.to_json() == *default,
    }
}

pub(crate) enum After {
    Beginning,
    Node(Option<(UseId, NodeId)>),
}

/// A node may be called "Previous"; then the file has its path and memory has its id.
fn is_reference(node: &model::Node) -> bool {
    matches!(node.fields.get("after"), Some(Field::Ref(_)))
}
