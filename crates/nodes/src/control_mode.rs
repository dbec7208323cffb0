use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, StepType, Tick};
use robot::interface::{self, Order, Queueing};
use robot::{PartName, Preview, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::motion::{self, Intent, Motion};
use crate::body::preview;
use crate::why_not::WhyNot;

pub struct ControlMode;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the whole robot does from then on.
    pub mode: interface::ControlMode,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
}

/// A foot in the air finishes its step before the robot rests.
const REST_S: f64 = 5.0;

impl StepType for ControlMode {
    const NAME: &'static str = "control_mode";
    const GROUP: &'static str = "body";
    const DOC: &'static str =
        "Freezes the robot, or lets it move again. While it is frozen, steps that would move it fail.";
    const ICON: Option<&'static str> = Some("braces");
    const WORDS: &'static [&'static str] = &["stand", "freeze", "mode"];
    type Settings = Settings;
    type State = State;

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        match settings.mode {
            interface::ControlMode::Active => Vec::new(),
            interface::ControlMode::Frozen => {
                let presses = Side::BOTH.map(|side| format!("{}_hand_wrench", side.word()).into());
                PartName::ALL.map(|part| part.word().into()).into_iter().chain(presses).collect()
            }
        }
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(preview::of(body, &order(settings)))
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let (order, queueing) = (order(settings), Queueing::Override);
        let plan = Intent { order, queueing, nominal_s: REST_S, joints: Vec::new(), may_touch_body: false };
        motion::tick(&mut state.motion, context, |_| Ok(plan), |body| judge(settings, body))
    }

    /// The robot freezes all the same: a change of mode is not half done.
    fn halt(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt_by(&mut state.motion, context, order(settings))
    }
}

fn order(settings: &Settings) -> Order {
    Order::Mode { mode: settings.mode }
}

fn judge(settings: &Settings, body: &Body) -> Result<(), Cannot> {
    let frozen = body.state().mode == interface::Mode::Frozen;
    match (settings.mode, frozen) {
        (interface::ControlMode::Active, false) | (interface::ControlMode::Frozen, true) => Ok(()),
        (interface::ControlMode::Active, true) => Err(WhyNot::StillFrozen.into()),
        (interface::ControlMode::Frozen, false) => Err(WhyNot::NotFrozen.into()),
    }
}
