use engine::{Binder, Context, StepType, Tick};
use expression::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Log;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What is written.
    pub text: String,
    /// A value written behind the text.
    pub value: Expression,
}

impl StepType for Log {
    const NAME: &'static str = "log";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Writes a line to the log of the run.";
    const ICON: Option<&'static str> = Some("message-square-text");
    const WORDS: &'static [&'static str] = &["say", "print", "write", "tell", "note"];
    const INSTANT: bool = true;
    const MAY_FAIL: bool = false;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("value", &mut settings.value);
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if settings.value.is_empty() {
            context.log(settings.text.clone());
            return Tick::SUCCESS;
        }
        match context.value(&settings.value) {
            Ok(value) => context.log(format!("{} {value}", settings.text)),
            Err(error) => context.log(format!("{} ({error})", settings.text)),
        }
        Tick::SUCCESS
    }
}
