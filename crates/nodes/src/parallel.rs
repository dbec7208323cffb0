use engine::{Binder, BranchStatus, Branching, Children, CompositeType, End, Target, Tick, Verdict};
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
    const BRANCHING: Branching = Branching::Each;
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.target("priority", &mut settings.priority);
        binder.expression("goal", &mut settings.goal);
    }

    fn tick(settings: &Settings, _state: &mut (), children: &mut Children<'_>) -> Tick {
        if !settings.goal.is_empty() {
            match children.holds(&settings.goal) {
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
