use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use geometry::Vector3;
use model::{Drag, Foreign, Handle, Looks, Stands, Written};
use robot::interface::{Order, Queueing, Wrench};
use robot::{PartName, Preview, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::frame::{converted, given};
use crate::body::motion::{self, Intent, Motion};
use crate::body::setting::FrameName;
use crate::body::vector::{ForceSetting, TorqueSetting};
use crate::thesis;
use crate::why_not::Lack;

pub struct HandWrench;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The hand that presses.
    pub side: Side,
    /// The frame of the force, as it stands at the start: one of the body, or an object.
    pub frame: FrameName,
    /// What the hand presses with.
    pub force: ForceSetting,
    /// What the hand turns with.
    pub torque: TorqueSetting,
    /// How long the hand presses.
    #[schemars(range(min = 0.01, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            side: Side::Right,
            frame: FrameName::named("chest"),
            force: ForceSetting::default(),
            torque: TorqueSetting::default(),
            duration_s: 4.0,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
}

impl StepType for HandWrench {
    const NAME: &'static str = "hand_wrench";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Presses with a hand for a time. The arm stays free: a hand may press while it moves.";
    const ICON: Option<&'static str> = Some("hand-grab");
    const WORDS: &'static [&'static str] = &["push", "press", "pull", "force", "torque"];
    const FOREIGN: &'static [Foreign] = thesis::HAND_WRENCH;
    const HANDLES: &'static [Handle] = &[
        Handle { written: Written::Vector { unit: "n", mm: 5 }, title: Some("force"), ..arrow("force") },
        Handle { written: Written::Vector { unit: "nm", mm: 25 }, title: Some("torque"), ..arrow("torque") },
    ];
    type Settings = Settings;
    type State = State;

    /// Not the arm: but two presses of one hand would be neither.
    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        vec![format!("{}_hand_wrench", settings.side.word()).into()]
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|plan| crate::body::preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.force.mirror(&settings.frame, mirror)?;
        settings.torque.mirror(&settings.frame, mirror)?;
        settings.frame.mirror(mirror);
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        let to_from_frame = converted(body, &settings.frame.0, to, &geometry::Pose::identity())?;
        settings.force.turn(&to_from_frame);
        settings.torque.turn(&to_from_frame);
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        motion::tick(&mut state.motion, context, |body| plan(settings, body), |_| Ok(()))
    }

    /// A stop of the joints would end a motion of the arm, too: it presses with nothing instead.
    fn halt(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        let frame = robot::interface::Frame::World;
        let nothing = Order::Wrench { side: settings.side, frame, wrench: Wrench::NONE, duration_s: SHORTEST_S };
        motion::halt_by(&mut state.motion, context, nothing)
    }
}

const SHORTEST_S: f64 = 0.01;

const fn arrow(field: &'static str) -> Handle {
    Handle { stands: Stands::Hand, drag: Drag::Place, ..Handle::pose(field, Looks::Force) }
}

fn plan(settings: &Settings, body: &Body) -> Result<Intent, Cannot> {
    let given = given(body, &settings.frame.0, &[PartName::Arm(settings.side)], false)?;
    let turned = |vector: Vector3<f64>| given.frame_from_named.transform_vector(&vector);
    let wrench = Wrench { force_n: turned(settings.force.vector()), torque_nm: turned(settings.torque.vector()) };
    if wrench == Wrench::NONE {
        return Err(Lack::Wrench.into());
    }
    let (side, duration_s) = (settings.side, settings.duration_s);
    let order = Order::Wrench { side, frame: given.frame, wrench, duration_s };
    Ok(Intent { order, queueing: Queueing::Override, nominal_s: duration_s, joints: Vec::new(), may_touch_body: false })
}
