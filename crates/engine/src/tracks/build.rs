//! Steps and tracks come into being and go.

use std::sync::Arc;

use expression::Expression;
use model::{Common, Field, Fields, Guard, Guards, NodeId, Role, When, is_common};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::flatten::Flat;
use super::resolve::EngineNames;
use super::step::{AWAKE, Body, BoundGuard, BoundWhen, Branch, BranchState, Composite, Extra, Step, StepStatus};
use super::track::{Hold, NONE, Track};
use crate::Cannot;
use crate::door::{InstanceId, InstanceInfo};
use crate::engine::{Engine, Gone, Known, MAX_NESTING, MAX_STEPS};
use crate::ids::{StepId, TrackId, UseId};
use crate::types::{AnyComposite, AnyStep, AskedSettings, Authored, Binder, Branching, Made};

impl Engine {
    pub(crate) fn build_track(
        &mut self,
        owner: Option<StepId>,
        use_id: UseId,
        container: NodeId,
        inside: bool,
    ) -> TrackId {
        let above = owner.map(|owner| self.step(owner).track);
        let track = Track {
            owner,
            above,
            use_id,
            container,
            inside,
            entries: Vec::new(),
            regions: Vec::new(),
            next: 0,
            running: Vec::new(),
            rows: Vec::new(),
            knows_wakes: false,
            may_hold_results: false,
            automatic: true,
            held: None,
            stays_manual: false,
            passes: None,
            press: None,
            failed: None,
            withheld: None,
            active: SmallVec::new(),
            locked: SmallVec::new(),
            breakpoints: SmallVec::new(),
            hold: Hold::None,
            jumped_to: None,
            kept_jump: None,
            laid: Vec::new(),
            start_tick: 0,
            exit_tick: 0,
            referring: Vec::new(),
            order: None,
            live: false,
            dropped: false,
            is_too_long: false,
            kept_shapes: Vec::new(),
        };
        let id = match self.take_free_track() {
            Some(id) => {
                self.tracks[id.index()] = track;
                id
            }
            None => {
                self.tracks.push(track);
                TrackId::new(self.tracks.len() - 1)
            }
        };
        self.world.claims.place_track(id, owner, above);
        let flat = self.flatten(use_id, container, inside, &FxHashMap::default());
        self.fill_track(id, flat);
        id
    }

    fn fill_track(&mut self, id: TrackId, flat: Flat) {
        let mut entries = Vec::with_capacity(flat.entries.len());
        let mut after_from = Vec::with_capacity(flat.entries.len());
        self.track_mut(id).is_too_long = flat.too_long.is_some();
        for (pos, entry) in flat.entries.iter().enumerate() {
            let step = self.new_step(id, entry.use_id, entry.node);
            self.step_mut(step).pos = pos as u32;
            self.step_mut(step).region = entry.region;
            entries.push(step);
            after_from.push(entry.after_from);
        }
        self.track_mut(id).entries = entries;
        self.track_mut(id).regions = flat.regions;
        self.mark_regions(id);
        self.resolve_order(id, &after_from);
    }

    /// A step with its body, its settings bound, its branches built.
    pub(crate) fn new_step(&mut self, track: TrackId, use_id: UseId, node: NodeId) -> StepId {
        let instance = self.instance(use_id, node);
        let scope = self.uses[use_id.index()].scope;
        let step = Step {
            node,
            use_id,
            scope,
            track,
            pos: 0,
            region: NONE,
            after: -1,
            instance,
            watch: self.making.watch_of.get(&(use_id, node)).copied().unwrap_or(NONE),
            status: StepStatus::Idle,
            last: None,
            last_outcome: None,
            stale: false,
            detached: false,
            jump_kept_in: None,
            jump_dropped: false,
            started_tick: 0,
            started_ns: 0,
            wakes_ns: AWAKE,
            body: Body::Broken(Box::default()),
            extra: None,
            values: None,
            halt: None,
            pending: None,
        };
        let id = match self.take_free_step() {
            Some(id) => {
                self.steps[id.index()] = step;
                id
            }
            None => {
                self.steps.push(step);
                StepId::new(self.steps.len() - 1)
            }
        };
        let marks = self.take_marks((use_id, node));
        if marks.any() {
            let extra = self.step_mut(id).extra.get_or_insert_default();
            (extra.locked, extra.breakpoint) = (marks.locked, marks.breakpoint);
        }
        self.known.insert((use_id, node), Known { instance, step: Some(id) });
        self.make_body(id);
        id
    }

    fn instance(&mut self, use_id: UseId, node: NodeId) -> InstanceId {
        if let Some(known) = self.known.get(&(use_id, node)) {
            return known.instance;
        }
        let instance = InstanceId(self.making.next_instance);
        self.making.next_instance += 1;
        self.instances.insert(instance, InstanceInfo { use_id, node });
        instance
    }

    /// (Re)makes what follows from the node's settings. The step is not running.
    pub(crate) fn make_body(&mut self, id: StepId) {
        let step = self.step(id);
        let (use_id, node_id) = (step.use_id, step.node);
        let definition = self.library.get(self.uses[use_id.index()].definition);
        let Some(node) = definition.get(node_id) else {
            let body = Body::Broken("its node was deleted".into());
            if let Body::Composite(old) = std::mem::replace(&mut self.step_mut(id).body, body) {
                self.drop_branches(old.branches);
            }
            return;
        };
        let (kind, fields) = (node.kind.clone(), node.fields.clone());
        let (fields, values) = self.settled((use_id, node_id), &kind, fields);
        match self.on_its_side((use_id, node_id), fields.clone()) {
            Ok(fields) => self.make_body_of(id, &kind, &fields),
            Err(_) if values.is_some() => self.make_body_of(id, &kind, &fields),
            Err(why) => {
                self.make_body_of(id, &kind, &fields);
                self.replace_body(id, Plan::Broken(why));
            }
        }
        self.step_mut(id).values = values;
    }

    /// Makes it of settings that are known.
    pub(super) fn make_body_of(&mut self, id: StepId, kind: &str, fields: &Fields) {
        let (use_id, node_id) = (self.step(id).use_id, self.step(id).node);
        let (plan, mut claims) = match self.beyond_limits(id) {
            Some(reason) => (Plan::Broken(reason), Vec::new()),
            None => self.plan_of(use_id, node_id, kind, fields),
        };
        self.replace_body(id, plan);
        let extra = self.extra_of(use_id, node_id, fields, &mut claims);
        let step = self.step_mut(id);
        let old = step.extra.take();
        step.extra = extra;
        if let Some(old) = old.filter(|old| old.breakpoint || old.locked || old.added.is_some()) {
            let extra = step.extra.get_or_insert_default();
            extra.breakpoint = old.breakpoint;
            extra.locked = old.locked;
            extra.added = old.added;
        }
        step.stale = false;
    }

    pub(super) fn replace_body(&mut self, id: StepId, mut plan: Plan) {
        if matches!(plan, Plan::Composite { .. }) && self.nesting(id) >= MAX_NESTING {
            plan = Plan::Broken(Cannot::NestedTooDeep);
        }
        let old = std::mem::replace(&mut self.step_mut(id).body, Body::Broken(Box::default()));
        self.step_mut(id).body = match (old, plan) {
            // Branches live on through a change of the composite's own settings.
            (Body::Composite(mut old), Plan::Composite { behavior, branching })
                if old.branching == branching && old.is_group == behavior.is_none() =>
            {
                old.behavior = behavior;
                Body::Composite(old)
            }
            (Body::Step(old), Plan::Step(mut new)) => {
                new.inherit(&*old);
                Body::Step(new)
            }
            (old, plan) => {
                if let Body::Composite(old) = old {
                    self.drop_branches(old.branches);
                }
                self.carry_out(id, plan)
            }
        };
        if matches!(&self.step(id).body, Body::Step(body) if body.keeps_state()) {
            self.keepers.insert(id);
        }
    }

    fn drop_branches(&mut self, branches: Vec<Branch>) {
        for branch in branches {
            self.drop_track(branch.track);
        }
    }

    pub(super) fn plan_of(
        &mut self,
        use_id: UseId,
        node: NodeId,
        kind: &str,
        fields: &Fields,
    ) -> (Plan, Vec<Arc<str>>) {
        let broken = |cannot: Cannot| (Plan::Broken(cannot), Vec::new());
        let registry = self.registry.clone();
        let Some(entry) = registry.get(kind) else {
            return broken(Cannot::UnknownType { kind: kind.to_owned() });
        };
        let Some(make) = (if self.world.dry { entry.make_dry } else { entry.make }) else {
            if entry.info.role == Role::Skill
                && let Err(cannot) = self.open_use(use_id, node)
            {
                return broken(cannot);
            }
            return (Plan::Composite { behavior: None, branching: Branching::Together }, Vec::new());
        };
        let made = {
            let mut names = EngineNames { engine: self, use_id, node };
            make(fields, &entry.info, &mut Binder::new(&mut names))
        };
        match made {
            Err(error) => broken(Cannot::Unreadable(Box::new(error))),
            Ok(Made::Step { step, claims }) => {
                let authored = self.world.preview && entry.info.declared.senses;
                let end = authored.then(|| fields.read::<Common>(is_common).unwrap_or_default().preview).flatten();
                (Plan::Step(end.map_or(step, |end| Box::new(Authored(end)))), claims)
            }
            Ok(Made::Composite { composite, branching }) => {
                (Plan::Composite { behavior: Some(composite), branching }, Vec::new())
            }
        }
    }

    fn beyond_limits(&self, id: StepId) -> Option<Cannot> {
        let is_beyond = self.track(self.step(id).track).is_too_long || self.steps.len() > MAX_STEPS;
        is_beyond.then_some(Cannot::TooLong)
    }

    /// How many composites a step lies in.
    fn nesting(&self, id: StepId) -> usize {
        let mut above = self.track(self.step(id).track).above;
        let mut count = 0;
        while let Some(track) = above {
            count += 1;
            above = self.track(track).above;
        }
        count
    }

    fn carry_out(&mut self, id: StepId, plan: Plan) -> Body {
        match plan {
            Plan::Broken(cannot) => Body::Broken(cannot.to_string().into()),
            Plan::Step(step) => Body::Step(step),
            Plan::Composite { behavior, branching } => {
                let (use_id, node) = (self.step(id).use_id, self.step(id).node);
                let branches = self.build_branches(id, use_id, node, branching);
                Body::Composite(Box::new(Composite {
                    is_group: behavior.is_none(),
                    behavior,
                    branching,
                    branches,
                    entry: None,
                    manual_inside: false,
                    only_entry: false,
                }))
            }
        }
    }

    fn build_branches(&mut self, id: StepId, use_id: UseId, node: NodeId, branching: Branching) -> Vec<Branch> {
        match branching {
            Branching::Call => Vec::new(),
            Branching::Together => {
                let track = self.build_track(Some(id), use_id, node, true);
                vec![Branch { child: node, track, state: BranchState::Idle, when: None, settings: None }]
            }
            Branching::Each => {
                let definition = self.library.get(self.uses[use_id.index()].definition);
                let children: Vec<NodeId> = definition.enabled_children(node).collect();
                children.into_iter().map(|child| self.build_branch(id, use_id, child)).collect()
            }
        }
    }

    pub(crate) fn build_branch(&mut self, id: StepId, use_id: UseId, child: NodeId) -> Branch {
        let track = self.build_track(Some(id), use_id, child, false);
        let (when, settings) = (self.when_of(use_id, child), self.asked_of(use_id, child));
        Branch { child, track, state: BranchState::Idle, when, settings }
    }

    /// What the composite around a child asks of its settings; none where they cannot be read, which the check tells.
    pub(crate) fn asked_of(&mut self, use_id: UseId, child: NodeId) -> Option<AskedSettings> {
        let registry = Arc::clone(&self.registry);
        let node = self.library.get(self.uses[use_id.index()].definition).node(child);
        let entry = registry.get(&node.kind)?;
        let ask = entry.ask?;
        let fields = registry.with_samples(node).into_owned();
        let fields = self.on_its_side((use_id, child), fields.clone()).unwrap_or(fields);
        let mut names = EngineNames { engine: self, use_id, node: child };
        ask(&fields, &entry.info, &mut Binder::new(&mut names)).ok()
    }

    pub(crate) fn when_of(&mut self, use_id: UseId, child: NodeId) -> Option<BoundWhen> {
        let definition = self.library.get(self.uses[use_id.index()].definition);
        let field = definition.node(child).fields.get("when")?;
        let when: When = serde::Deserialize::deserialize(field).ok()?;
        Some(match when {
            When::Outcome { outcome } => BoundWhen::Outcome(outcome.into()),
            When::Condition(text) => {
                let mut condition = Expression::new(&self.text_on_its_side(use_id, &text));
                // Unbound, it gives its error when the case is asked.
                let _ = self.bind_expression(use_id, child, &mut condition);
                BoundWhen::Condition(condition)
            }
        })
    }

    pub(super) fn extra_of(
        &mut self,
        use_id: UseId,
        node: NodeId,
        fields: &Fields,
        claims: &mut Vec<Arc<str>>,
    ) -> Option<Box<Extra>> {
        let has_common = fields
            .iter()
            .any(|(key, field)| &**key != "after" && &**key != "when" && *field != Field::Null && is_common(key));
        if !has_common && claims.is_empty() {
            return None;
        }
        let common: Common = fields.read(is_common).unwrap_or_default();
        claims.extend(common.claims.iter().map(|name| Arc::from(name.as_str())));
        let world = &mut self.world.claims;
        let mut tokens: Vec<u32> = Vec::with_capacity(claims.len());
        for name in claims.iter() {
            let token = world.token(name);
            tokens.extend_from_slice(world.members(&token));
        }
        tokens.sort_unstable();
        tokens.dedup();
        Some(Box::new(Extra {
            met_at_end: self.outcome_met_at_end(&common.until),
            until: self.bind_guards(use_id, node, &common.until),
            while_: self.bind_guards(use_id, node, &common.while_),
            timeout_ns: common.timeout_s.map(crate::seconds_to_ns),
            retry: common.retry,
            end_as: common.end_as,
            outcome_as: common.outcome_as.map(Arc::from),
            claims: tokens.into(),
            on_conflict: common.on_conflict,
            autonomy: common.autonomy,
            outcome_autonomy: common.outcome_autonomy.into_iter().map(|(name, level)| (name.into(), level)).collect(),
            ..Extra::default()
        }))
    }

    fn outcome_met_at_end(&self, until: &Guards) -> Option<Arc<str>> {
        let met = until.list().into_iter().find(|guard| self.world.preview && guard.preview)?;
        Some(met.outcome.into())
    }

    fn bind_guards(&mut self, use_id: UseId, node: NodeId, guards: &Guards) -> Vec<BoundGuard> {
        let (is_preview, mut bound) = (self.world.preview, Vec::new());
        let counts = |guard: &Guard| !(is_preview && guard.preview);
        for guard in guards.list().into_iter().filter(counts) {
            let mut condition = Expression::new(&guard.condition);
            // A guard that cannot be bound says so when it is checked: as a violated `while`, as a warned `until`.
            let _ = self.bind_expression(use_id, node, &mut condition);
            bound.push(BoundGuard {
                condition,
                edge: guard.edge,
                outcome: guard.outcome.into(),
                before: false,
                warned: false,
            });
        }
        bound
    }

    /// The names that a node's settings use are names of the tree, also while it runs with those it started with.
    pub(crate) fn know_names(&mut self, use_id: UseId, node: NodeId) {
        let definition = self.library.get(self.uses[use_id.index()].definition);
        let Some(node_now) = definition.get(node) else { return };
        let (kind, fields, children) = (node_now.kind.clone(), node_now.fields.clone(), node_now.children.clone());
        for child in children {
            self.when_of(use_id, child);
            self.asked_of(use_id, child);
        }
        let (fields, _) = self.settled((use_id, node), &kind, fields);
        let fields = self.on_its_side((use_id, node), fields.clone()).unwrap_or(fields);
        let (_, mut claims) = self.plan_of(use_id, node, &kind, &fields);
        self.extra_of(use_id, node, &fields, &mut claims);
    }

    /// What comes to rest outside of the tree still names its track and what was around that: their places are not
    /// given to others before.
    fn take_free_track(&mut self) -> Option<TrackId> {
        let place =
            self.making.free_tracks.iter().rposition(|id| !self.around_detached().any(|(track, _)| track == *id))?;
        Some(self.making.free_tracks.remove(place))
    }

    fn take_free_step(&mut self) -> Option<StepId> {
        let place = self
            .making
            .free_steps
            .iter()
            .rposition(|id| !self.around_detached().any(|(_, owner)| owner == Some(*id)))?;
        Some(self.making.free_steps.remove(place))
    }

    /// The tracks that steps outside of the tree were in, with their owners.
    fn around_detached(&self) -> impl Iterator<Item = (TrackId, Option<StepId>)> {
        let with_owner = |id: TrackId| (id, self.track(id).owner);
        let up = move |(_, owner): &(TrackId, Option<StepId>)| owner.map(|owner| with_owner(self.step(owner).track));
        self.detached.iter().flat_map(move |step| std::iter::successors(Some(with_owner(self.step(*step).track)), up))
    }

    /// Forgets a track with everything below it. Nothing in it runs any more, or it was detached before.
    pub(crate) fn drop_track(&mut self, id: TrackId) {
        self.world.claims.release_track(id);
        self.lay_aside_region_marks(id);
        self.referring.remove(&id);
        let track = self.track_mut(id);
        track.live = false;
        track.dropped = true;
        track.running_mut().clear();
        let entries = std::mem::take(&mut track.entries);
        let regions = std::mem::take(&mut track.regions);
        for region in regions {
            if self.region_of.get(&(region.use_id, region.node)) == Some(&id) {
                self.region_of.remove(&(region.use_id, region.node));
            }
        }
        for step in entries {
            if !self.step(step).detached {
                self.drop_step(step);
            }
        }
        self.making.free_tracks.push(id);
    }

    /// Forgets a step that does not run. Its name stays, if it ever ran.
    pub(crate) fn drop_step(&mut self, id: StepId) {
        let body = std::mem::replace(&mut self.step_mut(id).body, Body::Broken(Box::default()));
        if let Body::Composite(composite) = body {
            self.drop_branches(composite.branches);
        }
        let step = self.step(id);
        let (key, instance, ran) = ((step.use_id, step.node), step.instance, step.started_tick > 0);
        if let Some(known) = self.known.get_mut(&key)
            && known.step == Some(id)
        {
            known.step = None;
        }
        if ran {
            self.remember_name(instance);
        }
        self.world.claims.forget_waiter(id);
        self.lay_aside_marks(id);
        self.keepers.remove(&id);
        let step = self.step_mut(id);
        step.status = StepStatus::Idle;
        step.detached = true;
        step.extra = None;
        step.halt = None;
        step.pending = None;
        self.making.free_steps.push(id);
    }

    /// Keeps what an instance was called, before its node is deleted.
    pub(crate) fn remember_name(&mut self, instance: InstanceId) {
        if let Some(name) = self.describe(instance) {
            self.gone.insert(instance, name);
        }
    }

    pub(crate) fn describe(&self, instance: InstanceId) -> Option<Gone> {
        let info = self.instances.get(&instance)?;
        let node = self.tree_of(info.use_id)?.get(info.node)?;
        Some(Gone { label: node.label().clone(), kind: node.kind.clone(), path: self.path(info.use_id, info.node) })
    }

    /// Names from the root down, through skill uses and calls.
    pub(crate) fn path(&self, use_id: UseId, node: NodeId) -> String {
        let mut parts = Vec::new();
        let mut at = Some((use_id, node));
        while let Some((use_id, node)) = at {
            let current = &self.uses[use_id.index()];
            if let Some(tree) = self.tree_of(use_id).filter(|tree| tree.contains(node) && node != tree.root) {
                parts.push(tree.path(node));
            }
            at = current.parent.map(|parent| (parent, current.via));
        }
        parts.reverse();
        if parts.is_empty() { "/".to_owned() } else { parts.concat() }
    }
}

/// What a node's settings make of its step, before its branches are built.
pub(super) enum Plan {
    Step(Box<dyn AnyStep>),
    /// Without a behavior: a sequence, fallback or skill with a guard.
    Composite {
        behavior: Option<Box<dyn AnyComposite>>,
        branching: Branching,
    },
    Broken(Cannot),
}
