use engine::{Body, Cannot, Context, Mirror, StepType, Tick};
use model::Foreign;
use robot::Robot;
use scene::{Composite, CompositeKind, SceneUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::FrameName;
use crate::scene_action::{self, Asked, check_name, own_frame};
use crate::thesis;

pub struct DefineFrame;

/// How the frame is made of the two others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// On the line from B to A at a distance from B, facing from A to B: for walking up to something.
    #[default]
    Approach,
    /// Where A is, turned as B is.
    Hybrid,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the new frame is called.
    pub object: String,
    /// How the frame is made of the two others.
    pub kind: Kind,
    /// Frame A: of the body, of an object, or one that is defined like this one.
    pub a: FrameName,
    /// Frame B, likewise.
    pub b: FrameName,
    /// How far from B an approach stops.
    #[schemars(range(min = -100.0, max = 100.0), extend("x-unit" = "m"))]
    pub distance_m: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        let (a, b) = (FrameName::named("walking"), FrameName::named(""));
        Settings { object: String::new(), kind: Kind::Approach, a, b, distance_m: 0.7 }
    }
}

impl StepType for DefineFrame {
    const NAME: &'static str = "define_frame";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Makes a frame of two others. It follows them until it is frozen, and may itself be part \
                               of another; in whatever order they are defined.";
    const ICON: Option<&'static str> = Some("move-3d");
    const WORDS: &'static [&'static str] = &["coordinates", "middle", "between", "point"];
    const FOREIGN: &'static [Foreign] = thesis::DEFINE_FRAME;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        let mut wrong = check_name(robot, "object", &settings.object);
        let texts = [("object", &settings.object), ("a", &settings.a.0), ("b", &settings.b.0)];
        let empty = texts.into_iter().filter(|(_, text)| text.is_empty());
        wrong.extend(empty.map(|(field, _)| (field, format!("`{field}` is empty: name a frame"))));
        if !settings.object.is_empty() && [&settings.a.0, &settings.b.0].contains(&&settings.object) {
            wrong.push(("object", "the frame would be made of itself: take another".to_owned()));
        }
        wrong
    }

    fn nominal(settings: &Settings, _body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        Ok(vec![settings.update()])
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.a.mirror(mirror);
        settings.b.mirror(mirror);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |context| match own_frame(context.body()?.robot(), &settings.object) {
            Some(wrong) => Err(wrong.into()),
            None => Ok(Asked::Now(vec![settings.update()])),
        })
    }
}

impl Settings {
    fn update(&self) -> SceneUpdate {
        let kind = match self.kind {
            Kind::Approach => CompositeKind::Approach { distance_m: self.distance_m },
            Kind::Hybrid => CompositeKind::Hybrid,
        };
        let composite = Composite { a: self.a.0.as_str().into(), b: self.b.0.as_str().into(), kind };
        SceneUpdate::Define { name: self.object.as_str().into(), composite }
    }
}
