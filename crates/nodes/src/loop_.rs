use engine::{Binder, BranchStatus, Branching, Children, CompositeType, Tick, Verdict};
use expression::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Loop;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Tested after each pass: it goes on while this holds. Left out: for ever, or for `count` passes.
    pub condition: Expression,
    /// At most this many passes; left out: no limit.
    #[schemars(range(min = 1))]
    pub count: Option<u32>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    passes: u32,
}

impl CompositeType for Loop {
    const NAME: &'static str = "loop";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Runs its children, then tests its condition and begins again while it holds.";
    const BRANCHING: Branching = Branching::Together;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("condition", &mut settings.condition);
    }

    fn tick(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Tick {
        loop {
            let end = match children.run(0) {
                BranchStatus::Running => return Tick::Running,
                BranchStatus::Ended(end) => end,
            };
            if end.verdict == Verdict::Failure {
                return Tick::Ended(end);
            }
            state.passes = state.passes.saturating_add(1);
            if settings.count.is_some_and(|count| state.passes >= count) {
                return Tick::Ended(end);
            }
            if !settings.condition.is_empty() {
                match children.holds(&settings.condition) {
                    Ok(true) => {}
                    Ok(false) => return Tick::Ended(end),
                    Err(error) => return Tick::failure(format!("its condition cannot be judged: {error}")),
                }
            }
            children.restart(0);
        }
    }
}
