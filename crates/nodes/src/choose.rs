use engine::{Binder, Branching, Children, CompositeType, Fails, Finding, Flow, Runs, Target, Tick, Within};
use model::NodeId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Choose;

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IfNone {
    #[default]
    Success,
    Failure,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The node whose named outcome cases with `{"outcome": …}` ask for; left out: the step before.
    pub of: Target,
    /// How it ends when no case holds.
    pub if_none: IfNone,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    chosen: Option<NodeId>,
}

impl CompositeType for Choose {
    const NAME: &'static str = "choose";
    const GROUP: &'static str = "control";
    const DOC: &'static str =
        "Runs the first child whose `when` holds at the moment it is reached. A child without `when` always holds.";
    const ICON: Option<&'static str> = Some("split");
    const WORDS: &'static [&'static str] = &["if", "else", "switch", "case", "branch", "select"];
    const BRANCHING: Branching = Branching::Each;
    const RUNS: Runs = Runs::FirstCase;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.target("of", &mut settings.of);
    }

    fn flow(settings: &Settings, within: &Within<'_>) -> Flow {
        let mut flow = Flow::NOTHING;
        for case in within.branches {
            flow.instant &= case.flow.instant;
            flow.fails = flow.fails.max(case.flow.fails.min(Fails::Maybe));
            if case.holds.is_none() {
                flow.fails = flow.fails.max(Fails::Maybe);
            }
        }
        let is_certain = within.branches.iter().any(|case| case.holds == Some(true));
        if !is_certain && settings.if_none == IfNone::Failure {
            flow.fails = Fails::Maybe;
        }
        flow
    }

    fn findings(_settings: &Settings, within: &Within<'_>) -> Vec<Finding> {
        if !within.branches.is_empty() {
            return Vec::new();
        }
        vec![Finding::of_node("the choose has no cases", "put a child into it for each case, with a `when`")]
    }

    fn tick(settings: &Settings, state: &mut State, children: &mut Children<'_>) -> Tick {
        let chosen = match state.chosen {
            Some(node) => match children.position(node) {
                Some(index) => index,
                None => return Tick::SUCCESS,
            },
            None => {
                let mut chosen = children.entry();
                for index in 0..children.len() {
                    if chosen.is_some() {
                        break;
                    }
                    match children.case_holds(index, &settings.of) {
                        Ok(true) => chosen = Some(index),
                        Ok(false) => {}
                        Err(error) => return Tick::failure(format!("case {} cannot be judged: {error}", index + 1)),
                    }
                }
                match (chosen, settings.if_none) {
                    (Some(index), _) => index,
                    (None, IfNone::Success) => return Tick::SUCCESS,
                    (None, IfNone::Failure) => return Tick::failure("none of its cases holds"),
                }
            }
        };
        state.chosen = children.node(chosen);
        children.run(chosen).into_tick()
    }
}
