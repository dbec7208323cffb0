use std::collections::BTreeMap;

use engine::{Binder, Context, Fails, Flow, StepType, Tick, Variable};
use expression::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Set;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Each variable with the expression that gives its new value: `{"count": "count + 1", "state": "'busy'"}`.
    #[schemars(extend("format" = "assignments"))]
    pub values: BTreeMap<String, Expression>,
    #[serde(skip)]
    #[schemars(skip)]
    bound: Vec<(Variable, Expression)>,
}

impl StepType for Set {
    const NAME: &'static str = "set";
    const GROUP: &'static str = "action";
    const DOC: &'static str =
        "Sets variables. All expressions see the values from before; whoever follows sees the new ones.";
    const ICON: Option<&'static str> = Some("variable");
    const WORDS: &'static [&'static str] = &["assign", "variable", "calculate", "remember", "let"];
    const MAY_FAIL: bool = false;
    const RUNS_DRY: bool = true;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        settings.bound.clear();
        for (name, expression) in &mut settings.values {
            let mut variable = Variable::named(name);
            binder.expression("values", expression);
            binder.writes(&mut variable);
            settings.bound.push((variable, expression.clone()));
        }
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn flow(settings: &Settings) -> Flow {
        let is_sure = settings.values.values().all(|value| value.constant().is_some());
        Flow { fails: if is_sure { Fails::Never } else { Fails::Maybe }, never_ends: false, instant: false }
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let mut values = Vec::with_capacity(settings.bound.len());
        for (variable, expression) in &settings.bound {
            match context.value(expression) {
                Ok(value) => values.push((variable, value)),
                Err(error) => {
                    return Tick::failure(format!("`{}` for `{}`: {error}", expression.text(), variable.name()));
                }
            }
        }
        for (variable, value) in values {
            context.set(variable, value);
        }
        Tick::SUCCESS
    }
}
