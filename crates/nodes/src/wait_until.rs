use engine::{Binder, Context, Fails, Flow, StepType, Tick};
use expression::Expression;
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct WaitUntil;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What it waits for.
    pub condition: Expression,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    warned: bool,
}

impl StepType for WaitUntil {
    const NAME: &'static str = "wait_until";
    const GROUP: &'static str = "action";
    const DOC: &'static str =
        "Waits until a condition over variables and tokens holds. Give it a `timeout_s` if it may never.";
    const ICON: Option<&'static str> = Some("hourglass");
    const WORDS: &'static [&'static str] = &["watch", "listen", "when", "as soon as"];
    const MAY_FAIL: bool = false;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "condition",
        missing: "there is no condition, so it fails",
        remedy: "write what it waits for in `condition`",
    }];
    const CONDITIONS: &'static [&'static str] = &["condition"];
    const SENSES: bool = true;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("condition", &mut settings.condition);
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn flow(settings: &Settings) -> Flow {
        let never_holds = settings.condition.constant().and_then(|value| value.as_bool()) == Some(false);
        let fails = if settings.condition.is_empty() { Fails::Maybe } else { Fails::Never };
        Flow { fails, never_ends: never_holds, instant: false }
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        if settings.condition.is_empty() {
            return Tick::failure("it has no condition: write what it waits for");
        }
        match context.holds(&settings.condition) {
            Ok(true) => Tick::SUCCESS,
            Ok(false) => Tick::Running,
            Err(error) => {
                // A value may still come; saying it once is enough.
                if !std::mem::replace(&mut state.warned, true) {
                    context.warn(format!("`{}` cannot be judged yet: {error}", settings.condition.text()));
                }
                Tick::Running
            }
        }
    }
}
