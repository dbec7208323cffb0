use std::collections::BTreeMap;

use engine::{Binder, Context, StepType, Tick, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Receive;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The command it waits for.
    #[schemars(extend("format" = "command"))]
    pub command: String,
    /// The variable each value of the command goes to.
    #[schemars(extend("format" = "outputs"))]
    pub values: BTreeMap<String, Variable>,
}

impl StepType for Receive {
    const NAME: &'static str = "receive";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Waits for a command of another tree. Environments use it to see what the robot sends.";
    const MAY_FAIL: bool = false;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        for variable in settings.values.values_mut() {
            binder.writes(variable);
        }
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let Some(sent) = context.received(&settings.command).cloned() else { return Tick::Running };
        for (name, variable) in &settings.values {
            if let Some((_, value)) = sent.values.iter().find(|(key, _)| **key == **name) {
                context.set(variable, value.clone());
            }
        }
        Tick::SUCCESS
    }
}
