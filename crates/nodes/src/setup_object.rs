use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use geometry::Vector3;
use model::{Foreign, Handle, Looks};
use robot::Robot;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};
use crate::region::Region;
use crate::scene_action::{self, Asked, check_name, own_frame};
use crate::scene_search::{self, place_nominal};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct SetupObject;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What it looks for, as the detector calls it.
    pub class: String,
    /// What the object is called: its frame has this name. Left out, it is called as its class.
    pub object: String,
    /// Only what this detector found; left out, any.
    pub detector: String,
    /// Of several it takes the one nearest to this frame that no other object has.
    pub nearest_to: FrameName,
    /// Only what is in all of these regions, so that nothing out of reach or already done is taken.
    pub within: Vec<Region>,
    /// How long it looks for one.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub search_s: f64,
    /// How often it must have been seen within the history.
    #[schemars(range(min = 1, max = 10000))]
    pub minimum_history: usize,
    /// Where it is in a preview, in `frame`. Without it there is none to preview with.
    pub nominal: Option<PoseSetting>,
    /// The frame of the nominal pose.
    pub frame: FrameName,
    /// How often it is found in a preview, where nothing that was taken away is gone; left out, always.
    pub nominal_times: Option<u32>,
}

/// What it remembers.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    action: scene_action::State,
    /// In a preview, since the run began.
    found: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            class: String::new(),
            object: String::new(),
            detector: String::new(),
            nearest_to: FrameName::named("head"),
            within: Vec::new(),
            search_s: 5.0,
            minimum_history: 5,
            nominal: None,
            frame: FrameName::named("walking"),
            nominal_times: None,
        }
    }
}

impl StepType for SetupObject {
    const NAME: &'static str = "setup_object";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Locks on to the nearest stable detection of a class: its frame becomes an object of the \
                               scene, which follows the detection until it is frozen. The next step can use it at once. \
                               Fails if none is found in time.";
    const ICON: Option<&'static str> = Some("crosshair");
    const WORDS: &'static [&'static str] = &["find", "detect", "look for", "see", "recognise", "search"];
    const FOREIGN: &'static [Foreign] = thesis::SETUP_OBJECT;
    const SEES: bool = true;
    const HANDLES: &'static [Handle] = &[
        Handle { title: Some("nominal"), ..Handle::pose("nominal", Looks::Point) },
        Handle { part: Some("pose"), ..Handle::pose("within", Looks::Shape) },
    ];
    type Settings = Settings;
    const KEEPS_STATE: bool = true;
    type State = State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        if settings.class.is_empty() {
            return vec![("class", "it has no class: write what to look for".to_owned())];
        }
        let field = if settings.object.is_empty() { "class" } else { "object" };
        let regions = settings.within.iter().filter_map(|region| region.shape.check().err());
        check_name(robot, field, settings.name()).into_iter().chain(regions.map(|wrong| ("within", wrong))).collect()
    }

    fn detectors(settings: &Settings) -> Vec<Arc<str>> {
        if settings.detector.is_empty() { Vec::new() } else { vec![settings.detector.as_str().into()] }
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![settings.place_nominal(body)?])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.nearest_to.mirror(mirror);
        settings.within.iter_mut().try_for_each(|region| region.mirror(mirror))?;
        scene_search::mirror(&mut settings.nominal, &mut settings.frame, mirror)
    }

    /// Takes over where the object is now.
    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        let mut pose = PoseSetting::default();
        pose.set_to_robot(&settings.frame, settings.name(), body)?;
        settings.nominal = Some(pose);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        scene_search::change_frame(&mut settings.nominal, &mut settings.frame, to, body)
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        let State { action, found } = state;
        let tick = scene_action::tick(action, context, |context| {
            if let Some(wrong) = own_frame(context.body()?.robot(), settings.name()) {
                return Err(wrong.into());
            }
            if context.is_preview() {
                if settings.nominal_times.is_some_and(|times| *found >= times) {
                    return Err(WhyNot::FoundOften { times: *found }.into());
                }
                *found += 1;
                return Ok(Asked::Now(vec![settings.place_nominal(context.body()?)?]));
            }
            let (found, missing) =
                (|context: &Context<'_>| settings.lock_on(context.body()?), |body: &Body| settings.missing(body));
            scene_action::wait_for(context, settings.search_s, found, missing)
        });
        if matches!(tick, Tick::Ended(_)) {
            *action = scene_action::State::default();
        }
        tick
    }

    fn halt(_settings: &Settings, state: &mut State, _context: &mut Context<'_>) -> Halt {
        state.action = scene_action::State::default();
        Halt::Done
    }
}

impl Settings {
    fn name(&self) -> &str {
        if self.object.is_empty() { &self.class } else { &self.object }
    }

    fn place_nominal(&self, body: &Body) -> Result<SceneUpdate, Cannot> {
        place_nominal((self.name(), Some(&self.class)), self.nominal.as_ref(), &self.frame, body)
    }

    fn lock_on(&self, body: &Body) -> Result<Option<SceneUpdate>, Cannot> {
        let asked = scene::Asked {
            name: self.name(),
            class: &self.class,
            detector: (!self.detector.is_empty()).then_some(&self.detector),
            minimum_history: self.minimum_history,
        };
        let near_m = body.world_from(&self.nearest_to.0)?.translation_m();
        let regions = self.within.iter().map(|region| region.placed(body)).collect::<Result<Vec<_>, _>>()?;
        let is_within = |world_at_m: &Vector3<f64>| regions.iter().all(|region| region.contains(world_at_m));
        let found = body.scene().nearest_of(&asked, &near_m, is_within);
        Ok(found.map(|found| SceneUpdate::SetUp { name: self.name().into(), detection: found.id }))
    }

    fn missing(&self, body: &Body) -> WhyNot {
        let (class, within_s) = (self.class.clone(), self.search_s);
        let scene = body.scene();
        if !scene.has_seen() {
            return WhyNot::NothingSeen { within_s };
        }
        let seen: Vec<_> = scene.detections().iter().filter(|each| *each.class == *class).collect();
        let other = seen.iter().find(|each| !self.detector.is_empty() && *each.detector != *self.detector);
        if let Some(other) = other {
            let (detector, other) = (self.detector.clone(), other.detector.to_string());
            return WhyNot::SeenByOther { class, detector, within_s, other };
        }
        if !seen.is_empty() {
            return WhyNot::Unstable { class, within_s, seen: seen.len(), in_regions: !self.within.is_empty() };
        }
        let mut others: Vec<String> = scene.stable().map(|each| each.class.to_string()).collect();
        others.sort_unstable();
        others.dedup();
        WhyNot::NotSeen { class, within_s, others }
    }
}
