use engine::{Body, Context, Mirror, StepType, Tick};
use model::Foreign;
use robot::Robot;
use scene::derived::DoorPanelSettings;
use scene::{Composite, CompositeKind, SceneUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::FrameName;
use crate::scene_action::{self, Asked, check_name, own_frame};
use crate::thesis;

pub struct DoorPanel;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the panel's frame is called.
    pub object: String,
    /// The frame of the door's handle.
    pub handle: FrameName,
    /// The frame of the middle of its panel, as it was detected.
    pub panel: FrameName,
    /// How the door is built.
    pub door: DoorPanelSettings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            object: "door panel".to_owned(),
            handle: FrameName::named("door_lever"),
            panel: FrameName::named("door_panel"),
            door: DoorPanelSettings::default(),
        }
    }
}

impl StepType for DoorPanel {
    const NAME: &'static str = "door_panel";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Makes a frame on the panel of a door, of the handle, the panel and the points around them: \
                               x goes through the panel, z is up. It follows the door until it is frozen.";
    const FOREIGN: &'static [Foreign] = thesis::DOOR_PANEL;
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        check_name(robot, "object", &settings.object)
    }

    fn nominal(settings: &Settings, _body: &Body) -> Result<Vec<SceneUpdate>, String> {
        Ok(vec![settings.update()])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), String> {
        settings.door.hinge = settings.door.hinge.other();
        settings.handle.mirror(mirror);
        settings.panel.mirror(mirror);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| {
            let body = context.body()?;
            if let Some(wrong) = own_frame(body.robot(), &settings.object) {
                return Err(wrong);
            }
            // Without both there would be a frame that is nowhere, and the step after this one would tell.
            body.world_from(&settings.handle.0).and(body.world_from(&settings.panel.0))?;
            Ok(Asked::Now(settings.update()))
        })
    }
}

impl Settings {
    fn update(&self) -> SceneUpdate {
        let kind = CompositeKind::DoorPanel(self.door.clone());
        let composite = Composite { a: self.handle.0.as_str().into(), b: self.panel.0.as_str().into(), kind };
        SceneUpdate::Define { name: self.object.as_str().into(), composite }
    }
}
