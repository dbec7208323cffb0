//! A tree that changes while it runs.

use model::{DefinitionId, NodeId, Touched};
use rustc_hash::{FxHashMap, FxHashSet};

use super::boundary::EditNow;
use super::marks::Marks;
use crate::End;
use crate::door::{Answer, EditBatch, RunFact};
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{Body, Branch, Failure, Hold, Region, StepStatus};
use crate::types::Branching;

type Key = (UseId, NodeId);

impl Engine {
    pub(crate) fn apply_edits(&mut self, batches: &[EditBatch]) {
        for batch in batches {
            self.remember_names(batch);
            self.own_names.clear();
            self.edited.now = EditNow::of(batch);
            let outsider = batch.outsider();
            if outsider.is_some() {
                self.note_what_is_due();
            }
            let removed = self.removed_files(batch);
            let refused = match self.library.apply_all(&batch.edits) {
                Ok((_, touched)) => {
                    self.orphan_uses(&removed);
                    self.follow_edit(&touched);
                    self.free_waiters();
                    self.let_go_what_waits();
                    if let Some(by) = outsider {
                        self.hold_what_is_not_due(by);
                    }
                    None
                }
                Err(error) => Some(error.to_string()),
            };
            self.world.out.answers.push(Answer { id: batch.id, refused });
        }
    }

    fn removed_files(&self, batch: &EditBatch) -> Vec<DefinitionId> {
        let removed = batch.edits.iter().filter_map(|edit| match edit {
            model::Edit::RemoveFile { file } => self.library.find(file),
            _ => None,
        });
        removed.collect()
    }

    /// A use of a file that is gone must not find the nodes of another that takes its place. In the main file it
    /// finds none: what still runs of it is a deleted step.
    fn orphan_uses(&mut self, removed: &[DefinitionId]) {
        let main_scope = self.uses[0].scope;
        for each in self.uses.iter_mut().filter(|each| removed.contains(&each.definition)) {
            each.definition = model::Library::MAIN;
            each.scope = main_scope;
            each.interface = None;
        }
    }

    pub(super) fn uses_of(&self, definition: DefinitionId) -> Vec<UseId> {
        let uses = self.uses.iter().enumerate().filter(|(_, each)| each.definition == definition);
        uses.map(|(index, _)| UseId::new(index)).collect()
    }

    fn follow_edit(&mut self, touched: &[Touched]) {
        self.world.tell_run(RunFact::Edited);
        self.keep_all_waits();
        let mut structure = false;
        for place in touched {
            match place {
                // Deleted by a later edit of the batch, which touched what was around it.
                Touched::Structure { definition, parent: node }
                | Touched::Node { definition, node }
                | Touched::Setting { definition, node }
                    if !self.has_node(*definition, *node) =>
                {
                    structure = true;
                }
                Touched::Structure { definition, parent } => {
                    structure = true;
                    for use_id in self.uses_of(*definition) {
                        self.touch(use_id, *parent);
                    }
                }
                Touched::Node { definition, node } => {
                    structure = true;
                    for use_id in self.uses_of(*definition) {
                        self.touch_node(use_id, *node);
                    }
                }
                Touched::Setting { definition, node } => {
                    for use_id in self.uses_of(*definition) {
                        structure |= !self.touch_setting(use_id, *node);
                    }
                }
                Touched::Header { definition } => {
                    for use_id in self.uses_of(*definition) {
                        self.touch_header(use_id);
                    }
                }
                Touched::Files => {
                    structure = true;
                    self.touch_skills();
                }
            }
        }
        self.end_lost_calls();
        self.turn_idle_uses();
        if structure {
            // An execute-after by name may now find another node.
            for track in self.referring.clone() {
                if self.is_current(track) && self.has_moved_references(track) {
                    self.reflatten(track);
                }
            }
        }
    }

    fn has_node(&self, definition: DefinitionId, node: NodeId) -> bool {
        definition.index() < self.library.len() && self.library.get(definition).contains(node)
    }

    /// A file came or went: every skill use may now open another one.
    fn touch_skills(&mut self) {
        let is_skill = |kind: &str| self.registry.catalogue().role(kind) == Some(model::Role::Skill);
        let mut skills = Vec::new();
        for (definition, tree) in self.library.iter() {
            let nodes = tree.walk(tree.root).filter(|node| is_skill(&tree.node(*node).kind));
            skills.extend(nodes.map(|node| (definition, node)));
        }
        for (definition, node) in skills {
            for use_id in self.uses_of(definition) {
                self.touch_node(use_id, node);
            }
        }
    }

    /// A call whose target was deleted: what runs of it halts, and the gosub finds that there is nothing to call.
    fn end_lost_calls(&mut self) {
        for id in self.live_tracks() {
            let Some(owner) = self.track(id).owner else { continue };
            if self.track(id).dropped || self.is_current(id) || self.is_out(owner) {
                continue;
            }
            let Some(composite) = self.step_mut(owner).composite_mut() else { continue };
            if composite.branching == Branching::Call && composite.branches.iter().any(|branch| branch.track == id) {
                composite.branches.retain(|branch| branch.track != id);
                self.detach_track(id);
            }
        }
    }

    /// Not freed, its container is still in the tree, and it does not belong to something that was taken out.
    fn is_current(&self, id: TrackId) -> bool {
        let track = self.track(id);
        let in_tree = self.tree_of(track.use_id).is_some_and(|tree| tree.contains(track.container));
        in_tree && !track.dropped && !track.owner.is_some_and(|owner| self.is_out(owner))
    }

    /// It, or a composite around it, was taken out of the tree and only comes to rest: edits concern it no more.
    pub(crate) fn is_out(&self, step: StepId) -> bool {
        let mut at = Some(step);
        while let Some(step) = at {
            if self.step(step).detached {
                return true;
            }
            at = self.track(self.step(step).track).owner;
        }
        false
    }

    fn step_in_tree(&self, key: (UseId, NodeId)) -> Option<StepId> {
        self.known.get(&key).and_then(|known| known.step).filter(|step| !self.is_out(*step))
    }

    fn touch_header(&mut self, use_id: UseId) {
        let (parent, via) = (self.uses[use_id.index()].parent, self.uses[use_id.index()].via);
        if let Some(parent) = parent {
            // Refreshes what the use maps; the scope keeps its values.
            let _ = self.open_use(parent, via);
        }
        self.give_first_values(use_id);
        // A name may now be the file's own.
        for step in self.steps.iter_mut().filter(|step| step.use_id == use_id) {
            step.stale = true;
        }
    }

    /// The children of a node changed.
    fn touch(&mut self, use_id: UseId, parent: NodeId) {
        if let Some(track) = self.region_of.get(&(use_id, parent)).copied()
            && self.is_current(track)
        {
            if !self.splice(track, use_id, parent) {
                self.reflatten(track);
            }
            return;
        }
        let Some(step) = self.step_in_tree((use_id, parent)) else { return };
        let Some(composite) = self.step(step).composite() else { return };
        match composite.branching {
            Branching::Call => {}
            Branching::Together => {
                for track in self.step(step).branch_tracks().collect::<Vec<_>>() {
                    if !self.splice(track, use_id, parent) {
                        self.reflatten(track);
                    }
                }
            }
            Branching::Each => self.refresh_branches(step),
        }
    }

    /// A setting of a step without children changes no track. False: it was another node's, and may have.
    fn touch_setting(&mut self, use_id: UseId, node: NodeId) -> bool {
        match self.step_in_tree((use_id, node)) {
            Some(step) if matches!(self.step(step).body, Body::Step(_)) => {
                self.step_mut(step).stale = true;
                self.renew(step);
                true
            }
            _ => {
                self.touch_node(use_id, node);
                false
            }
        }
    }

    /// A node's own settings, name or type changed.
    fn touch_node(&mut self, use_id: UseId, node: NodeId) {
        if let Some(step) = self.step_in_tree((use_id, node)) {
            let track = self.step(step).track;
            self.step_mut(step).stale = true;
            self.reflatten(track);
            // It may be gone: an organiser without its guard has become steps of the track.
            if self.known.get(&(use_id, node)).is_some_and(|known| known.step == Some(step)) {
                self.renew(step);
            }
            if let Some(owner) = self.track(track).owner {
                self.refresh_branches(owner);
            }
        } else if let Some(track) = self.region_of.get(&(use_id, node)).copied()
            && self.is_current(track)
        {
            self.reflatten(track);
            // A case that is a sequence has its condition, too.
            if let Some(owner) = self.track(track).owner {
                self.refresh_branches(owner);
            }
        }
    }

    /// What does not run takes its new settings at once, what runs when it starts again.
    fn renew(&mut self, step: StepId) {
        if self.step(step).is_active() {
            self.know_names(self.step(step).use_id, self.step(step).node);
            self.edited.running.push(step);
        } else {
            self.make_body(step);
        }
        // An organiser of another type, or a skill of another file, lays its steps otherwise.
        let together = self.step(step).composite().is_some_and(|composite| composite.branching == Branching::Together);
        if together {
            for track in self.step(step).branch_tracks().collect::<Vec<_>>() {
                self.reflatten(track);
            }
        }
    }

    /// A composite's children are live: a new one gets a branch, a deleted one no longer counts.
    pub(crate) fn refresh_branches(&mut self, id: StepId) {
        let (use_id, node) = (self.step(id).use_id, self.step(id).node);
        let Some(composite) = self.step_mut(id).composite_mut() else { return };
        if composite.branching != Branching::Each {
            return;
        }
        let mut old: Vec<Branch> = std::mem::take(&mut composite.branches);
        let definition = self.library.get(self.uses[use_id.index()].definition);
        let children: Vec<NodeId> =
            if definition.contains(node) { definition.enabled_children(node).collect() } else { Vec::new() };
        let mut branches = Vec::with_capacity(children.len());
        for child in children {
            match old.iter().position(|branch| branch.child == child) {
                Some(place) => {
                    let mut branch = old.remove(place);
                    branch.when = self.when_of(use_id, child);
                    branch.settings = self.asked_of(use_id, child);
                    branches.push(branch);
                }
                None => branches.push(self.build_branch(id, use_id, child)),
            }
        }
        for branch in old {
            self.detach_track(branch.track);
        }
        if let Some(composite) = self.step_mut(id).composite_mut() {
            composite.branches = branches;
        }
    }

    /// What runs in a track that goes away halts by itself.
    fn detach_track(&mut self, track: TrackId) {
        for step in self.track(track).running.clone() {
            self.detach(step);
        }
        self.drop_track(track);
    }

    /// A step leaves its track: it halts as a detached instance, then goes.
    fn detach(&mut self, id: StepId) {
        let key = (self.step(id).use_id, self.step(id).node);
        if let Some(known) = self.known.get_mut(&key)
            && known.step == Some(id)
        {
            known.step = None;
        }
        let track = self.step(id).track;
        self.track_mut(track).running_mut().retain(|other| *other != id);
        self.lay_aside_marks(id);
        self.step_mut(id).detached = true;
        if self.step(id).status == StepStatus::Running
            && let Some(end) = self.begin_halt(id, End::halted("it was deleted or moved out of its track"))
        {
            self.finish(id, end);
            return self.drop_step(id);
        }
        self.detached.push(id);
    }

    /// Lays a track anew after an edit: what runs goes on, next stays between what was triggered and what was not.
    pub(super) fn reflatten(&mut self, id: TrackId) {
        let (use_id, container, inside) = {
            let track = self.track(id);
            (track.use_id, track.container, track.inside)
        };
        if !self.is_current(id) {
            return;
        }
        let shapes = self.shapes_in_progress(id);
        let flat = self.flatten(use_id, container, inside, &shapes);
        self.keep_shapes(id, flat.kept);
        self.lay_aside_region_marks(id);
        let was_too_long = std::mem::replace(&mut self.track_mut(id).is_too_long, flat.too_long.is_some());
        let before = self.before_edit(id);
        let old_regions = std::mem::take(&mut self.track_mut(id).regions);
        let old_active = std::mem::take(&mut self.track_mut(id).active);
        let mut left: FxHashMap<(UseId, NodeId), StepId> =
            before.entries.iter().map(|step| ((self.step(*step).use_id, self.step(*step).node), *step)).collect();
        let mut entries = Vec::with_capacity(flat.entries.len());
        let mut after_from = Vec::with_capacity(flat.entries.len());
        for (pos, entry) in flat.entries.iter().enumerate() {
            let step = match left.remove(&(entry.use_id, entry.node)) {
                Some(step) => step,
                None => {
                    self.take_from_elsewhere((entry.use_id, entry.node));
                    self.new_step(id, entry.use_id, entry.node)
                }
            };
            let placed = self.step_mut(step);
            placed.pos = pos as u32;
            placed.region = entry.region;
            entries.push(step);
            after_from.push(entry.after_from);
        }
        let gone: FxHashSet<StepId> = left.into_values().collect();
        for step in before.entries.iter().filter(|step| gone.contains(step)) {
            if self.step(*step).is_active() {
                self.detach(*step);
            } else {
                self.drop_step(*step);
            }
        }
        let track = self.track_mut(id);
        track.entries = entries;
        track.regions = flat.regions;
        track.next = track.next.min(track.entries.len() as u32);
        let orphans = self.carry_regions(id, old_regions, &old_active);
        self.resolve_order(id, &after_from);
        let mut running = std::mem::take(self.track_mut(id).running_mut());
        running.sort_by_key(|step| self.step(*step).pos);
        self.track_mut(id).running = running;
        self.follow_with_next(id, &before);
        self.hand_on_waits(id, &before);
        self.forget_gone_failures(id);
        if was_too_long != self.track(id).is_too_long {
            for step in self.track(id).entries.clone() {
                self.step_mut(step).stale = true;
            }
        }
        self.decide_anew(id, orphans);
    }

    /// A failure whose fallback or lock was taken away counts for what is around it now.
    fn decide_anew(&mut self, id: TrackId, mut failures: Vec<Failure>) {
        failures.retain(|failure| self.track(id).entries.contains(&failure.step));
        failures.extend(self.track_mut(id).withheld.take());
        for failure in failures {
            self.fail_in_track(id, failure);
        }
    }

    /// A node that came from another track leaves its old instance there.
    fn take_from_elsewhere(&mut self, key: (UseId, NodeId)) {
        let Some(step) = self.step_in_tree(key) else { return };
        let track = self.step(step).track;
        if self.step(step).is_active() {
            let pos = self.step(step).pos as usize;
            self.track_mut(track).entries.retain(|other| *other != step);
            for later in self.track(track).entries.clone().into_iter().skip(pos) {
                self.step_mut(later).pos -= 1;
            }
            self.track_mut(track).take_place(pos as u32);
            if self.track(track).next as usize > pos {
                self.track_mut(track).next -= 1;
            } else if self.track(track).next as usize == pos {
                self.next_waits_for(track, step);
            }
            self.detach(step);
        }
    }

    /// Gives back the undecided failures of fallbacks that are no more.
    fn carry_regions(&mut self, id: TrackId, mut old: Vec<Region>, old_active: &[u32]) -> Vec<Failure> {
        let mut active: Vec<(usize, u32)> = Vec::new();
        let was_at: FxHashMap<Key, usize> =
            old.iter().enumerate().map(|(index, region)| ((region.use_id, region.node), index)).collect();
        let track = self.track_mut(id);
        for (index, region) in track.regions.iter_mut().enumerate() {
            let Some(before) = was_at.get(&(region.use_id, region.node)).copied() else { continue };
            let same_kind = std::mem::discriminant(&old[before].kind) == std::mem::discriminant(&region.kind);
            region.inside = old[before].inside;
            if same_kind {
                region.phase = old[before].phase;
                region.to_catch = old[before].to_catch;
                region.entered_for = old[before].entered_for;
                region.failed = old[before].failed.take();
                region.gave_up = old[before].gave_up.take();
                region.entered_tick = old[before].entered_tick;
                if let Some(order) = old_active.iter().position(|each| *each as usize == before) {
                    active.push((order, index as u32));
                }
            }
        }
        active.sort_unstable();
        track.active = active.into_iter().map(|(_, index)| index).collect();
        self.mark_regions(id);
        let orphans = old.iter_mut().filter_map(|region| region.failed.take()).collect();
        let now: FxHashSet<Key> = self.track(id).regions.iter().map(|each| (each.use_id, each.node)).collect();
        for region in old {
            let key = (region.use_id, region.node);
            if !now.contains(&key) && self.region_of.get(&key) == Some(&id) {
                self.region_of.remove(&key);
            }
        }
        orphans
    }

    /// The organising nodes of a track are known by their places, and have the marks that belong to their nodes.
    pub(crate) fn mark_regions(&mut self, id: TrackId) {
        let keys: Vec<Key> = self.track(id).regions.iter().map(|region| (region.use_id, region.node)).collect();
        self.track_mut(id).locked.clear();
        self.track_mut(id).breakpoints.clear();
        for (index, key) in keys.into_iter().enumerate() {
            self.mark_region_at(id, index, key);
        }
    }

    pub(super) fn mark_region_at(&mut self, id: TrackId, index: usize, key: Key) {
        let marks = if self.is_own(id, &self.track(id).regions[index]) {
            let locked = self.track(id).owner.is_some_and(|owner| self.step(owner).is_locked());
            Marks { locked, breakpoint: false }
        } else {
            self.take_marks(key)
        };
        self.region_of.insert(key, id);
        let track = self.track_mut(id);
        let region = &mut track.regions[index];
        (region.locked, region.breakpoint) = (marks.locked, marks.breakpoint);
        track.locked.extend(marks.locked.then_some(index as u32));
        track.breakpoints.extend(marks.breakpoint.then_some(index as u32));
    }

    fn keep_shapes(&mut self, id: TrackId, kept: Vec<Key>) {
        for (use_id, node) in kept.iter().copied() {
            self.know_names(use_id, node);
        }
        if !kept.is_empty() && !self.edited.keeping.contains(&id) {
            self.edited.keeping.push(id);
        }
        self.track_mut(id).kept_shapes = kept;
    }

    /// A failure of a step that is gone decides nothing any more.
    fn forget_gone_failures(&mut self, id: TrackId) {
        let entries = self.track(id).entries.clone();
        let track = self.track_mut(id);
        let gone = |failure: &Option<Failure>| failure.as_ref().is_some_and(|failure| !entries.contains(&failure.step));
        if gone(&track.failed) {
            track.failed = None;
        }
        if gone(&track.withheld) {
            track.withheld = None;
        }
        for region in &mut track.regions {
            if gone(&region.failed) {
                region.failed = None;
            }
        }
        if let Some(press) = &mut track.press {
            press.set.retain(|step| entries.contains(step));
            if press.set.is_empty() {
                track.press = None;
            }
        }
        if track.jumped_to.is_some_and(|(step, _)| !entries.contains(&step)) {
            track.jumped_to = None;
        }
        track.hold = Hold::None;
    }
}
