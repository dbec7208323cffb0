use std::any::Any;
use std::sync::Arc;

use geometry::Pose;
use model::{Declared, EndAs, Fields, Foreign, Handle, Needs, NodeInfo, Offer, Role};
use robot::{Preview, Robot, Side};
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::bind::Binder;
use super::context::Context;
use super::declared::{Fails, Finding, Flow, Runs, Within};
use super::dry::Dry;
use crate::door::Measured;
use crate::run::Children;
use crate::settings::Mirror;
use crate::world::Body;
use crate::{Cannot, Halt, Tick};

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
    /// Also done in a dry run: it concerns nothing but variables, tokens and the tree itself.
    const RUNS_DRY: bool = Self::INSTANT;
    /// Can fail although its settings are complete and its expressions have values.
    const MAY_FAIL: bool = true;
    /// It uses what cameras see: they take pictures as soon as one of its kind is in the tree.
    const SEES: bool = false;
    /// It waits for what a robot sends: only the environment of one does.
    const HEARS: bool = false;
    /// It judges what only a real run has: touch, pictures, signals. How it ends in a preview may be authored.
    const SENSES: bool = false;
    /// By its name among those of Lucide; none: that of its group.
    const ICON: Option<&'static str> = None;
    /// Other words by which people look for it.
    const WORDS: &'static [&'static str] = &[];
    /// Settings without which it cannot do its work.
    const NEEDS: &'static [Needs] = &[];
    /// Poses among its settings that people drag in space.
    const HANDLES: &'static [Handle] = &[];
    /// What people make of it by pointing into space.
    const OFFERS: &'static [Offer] = &[];
    /// Settings that are conditions: a constant that is neither true nor false is a mistake there.
    const CONDITIONS: &'static [&'static str] = &[];
    /// The setting with the node it makes next, where it jumps.
    const JUMPS_TO: Option<&'static str> = None;
    /// Its outcomes are what people answer.
    const ASKS: bool = false;
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

    /// What else is wrong with the settings, whatever the robot.
    fn findings(_settings: &Self::Settings) -> Vec<Finding> {
        Vec::new()
    }

    /// What is certain of its end, guards and limits aside.
    fn flow(_settings: &Self::Settings) -> Flow {
        let fails = if Self::MAY_FAIL { Fails::Maybe } else { Fails::Never };
        Flow { fails, never_ends: false, instant: Self::INSTANT }
    }

    /// Every named outcome that it may end with by itself. None: nobody can tell.
    fn outcomes(_settings: &Self::Settings) -> Option<Vec<String>> {
        None
    }

    /// The token that its track has for itself from then on.
    fn reserves(_settings: &Self::Settings) -> Option<Arc<str>> {
        None
    }

    /// The token that it gives back.
    fn relinquishes(_settings: &Self::Settings) -> Option<Arc<str>> {
        None
    }

    /// The detectors that it names: where a robot has none of that name, it would do nothing or wait in vain.
    fn detectors(_settings: &Self::Settings) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// What it would do from where the body is now, without moving it. None: it moves no body.
    fn preview(_settings: &Self::Settings, _body: &Body) -> Option<Result<Preview, Cannot>> {
        None
    }

    /// What it would ask of the scene from where everything is now, with nominal poses; nothing if it asks nothing.
    fn nominal(_settings: &Self::Settings, _body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(Vec::new())
    }

    /// The value that it judges, as it is now: shown while authoring. None: it judges no value.
    fn measure(_settings: &Self::Settings, _body: &Body) -> Option<Result<Measured, Cannot>> {
        None
    }

    /// Makes of the settings what they are on the other side. What has no sides stays as it is.
    fn mirror(_settings: &mut Self::Settings, _mirror: &Mirror<'_>) -> Result<(), Cannot> {
        Ok(())
    }

    /// Takes over where the robot is now: the pose of its hand, the angles of its joints.
    fn set_to_robot(_settings: &mut Self::Settings, _body: &Body) -> Result<(), Cannot> {
        Err(Cannot::NothingToSet)
    }

    /// What a new one begins with: where the robot is now, for what has a pose or angles.
    fn begin(settings: &mut Self::Settings, body: &Body) -> Result<(), Cannot> {
        Self::set_to_robot(settings, body)
    }

    /// Goes by these steps of the feet, each with the pose of its sole in the world, in place of what it would plan.
    fn take_steps(_settings: &mut Self::Settings, _steps: &[(Side, Pose)], _body: &Body) -> Result<(), Cannot> {
        Err(Cannot::NoSteps)
    }

    /// Gives its poses in another frame, so that they stay where they are now.
    fn change_frame(_settings: &mut Self::Settings, _to: &str, _body: &Body) -> Result<(), Cannot> {
        Err(Cannot::NoPoseInFrame)
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
    const ICON: Option<&'static str> = None;
    const WORDS: &'static [&'static str] = &[];
    const NEEDS: &'static [Needs] = &[];
    const CONDITIONS: &'static [&'static str] = &[];
    const RUNS: Runs = Runs::Some;
    type Settings: Settings;
    type State: State;

    /// What is certain of its end, guards and limits aside.
    fn flow(_settings: &Self::Settings, _within: &Within<'_>) -> Flow {
        Flow::UNKNOWN
    }

    fn findings(_settings: &Self::Settings, _within: &Within<'_>) -> Vec<Finding> {
        Vec::new()
    }

    fn bind(_settings: &mut Self::Settings, _binder: &mut Binder<'_>) {}

    /// Ticks the branches it runs. When it ends, what still runs in them is halted.
    fn tick(settings: &Self::Settings, state: &mut Self::State, children: &mut Children<'_>) -> Tick;
}

/// A type that organises and is flattened away; the engine knows what its role means.
pub trait OrganiserType: 'static {
    const NAME: &'static str;
    const DOC: &'static str;
    const ROLE: Role;
    const ICON: Option<&'static str> = None;
    const WORDS: &'static [&'static str] = &[];
    const FOREIGN: &'static [Foreign] = &[];
    /// The composite around it asks for its settings.
    const IS_ASKED: bool = false;
    const CONDITIONS: &'static [&'static str] = &[];
    type Settings: Settings;

    /// Names every expression, variable and reference of the settings, for the composite around it.
    fn bind(_settings: &mut Self::Settings, _binder: &mut Binder<'_>) {}
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

pub(super) struct StepOf<T: StepType> {
    settings: T::Settings,
    state: T::State,
}

impl<T: StepType> StepOf<T> {
    pub fn flow(&self) -> Flow {
        T::flow(&self.settings)
    }
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

/// A step of a preview whose end is authored.
pub(crate) struct Authored(pub EndAs);

impl AnyStep for Authored {
    fn reset(&mut self) {}

    fn forget(&mut self) {}

    fn inherit(&mut self, _old: &dyn AnyStep) {}

    fn tick(&mut self, _context: &mut Context<'_>) -> Tick {
        match self.0 {
            EndAs::Success => Tick::SUCCESS,
            EndAs::Failure => Tick::failure("authored for previews"),
        }
    }

    fn start(&mut self, context: &mut Context<'_>) -> Tick {
        self.tick(context)
    }

    fn keeps_state(&self) -> bool {
        false
    }

    fn halt(&mut self, _context: &mut Context<'_>) -> Halt {
        Halt::Done
    }

    fn state(&self) -> Json {
        Json::Null
    }

    fn expected_s(&self) -> Option<f64> {
        None
    }
}

/// What a node becomes when a track is built.
pub(crate) enum Made {
    Step { step: Box<dyn AnyStep>, claims: Vec<Arc<str>> },
    Composite { composite: Box<dyn AnyComposite>, branching: Branching },
}

/// The settings of an organiser, for the composite around it.
pub(crate) type AskedSettings = Box<dyn Any + Send>;
type Ask = fn(&Fields, &NodeInfo, &mut Binder<'_>) -> Result<AskedSettings, Cannot>;
type Make = fn(&Fields, &NodeInfo, &mut Binder<'_>) -> Result<Made, Cannot>;

/// One line of the list of node types.
pub struct Entry {
    pub info: NodeInfo,
    pub(crate) make: Option<Make>,
    /// For a dry run.
    pub(crate) make_dry: Option<Make>,
    /// It uses what cameras see.
    pub sees: bool,
    /// It waits for what a robot sends.
    pub hears: bool,
    pub branching: Option<Branching>,
    /// Which children a composite runs.
    pub runs: Option<Runs>,
    pub conditions: &'static [&'static str],
    pub jumps_to: Option<&'static str>,
    pub asks: bool,
    pub(crate) author: Option<Author>,
    pub(crate) composed: Option<Composed>,
    /// Of an organiser whose settings the composite around it asks for.
    pub(crate) ask: Option<Ask>,
}

/// What a checker asks of a composite type.
#[derive(Clone, Copy)]
pub(crate) struct Composed {
    pub flow: fn(&Fields, &NodeInfo, &Within<'_>) -> Flow,
    pub findings: fn(&Fields, &NodeInfo, &Within<'_>) -> Vec<Finding>,
}

/// What an author may do with the settings of a step type.
#[derive(Clone, Copy)]
pub(crate) struct Author {
    pub check: fn(&Fields, &NodeInfo, &Robot) -> Vec<(&'static str, String)>,
    pub findings: fn(&Fields, &NodeInfo) -> Vec<Finding>,
    pub flow: fn(&Fields, &NodeInfo) -> Flow,
    pub claims: fn(&Fields, &NodeInfo) -> Vec<Arc<str>>,
    pub outcomes: fn(&Fields, &NodeInfo) -> Option<Vec<String>>,
    pub reserves: fn(&Fields, &NodeInfo) -> Option<Arc<str>>,
    pub relinquishes: fn(&Fields, &NodeInfo) -> Option<Arc<str>>,
    pub detectors: fn(&Fields, &NodeInfo) -> Vec<Arc<str>>,
    pub settings: fn(&Fields, &NodeInfo) -> Result<Json, Cannot>,
    pub preview: fn(&Fields, &NodeInfo, &Body) -> Result<Option<Preview>, Cannot>,
    pub nominal: fn(&Fields, &NodeInfo, &Body) -> Result<Vec<SceneUpdate>, Cannot>,
    pub measure: fn(&Fields, &NodeInfo, &Body) -> Result<Option<Measured>, Cannot>,
    pub rework: fn(&Fields, &NodeInfo, &Rework<'_>) -> Result<Json, Cannot>,
}

/// One of the things an author does to the settings of a step beside writing them.
#[derive(Clone, Copy, Debug)]
pub enum Rework<'a> {
    Mirror(Mirror<'a>),
    SetToRobot(&'a Body),
    Begin(&'a Body),
    ChangeFrame {
        to: &'a str,
        body: &'a Body,
    },
    /// The sole of each step, in the world.
    TakeSteps {
        steps: &'a [(Side, Pose)],
        body: &'a Body,
    },
}

fn author<T: StepType>() -> Author {
    Author {
        // What cannot be read is told by others.
        check: |fields, info, robot| {
            read(fields, info).map_or_else(|_| Vec::new(), |settings| T::check(&settings, robot))
        },
        findings: |fields, info| read(fields, info).map_or_else(|_| Vec::new(), |settings| T::findings(&settings)),
        flow: |fields, info| read(fields, info).map_or(Flow::UNKNOWN, |settings| T::flow(&settings)),
        claims: |fields, info| read(fields, info).map_or_else(|_| Vec::new(), |settings| T::claims(&settings)),
        outcomes: |fields, info| T::outcomes(&read(fields, info).ok()?),
        reserves: |fields, info| T::reserves(&read(fields, info).ok()?),
        relinquishes: |fields, info| T::relinquishes(&read(fields, info).ok()?),
        detectors: |fields, info| read(fields, info).map_or_else(|_| Vec::new(), |settings| T::detectors(&settings)),
        settings: |fields, info| {
            let settings: T::Settings = read(fields, info)?;
            Ok(serde_json::to_value(&settings)?)
        },
        preview: |fields, info, body| T::preview(&read(fields, info)?, body).transpose(),
        nominal: |fields, info, body| T::nominal(&read(fields, info)?, body),
        measure: |fields, info, body| T::measure(&read(fields, info)?, body).transpose(),
        rework: |fields, info, rework| {
            let mut settings: T::Settings = read(fields, info)?;
            match rework {
                Rework::Mirror(mirror) => T::mirror(&mut settings, mirror),
                Rework::SetToRobot(body) => T::set_to_robot(&mut settings, body),
                Rework::Begin(body) => T::begin(&mut settings, body),
                Rework::ChangeFrame { to, body } => T::change_frame(&mut settings, to, body),
                Rework::TakeSteps { steps, body } => T::take_steps(&mut settings, steps, body),
            }?;
            Ok(serde_json::to_value(&settings)?)
        },
    }
}

fn read<T: DeserializeOwned>(fields: &Fields, info: &NodeInfo) -> Result<T, Cannot> {
    Ok(fields.read(|key| info.field(key).is_some())?)
}

fn bound<T: StepType>(
    fields: &Fields,
    info: &NodeInfo,
    binder: &mut Binder<'_>,
) -> Result<(StepOf<T>, Vec<Arc<str>>), Cannot> {
    let mut settings: T::Settings = read(fields, info)?;
    T::bind(&mut settings, binder);
    let claims = T::claims(&settings);
    Ok((StepOf { settings, state: T::State::default() }, claims))
}

/// The entry of a step type.
pub fn step<T: StepType>() -> Entry {
    let make: Make = |fields, info, binder| {
        let (step, claims) = bound::<T>(fields, info, binder)?;
        Ok(Made::Step { step: Box::new(step), claims })
    };
    let make_dry: Make = |fields, info, binder| {
        let (step, claims) = bound::<T>(fields, info, binder)?;
        Ok(Made::Step { step: Box::new(Dry(step)), claims })
    };
    let declared = Declared {
        icon: T::ICON,
        words: T::WORDS,
        needs: T::NEEDS,
        handles: T::HANDLES,
        offers: T::OFFERS,
        leads_to: T::JUMPS_TO,
        calls: false,
        senses: T::SENSES,
    };
    Entry {
        info: NodeInfo::of::<T::Settings>(T::NAME, Role::Step, T::GROUP, T::DOC, T::FOREIGN).declaring(declared),
        make: Some(make),
        make_dry: Some(make_dry),
        sees: T::SEES,
        hears: T::HEARS,
        branching: None,
        runs: None,
        conditions: T::CONDITIONS,
        jumps_to: T::JUMPS_TO,
        asks: T::ASKS,
        author: Some(author::<T>()),
        composed: None,
        ask: None,
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
    let leads_to = match T::RUNS {
        Runs::Called(setting) => Some(setting),
        _ => None,
    };
    let calls = T::BRANCHING == Branching::Call;
    let declared = Declared { icon: T::ICON, words: T::WORDS, needs: T::NEEDS, leads_to, calls, ..Declared::default() };
    let composed = Composed {
        // What cannot be read is told by others.
        flow: |fields, info, within| read(fields, info).map_or(Flow::UNKNOWN, |settings| T::flow(&settings, within)),
        findings: |fields, info, within| {
            read(fields, info).map_or_else(|_| Vec::new(), |settings| T::findings(&settings, within))
        },
    };
    Entry {
        info: NodeInfo::of::<T::Settings>(T::NAME, Role::Composite, T::GROUP, T::DOC, T::FOREIGN).declaring(declared),
        make: Some(make),
        make_dry: Some(make),
        sees: false,
        hears: false,
        branching: Some(T::BRANCHING),
        runs: Some(T::RUNS),
        conditions: T::CONDITIONS,
        jumps_to: None,
        asks: false,
        author: None,
        composed: Some(composed),
        ask: None,
    }
}

/// The entry of an organising type.
pub fn organiser<T: OrganiserType>() -> Entry {
    let declared = Declared { icon: T::ICON, words: T::WORDS, ..Declared::default() };
    let ask: Ask = |fields, info, binder| {
        let mut settings: T::Settings = read(fields, info)?;
        T::bind(&mut settings, binder);
        Ok(Box::new(settings))
    };
    Entry {
        info: NodeInfo::of::<T::Settings>(T::NAME, T::ROLE, "organise", T::DOC, T::FOREIGN).declaring(declared),
        make: None,
        make_dry: None,
        sees: false,
        hears: false,
        branching: None,
        runs: None,
        conditions: T::CONDITIONS,
        jumps_to: None,
        asks: false,
        author: None,
        composed: None,
        ask: if T::IS_ASKED { Some(ask) } else { None },
    }
}
