use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use model::{Handle, Looks};
use robot::Robot;
use scene::{Composite, CompositeKind, SceneUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};
use crate::scene_action::{self, Asked, check_name, own_frame};

pub struct MakeFrame;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the new frame is called.
    pub object: String,
    /// The frame that the pose is given in: one of the body, an object, or a variable that holds a pose.
    pub frame: FrameName,
    /// Where the new frame is in that one.
    pub pose: PoseSetting,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { object: String::new(), frame: FrameName::named("world"), pose: PoseSetting::default() }
    }
}

impl StepType for MakeFrame {
    const NAME: &'static str = "make_frame";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Makes a frame of a pose in another frame, which may be a value of the moment. It follows that frame until \
                               it is frozen.";
    const ICON: Option<&'static str> = Some("move-3d");
    const WORDS: &'static [&'static str] = &["coordinates", "place", "point", "pose", "offset"];
    const SEES: bool = true;
    const HANDLES: &'static [Handle] = &[Handle::pose("pose", Looks::Point)];
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        let mut wrong = check_name(robot, "object", &settings.object);
        let texts = [("object", &settings.object), ("frame", &settings.frame.0)];
        let empty = texts.into_iter().filter(|(_, text)| text.is_empty());
        wrong.extend(empty.map(|(field, _)| (field, format!("`{field}` is empty: name a frame"))));
        if !settings.object.is_empty() && settings.frame.0 == settings.object {
            wrong.push(("object", "the frame would be made of itself: take another".to_owned()));
        }
        wrong
    }

    fn nominal(settings: &Settings, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![settings.update(body)?])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.pose.mirror(&settings.frame, mirror)?;
        settings.frame.mirror(mirror);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        settings.pose.change_frame(&settings.frame, to, body)?;
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| {
            let body = context.body()?;
            match own_frame(body.robot(), &settings.object) {
                Some(wrong) => Err(wrong.into()),
                None => Ok(Asked::Now(vec![settings.update(body)?])),
            }
        })
    }
}

impl Settings {
    fn update(&self, body: &Body) -> Result<SceneUpdate, Cannot> {
        let name = self.object.as_str().into();
        // Nobody else sees the variables of this file: one of them could not be followed.
        if body.is_variable(&self.frame.0) {
            let world_from_object = body.world_from(&self.frame.0)? * self.pose.pose();
            return Ok(SceneUpdate::Place { name, class: None, world_from_object });
        }
        let frame: std::sync::Arc<str> = self.frame.0.as_str().into();
        let kind = CompositeKind::Offset { a_from_frame: self.pose.pose() };
        Ok(SceneUpdate::Define { name, composite: Composite { a: frame.clone(), b: frame, kind } })
    }
}
