use std::collections::BTreeMap;

use engine::{Context, StepType, Tick};
use model::Foreign;
use scene::{SceneUpdate, TrackingSettings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene_action::{self, Asked};
use crate::thesis;

pub struct ConfigurePersistentDetections;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// A detection this near to a thing of its class is of that thing.
    #[schemars(range(min = 0.001, max = 100.0), extend("x-unit" = "m"))]
    pub match_radius_m: f64,
    /// The share of a new detection in a pose: small is smooth and slow. Counts for what is seen for the first time
    /// from now on.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub filter_alpha: f64,
    /// The least mean confidence at which a thing counts as stable.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub acceptance_confidence: f64,
    /// The same by class, for classes where it is another.
    pub class_confidence: BTreeMap<String, f64>,
    /// How often a thing must be seen to count as stable.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-unit" = "Hz"))]
    pub stability_hz: f64,
    /// How far back counts.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub history_s: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        let TrackingSettings { match_radius_m, filter_alpha, acceptance_confidence, stability_hz, history_s, .. } =
            TrackingSettings::default();
        let class_confidence = BTreeMap::new();
        Settings { match_radius_m, filter_alpha, acceptance_confidence, class_confidence, stability_hz, history_s }
    }
}

impl StepType for ConfigurePersistentDetections {
    const NAME: &'static str = "configure_persistent_detections";
    const GROUP: &'static str = "scene";
    const DOC: &'static str =
        "Says how detections of many pictures become one thing that persists, and when that counts as stable.";
    const ICON: Option<&'static str> = Some("scan-search");
    const WORDS: &'static [&'static str] = &["detector", "tracking"];
    const FOREIGN: &'static [Foreign] = thesis::CONFIGURE_PERSISTENT_DETECTIONS;
    const MAY_FAIL: bool = false;
    const SEES: bool = true;
    type Settings = Settings;
    type State = scene_action::State;

    fn tick(settings: &Settings, state: &mut Self::State, context: &mut Context<'_>) -> Tick {
        scene_action::tick(state, context, |_| {
            Ok(Asked::Now(vec![SceneUpdate::Track { settings: settings.tracking() }]))
        })
    }
}

impl Settings {
    fn tracking(&self) -> TrackingSettings {
        TrackingSettings {
            match_radius_m: self.match_radius_m,
            filter_alpha: self.filter_alpha,
            acceptance_confidence: self.acceptance_confidence,
            class_confidence: self
                .class_confidence
                .iter()
                .map(|(class, share)| (class.as_str().into(), *share))
                .collect(),
            stability_hz: self.stability_hz,
            history_s: self.history_s,
        }
    }
}
