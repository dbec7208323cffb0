use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::{Autonomy, DefinitionId, Library, NodeId, Random, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::End;
use crate::door::{InstanceId, InstanceInfo, Recording, RunFact, TickInput, TickOutput};
use crate::edits::Edited;
use crate::ids::{ScopeId, StepId, TrackId, UseId};
use crate::operator::Pressed;
use crate::run::TrackStatus;
use crate::settings::OwnNames;
use crate::tracks::{Interface, Making, Step, Track};
use crate::types::{Effects, Registry};
use crate::world::{Blackboard, Body, Claims, Remembered, World};

/// Choices that hold for the whole life of an engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub seed: u64,
    /// An operator is there to answer questions; without one they take their default or fail.
    pub attended: bool,
    /// World variables: robot state and mapped signals, seen from every scope.
    pub world: Vec<(Arc<str>, Option<Value>)>,
    /// The robot, as it is at the start.
    pub body: Option<Body>,
    /// Objects take their nominal poses: nothing is seen.
    pub preview: bool,
    /// Steps only pass the time, until they are forced to end: what a behavior is expected to do, by its own rules. Cases
    /// that cannot be judged are taken, other conditions that cannot be judged do not hold.
    pub dry: bool,
    /// Commands and jobs are numbered from here: a robot that served another engine must not take them for its.
    pub numbered_from: u64,
    /// Overrides of the behavior's own variables.
    pub set: Vec<(Arc<str>, Value)>,
}

/// One use of a skill, or one call by a gosub.
pub(crate) struct Use {
    pub parent: Option<UseId>,
    /// The node that uses or calls.
    pub via: NodeId,
    pub definition: DefinitionId,
    pub scope: ScopeId,
    pub is_call: bool,
    pub calls: u32,
    pub interface: Option<Arc<Interface>>,
    /// Its skill runs as on the other side of what uses it.
    pub mirrored: bool,
    /// As its settings say now: it counts from the next start of the use.
    pub to_be_mirrored: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub instance: InstanceId,
    pub step: Option<StepId>,
}

/// A step name kept after its node was deleted.
#[derive(Clone, Debug)]
pub(crate) struct Gone {
    pub label: Arc<str>,
    pub kind: Arc<str>,
    pub path: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Nothing was asked to run yet, or it was stopped half way.
    Idle,
    Active,
    Ended(End),
}

/// The limit of a run of only one subtree.
pub(crate) struct Only {
    pub use_id: UseId,
    pub node: NodeId,
}

/// Runs a tree. Given the same inputs at the same ticks it gives the same outputs, bit for bit.
pub struct Engine {
    pub(crate) library: Library,
    pub(crate) registry: Arc<Registry>,
    pub(crate) world: World,
    pub(crate) making: Making,
    pub(crate) edited: Edited,
    pub(crate) uses: Vec<Use>,
    pub(crate) use_of: FxHashMap<(UseId, NodeId), UseId>,
    pub(crate) steps: Vec<Step>,
    pub(crate) tracks: Vec<Track>,
    pub(crate) known: FxHashMap<(UseId, NodeId), Known>,
    pub(crate) region_of: FxHashMap<(UseId, NodeId), TrackId>,
    /// Asked for, and no step when they were: most are organising nodes.
    pub(crate) region_watches: BTreeMap<(UseId, NodeId), u32>,
    pub(crate) instances: FxHashMap<InstanceId, InstanceInfo>,
    pub(crate) gone: FxHashMap<InstanceId, Gone>,
    pub(crate) detached: Vec<StepId>,
    /// Steps whose state outlives their end.
    pub(crate) keepers: BTreeSet<StepId>,
    /// Tracks with an execute-after by name.
    pub(crate) referring: BTreeSet<TrackId>,
    /// Names that files have themselves, until the next edit.
    pub(crate) own_names: FxHashMap<DefinitionId, Arc<OwnNames>>,
    pub(crate) pending_jump: Option<crate::run::PendingJump>,
    pub(crate) pressed: Vec<Pressed>,
    /// What was said in this run and is said only once.
    pub(crate) said: FxHashSet<(InstanceId, &'static str)>,
    pub(crate) only: Option<Only>,
    pub(crate) run: RunState,
    /// The tick the run began in: what started before it belongs to the run before.
    pub(crate) run_since_tick: u64,
    /// Runs that began at the first step.
    pub(crate) beginnings: u64,
    pub(crate) autonomy: Autonomy,
    pub(crate) concurrency: bool,
    pub(crate) root: TrackId,
}

/// Steps in one engine: beyond this a tree of skills that use skills has gone wild.
pub(crate) const MAX_STEPS: usize = 1_000_000;

/// Uses of skills and calls of gosubs, counted by the ways that lead to them: two that use two that use two soon are
/// more than there is memory for.
pub(crate) const MAX_USES: usize = 100_000;

/// Composites in composites: a file has at most 256 levels, and the stack is not endless.
pub(crate) const MAX_NESTING: usize = 300;

/// Starts in one tick: calls that call themselves twice would not come to the end of it.
pub(crate) const MAX_STARTS: u32 = 250_000;

impl Engine {
    /// An engine with its tree loaded, stopped, at the beginning.
    pub fn new(library: Library, registry: Arc<Registry>, options: &Options) -> Engine {
        let world = World {
            tick: 0,
            starts: 0,
            time_ns: 0,
            active_ns: 0,
            paused: false,
            attended: options.attended,
            board: Blackboard::default(),
            mirrored: Vec::new(),
            claims: Claims::default(),
            record: Recording::default(),
            out: TickOutput::default(),
            received: Vec::new(),
            asked: Vec::new(),
            answers: Vec::new(),
            watches: Vec::new(),
            body: options.body.clone(),
            senses: Vec::new(),
            commands_given: options.numbered_from,
            jobs_given: options.numbered_from,
            jobs: Vec::new(),
            scene_queue: Vec::new(),
            scene_refused: Vec::new(),
            preview: options.preview,
            dry: options.dry,
            measured: FxHashMap::default(),
            progress: FxHashMap::default(),
            random: RefCell::new(Random::new(options.seed)),
            effects: Effects::default(),
            pose_frames: FxHashMap::default(),
            remembered: Remembered::default(),
            shown_scope: None,
        };
        let mut engine = Engine {
            library,
            registry,
            world,
            making: Making::default(),
            edited: Edited::default(),
            uses: Vec::new(),
            use_of: FxHashMap::default(),
            steps: Vec::new(),
            tracks: Vec::new(),
            known: FxHashMap::default(),
            region_of: FxHashMap::default(),
            region_watches: BTreeMap::new(),
            instances: FxHashMap::default(),
            gone: FxHashMap::default(),
            detached: Vec::new(),
            keepers: BTreeSet::new(),
            referring: BTreeSet::new(),
            own_names: FxHashMap::default(),
            pending_jump: None,
            pressed: Vec::new(),
            said: FxHashSet::default(),
            only: None,
            run: RunState::Idle,
            run_since_tick: 0,
            beginnings: 0,
            autonomy: Autonomy::Full,
            concurrency: true,
            root: TrackId(0),
        };
        engine.set_up(options);
        engine
    }

    fn set_up(&mut self, options: &Options) {
        if let Some(body) = &options.body {
            let robot = body.robot();
            for part in &robot.parts {
                let joints: Vec<&str> =
                    part.coordinates.iter().map(|index| robot.model.coordinates()[*index].name.as_str()).collect();
                self.world.claims.add_part(part.name.word(), &joints);
            }
        }
        for (name, value) in &options.world {
            let slot = self.world.board.add_world(name);
            self.world.board.set(ScopeId(0), slot, value.clone());
        }
        let scope = self.world.board.add_scope(Library::MAIN);
        let root = self.library.main().root;
        self.uses.push(Use {
            parent: None,
            via: root,
            definition: Library::MAIN,
            scope,
            is_call: false,
            calls: 0,
            interface: None,
            mirrored: false,
            to_be_mirrored: false,
        });
        self.declare_main_variables(options);
        let count = self.library.main().len();
        self.steps.reserve_exact(count);
        self.instances.reserve(count);
        self.known.reserve(count);
        self.root = self.build_track(None, UseId(0), root, false);
        self.tracks[self.root.index()].automatic = false;
        self.tracks[self.root.index()].live = true;
        self.world.record.clear();
    }

    /// One tick. `input.time_ns` must not go back.
    pub fn tick(&mut self, input: &TickInput) -> &TickOutput {
        self.begin_tick(input);
        if input.stop {
            self.stop(input.stop_why.as_deref().unwrap_or("stop was pressed"));
        }
        self.take_inputs(input);
        if !input.edits.is_empty() {
            self.apply_edits(&input.edits);
        }
        for command in &input.commands {
            self.obey(command);
        }
        self.tick_detached();
        let status = self.tick_track(self.root);
        self.after_root(status);
        self.lay_all_ended_anew();
        self.answer_presses();
        self.forget_ended_waits();
        self.end_of_aftermath();
        self.world.apply_updates();
        self.world.apply_scene_updates();
        self.world.received.clear();
        &self.world.out
    }

    fn begin_tick(&mut self, input: &TickInput) {
        let world = &mut self.world;
        let passed_ns = if world.tick == 0 { 0 } else { (input.time_ns - world.time_ns).max(0) };
        world.tick += 1;
        world.time_ns = world.time_ns.max(input.time_ns);
        if !world.paused {
            world.active_ns += passed_ns;
        }
        world.starts = 0;
        world.out.clear();
        // In a pause nobody asks, and nobody loses the place in the queue.
        if !world.paused {
            world.claims.forget_stale_waiters(world.tick);
        }
    }

    fn take_inputs(&mut self, input: &TickInput) {
        for (name, value) in &input.signals {
            let slot = self.world.board.add_world(name);
            self.world.set_now(ScopeId(0), slot, Some(value.clone()), None);
        }
        if let Some(state) = &input.robot {
            self.world.sense(Arc::clone(state));
        }
        if let Some(body) = &mut self.world.body {
            input.frames.iter().for_each(|frame| body.place(frame));
            input.sights.iter().for_each(|sight| body.see(sight));
        }
        if let Some(stored) = &input.experience {
            self.world.remembered.take(stored);
        }
        self.world.look();
        self.world.received.extend(input.received.iter().cloned());
        for (id, answer) in &input.finished {
            if let Some(job) = self.world.jobs.iter_mut().find(|job| job.id == *id) {
                job.answer = Some(answer.clone());
            }
        }
        for part in &input.still {
            self.world.claims.robot_is_still(part);
        }
    }

    fn after_root(&mut self, status: TrackStatus) {
        if self.run != RunState::Active {
            return;
        }
        let end = match status {
            TrackStatus::Running => return,
            TrackStatus::Ended(end) => end,
        };
        self.finish_run(end);
    }

    pub(crate) fn finish_run(&mut self, end: End) {
        self.world.tell_run(RunFact::ended(&end));
        self.set_automatic(false);
        self.end_track(self.root, end.verdict);
        self.rest_root();
        self.run = RunState::Ended(end);
        self.only = None;
    }

    pub(crate) fn warn_once(&mut self, instance: InstanceId, text: &'static str) {
        if self.said.insert((instance, text)) {
            self.world.warn(instance, text);
        }
    }

    #[inline]
    pub(crate) fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    #[inline]
    pub(crate) fn step_mut(&mut self, id: StepId) -> &mut Step {
        &mut self.steps[id.index()]
    }

    #[inline]
    pub(crate) fn track(&self, id: TrackId) -> &Track {
        &self.tracks[id.index()]
    }

    #[inline]
    pub(crate) fn track_mut(&mut self, id: TrackId) -> &mut Track {
        &mut self.tracks[id.index()]
    }

    /// What people call a step.
    pub(crate) fn label(&self, step: StepId) -> Arc<str> {
        self.label_of(self.step(step).instance)
    }

    pub(crate) fn node_label(&self, use_id: UseId, node: NodeId) -> Arc<str> {
        let node = self.tree_of(use_id).and_then(|tree| tree.get(node));
        node.map_or_else(|| "a deleted step".into(), |node| node.label().clone())
    }

    /// The tree a use stands for; none: its file was removed.
    pub(crate) fn tree_of(&self, use_id: UseId) -> Option<&model::Definition> {
        let definition = self.uses[use_id.index()].definition;
        (definition.index() < self.library.len()).then(|| self.library.get(definition))
    }
}
