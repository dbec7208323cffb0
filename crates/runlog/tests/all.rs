//! A recording is read as it was written, and what is computed anew from something else is told apart.

mod budget;
mod playback;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::{Control, Engine, Options, Registry};
use model::file::{MemoryFiles, load};
use model::{Autonomy, Edit, Field, Library};
use runlog::{Begin, Difference, Facts, File, Mark, Room};
use site::Site;
use site::headless::{self, RunPlan};

const TREE: &str = r#"{"version": 2, "name": "Waits", "children": [
    {"type": "wait", "name": "first", "duration_s": 1},
    {"type": "wait", "name": "second", "duration_s": 1}]}"#;

pub fn library(registry: &Registry) -> Library {
    let files = MemoryFiles([("wait.json".to_owned(), TREE.to_owned())].into());
    load("wait.json", &files, registry.catalogue()).expect("a behavior").library
}

pub fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runlog");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{name}.mcap"))
}

/// Two seconds of a run.
fn recorded(name: &str) -> (PathBuf, Arc<Registry>) {
    let registry = nodes::registry();
    let (library, options, path) = (library(&registry), Options::default(), path(name));
    let begin = Begin::new(&library, &options, &Facts { rate_hz: 100.0, ..Facts::default() }, (0, 1_000_000));
    let started = runlog::start(&path, begin, Room::Wait, |why| panic!("{why}")).expect("it begins");
    let mut engine = Engine::new(library, Arc::clone(&registry), &options);
    let mut site = Site::bare(Arc::clone(&registry));
    site.show_to(Some(Box::new(started.recorder)));
    let plan = RunPlan { rate_hz: 100.0, max_time_s: 60.0, realtime: false, autonomy: Autonomy::Full, seed: 0 };
    headless::run(&mut engine, &mut site, &plan, &AtomicBool::new(false));
    drop(site);
    started.thread.join().expect("it was written");
    (path, registry)
}

#[test]
fn a_run_that_is_computed_anew_is_the_same() {
    let (path, registry) = recorded("same");
    let file = File::open(&path).expect("a recording");
    let replayed = runlog::replay(&file, &registry).expect("it is sound");
    assert_eq!(replayed.difference, None);
    let summary = file.summary().expect("a summary");
    assert_eq!((replayed.ticks, summary.bars.len(), summary.runs.len()), (summary.ticks, 2, 1));
}

/// The first difference of a run from this library, with an input changed.
fn difference(path: &Path, registry: &Arc<Registry>, library: Library, tick: Option<u64>) -> Difference {
    let file = File::open(path).expect("a recording");
    let mut engine = Engine::new(library, Arc::clone(registry), &Options::default());
    let mut found = None;
    runlog::each_tick(&file, &mut |mut inputs| {
        if Some(inputs.tick) == tick {
            inputs.input.commands.push(engine::Command { id: 9, what: Control::Pause { on: true } });
        }
        found = runlog::step(&mut engine, &inputs).err();
        Ok(found.is_none())
    })
    .expect("it is sound");
    found.expect("it is another run")
}

#[test]
fn one_input_that_is_another_is_named() {
    let (path, registry) = recorded("input");
    let found = difference(&path, &registry, library(&registry), Some(40));
    assert_eq!(found.tick, 40, "{found:?}");
}

#[test]
fn one_setting_that_is_another_is_named_with_its_step() {
    let (path, registry) = recorded("setting");
    let mut library = library(&registry);
    let main = library.main();
    let second = main.walk(main.root).find(|id| &*main.node(*id).name == "second").expect("it is there");
    let (field, value) = ("duration_s".into(), Some(Field::from_json(serde_json::Value::from(0.5))));
    library.apply(&Edit::Set { node: second, field, value, at: None }).expect("it fits");
    let found = difference(&path, &registry, library, None);
    assert_eq!((found.path.as_str(), found.time_ns), ("/second", 1_500_000_000), "{found:?}");
}

#[test]
fn marks_stay_in_the_file_and_the_run_is_as_it_was() {
    let (path, registry) = recorded("marks");
    let mark = |at_s: f64, text: &str| {
        runlog::mark(&path, &Mark { at_s, by: "Ann".to_owned(), text: text.to_owned() }).expect("it is written");
    };
    mark(1.0, "here");
    mark(0.5, "before");
    mark(1.0, "");
    let file = File::open(&path).expect("it was closed again");
    assert!(!file.is_cut());
    let left: Vec<String> = runlog::marks(&file).expect("marks").into_iter().map(|mark| mark.text).collect();
    assert_eq!(left, ["before"]);
    assert_eq!(runlog::replay(&file, &registry).expect("it is sound").difference, None);
}

#[test]
fn a_file_that_is_cut_anywhere_opens_as_far_as_it_goes() {
    let (path, registry) = recorded("cut");
    let whole = std::fs::read(&path).expect("a file");
    let cut = path.with_extension("cut.mcap");
    let mut opened = 0;
    for length in (0..whole.len()).step_by(97) {
        std::fs::write(&cut, &whole[..length]).expect("a file");
        // Before the first chunk there is nothing to open, and it says so.
        if let Ok(file) = File::open(&cut) {
            assert!(file.is_cut());
            assert_eq!(runlog::replay(&file, &registry).expect("what is there is sound").difference, None);
            opened += 1;
        }
    }
    assert!(opened > 3, "{opened}");
}

#[test]
fn a_damaged_byte_gives_an_error_and_no_panic() {
    let (path, registry) = recorded("damaged");
    let whole = std::fs::read(&path).expect("a file");
    let damaged = path.with_extension("damaged.mcap");
    for at in (0..whole.len()).step_by(61) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&damaged, &bytes).expect("a file");
        // Whatever it says, it says it.
        let _ = File::open(&damaged).and_then(|file| {
            file.summary()?;
            runlog::replay(&file, &registry)
        });
    }
}
