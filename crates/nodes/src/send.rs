use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Binder, Context, Fails, Flow, StepType, Tick};
use expression::Expression;
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Send;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The command, as the cell names it.
    #[schemars(extend("format" = "command"))]
    pub command: String,
    /// Values that go with it.
    pub values: BTreeMap<String, Expression>,
}

impl StepType for Send {
    const NAME: &'static str = "send";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Sends a command to the equipment of the cell.";
    const ICON: Option<&'static str> = Some("send");
    const WORDS: &'static [&'static str] = &["command", "device", "signal", "tell", "equipment"];
    const INSTANT: bool = true;
    const MAY_FAIL: bool = false;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "command",
        missing: "there is no command, so it fails",
        remedy: "name the command to send in `command`",
    }];
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        for expression in settings.values.values_mut() {
            binder.expression("values", expression);
        }
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn flow(settings: &Settings) -> Flow {
        let is_sure = settings.values.values().all(|value| value.constant().is_some()) && !settings.command.is_empty();
        Flow { fails: if is_sure { Fails::Never } else { Fails::Maybe }, never_ends: false, instant: true }
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if settings.command.is_empty() {
            return Tick::failure("it has no command: name the one to send");
        }
        let mut values = Vec::with_capacity(settings.values.len());
        for (name, expression) in &settings.values {
            match context.value(expression) {
                Ok(value) => values.push((Arc::from(name.as_str()), value)),
                Err(error) => return Tick::failure(format!("`{}` for `{name}`: {error}", expression.text())),
            }
        }
        context.send(settings.command.as_str().into(), values);
        Tick::SUCCESS
    }
}
