use std::sync::Arc;

use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use geometry::Vector3;
use model::Foreign;
use robot::Robot;
use scene::derived::{DoorPanelSettings, door_panel_behind};
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
    /// The frame of the door's handle. Where there is none, the nearest stable detection of that class becomes it.
    pub handle: FrameName,
    /// The frame of the middle of its panel, likewise.
    pub panel: FrameName,
    /// How long it looks for them.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub search_s: f64,
    /// How the door is built.
    pub door: DoorPanelSettings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            object: "door panel".to_owned(),
            handle: FrameName::named("door_lever"),
            panel: FrameName::named("door_panel"),
            search_s: 5.0,
            door: DoorPanelSettings::default(),
        }
    }
}

impl StepType for DoorPanel {
    const NAME: &'static str = "door_panel";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Makes a frame on the panel of a door, of the handle, the panel and the points around them: \
                               x goes through the panel, z is up. It follows the door until it is frozen. In a preview, where there are no points, \
                               the panel is square to the frame of the handle.";
    const ICON: Option<&'static str> = Some("door-open");
    const WORDS: &'static [&'static str] = &["door", "leaf"];
    const FOREIGN: &'static [Foreign] = thesis::DOOR_PANEL;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        check_name(robot, "object", &settings.object)
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        settings.nominal(body)
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.door.hinge = settings.door.hinge.other();
        settings.handle.mirror(mirror);
        settings.panel.mirror(mirror);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| {
            let body = context.body()?;
            if let Some(wrong) = own_frame(body.robot(), &settings.object) {
                return Err(wrong.into());
            }
            if context.is_preview() {
                return Ok(Asked::Now(settings.nominal(body)?));
            }
            // Without both there would be a frame that is nowhere, and the step after this one would tell.
            let near_m = body.world_from("head")?.translation_m();
            let found = part(&settings.handle, body, &near_m)
                .and_then(|(handle, at_m)| Ok((handle, part(&settings.panel, body, &at_m)?.0)));
            match found {
                Ok((handle, panel)) => {
                    Ok(Asked::Now(handle.into_iter().chain(panel).chain([settings.update()]).collect()))
                }
                Err(_) if !context.has_run_for(settings.search_s) => Ok(Asked::NotYet),
                Err(reason) => Err(reason),
            }
        })
    }
}

/// What must be set up for the frame to be there, and where it is.
fn part(frame: &FrameName, body: &Body, near_m: &Vector3<f64>) -> Result<(Option<SceneUpdate>, Vector3<f64>), Cannot> {
    let missing = match body.world_from(&frame.0) {
        Ok(world_from_frame) => return Ok((None, world_from_frame.translation_m())),
        Err(missing) => missing,
    };
    let asked = scene::Asked { name: &frame.0, class: &frame.0, detector: None, minimum_history: 5 };
    let found = body.scene().nearest(&asked, near_m).ok_or(missing)?;
    let update = SceneUpdate::SetUp { name: frame.0.as_str().into(), detection: found.id };
    Ok((Some(update), found.world_from_object.translation_m()))
}

impl Settings {
    fn nominal(&self, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        let panel = door_panel_behind(&body.world_from(&self.handle.0)?, &self.door);
        let name: Arc<str> = self.object.as_str().into();
        let place = SceneUpdate::Place { name: name.clone(), class: None, world_from_object: panel.world_from_panel };
        Ok(vec![place, SceneUpdate::Measure { name, measures: panel.measures() }])
    }

    fn update(&self) -> SceneUpdate {
        let kind = CompositeKind::DoorPanel(self.door.clone());
        let composite = Composite { a: self.handle.0.as_str().into(), b: self.panel.0.as_str().into(), kind };
        SceneUpdate::Define { name: self.object.as_str().into(), composite }
    }
}
