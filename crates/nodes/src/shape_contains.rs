use engine::{Body, Cannot, Context, End, Measured, Mirror, StepType, Tick};
use geometry::{Point3, Pose};
use model::{Fixed, Foreign, Gives, Handle, Looks, Offer};
use robot::Robot;
use scene::{ColourRange, Shape, points};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct ShapeContains;

/// What must be inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contains {
    /// The origin of a frame.
    #[default]
    Frame,
    /// So many points of the camera's cloud.
    Points,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// A sphere, box, capsule or cylinder, its middle in the pose.
    pub shape: Shape,
    /// The frame of the shape's pose: of the body, or an object.
    pub frame: FrameName,
    /// Where the shape is.
    pub pose: PoseSetting,
    /// What must be inside: a frame, or points.
    pub contains: Contains,
    /// The frame that must be inside.
    pub inside: FrameName,
    /// The fewest points.
    pub min_points: u32,
    /// The most points; left out, any number.
    pub max_points: Option<u32>,
    /// Only points of these colours count; left out, all.
    pub colour: Option<ColourRange>,
    /// The camera whose points count; left out, the one with the newest picture.
    pub camera: String,
    /// How long it waits for that to be so.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub within_s: f64,
    /// The named outcome of a failure.
    pub outcome: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            shape: Shape::default(),
            frame: FrameName::named("chest"),
            pose: PoseSetting::default(),
            contains: Contains::Frame,
            inside: FrameName::named("right_hand"),
            min_points: 1,
            max_points: None,
            colour: None,
            camera: String::new(),
            within_s: 5.0,
            outcome: String::new(),
        }
    }
}

impl StepType for ShapeContains {
    const NAME: &'static str = "shape_contains";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Succeeds as soon as a shape contains a frame, or so many points of a picture that was \
                               taken after the step began; fails if that does not come in time.";
    const ICON: Option<&'static str> = Some("shapes");
    const WORDS: &'static [&'static str] = &["inside", "region", "area", "box", "free", "empty"];
    const FOREIGN: &'static [Foreign] = thesis::SHAPE_CONTAINS;
    const SEES: bool = true;
    const HANDLES: &'static [Handle] = &[Handle::pose("pose", Looks::Shape)];
    const OFFERS: &'static [Offer] = &[
        Offer {
            title: "Add a condition: the robot is in the box",
            short: "Robot is in it",
            looks: Looks::Shape,
            with: &[("inside", Fixed::Text("pelvis"))],
            gives: Gives::Area { shape: "shape", pose: "pose", from_mm: 0 },
        },
        Offer {
            title: "Add a condition: nothing stands in the box",
            short: "Nothing is in it",
            looks: Looks::Shape,
            // So few points are noise; what a camera sees below is the floor.
            with: &[
                ("contains", Fixed::Text("points")),
                ("min_points", Fixed::Whole(0)),
                ("max_points", Fixed::Whole(20)),
            ],
            gives: Gives::Area { shape: "shape", pose: "pose", from_mm: 100 },
        },
    ];
    const SENSES: bool = true;
    type Settings = Settings;
    type State = ();

    fn check(settings: &Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        let mut wrong: Vec<(&'static str, String)> =
            settings.shape.check().err().map(|wrong| ("shape", wrong)).into_iter().collect();
        if settings.max_points.is_some_and(|most| most < settings.min_points) {
            wrong.push(("max_points", "it is below `min_points`: no count is between them".to_owned()));
        }
        wrong
    }

    fn measure(settings: &Settings, body: &Body) -> Option<Result<Measured, Cannot>> {
        Some(settings.measured(body, i64::MIN).and_then(|measured| measured.ok_or_else(|| settings.no_cloud().into())))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.pose.mirror(&settings.frame, mirror)?;
        settings.frame.mirror(mirror);
        settings.inside.mirror(mirror);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        settings.pose.change_frame(&settings.frame, to, body)?;
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if context.is_preview() && settings.contains == Contains::Points {
            context.warn("there are no points in a preview: taken as fulfilled".to_owned());
            return Tick::SUCCESS;
        }
        // An older picture shows what was there before the step in front of this one was done.
        let since_ns = context.time_ns() - context.elapsed_ns();
        let measured = context.body().and_then(|body| settings.measured(body, since_ns));
        if let Ok(Some(measured)) = measured {
            context.measured(measured);
            if measured.holds {
                return Tick::SUCCESS;
            }
        }
        if !context.has_run_for(settings.within_s) {
            return Tick::Running;
        }
        let reason = match measured {
            Ok(Some(measured)) => settings.why_not(&measured),
            Ok(None) => settings.no_cloud().to_string(),
            Err(reason) => reason.to_string(),
        };
        Tick::Ended(End::failure(reason).with_outcome(&settings.outcome))
    }
}

impl Settings {
    /// None: no picture that is new enough.
    fn measured(&self, body: &Body, since_ns: i64) -> Result<Option<Measured>, Cannot> {
        let world_from_shape: Pose = body.world_from(&self.frame.0)? * self.pose.pose();
        if self.contains == Contains::Frame {
            let inside = Point3::from(body.world_from(&self.inside.0)?.translation_m());
            let holds = self.shape.contains(&world_from_shape.inverse().transform_point(&inside));
            return Ok(Some(Measured { value: f64::from(u8::from(holds)), unit: "frames", holds }));
        }
        let camera = (!self.camera.is_empty()).then_some(self.camera.as_str());
        let cloud = body.scene().latest_cloud(camera).filter(|cloud| cloud.time_ns >= since_ns);
        Ok(cloud.map(|cloud| {
            let count = points::count(cloud, &self.shape, &world_from_shape, self.colour.as_ref());
            let holds = count >= self.min_points as usize && self.max_points.is_none_or(|most| count <= most as usize);
            Measured { value: count as f64, unit: "points", holds }
        }))
    }

    fn why_not(&self, measured: &Measured) -> String {
        match (self.contains, self.max_points) {
            (Contains::Frame, _) => format!("`{}` is not in the shape", self.inside.0),
            (Contains::Points, None) => {
                format!("{} points in the shape, fewer than {}", measured.value, self.min_points)
            }
            (Contains::Points, Some(most)) => {
                format!("{} points in the shape, not {} to {most}", measured.value, self.min_points)
            }
        }
    }

    fn no_cloud(&self) -> WhyNot {
        WhyNot::NoPictureToCount { camera: (!self.camera.is_empty()).then(|| self.camera.clone()) }
    }
}
