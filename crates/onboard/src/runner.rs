//! The engine's half: ticks, and nothing that could delay a tick. It knows neither operators nor files nor networks.

use std::rc::Rc;
use std::sync::Arc;

use cell::Setup;
use engine::{Command, Control, EditBatch, Engine, FindingSteps, Job, JobAnswer, Options, Registry, TickInput};
use model::file::{Disk, Files};
use model::{Beside, Library, Value};
use protocol::talk::{Detail, Happening, NoteKind, What};
use scene::SceneUpdate;
use site::{Clock, Heard as Overheard, Site, Witness};

use crate::around;
use crate::feeling::Feeling;
use crate::seen::{Marks, State, Ticked};
use crate::view::Viewer;

/// Details follow at most this often.
const DETAILS_NS: i64 = 100_000_000;

/// Things that are seen or are simulated follow at most this often.
const DETECTIONS_NS: i64 = 200_000_000;
const SOLIDS_NS: i64 = 100_000_000;

/// The state is told at most this often, which is faster than anybody is sent it, and at least this often when it stays
/// as it is, so that everybody knows that it is not old.
const STATE_NS: i64 = 8_000_000;
const SAME_STATE_NS: i64 = 100_000_000;

/// Edits of one tick: a flood of them takes several. One that moves steps costs by the size of the tree: so many nodes
/// are gone through in a tick.
const MAX_EDITS: usize = 64;
const EDITED_NODES: usize = 20_000;

/// What the desk wants of the engine.
#[derive(Debug)]
pub enum Request {
    Edit(EditBatch),
    /// `stops`: how many stops had been pressed when it arrived. One that a stop overtook is refused.
    Command {
        command: Command,
        stops: u64,
    },
    /// Another tree, of this number; only when nothing runs.
    Open {
        number: u64,
        library: Box<Library>,
        /// The cell and the templates that came with it.
        beside: Option<Arc<Beside>>,
        /// Another simulated world, which begins with it.
        world: Option<Arc<str>>,
    },
    OpenEyes,
    /// The way to goals, told of in [`Ticked::found`].
    Find {
        id: u64,
        finding: Box<FindingSteps>,
    },
    /// So often somebody looks at the body; 0: nobody does.
    WatchBody(f64),
    /// The simulated world begins anew, or another one of this name; only when nothing runs. Answered as a command.
    ResetWorld {
        id: u64,
        world: Option<Arc<str>>,
    },
}

/// Makes the surroundings anew, in the world of this name or in that of before.
pub type MakeSite = Box<dyn FnMut(Option<&str>) -> Result<Site, String>>;

/// Makes who looks on from the beginning of an engine: with what it begins with and the time of its first tick, in
/// nanoseconds.
pub type MakeWitness = Box<dyn FnMut(&Library, &Options, i64) -> Option<Box<dyn Witness>>>;

/// What waits for the next tick. A stop is not in the queue: it overtakes it.
#[derive(Debug)]
pub struct Inbox {
    pub stop: bool,
    /// Stops pressed so far.
    pub stops: u64,
    pub requests: std::collections::VecDeque<Request>,
    /// As many as a tick takes of a tree of this size.
    pub edits_a_tick: usize,
}

impl Default for Inbox {
    fn default() -> Inbox {
        Inbox { stop: false, stops: 0, requests: std::collections::VecDeque::new(), edits_a_tick: MAX_EDITS }
    }
}

impl Inbox {
    /// No more edits wait here than the next tick takes: a command behind them waits for a tick or two, whatever is
    /// edited.
    pub fn has_room_for_edit(&self) -> bool {
        let edits = self.requests.iter().filter(|request| matches!(request, Request::Edit(_)));
        edits.count() < self.edits_a_tick
    }

    pub fn press_stop(&mut self) {
        self.stop = true;
        self.stops += 1;
    }

    /// What the next tick takes.
    pub fn take(&mut self) -> Inbox {
        let mut edits = 0;
        let count = self.requests.iter().take_while(|request| {
            edits += usize::from(matches!(request, Request::Edit(_)));
            edits <= self.edits_a_tick
        });
        let count = count.count();
        Inbox {
            stop: std::mem::take(&mut self.stop),
            stops: self.stops,
            requests: self.requests.drain(..count).collect(),
            edits_a_tick: self.edits_a_tick,
        }
    }
}

/// What a preview finds.
#[derive(Debug, Default)]
pub struct Start {
    pub objects: Vec<SceneUpdate>,
    /// The behavior's own, where they are not as it begins.
    pub variables: Vec<(Arc<str>, Value)>,
}

pub struct Runner {
    engine: Engine,
    registry: Arc<Registry>,
    site: Site,
    viewer: Viewer,
    /// Not told yet.
    warnings: Vec<String>,
    /// Something happened that details may tell of.
    dirty: bool,
    marks_dirty: bool,
    details_ns: i64,
    detections_ns: i64,
    objects_ns: i64,
    solids_ns: i64,
    outlines_told: bool,
    state_ns: i64,
    /// As it was last told.
    state: Option<State>,
    beginnings: u64,
    /// Before this one.
    engines: u64,
    /// Batches in force since the tree was opened.
    version: u32,
    make_site: Option<MakeSite>,
    make_witness: Option<MakeWitness>,
    /// What the engine began with.
    begun: Options,
    /// Counts the worlds that there were.
    world: u16,
    /// Somebody watches what cameras see.
    watched: bool,
    /// Ways to goals that are looked for.
    finding: Vec<u64>,
    feeling: Feeling,
}

impl Runner {
    pub fn new(library: Library, registry: Arc<Registry>, site: Site) -> Result<Runner, String> {
        Runner::with_beside(library, None, registry, site)
    }

    /// `beside`: the cell and the templates that came with it; none: they are where the behavior was loaded from.
    pub fn with_beside(
        library: Library,
        beside: Option<&Beside>,
        registry: Arc<Registry>,
        mut site: Site,
    ) -> Result<Runner, String> {
        let mut warnings = Vec::new();
        let options = open_at(&mut site, &library, beside, &mut warnings)?;
        site.expect_detectors(&library);
        Ok(Runner::of(library, &options, warnings, registry, site))
    }

    /// Beside the robot: with objects at their nominal poses, where nothing is seen or felt.
    pub fn previewing(
        library: Library,
        beside: Option<&Beside>,
        registry: Arc<Registry>,
        mut site: Site,
        start: Start,
    ) -> Result<Runner, String> {
        let mut warnings = Vec::new();
        let options = open_at(&mut site, &library, beside, &mut warnings)?;
        let mut body = options.body;
        if let Some(body) = &mut body {
            for object in &start.objects {
                warnings.extend(body.apply(object).err().map(|error| error.to_string()));
            }
        }
        let options = Options { body, set: start.variables, preview: true, ..options };
        Ok(Runner::of(library, &options, warnings, registry, site))
    }

    fn of(library: Library, options: &Options, warnings: Vec<String>, registry: Arc<Registry>, site: Site) -> Runner {
        let engine = Engine::new(library, Arc::clone(&registry), options);
        let mut runner = Runner {
            engine,
            registry,
            site,
            viewer: Viewer::default(),
            warnings,
            dirty: true,
            marks_dirty: true,
            details_ns: i64::MIN / 2,
            detections_ns: i64::MIN / 2,
            objects_ns: i64::MIN / 2,
            solids_ns: i64::MIN / 2,
            outlines_told: false,
            state_ns: i64::MIN / 2,
            state: None,
            beginnings: 0,
            engines: 0,
            version: 0,
            make_site: None,
            make_witness: None,
            begun: options.clone(),
            world: 0,
            watched: false,
            finding: Vec::new(),
            feeling: Feeling::default(),
        };
        runner.viewer.all_variables(&runner.engine);
        runner
    }

    /// The world can begin anew.
    pub fn reset_with(&mut self, make_site: MakeSite) {
        self.make_site = Some(make_site);
    }

    /// From the next tick on; before the first one, that is from the beginning of the engine.
    pub fn show_to(&mut self, make_witness: MakeWitness) {
        self.make_witness = Some(make_witness);
        self.show(0);
    }

    /// For whoever looks on.
    pub fn hear(&mut self, heard: Overheard) {
        self.site.hear(heard);
    }

    fn show(&mut self, time_ns: i64) {
        let Some(make) = &mut self.make_witness else { return };
        let witness = make(self.engine.library(), &self.begun, time_ns);
        self.site.show_to(witness);
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// As many as leave a tick its time.
    pub fn edits_a_tick(&self) -> usize {
        let nodes: usize = self.engine.library().iter().map(|(_, tree)| tree.len()).sum();
        (EDITED_NODES / nodes.max(1)).clamp(1, MAX_EDITS)
    }

    pub fn tick(&mut self, time_ns: i64, inbox: Inbox) -> Ticked {
        let mut seen = Ticked::default();
        let mut input = TickInput { time_ns, stop: inbox.stop, ..TickInput::default() };
        for request in inbox.requests {
            self.take(request, inbox.stops, &mut input, &mut seen);
        }
        let edits = input.edits.len();
        self.marks_dirty |= !input.commands.is_empty() || edits > 0;
        let mut told = self.site.tick(&mut self.engine, &mut input);
        self.warnings.append(&mut told.warnings);
        // A robot that has fallen is stopped, once; whoever is there decides what then.
        for text in self.warnings.drain(..).chain(told.failed) {
            seen.happened(note(time_ns, NoteKind::Warning, &text));
        }
        for (id, answer) in told.done {
            self.finding.retain(|known| *known != id);
            if let JobAnswer::Behavior(found) = answer {
                seen.found.push((id, found));
            }
        }
        input.sights.iter().filter(|sight| sight.cloud.is_some()).for_each(|sight| seen.saw(sight));
        self.version = self.version.wrapping_add(edits as u32);
        let output = self.engine.output();
        // A stop lifts a pause, though no command says so.
        self.marks_dirty |= output.hold.is_some();
        seen.answers.extend(output.answers.iter().cloned());
        self.look(time_ns, &mut seen);
        seen.felt = self.feeling.ticked(&input, self.engine.body().map(|body| body.state()));
        seen
    }

    fn take(&mut self, request: Request, stops: u64, input: &mut TickInput, seen: &mut Ticked) {
        match request {
            Request::Edit(batch) => input.edits.push(batch),
            Request::Command { command, stops: at } if at < stops && command.what != Control::Stop => {
                let refused = Some("a stop came after it was given".to_owned());
                seen.answers.push(engine::Answer { id: command.id, refused });
            }
            Request::Command { command, .. } => input.commands.push(command),
            Request::Open { number, library, beside, world } => {
                let files = lying(beside.as_deref());
                let opened = match world {
                    None => self.open_beside(*library, files, input, seen),
                    Some(world) => self.open_in(Some(&world), (*library, files), input, seen),
                };
                seen.opened.push((number, opened));
            }
            Request::ResetWorld { id, world } => {
                let refused = self.reset_world(world.as_deref(), input, seen).err();
                seen.answers.push(engine::Answer { id, refused });
            }
            Request::Find { id, finding } => {
                self.finding.push(id);
                self.site.do_beside(id, Job::Finding(finding));
            }
            Request::WatchBody(hz) => self.feeling.watched(hz),
            Request::OpenEyes => {
                self.watched = true;
                if let Err(why) = self.site.open_eyes() {
                    seen.happened(note(input.time_ns, NoteKind::Warning, &format!("no pictures: {why}")));
                }
            }
        }
    }

    /// The same tree with the same marks, in surroundings in which nothing has happened yet.
    fn reset_world(&mut self, world: Option<&str>, input: &mut TickInput, seen: &mut Ticked) -> Result<(), String> {
        let marks = self.marks();
        self.open_in(world, (self.engine.library().clone(), self.site.files()), input, seen)?;
        // Nobody waits for the answers.
        input.commands.extend(marks.controls().into_iter().map(|what| Command { id: 0, what }));
        Ok(())
    }

    /// In other surroundings, or in those of before as they began. Where that fails, all stays as it is.
    fn open_in(
        &mut self,
        world: Option<&str>,
        (library, files): (Library, Rc<dyn Files>),
        input: &mut TickInput,
        seen: &mut Ticked,
    ) -> Result<(), String> {
        let Some(make_site) = &mut self.make_site else { return Err("this world cannot begin anew".to_owned()) };
        let mut site = make_site(world)?;
        if self.watched {
            site.open_eyes()?;
        }
        let before = std::mem::replace(&mut self.site, site);
        if let Err(why) = self.open_beside(library, files, input, seen) {
            self.site = before;
            return Err(why);
        }
        // Whoever did it is gone with what was around before.
        let given_up = || Err("the world began anew while it was looked for: ask again".to_owned());
        seen.found.extend(std::mem::take(&mut self.finding).into_iter().map(|id| (id, given_up())));
        self.world = self.world.wrapping_add(1);
        seen.world_anew = true;
        self.outlines_told = false;
        Ok(())
    }

    /// What was asked of the tree before is of no use to the new one.
    fn open_beside(
        &mut self,
        library: Library,
        files: Rc<dyn Files>,
        input: &mut TickInput,
        seen: &mut Ticked,
    ) -> Result<(), String> {
        if !self.is_at_rest() {
            return Err("something runs: stop it first".to_owned());
        }
        self.engines += 1;
        let options = open_with(&mut self.site, &library, files, &mut self.warnings)?;
        self.site.expect_detectors(&library);
        let options = Options { numbered_from: self.engines << 40, ..options };
        self.engine = Engine::new(library, Arc::clone(&self.registry), &options);
        self.begun = options;
        self.show(input.time_ns);
        for command in input.commands.drain(..) {
            let refused = Some("another behavior was opened".to_owned());
            seen.answers.push(engine::Answer { id: command.id, refused });
        }
        input.edits.clear();
        self.viewer = Viewer::default();
        self.viewer.all_variables(&self.engine);
        (self.beginnings, self.version) = (0, 0);
        (self.dirty, self.marks_dirty) = (true, true);
        seen.happened(Happening { at_ms: to_ms(input.time_ns), what: What::Anew });
        Ok(())
    }

    fn look(&mut self, time_ns: i64, seen: &mut Ticked) {
        if self.engine.beginnings() != self.beginnings {
            self.beginnings = self.engine.beginnings();
            seen.happened(Happening { at_ms: to_ms(time_ns), what: What::Anew });
        }
        self.dirty |= self.viewer.take_recording(&mut self.engine, seen);
        self.look_at_state(time_ns, seen);
        self.look_around(time_ns, seen);
        if std::mem::take(&mut self.marks_dirty) {
            self.dirty = true;
            seen.marks = Some(self.marks());
        }
        let runs = self.engine.is_active();
        if (self.dirty || runs) && time_ns - self.details_ns >= DETAILS_NS {
            self.details_ns = time_ns;
            self.dirty = false;
            seen.details = Some(self.viewer.details(&self.engine));
            seen.variables = self.viewer.take_variables().into_iter().map(|each| (Detail::key(&each), each)).collect();
        }
    }

    fn look_around(&mut self, time_ns: i64, seen: &mut Ticked) {
        // Whatever happened or not: what a hand carries and what a camera follows moves without being told, and an
        // object that a step set up is known a tick later.
        if time_ns - self.objects_ns >= DETAILS_NS {
            self.objects_ns = time_ns;
            seen.things.objects = self.engine.body().map(around::objects);
        }
        if time_ns - self.detections_ns >= DETECTIONS_NS {
            self.detections_ns = time_ns;
            seen.things.detections = Some(around::detections(&self.engine));
        }
        if time_ns - self.solids_ns >= SOLIDS_NS {
            self.solids_ns = time_ns;
            let solids = around::solids(&self.site.solids(), self.world);
            seen.things.solids = (!solids.is_empty()).then_some(solids);
        }
        if !std::mem::replace(&mut self.outlines_told, true) {
            let world = self.world;
            seen.things.outlines = self.engine.body().map(|body| around::outlines(body.ground(), world));
        }
    }

    fn look_at_state(&mut self, time_ns: i64, seen: &mut Ticked) {
        if time_ns - self.state_ns < STATE_NS && !seen.is_urgent() {
            return;
        }
        let state = self.viewer.state(&self.engine, self.version);
        let is_same = self.state.as_ref().is_some_and(|told| told.is_like(&state));
        if !is_same || time_ns - self.state_ns >= SAME_STATE_NS || seen.is_urgent() {
            self.state_ns = time_ns;
            self.state = Some(state.clone());
            seen.state = Some(state);
        }
    }

    fn marks(&self) -> Marks {
        let (locks, breakpoints) = self.engine.marks();
        Marks {
            autonomy: self.engine.autonomy(),
            concurrency: self.engine.concurrency(),
            paused: self.engine.is_paused(),
            locks,
            breakpoints,
        }
    }

    /// Nothing outside goes on while it is late.
    pub fn can_wait(&self) -> bool {
        self.site.clock() == Clock::Given
    }

    pub fn is_at_rest(&self) -> bool {
        !self.engine.root().automatic && !self.engine.is_active()
    }
}

fn open_at(
    site: &mut Site,
    library: &Library,
    beside: Option<&Beside>,
    warnings: &mut Vec<String>,
) -> Result<Options, String> {
    open_with(site, library, lying(beside), warnings)
}

fn lying(beside: Option<&Beside>) -> Rc<dyn Files> {
    match beside {
        Some(beside) => Rc::new(beside.clone()),
        None => Rc::new(Disk),
    }
}

fn open_with(
    site: &mut Site,
    library: &Library,
    files: Rc<dyn Files>,
    warnings: &mut Vec<String>,
) -> Result<Options, String> {
    let opened = site.open(library, &Setup::default(), files).map_err(|error| error.to_string())?;
    warnings.extend(opened.problems);
    Ok(Options { attended: true, ..opened.options })
}

pub(crate) fn to_ms(time_ns: i64) -> u64 {
    (time_ns.max(0) / 1_000_000) as u64
}

pub(crate) fn note(time_ns: i64, kind: NoteKind, text: &str) -> Happening {
    Happening { at_ms: to_ms(time_ns), what: What::Note { kind, step: None, text: text.into() } }
}
