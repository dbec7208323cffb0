//! Environments: a second tree hears the robot's commands, sees its output signals and sets the signals it sees.

use std::sync::Arc;

use cell::{EnvironmentState, Setup, Surroundings};
use engine::{Command, Control, Engine, Options, TickInput, TickOutput};
use model::file::MemoryFiles;
use model::{Problem, Value};
use serde_json::{Value as Json, json};

const TICK_NS: i64 = 100_000_000;

fn cell_file() -> Json {
    json!({
        "version": 1,
        "signals": {"LAMP": {}, "SHUTTER": {}, "COUNT": {"kind": "number"}},
        "variables": {
            "lamp": [{"value": "on", "when": "LAMP"}, {"value": "off"}],
            "count": {"signal": "COUNT"},
            "shutter": [{"value": "open", "when": "SHUTTER"}, {"value": "shut"}]
        },
        "commands": {
            "switch": {"values": ["lamp"]},
            "shoot": {"signals": {"SHUTTER": true}, "pulse_s": 0.25}
        }
    })
}

struct Run {
    robot: Engine,
    surroundings: Surroundings,
    output: TickOutput,
    time_ns: i64,
}

type Started = Result<(Run, Vec<Problem>), Box<Problem>>;

fn try_start(robot: Json, environment: Option<Json>, cell: Option<Json>) -> Started {
    let tree = |children: Json| json!({"version": 1, "cell": "cell.json", "children": children}).to_string();
    let mut files = MemoryFiles::from([("robot.json", tree(robot))]);
    if let Some(environment) = &environment {
        let text = if environment.is_array() { tree(environment.clone()) } else { environment.to_string() };
        files.insert("env/environment.json", text);
    }
    if let Some(cell) = cell {
        files.insert("cell.json", cell.to_string());
    }
    let registry = nodes::registry();
    let loaded = model::file::load("robot.json", &files, registry.catalogue()).expect("it is there");
    let setup = Setup { environment: environment.as_ref().map(|_| "env/environment.json"), ..Setup::default() };
    let (surroundings, problems) = Surroundings::load(&loaded.library, &setup, &files, registry.clone())?;
    let options = Options { world: surroundings.world(), ..Options::default() };
    let robot = Engine::new(loaded.library, registry, &options);
    Ok((Run { robot, surroundings, output: TickOutput::default(), time_ns: 0 }, problems))
}

fn start(robot: Json, environment: Json) -> Run {
    let (run, problems) = try_start(robot, Some(environment), Some(cell_file())).unwrap_or_else(|why| panic!("{why}"));
    assert!(problems.is_empty(), "{problems:?}");
    run
}

impl Run {
    /// One tick; gives what the robot was told.
    fn tick(&mut self) -> Vec<(Arc<str>, Value)> {
        let mut input = TickInput { time_ns: self.time_ns, ..TickInput::default() };
        if self.time_ns == 0 {
            input.commands.push(Command { id: 1, what: Control::Automatic { on: true } });
        }
        self.surroundings.before_tick(self.time_ns, &self.output, &mut input);
        self.output.clone_from(self.robot.tick(&input));
        self.time_ns += TICK_NS;
        input.signals
    }

    fn told(&mut self, ticks: usize) -> Vec<String> {
        let mut told = Vec::new();
        for tick in 0..ticks {
            told.extend(self.tick().into_iter().map(|(name, value)| format!("{tick} {name}={value}")));
        }
        told
    }
}

#[test]
fn it_hears_commands_and_answers_with_signals() {
    let robot = json!([
        {"type": "send", "command": "switch", "values": {"lamp": 1}},
        {"type": "wait", "duration_s": 0.2},
        {"type": "send", "command": "switch", "values": {"lamp": 2}},
        {"type": "wait_until", "condition": "lamp == 'on'"}
    ]);
    let environment = json!([
        {"type": "receive", "command": "switch", "only": {"lamp": 2}, "values": {"lamp": "which"}},
        {"type": "set", "values": {"LAMP": true, "COUNT": "which * 10"}}
    ]);
    let mut run = start(robot, environment);
    // Sent in tick 2, heard in 3; the value is a variable in 4, and what is set there reaches the robot in the same tick.
    assert_eq!(run.told(8), ["4 lamp=on", "4 count=20"]);
    assert_eq!(run.surroundings.environment_state(), &EnvironmentState::Ended);
    assert!(run.surroundings.take_warnings().is_empty());
}

#[test]
fn it_sees_output_signals_and_pulses() {
    let robot = json!([{"type": "send", "command": "shoot"}, {"type": "wait", "duration_s": 1}]);
    let environment = json!([
        {"type": "wait_until", "condition": "SHUTTER"},
        {"type": "set", "values": {"COUNT": "COUNT + 1"}},
        {"type": "wait_until", "condition": "!SHUTTER"},
        {"type": "set", "values": {"COUNT": "COUNT + 1"}}
    ]);
    let mut run = start(robot, environment);
    assert_eq!(run.told(8), ["1 count=1", "1 shutter=open", "4 count=2", "4 shutter=shut"]);
}

#[test]
fn one_that_ended_leaves_its_signals() {
    let mut run = start(json!([{"type": "wait", "duration_s": 1}]), json!([{"type": "set", "values": {"LAMP": true}}]));
    assert_eq!(run.told(12), ["0 lamp=on"]);
    assert_eq!(run.surroundings.environment_state(), &EnvironmentState::Ended);
    assert_eq!(run.surroundings.failure(), None);
    assert_eq!(run.robot.variable("lamp"), Some(&"on".into()));
}

#[test]
fn one_that_fails_stops_the_robot_and_names_its_step() {
    let robot = json!([{"type": "wait", "name": "Work", "duration_s": 9}]);
    let fallback = json!({"type": "fallback", "children": [
        {"type": "always_fail", "name": "Caught", "reason": "smoke"}, {"type": "wait", "duration_s": 0.3}]});
    let broken = json!({"type": "sequence", "name": "Fire", "children": [
        {"type": "always_fail", "name": "Burn down", "reason": "smoke"}]});
    let mut run = start(robot, json!([fallback, broken]));
    run.told(6);
    assert_eq!(run.surroundings.failure(), Some("the environment failed at /Fire/Burn down: smoke"));
    assert!(run.robot.running().is_empty(), "the robot is stopped");
}

#[test]
fn a_value_a_signal_cannot_carry_fails_it() {
    let mut run = start(json!([{"type": "wait"}]), json!([{"type": "set", "name": "Slip", "values": {"LAMP": 3}}]));
    run.told(2);
    let expected = "the environment's step /Slip cannot be: signal `LAMP` carries true or false, not a number (3)";
    assert_eq!(run.surroundings.failure(), Some(expected));
}

#[test]
fn a_cell_works_without_an_environment() {
    let robot = json!([{"type": "send", "command": "shoot"}, {"type": "wait_until", "condition": "lamp == 'on'"}]);
    let (mut run, problems) = try_start(robot, None, Some(cell_file())).unwrap();
    assert!(problems.is_empty());
    assert_eq!(run.surroundings.environment_state(), &EnvironmentState::Absent);
    assert_eq!(run.told(2), ["1 shutter=open"]);
    run.surroundings.wires_mut().set("LAMP", true.into()).unwrap();
    assert_eq!(run.told(1), ["0 lamp=on"]);
    assert!(matches!(run.robot.run_state(), engine::RunState::Ended(end) if end.verdict == engine::Verdict::Success));
}

#[test]
fn what_trees_get_wrong_about_the_cell_is_found_before_a_run() {
    let robot = json!([
        {"type": "send", "name": "A", "command": "Switch"},
        {"type": "send", "name": "B", "command": "switch", "values": {"lmp": 1}}
    ]);
    let environment = json!({
        "version": 1, "cell": "../cell.json", "variables": {"LAMP": false},
        "children": [
            {"type": "receive", "name": "C", "command": "swtch"},
            {"type": "receive", "name": "D", "command": "switch", "only": {"tester": 1}},
            {"type": "set", "name": "E", "values": {"SHUTTER": true}}
        ]
    });
    let (mut run, problems) = try_start(robot, Some(environment), Some(cell_file())).unwrap();
    let found: Vec<String> = problems.iter().map(|problem| format!("{} {}", problem.path, problem.message)).collect();
    assert_eq!(
        found,
        [
            "/A the cell has no command `Switch`; did you mean `switch`?",
            "/B command `switch` has no value `lmp`; there are `lamp`",
            "/B command `switch` needs the value `lamp`",
            "/C the cell has no command `swtch`; there are `switch`, `shoot`",
            "/D command `switch` has no value `tester`; there are `lamp`",
            "/E signal `SHUTTER` is set by commands of the robot, not by its environment",
            "/ `LAMP` is a signal of the cell, and this declaration hides it",
        ]
    );
    run.told(3);
    assert_eq!(run.surroundings.take_warnings().len(), 2, "a run with such commands warns and goes on");
}

#[test]
fn missing_files_are_errors() {
    let missing = try_start(json!([]), Some(json!([])), None).map(|_| ()).unwrap_err();
    assert_eq!(missing.message, "there is no file cell.json");
    let registry = nodes::registry();
    let files = MemoryFiles::from([("bare.json", BARE)]);
    let behavior = model::file::load("bare.json", &files, registry.catalogue()).unwrap().library;
    let setup = Setup { environment: Some("bare.json"), ..Setup::default() };
    let without = Surroundings::load(&behavior, &setup, &files, registry).map(|_| ()).unwrap_err();
    assert_eq!(without.message, "an environment sets the signals of a cell, and no cell is given");
}

const BARE: &str = r#"{"version": 1, "children": [{"type": "send", "command": "hello"}]}"#;

#[test]
fn a_behavior_without_a_cell_may_send_what_it_likes() {
    let registry = nodes::registry();
    let files = MemoryFiles::from([("bare.json", BARE)]);
    let behavior = model::file::load("bare.json", &files, registry.catalogue()).unwrap().library;
    let (mut surroundings, problems) =
        Surroundings::load(&behavior, &Setup::default(), &files, registry).map_err(Box::new).unwrap();
    let mut input = TickInput::default();
    let sent = vec![engine::Sent { command: "hello".into(), values: Vec::new() }];
    surroundings.before_tick(0, &TickOutput { sent, ..TickOutput::default() }, &mut input);
    assert!(problems.is_empty() && surroundings.take_warnings().is_empty());
    assert_eq!(input, TickInput::default());
}
