use engine::{
    Binder, BranchStatus, Branching, Children, CompositeType, Fails, Finding, Flow, Runs, Tick, Verdict, Within,
};
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
    const ICON: Option<&'static str> = Some("repeat");
    const WORDS: &'static [&'static str] = &["repeat", "again", "for", "forever", "times"];
    const BRANCHING: Branching = Branching::Together;
    const CONDITIONS: &'static [&'static str] = &["condition"];
    const RUNS: Runs = Runs::InOrder;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("condition", &mut settings.condition);
    }

    fn flow(settings: &Settings, within: &Within<'_>) -> Flow {
        let body = within.in_order;
        let constant = settings.condition.constant().and_then(|value| value.as_bool());
        let is_left_out = settings.condition.is_empty();
        let is_endless = settings.count.is_none() && (is_left_out || constant == Some(true));
        let is_once = settings.count == Some(1) || constant == Some(false);
        Flow {
            fails: if is_left_out || constant.is_some() { body.fails } else { body.fails.max(Fails::Maybe) },
            never_ends: body.never_ends || is_endless && body.fails == Fails::Never && !within.is_left,
            instant: is_once && body.instant,
        }
    }

    fn findings(settings: &Settings, within: &Within<'_>) -> Vec<Finding> {
        if within.branches.is_empty() {
            return vec![Finding::of_node("the loop has nothing to repeat", "put steps into it, or take it out")];
        }
        let takes_no_time = within.branches.iter().all(|branch| branch.flow.instant);
        let comes_round = within.branches.iter().all(|branch| branch.flow.fails != Fails::Always);
        if settings.count == Some(1) || within.is_left || !takes_no_time || !comes_round {
            return Vec::new();
        }
        let message = "no time passes in this loop, so it goes once a tick";
        vec![Finding::of_node(message, "put a wait, or an action that takes time, into it")]
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
