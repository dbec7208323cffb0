use engine::{Context, Flow, StepType, Tick};
use model::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Wait;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// How long it waits.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s"))]
    pub duration_s: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { duration_s: 4.0 }
    }
}

impl StepType for Wait {
    const NAME: &'static str = "wait";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Waits for a time.";
    const ICON: Option<&'static str> = Some("clock");
    const WORDS: &'static [&'static str] = &["pause", "sleep", "delay", "rest"];
    const FOREIGN: &'static [Foreign] = &[
        Foreign::plain("WaitActionDefinition", &[("waitDuration", "duration_s")]),
        Foreign::plain("WaitDurationActionDefinition", &[("waitDuration", "duration_s")]),
    ];
    const MAY_FAIL: bool = false;
    type Settings = Settings;
    type State = ();

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn flow(settings: &Settings) -> Flow {
        Flow { instant: settings.duration_s == 0.0, ..Flow::NOTHING }
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let left_ns = engine::seconds_to_ns(settings.duration_s) - context.elapsed_ns();
        if left_ns <= 0 {
            return Tick::SUCCESS;
        }
        context.sleep_ns(left_ns);
        Tick::Running
    }
}
