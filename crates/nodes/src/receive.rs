use std::collections::BTreeMap;

use engine::{Binder, Context, Sent, StepType, Tick, Variable};
use expression::Expression;
use model::{Needs, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Receive;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The command it waits for.
    #[schemars(extend("format" = "command"))]
    pub command: String,
    /// Values the command must have to count: `{"tester": 1}`.
    pub only: BTreeMap<String, Expression>,
    /// The variable each value of the command goes to.
    #[schemars(extend("format" = "outputs"))]
    pub values: BTreeMap<String, Variable>,
}

impl StepType for Receive {
    const NAME: &'static str = "receive";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Waits for a command of another tree. Environments use it to see what the robot sends.";
    const ICON: Option<&'static str> = Some("radio");
    const WORDS: &'static [&'static str] = &["listen", "signal", "device", "hear"];
    const MAY_FAIL: bool = false;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "command",
        missing: "there is no command, so it waits for ever",
        remedy: "name the command it waits for",
    }];
    const HEARS: bool = true;
    const SENSES: bool = true;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        for expression in settings.only.values_mut() {
            binder.expression("only", expression);
        }
        for variable in settings.values.values_mut() {
            binder.writes(variable);
        }
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if context.received(&settings.command).next().is_none() {
            return Tick::Running;
        }
        let mut wanted = Vec::with_capacity(settings.only.len());
        for (name, expression) in &settings.only {
            match context.value(expression) {
                Ok(value) => wanted.push((name.as_str(), value)),
                Err(error) => return Tick::failure(format!("`{}` for `{name}`: {error}", expression.text())),
            }
        }
        let Some(sent) = context.received(&settings.command).find(|sent| has(sent, &wanted)).cloned() else {
            return Tick::Running;
        };
        for (name, variable) in &settings.values {
            if let Some((_, value)) = sent.values.iter().find(|(key, _)| **key == **name) {
                context.set(variable, value.clone());
            }
        }
        Tick::SUCCESS
    }
}

fn has(sent: &Sent, wanted: &[(&str, Value)]) -> bool {
    wanted.iter().all(|(name, value)| sent.values.iter().any(|(key, given)| &**key == *name && given == value))
}
