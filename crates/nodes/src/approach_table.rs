use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use model::{Foreign, Handle, Looks};
use robot::Robot;
use scene::derived::{TableSettings, approach_table};
use scene::{Cloud, Measures, SceneUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};
use crate::scene_action::{self, check_name};
use crate::scene_search::{self, Search};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct ApproachTable;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the frame at the table's edge is called.
    pub object: String,
    /// The two capsules that go forward from the hips until they meet the table.
    pub sweep: TableSettings,
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
            object: "table".to_owned(),
            sweep: TableSettings::default(),
            camera: String::new(),
            search_s: 5.0,
            nominal: None,
            frame: FrameName::named("walking"),
        }
    }
}

impl StepType for ApproachTable {
    const NAME: &'static str = "approach_table";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Finds the edge of the table in front of the robot, by points alone: a frame on the ground \
                               below the edge, x square to it towards the table. Walk in that frame to stand square to it.";
    const ICON: Option<&'static str> = Some("table");
    const WORDS: &'static [&'static str] = &["desk", "walk", "stand at"];
    const FOREIGN: &'static [Foreign] = thesis::APPROACH_TABLE;
    const SEES: bool = true;
    const HANDLES: &'static [Handle] = &[Handle { title: Some("nominal"), ..Handle::pose("nominal", Looks::Point) }];
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        check_name(robot, "object", &settings.object)
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![settings.search().place_nominal(body)?])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        scene_search::mirror(&mut settings.nominal, &mut settings.frame, mirror)
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        scene_search::change_frame(&mut settings.nominal, &mut settings.frame, to, body)
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_search::tick(state, context, &settings.search(), |body: &Body, cloud: &Cloud| {
            let table = approach_table(cloud, &body.world_from("walking")?, &settings.sweep).map_err(WhyNot::from)?;
            Ok((table.world_from_edge, Measures { height_m: Some(table.height_m), ..Measures::default() }))
        })
    }
}

impl Settings {
    fn search(&self) -> Search<'_> {
        let Settings { object, camera, search_s, nominal, frame, .. } = self;
        Search { object, class: None, camera, search_s: *search_s, nominal: *nominal, frame }
    }
}
