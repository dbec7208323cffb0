//! Every kind of edit at every point of a run: whatever comes, what must stay true stays true.

use std::collections::BTreeMap;

use engine::{
    Command, Control, EditBatch, Engine, Instance, InstanceId, Options, RunState, StepStatus, TickInput, TrackView,
    Verdict, What,
};
use model::{Edit, Field, Fields, Library, NodeId, Subtree};
use testkit::TICK_NS;

const TREE: &str = r#"
    sequence Root
      stand_in A duration_s=0.2 claims=["x"]
      fallback F
        sequence Try
          stand_in B duration_s=0.2 fails_if=bad claims=["x"]
          stand_in B2 duration_s=0.1
        stand_in C duration_s=0.2 halt_s=0.2
      parallel P policy=priority priority=S
        sequence S
          stand_in D duration_s=0.3 claims=["x"] halt_s=0.2
          skill U1 file=skill.json
        skill U2 file=skill.json
        loop L count=2
          stand_in E duration_s=0.1 after=Beginning
          stand_in E2 duration_s=0.2 after=Beginning claims=["x"]
      gosub G target=F
      sequence T timeout_s=3
        stand_in H duration_s=0.2
        stand_in I duration_s=0.1 after=H
      goto J target=K
      stand_in Skipped
      stand_in K duration_s=0.1 after=T
    @variables {"bad": true, "go": false}
    --- skill.json
    stand_in M duration_s=0.2 claims=["y"] halt_s=0.1
    choose N
      stand_in O duration_s=0.1
"#;

/// Steps that claim the same, by their labels, where the edit leaves their claims alone.
const EXCLUSIVE: [&[&str]; 2] = [&["A", "B", "D", "E2"], &["M"]];
const KINDS: [&str; 8] =
    ["wait", "always_fail", "sequence", "fallback", "parallel", "loop", "choose", "a_type_nobody_knows"];
const SETTINGS: [(&str, &str); 9] = [
    ("duration_s", "0.35"),
    ("until", "\"go\""),
    ("while", "\"bad\""),
    ("timeout_s", "0.1"),
    ("retry", "1"),
    ("after", "\"Beginning\""),
    ("after", "\"K\""),
    ("autonomy", "\"full\""),
    ("duration_s", "\"no number\""),
];

fn node(id: u64, kind: &str, children: Vec<Subtree>) -> Subtree {
    let mut fields = Fields::default();
    if kind == "stand_in" {
        fields.push("duration_s".into(), Field::from_json(0.1.into()));
    }
    Subtree {
        id: NodeId(id),
        kind: kind.into(),
        name: "New".into(),
        notes: "".into(),
        fields,
        id_written: false,
        children,
    }
}

/// Every single edit of every node: delete, move to every parent, set, rename, retype, insert everywhere.
fn all_edits(library: &Library) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (_, tree) in library.iter() {
        let nodes: Vec<NodeId> = tree.walk(tree.root).collect();
        let parents = || nodes.iter().filter(|id| !tree.node(**id).children.is_empty());
        for (place, id) in nodes.iter().copied().enumerate() {
            edits.push(Edit::Rename { node: id, name: "Renamed".into() });
            edits.extend(KINDS.iter().map(|kind| Edit::Retype { node: id, kind: (*kind).into() }));
            for (field, json) in SETTINGS {
                let value = Some(Field::from_json(serde_json::from_str(json).expect("JSON")));
                edits.push(Edit::Set { node: id, field: field.into(), value, at: None });
            }
            if id == tree.root {
                continue;
            }
            edits.push(Edit::Delete { node: id });
            for parent in parents().copied() {
                let last = tree.node(parent).children.len().saturating_sub(1);
                let index = if place % 2 == 0 { 0 } else { last };
                edits.push(Edit::Move { node: id, parent, index });
            }
        }
        for parent in parents().copied() {
            for index in 0..=tree.node(parent).children.len() {
                let step = node(0xabc0, "stand_in", Vec::new());
                edits.push(Edit::Insert { parent, index, subtree: step.clone() });
                let branches = node(0xabc1, "parallel", vec![step, node(0xabc2, "always_succeed", Vec::new())]);
                edits.push(Edit::Insert { parent, index, subtree: branches });
            }
        }
    }
    edits
}

fn library() -> Library {
    testkit::load(TREE, &Options::default()).library().clone()
}

/// What was seen so far of a run, and what must hold of it.
struct Watch {
    engine: Engine,
    tick: i64,
    events: usize,
    active: BTreeMap<InstanceId, i64>,
    ends: Vec<(InstanceId, Verdict, i64, i64)>,
    check_claims: bool,
    what: String,
}

impl Watch {
    fn new(library: &Library, what: String) -> Watch {
        let engine = Engine::new(library.clone(), testkit::registry(), &Options::default());
        let (active, ends) = (BTreeMap::new(), Vec::new());
        Watch { engine, tick: 0, events: 0, active, ends, check_claims: true, what }
    }

    fn tick(&mut self, mut input: TickInput) {
        if self.tick == 0 {
            input.commands.push(Command { id: 1, what: Control::Automatic { on: true } });
        }
        input.time_ns = self.tick * TICK_NS;
        self.engine.tick(&input);
        self.follow();
        self.check();
        self.tick += 1;
    }

    fn follow(&mut self) {
        let events = self.engine.recording().events[self.events..].to_vec();
        self.events += events.len();
        for event in events {
            match event.what {
                What::Started(step) => {
                    let before = self.active.insert(step, self.tick);
                    assert_eq!(before, None, "{} runs twice at once: {}", self.name(step), self.what);
                    self.check_exclusive();
                }
                What::Ended { step, verdict, .. } => {
                    if let Some(since) = self.active.remove(&step) {
                        self.ends.push((step, verdict, since, self.tick));
                    }
                }
                _ => {}
            }
        }
    }

    fn check_exclusive(&self) {
        for labels in EXCLUSIVE.iter().filter(|_| self.check_claims) {
            let holding = self.active.keys().filter(|step| labels.contains(&&*self.engine.label_of(**step)));
            let holding: Vec<String> = holding.map(|step| self.name(*step)).collect();
            assert!(holding.len() < 2, "{holding:?} hold the same: {}", self.what);
        }
    }

    fn name(&self, step: InstanceId) -> String {
        format!("{} at {} s", self.engine.path_of(step), self.tick as f64 / 10.0)
    }

    fn check(&self) {
        let mut running = self.engine.running();
        running.sort_unstable();
        let active: Vec<InstanceId> = self.active.keys().copied().collect();
        assert_eq!(running, active, "what runs is what started and has not ended: {}", self.what);
        for TrackView { next, waits, running, .. } in self.engine.tracks() {
            assert!(!waits.is_empty(), "a track says why it does not go on: {}", self.what);
            if waits.ends_with("is coming to rest") {
                continue;
            }
            if let Some(next) = next {
                let node = self.engine.instance_of_id(next).node;
                assert!(self.engine.library().owner_of(node).is_some(), "next is in the tree: {}", self.what);
            }
            for step in running {
                let view = self.engine.step_view(&self.engine.instance_of_id(step));
                let runs = view.is_some_and(|view| view.status != StepStatus::Idle);
                assert!(runs, "{} is known to run: {}", self.name(step), self.what);
            }
        }
    }

    fn apply(&mut self, edit: &Edit) -> bool {
        let edits = vec![EditBatch { id: 9, edits: vec![edit.clone()], by: None }];
        self.tick(TickInput { edits, ..TickInput::default() });
        self.engine.output().answers.iter().all(|answer| answer.id != 9 || answer.refused.is_none())
    }

    /// To the end, at which nothing is held; or to a state that says why it waits.
    fn finish(&mut self) {
        let mut quiet = 0;
        for _ in 0..60 {
            quiet = if self.active.is_empty() { quiet + 1 } else { 0 };
            let ended = matches!(self.engine.run_state(), RunState::Ended(_));
            if quiet > 3 || (quiet > 0 && ended) {
                break;
            }
            self.tick(TickInput::default());
        }
        if matches!(self.engine.run_state(), RunState::Ended(_)) {
            assert!(self.active.is_empty(), "everything has come to rest: {}", self.what);
            let held: Vec<_> = self.engine.tokens().into_iter().filter(|(_, holder)| holder.is_some()).collect();
            assert!(held.is_empty(), "{held:?} at the end: {}", self.what);
        }
    }
}

/// The run without an edit, to know how long it takes.
fn plain_ticks(library: &Library) -> i64 {
    let mut watch = Watch::new(library, "no edit".into());
    watch.finish();
    assert!(matches!(watch.engine.run_state(), RunState::Ended(end) if end.verdict == Verdict::Success));
    watch.tick
}

#[test]
fn every_edit_at_every_tick() {
    let plain = library();
    let edits = all_edits(&plain);
    for at in 0..plain_ticks(&plain) {
        for edit in &edits {
            let mut watch = Watch::new(&plain, format!("{edit:?} at {} s", at as f64 / 10.0));
            while watch.tick < at {
                watch.tick(TickInput::default());
            }
            let before = watch.active.clone();
            watch.apply(edit);
            watch.finish();
            check_what_ran(&watch, edit, &before, &plain);
        }
    }
}

/// A deleted running step ends halted; a running step keeps the settings it started with.
fn check_what_ran(watch: &Watch, edit: &Edit, before: &BTreeMap<InstanceId, i64>, plain: &Library) {
    for (step, since) in before {
        let node = watch.engine.instance_of_id(*step).node;
        let end = watch.ends.iter().find(|(ended, _, start, _)| ended == step && start == since);
        match edit {
            Edit::Delete { .. } if watch.engine.library().owner_of(node).is_none() => {
                let (_, verdict, _, _) = end.expect("a deleted step ends");
                assert_eq!(*verdict, Verdict::Halted, "{}", watch.what);
            }
            Edit::Set { node: set, field, .. } if *set == node && **field == *"duration_s" => {
                let tree = plain.get(plain.owner_of(node).expect("it was there"));
                let field = tree.node(node).fields.get("duration_s").map(Field::to_json);
                let (_, verdict, start, ended) = end.expect("it ends");
                if let (Some(duration_s), Verdict::Success) = (field.and_then(|json| json.as_f64()), verdict) {
                    assert_eq!(*ended - *start, (duration_s * 10.0).round() as i64, "{}", watch.what);
                }
            }
            _ => {}
        }
    }
}

/// An edit and its inverse one tick later: the tree is as before, and the run ends or says why it waits.
#[test]
fn every_edit_taken_back() {
    let plain = library();
    let edits = all_edits(&plain);
    for at in (0..plain_ticks(&plain)).step_by(4) {
        for edit in &edits {
            let Ok((inverse, _)) = plain.clone().apply(edit) else { continue };
            let mut watch = Watch::new(&plain, format!("{edit:?} at {} s, taken back", at as f64 / 10.0));
            while watch.tick < at {
                watch.tick(TickInput::default());
            }
            assert!(watch.apply(edit), "{}", watch.what);
            assert!(watch.apply(&inverse), "{}", watch.what);
            for (id, tree) in plain.iter() {
                assert_eq!(tree, watch.engine.library().get(id), "{}", watch.what);
            }
            watch.finish();
        }
    }
}

/// Edits and commands in any order and number, from a seed: nothing breaks, and stop always stops.
#[test]
fn edits_and_commands_at_random() {
    let plain = library();
    for seed in 0..200u64 {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % below as u64) as usize
        };
        let mut watch = Watch::new(&plain, format!("seed {seed}"));
        watch.check_claims = false;
        for _ in 0..60 {
            let mut input = TickInput::default();
            if draw(3) == 0 {
                let edits = all_edits(watch.engine.library());
                let batch = (0..1 + draw(3)).map(|_| edits[draw(edits.len())].clone()).collect();
                input.edits.push(EditBatch { id: 9, edits: batch, by: None });
            }
            if draw(3) == 0 {
                let known: Vec<InstanceId> = watch.active.keys().copied().collect();
                let all: Vec<NodeId> =
                    watch.engine.library().iter().flat_map(|(_, tree)| tree.walk(tree.root)).collect();
                let instance = match draw(2) {
                    0 if !known.is_empty() => watch.engine.instance_of_id(known[draw(known.len())]),
                    _ => Instance::from(all[draw(all.len())]),
                };
                input.commands.push(Command { id: 8, what: control(&mut draw, instance) });
            }
            watch.tick(input);
        }
        watch.tick(TickInput { stop: true, ..TickInput::default() });
        assert!(!matches!(watch.engine.run_state(), RunState::Active), "seed {seed}");
        for _ in 0..22 {
            watch.tick(TickInput::default());
        }
        assert!(watch.active.is_empty(), "seed {seed}");
    }
}

fn control(draw: &mut impl FnMut(usize) -> usize, instance: Instance) -> Control {
    let on = draw(2) == 0;
    match draw(10) {
        0 => Control::Automatic { on },
        1 => Control::Press { track: None, into: on },
        2 => Control::Press { track: Some(instance), into: on },
        3 => Control::SetNext { to: instance },
        4 => Control::Pause { on },
        5 => Control::Lock { node: instance, on },
        6 => Control::Breakpoint { node: instance, on },
        7 => Control::Force { step: instance, verdict: Verdict::Failure, outcome: None },
        8 => Control::RunOnly { node: instance },
        _ => Control::MoveNext { by: draw(5) as i64 - 2 },
    }
}
