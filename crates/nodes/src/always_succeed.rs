use engine::{Context, End, StepType, Tick};
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct AlwaysSucceed;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The named outcome it ends with.
    pub outcome: String,
}

impl StepType for AlwaysSucceed {
    const NAME: &'static str = "always_succeed";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Succeeds at once.";
    const ICON: Option<&'static str> = Some("circle-check");
    const WORDS: &'static [&'static str] = &["ok", "nothing"];
    const INSTANT: bool = true;
    const MAY_FAIL: bool = false;
    const FOREIGN: &'static [Foreign] =
        &[Foreign::plain("ConditionNodeDefinition", &[]).only_if("conditionType", "ALWAYS_SUCCEED")];
    type Settings = Settings;
    type State = ();

    fn outcomes(settings: &Settings) -> Option<Vec<String>> {
        Some(vec![settings.outcome.clone()])
    }

    fn tick(settings: &Settings, _state: &mut (), _context: &mut Context<'_>) -> Tick {
        if settings.outcome.is_empty() {
            return Tick::SUCCESS;
        }
        Tick::Ended(End::SUCCESS.with_outcome(&settings.outcome))
    }
}
