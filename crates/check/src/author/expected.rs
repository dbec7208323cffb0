//! When each step is expected to run: the engine's own dry run, in which every step takes as long as its preview says.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use engine::{
    Body, Command, Control, Engine, Instance, InstanceId, Options, Registry, RunState, TickInput, Verdict, What,
};
use model::{Library, NodeId, Role};

#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    pub step: Instance,
    pub start_s: f64,
    pub end_s: f64,
}

/// More is not looked at.
const MOST: usize = 5000;
/// A step that runs once more than this is in a loop of which enough is seen.
const MOST_RUNS: usize = 10;
/// Ticks in which nothing happens: what it waits for is not there in a dry run.
const MOST_IDLE: usize = 5;

/// Every step that is expected to run, in the order in which they begin. Without a body steps take what their settings say.
pub fn expected(library: &Library, registry: &Arc<Registry>, body: Option<Body>) -> Vec<Expected> {
    let mut previewed: BTreeMap<(Vec<NodeId>, NodeId), f64> = BTreeMap::new();
    for row in body.iter().flat_map(|body| crate::preview(library, registry, body.clone(), None)) {
        if let (None, Some(preview)) = (row.problem, row.preview) {
            previewed.insert((row.step.uses, row.step.node), preview.duration_s);
        }
    }
    let options = Options { attended: true, preview: true, dry: true, body, ..Options::default() };
    let engine = Engine::new(library.clone(), Arc::clone(registry), &options);
    let mut run = Run {
        engine,
        previewed,
        due: BinaryHeap::new(),
        bars: Vec::new(),
        open: BTreeMap::new(),
        runs: BTreeMap::new(),
    };
    run.whole();
    run.bars
}

struct Run {
    engine: Engine,
    /// Seconds.
    previewed: BTreeMap<(Vec<NodeId>, NodeId), f64>,
    /// When steps that run are to end.
    due: BinaryHeap<Reverse<(i64, InstanceId)>>,
    bars: Vec<Expected>,
    /// Of what runs: its place in `bars`.
    open: BTreeMap<InstanceId, usize>,
    runs: BTreeMap<InstanceId, usize>,
}

impl Run {
    fn whole(&mut self) {
        let mut time_ns = 0;
        let mut orders = vec![Control::Automatic { on: true }];
        let mut idle = 0;
        while idle < MOST_IDLE && self.bars.len() < MOST {
            let commands = orders.drain(..).enumerate().map(|(id, what)| Command { id: id as u64, what }).collect();
            self.engine.tick(&TickInput { time_ns, commands, ..TickInput::default() });
            let (happened, repeats) = self.take_events();
            if repeats || matches!(self.engine.run_state(), RunState::Ended(_)) {
                break;
            }
            idle = if happened { 0 } else { idle + 1 };
            // All that ends at the same moment ends in the same tick.
            while let Some(Reverse((due_ns, step))) = self.due.peek().copied() {
                let is_open = self.open.contains_key(&step);
                if is_open && !orders.is_empty() && due_ns > time_ns {
                    break;
                }
                self.due.pop();
                if is_open {
                    time_ns = time_ns.max(due_ns);
                    let step = self.engine.instance_of_id(step);
                    orders.push(Control::Force { step, verdict: Verdict::Success, outcome: None });
                }
            }
        }
        let end_s = time_ns as f64 * 1e-9;
        for place in self.open.values() {
            self.bars[*place].end_s = end_s;
        }
    }

    /// Whether anything happened, and whether it goes round and round.
    fn take_events(&mut self) -> (bool, bool) {
        let events = self.engine.recording().events.clone();
        self.engine.clear_recording();
        let mut repeats = false;
        for event in &events {
            let at_s = event.time_ns as f64 * 1e-9;
            match event.what {
                What::Started(id) => {
                    let runs = self.runs.entry(id).or_default();
                    *runs += 1;
                    repeats |= *runs > MOST_RUNS;
                    self.open.insert(id, self.bars.len());
                    let step = self.engine.instance_of_id(id);
                    self.will_end(id, &step, event.time_ns);
                    self.bars.push(Expected { step, start_s: at_s, end_s: at_s });
                }
                What::Ended { step, .. } => {
                    if let Some(place) = self.open.remove(&step) {
                        self.bars[place].end_s = at_s;
                    }
                }
                _ => {}
            }
        }
        (!events.is_empty(), repeats)
    }

    fn will_end(&mut self, id: InstanceId, step: &Instance, now_ns: i64) {
        let kind = self.engine.kind_of(id);
        if self.engine.role_of(&kind) != Some(Role::Step) {
            return;
        }
        let key = (step.uses.clone(), step.node);
        let written = || self.engine.step_view(step).and_then(|view| view.expected_s);
        let seconds = self.previewed.get(&key).copied().or_else(written).unwrap_or(0.0);
        self.due.push(Reverse((now_ns.saturating_add(engine::seconds_to_ns(seconds)), id)));
    }
}
