use engine::{Accepts, Context, End, StepType, Tick};
use model::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Question;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the operator is asked.
    pub text: String,
    /// The answers offered; the answer is the step's named outcome.
    pub options: Vec<String>,
    /// Answers that end the step as failure.
    pub failures: Vec<String>,
    /// Taken when nobody is there to answer; left out: the step fails then.
    pub default: Option<String>,
}

impl Question {
    fn answered(settings: &Settings, answer: &str) -> Tick {
        if settings.failures.iter().any(|failure| failure == answer) {
            return Tick::Ended(End::failure(format!("the operator answered `{answer}`")).with_outcome(answer));
        }
        Tick::Ended(End::SUCCESS.with_outcome(answer))
    }
}

impl StepType for Question {
    const NAME: &'static str = "question";
    const GROUP: &'static str = "operator";
    const DOC: &'static str =
        "Asks the operator to decide. The answer is the named outcome, which a choose or a catch can ask for.";
    type Settings = Settings;
    type State = ();

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if !context.is_attended() {
            return match &settings.default {
                Some(answer) => Question::answered(settings, answer),
                None => Tick::failure("nobody is there to answer, and it has no default"),
            };
        }
        match context.ask(&settings.text, &Accepts::OneOf(settings.options.clone())) {
            Some(Value::Text(answer)) => Question::answered(settings, &answer),
            _ => Tick::Running,
        }
    }
}
