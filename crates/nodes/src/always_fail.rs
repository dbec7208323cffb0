use engine::{Context, End, Fails, Flow, StepType, Tick};
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct AlwaysFail;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The named outcome it fails with.
    pub outcome: String,
    /// What people are told.
    pub reason: String,
}

impl StepType for AlwaysFail {
    const NAME: &'static str = "always_fail";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Fails at once. Named STOP, it ends a run at a chosen place while authoring.";
    const ICON: Option<&'static str> = Some("ban");
    const WORDS: &'static [&'static str] = &["error", "abort", "raise"];
    const INSTANT: bool = true;
    const FOREIGN: &'static [Foreign] =
        &[Foreign::plain("ConditionNodeDefinition", &[]).only_if("conditionType", "ALWAYS_FAIL")];
    type Settings = Settings;
    type State = ();

    fn outcomes(settings: &Settings) -> Option<Vec<String>> {
        Some(vec![settings.outcome.clone()])
    }

    fn flow(_settings: &Settings) -> Flow {
        Flow { fails: Fails::Always, never_ends: false, instant: true }
    }

    fn tick(settings: &Settings, _state: &mut (), _context: &mut Context<'_>) -> Tick {
        let reason = if settings.reason.is_empty() { "it is set to always fail" } else { &settings.reason };
        Tick::Ended(End::failure(reason).with_outcome(&settings.outcome))
    }
}
