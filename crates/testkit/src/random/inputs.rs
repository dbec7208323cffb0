use engine::{Command, Control, EditBatch, Editor, Engine, Instance, Sent, TickInput, Verdict};
use model::{Autonomy, Library, NodeId, Value};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::changes::{ChangePlan, change, nth};

/// A node of a running tree, reached through this many uses and calls.
#[derive(Clone, Debug)]
pub struct Pick {
    uses: Vec<usize>,
    node: usize,
}

impl Pick {
    fn any() -> impl Strategy<Value = Pick> {
        (prop_oneof![3 => Just(Vec::new()), 1 => vec(0..6_usize, 1..3)], 0..40_usize)
            .prop_map(|(uses, node)| Pick { uses, node })
    }

    /// May name what does not exist.
    fn instance(&self, library: &Library) -> Instance {
        let mut definition = Library::MAIN;
        let mut uses = Vec::new();
        for place in &self.uses {
            let tree = library.get(definition);
            let opens = |id: &NodeId| ["skill", "gosub"].contains(&&*tree.node(*id).kind);
            let openers: Vec<NodeId> = tree.walk(tree.root).filter(opens).collect();
            let Some(via) = openers.get(place % openers.len().max(1)).copied() else { break };
            uses.push(via);
            definition = library.skill_of(definition, via).unwrap_or(definition);
        }
        let node = if self.node == 39 { NodeId(0xdead) } else { nth(library.get(definition), self.node) };
        Instance { uses, node }
    }
}

/// What arrives, before its nodes are known.
#[derive(Clone, Debug)]
pub enum InputPlan {
    Stop,
    Edit(Vec<ChangePlan>),
    /// Of somebody who is not in control.
    OutsideEdit(Vec<ChangePlan>),
    Admit(Option<Pick>),
    Signal(bool),
    Received,
    Still(&'static str),
    Automatic(bool),
    Press(Option<Pick>, bool),
    Continue(Option<Pick>),
    SetNext(Pick),
    MoveNext(i64),
    Pause(bool),
    StopCommand,
    ResetFailures,
    Concurrency(bool),
    RunOnly(Pick),
    Level(Autonomy),
    Lock(Pick, bool),
    Breakpoint(Pick, bool),
    Force(Pick, Verdict),
    Answer(Pick, &'static str),
    SetVariable(&'static str, f64),
}

fn input() -> impl Strategy<Value = InputPlan> {
    use InputPlan as Plan;
    let levels = [Autonomy::Off, Autonomy::Low, Autonomy::High, Autonomy::Full];
    let verdicts = [Verdict::Success, Verdict::Failure, Verdict::Halted];
    prop_oneof![
        2 => Just(Plan::Stop),
        8 => vec(change(), 1..4).prop_map(Plan::Edit),
        4 => vec(change(), 1..4).prop_map(Plan::OutsideEdit),
        2 => option::of(Pick::any()).prop_map(Plan::Admit),
        2 => any::<bool>().prop_map(Plan::Signal),
        1 => Just(Plan::Received),
        1 => select(&["T", "U"][..]).prop_map(Plan::Still),
        8 => prop::bool::weighted(0.9).prop_map(Plan::Automatic),
        4 => (option::of(Pick::any()), any::<bool>()).prop_map(|(track, into)| Plan::Press(track, into)),
        3 => option::of(Pick::any()).prop_map(Plan::Continue),
        4 => Pick::any().prop_map(Plan::SetNext),
        1 => select(&[-3, -1, 1, 2, i64::MAX, i64::MIN][..]).prop_map(Plan::MoveNext),
        2 => any::<bool>().prop_map(Plan::Pause),
        1 => Just(Plan::StopCommand),
        1 => Just(Plan::ResetFailures),
        1 => any::<bool>().prop_map(Plan::Concurrency),
        2 => Pick::any().prop_map(Plan::RunOnly),
        1 => select(levels.to_vec()).prop_map(Plan::Level),
        4 => (Pick::any(), any::<bool>()).prop_map(|(node, on)| Plan::Lock(node, on)),
        2 => (Pick::any(), any::<bool>()).prop_map(|(node, on)| Plan::Breakpoint(node, on)),
        2 => (Pick::any(), select(verdicts.to_vec())).prop_map(|(step, verdict)| Plan::Force(step, verdict)),
        2 => (Pick::any(), select(&["o", "p", "q"][..])).prop_map(|(step, answer)| Plan::Answer(step, answer)),
        1 => (0..4_u8).prop_map(|value| Plan::SetVariable("x", f64::from(value))),
    ]
}

/// What arrives at which of the first `ticks` ticks. Mostly it begins by turning automatic on.
pub fn input_script(ticks: usize) -> impl Strategy<Value = Vec<(usize, InputPlan)>> {
    (prop::bool::weighted(0.9), vec((0..ticks, input()), 0..20)).prop_map(|(begin, mut script)| {
        if begin {
            script.insert(0, (0, InputPlan::Automatic(true)));
        }
        script
    })
}

/// What arrives in one tick, for the tree as it is now.
pub fn tick_input(engine: &Engine, script: &[(usize, InputPlan)], tick: usize, next_id: &mut u64) -> TickInput {
    let library = engine.library();
    let mut input = TickInput { time_ns: tick as i64 * crate::TICK_NS, ..TickInput::default() };
    for (index, (_, plan)) in script.iter().enumerate().filter(|(_, (at, _))| *at == tick) {
        let id = index as u64;
        let what = match plan {
            InputPlan::Stop => {
                input.stop = true;
                continue;
            }
            InputPlan::Edit(changes) => {
                let edits = changes.iter().map(|change| change.edit(library, next_id)).collect();
                input.edits.push(EditBatch { id, edits, by: None });
                continue;
            }
            InputPlan::OutsideEdit(changes) => {
                let edits = changes.iter().map(|change| change.edit(library, next_id)).collect();
                let by = Some(Editor { name: "Bob".into(), in_control: false });
                input.edits.push(EditBatch { id, edits, by });
                continue;
            }
            InputPlan::Admit(step) => Control::Admit { step: step.as_ref().map(|pick| pick.instance(library)) },
            InputPlan::Signal(on) => {
                input.signals.push(("sensor".into(), Value::Bool(*on)));
                continue;
            }
            InputPlan::Received => {
                input.received.push(Sent { command: "go".into(), values: vec![("a".into(), Value::Number(3.0))] });
                continue;
            }
            InputPlan::Still(part) => {
                input.still.push((*part).into());
                continue;
            }
            InputPlan::Automatic(on) => Control::Automatic { on: *on },
            InputPlan::Press(track, into) => {
                Control::Press { track: track.as_ref().map(|pick| pick.instance(library)), into: *into }
            }
            InputPlan::Continue(step) => Control::Continue { step: step.as_ref().map(|pick| pick.instance(library)) },
            InputPlan::SetNext(to) => Control::SetNext { to: to.instance(library) },
            InputPlan::MoveNext(by) => Control::MoveNext { by: *by },
            InputPlan::Pause(on) => Control::Pause { on: *on },
            InputPlan::StopCommand => Control::Stop,
            InputPlan::ResetFailures => Control::ResetFailures,
            InputPlan::Concurrency(on) => Control::Concurrency { on: *on },
            InputPlan::RunOnly(node) => Control::RunOnly { node: node.instance(library) },
            InputPlan::Level(level) => Control::AutonomyLevel { level: *level },
            InputPlan::Lock(node, on) => Control::Lock { node: node.instance(library), on: *on },
            InputPlan::Breakpoint(node, on) => Control::Breakpoint { node: node.instance(library), on: *on },
            InputPlan::Force(step, verdict) => {
                Control::Force { step: step.instance(library), verdict: *verdict, outcome: Some("o".into()) }
            }
            InputPlan::Answer(step, answer) => {
                Control::Answer { step: step.instance(library), value: Value::text(answer) }
            }
            InputPlan::SetVariable(name, value) => {
                Control::SetVariable { uses: Vec::new(), name: (*name).into(), value: Value::Number(*value) }
            }
        };
        input.commands.push(Command { id, what });
    }
    input
}
