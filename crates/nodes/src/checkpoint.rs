use engine::{Context, StepType, Tick};
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Checkpoint;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Settings {}

impl StepType for Checkpoint {
    const NAME: &'static str = "checkpoint";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "A named place to go to or to execute after. It does nothing itself.";
    const ICON: Option<&'static str> = Some("flag");
    const WORDS: &'static [&'static str] = &["mark", "autonomy", "confirm"];
    const INSTANT: bool = true;
    const FOREIGN: &'static [Foreign] =
        &[Foreign::plain("CheckpointNodeDefinition", &[]), Foreign::plain("CheckPointNodeDefinition", &[])];
    const MAY_FAIL: bool = false;
    type Settings = Settings;
    type State = ();

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(_settings: &Settings, _state: &mut (), _context: &mut Context<'_>) -> Tick {
        Tick::SUCCESS
    }
}
