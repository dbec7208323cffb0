use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use robot::interface::{Order, Queueing};
use robot::{PartName, Preview, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::motion::{self, Intent, Motion, joints_of};
use crate::body::preview;

pub struct ArmStiffness;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The arm that becomes soft or stiff.
    pub side: Side,
    /// How hard its joints hold, as a share of what they are built for. A soft arm gives way to what it holds on to.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { side: Side::Right, share: 1.0 }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
}

/// Longer than this no robot takes to change a gain.
const CHANGE_S: f64 = 1.0;

impl StepType for ArmStiffness {
    const NAME: &'static str = "arm_stiffness";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Makes an arm soft or stiff, until told otherwise: a soft one lets a door, a wheel or a person lead \
                               the hand. Its motions stay as they are.";
    const WORDS: &'static [&'static str] = &["soft", "stiff", "compliant", "impedance"];
    type Settings = Settings;
    type State = State;

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|plan| preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        motion::tick(&mut state.motion, context, |body| plan(settings, body), |_| Ok(()))
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<Intent, Cannot> {
    let order = Order::Stiffness { joints: joints_of(body, &[PartName::Arm(settings.side)])?, share: settings.share };
    Ok(Intent { order, queueing: Queueing::Override, nominal_s: CHANGE_S, joints: Vec::new(), may_touch_body: false })
}
