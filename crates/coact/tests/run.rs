use crate::common;

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use common::{behavior, coact, command, file, folder};
use expect_test::expect;
use serde_json::Value as Json;

const WAVE: &str = "examples/first/walk-and-wave.json";

#[test]
fn layering_makes_the_first_example_shorter() {
    let after_each_other = coact(&["run", "--json", "examples/first/in-sequence.json"]);
    let layered = coact(&["run", "--json", WAVE]);
    assert_eq!((after_each_other.code, layered.code), (0, 0));
    assert_eq!(after_each_other.json()["duration_s"], 11.7);
    assert_eq!(layered.json()["duration_s"], 7.6);
}

#[test]
fn the_timeline_is_what_people_see() {
    let ran = coact(&["run", WAVE]);
    expect![[r#"
        step                  start s    end s  result   0 s          2             4            6
        Walk                     0.00     7.60  success  ███████████████████████████████████████████████████
        Before the right arm     0.00     1.00  success  ███████
        Before the left arm      0.00     2.50  success  █████████████████
        Right arm                1.00     3.05  success         █████████████
        Left arm                 2.50     4.55  success                   ██████████████

        success after 7.6 s
    "#]]
    .assert_eq(&ran.out);
    assert_eq!(ran.err, "");
}

#[test]
fn columns_and_ascii_are_honoured() {
    let output = command(&["run", "--ascii", WAVE]).env("COLUMNS", "60").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.is_ascii(), "{text}");
    assert!(text.lines().all(|line| line.len() <= 60), "{text}");
    assert!(text.contains("==="), "{text}");
}

#[test]
fn json_has_the_keys_and_types_of_the_contract() {
    let ran = coact(&["run", "--json", "--seed", "3", "examples/recover/try-again.json"]);
    let report = ran.json();
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(report["result"], "success");
    assert!(report["reason"].is_string());
    assert!(report["duration_s"].is_f64() && report["ticks"].is_u64() && report["blackboard"].is_object());
    assert_eq!(report["seed"], 3);
    assert_eq!(report["blackboard"]["tries"], 3);
    let steps = report["steps"].as_array().expect("a list");
    let starts: Vec<f64> = steps.iter().filter_map(|step| step["start_s"].as_f64()).collect();
    assert_eq!(starts.len(), steps.len());
    assert!(starts.is_sorted());
    for step in steps {
        for key in ["node", "id", "path", "type", "result", "reason"] {
            assert!(step[key].is_string(), "{key} of {step}");
        }
        assert!(step["end_s"].is_number(), "{step}");
    }
    let grasp = steps.iter().find(|step| step["node"] == "Grasp").expect("it ran");
    assert_eq!(grasp["result"], "failure");
    assert_eq!(grasp["outcome"], "slipped");
    assert_eq!(grasp["path"], "/Grasp or recover/Grasp");
    for key in ["changes", "holds", "sent", "log"] {
        assert!(report[key].is_array(), "{key}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_another_run() {
    let file = behavior(
        "seeds",
        r#"{"type": "set", "values": {"speed": "random()"}}, {"type": "stand_in", "duration_s": 1, "fails_if": "speed > 0.5"}"#,
    );
    let first = coact(&["run", "--json", "--seed", "5", &file]);
    assert_eq!(first.out, coact(&["run", "--json", "--seed", "5", &file]).out);
    assert_ne!(first.out, coact(&["run", "--json", "--seed", "6", &file]).out);
    let many = coact(&["run", "--json", "--seed", "5", "--repeat", "20", &file]);
    let lines: Vec<&str> = many.out.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[0], first.out.trim_end());
    let seeds: Vec<u64> =
        lines.iter().filter_map(|line| serde_json::from_str::<Json>(line).ok()?["seed"].as_u64()).collect();
    assert_eq!(seeds, (5..25).collect::<Vec<u64>>());
    assert_eq!(many.code, 1, "some of these seeds fail");
}

#[test]
fn repeated_runs_are_summed_up() {
    let ran = coact(&["run", "--repeat", "3", "--seed", "9", WAVE]);
    assert_eq!(ran.code, 0);
    expect![[r#"
        seed 9: success after 7.6 s
        seed 10: success after 7.6 s
        seed 11: success after 7.6 s
        3 of 3 runs succeeded
    "#]]
    .assert_eq(&ran.out);
}

#[test]
fn exit_codes_tell_what_happened() {
    let fails = behavior("fails", r#"{"type": "always_fail", "reason": "the door is locked"}"#);
    let ran = coact(&["run", "--quiet", &fails]);
    assert_eq!((ran.code, ran.out.as_str()), (1, "failure after 0 s: the door is locked\n"));
    for wrong in [
        &["run"][..],
        &["run", "nowhere.json"],
        &["run", "examples"],
        &["run", WAVE, "--rate", "0"],
        &["run", WAVE, "--rate", "NaN"],
        &["run", WAVE, "--max-time", "-1"],
        &["run", WAVE, "--repeat", "0"],
        &["run", WAVE, "--seed", "-1"],
        &["run", WAVE, "--autonomy", "some"],
        &["rnu", WAVE],
        &[],
    ] {
        let ran = coact(wrong);
        assert_eq!(ran.code, 2, "{wrong:?}");
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{wrong:?}");
    }
    assert!(coact(&["chekc"]).err.contains("'check'"));
    assert_eq!(coact(&["--version"]).code, 0);
    assert_eq!(coact(&["run", "--help"]).code, 0);
}

const TEND: [&str; 4] =
    ["run", "examples/machine-tending/tend.json", "--env", "examples/machine-tending/environment.json"];

#[test]
fn a_cell_and_an_environment_surround_a_behavior() {
    let args = [&TEND[..], &["--set", "boards=2", "--json", "--seed", "4"]].concat();
    let ran = coact(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out, coact(&args).out);
    let report = ran.json();
    assert!(report["sent"].as_array().is_some_and(|sent| sent.iter().any(|each| each["command"] == "inserted")));
    assert!(report["changes"].as_array().is_some_and(|changes| changes.iter().any(|each| each["scope"].is_null())));
}

#[test]
fn surroundings_that_are_wrong_are_refused() {
    let broken = behavior("broken-env", r#"{"type": "receive", "command": "insertd"}"#);
    for (args, said) in [
        ([TEND[1], "--env", "nowhere.json"], "there is no file nowhere.json"),
        ([TEND[1], "--cell", "nowhere.json"], "there is no file nowhere.json"),
        ([TEND[1], "--env", &broken], "insertd"),
        ([WAVE, "--env", TEND[3]], ""),
        ([WAVE, "--env", &broken], "no cell is given"),
    ] {
        let ran = coact(&[&["run", "--set", "boards=1"][..usize::from(args[0] == TEND[1]) * 2 + 1], &args].concat());
        assert_eq!(ran.code, if said.is_empty() { 0 } else { 2 }, "{args:?} {}", ran.err);
        assert!(ran.err.contains(said), "{args:?} {}", ran.err);
    }
}

#[test]
fn an_environment_that_fails_fails_the_run() {
    let folder = folder("failing-env");
    let place = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, text: &str| std::fs::write(place(name), text).expect("a file");
    write("cell.json", r#"{"version": 1, "signals": {"GO": {}}, "variables": {"go": "GO"}, "commands": {"drop": {}}}"#);
    write(
        "robot.json",
        r#"{"version": 1, "cell": "cell.json", "children": [{"type": "send", "command": "drop"}, {"type": "wait_until", "condition": "go"}]}"#,
    );
    write(
        "env.json",
        r#"{"version": 1, "cell": "cell.json", "children": [{"type": "receive", "command": "drop"}, {"type": "always_fail", "name": "Watch", "reason": "it was dropped"}]}"#,
    );
    let ran = coact(&["run", "--json", &place("robot.json"), "--env", &place("env.json")]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report = ran.json();
    assert_eq!(report["result"], "failure");
    assert_eq!(report["reason"], "the environment failed at /Watch: it was dropped");
}

#[test]
fn variables_are_set_by_name() {
    let file = "examples/recover/try-again.json";
    let ran = coact(&["run", "--json", "--set", "slips=0", file]);
    assert_eq!(ran.json()["blackboard"]["tries"], 1);
    let ran = coact(&["run", "--json", "--set", "slips=9", file]);
    assert_eq!((ran.code, &ran.json()["result"]), (1, &Json::from("failure")));
    for (given, wrong) in [
        (
            "slip=1",
            "coact: --set slip=1: examples/recover/try-again.json has no variable `slip`; did you mean `slips`?\n",
        ),
        (
            "altitude=1",
            "coact: --set altitude=1: examples/recover/try-again.json has no variable `altitude`; it has `tries`, `slips`\n",
        ),
        (
            "right_hand_force_n=99",
            "coact: --set right_hand_force_n=99: examples/recover/try-again.json has no variable `right_hand_force_n`; it has `tries`, `slips`\n",
        ),
        ("slips", "coact: --set slips: write NAME=VALUE, as in --set speed=0.5\n"),
        (
            "slips=null",
            "coact: --set slips=null: null is no value; leave the option out to keep the variable as it is\n",
        ),
    ] {
        let ran = coact(&["run", "--set", given, file]);
        assert_eq!((ran.code, ran.err.as_str()), (2, wrong));
    }
}

#[test]
fn an_input_without_a_default_must_be_given() {
    let file =
        file("inputs", r#"{"version": 1, "inputs": {"side": {}}, "children": [{"type": "log", "value": "side"}]}"#);
    let ran = coact(&["run", &file]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.ends_with("needs the input `side`, which has no default: give it with --set side=VALUE\n"));
    assert_eq!(coact(&["run", "-q", "--set", "side=left", &file]).out, "success after 0 s\n");
}

#[test]
fn a_value_is_json_or_else_text() {
    let file = behavior("texts", r#"{"type": "checkpoint"}"#);
    for (given, value) in [
        ("speed=2.5", Json::from(2.5)),
        ("speed=fast", Json::from("fast")),
        ("speed=\"2\"", Json::from("2")),
        ("speed=[1, 2]", Json::from(vec![1, 2])),
        ("speed=a=b", Json::from("a=b")),
        ("speed=", Json::from("")),
    ] {
        assert_eq!(coact(&["run", "--json", "--set", given, &file]).json()["blackboard"]["speed"], value, "{given}");
    }
}

#[test]
fn a_file_with_errors_does_not_run() {
    let file = behavior("errors", r#"{"type": "wait", "duration_s": -1}, {"type": "wiat"}"#);
    let ran = coact(&["run", &file]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("must be at least 0 s") && ran.err.contains("did you mean `wait`?"), "{}", ran.err);
    assert!(ran.err.ends_with("has 2 errors: mend it first\n"), "{}", ran.err);
}

#[test]
fn a_step_that_waits_for_an_operator_ends_the_run_with_the_reason() {
    let file =
        behavior("gate", r#"{"type": "wait", "duration_s": 1}, {"type": "wait", "name": "Lift", "autonomy": "high"}"#);
    assert_eq!(coact(&["run", "-q", &file]).out, "success after 5 s\n");
    let ran = coact(&["run", "--json", "--autonomy", "high", &file]);
    assert_eq!(ran.code, 1);
    let report = ran.json();
    assert_eq!(report["result"], "failure");
    assert_eq!(report["reason"], "`Lift` waits for ever: needs an autonomy level above high, the operator's is high");
    assert_eq!(report["holds"][0]["path"], "/Lift");
    let inside = format!(
        r#"{{"type": "parallel", "children": [{}]}}"#,
        r#"{"type": "wait", "name": "Lift", "autonomy": "high"}"#
    );
    let inside = behavior("gate-inside", &inside);
    assert!(coact(&["run", "-q", "--autonomy", "low", &inside]).out.starts_with("failure after 0.0"));
}

#[test]
fn a_result_that_waits_for_an_operator_ends_the_run_with_the_reason() {
    let reach =
        r#"{"type": "always_succeed", "name": "Reach", "outcome": "reached", "outcome_autonomy": {"reached": "high"}}"#;
    let file = behavior("result", reach);
    let report = coact(&["run", "--json", &file]).json();
    assert_eq!((&report["result"], &report["outcome"]), (&Json::from("success"), &Json::from("reached")));
    let report = coact(&["run", "--json", "--autonomy", "high", &file]).json();
    assert_eq!(report["result"], "failure");
    let why = "`Reach` ended in success \"reached\", which needs an autonomy level above high, the operator's is high";
    assert_eq!(report["reason"], format!("its result waits for ever: {why}"));
    assert_eq!(report["holds"][0]["why"], why);
}

#[test]
fn a_timeout_still_counts_while_a_gate_holds() {
    let file = behavior(
        "gate-timeout",
        r#"{"type": "parallel", "timeout_s": 2, "children": [{"type": "wait", "autonomy": "high"}]}"#,
    );
    let ran = coact(&["run", "--json", "--autonomy", "low", &file]).json();
    assert_eq!((&ran["result"], &ran["duration_s"]), (&Json::from("failure"), &Json::from(2.0)));
}

#[test]
fn a_run_does_not_go_on_for_ever() {
    let file = behavior("endless", r#"{"type": "loop", "children": [{"type": "wait", "duration_s": 0.5}]}"#);
    let ran = coact(&["run", "--json", "--max-time", "20", &file]);
    assert_eq!(ran.code, 1);
    let report = ran.json();
    assert_eq!(report["result"], "halted");
    assert_eq!(report["reason"], "stopped after 20 s of simulated time (--max-time)");
    assert_eq!(report["duration_s"], 20.0);
    let text = coact(&["run", "--max-time", "20", &file]);
    assert!(text.out.contains("wait x"), "{}", text.out);
}

#[test]
fn a_loop_without_time_is_summarised() {
    let file = behavior("spin", r#"{"type": "loop", "children": [{"type": "log", "text": "round"}]}"#);
    let ran = coact(&["run", "--max-time", "30", &file]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.lines().count() < 300, "{}", ran.out.lines().count());
    assert!(ran.out.contains("more lines; --json has all of them"));
}

#[test]
fn the_rate_changes_the_grain_not_the_result() {
    let slow = coact(&["run", "--json", "--rate", "20", WAVE]).json();
    let fast = coact(&["run", "--json", "--rate", "1000", WAVE]).json();
    assert_eq!((&slow["duration_s"], &fast["duration_s"]), (&Json::from(7.6), &Json::from(7.6)));
    assert_eq!((&slow["ticks"], &fast["ticks"]), (&Json::from(153), &Json::from(7601)));
}

#[test]
fn realtime_takes_its_time() {
    let file = behavior("realtime", r#"{"type": "wait", "duration_s": 0.2}"#);
    let start = std::time::Instant::now();
    assert_eq!(coact(&["run", "--realtime", "-q", &file]).out, "success after 0.2 s\n");
    assert!(start.elapsed().as_secs_f64() >= 0.2);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for args in [&["nodes"][..], &["run", WAVE], &["run", "--json", "--repeat", "50", WAVE], &["show", WAVE]] {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
        assert_eq!(err, "", "{args:?}");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_behavior_and_tells_what_happened() {
    let file = behavior("interrupt", r#"{"type": "wait", "duration_s": 0.05}"#);
    let args = ["run", "--realtime", "--repeat", "100000", &file];
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map(|line| line.expect("UTF-8"));
    // The first line says that it runs, and so that it listens.
    assert_eq!(lines.next().as_deref(), Some("seed 0: success after 0.05 s"));
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{rest:?}");
    assert!(rest.last().is_some_and(|line| line.ends_with("succeeded")), "{rest:?}");
    assert!(rest.len() < 50_000);
}

#[test]
fn broken_files_are_refused_with_their_place() {
    let deep = format!("{}{}", r#"{"version": 1, "children": ["#.repeat(600), "]}".repeat(600));
    for (name, text, said) in [
        ("empty", "", "one JSON object"),
        ("list", "[]", "one JSON object"),
        ("cut", r#"{"version": 1, "children": ["#, "line 1"),
        ("deep", &deep, "nested more than 512 deep"),
        ("old", r#"{"version": 99}"#, "file version 99 is not known"),
        ("binary", "\u{0}\u{1}", "one JSON object"),
    ] {
        let file = file(name, text);
        for subcommand in ["run", "check", "show", "import"] {
            let ran = coact(&[subcommand, &file]);
            assert_eq!(ran.code, 2, "{subcommand} {name}");
            assert!((ran.out + &ran.err).contains(said), "{subcommand} {name}");
        }
    }
    let path = folder("not-utf8").join("a.json");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).expect("a file");
    assert_eq!(coact(&["run", path.to_str().expect("UTF-8")]).code, 2);
}

#[test]
fn a_large_behavior_runs() {
    let children = vec![r#"{"type": "checkpoint"}"#; 20_000].join(",");
    let file = behavior("large", &children);
    let ran = coact(&["run", &file]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("… and 19,940 more steps"), "{}", ran.out);
    assert_eq!(coact(&["show", &file]).code, 0);
    let nested = (0..200).fold(r#"{"type": "checkpoint"}"#.to_owned(), |inner, _| {
        format!(r#"{{"type": "parallel", "children": [{inner}]}}"#)
    });
    let nested = behavior("nested", &nested);
    assert_eq!(coact(&["run", "-q", &nested]).code, 0);
    assert_eq!(coact(&["show", &nested]).code, 0);
}
