use engine::{Accepts, AskedOf, Context, End, Fails, Finding, Flow, StepType, Tick};
use model::{Needs, Value};
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
    /// Who may answer.
    pub asked_of: AskedOf,
    /// Asked of a role in the team: which, as `auxiliary`. People say at their station which one they have.
    pub team_role: String,
}

impl Settings {
    /// Answers that nobody can read, or that are there twice.
    fn wrong_options(&self) -> Vec<Finding> {
        let wrong = |(place, option): (usize, &String)| {
            let number = place + 1;
            if option.trim().is_empty() {
                let message = format!("answer {number} of the question is blank");
                return Some(Finding::error("options", message, "write what it offers, or take it out"));
            }
            let is_twice = self.options[..place].contains(option);
            let remedy = "give it another name, or take it out";
            is_twice.then(|| Finding::error("options", format!("answer {number}, `{option}`, is there twice"), remedy))
        };
        self.options.iter().enumerate().filter_map(wrong).collect()
    }
}

/// A role that has no name nobody has.
pub(crate) fn no_team_role(of: AskedOf, team_role: &str) -> Option<Finding> {
    let is_missing = of == AskedOf::TeamRole && team_role.trim().is_empty();
    let message = "it is asked of a role in the team, and none is named".to_owned();
    is_missing.then(|| Finding::error("team_role", message, "name the role, as `auxiliary`, or ask somebody else"))
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
    const ICON: Option<&'static str> = Some("circle-help");
    const WORDS: &'static [&'static str] = &["ask", "decide", "confirm", "choose", "say"];
    const NEEDS: &'static [Needs] = &[Needs {
        field: "options",
        missing: "the question offers no answers, so nobody can answer it",
        remedy: "list the answers in `options`",
    }];
    const ASKS: bool = true;
    type Settings = Settings;
    type State = ();

    fn outcomes(settings: &Settings) -> Option<Vec<String>> {
        Some(settings.options.iter().chain(&settings.default).cloned().collect())
    }

    fn flow(settings: &Settings) -> Flow {
        let is_sure =
            settings.default.as_deref().is_some_and(|default| !default.is_empty()) && settings.failures.is_empty();
        Flow::UNKNOWN.failing(if is_sure { Fails::Never } else { Fails::Maybe })
    }

    fn findings(settings: &Settings) -> Vec<Finding> {
        let default = settings.default.iter().filter(|default| !default.is_empty()).map(|answer| ("default", answer));
        let failures = settings.failures.iter().map(|answer| ("failures", answer));
        let unknown = default.chain(failures).filter(|(_, answer)| !settings.options.contains(answer));
        let finding = |(field, answer): (&'static str, &String)| {
            let message = format!("`{answer}` is not among the answers of the question");
            let remedy = format!("write one of: {}; or add it to `options`", settings.options.join(", "));
            Finding::warning(field, message, remedy)
        };
        let nobody = no_team_role(settings.asked_of, &settings.team_role);
        if settings.options.is_empty() {
            return nobody.into_iter().collect();
        }
        settings.wrong_options().into_iter().chain(unknown.map(finding)).chain(nobody).collect()
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if !context.is_attended() {
            return match &settings.default {
                Some(answer) => Question::answered(settings, answer),
                None => Tick::failure("nobody is there to answer, and it has no default"),
            };
        }
        let whom = (settings.asked_of, &*settings.team_role);
        match context.ask(&settings.text, &Accepts::OneOf(settings.options.clone()), whom) {
            Some(Value::Text(answer)) => Question::answered(settings, &answer),
            _ => Tick::Running,
        }
    }
}
