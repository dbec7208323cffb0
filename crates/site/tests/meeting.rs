//! Behaviors that meet a robot which is no simulation.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use engine::{Command, Control, Engine, TickInput, Verdict};
use model::file::{MemoryFiles, load};
use model::{Autonomy, Library};
use recording::Report;
use robot::interface::Phase;
use site::headless::{self, RunPlan};
use site::stub::{Script, Stub};
use site::{Around, Jobs, Site};

const RAISE: &str = r#"{"type": "arm", "name": "Raise", "by": "angles", "duration_s": 1.0,
    "angles_deg": [40.1, -22.92, 22.92, -108.86, 0.0, 0.0, 0.0]}"#;
const WAIT: &str = r#"{"type": "wait", "name": "Wait", "duration_s": 2}"#;

fn library(step: &str) -> Library {
    let text = format!(r#"{{"version": 1, "name": "all", "children": [{step}]}}"#);
    load("main.json", &MemoryFiles::from([("main.json", text)]), nodes::registry().catalogue()).unwrap().library
}

/// A behavior of one step on a stub that has these keys beside its robot.
fn meet(step: &str, stub: &str) -> (Engine, Site) {
    let text = format!(r#"{{"version": 1, "robot": "coact-one", {stub}}}"#);
    let stub = Stub::new(Script::from_text(&text, "stub.json").unwrap());
    let mut site = Site::new(Some(Box::new(stub)), Around::default(), Jobs::modelled(), nodes::registry());
    let library = library(step);
    let opened = site.open(&library, &cell::Setup::default(), Rc::new(MemoryFiles::default())).unwrap();
    (Engine::new(library, nodes::registry(), &opened.options), site)
}

fn run(step: &str, stub: &str) -> Report {
    let (mut engine, mut site) = meet(step, stub);
    let plan = RunPlan { rate_hz: 100.0, max_time_s: 30.0, realtime: false, autonomy: Autonomy::Full, seed: 0 };
    headless::run(&mut engine, &mut site, &plan, &AtomicBool::new(false))
}

#[test]
fn a_command_may_be_heard_late_and_take_as_long_as_it_likes() {
    let took_s = |stub: &str| {
        let report = run(RAISE, stub);
        assert_eq!((report.result, report.reason.as_str()), (Verdict::Success, ""));
        report.duration_s
    };
    let as_told_s = took_s(r#""answers": [{"order": "joints"}]"#);
    let slow_s = took_s(r#""answers": [{"order": "joints", "heard_after_s": 0.5, "takes_s": 3}]"#);
    assert!((1.0..1.1).contains(&as_told_s), "{as_told_s}");
    assert!((3.0..3.1).contains(&slow_s), "{slow_s}");
}

#[test]
fn what_the_robot_says_of_a_command_is_what_becomes_of_its_step() {
    for (answers, reason) in [
        (r#"{"order": "any", "ends": {"refused": "its arm is locked"}}"#, "its arm is locked"),
        (r#"{"order": "any", "ends": {"refused": "its arm is locked"}, "heard_after_s": 0.3}"#, "its arm is locked"),
        (r#"{"order": "any", "ends": {"failed": "its arm is stuck"}}"#, "its arm is stuck"),
        (r#"{"order": "hand"}"#, "the stub has no answer to `joints`"),
    ] {
        let report = run(RAISE, &format!(r#""answers": [{answers}]"#));
        assert_eq!(report.result, Verdict::Failure, "{answers}");
        assert!(report.reason.contains(reason), "{answers}: {}", report.reason);
    }
}

#[test]
fn a_robot_that_cannot_is_asked_before_it_is_told() {
    let report = run(RAISE, r#""capabilities": ["gripper"], "answers": [{"order": "any"}]"#);
    assert_eq!(report.result, Verdict::Failure);
    assert!(report.reason.contains("cannot move joints along a path"), "{}", report.reason);
}

#[test]
fn what_fails_the_robot_fails_the_run_and_what_it_tells_is_in_its_report() {
    let report = run(
        WAIT,
        r#""script": [{"at_s": 0.5, "warning": "its battery is low"}, {"at_s": 0.7, "note": "a push"},
            {"at_s": 1, "failure": "it fell"}]"#,
    );
    assert_eq!((report.result, report.reason.as_str(), report.duration_s), (Verdict::Failure, "it fell", 1.0));
    let told: Vec<(f64, &str, &str)> =
        report.log.iter().filter(|note| note.kind != "run").map(|note| (note.time_s, note.kind, &*note.text)).collect();
    assert_eq!(told, [(0.5, "warning", "its battery is low"), (0.7, "world", "a push")]);
}

#[test]
fn no_state_reaches_the_engine_that_did_not_arrive() {
    let (mut engine, mut site) =
        meet(WAIT, r#""script": [{"at_s": 0.02, "silent": true}, {"at_s": 0.05, "silent": false}]"#);
    let mut arrived = Vec::new();
    for tick in 0..8 {
        let mut input = TickInput { time_ns: tick * 10_000_000, ..TickInput::default() };
        site.tick(&mut engine, &mut input);
        arrived.extend(input.robot.map(|state| state.time_ns / 10_000_000));
    }
    assert_eq!(arrived, [0, 1, 5, 6, 7]);
}

/// A tick of a real robot is time in which it goes on.
#[test]
fn what_the_engine_gives_out_reaches_the_robot_in_the_same_tick() {
    let (mut engine, mut site) = meet(RAISE, r#""answers": [{"order": "joints"}]"#);
    let automatic = Command { id: 1, what: Control::Automatic { on: true } };
    site.tick(&mut engine, &mut TickInput { commands: vec![automatic], ..TickInput::default() });
    let driver = site.driver_mut().unwrap();
    driver.advance(5_000_000);
    assert!(matches!(driver.state().commands[0].phase, Phase::Running { .. }), "{:?}", driver.state().commands);
    site.tick(&mut engine, &mut TickInput { time_ns: 10_000_000, stop: true, ..TickInput::default() });
    let driver = site.driver_mut().unwrap();
    driver.advance(15_000_000);
    let stopped = Phase::Ended { reason: "stopped".to_owned() };
    assert_eq!(driver.state().commands[0].phase, stopped);
}

#[test]
fn a_frame_that_the_robot_knows_is_one_of_the_behavior() {
    let (mut engine, mut site) =
        meet(WAIT, r#""script": [{"at_s": 0, "place": {"name": "mug", "pose": {"x_m": 0.5}}}]"#);
    site.tick(&mut engine, &mut TickInput::default());
    let mug = engine.body().unwrap().world_from("mug").unwrap();
    assert!((mug.translation_m().x - 0.5).abs() < 1e-12);
}

#[test]
fn a_bad_file_is_told_with_every_place() {
    let wrong = |stub: &str| -> Vec<String> {
        let problems = Script::from_text(stub, "stub.json").map(|_| ()).unwrap_err();
        problems.iter().map(ToString::to_string).collect()
    };
    let one = |stub: &str, part: &str| {
        let told = wrong(stub);
        assert!(told.len() == 1 && told[0].starts_with("error: stub.json") && told[0].contains(part), "{told:?}");
    };
    one("{", "line 1");
    one(r#"{"version": 1}"#, "missing field `robot`");
    one(r#"{"version": 2, "robot": "coact-one"}"#, "[version]: 2");
    one(r#"{"version": 1, "robot": "nobody"}"#, "[robot]");
    one(r#"{"version": 1, "robot": "coact-one", "answer": []}"#, "unknown field `answer`");
    one(r#"{"version": 1, "robot": "coact-one", "start": "sleeping"}"#, "[start]: `sleeping` is no preset");
    let several = wrong(
        r#"{"version": 1, "robot": "coact-one",
            "answers": [{"order": "any"}, {"order": "hand", "takes_s": -1, "then": {"positions_m": {"neck_yaw": 1}}}],
            "script": [{"at_s": 0, "state": {"positions_deg": {"neck_jaw": 10}}}, {"at_s": 1, "every_s": 0.1},
                {"at_s": 0, "every_s": 0.000001, "until_s": 1000, "note": "often"}]}"#,
    );
    let places = [
        "[answers[1].takes_s]: -1 s",
        "[answers[1].then.positions_m]: `neck_yaw` belongs under `positions_deg`",
        "[script[0].state.positions_deg]: robot `coact-one` has no joint `neck_jaw`; did you mean `neck_yaw`?",
        "[script[1]]: what repeats has both",
        "[script[2]]: more than 100000 moments",
    ];
    assert_eq!(several.len(), places.len(), "{several:?}");
    for (told, place) in several.iter().zip(places) {
        assert!(told.contains(place), "{told} {place}");
    }
}

#[test]
fn the_same_script_gives_the_same_report() {
    let stub =
        r#""answers": [{"order": "joints", "times": 1, "ends": "never"}], "script": [{"at_s": 2, "failure": "x"}]"#;
    let [one, other] = [(); 2].map(|()| run(RAISE, stub).to_json());
    assert_eq!(one, other);
}
