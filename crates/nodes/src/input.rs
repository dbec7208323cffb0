use engine::{Accepts, Binder, Context, StepType, Tick, Variable};
use model::{Needs, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Input;

/// What may be entered.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Number,
    Text,
    Bool,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the operator is asked for, with its unit.
    pub text: String,
    /// The variable the value goes to.
    pub variable: Variable,
    /// What may be entered.
    pub kind: Kind,
    /// Taken when nobody is there to answer; left out: the step fails then.
    #[schemars(extend("format" = "value"))]
    pub default: Option<serde_json::Value>,
}

impl StepType for Input {
    const NAME: &'static str = "input";
    const GROUP: &'static str = "operator";
    const DOC: &'static str = "Asks the operator for a value and sets a variable to it.";
    const ICON: Option<&'static str> = Some("keyboard");
    const WORDS: &'static [&'static str] = &["ask", "enter", "type", "form"];
    const NEEDS: &'static [Needs] =
        &[Needs { field: "variable", missing: "the value goes to no variable", remedy: "name one in `variable`" }];
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.writes(&mut settings.variable);
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let accepts = match settings.kind {
            Kind::Number => Accepts::Number,
            Kind::Text => Accepts::Text,
            Kind::Bool => Accepts::Bool,
        };
        let value = if context.is_attended() {
            let Some(value) = context.ask(&settings.text, &accepts) else { return Tick::Running };
            value
        } else {
            match settings.default.as_ref().and_then(Value::from_json) {
                Some(value) if accepts.refusal(&value).is_none() => value,
                Some(value) => return Tick::failure(format!("its default `{value}` is not of the kind it asks for")),
                None => return Tick::failure("nobody is there to answer, and it has no default"),
            }
        };
        context.set(&settings.variable, value);
        Tick::SUCCESS
    }
}
