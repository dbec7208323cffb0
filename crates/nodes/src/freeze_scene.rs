use engine::{Body, Cannot, Context, StepType, Tick};
use model::Foreign;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked};
use crate::thesis;

pub struct FreezeScene;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Freezes them; otherwise they follow what is seen again.
    pub freeze: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { freeze: true }
    }
}

impl StepType for FreezeScene {
    const NAME: &'static str = "freeze_scene";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Keeps every object that is there now where it is, whatever is seen.";
    const ICON: Option<&'static str> = Some("snowflake");
    const WORDS: &'static [&'static str] = &["keep", "fix", "hold still"];
    const FOREIGN: &'static [Foreign] = thesis::FREEZE_SCENE;
    const MAY_FAIL: bool = false;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn nominal(settings: &Settings, _body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![SceneUpdate::FreezeAll { on: settings.freeze }])
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |_| Ok(Asked::Now(vec![SceneUpdate::FreezeAll { on: settings.freeze }])))
    }
}
