use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use robot::Side;
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked};

pub struct DetachObject;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The hand that lets it go.
    pub side: Side,
}

impl StepType for DetachObject {
    const NAME: &'static str = "detach_object";
    const GROUP: &'static str = "template";
    const DOC: &'static str =
        "Says that a hand has let go what was attached to it: it stays where it is until it is set up again.";
    const ICON: Option<&'static str> = Some("undo-2");
    const WORDS: &'static [&'static str] = &["drop", "let go", "put down"];
    type Settings = Settings;
    type State = scene_action::State;

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn nominal(settings: &Settings, _body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![SceneUpdate::Detach { side: settings.side }])
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |_| Ok(Asked::Now(vec![SceneUpdate::Detach { side: settings.side }])))
    }
}
