use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::Foreign;
use robot::{PartName, Preview, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::checks;
use crate::body::goal::joints_reached;
use crate::body::joints::{JointGoals, joint_plan};
use crate::body::motion::{self, Intent, Motion};
use crate::body::preview;
use crate::body::setting::degrees;
use crate::body::turns::{Turns, positions_for, turns_of};
use crate::thesis;

pub struct Neck;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Positive looks to the left.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub yaw_deg: f64,
    /// Positive looks down.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub pitch_deg: f64,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How far off the joints may end, all errors added up.
    #[schemars(range(min = 0.0, max = 360.0), extend("x-unit" = "deg"))]
    pub tolerance_deg: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { yaw_deg: 0.0, pitch_deg: 0.0, duration_s: 4.0, tolerance_deg: 10.0, may_touch_body: false }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goals: Option<JointGoals>,
}

impl StepType for Neck {
    const NAME: &'static str = "neck";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Turns the head: sideways and up or down, against the chest.";
    const ICON: Option<&'static str> = Some("smile");
    const WORDS: &'static [&'static str] = &["look", "head", "gaze", "see", "nod", "turn"];
    const FOREIGN: &'static [Foreign] = thesis::NECK;
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        vec![PartName::Neck.word().into()]
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        checks::turns(robot, PartName::Neck, &settings.turns())
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, _mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.yaw_deg = 0.0 - settings.yaw_deg;
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        let turns = turns_of(body, PartName::Neck)?;
        (settings.yaw_deg, settings.pitch_deg) = (degrees(turns.yaw_rad), degrees(turns.pitch_rad));
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let judge = |body: &Body, goals: &JointGoals| joints_reached(body, goals, settings.tolerance_deg.to_radians());
        motion::tick_towards(&mut state.motion, &mut state.goals, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

impl Settings {
    fn turns(&self) -> Turns {
        Turns::from_degrees([self.yaw_deg, self.pitch_deg, 0.0])
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, JointGoals), Cannot> {
    let goals = positions_for(body, PartName::Neck, &settings.turns())?;
    Ok((joint_plan(body, &goals, settings.duration_s, settings.may_touch_body), goals))
}
