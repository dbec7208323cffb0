//! The machine-tending example, run and measured: shared by the tests and by the throughput table.
#![allow(dead_code, reason = "each user takes the part it needs")]

use std::path::Path;

use cell::{Setup, Surroundings};
use engine::{Command, Control, Engine, Options, RunState, TickInput, TickOutput, Verdict, What};
use model::Value;
use model::file::{Disk, Files, MemoryFiles};
use serde_json::Value as Json;

pub const TICK_NS: i64 = 20_000_000;
const FILES: [&str; 5] = ["tend.json", "insert.json", "extract.json", "cell.json", "environment.json"];

/// The files as they are shipped.
pub fn shipped() -> MemoryFiles {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machine-tending");
    let read = |name: &str| Disk.read(&folder.join(name).to_string_lossy()).expect("the example is there");
    MemoryFiles(FILES.iter().map(|name| ((*name).to_owned(), read(name))).collect())
}

pub fn json(files: &MemoryFiles, name: &str) -> Json {
    serde_json::from_str(&files.0[name]).expect("the example is JSON")
}

/// The example with another number of testers: what it has for tester 1 is repeated, what it has for others goes.
pub fn with_testers(count: usize) -> MemoryFiles {
    let mut files = shipped();
    let edit = |files: &mut MemoryFiles, name: &str, change: &dyn Fn(&mut Json)| {
        let mut file = json(files, name);
        change(&mut file);
        files.insert(name, file.to_string());
    };
    edit(&mut files, "tend.json", &|file| repeat_list(&mut file["children"][0]["children"], count));
    edit(&mut files, "environment.json", &|file| {
        repeat_list(&mut file["children"], count);
        repeat_map(&mut file["variables"], count);
    });
    edit(&mut files, "cell.json", &|file| {
        repeat_map(&mut file["signals"], count);
        repeat_map(&mut file["variables"], count);
    });
    files
}

/// The tester that a name speaks of: `slot_3` and `Tester 3` are of tester 3.
fn tester_of(name: &str) -> Option<usize> {
    let digits = name.len() - name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    let (stem, number) = name.split_at(name.len() - digits);
    (stem.ends_with('_') || stem.ends_with("ester ")).then(|| number.parse().ok()).flatten()
}

fn repeat_list(list: &mut Json, count: usize) {
    let items = list.as_array_mut().expect("a list of nodes");
    let all = std::mem::take(items);
    for item in all {
        match tester_of(item["name"].as_str().unwrap_or_default()) {
            None => items.push(item),
            Some(1) => items.extend((1..=count).map(|tester| renumbered(&item, tester))),
            Some(_) => {}
        }
    }
}

fn repeat_map(map: &mut Json, count: usize) {
    let entries = map.as_object_mut().expect("an object of names");
    let all = std::mem::take(entries);
    for (name, entry) in all {
        match tester_of(&name) {
            None => _ = entries.insert(name, entry),
            Some(1) => entries.extend((1..=count).map(|tester| (renamed(&name, tester), renumbered(&entry, tester)))),
            Some(_) => {}
        }
    }
}

fn renamed(text: &str, tester: usize) -> String {
    text.replace("ester 1", &format!("ester {tester}")).replace("_1", &format!("_{tester}"))
}

fn renumbered(json: &Json, tester: usize) -> Json {
    match json {
        Json::String(text) => renamed(text, tester).into(),
        Json::Array(items) => items.iter().map(|item| renumbered(item, tester)).collect(),
        Json::Object(entries) => Json::Object(
            entries
                .iter()
                .map(|(key, value)| match key.as_str() {
                    "tester" => (key.clone(), tester.into()),
                    _ => (renamed(key, tester), renumbered(value, tester)),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

/// What limits the cell, in boards an hour.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub arm: f64,
    pub tester: f64,
}

impl Limits {
    /// - The arm moves each board twice, so it can do no more than 3600 s / (insert + extract).
    /// - A tester is busy with a board from when the arm sets out to fetch one for it until the arm is back from
    ///   dropping that board. Only the last move of an insertion, after the board is in, runs beside the test:
    ///   cycle = insert up to `inserted` + test + extract, and the testers together do 3600 s / cycle each.
    pub fn of(files: &MemoryFiles, testers: usize) -> Limits {
        let (insert, extract) = (json(files, "insert.json"), json(files, "extract.json"));
        let registry = nodes::registry();
        // A duration that equals its type's default is not written.
        let moves_s = |node: &Json| {
            let info = registry.catalogue().get(node["type"].as_str()?)?;
            node["duration_s"].as_f64().or_else(|| info.field("duration_s")?.default.as_f64())
        };
        let all_s = |file: &Json| -> f64 { steps(file).iter().filter_map(moves_s).sum() };
        let until_in_s: f64 =
            steps(&insert).iter().take_while(|node| node["command"] != "inserted").filter_map(moves_s).sum();
        let environment = json(files, "environment.json");
        let tester = steps(&environment).iter().find(|node| node["name"] == "Tester 1").expect("there is a tester");
        let test_s: f64 = steps(tester).iter().filter_map(moves_s).sum();
        let arm_s = all_s(&insert) + all_s(&extract);
        let cycle_s = until_in_s + test_s + all_s(&extract);
        Limits { arm: 3600.0 / arm_s, tester: testers as f64 * 3600.0 / cycle_s }
    }

    pub fn least(self) -> f64 {
        self.arm.min(self.tester)
    }
}

fn steps(node: &Json) -> &[Json] {
    node["children"].as_array().map_or(&[], Vec::as_slice)
}

/// How a run went.
pub struct Ran {
    pub verdict: Option<Verdict>,
    pub reason: String,
    pub robot: Engine,
    pub surroundings: Surroundings,
    /// When each board fell into a bin.
    pub drops_s: Vec<f64>,
}

impl Ran {
    /// Of the environment.
    pub fn count(&self, name: &str) -> f64 {
        let environment = self.surroundings.environment().expect("there is an environment");
        match environment.variable(name) {
            Some(Value::Number(number)) => *number,
            other => panic!("`{name}` is {other:?}"),
        }
    }

    /// Between the first boards, while testers fill up, and the last, while they run empty; in whole rounds, because
    /// the boards of a round come close together.
    pub fn boards_per_hour(&self, testers: usize) -> f64 {
        let first = 2 * testers;
        let rounds = (self.drops_s.len() - 1 - testers - first) / testers;
        let last = first + rounds * testers;
        (last - first) as f64 * 3600.0 / (self.drops_s[last] - self.drops_s[first])
    }

    /// The times at which steps of a type ran, from the recording.
    pub fn spans_ns(&self, kind: &str) -> Vec<(i64, i64, String)> {
        let mut open = Vec::new();
        let mut spans = Vec::new();
        for event in &self.robot.recording().events {
            match event.what {
                What::Started(step) if &*self.robot.kind_of(step) == kind => open.push((step, event.time_ns)),
                What::Ended { step, .. } => {
                    if let Some(at) = open.iter().position(|(other, _)| *other == step) {
                        spans.push((open.remove(at).1, event.time_ns, self.robot.path_of(step)));
                    }
                }
                _ => {}
            }
        }
        spans.sort();
        spans
    }
}

#[derive(Clone, Copy)]
pub struct Wanted {
    pub boards: usize,
    pub seed: u64,
    /// Keep what happened, for [`Ran::spans_ns`].
    pub record: bool,
}

/// Runs `tend.json` in its environment until it ends, or for a simulated day.
pub fn run(files: &MemoryFiles, wanted: Wanted) -> Ran {
    let registry = nodes::registry();
    let loaded = model::file::load("tend.json", files, registry.catalogue()).expect("the behavior loads");
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let setup = Setup { environment: Some("environment.json"), seed: wanted.seed, ..Setup::default() };
    let (mut surroundings, problems) =
        Surroundings::load(&loaded.library, &setup, files, registry.clone()).expect("the environment loads");
    assert!(problems.is_empty(), "{problems:?}");
    let options = Options {
        seed: wanted.seed,
        world: surroundings.world(),
        set: vec![("boards".into(), Value::Number(wanted.boards as f64))],
        ..Options::default()
    };
    let mut robot = Engine::new(loaded.library, registry, &options);
    let (mut time_ns, mut output, mut drops_s) = (0, TickOutput::default(), Vec::new());
    let (verdict, reason) = loop {
        let mut input = TickInput { time_ns, ..TickInput::default() };
        if time_ns == 0 {
            input.commands.push(Command { id: 1, what: Control::Automatic { on: true } });
        }
        surroundings.before_tick(time_ns, &output, &mut input);
        output.clone_from(robot.tick(&input));
        if let Some(reason) = surroundings.failure() {
            break (Some(Verdict::Failure), reason.to_owned());
        }
        drops_s.extend(output.sent.iter().filter(|sent| &*sent.command == "dropped").map(|_| time_ns as f64 / 1e9));
        if let RunState::Ended(end) = robot.run_state() {
            break (Some(end.verdict), end.reason_text().to_owned());
        }
        if time_ns > 24 * 3600 * 1_000_000_000 {
            break (None, "the day is over".to_owned());
        }
        if !wanted.record {
            robot.clear_recording();
        }
        time_ns += TICK_NS;
    };
    Ran { verdict, reason, robot, surroundings, drops_s }
}
