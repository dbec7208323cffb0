use engine::{Binder, Context, End, Flow, StepType, Tick};
use expression::Expression;
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Condition;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What must hold for success.
    pub condition: Expression,
    /// The named outcome of a failure.
    pub outcome: String,
}

impl StepType for Condition {
    const NAME: &'static str = "condition";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Succeeds if a condition over variables and tokens holds now, fails if not.";
    const ICON: Option<&'static str> = Some("square-function");
    const WORDS: &'static [&'static str] = &["if", "check", "test", "assert"];
    const INSTANT: bool = true;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "condition",
        missing: "there is no condition, so it fails",
        remedy: "write what must hold in `condition`",
    }];
    const CONDITIONS: &'static [&'static str] = &["condition"];
    const SENSES: bool = true;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("condition", &mut settings.condition);
    }

    fn outcomes(settings: &Settings) -> Option<Vec<String>> {
        Some(vec![settings.outcome.clone()])
    }

    fn flow(settings: &Settings) -> Flow {
        let holds = settings.condition.constant().and_then(|value| value.as_bool());
        Flow { instant: true, ..Flow::UNKNOWN }.fails_if(holds.map(|holds| !holds))
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if settings.condition.is_empty() {
            return Tick::failure("it has no condition: write what must hold");
        }
        match context.holds(&settings.condition) {
            Ok(true) => Tick::SUCCESS,
            Ok(false) => {
                let end = End::failure(format!("`{}` does not hold", settings.condition.text()));
                Tick::Ended(end.with_outcome(&settings.outcome))
            }
            Err(error) => Tick::failure(format!("`{}` cannot be judged: {error}", settings.condition.text())),
        }
    }
}
