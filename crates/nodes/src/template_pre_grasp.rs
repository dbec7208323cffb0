use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use robot::interface::Reach;
use robot::{PartName, Preview, Robot, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arm::Arm;
use crate::body::reach::moved_by;
use crate::template_goal::{self, Aim, Manner, Reaching, ReachingState, Which, check_object};

pub struct TemplatePreGrasp;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object of the scene.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// The class of the template; left out, that of the object.
    pub template: String,
    /// The grasp of the template; left out, its first.
    pub grasp: String,
    /// The hand that goes there.
    pub side: Side,
    /// For an object that is built the other way round: the template in the mirror of the object's x-z plane.
    pub mirrored: bool,
    /// How many times as large as the template the object is.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub scale: f64,
    /// Whether the spine helps the hand to get there.
    pub reach: Reach,
    /// Keeps to the object while it moves. Otherwise the goal stays where it was when the step began.
    pub follow: bool,
    /// How long the motion of the arm takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How far off the hand may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal the hand may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            object: String::new(),
            template: String::new(),
            grasp: String::new(),
            side: Side::Right,
            mirrored: false,
            scale: 1.0,
            reach: Reach::Arm,
            follow: false,
            duration_s: 4.0,
            position_tolerance_m: 0.05,
            orientation_tolerance_deg: 15.0,
            may_touch_body: false,
        }
    }
}

impl StepType for TemplatePreGrasp {
    const NAME: &'static str = "template_pre_grasp";
    const GROUP: &'static str = "template";
    const DOC: &'static str = "Opens the fingers as a grasp of the object's template says and brings the hand to where the way to the grasp begins.";
    const WORDS: &'static [&'static str] = &["pick", "reach", "before grasping"];
    type Settings = Settings;
    type State = ReachingState;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        let arm = moved_by(settings.side, settings.reach);
        arm.iter().chain(&[PartName::Hand(settings.side)]).map(|part| part.word().into()).collect()
    }

    fn check(settings: &Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        check_object(&settings.object)
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        match settings.reaching(body) {
            Ok(reaching) => Arm::preview(reaching.arm(), body),
            Err(reason) => Some(Err(reason)),
        }
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.object = mirror.frame(&settings.object);
        settings.side = mirror.side(settings.side);
        settings.mirrored = !settings.mirrored;
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut ReachingState, context: &mut Context<'_>) -> Tick {
        template_goal::tick(state, context, |body| settings.reaching(body))
    }

    fn halt(_settings: &Settings, state: &mut ReachingState, context: &mut Context<'_>) -> Halt {
        template_goal::halt(state, context)
    }
}

impl Settings {
    fn reaching(&self, body: &Body) -> Result<Reaching, Cannot> {
        let Settings { object, template, mirrored, scale, .. } = self;
        let which = Which { object, template, mirrored: *mirrored, scale: *scale };
        let manner = Manner {
            side: self.side,
            duration_s: self.duration_s,
            reach: self.reach,
            follow: self.follow,
            position_tolerance_m: self.position_tolerance_m,
            orientation_tolerance_deg: self.orientation_tolerance_deg,
            may_touch_body: self.may_touch_body,
        };
        Reaching::new(body, &which, &self.grasp, Aim::PreGrasp, &manner)
    }
}
