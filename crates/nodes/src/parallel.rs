use engine::{
    Binder, BranchStatus, Branching, Children, CompositeType, End, Fails, Finding, Flow, Runs, Target, Tick, Verdict,
    Within,
};
use expression::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Parallel;

/// When a parallel is done.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// When every branch has succeeded.
    #[default]
    All,
    /// When the first branch has; the others are halted.
    One,
    /// When the priority branch has; the others are halted.
    Priority,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// When it is done.
    pub policy: Policy,
    /// The child that decides, under policy `priority`.
    pub priority: Target,
    /// Ends it as success as soon as this holds. Until then all branches run, whatever the policy.
    pub goal: Expression,
}

impl CompositeType for Parallel {
    const NAME: &'static str = "parallel";
    const GROUP: &'static str = "control";
    const DOC: &'static str =
        "Runs all its children at once, each as a track of its own. A branch that fails halts the others.";
    const ICON: Option<&'static str> = Some("layers");
    const WORDS: &'static [&'static str] = &["together", "at once", "simultaneously", "meanwhile", "concurrent"];
    const BRANCHING: Branching = Branching::Each;
    const RUNS: Runs = Runs::All;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.target("priority", &mut settings.priority);
        binder.expression("goal", &mut settings.goal);
    }

    fn flow(settings: &Settings, within: &Within<'_>) -> Flow {
        let branches = within.branches;
        let may_fail = !settings.goal.is_empty() || branches.iter().any(|branch| branch.flow.fails != Fails::Never);
        let goes_on = match settings.policy {
            Policy::One => !branches.is_empty() && branches.iter().all(|branch| branch.flow.never_ends),
            Policy::Priority => (within.position_of)("priority").is_some_and(|index| branches[index].flow.never_ends),
            Policy::All => branches.iter().any(|branch| branch.flow.never_ends),
        };
        Flow {
            fails: if may_fail { Fails::Maybe } else { Fails::Never },
            never_ends: goes_on && !may_fail && !within.is_left,
            instant: branches.iter().all(|branch| branch.flow.instant),
        }
    }

    fn findings(settings: &Settings, within: &Within<'_>) -> Vec<Finding> {
        if within.branches.is_empty() {
            return vec![Finding::of_node("the parallel has no branches", "put a child into it for each branch")];
        }
        let (is_named, is_by_priority) = ((within.is_named)("priority"), settings.policy == Policy::Priority);
        let finding = if is_by_priority && !is_named {
            let message = "the policy is `priority`, but no branch is named as the one that decides";
            Finding::error("priority", message, "name the deciding child in `priority`")
        } else if is_by_priority
            && (within.position_of)("priority").is_none()
            && let Some(label) = (within.label_of)("priority")
        {
            let message = format!("`{label}` is no branch of this parallel, so nothing decides when it ends");
            Finding::error("priority", message, "name one of its children in `priority`")
        } else if is_named && !is_by_priority {
            let message = "`priority` counts only with the policy `priority`; here it is ignored";
            Finding::warning("priority", message, "set `policy` to `priority`, or take `priority` out")
        } else {
            return Vec::new();
        };
        vec![finding]
    }

    fn tick(settings: &Settings, _state: &mut (), children: &mut Children<'_>) -> Tick {
        if !settings.goal.is_empty() {
            match children.reached(&settings.goal) {
                Ok(true) => return Tick::Ended(End::SUCCESS.with_reason("its goal holds")),
                Ok(false) => {}
                Err(error) => return Tick::failure(format!("its goal cannot be judged: {error}")),
            }
        }
        // A goal stands above the policy: no branch decides then.
        let policy = if settings.goal.is_empty() { settings.policy } else { Policy::All };
        let priority = match policy {
            Policy::Priority => children.position_of(&settings.priority),
            _ => None,
        };
        let mut all_ended = true;
        let mut ends = Vec::new();
        for index in 0..children.len() {
            match children.run(index) {
                BranchStatus::Running => all_ended = false,
                BranchStatus::Ended(end) if end.verdict == Verdict::Failure => return Tick::Ended(end),
                BranchStatus::Ended(end) => {
                    if policy == Policy::One || priority == Some(index) {
                        return Tick::Ended(End { reason: None, ..end });
                    }
                    ends.push(end);
                }
            }
        }
        if all_ended { Tick::Ended(together(&ends)) } else { Tick::Running }
    }
}

/// The named outcome that every branch ended with, if it is one and the same.
fn together(ends: &[End]) -> End {
    let first = ends.first().and_then(|end| end.outcome.clone());
    let same = ends.iter().all(|end| end.outcome == first);
    End { outcome: first.filter(|_| same), ..End::SUCCESS }
}
