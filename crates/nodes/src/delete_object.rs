use engine::{Body, Cannot, Context, StepType, Tick};
use model::Foreign;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked, known};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct DeleteObject;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// Fails if there is no such object.
    pub must_exist: bool,
}

impl StepType for DeleteObject {
    const NAME: &'static str = "delete_object";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Takes an object out of the scene: its frame is gone.";
    const ICON: Option<&'static str> = Some("trash-2");
    const WORDS: &'static [&'static str] = &["remove", "forget"];
    const FOREIGN: &'static [Foreign] = thesis::DELETE_OBJECT;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(settings.update(body)?.into_iter().collect())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        let nothing_to_do = match context.body().and_then(|body| settings.update(body)) {
            Ok(update) => update.is_none(),
            Err(reason) => return Tick::failure(reason),
        };
        if nothing_to_do {
            return Tick::SUCCESS;
        }
        scene_action::tick(state, context, |_| Ok(Asked::Now(vec![settings.delete()])))
    }
}

impl Settings {
    fn delete(&self) -> SceneUpdate {
        SceneUpdate::Delete { name: self.object.as_str().into() }
    }

    /// None: it is gone already, which is as good.
    fn update(&self, body: &Body) -> Result<Option<SceneUpdate>, Cannot> {
        if body.scene().object(&self.object).is_some() {
            return Ok(Some(self.delete()));
        }
        if self.must_exist {
            return Err(WhyNot::NoObject { object: self.object.clone(), what: "delete", known: known(body) }.into());
        }
        Ok(None)
    }
}
