use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{
    BranchStatus, Branching, Children, CompositeType, Finding, FindingSteps, Job, JobAnswer, JobId, Tick, Verdict,
    Within,
};
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use synthesis::{Capabilities, Request};

pub struct Achieve;

/// What one child needs and changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ability {
    /// Only of a mode, of which one is always on: the modes that can follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec<String>>,
    /// Children that must have completed, facts that must hold, the mode that must be on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// What holds when it has completed, beside its own name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub achieves: Vec<String>,
    /// What holds no longer when it has completed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loses: Vec<String>,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Names of children or facts, in the order in which they are wanted.
    pub goals: Vec<String>,
    /// What is so at the start: the mode that is on, children that count as completed, facts.
    pub from: Vec<String>,
    /// The order is a must: a goal counts only once those before it are reached.
    pub strict: bool,
    /// How often it finds another way, from where things stand, when a child has failed.
    pub replan: u32,
    /// By the name of a child. What is not listed needs nothing.
    #[schemars(extend("x-fixed" = true))]
    pub abilities: BTreeMap<String, Ability>,
    /// Names that stand for what may hold without a child of that name.
    #[schemars(extend("x-fixed" = true))]
    pub facts: Vec<String>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    /// None: it has not begun.
    holds: Option<Vec<String>>,
    reached: Vec<String>,
    job: Option<JobId>,
    /// What is done one behind the other, and which of it is on.
    steps: Vec<String>,
    at: usize,
    replanned: u32,
}

impl CompositeType for Achieve {
    const NAME: &'static str = "achieve";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Finds which of its children to run, and in which order, so that its goals are reached: each child does one \
         thing, and what it needs and changes stands in `abilities`. It finds them when it starts, on board, and again \
         after a failure if `replan` says so.";
    const ICON: Option<&'static str> = Some("target");
    const WORDS: &'static [&'static str] = &["goal", "plan", "synthesise", "synthesize", "find"];
    const BRANCHING: Branching = Branching::Each;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "goals",
        missing: "there is no goal, so it fails",
        remedy: "name what shall be reached in `goals`",
    }];
    type Settings = Settings;
    type State = State;

    fn findings(settings: &Settings, within: &Within<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if within.branches.is_empty() {
            findings
                .push(Finding::of_node("it has nothing to do its goals with", "put a child into it for each ability"));
        }
        let (modes, mut actions) = abilities(settings, settings.abilities.keys().cloned());
        // What is not listed is a child that needs nothing.
        let named =
            settings.abilities.values().flat_map(|each| each.needs.iter().chain(&each.achieves).chain(&each.loses));
        for name in named.filter(|name| !settings.facts.contains(name)) {
            if !settings.abilities.contains_key(name) && !actions.iter().any(|(known, _)| known == name) {
                actions.push((name.clone(), synthesis::Ability::default()));
            }
        }
        let problems = Capabilities::of(modes, actions, &settings.facts).problems().into_iter();
        let told = |problem: model::Problem| {
            Finding::of_node(format!("{}: {}", problem.path, problem.message), problem.remedy)
        };
        findings.extend(problems.map(told));
        findings
    }

    fn tick(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Tick {
        let capabilities = capabilities(settings, children);
        state.holds.get_or_insert_with(|| settings.from.clone());
        loop {
            if let Some(job) = state.job {
                match children.take_answer(job) {
                    Some(JobAnswer::Behavior(Ok(steps))) => (state.steps, state.at, state.job) = (steps, 0, None),
                    Some(JobAnswer::Behavior(Err(why))) => return Tick::failure(why),
                    Some(JobAnswer::Footsteps(_)) | None => return Tick::Running,
                }
            }
            if state.at >= state.steps.len() {
                let goals = open_goals(settings, state, &capabilities);
                if goals.is_empty() {
                    return Tick::SUCCESS;
                }
                let from = state.holds.clone().unwrap_or_default();
                let request = Request { from, goals, strict: settings.strict, ..Request::default() };
                let finding = FindingSteps { capabilities: Arc::new(capabilities), request };
                state.job = Some(children.give_job(Job::Finding(Box::new(finding))));
                return Tick::Running;
            }
            match step(settings, state, children, &capabilities) {
                Some(end) => return end,
                None => continue,
            }
        }
    }
}

/// None: it has ended, and there is more to do.
fn step(
    settings: &Settings,
    state: &mut State,
    children: &mut Children<'_>,
    capabilities: &Capabilities,
) -> Option<Tick> {
    let name = state.steps[state.at].clone();
    let Some(index) = (0..children.len()).find(|index| children.label(*index).as_deref() == Some(&*name)) else {
        return Some(Tick::failure(format!("there is no child `{name}` any more")));
    };
    let end = match children.run(index) {
        BranchStatus::Running => return Some(Tick::Running),
        BranchStatus::Ended(end) => end,
    };
    children.restart(index);
    if end.verdict != Verdict::Success {
        if state.replanned >= settings.replan {
            return Some(Tick::Ended(end));
        }
        state.replanned += 1;
        (state.steps, state.at) = (Vec::new(), 0);
        return None;
    }
    let holds = state.holds.get_or_insert_default();
    capabilities.complete(holds, &name);
    let achieved = capabilities.ability(&name).map(|ability| ability.achieves.clone()).unwrap_or_default();
    for goal in achieved.into_iter().chain([name]) {
        let is_in_turn =
            !settings.strict || settings.goals.iter().find(|each| !state.reached.contains(each)) == Some(&goal);
        if settings.goals.contains(&goal) && is_in_turn && !state.reached.contains(&goal) {
            state.reached.push(goal);
        }
    }
    state.at += 1;
    None
}

/// What is not reached and does not hold as it is; a mode that others come before counts anew.
fn open_goals(settings: &Settings, state: &mut State, capabilities: &Capabilities) -> Vec<String> {
    let holds = state.holds.clone().unwrap_or_default();
    let mut open: Vec<String> = Vec::new();
    for goal in settings.goals.iter().filter(|goal| !state.reached.contains(*goal)) {
        if !holds.contains(goal) || capabilities.is_mode(goal) && !open.is_empty() {
            open.push(goal.clone());
        }
    }
    open
}

type Named = Vec<(String, synthesis::Ability)>;

/// Modes and actions, in the order of the children.
fn abilities(settings: &Settings, names: impl Iterator<Item = String>) -> (Named, Named) {
    let (mut modes, mut actions) = (Vec::new(), Vec::new());
    for name in names {
        let Ability { to, needs, achieves, loses } = settings.abilities.get(&name).cloned().unwrap_or_default();
        let list = if to.is_some() { &mut modes } else { &mut actions };
        let ability = synthesis::Ability { to: to.unwrap_or_default(), needs, achieves, loses, ..Default::default() };
        list.push((name, ability));
    }
    (modes, actions)
}

fn capabilities(settings: &Settings, children: &Children<'_>) -> Capabilities {
    let names = (0..children.len()).filter_map(|index| children.label(index)).map(|name| name.to_string());
    let (modes, actions) = abilities(settings, names);
    Capabilities::of(modes, actions, &settings.facts)
}
