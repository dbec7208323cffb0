use engine::{Context, End, StepType, Tick};
use model::{Foreign, Needs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Counter;

/// What reaching the limit means.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AtLimit {
    /// Succeeds below the limit and fails when it is reached: "try so often, not more".
    #[default]
    Fail,
    /// Fails below the limit and succeeds when it is reached: "only every so often".
    Succeed,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// How many executions reach the limit.
    #[schemars(range(min = 1))]
    pub limit: u32,
    /// What happens when the count reaches the limit.
    pub at_limit: AtLimit,
    /// Counts from zero again after the limit was reached.
    pub restart: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { limit: 1, at_limit: AtLimit::Fail, restart: false }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    count: u32,
}

impl StepType for Counter {
    const NAME: &'static str = "counter";
    const GROUP: &'static str = "condition";
    const DOC: &'static str = "Counts how often it is executed in a run and ends by the count.";
    const ICON: Option<&'static str> = Some("tally-5");
    const WORDS: &'static [&'static str] = &["limit", "tries", "count", "times"];
    const INSTANT: bool = true;
    const KEEPS_STATE: bool = true;
    const FOREIGN: &'static [Foreign] =
        &[Foreign::plain("ConditionNodeDefinition", &[("countTo", "limit")]).only_if("conditionType", "COUNTER")];
    const NEEDS: &'static [Needs] = &[Needs {
        field: "limit",
        missing: "the counter has no limit, so the first execution reaches it",
        remedy: "write in `limit` how many executions reach it",
    }];
    type Settings = Settings;
    type State = State;

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(vec!["counter".to_owned()])
    }

    fn tick(settings: &Settings, state: &mut State, _context: &mut Context<'_>) -> Tick {
        state.count = state.count.saturating_add(1);
        let reached = state.count >= settings.limit;
        let count = state.count;
        if reached && settings.restart {
            state.count = 0;
        }
        if reached == (settings.at_limit == AtLimit::Succeed) {
            return Tick::SUCCESS;
        }
        let limit = settings.limit;
        let reason = match settings.at_limit {
            AtLimit::Fail => format!("executed {count} times: the limit of {limit} is reached"),
            AtLimit::Succeed => format!("executed {count} of {limit} times"),
        };
        Tick::Ended(End::failure(reason).with_outcome("counter"))
    }
}
