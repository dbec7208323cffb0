//! What is kept of a folder that is full.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use engine::{Engine, Options};
use model::Autonomy;
use model::file::{MemoryFiles, load};
use runlog::{Begin, Budget, Facts, Folder, Room};
use site::Site;
use site::headless::{self, RunPlan};

const DAY: Duration = Duration::from_secs(86_400);

fn folder(name: &str) -> Folder {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    Folder::new(path)
}

/// A run that ended so, this old.
fn recorded(folder: &Folder, name: &str, succeeds: bool, age: Duration) -> PathBuf {
    let kind = if succeeds { "always_succeed" } else { "always_fail" };
    let tree = format!(r#"{{"version": 2, "name": "One", "children": [{{"type": "{kind}", "name": "only"}}]}}"#);
    let registry = nodes::registry();
    let files = MemoryFiles([("one.json".to_owned(), tree)].into());
    let library = load("one.json", &files, registry.catalogue()).expect("a behavior").library;
    let (options, path) = (Options::default(), folder.path().join(format!("{name}.mcap")));
    let begin = Begin::new(&library, &options, &Facts { rate_hz: 100.0, ..Facts::default() }, (0, 1_000_000));
    let started = runlog::start(&path, begin, Room::Wait, |why| panic!("{why}")).expect("it begins");
    let mut engine = Engine::new(library, Arc::clone(&registry), &options);
    let mut site = Site::bare(registry);
    site.show_to(Some(Box::new(started.recorder)));
    let plan = RunPlan { rate_hz: 100.0, max_time_s: 60.0, realtime: false, autonomy: Autonomy::Full, seed: 0 };
    headless::run(&mut engine, &mut site, &plan, &AtomicBool::new(false));
    drop(site);
    started.thread.join().expect("it was written");
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("it is there");
    file.set_modified(SystemTime::now() - age).expect("its time is set");
    path
}

fn left(folder: &Folder) -> Vec<String> {
    folder.list().into_iter().map(|listed| listed.name).rev().collect()
}

#[test]
fn the_oldest_go_first_and_those_that_failed_after_them() {
    let mut folder = folder("budget-bytes");
    let one = recorded(&folder, "1-failed", false, 4 * DAY);
    recorded(&folder, "2-old", true, 3 * DAY);
    recorded(&folder, "3-kept", true, 2 * DAY);
    recorded(&folder, "4-newer", true, DAY);
    recorded(&folder, "5-newest", true, Duration::ZERO);
    folder.keep("3-kept", true).expect("it is there");
    let bytes = std::fs::metadata(one).expect("it is there").len();
    let mut within = |count: u64| {
        folder.budget = Budget { most_bytes: bytes * count + bytes / 2, ..Budget::default() };
        folder.make_room();
        left(&folder)
    };
    assert_eq!(within(5).len(), 5);
    assert_eq!(within(4), ["1-failed", "3-kept", "4-newer", "5-newest"]);
    assert_eq!(within(3), ["1-failed", "3-kept", "5-newest"]);
    // Nothing is left that succeeded and is not kept: the failed one goes.
    assert_eq!(within(1), ["3-kept"]);
    folder.keep("3-kept", false).expect("it is there");
    folder.budget.most_bytes = 0;
    folder.make_room();
    assert!(left(&folder).is_empty());
}

#[test]
fn one_that_failed_may_be_three_times_as_old() {
    let mut folder = folder("budget-age");
    recorded(&folder, "1-failed-long-ago", false, 31 * DAY);
    recorded(&folder, "2-failed", false, 29 * DAY);
    recorded(&folder, "3-old", true, 11 * DAY);
    recorded(&folder, "4-young", true, 9 * DAY);
    folder.budget = Budget { most_age: 10 * DAY, ..Budget::default() };
    folder.make_room();
    assert_eq!(left(&folder), ["2-failed", "4-young"]);
}
