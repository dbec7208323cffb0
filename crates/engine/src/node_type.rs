use std::sync::Arc;

use model::{Fields, Foreign, NodeInfo, Role};
use robot::{Preview, Robot};
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::bind::Binder;
use crate::body::Body;
use crate::children::Children;
use crate::context::Context;
use crate::record::Measured;
use crate::rework::Mirror;
use crate::{Halt, Tick};

/// What every setting type gives: reading, writing, a schema, defaults.
pub trait Settings: Serialize + DeserializeOwned + JsonSchema + Default + Clone + Send + 'static {}
impl<T: Serialize + DeserializeOwned + JsonSchema + Default + Clone + Send + 'static> Settings for T {}

/// What a running instance remembers.
pub trait State: Serialize + DeserializeOwned + Default + Clone + Send + 'static {}
impl<T: Serialize + DeserializeOwned + Default + Clone + Send + 'static> State for T {}

/// A type of step without children. It has no fields: settings are authored, memory is its state.
pub trait StepType: 'static {
    const NAME: &'static str;
    /// Where the palette shows it.
    const GROUP: &'static str;
    const DOC: &'static str;
    const FOREIGN: &'static [Foreign] = &[];
    /// The state outlives the step's end, until a new run.
    const KEEPS_STATE: bool = false;
    /// Always ends in the tick it starts in: a loop of such steps alone passes no time.
    const INSTANT: bool = false;
    /// Can fail although its settings are complete and its expressions have values.
    const MAY_FAIL: bool = true;
    /// It uses what cameras see: they take pictures as soon as one of its kind is in the tree.
    const SEES: bool = false;
    type Settings: Settings;
    type State: State;

    /// Names every expression, variable, token and reference of the settings.
    fn bind(_settings: &mut Self::Settings, _binder: &mut Binder<'_>) {}

    /// Joints, parts of the body and tokens it needs for itself while it runs.
    fn claims(_settings: &Self::Settings) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// What of the settings this robot cannot do, known before anything runs: the field, and the sentence.
    fn check(_settings: &Self::Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The detectors that it names: where a robot has none of that name, it would do nothing or wait in vain.
    fn detectors(_settings: &Self::Settings) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// What it would do from where the body is now, without moving it. None: it moves no body.
    fn preview(_settings: &Self::Settings, _body: &Body) -> Option<Result<Preview, String>> {
        None
    }

    /// What it would ask of the scene from where everything is now, with nominal poses; nothing if it asks nothing.
    fn nominal(_settings: &Self::Settings, _body: &Body) -> Result<Vec<SceneUpdate>, String> {
        Ok(Vec::new())
    }

    /// The value that it judges, as it is now: shown while authoring. None: it judges no value.
    fn measure(_settings: &Self::Settings, _body: &Body) -> Option<Result<Measured, String>> {
        None
    }

    /// Makes of the settings what they are on the other side. What has no sides stays as it is.
    fn mirror(_settings: &mut Self::Settings, _mirror: &Mirror<'_>) -> Result<(), String> {
        Ok(())
    }

    /// Takes over where the robot is now: the pose of its hand, the angles of its joints.
    fn set_to_robot(_settings: &mut Self::Settings, _body: &Body) -> Result<(), String> {
        Err("it has no pose and no angles to set".to_owned())
    }

    /// Gives its poses in another frame, so that they stay where they are now.
    fn change_frame(_settings: &mut Self::Settings, _to: &str, _body: &Body) -> Result<(), String> {
        Err("it has no pose in a frame".to_owned())
    }

    /// How long it takes if nothing goes wrong, where that is known.
    fn expected_s(_settings: &Self::Settings) -> Option<f64> {
        None
    }

    fn tick(settings: &Self::Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick;

    /// Called when it is to halt, then every tick until it is done.
    fn halt(_settings: &Self::Settings, _state: &mut Self::State, _context: &mut Context<'_>) -> Halt {
        Halt::Done
    }
}

/// How the children of a composite become tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// All children in one track.
    Together,
    /// A track for each child.
    Each,
    /// The children are not its own; it calls another node.
    Call,
}

/// A type of step that owns child tracks.
pub trait CompositeType: 'static {
    const NAME: &'static str;
    const GROUP: &'static str;
    const DOC: &'static str;
    const FOREIGN: &'static [Foreign] = &[];
    const BRANCHING: Branching;
    type Settings: Settings;
    type State: State;

    fn bind(_settings: &mut Self::Settings, _binder: &mut Binder<'_>) {}

    /// Ticks the branches it runs. When it ends, what still runs in them is halted.
    fn tick(settings: &Self::Settings, state: &mut Self::State, children: &mut Children<'_>) -> Tick;
}

/// A type that organises and is flattened away; the engine knows what its role means.
pub trait OrganiserType: 'static {
    const NAME: &'static str;
    const DOC: &'static str;
    const ROLE: Role;
    const FOREIGN: &'static [Foreign] = &[];
    type Settings: Settings;
}

pub(crate) trait AnyStep: Send {
    fn reset(&mut self);
    /// A new run: kept state goes too.
    fn forget(&mut self);
    /// Takes over the kept state of the body whose settings were edited.
    fn inherit(&mut self, old: &dyn AnyStep);
    fn tick(&mut self, context: &mut Context<'_>) -> Tick;
    /// Its first tick.
    fn start(&mut self, context: &mut Context<'_>) -> Tick;
    fn halt(&mut self, context: &mut Context<'_>) -> Halt;
    fn keeps_state(&self) -> bool;
    fn state(&self) -> Json;
    fn expected_s(&self) -> Option<f64>;
}

pub(crate) trait AnyComposite: Send {
    fn reset(&mut self);
    fn tick(&mut self, children: &mut Children<'_>) -> Tick;
    fn state(&self) -> Json;
}

struct StepOf<T: StepType> {
    settings: T::Settings,
    state: T::State,
}

impl<T: StepType> AnyStep for StepOf<T> {
    fn reset(&mut self) {
        if !T::KEEPS_STATE {
            self.state = T::State::default();
        }
    }

    fn forget(&mut self) {
        if T::KEEPS_STATE {
            self.state = T::State::default();
        }
    }

    fn inherit(&mut self, old: &dyn AnyStep) {
        if T::KEEPS_STATE
            && let Ok(state) = serde_json::from_value(old.state())
        {
            self.state = state;
        }
    }

    fn tick(&mut self, context: &mut Context<'_>) -> Tick {
        T::tick(&self.settings, &mut self.state, context)
    }

    fn start(&mut self, context: &mut Context<'_>) -> Tick {
        self.reset();
        self.tick(context)
    }

    fn keeps_state(&self) -> bool {
        T::KEEPS_STATE
    }

    fn halt(&mut self, context: &mut Context<'_>) -> Halt {
        T::halt(&self.settings, &mut self.state, context)
    }

    fn state(&self) -> Json {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn expected_s(&self) -> Option<f64> {
        T::expected_s(&self.settings)
    }
}

struct CompositeOf<T: CompositeType> {
    settings: T::Settings,
    state: T::State,
}

impl<T: CompositeType> AnyComposite for CompositeOf<T> {
    fn reset(&mut self) {
        self.state = T::State::default();
    }

    fn tick(&mut self, children: &mut Children<'_>) -> Tick {
        T::tick(&self.settings, &mut self.state, children)
    }

    fn state(&self) -> Json {
        serde_json::to_value(&self.state).unwrap_or_default()
    }
}

/// What a node becomes when a track is built.
pub(crate) enum Made {
    Step { step: Box<dyn AnyStep>, claims: Vec<Arc<str>> },
    Composite { composite: Box<dyn AnyComposite>, branching: Branching },
}

type Make = fn(&Fields, &NodeInfo, &mut Binder<'_>) -> Result<Made, String>;

/// One line of the list of node types.
pub struct Entry {
    pub info: NodeInfo,
    pub(crate) make: Option<Make>,
    /// Always ends in the tick it starts in; a composite or organiser does if what it holds does.
    pub instant: bool,
    /// Can fail by itself, guards and limits aside; a composite or organiser can if what it holds can.
    pub may_fail: bool,
    /// It uses what cameras see.
    pub sees: bool,
    pub branching: Option<Branching>,
    pub(crate) author: Option<Author>,
}

/// What an author may do with the settings of a step type.
#[derive(Clone, Copy)]
pub(crate) struct Author {
    pub check: fn(&Fields, &NodeInfo, &Robot) -> Vec<(&'static str, String)>,
    pub detectors: fn(&Fields, &NodeInfo) -> Vec<Arc<str>>,
    pub settings: fn(&Fields, &NodeInfo) -> Result<Json, String>,
    pub preview: fn(&Fields, &NodeInfo, &Body) -> Result<Option<Preview>, String>,
    pub nominal: fn(&Fields, &NodeInfo, &Body) -> Result<Vec<SceneUpdate>, String>,
    pub measure: fn(&Fields, &NodeInfo, &Body) -> Result<Option<Measured>, String>,
    pub rework: fn(&Fields, &NodeInfo, &Rework<'_>) -> Result<Json, String>,
}

/// One of the things an author does to the settings of a step beside writing them.
#[derive(Clone, Copy, Debug)]
pub enum Rework<'a> {
    Mirror(Mirror<'a>),
    SetToRobot(&'a Body),
    ChangeFrame { to: &'a str, body: &'a Body },
}

fn author<T: StepType>() -> Author {
    Author {
        // What cannot be read is told by others.
        check: |fields, info, robot| {
            read(fields, info).map_or_else(|_| Vec::new(), |settings| T::check(&settings, robot))
        },
        detectors: |fields, info| read(fields, info).map_or_else(|_| Vec::new(), |settings| T::detectors(&settings)),
        settings: |fields, info| {
            let settings: T::Settings = read(fields, info)?;
            serde_json::to_value(&settings).map_err(|error| error.to_string())
        },
        preview: |fields, info, body| T::preview(&read(fields, info)?, body).transpose(),
        nominal: |fields, info, body| T::nominal(&read(fields, info)?, body),
        measure: |fields, info, body| T::measure(&read(fields, info)?, body).transpose(),
        rework: |fields, info, rework| {
            let mut settings: T::Settings = read(fields, info)?;
            match rework {
                Rework::Mirror(mirror) => T::mirror(&mut settings, mirror),
                Rework::SetToRobot(body) => T::set_to_robot(&mut settings, body),
                Rework::ChangeFrame { to, body } => T::change_frame(&mut settings, to, body),
            }?;
            serde_json::to_value(&settings).map_err(|error| error.to_string())
        },
    }
}

fn read<T: DeserializeOwned>(fields: &Fields, info: &NodeInfo) -> Result<T, String> {
    fields.read(|key| info.field(key).is_some()).map_err(|error| error.to_string())
}

/// The entry of a step type.
pub fn step<T: StepType>() -> Entry {
    let make: Make = |fields, info, binder| {
        let mut settings: T::Settings = read(fields, info)?;
        T::bind(&mut settings, binder);
        let claims = T::claims(&settings);
        Ok(Made::Step { step: Box::new(StepOf::<T> { settings, state: T::State::default() }), claims })
    };
    let info = NodeInfo::of::<T::Settings>(T::NAME, Role::Step, T::GROUP, T::DOC, T::FOREIGN);
    Entry {
        info,
        make: Some(make),
        instant: T::INSTANT,
        may_fail: T::MAY_FAIL,
        sees: T::SEES,
        branching: None,
        author: Some(author::<T>()),
    }
}

/// The entry of a composite type.
pub fn composite<T: CompositeType>() -> Entry {
    let make: Make = |fields, info, binder| {
        let mut settings: T::Settings = read(fields, info)?;
        T::bind(&mut settings, binder);
        let composite = Box::new(CompositeOf::<T> { settings, state: T::State::default() });
        Ok(Made::Composite { composite, branching: T::BRANCHING })
    };
    let info = NodeInfo::of::<T::Settings>(T::NAME, Role::Composite, T::GROUP, T::DOC, T::FOREIGN);
    let branching = Some(T::BRANCHING);
    Entry { info, make: Some(make), instant: true, may_fail: true, sees: false, branching, author: None }
}

/// The entry of an organising type.
pub fn organiser<T: OrganiserType>() -> Entry {
    let info = NodeInfo::of::<T::Settings>(T::NAME, T::ROLE, "organise", T::DOC, T::FOREIGN);
    Entry { info, make: None, instant: true, may_fail: true, sees: false, branching: None, author: None }
}

/// Every node type there is.
pub struct Registry {
    catalogue: model::Catalogue,
    entries: Vec<Entry>,
}

impl Registry {
    pub fn new(entries: Vec<Entry>) -> Registry {
        let catalogue = model::Catalogue::new(entries.iter().map(|entry| entry.info.clone()).collect());
        Registry { catalogue, entries }
    }

    pub fn catalogue(&self) -> &model::Catalogue {
        &self.catalogue
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.catalogue.index_of(name).map(|index| &self.entries[index])
    }

    /// What a node would do from where the body is now. None: it moves no body.
    pub fn preview(&self, node: &model::Node, body: &Body) -> Result<Option<Preview>, String> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.preview)(&node.fields, info, body),
            _ => Ok(None),
        }
    }

    /// What a node would ask of the scene from where everything is now, with nominal poses.
    pub fn nominal(&self, node: &model::Node, body: &Body) -> Result<Vec<SceneUpdate>, String> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.nominal)(&node.fields, info, body),
            _ => Ok(Vec::new()),
        }
    }

    /// The value that a node judges, as it is now. None: it judges no value.
    pub fn measure(&self, node: &model::Node, body: &Body) -> Result<Option<Measured>, String> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.measure)(&node.fields, info, body),
            _ => Ok(None),
        }
    }

    /// What of a node's settings this robot cannot do: the field, and the sentence.
    pub fn check(&self, node: &model::Node, robot: &Robot) -> Vec<(&'static str, String)> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.check)(&node.fields, info, robot),
            _ => Vec::new(),
        }
    }

    /// The detectors that a node names.
    pub fn detectors(&self, node: &model::Node) -> Vec<Arc<str>> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.detectors)(&node.fields, info),
            _ => Vec::new(),
        }
    }

    /// The settings of a node as its type reads them, all of them; none where it has no settings of a step.
    pub fn settings(&self, node: &model::Node) -> Result<Option<Json>, String> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.settings)(&node.fields, info).map(Some),
            _ => Ok(None),
        }
    }

    /// The settings of a node after a rework, all of them; none where its type has nothing to rework.
    pub fn rework(&self, node: &model::Node, rework: &Rework<'_>) -> Result<Option<Json>, String> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.rework)(&node.fields, info, rework).map(Some),
            _ => Ok(None),
        }
    }

    /// Makes a node's settings bind, for a checker; gives what is wrong with reading them.
    pub fn bind(&self, node: &model::Node, binder: &mut Binder<'_>) -> Result<Vec<Arc<str>>, String> {
        let Some(Entry { info, make: Some(make), .. }) = self.get(&node.kind) else {
            return Ok(Vec::new());
        };
        Ok(match make(&node.fields, info, binder)? {
            Made::Step { claims, .. } => claims,
            Made::Composite { .. } => Vec::new(),
        })
    }
}
