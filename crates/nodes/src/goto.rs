use engine::{Binder, Context, Finding, StepType, Target, Tick};
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Goto;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The node to go on with; left out or `Next`: the one behind.
    pub target: Target,
    /// Go to the end of its track instead: nothing behind it there runs any more.
    pub end: bool,
}

impl StepType for Goto {
    const NAME: &'static str = "goto";
    const GROUP: &'static str = "control";
    const DOC: &'static str =
        "Moves next to another node, or to the end of its track. A composite it leaves is halted.";
    const ICON: Option<&'static str> = Some("arrow-right-to-line");
    const WORDS: &'static [&'static str] = &["jump", "back", "again", "restart"];
    const INSTANT: bool = true;
    // Older files say `gotoNode`.
    const FOREIGN: &'static [Foreign] =
        &[Foreign::plain("GotoNodeDefinition", &[("nodeToGoto", "target"), ("gotoNode", "target")])];
    const MAY_FAIL: bool = false;
    const JUMPS_TO: Option<&'static str> = Some("target");
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        if settings.target.text() != "Next" {
            binder.target("target", &mut settings.target);
        }
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn findings(settings: &Settings) -> Vec<Finding> {
        if settings.end && !settings.target.is_empty() {
            let message = "it goes to the end of its track, and `target` counts for nothing";
            return vec![Finding::warning("target", message, "leave one of `target` and `end` out")];
        }
        if settings.end || !settings.target.is_empty() {
            return Vec::new();
        }
        let message = "the goto has no target, so it goes on with the step behind it";
        vec![Finding::warning("target", message, "name a node in `target`, set `end`, or write `Next`")]
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if settings.end {
            context.jump_to_end();
        } else if !settings.target.is_empty() && settings.target.text() != "Next" {
            context.jump(&settings.target);
        }
        Tick::SUCCESS
    }
}
