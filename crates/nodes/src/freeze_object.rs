use engine::{Body, Cannot, Context, StepType, Tick};
use model::Foreign;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, known};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct FreezeObject;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// Freezes it; otherwise it follows what is seen again.
    pub freeze: bool,
    /// How long it waits for the object to be there.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub search_s: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { object: String::new(), freeze: true, search_s: 5.0 }
    }
}

impl StepType for FreezeObject {
    const NAME: &'static str = "freeze_object";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Keeps an object where it is, whatever is seen. Freeze it before a hand covers it: what \
                               covers a part of an object moves where it seems to be. Setting it up again lets it go.";
    const ICON: Option<&'static str> = Some("snowflake");
    const WORDS: &'static [&'static str] = &["keep", "fix", "hold still"];
    const FOREIGN: &'static [Foreign] = thesis::FREEZE_OBJECT;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        settings.update(body).map(|update| vec![update]).ok_or_else(|| settings.missing(body).into())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| {
            let found = |context: &Context<'_>| Ok(settings.update(context.body()?));
            scene_action::wait_for(context, settings.search_s, found, |body| settings.missing(body))
        })
    }
}

impl Settings {
    /// None: it is not there yet. A composite may be defined and still be nowhere.
    fn update(&self, body: &Body) -> Option<SceneUpdate> {
        body.scene().object(&self.object)?.world_from_object?;
        Some(SceneUpdate::Freeze { name: self.object.as_str().into(), on: self.freeze })
    }

    fn missing(&self, body: &Body) -> WhyNot {
        WhyNot::NoObject { object: self.object.clone(), what: "freeze", known: known(body) }
    }
}
