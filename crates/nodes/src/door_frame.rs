use engine::{Body, Cannot, Context, End, Mirror, StepType, Tick};
use geometry::Point3;
use model::{Foreign, Handle, Looks};
use robot::Robot;
use scene::derived::{DoorFrameSettings, DoorPanelSettings, Opening, door_frame, door_panel_in};
use scene::{Cloud, DOOR_FRAME, Measures, SceneUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};
use crate::scene_action::{self, check_name};
use crate::scene_search::{self, Search};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct DoorFrame;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the frame is called.
    pub object: String,
    /// The frame of the door's handle.
    pub handle: FrameName,
    /// The frame of the middle of its panel, as it was detected.
    pub panel: FrameName,
    /// How the door is built.
    pub door: DoorPanelSettings,
    /// Where the points of the frame are looked for.
    pub fan: DoorFrameSettings,
    /// The camera whose points count; left out, the one with the newest picture.
    pub camera: String,
    /// How long it looks for it.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub search_s: f64,
    /// Where it is in a preview, in `frame`. Without it there is none to preview with.
    pub nominal: Option<PoseSetting>,
    /// The frame of the nominal pose.
    pub frame: FrameName,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            object: "door frame".to_owned(),
            handle: FrameName::named("door_lever"),
            panel: FrameName::named("door_panel"),
            door: DoorPanelSettings::default(),
            fan: DoorFrameSettings::default(),
            camera: String::new(),
            search_s: 5.0,
            nominal: None,
            frame: FrameName::named("walking"),
        }
    }
}

/// What a search remembers, and how far the door is open.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    search: scene_action::State,
    opening: Option<Opening>,
}

impl StepType for DoorFrame {
    const NAME: &'static str = "door_frame";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Finds the frame that a door stands in, by the points beside it: the panel's frame as it is \
                               once the door is closed. Its outcome is `closed`, `ajar_push` or `ajar_pull`.";
    const ICON: Option<&'static str> = Some("door-open");
    const WORDS: &'static [&'static str] = &["door", "walk through"];
    const FOREIGN: &'static [Foreign] = thesis::DOOR_FRAME;
    const SEES: bool = true;
    const HANDLES: &'static [Handle] = &[Handle { title: Some("nominal"), ..Handle::pose("nominal", Looks::Point) }];
    type Settings = Settings;
    type State = State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        check_name(robot, "object", &settings.object)
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![settings.search().place_nominal(body)?])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.door.hinge = settings.door.hinge.other();
        settings.handle.mirror(mirror);
        settings.panel.mirror(mirror);
        scene_search::mirror(&mut settings.nominal, &mut settings.frame, mirror)
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        scene_search::change_frame(&mut settings.nominal, &mut settings.frame, to, body)
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let State { search, opening } = state;
        let find = |body: &Body, cloud: &Cloud| {
            let at = |frame: &FrameName| body.world_from(&frame.0).map(|pose| Point3::from(pose.translation_m()));
            let (handle, panel) = (at(&settings.handle)?, at(&settings.panel)?);
            let panel = door_panel_in(cloud, &handle, &panel, &settings.door).map_err(WhyNot::from)?;
            let found = door_frame(cloud, &panel, &settings.fan).map_err(WhyNot::from)?;
            *opening = Some(found.opening);
            Ok((found.world_from_frame, Measures::default()))
        };
        let tick = scene_search::tick(search, context, &settings.search(), find);
        match (tick, *opening) {
            (Tick::Ended(end), Some(opening)) if end == End::SUCCESS => Tick::Ended(end.with_outcome(word(opening))),
            (tick, _) => tick,
        }
    }
}

impl Settings {
    fn search(&self) -> Search<'_> {
        let Settings { object, camera, search_s, nominal, frame, .. } = self;
        Search { object, class: Some(DOOR_FRAME), camera, search_s: *search_s, nominal: *nominal, frame }
    }
}

fn word(opening: Opening) -> &'static str {
    match opening {
        Opening::Closed => "closed",
        Opening::AjarPush => "ajar_push",
        Opening::AjarPull => "ajar_pull",
    }
}
