//! An edited tree runs as it would if it were saved and opened again, with all that a robot process has around it.

use std::collections::BTreeSet;

use engine::{Command as Given, Control, EditBatch, Ground};
use geometry::Point3;
use model::file::{MemoryFiles, load, save};
use model::{Beside, Edit, Library, NodeId, Subtree};
use onboard::{Inbox, Request, Runner};
use protocol::talk::{NoteKind, What};
use scene::{Detection, Sight};
use site::Site;

use crate::actor::Actor;

const TICK_NS: i64 = 10_000_000;

/// A ball, ten times a second.
fn ball(time_ns: i64) -> Option<Sight> {
    let ball = Detection {
        detector: "yolo".into(),
        class: "ball".into(),
        confidence: 0.9,
        world_position: Point3::new(0.6, -0.2, 1.0),
        world_from_object: None,
        pixels: None,
    };
    let sight = Sight { camera: "head".into(), time_ns, cloud: None, detections: vec![ball] };
    (time_ns % (10 * TICK_NS) == 0).then_some(sight)
}

/// A robot that sees once its eyes are open.
fn site() -> Site {
    Actor { is_open: false, ..Actor::new(ball) }.site(Ground::default())
}

const BEGINNING: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
    {"type": "wait", "name": "begin", "duration_s": 0.2}]}"#;

/// What is beside the behavior, whatever it is edited to.
fn beside() -> Beside {
    let cell = |initial: bool| {
        format!(
            r#"{{"version": 1, "signals": {{"READY": {{"kind": "bool", "initial": {initial}}}, "LAMP": {{"kind": "bool"}}}},
                "variables": {{"ready": {{"signal": "READY"}}, "lamp": {{"signal": "LAMP"}}}},
                "commands": {{"light": {{"signals": {{"LAMP": true}}}}}}}}"#
        )
    };
    let mut beside = Beside::default();
    beside.insert("ready.json", &cell(true));
    beside.insert("idle.json", &cell(false));
    let stand = r#"{"version": 1, "class": "ball", "grasps": [{"name": "mine", "pose": {"x_m": -0.1}}]}"#;
    beside.insert("templates/ball.json", stand);
    beside.insert("templates/valve.json", "{");
    beside
}

/// Steps that need something around them, each of which ends soon. `{}` is a number of its own.
const STEPS: [&str; 9] = [
    r#"{"type": "setup_object", "name": "find {}", "class": "ball", "search_s": 1.0}"#,
    r#"{"type": "setup_object", "name": "seek {}", "class": "cup", "object": "cup {}", "search_s": 0.3}"#,
    r#"{"type": "configure_detectors", "name": "tune {}", "models": {"yolo": true, "clip": true}}"#,
    r#"{"type": "template_pre_grasp", "name": "before {}", "object": "ball", "template": "ball", "grasp": "mine"}"#,
    r#"{"type": "template_pre_grasp", "name": "wheel {}", "object": "ball", "template": "valve"}"#,
    r#"{"type": "wait_until", "name": "ready {}", "condition": "ready", "timeout_s": 0.3}"#,
    r#"{"type": "wait_until", "name": "lit {}", "condition": "lamp", "timeout_s": 0.3}"#,
    r#"{"type": "send", "name": "light {}", "command": "light"}"#,
    r#"{"type": "fallback", "name": "either {}", "children": [
        {"type": "setup_object", "name": "inner {}", "class": "ball", "object": "inner {}", "search_s": 1.0},
        {"type": "wait", "name": "other {}", "duration_s": 0.1}]}"#,
];

/// Of a small generator: the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// A new step, by its number, with an id that no other has.
fn piece(kind: usize, number: usize) -> Subtree {
    let step = STEPS[kind].replace("{}", &number.to_string());
    let file = format!("piece-{number}.json");
    let text = format!(r#"{{"version": 1, "children": [{step}]}}"#);
    let loaded = load(&file, &MemoryFiles::from([(file.as_str(), text)]), nodes::registry().catalogue()).unwrap();
    let main = loaded.library.main();
    let child = main.node(main.root).children[0];
    main.subtree(child)
}

fn steps(library: &Library) -> Vec<NodeId> {
    library.main().node(library.main().root).children.clone()
}

fn random_edit(dice: &mut Dice, library: &Library, number: usize) -> Edit {
    let main = library.main();
    let steps = steps(library);
    match dice.below(10) {
        0 if steps.len() > 1 => Edit::Delete { node: steps[dice.below(steps.len())] },
        1 => {
            // Never none again: what a cell told is known until the behavior is opened again, which is said.
            let cell = ["ready.json", "idle.json"][dice.below(2)];
            let header = model::Header { cell: Some(cell.to_owned()), ..main.header.clone() };
            let definition = library.iter().next().unwrap().0;
            Edit::Header { definition, header: Box::new(header) }
        }
        2 if steps.len() > 1 => {
            let node = steps[dice.below(steps.len())];
            Edit::Move { node, parent: main.root, index: dice.below(steps.len()) }
        }
        _ => {
            let subtree = piece(dice.below(STEPS.len()), number);
            Edit::Insert { parent: main.root, index: dice.below(steps.len() + 1), subtree }
        }
    }
}

struct Robotic {
    runner: Runner,
    time_ns: i64,
    told: Vec<(u64, String)>,
    warnings: BTreeSet<String>,
}

impl Robotic {
    fn open(library: Library) -> Robotic {
        let runner = Runner::with_beside(library, Some(&beside()), nodes::registry(), site()).unwrap();
        Robotic { runner, time_ns: 0, told: Vec::new(), warnings: BTreeSet::new() }
    }

    fn tick(&mut self, requests: Vec<Request>) {
        self.time_ns += TICK_NS;
        let mut inbox = Inbox::default();
        inbox.requests.extend(requests);
        let seen = self.runner.tick(self.time_ns, inbox);
        for answer in &seen.answers {
            assert_eq!(answer.refused, None);
        }
        let names: std::collections::BTreeMap<protocol::talk::InstanceNumber, String> = self.names();
        for happening in seen.happenings {
            let text = match happening.what {
                What::Started(step) => format!("{} starts", names[&step]),
                What::Ended { step, result, outcome, reason } => {
                    format!("{} {result:?} {outcome:?} {reason:?}", names[&step])
                }
                What::Note { kind: NoteKind::Warning, text, .. } => {
                    self.warnings.insert(text.to_string());
                    continue;
                }
                What::Note { .. } | What::Run { .. } | What::Control(_) | What::Anew => continue,
            };
            self.told.push((happening.at_ms, text));
        }
    }

    fn names(&self) -> std::collections::BTreeMap<protocol::talk::InstanceNumber, String> {
        let main = self.runner.engine().library().main();
        let number = |id: NodeId| protocol::talk::instance_number(&id.into());
        main.walk(main.root).map(|id| (number(id), main.node(id).label().to_string())).collect()
    }

    fn idle_to(&mut self, time_ns: i64) {
        while self.time_ns < time_ns {
            self.tick(Vec::new());
        }
    }

    fn run(&mut self) {
        // An edit leaves next on its step: both begin with the first.
        let first = steps(self.runner.engine().library())[0];
        for what in [Control::SetNext { to: first.into() }, Control::Automatic { on: true }] {
            self.tick(vec![Request::Command { command: Given { id: 1, what }, stops: 0 }]);
        }
        let until_ns = self.time_ns + 60_000_000_000;
        while !self.runner.is_at_rest() {
            assert!(self.time_ns < until_ns, "it never ends");
            self.tick(Vec::new());
        }
    }
}

fn opened(text: &str) -> Library {
    load("main.json", &MemoryFiles::from([("main.json", text)]), nodes::registry().catalogue()).unwrap().library
}

#[test]
fn an_edited_tree_runs_as_if_it_were_saved_and_opened() {
    let (mut found, mut failed) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let mut edited = Robotic::open(opened(BEGINNING));
        edited.idle_to(500_000_000);
        let mut library = edited.runner.engine().library().clone();
        for number in 0..1 + dice.below(6) {
            let edit = random_edit(&mut dice, &library, number);
            library.apply_all(std::slice::from_ref(&edit)).unwrap();
            edited.tick(vec![Request::Edit(EditBatch { id: 1 << 63, edits: vec![edit], by: None })]);
        }
        let text = save(edited.runner.engine().library().main(), nodes::registry().catalogue());
        let mut fresh = Robotic::open(opened(&text));
        // What is seen needs a while to be sure of.
        for robot in [&mut edited, &mut fresh] {
            robot.idle_to(5_000_000_000);
            robot.run();
        }
        assert_eq!(edited.told, fresh.told, "seed {seed}: {text}");
        assert!(
            edited.warnings.is_superset(&fresh.warnings),
            "seed {seed}: {:?} {:?}",
            edited.warnings,
            fresh.warnings
        );
        found += usize::from(fresh.told.iter().any(|(_, text)| text.starts_with("find") && text.contains("Success")));
        failed += usize::from(fresh.told.iter().any(|(_, text)| text.contains("Failure")));
    }
    assert!(found > 5 && failed > 5, "steps that saw in {found} runs, that failed in {failed}: a test of something");
}

#[test]
fn a_detector_that_is_not_there_is_told_when_the_behavior_is_opened_or_edited() {
    let text = |inner: &str| format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{inner}]}}"#);
    let told =
        |robot: &Robotic, name: &str| robot.warnings.iter().any(|text| text.contains(name) && text.contains("yolo"));
    let named = STEPS[2].replace("{}", "1");
    let mut robot = Robotic::open(opened(&text(&named)));
    robot.idle_to(50_000_000);
    assert!(told(&robot, "there is no detector `clip`"), "{:?}", robot.warnings);
    let mut robot = Robotic::open(opened(&text("")));
    robot.idle_to(50_000_000);
    assert!(robot.warnings.is_empty() || !told(&robot, "clip"), "{:?}", robot.warnings);
    let root = robot.runner.engine().library().main().root;
    let edits = vec![Edit::Insert { parent: root, index: 0, subtree: piece(2, 1) }];
    robot.tick(vec![Request::Edit(EditBatch { id: 1 << 63, edits, by: None })]);
    robot.idle_to(100_000_000);
    assert!(told(&robot, "there is no detector `clip`"), "{:?}", robot.warnings);
}

#[test]
fn a_broken_template_is_told_and_no_other_takes_its_place() {
    let step = STEPS[4].replace("{}", "1");
    let text = format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{step}]}}"#);
    let mut robot = Robotic::open(opened(&text));
    robot.idle_to(50_000_000);
    assert!(robot.warnings.iter().any(|text| text.contains("templates/valve.json line 1")), "{:?}", robot.warnings);
    robot.run();
    let failed = |(_, text): &(u64, String)| text.contains("Failure") && text.contains("cannot be used");
    assert!(robot.told.iter().any(failed), "{:?}", robot.told);
}
