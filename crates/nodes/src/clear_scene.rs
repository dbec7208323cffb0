use engine::{Body, Cannot, Context, StepType, Tick};
use model::Foreign;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked};
use crate::thesis;

pub struct ClearScene;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {}

impl StepType for ClearScene {
    const NAME: &'static str = "clear_scene";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Takes all objects out of the scene. What is seen goes on being followed.";
    const ICON: Option<&'static str> = Some("trash-2");
    const WORDS: &'static [&'static str] = &["forget", "reset", "remove"];
    const FOREIGN: &'static [Foreign] = thesis::CLEAR_SCENE;
    const MAY_FAIL: bool = false;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn nominal(_settings: &Settings, _body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![SceneUpdate::Clear])
    }

    fn tick(_settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |_| Ok(Asked::Now(vec![SceneUpdate::Clear])))
    }
}
