//! Suites: what is wrong with them, going on, the same bytes again, and failures that can be repeated.

use crate::common;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Ran, coact, command, folder, root};
use serde_json::Value as Json;

/// Waits for a time, then fails if the variable says so.
const BEHAVIOR: &str = r#"{"version": 1, "name": "Test", "variables": {"bad": false, "tries": 0}, "children": [
    {"type": "wait", "name": "Wait", "duration_s": 0.5},
    {"type": "stand_in", "name": "Grasp", "duration_s": 1, "fails_if": "bad", "retry": 2}]}"#;

const CASES: &str = r#"
    {"name": "good", "behavior": "b.json", "runs": 6},
    {"name": "bad", "behavior": "b.json", "set": {"bad": true}, "runs": 2, "first_seed": 7}"#;

struct Trial {
    suite: String,
    out: String,
}

fn trial(name: &str, cases: &str) -> Trial {
    let folder = folder(name);
    std::fs::write(folder.join("b.json"), BEHAVIOR).expect("a file for the test");
    let text = format!("{{\n\"version\": 1,\n\"cases\": [{cases}\n]}}");
    std::fs::write(folder.join("suite.json"), text).expect("a file for the test");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    Trial { suite: path("suite.json"), out: path("out") }
}

impl Trial {
    fn args<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        [&["trial", &self.suite, "--out", &self.out], more].concat()
    }

    #[track_caller]
    fn run(&self, more: &[&str]) -> Ran {
        coact(&self.args(more))
    }

    fn file(&self, name: &str) -> String {
        let path = Path::new(&self.out).join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Everything a person would look at.
    fn reports(&self) -> [String; 2] {
        ["report.json", "report.html"].map(|name| self.file(name))
    }

    fn json(&self) -> Json {
        serde_json::from_str(&self.file("report.json")).expect("JSON")
    }
}

#[test]
fn all_faults_of_a_suite_are_told_at_once_with_their_places() {
    let broken = r#"
        {"name": "a", "behavior": "b.json", "world": "push-dor", "runs": 0},
        {"name": "a b", "world": "push-door-lever", "with": {"objects": [{"name": "door", "hinge": "up"}]}},
        {"name": "a", "behavior": "b.json", "world": "push-door-lever", "expect": [{"through": "dor"}, {"by_m": 1}],
         "ends": "well", "rums": 3},
        {"name": "c", "behavior": "b.json", "expect": [{"through": "door"}], "target": {"success": 99}}"#;
    let ran = trial("trial-broken", broken).run(&[]);
    assert_eq!((ran.code, &*ran.out), (2, ""));
    for wanted in [
        "line 4: error: cases[0].world: there is no world",
        "push-dor`: neither a file, nor one of our own",
        "line 4: error: cases[0].runs: 0 is not between 1 and",
        "line 5: error: cases[1].name: `a b` names files",
        "line 5: error: cases[1]: `behavior` is missing",
        "cases[1].with: in its world, objects[0].hinge: `up` is none of left, right",
        "line 6: error: cases[2].name: the name `a` is taken already",
        "line 6: error: cases[2].expect[0].through: there is no object `dor` in this world; did you mean `door`?",
        "cases[2].expect[1]: write what is expected",
        "line 7: error: cases[2].ends: `well` is none of success, failure",
        "line 7: error: cases[2].rums: `rums` does not belong here; did you mean `runs`?",
        "line 8: error: cases[3].expect: this case has no world",
        "line 8: error: cases[3].target.success: 99 is not between 0 and 1",
    ] {
        assert!(ran.err.contains(wanted), "{wanted} in {}", ran.err);
    }
    assert!(!Path::new(&trial("trial-broken", broken).out).exists());
}

#[test]
fn behaviors_that_cannot_run_are_told_before_anything_runs() {
    let cases = r#"
        {"name": "gone", "behavior": "gone.json"},
        {"name": "set", "behavior": "b.json", "set": {"bda": 1}},
        {"name": "robot", "behavior": "b.json", "robot": "coact-two"}"#;
    let suite = trial("trial-behaviors", cases);
    let ran = suite.run(&["--check"]);
    assert_eq!((ran.code, &*ran.out), (2, ""));
    for wanted in
        ["cases[0].behavior", "cases[1].set", "no variable `bda`; did you mean `bad`?", "cases[2].robot", "coact-two"]
    {
        assert!(ran.err.contains(wanted), "{wanted} in {}", ran.err);
    }
    assert!(ran.err.contains("line 4") && ran.err.contains("line 6") && ran.err.contains("3 errors"), "{}", ran.err);
    let checked = coact(&["check", &suite.suite]);
    assert!(checked.code == 2 && checked.out.contains("cases[1].set"), "as any other file: {}", checked.out);
    let good = trial("trial-good", CASES).run(&["--check"]);
    assert_eq!((good.code, &*good.out), (0, "no problems in 2 cases\n"), "{}", good.err);
}

#[test]
fn the_report_tells_rates_durations_retries_and_causes() {
    let suite = trial("trial-report", CASES);
    let ran = suite.run(&[]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    for wanted in ["good", "6 of 6", "61.0–100.0 %", "0 of 2", "tried again: Grasp 4×", "2× failed `Grasp`"] {
        assert!(ran.out.contains(wanted), "{wanted} in {}", ran.out);
    }
    assert!(ran.err.contains("8/8 "), "{}", ran.err);
    let report = suite.json();
    assert_eq!((&report["interval"], &report["reached"]), (&"95 %, Wilson".into(), &false.into()));
    let [good, bad] = [&report["cases"][0], &report["cases"][1]];
    assert_eq!((&good["success"]["done"], &good["success"]["of"]), (&6.into(), &6.into()));
    let mean_s = good["duration"]["mean_s"].as_f64().expect("a mean");
    assert!((1.4..1.7).contains(&mean_s), "{mean_s}");
    assert_eq!((&bad["causes"][0]["step"], &bad["causes"][0]["times"]), (&"Grasp".into(), &2.into()));
    assert_eq!((&bad["causes"][0]["runs"][0], &bad["retries"]["runs"]), (&"bad-7".into(), &2.into()));
    assert_eq!((&bad["duration"], &report["all"]["success"]["of"]), (&Json::Null, &8.into()));
    let page = suite.file("report.html");
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(!page.contains("http"), "it needs nothing else");
    assert_eq!(suite.run(&["--json"]).json(), report);
}

#[test]
fn targets_say_what_is_asked_for() {
    let cases = r#"{"name": "bad", "behavior": "b.json", "set": {"bad": true}, "target": {"success": 0}},
        {"name": "good", "behavior": "b.json", "target": {"mean_s": 2}}"#;
    assert_eq!(trial("trial-targets", cases).run(&[]).code, 0);
    let missed = trial("trial-missed", &cases.replace(r#""mean_s": 2"#, r#""mean_s": 1"#));
    let ran = missed.run(&[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("target mean_s 1: 1.5") && ran.out.contains("MISSED"), "{}", ran.out);
    let never = r#"{"name": "bad", "behavior": "b.json", "set": {"bad": true}, "ends": "failure"}"#;
    assert_eq!(trial("trial-ends", never).run(&[]).code, 0);
}

#[test]
fn the_same_suite_gives_the_same_bytes_whatever_the_number_of_jobs() {
    let suite = trial("trial-same", CASES);
    assert_eq!(suite.run(&["--jobs", "1"]).code, 1);
    let first = suite.reports();
    std::fs::remove_dir_all(&suite.out).expect("removed");
    assert_eq!(suite.run(&["--jobs", "3"]).code, 1);
    assert!(first == suite.reports());
}

#[test]
fn a_trial_that_was_killed_goes_on_and_tells_the_same() {
    let suite = trial("trial-killed", CASES);
    assert_eq!(suite.run(&[]).code, 1);
    let whole = suite.reports();
    std::fs::remove_dir_all(&suite.out).expect("removed");
    let mut child = command(&suite.args(&["--jobs", "1"])).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    let third = told.nth(2).expect("a third line").expect("UTF-8");
    child.kill().expect("killed");
    child.wait().expect("it ends");
    assert!(third.starts_with("3/8 "), "{third}");
    let results = Path::new(&suite.out).join("results.jsonl");
    let mut torn = std::fs::read_to_string(&results).expect("results");
    let made = torn.matches(r#"{"run":"#).count();
    assert!((2..8).contains(&made), "{made} runs were made");
    torn.push_str(r#"{"run":{"case":"good","se"#);
    std::fs::write(&results, torn).expect("written");
    let ran = suite.run(&[]);
    assert!(ran.err.contains(&format!("going on: {made} of 8 runs are there already")), "{}", ran.err);
    assert!(whole == suite.reports());
    let again = suite.run(&[]);
    assert!(again.err.contains("going on: 8 of 8") && !again.err.contains("8/8"), "{}", again.err);
    assert!(whole == suite.reports());
}

#[test]
fn what_changed_is_refused_and_begins_anew_if_told_to() {
    let suite = trial("trial-changed", CASES);
    suite.run(&["--case", "good", "--runs", "2"]);
    let more = suite.run(&["--case", "good", "--runs", "3"]);
    assert!(more.err.contains("going on: 2 of 3") && more.err.contains("3/3"), "{}", more.err);
    let path = Path::new(&suite.suite).with_file_name("b.json");
    std::fs::write(&path, BEHAVIOR.replace("0.5", "0.7")).expect("written");
    let refused = suite.run(&[]);
    assert_eq!((refused.code, &*refused.out), (2, ""));
    let wanted = "case good: its behavior or another file it uses changed since 3 runs of it were made";
    assert!(refused.err.contains(wanted) && refused.err.contains("--anew"), "{}", refused.err);
    let anew = suite.run(&["--anew", "--case", "good"]);
    assert!(anew.code == 0 && anew.err.contains("case good begins anew"), "{}", anew.err);
    let mean_s = suite.json()["all"]["duration"]["mean_s"].as_f64().expect("a mean");
    assert!((1.6..1.9).contains(&mean_s), "{mean_s}");
    let text = std::fs::read_to_string(&suite.suite).expect("a suite");
    std::fs::write(&suite.suite, text.replace(r#""runs": 6"#, r#""runs": 6, "max_time_s": 9"#)).expect("written");
    let refused = suite.run(&[]);
    assert!(
        refused.code == 2 && refused.err.contains("case good: what the suite says of it changed"),
        "{}",
        refused.err
    );
}

#[track_caller]
fn repeats(suite: &Trial) {
    let report = suite.json();
    let failures = report["failures"].as_array().expect("failures");
    assert!(!failures.is_empty());
    for failure in failures {
        let line = failure["command"].as_str().expect("a command");
        // As a shell reads it: nothing in these needs more than words and single quotes.
        let words: Vec<String> = line
            .split('\'')
            .enumerate()
            .flat_map(|(index, part)| match index % 2 {
                1 => vec![part.to_owned()],
                _ => part.split_whitespace().map(str::to_owned).collect(),
            })
            .collect();
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let folder = PathBuf::from(failure["folder"].as_str().expect("a folder"));
        let kept = std::fs::read_to_string(folder.join("report.json")).expect("its report");
        assert_eq!(std::fs::read_to_string(folder.join("command.txt")).expect("its command").trim(), line);
        assert!(coact(&words).out == kept, "{line}");
    }
}

#[test]
fn what_failed_repeats_bit_for_bit() {
    let suite = trial("trial-replay", CASES);
    suite.run(&[]);
    repeats(&suite);
    let kept = std::fs::read_dir(Path::new(&suite.out).join("failures")).expect("a folder").count();
    assert_eq!(kept, 2, "of what succeeded nothing is kept");
}

/// The run is killed from outside, as a crash would.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_crashes_ends_no_other() {
    let endless = r#"{"version": 1, "name": "Test", "children": [{"type": "wait", "duration_s": 900000}]}"#;
    let cases = r#"{"name": "crashes", "behavior": "endless.json", "max_time_s": 1000000}, {"name": "good", "behavior": "b.json"}"#;
    let suite = trial("trial-crash", cases);
    std::fs::write(Path::new(&suite.suite).with_file_name("endless.json"), endless).expect("written");
    let mut child = command(&suite.args(&["--jobs", "2"]))
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    let first = told.next().expect("a line").expect("UTF-8");
    assert!(first.contains("good seed 0: success"), "{first}");
    let id = child.id();
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).expect("its threads").flatten();
    let children = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let worker = children.collect::<String>();
    let status = std::process::Command::new("kill").args(["-KILL", worker.trim()]).status().expect("kill");
    assert!(status.success());
    drop(told);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let report = suite.json();
    assert_eq!(report["all"]["success"]["done"], 1);
    assert_eq!(report["cases"][0]["causes"][0]["kind"], "crashed");
}

#[test]
fn the_suites_that_ship_are_sound() {
    for entry in std::fs::read_dir(root().join("suites")).expect("suites").flatten() {
        let path = entry.path();
        let ran = coact(&["trial", path.to_str().expect("UTF-8"), "--check"]);
        assert_eq!(ran.code, 0, "{}: {}", path.display(), ran.err);
    }
}

#[cfg(feature = "mujoco")]
mod physics {
    use super::*;

    const WORLD: &str = r#""world": "push-door-lever", "with": {"robot": {"before": "door", "away_m": 2,
        "bearing_deg": {"from": -20, "to": 20}}}, "max_time_s": 20"#;

    #[test]
    fn the_world_says_what_is_true_and_what_failed_repeats() {
        let cases = format!(
            r#"{{"name": "through", "behavior": "b.json", {WORLD}, "runs": 2,
                "expect": [{{"through": "door"}}, {{"untouched": "door"}}]}},
            {{"name": "stays", "behavior": "b.json", {WORLD}, "expect": [{{"untouched": "door"}}]}},
            {{"name": "falls", "behavior": "b.json", "world": "empty", "ends": "any", "with": {{"disturbances": [
                {{"at_s": 0.3, "do": "push_hand", "force_n": [250, 0, 0], "duration_s": 1}}]}}}}"#
        );
        let suite = trial("trial-world", &cases);
        let ran = suite.run(&[]);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        let report = suite.json();
        let done = |case: usize| &report["cases"][case]["success"]["done"];
        assert_eq!([done(0), done(1), done(2)], [&Json::from(0), &1.into(), &0.into()], "{}", ran.out);
        let cause = |case: usize| &report["cases"][case]["causes"][0];
        assert_eq!(
            (&cause(0)["kind"], &cause(0)["why"]),
            (&"not_true".into(), &"the robot did not go through the doorway".into())
        );
        assert_eq!(cause(2)["kind"], "fell");
        let truths: Vec<_> =
            report["cases"][0]["truths"].as_array().expect("truths").iter().map(|it| &it["met"]["done"]).collect();
        assert_eq!(truths, [2, 0, 2]);
        repeats(&suite);
    }

    #[test]
    fn the_smoke_suite_succeeds() {
        let out = folder("trial-smoke");
        let out = out.to_str().expect("UTF-8");
        let ran = coact(&["trial", "suites/smoke.json", "--runs", "1", "--out", out]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }

    #[test]
    fn a_mirrored_behavior_reaches_with_the_other_hand() {
        let reach = r#"{"version": 1, "name": "Test", "children": [
            {"type": "arm", "name": "Out", "side": "left", "by": "preset", "preset": "wide", "duration_s": 2}]}"#;
        // The wall is where the left arm goes.
        let wall = r#""world": "empty", "with": {"objects": [{"type": "wall", "at": {"y_m": 0.65}, "length_m": 1, "width_m": 0.1}]},
            "expect": [{"untouched": "wall"}], "ends": "any""#;
        let cases = format!(
            r#"{{"name": "left", "behavior": "reach.json", {wall}}}, {{"name": "right", "behavior": "reach.json", "mirror": true, {wall}}}"#
        );
        let suite = trial("trial-mirror", &cases);
        std::fs::write(Path::new(&suite.suite).with_file_name("reach.json"), reach).expect("written");
        let ran = suite.run(&[]);
        let report = suite.json();
        let done = |case: usize| &report["cases"][case]["success"]["done"];
        assert_eq!([done(0), done(1)], [&Json::from(0), &1.into()], "{}{}", ran.out, ran.err);
        assert_eq!(report["cases"][0]["causes"][0]["step"], "Out");
        repeats(&suite);
    }
}
