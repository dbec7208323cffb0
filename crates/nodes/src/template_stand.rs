use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use geometry::Pose;
use robot::{BodyFrame, Preview, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::feet::legs_claimed;
use crate::body::place::PointSetting;
use crate::body::setting::FrameName;
use crate::template_goal::{Which, check_object};
use crate::walk::{self, Parameters, Planner, Walk};
use crate::why_not::WhyNot;

pub struct TemplateStand;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object of the scene.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// The class of the template; left out, that of the object.
    pub template: String,
    /// The stand pose of the template; left out, its first.
    pub stand: String,
    /// For an object that is built the other way round: the template in the mirror of the object's x-z plane.
    pub mirrored: bool,
    /// How many times as large as the template the object is.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub scale: f64,
    /// What finds the steps.
    pub planner: Planner,
    /// The kind of ground: how feet are set on it, and what a plan is to avoid.
    pub parameters: Parameters,
    /// How long a foot is in the air.
    #[schemars(range(min = 0.1, max = 60.0), extend("x-unit" = "s"))]
    pub swing_s: f64,
    /// How long both feet are on the ground before each swing.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "s"))]
    pub transfer_s: f64,
    /// How far off a foot may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal a foot may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        let walk = walk::Settings::default();
        Settings {
            object: String::new(),
            template: String::new(),
            stand: String::new(),
            mirrored: false,
            scale: 1.0,
            planner: walk.planner,
            parameters: walk.parameters,
            swing_s: walk.swing_s,
            transfer_s: walk.transfer_s,
            position_tolerance_m: walk.position_tolerance_m,
            orientation_tolerance_deg: walk.orientation_tolerance_deg,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    /// Where to, fixed at the start.
    walk: Option<walk::Settings>,
    walking: walk::State,
}

impl StepType for TemplateStand {
    const NAME: &'static str = "template_stand";
    const GROUP: &'static str = "template";
    const DOC: &'static str = "Walks to where the object's template says to stand for it.";
    const WORDS: &'static [&'static str] = &["walk", "go", "approach"];
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        legs_claimed()
    }

    fn check(settings: &Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        check_object(&settings.object)
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        match settings.walk(body) {
            Ok(walk) => Walk::preview(&walk, body),
            Err(reason) => Some(Err(reason)),
        }
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.object = mirror.frame(&settings.object);
        settings.mirrored = !settings.mirrored;
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        if state.walk.is_none() {
            match context.body().and_then(|body| settings.walk(body)) {
                Ok(walk) => state.walk = Some(walk),
                Err(reason) => return Tick::failure(reason),
            }
        }
        match &state.walk {
            Some(walk) => Walk::tick(walk, &mut state.walking, context),
            None => Tick::Running,
        }
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        state.walk.as_ref().map_or(Halt::Done, |walk| Walk::halt(walk, &mut state.walking, context))
    }
}

impl Settings {
    /// The farther the point it faces, the finer it turns.
    const AHEAD_M: f64 = 5.0;

    fn walk(&self, body: &Body) -> Result<walk::Settings, Cannot> {
        let Settings { object, template, mirrored, scale, .. } = self;
        let template = Which { object, template, mirrored: *mirrored, scale: *scale }.template(body)?;
        let stand = template.stand(&self.stand).map_err(WhyNot::from)?;
        let ground_m = body.poses().world_from(BodyFrame::Walking).translation_m().z;
        let world_from_walking = stand.world_from_walking(&body.world_from(object)?, ground_m);
        let ahead = world_from_walking * Pose::from_translation(Settings::AHEAD_M, 0.0, 0.0);
        Ok(walk::Settings {
            frame: FrameName::named("world"),
            stance: PointSetting::measured(&world_from_walking),
            focal: PointSetting::measured(&ahead),
            planner: self.planner,
            parameters: self.parameters,
            swing_s: self.swing_s,
            transfer_s: self.transfer_s,
            position_tolerance_m: self.position_tolerance_m,
            orientation_tolerance_deg: self.orientation_tolerance_deg,
            ..walk::Settings::default()
        })
    }
}
