use engine::{Body, Cannot, Context, End, Measured, Mirror, StepType, Tick};
use geometry::Vector3;
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, metres};
use crate::thesis;

pub struct Proximity;

/// Which part of the distance counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// All of it.
    #[default]
    Xyz,
    /// Level.
    Xy,
    /// Up and down.
    Z,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// One frame: of the body, or an object.
    pub a: FrameName,
    /// The other.
    pub b: FrameName,
    /// Which part of the distance counts.
    pub axes: Axes,
    /// The least distance.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub min_m: f64,
    /// The most.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub max_m: f64,
    /// How long it waits for the distance to be right.
    #[schemars(range(min = 0.0, max = 3600.0), extend("x-unit" = "s"))]
    pub within_s: f64,
    /// The named outcome of a failure.
    pub outcome: String,
}

impl Default for Settings {
    fn default() -> Settings {
        let (a, b) = (FrameName::named("right_hand"), FrameName::named(""));
        Settings { a, b, axes: Axes::Xyz, min_m: 0.0, max_m: 1.0, within_s: 5.0, outcome: String::new() }
    }
}

impl StepType for Proximity {
    const NAME: &'static str = "proximity";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Succeeds as soon as the distance of two frames is between two limits, fails if that does \
                               not come in time.";
    const ICON: Option<&'static str> = Some("ruler");
    const WORDS: &'static [&'static str] = &["near", "distance", "close", "far"];
    const FOREIGN: &'static [Foreign] = thesis::PROXIMITY;
    const SENSES: bool = true;
    type Settings = Settings;
    type State = ();

    fn check(settings: &Settings, _robot: &robot::Robot) -> Vec<(&'static str, String)> {
        let mut wrong = Vec::new();
        if settings.min_m > settings.max_m {
            wrong.push(("max_m", "it is below `min_m`: no distance is between them".to_owned()));
        }
        for (field, frame) in [("a", &settings.a), ("b", &settings.b)] {
            if frame.0.is_empty() {
                wrong.push((field, format!("`{field}` is empty: name a frame")));
            }
        }
        wrong
    }

    fn measure(settings: &Settings, body: &Body) -> Option<Result<Measured, Cannot>> {
        Some(settings.measured(body))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        settings.a.mirror(mirror);
        settings.b.mirror(mirror);
        Ok(())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let measured = context.body().and_then(|body| settings.measured(body));
        if let Ok(measured) = measured {
            context.measured(measured);
        }
        if measured.as_ref().is_ok_and(|measured| measured.holds) {
            return Tick::SUCCESS;
        }
        if !context.has_run_for(settings.within_s) {
            return Tick::Running;
        }
        let end = match measured {
            Ok(measured) => {
                let Settings { a, b, min_m, max_m, .. } = settings;
                End::failure(format!(
                    "`{}` and `{}` are {} m apart, not {min_m} to {max_m} m",
                    a.0, b.0, measured.value
                ))
            }
            Err(reason) => End::failure(reason),
        };
        Tick::Ended(end.with_outcome(&settings.outcome))
    }
}

impl Settings {
    fn measured(&self, body: &Body) -> Result<Measured, Cannot> {
        let at_m = |frame: &FrameName| body.world_from(&frame.0).map(|pose| pose.translation_m());
        let apart: Vector3<f64> = at_m(&self.a)? - at_m(&self.b)?;
        let distance_m = match self.axes {
            Axes::Xyz => apart.norm(),
            Axes::Xy => apart.xy().norm(),
            Axes::Z => apart.z.abs(),
        };
        let holds = (self.min_m..=self.max_m).contains(&distance_m);
        Ok(Measured { value: metres(distance_m), unit: "m", holds })
    }
}
