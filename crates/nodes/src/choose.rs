use engine::{Binder, Branching, Children, CompositeType, Target, Tick};
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
    const BRANCHING: Branching = Branching::Each;
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.target("of", &mut settings.of);
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
