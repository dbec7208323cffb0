mod asked;
mod trial;

use engine::{
    Binder, BranchStatus, Branching, Children, CompositeType, End, Fails, Finding, Flow, Runs, Target, Tick, Verdict,
    Within,
};
use experience::{Estimator, Horizon, Means, TaskName};
use expression::Expression;
use model::{Needs, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strategy::{self, OnComplete};
use trial::{Part, Trial, Why};

pub struct Adaptive;

/// A task condition.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The task is done as soon as this holds.
    pub condition: Expression,
    /// The named outcome it then ends with.
    #[serde(default)]
    pub outcome: String,
    /// What the state is then: all that was sampled in this run of the node is moved so that it ends there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<f64>,
}

/// What is learned from.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Learn {
    /// All that is stored, and this run.
    #[default]
    Past,
    /// This run alone; what it shows is stored nevertheless.
    Trial,
    /// Nothing, and nothing is stored.
    Off,
}

/// A state that it may be in.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Possible {
    pub state: f64,
    /// How likely it is, against the others.
    #[schemars(range(min = 0.0))]
    pub weight: f64,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Under what name its attempts are kept, as `needle-valve/tighten`.
    pub task: String,
    /// How far the task is now: a number, as an angle, or a text. Left out: it has no states.
    pub state: Expression,
    /// While this does not hold nobody knows where the state counts from, and only its changes mean something. Left out:
    /// it is known where the state has a value.
    pub state_known: Expression,
    /// What the state is taken for where nobody knows it: far from done.
    pub state_unknown: f64,
    /// Where it may be instead, if nobody knows it: the mean of the expected times counts.
    pub state_distribution: Vec<Possible>,
    /// The state at which the task is done: expected times then look ahead to it. Left out: one attempt ahead.
    pub goal: Expression,
    /// From how much below the state to how much above it a strategy must be safe to be chosen.
    pub window: [f64; 2],
    /// States within so much of each other are one.
    #[schemars(range(min = 1e-6))]
    pub bin: f64,
    /// What is made of the newest attempts at a state.
    pub estimator: Estimator,
    /// How far ahead expected times look.
    pub horizon: Horizon,
    /// The child that runs before each attempt.
    pub setup: Target,
    /// The child that runs after an attempt that did not end well.
    pub recover: Target,
    /// The child that runs at the end, whatever it is.
    pub exit: Target,
    /// When the task is done. None: when a strategy has run to its end.
    pub done: Vec<Done>,
    /// So many attempts that went wrong are made.
    #[schemars(range(min = 1))]
    pub max_attempts: u32,
    /// What is learned from.
    pub learn: Learn,
    /// No: only the first strategy is chosen.
    pub adapt: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            task: String::new(),
            state: Expression::default(),
            state_known: Expression::default(),
            state_unknown: 3600.0,
            state_distribution: Vec::new(),
            goal: Expression::default(),
            window: [0.0, 0.0],
            bin: 5.0,
            estimator: Estimator::default(),
            horizon: Horizon::default(),
            setup: Target::default(),
            recover: Target::default(),
            exit: Target::default(),
            done: Vec::new(),
            max_attempts: 5,
            learn: Learn::default(),
            adapt: true,
        }
    }
}

/// Where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum At {
    #[default]
    Beginning,
    /// Before an attempt.
    Before,
    Setup,
    Choosing,
    Trying,
    /// The attempt is over, and what runs of it comes to rest.
    Resting,
    Recovering,
    Leaving,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    at: At,
    trial: Trial,
    /// How the task ends, when the exit has run.
    end: Option<Ending>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Ending {
    is_done: bool,
    outcome: String,
    reason: String,
}

impl CompositeType for Adaptive {
    const NAME: &'static str = "adaptive";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Does a task by the strategy among its children that is safe and expected to be done first, by what past attempts \
         have shown; watches it, ends it before it fails, tries another, and remembers. Children beside `setup`, \
         `recover` and `exit` are strategies.";
    const ICON: Option<&'static str> = Some("brain");
    const WORDS: &'static [&'static str] =
        &["strategy", "learn", "experience", "select", "monitor", "attempt", "adapt"];
    const BRANCHING: Branching = Branching::Each;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "task",
        missing: "nobody knows under what name its attempts are kept",
        remedy: "name the task in `task`, as `needle-valve/tighten`",
    }];
    const RUNS: Runs = Runs::Some;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("state", &mut settings.state);
        binder.expression("state_known", &mut settings.state_known);
        binder.expression("goal", &mut settings.goal);
        binder.target("setup", &mut settings.setup);
        binder.target("recover", &mut settings.recover);
        binder.target("exit", &mut settings.exit);
        for done in &mut settings.done {
            binder.expression("done", &mut done.condition);
        }
    }

    fn flow(_settings: &Settings, _within: &Within<'_>) -> Flow {
        Flow { fails: Fails::Maybe, never_ends: false, instant: false }
    }

    fn findings(settings: &Settings, within: &Within<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Err(why) = TaskName::new(&settings.task).map_err(|why| why.to_string())
            && !settings.task.is_empty()
        {
            findings.push(Finding::error("task", why, "a name may have folders, and leads nowhere else"));
        }
        let roles = ["setup", "recover", "exit"];
        for role in roles {
            if let Some(label) = (within.label_of)(role)
                && (within.position_of)(role).is_none()
            {
                let message = format!("`{label}` is no child of this node");
                findings.push(Finding::error(role, message, format!("name one of its children in `{role}`")));
            }
        }
        let others =
            roles.iter().filter_map(|role| (within.position_of)(role)).collect::<std::collections::BTreeSet<_>>();
        if within.branches.len() <= others.len() {
            let message = "it has no strategies, so it ends as `aborted`";
            findings.push(Finding::of_node(message, "put a strategy into it for each way to do the task"));
        }
        if settings.window[0] > settings.window[1] {
            let message = "`window` goes from above to below, so nothing is in it";
            findings.push(Finding::error("window", message, "write the lower of the two first"));
        }
        findings
    }

    fn tick(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Tick {
        loop {
            let goes_on = match state.at {
                At::Beginning => begin(settings, state, children),
                At::Before => before(settings, state, children),
                At::Setup => set_up(settings, state, children),
                At::Choosing => choose(settings, state, children),
                At::Trying => attempt(settings, state, children),
                At::Resting => rest(settings, state, children),
                At::Recovering => recover(settings, state, children),
                At::Leaving => match leave(settings, state, children) {
                    Some(end) => return Tick::Ended(end),
                    None => false,
                },
            };
            if !goes_on {
                return Tick::Running;
            }
        }
    }
}

/// What follows is true where there is more to do in this tick.
fn begin(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    if let Err(why) = TaskName::new(&settings.task) {
        return give(state, Ending { reason: why.to_string(), ..Ending::default() });
    }
    state.trial = Trial::begun(settings, children);
    for why in state.trial.left_out() {
        children.warn(why);
    }
    let Some(entry) = children.entry() else {
        state.at = At::Before;
        return true;
    };
    // A jump leads into it.
    let role = |target: &Target| !target.is_empty() && children.position_of(target) == Some(entry);
    if role(&settings.recover) {
        state.at = At::Recovering;
    } else if role(&settings.exit) {
        state.end = Some(done_now(settings, children).unwrap_or_else(|| Ending {
            reason: "its exit was run, and the task is not done".to_owned(),
            ..Ending::default()
        }));
        state.at = At::Leaving;
    } else if role(&settings.setup) {
        state.at = At::Setup;
    } else {
        state.trial.place(settings, children);
        state.trial.take(children, entry);
        state.at = At::Trying;
    }
    true
}

fn before(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    if !children.is_edited_now()
        && let Some(end) = done_now(settings, children)
    {
        return give(state, end);
    }
    if state.trial.attempts.are_used_up(settings.max_attempts) {
        return give(state, used_up(settings, state));
    }
    state.trial.next_attempt(children);
    state.at = At::Setup;
    true
}

fn choose(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    state.trial.place(settings, children);
    let chosen = match asked::choose(settings, &mut state.trial, children) {
        Ok(chosen) => chosen,
        Err(reason) => return give(state, Ending { is_done: false, outcome: "aborted".to_owned(), reason }),
    };
    let name = children.label(chosen).unwrap_or_default();
    state.trial.attempts.chosen(&name);
    if state.trial.attempts.are_used_up(settings.max_attempts) {
        return give(state, used_up(settings, state));
    }
    state.at = At::Trying;
    // What a strategy is given is visible in the next tick.
    !state.trial.take(children, chosen)
}

fn used_up(settings: &Settings, state: &State) -> Ending {
    let last = state.trial.last.as_deref().unwrap_or("nothing was tried");
    let reason = format!("{} attempts went wrong; the last: {last}", settings.max_attempts);
    Ending { is_done: false, outcome: "attempts".to_owned(), reason }
}

fn give(state: &mut State, end: Ending) -> bool {
    state.end = Some(end);
    state.at = At::Leaving;
    true
}

/// A child that a setting names; none: it names none, or none that is there.
fn role(target: &Target, children: &Children<'_>) -> Option<usize> {
    if target.is_empty() { None } else { children.position_of(target) }
}

fn set_up(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    let end = match role(&settings.setup, children).map(|index| children.run(index)) {
        Some(BranchStatus::Running) => return false,
        Some(BranchStatus::Ended(end)) => end,
        None => End::SUCCESS,
    };
    state.trial.part_is_over(Part::Setup, children.active_ns());
    if let Some(index) = role(&settings.setup, children) {
        children.restart(index);
    }
    if end.verdict == Verdict::Success {
        state.at = At::Choosing;
    } else {
        state.trial.setup_failed(&Why::of_child("the setup", &end, Means::Retry));
        state.at = At::Recovering;
    }
    true
}

fn attempt(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    let Some(index) = state.trial.strategy_now(children) else {
        state.trial.ends(Why::new("its strategy was deleted", Means::Regrasp));
        state.at = At::Resting;
        return true;
    };
    if !children.is_edited_now() {
        state.trial.sample(settings, children);
        if let Some((why, end)) = watched(settings, state, children) {
            state.trial.ends(why);
            state.end = end;
            state.at = At::Resting;
            return true;
        }
    }
    let end = match children.run(index) {
        BranchStatus::Running => return false,
        BranchStatus::Ended(end) => end,
    };
    let is_last = state.trial.on_complete() == OnComplete::Done || children.is_preview();
    if end.verdict != Verdict::Success {
        state.trial.ends(Why::of_child("the strategy", &end, Means::Retry));
    } else if is_last {
        let outcome = end.outcome.as_deref().unwrap_or_default().to_owned();
        state.trial.ends(Why::new("it ran to its end", Means::Again));
        state.end = Some(Ending { is_done: true, outcome, reason: String::new() });
    } else {
        state.trial.ends(Why::new("it ran to its end, and there is more to do", Means::Again));
    }
    state.at = At::Resting;
    true
}

/// Task conditions before limits before what else ends an attempt.
fn watched(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Option<(Why, Option<Ending>)> {
    if let Some(index) = done_index(settings, children) {
        let done = &settings.done[index];
        state.trial.ended_at = done.state;
        let why = Why { outcome: done.outcome.as_str().into(), ..Why::new("the task is done", Means::Again) };
        return Some((why, Some(ending_of(done))));
    }
    if children.is_preview() {
        return None;
    }
    let why = state.trial.violated(children)?;
    let abort = (why.means == Means::Abort).then(|| Ending {
        is_done: false,
        outcome: why.outcome.to_string(),
        reason: why.text.to_string(),
    });
    Some((why, abort))
}

fn rest(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    if let Some(index) = state.trial.strategy_now(children)
        && !children.halt(index)
    {
        return false;
    }
    let went_on = state.trial.went_on();
    state.trial.part_is_over(Part::Strategy, children.active_ns());
    if state.end.is_some() || went_on {
        state.trial.close(settings, children);
        if state.end.is_none() {
            return again(settings, state, children);
        }
        state.at = At::Leaving;
    } else {
        state.at = At::Recovering;
    }
    true
}

fn recover(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> bool {
    let recover = role(&settings.recover, children);
    let end = match recover.map(|index| children.run(index)) {
        Some(BranchStatus::Running) => return false,
        Some(BranchStatus::Ended(end)) => end,
        None => End::SUCCESS,
    };
    if let Some(index) = recover {
        children.restart(index);
    }
    state.trial.part_is_over(Part::Recover, children.active_ns());
    state.trial.close(settings, children);
    if end.verdict != Verdict::Success {
        // Nobody knows how the robot stands now.
        let reason = format!("the recovery ended as {}: {}", end.verdict.word(), end.reason_text());
        let outcome = end.outcome.as_deref().unwrap_or_default().to_owned();
        return give(state, Ending { is_done: false, outcome, reason });
    }
    again(settings, state, children)
}

/// The next attempt begins in the next tick: what ended this one may still hold. Only what an edit brings about is followed to
/// what would start, which is held then.
fn again(settings: &Settings, state: &mut State, children: &Children<'_>) -> bool {
    state.at = At::Before;
    children.is_edited_now() || state.trial.attempts.are_used_up(settings.max_attempts)
}

fn leave(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Option<End> {
    let exit = role(&settings.exit, children);
    let mut ending = state.end.clone().unwrap_or_default();
    match exit.map(|index| children.run(index)) {
        Some(BranchStatus::Running) => return None,
        Some(BranchStatus::Ended(end)) if end.verdict != Verdict::Success => {
            let text = format!("the exit ended as {}: {}", end.verdict.word(), end.reason_text());
            if ending.is_done {
                children.warn(text);
            } else {
                ending.reason = format!("{}; {text}", ending.reason);
            }
        }
        _ => {}
    }
    let end = if ending.is_done { End::SUCCESS } else { End::failure(ending.reason.clone()) };
    let end = if ending.is_done && !ending.reason.is_empty() { end.with_reason(ending.reason) } else { end };
    Some(end.with_outcome(&ending.outcome))
}

fn ending_of(done: &Done) -> Ending {
    let reason = format!("`{}` holds", done.condition.text());
    Ending { is_done: true, outcome: done.outcome.clone(), reason }
}

fn done_now(settings: &Settings, children: &Children<'_>) -> Option<Ending> {
    done_index(settings, children).map(|index| ending_of(&settings.done[index]))
}

/// What cannot be judged has not come yet.
fn done_index(settings: &Settings, children: &Children<'_>) -> Option<usize> {
    settings.done.iter().position(|done| matches!(children.judge(&done.condition), Ok(true)))
}

/// A number that an expression gives now.
fn number(expression: &Expression, children: &Children<'_>) -> Option<f64> {
    if expression.is_empty() {
        return None;
    }
    match children.value(expression) {
        Ok(Value::Number(number)) if number.is_finite() => Some(number),
        _ => None,
    }
}

/// Of a strategy that has settings of its own; else those of one that has none.
fn settings_of(children: &Children<'_>, index: usize) -> strategy::Settings {
    children.settings::<strategy::Settings>(index).cloned().unwrap_or_default()
}
