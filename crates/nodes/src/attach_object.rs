use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use robot::{BodyFrame, Robot, Side};
use scene::SceneUpdate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked, own_frame};
use crate::template_goal::check_object;

pub struct AttachObject;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The object of the scene.
    #[schemars(extend("format" = "frame"))]
    pub object: String,
    /// The hand that has it.
    pub side: Side,
}

impl StepType for AttachObject {
    const NAME: &'static str = "attach_object";
    const GROUP: &'static str = "template";
    const DOC: &'static str = "Says that a hand has an object: from now on it moves with the hand, whatever is seen of \
                               it, and its usabilities can be used as tools.";
    const ICON: Option<&'static str> = Some("hand");
    const WORDS: &'static [&'static str] = &["pick", "hold", "take along"];
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        let mut wrong = check_object(&settings.object);
        wrong.extend(own_frame(robot, &settings.object).map(|own| ("object", own.to_string())));
        wrong
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.object = mirror.frame(&settings.object);
        settings.side = mirror.side(settings.side);
        Ok(())
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        settings.update(body).map(|update| vec![update])
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| Ok(Asked::Now(vec![settings.update(context.body()?)?])))
    }
}

impl Settings {
    fn update(&self, body: &Body) -> Result<SceneUpdate, Cannot> {
        if let Some(own) = own_frame(body.robot(), &self.object) {
            return Err(own.into());
        }
        let world_from_object = body.world_from(&self.object)?;
        let world_from_hand = body.poses().world_from(BodyFrame::Hand(self.side));
        let hand_from_object = world_from_hand.inverse() * world_from_object;
        let name = self.object.as_str().into();
        Ok(SceneUpdate::Attach { name, side: self.side, hand_from_object, world_from_object })
    }
}
