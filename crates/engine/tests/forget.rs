//! An engine that is edited for days stays as large as its tree, and names what it tells of.

use engine::{Command, Control, EditBatch, Engine, Options, RunState, TickInput, What};
use model::{Edit, Field, Fields, Library, NodeId, Subtree};
use testkit::TICK_NS;

const TREE: &str = r#"
    sequence Root
      parallel P
        loop L
          stand_in A duration_s=0.1
        sequence S timeout_s=100000
          skill U file=skill.json
          stand_in B duration_s=0.2 halt_s=0.3
          stand_in C duration_s=100000
    --- skill.json
    stand_in M duration_s=0.2 halt_s=0.1
    choose N
      stand_in O duration_s=0.1
"#;

fn node(id: u64, kind: &str, fields: &[(&str, Field)], children: Vec<Subtree>) -> Subtree {
    let mut own = Fields::default();
    for (name, value) in fields {
        own.push((*name).into(), value.clone());
    }
    let name = format!("new {id}");
    Subtree {
        id: NodeId(id),
        kind: kind.into(),
        name: name.into(),
        notes: "".into(),
        fields: own,
        id_written: false,
        children,
    }
}

/// A branch with a running step that comes to rest slowly, a guard and a use of a skill.
fn branch(id: u64) -> Subtree {
    let number = |value: f64| Field::from_json(value.into());
    let slow = node(id + 1, "stand_in", &[("duration_s", number(9.0)), ("halt_s", number(0.25))], Vec::new());
    let skill = node(id + 2, "skill", &[("file", Field::from_json("skill.json".into()))], Vec::new());
    node(id, "sequence", &[("timeout_s", number(50.0))], vec![skill, slow])
}

struct Run {
    engine: Engine,
    tick: i64,
    taken: usize,
    told: Vec<String>,
}

impl Run {
    fn new() -> Run {
        let library: Library = testkit::load(TREE, &Options::default()).library().clone();
        let engine = Engine::new(library, testkit::registry(), &Options::default());
        Run { engine, tick: 0, taken: 0, told: Vec::new() }
    }

    fn find(&self, name: &str) -> NodeId {
        let tree = self.engine.library().main();
        tree.walk(tree.root).find(|id| &**tree.node(*id).label() == name).expect("it is there")
    }

    fn tick(&mut self, edit: Option<Edit>, clears: bool) {
        let edits = edit.map(|edit| EditBatch { id: 7, edits: vec![edit], by: None }).into_iter().collect();
        let mut input = TickInput { time_ns: self.tick * TICK_NS, edits, ..TickInput::default() };
        if self.tick == 0 {
            input.commands.push(Command { id: 1, what: Control::Automatic { on: true } });
        }
        self.engine.tick(&input);
        assert!(
            self.engine.output().answers.iter().all(|answer| answer.refused.is_none()),
            "{:?}",
            self.engine.output()
        );
        for event in &self.engine.recording().events[self.taken..] {
            match event.what {
                What::Started(step) => self.told.push(format!("{} + {}", event.tick, self.engine.path_of(step))),
                What::Ended { step, verdict, .. } => {
                    assert_ne!(self.engine.instance_of_id(step).node, NodeId(0));
                    self.told.push(format!("{} - {} {verdict:?}", event.tick, self.engine.path_of(step)));
                }
                _ => {}
            }
        }
        self.engine.check_invariants().expect("it fits together");
        self.taken = self.engine.recording().events.len();
        if clears {
            self.engine.clear_recording();
            self.taken = 0;
        }
        self.tick += 1;
    }
}

#[test]
fn deleted_nodes_are_forgotten_when_the_record_is_cleared() {
    let mut run = Run::new();
    for _ in 0..5 {
        run.tick(None, true);
    }
    let parallel = run.find("P");
    let before = run.engine.names_kept();
    for round in 0..300_u64 {
        let id = 10_000 + 10 * round;
        run.tick(Some(Edit::Insert { parent: parallel, index: 2, subtree: branch(id) }), true);
        // Early and late, so that each of its steps is once what runs.
        for _ in 0..round % 7 {
            run.tick(None, true);
        }
        run.tick(Some(Edit::Delete { node: NodeId(id) }), true);
        for _ in 0..5 {
            run.tick(None, true);
        }
        assert_eq!(run.engine.names_kept(), before, "after {} rounds", round + 1);
    }
    assert_eq!(*run.engine.run_state(), RunState::Active);
}

/// What is told does not depend on how often it is taken, also where a deleted node comes back while it comes to rest.
#[test]
fn what_is_told_is_the_same_however_often_it_is_taken() {
    let story = |clears_every: i64| {
        let mut run = Run::new();
        let parallel = run.find("P");
        for tick in 0..200 {
            let id = 10_000 + 10 * (tick as u64 / 40);
            let edit = match tick % 20 {
                2 | 9 => Some(Edit::Insert { parent: parallel, index: 1, subtree: branch(id) }),
                7 | 10 => Some(Edit::Delete { node: NodeId(id) }),
                _ => None,
            };
            run.tick(edit, tick % clears_every == 0);
        }
        run.told
    };
    let every_tick = story(1);
    assert!(every_tick.len() > 100, "{every_tick:?}");
    assert_eq!(every_tick, story(1_000));
}
