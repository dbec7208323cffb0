//! A cell by itself: signals to variables, commands to signals, and what its file may get wrong.

use std::sync::Arc;

use cell::{Cell, Wires};
use engine::Sent;
use model::file::{Disk, MemoryFiles};
use model::{Problem, Value};
use serde_json::json;

fn shipped() -> Cell {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machine-tending/cell.json");
    let (cell, problems) = Cell::load(path, &Disk).expect("the example is there");
    assert!(problems.is_empty(), "{problems:?}");
    cell
}

fn parse(file: serde_json::Value) -> (Cell, Vec<Problem>) {
    Cell::parse("cell.json", &file.to_string()).expect("a cell file opens, whatever is wrong inside")
}

fn good(file: serde_json::Value) -> Cell {
    let (cell, problems) = parse(file);
    assert!(problems.is_empty(), "{problems:?}");
    cell
}

fn value_of(cell: &Cell, set: &[(&str, Value)], name: &str) -> Result<Value, String> {
    let mut signals = cell.initial();
    for (signal, value) in set {
        signals.set(signal, value.clone()).expect("the cell has the signal");
    }
    let found = cell.variables(&signals).into_iter().find(|(variable, _)| &**variable == name);
    found.expect("the variable is mapped").1
}

fn given(values: &[(&str, Value)]) -> Vec<(Arc<str>, Value)> {
    values.iter().map(|(name, value)| (Arc::from(*name), value.clone())).collect()
}

#[test]
fn the_table_of_the_spec_sheet() {
    let cell = shipped();
    // SLOT, TRAY, TESTING, PASSED, ERROR; a tray without a board is ejected at once, so `empty` asks no more.
    for (wires, slot, testing) in [
        ("00000", "empty", "failed"),
        ("01000", "empty", "failed"),
        ("10000", "ejected", "failed"),
        ("10010", "ejected", "passed"),
        ("11100", "full", "testing"),
        ("11110", "full", "testing"),
        ("11000", "full", "failed"),
        ("11101", "full", "error"),
        ("00001", "empty", "error"),
    ] {
        let names = ["SLOT_2", "TRAY_2", "TESTING_2", "PASSED_2", "ERROR_2"];
        let set: Vec<(&str, Value)> =
            names.into_iter().zip(wires.chars()).map(|(name, level)| (name, Value::Bool(level == '1'))).collect();
        assert_eq!(value_of(&cell, &set, "slot_2"), Ok(Value::text(slot)), "{wires}");
        assert_eq!(value_of(&cell, &set, "testing_2"), Ok(Value::text(testing)), "{wires}");
        assert_eq!(value_of(&cell, &set, "slot_1"), Ok(Value::text("empty")), "{wires}");
    }
}

#[test]
fn commands_set_signals() {
    let cell = shipped();
    assert_eq!(cell.outputs("grip", &[]), Ok(given(&[("GRIPPER", true.into())])));
    assert_eq!(cell.outputs("release", &[]), Ok(given(&[("GRIPPER", false.into())])));
    assert_eq!(cell.outputs("inserted", &given(&[("tester", 1.0.into())])), Ok(Vec::new()));
    for (command, values, why) in [
        ("Grip", vec![], "the cell has no command `Grip`; did you mean `grip`?"),
        ("inserted", vec![], "command `inserted` needs the value `tester`"),
        ("grip", given(&[("force", 3.0.into())]), "command `grip` has no value `force`; it has none"),
    ] {
        assert_eq!(cell.outputs(command, &values), Err(why.to_owned()));
    }
}

#[test]
fn numbers_are_scaled_and_computed() {
    let cell = good(json!({
        "version": 1,
        "signals": {
            "FT_X": {"kind": "number"}, "SPEED": {"kind": "number", "unit": "%"}, "MODE": {"kind": "text", "initial": "idle"}
        },
        "variables": {
            "force": {"signal": "FT_X", "scale": 0.5, "offset": -1, "unit": "N"},
            "raw": {"signal": "FT_X"},
            "double": "FT_X * 2",
            "mode": "MODE + '!'"
        },
        "commands": {"drive": {"values": ["speed_m_s"], "signals": {"SPEED": "clamp(speed_m_s / 2 * 100, 0, 100)"}}}
    }));
    let set = [("FT_X", Value::Number(10.0))];
    assert_eq!(value_of(&cell, &set, "force"), Ok(4.0.into()));
    assert_eq!(value_of(&cell, &set, "raw"), Ok(10.0.into()));
    assert_eq!(value_of(&cell, &set, "double"), Ok(20.0.into()));
    assert_eq!(value_of(&cell, &set, "mode"), Ok("idle!".into()));
    assert_eq!(cell.outputs("drive", &given(&[("speed_m_s", 1.5.into())])), Ok(given(&[("SPEED", 75.0.into())])));
    let wrong = cell.outputs("drive", &given(&[("speed_m_s", "fast".into())])).unwrap_err();
    assert!(wrong.contains("`clamp(speed_m_s / 2 * 100, 0, 100)` for signal `SPEED`"), "{wrong}");
    let mut signals = cell.initial();
    assert!(signals.set("FT_X", true.into()).unwrap_err().contains("carries a number"));
    assert!(signals.set("FT_Y", 1.0.into()).unwrap_err().contains("no signal `FT_Y`"));
}

fn level() -> Cell {
    good(json!({
        "version": 1,
        "signals": {"LEVEL": {"kind": "number"}, "TRIGGER": {}},
        "variables": {
            "tank": [{"value": "high", "when": "LEVEL > 8"}, {"value": "low", "when": "LEVEL < 2"}],
            "camera": [{"value": "busy", "when": "TRIGGER"}, {"value": "ready"}]
        },
        "commands": {"take_picture": {"signals": {"TRIGGER": true}, "pulse_s": 0.1}, "hold": {"signals": {"TRIGGER": true}}}
    }))
}

#[test]
fn a_variable_keeps_its_value_between_thresholds() {
    let mut wires = Wires::new(level().into());
    let mut seen = Vec::new();
    for number in [0.0, 5.0, 9.0, 5.0, 8.0, 1.0, 1.5] {
        wires.set("LEVEL", number.into()).unwrap();
        seen.push(wires.take_variables(&mut |why| panic!("{why}")).len());
    }
    assert_eq!(seen, [0, 0, 1, 0, 0, 1, 0], "only changes are reported");
}

#[test]
fn a_pulse_falls_back() {
    let mut wires = Wires::new(level().into());
    let sent = |command: &str| Sent { command: command.into(), values: Vec::new() };
    let ms = |ms: i64| ms * 1_000_000;
    let camera = |wires: &mut Wires| wires.take_variables(&mut |why| panic!("{why}")).pop().map(|(_, value)| value);
    wires.send(ms(10), &sent("take_picture")).unwrap();
    assert_eq!(wires.take_outputs(), given(&[("TRIGGER", true.into())]));
    assert_eq!(camera(&mut wires), Some("busy".into()));
    wires.advance(ms(100));
    assert_eq!(camera(&mut wires), None);
    wires.send(ms(100), &sent("take_picture")).unwrap();
    wires.advance(ms(199));
    assert_eq!(camera(&mut wires), None, "sent again, the pulse lasts longer");
    wires.advance(ms(200));
    assert_eq!(wires.take_outputs(), given(&[("TRIGGER", false.into())]));
    assert_eq!(camera(&mut wires), Some("ready".into()));
    wires.send(ms(300), &sent("take_picture")).unwrap();
    wires.send(ms(310), &sent("hold")).unwrap();
    wires.advance(ms(9000));
    assert_eq!(wires.signals().get("TRIGGER"), Some(&true.into()), "a command without a pulse stays");
    assert!(wires.send(ms(9000), &sent("dance")).is_err());
}

#[track_caller]
fn check(file: serde_json::Value, expected: &[&str]) {
    let (_, problems) = parse(file);
    let found: Vec<String> = problems.iter().map(|problem| problem.to_string().replace("\n   ", "")).collect();
    assert_eq!(found, expected);
    assert!(problems.iter().all(|problem| !problem.remedy.is_empty()));
}

#[test]
fn everything_wrong_is_said_at_once() {
    check(
        json!({
            "version": 2,
            "signal": {},
            "signals": {
                "A": {"kind": "boolean"},
                "B": {"kind": "bool", "initial": 3},
                "1C": {},
                "N": {"kind": "number"},
                "LEFT_OVER": {}
            },
            "variables": {
                "a": [{"value": 1, "when": "A && MISSING_1 && MISSING_2"}, {"when": "B"}],
                "b": [],
                "c": {"signal": "b"},
                "d": [{"value": 1, "when": "A &&"}, {"value": 2, "when": "free('arm')"}, {"value": 3, "when": "random() < 0.5"}],
                "e": [{"value": 1}, {"value": 2, "when": "A || N > 0 || B"}],
                "f": {"signal": "A", "scale": 2},
                "g": {},
                "h": [{"value": 1, "when": "N"}]
            },
            "commands": {
                "go": {"signals": {"X": true, "A": 3, "N": "speed"}, "pulse_s": 0},
                "stop": {"values": ["a", "a"], "pulse_s": 1}
            }
        }),
        &[
            "error: cell.json [signal]: `signal` is not known here take it out; there are `version`, `notes`, `signals`, \
             `variables`, `commands`",
            "error: cell.json [version]: version 2 is not known; known: 1 use the program that wrote the file, or a newer \
             one than this",
            "error: cell.json /signals/A [kind]: `boolean` is not a kind of signal write \"bool\", \"number\" or \"text\"",
            "error: cell.json /signals/B [initial]: `initial` is a number (3), but the signal carries true or false change \
             `initial` or `kind`",
            "error: cell.json /signals/1C: expressions cannot say the name `1C` use a-z, A-Z, 0-9, _ and dots between; do \
             not begin with a digit",
            "error: cell.json /variables/a/case 1 [when]: `A && MISSING_1 && MISSING_2`: there is no signal `MISSING_1` \
             declare it under `signals`; there are `A`, `B`, `1C`, `N`, `LEFT_OVER`",
            "error: cell.json /variables/a/case 1 [when]: `A && MISSING_1 && MISSING_2`: there is no signal `MISSING_2` \
             declare it under `signals`; there are `A`, `B`, `1C`, `N`, `LEFT_OVER`",
            "error: cell.json /variables/a/case 2 [value]: the case has no value give the variable's value in `value`",
            "error: cell.json /variables/b [cases]: the variable has no cases give at least one, or take it out",
            "error: cell.json /variables/c [signal]: there is no signal `b` declare it under `signals`; did you mean `B`?",
            "error: cell.json /variables/d/case 1 [when]: `A &&`: `A &&` is not complete: something is missing after column \
             4 mend it at column 4",
            "error: cell.json /variables/d/case 2 [when]: `free('arm')`: a cell knows no tokens use only the signals; the \
             behavior does the rest",
            "error: cell.json /variables/d/case 3 [when]: `random() < 0.5`: a cell knows no chance use only the signals; \
             the behavior does the rest",
            "warning: cell.json /variables/e/case 1: a case without `when` always holds: those behind it are never reached \
             give it a `when`, or move it to the end",
            "error: cell.json /variables/f [signal]: `A` carries true or false, and only a number can be scaled take out \
             `scale` and `offset`",
            "error: cell.json /variables/g: a variable follows exactly one of `cases`, `expression` and `signal` write a \
             list of cases: [{\"value\": …, \"when\": \"…\"}, {\"value\": …}]",
            "error: cell.json /commands/go [signals]: there is no signal `X` declare it under `signals`; there are `A`, \
             `B`, `1C`, `N`, `LEFT_OVER`",
            "error: cell.json /commands/go [A]: `A` carries true or false, not a number (3) change what the command sets, \
             or the signal's `kind`",
            "error: cell.json /commands/go [N]: `speed`: there is no value `speed` declare it under `values`; it has none",
            "error: cell.json /commands/go [pulse_s]: a pulse lasts longer than 0 s write its length in seconds",
            "error: cell.json /commands/stop [values]: `a` is written twice take one of them out",
            "warning: cell.json /commands/stop [pulse_s]: the command has a pulse but sets no signals name the `signals` it \
             sets, or take `pulse_s` out",
            "warning: cell.json /signals/1C: no variable reads this signal and no command sets it use it, or take it out",
            "warning: cell.json /signals/LEFT_OVER: no variable reads this signal and no command sets it use it, or take \
             it out",
            "error: cell.json /variables/f: with the initial signals: signal `A` carries true or false, and only a number \
             can be scaled mend the mapping, or the initial values",
            "error: cell.json /variables/h: with the initial signals: `N` cannot be judged: a condition needs true or \
             false, not a number mend the mapping, or the initial values",
        ],
    );
}

#[test]
fn a_key_written_twice_is_reported() {
    let text = r#"{"version": 1, "signals": {"A": {}, "A": {"kind": "number"}}, "variables": {"a": {"signal": "A"}}}"#;
    let (cell, problems) = Cell::parse("cell.json", text).unwrap();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].message, "`A` is written twice; the last one counts");
    assert_eq!((problems[0].path.as_str(), cell.signals.len()), ("/signals", 1));
}

#[test]
fn what_is_no_cell_file_is_an_error() {
    let files =
        MemoryFiles::from([("list.json", "[]"), ("broken.json", "{\"version\": 1,"), ("deep.json", &"[".repeat(9999))]);
    for path in ["list.json", "broken.json", "deep.json", "missing.json"] {
        let problem = Cell::load(path, &files).unwrap_err();
        assert!(problem.is_error() && !problem.remedy.is_empty(), "{problem}");
    }
}

#[test]
fn odd_forms_are_reported_and_never_panic() {
    for odd in [
        json!(null),
        json!(3),
        json!("x"),
        json!([1]),
        json!({"x": 1}),
        json!([{}]),
        json!({"values": 3, "signals": 4}),
    ] {
        for section in ["signals", "variables", "commands", "notes", "version"] {
            let (_, problems) = parse(json!({"version": 1, section: odd}));
            let (_, inner) = parse(json!({"version": 1, "signals": {"A": {}}, section: {"a": odd}}));
            let fine = section == "notes" && odd.is_string();
            assert!(fine || !(problems.is_empty() && inner.is_empty()), "{section}: {odd}");
        }
    }
}
