use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Context, StepType, Tick};
use model::Foreign;
use robot::Robot;
use scene::DetectorSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::thesis;

pub struct ConfigureDetectors;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Models by name: on or off. Models that are not named stay as they are; several that are on take turns.
    #[schemars(extend("format" = "detectors"))]
    pub models: BTreeMap<String, bool>,
    /// Only these classes are looked for; an empty list means all. Left out, it stays as it is.
    pub classes: Option<Vec<String>>,
    /// The least confidence by class at which a detection counts. Classes that are not named stay as they are.
    pub confidence: BTreeMap<String, f64>,
}

impl StepType for ConfigureDetectors {
    const NAME: &'static str = "configure_detectors";
    const GROUP: &'static str = "scene";
    const DOC: &'static str = "Tells the detectors behind the cameras which models run, which classes they look for and \
                               how sure they must be.";
    const ICON: Option<&'static str> = Some("eye");
    const WORDS: &'static [&'static str] = &["detector", "camera", "model"];
    const FOREIGN: &'static [Foreign] = thesis::CONFIGURE_DETECTORS;
    const INSTANT: bool = true;
    const MAY_FAIL: bool = false;
    const SEES: bool = true;
    type Settings = Settings;
    type State = ();

    fn check(settings: &Settings, _robot: &Robot) -> Vec<(&'static str, String)> {
        let wrong = settings.confidence.iter().find(|(_, share)| !(0.0..=1.0).contains(*share));
        wrong
            .map(|(class, share)| ("confidence", format!("`{class}` has {share}: must be from 0 to 1")))
            .into_iter()
            .collect()
    }

    fn detectors(settings: &Settings) -> Vec<Arc<str>> {
        settings.models.keys().map(|model| model.as_str().into()).collect()
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let classes =
            settings.classes.as_ref().map(|classes| classes.iter().map(|class| class.as_str().into()).collect());
        context.configure_detectors(DetectorSettings {
            models: settings.models.iter().map(|(model, on)| (model.as_str().into(), *on)).collect(),
            classes,
            confidence: settings.confidence.iter().map(|(class, share)| (class.as_str().into(), *share)).collect(),
        });
        Tick::SUCCESS
    }
}
