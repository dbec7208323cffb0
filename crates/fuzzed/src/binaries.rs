//! Recordings and meshes: files that nobody writes by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::{Engine, Options};
use looks::Allowed;
use model::Autonomy;
use model::file::{MemoryFiles, load};
use runlog::{Begin, Facts, File, Room};
use site::Site;
use site::headless::{self, RunPlan};

use crate::Target;
use crate::seeds::files;

pub fn targets() -> Vec<Target> {
    let mesh = |name, run, seeds| Target { name, is_text: false, run, seeds };
    vec![
        Target { name: "recording", is_text: false, run: recording, seeds: recordings },
        mesh("stl", |data| as_mesh("a.stl", data), || meshes(".stl")),
        mesh("obj", |data| as_mesh("a.obj", data), || meshes(".obj")),
        mesh("dae", |data| as_mesh("a.dae", data), || meshes(".dae")),
        mesh("glb", |data| as_mesh("a.glb", data), || meshes(".glb")),
    ]
}

fn place(what: &str) -> PathBuf {
    std::env::temp_dir().join(format!("coact-fuzz-{what}-{}.mcap", std::process::id()))
}

/// What opens is looked at as the page and `coact replay` do.
fn recording(data: &[u8]) {
    let path = place("read");
    std::fs::write(&path, data).expect("a file");
    look_at(&path);
    let _ = std::fs::remove_file(path);
}

fn look_at(path: &Path) {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(wrong) => return assert!(!wrong.to_string().is_empty()),
    };
    drop((file.summary(), file.marks(), file.end_ns()));
    for (channel, _) in file.channels().unwrap_or_default().iter().take(8) {
        drop(file.range(channel, (0, i64::MAX)));
    }
    for at_ns in [0, 1_000_000_000, i64::MAX] {
        drop((file.moment(at_ns), file.library_at(at_ns)));
    }
    drop(runlog::replay(&file, &nodes::registry()));
}

/// A tenth of a second of a run.
fn recordings() -> Vec<Vec<u8>> {
    const TREE: &str = r#"{"version": 2, "children": [{"type": "log", "value": "'begun'"},
        {"type": "wait", "duration_s": 0.1}]}"#;
    let registry = nodes::registry();
    let all = MemoryFiles::from([("main.json", TREE)]);
    let library = load("main.json", &all, registry.catalogue()).expect("a behavior").library;
    let (options, path) = (Options::default(), place("seed"));
    let begin = Begin::new(&library, &options, &Facts { rate_hz: 100.0, ..Facts::default() }, (0, 1_000_000));
    let started = runlog::start(&path, begin, Room::Wait, |why| panic!("{why}")).expect("it begins");
    let mut engine = Engine::new(library, Arc::clone(&registry), &options);
    let mut site = Site::bare(registry);
    site.show_to(Some(Box::new(started.recorder)));
    let plan = RunPlan { rate_hz: 100.0, max_time_s: 1.0, realtime: false, autonomy: Autonomy::Full, seed: 0 };
    headless::run(&mut engine, &mut site, &plan, &AtomicBool::new(false));
    drop(site);
    started.thread.join().expect("it was written");
    let bytes = std::fs::read(&path).expect("it was written");
    let _ = std::fs::remove_file(path);
    vec![bytes]
}

/// What can be read can be drawn: no triangle is without its points, no place is infinite.
fn as_mesh(name: &str, data: &[u8]) {
    let (file, allowed) = (Path::new(name), Allowed::default());
    match looks::converted(file, data, &allowed, 1_000) {
        Ok(glb) => {
            let again = looks::read(Path::new("a.glb"), &glb, &allowed).expect("what is written can be read");
            let (low, high) = again.extent().unwrap_or_default();
            assert!(low.iter().chain(&high).all(|number| number.is_finite()));
        }
        Err(wrong) => assert!(!wrong.to_string().is_empty()),
    }
}

fn meshes(ending: &str) -> Vec<Vec<u8>> {
    files("crates/looks/tests/robot/meshes", ending)
}
