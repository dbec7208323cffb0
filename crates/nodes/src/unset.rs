use engine::{Binder, Context, StepType, Tick, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Unset;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The variables that have no value afterwards.
    pub names: Vec<Variable>,
}

impl StepType for Unset {
    const NAME: &'static str = "unset";
    const GROUP: &'static str = "action";
    const DOC: &'static str =
        "Takes the values of variables away: `is_set(x)` tells, whoever reads one is told that it has none.";
    const ICON: Option<&'static str> = Some("eraser");
    const WORDS: &'static [&'static str] = &["clear", "forget", "variable", "null", "nothing"];
    const MAY_FAIL: bool = false;
    const RUNS_DRY: bool = true;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        settings.names.iter_mut().for_each(|variable| binder.writes(variable));
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        settings.names.iter().for_each(|variable| context.unset(variable));
        Tick::SUCCESS
    }
}
