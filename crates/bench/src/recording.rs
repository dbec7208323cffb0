//! What a recording costs while it is written, and what it takes to open, seek and run it again.

use std::fs::File as Disk;
use std::io::BufWriter;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use engine::{Engine, Options};
use geometry::Pose;
use model::Autonomy;
use model::file::{Disk as Files, load};
use robot::Robot;
use runlog::container::{Schema, Writer};
use runlog::{Begin, Facts, File, Room};
use sim::{FaultPlan, KinematicRobot, PhysicsWorld, World};
use site::headless::{self, RunPlan};
use site::{Around, Driver, Jobs, Pace, Site, Ticks};

use crate::{trees, world};

const RATE_HZ: f64 = 100.0;
const PACED_S: f64 = 15.0;
const NODES: usize = 1_000;
const HOUR_S: f64 = 3_600.0;

pub fn run() {
    let folder = std::env::temp_dir().join(format!("coact-bench-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        println!("{}: {error}", folder.display());
        return;
    }
    println!("| recording | asked | measured |");
    println!("|---|---|---|");
    ticks(&folder);
    messages(&folder);
    hour(&folder);
    clouds(&folder);
    // A folder of this process alone: what stays behind is no figure.
    let _ = std::fs::remove_dir_all(&folder);
}

fn row(what: &str, asked: &str, measured: &str, met: bool) {
    println!("| {what} | {asked} | {measured}{} |", if met { "" } else { " (missed)" });
}

/// Ten steps run, one after the other of the rest starts and ends, a robot tells its state.
fn tree(seconds: f64) -> String {
    let wait = format!(r#"{{"type": "wait", "name": "later {{i}}", "duration_s": {}}}"#, seconds / (NODES - 10) as f64);
    let running = r#"{"type": "wait", "name": "run {i}", "duration_s": 1e6, "after": "Beginning"}"#;
    trees::file(&format!("{},\n{}", trees::repeated(10, running), trees::repeated(NODES - 10, &wait)), "{}")
}

fn kinematic() -> Box<dyn Driver> {
    let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
    let home = robot.configuration("home").expect("our own has one");
    Box::new(KinematicRobot::new(robot, &home, &Pose::identity(), &FaultPlan::default()).expect("no faults"))
}

struct Running {
    engine: Engine,
    site: Site,
    writer: Option<std::thread::JoinHandle<()>>,
}

fn begun(driver: Box<dyn Driver>, text: &str, log: Option<(&Path, Room)>) -> Running {
    let registry = nodes::registry();
    let mut site = Site::new(Some(driver), Around::default(), Jobs::modelled(), Arc::clone(&registry));
    let options = Options { body: site.body(), ..Options::default() };
    let engine = trees::load(text, &options);
    let facts = Facts { rate_hz: RATE_HZ, ..Facts::default() };
    let writer = log.map(|(path, room)| {
        let begin = Begin::new(engine.library(), &options, &facts, (0, 1_000_000));
        let started = runlog::start(path, begin, room, |why| println!("{why}")).expect("a file");
        site.show_to(Some(Box::new(started.recorder)));
        started.thread
    });
    Running { engine, site, writer }
}

impl Running {
    /// Nanoseconds of each tick, by rising length.
    fn run(&mut self, pace: Pace, seconds: f64) -> Vec<u64> {
        let mut ticks_ns = Vec::new();
        Ticks::new(RATE_HZ, pace).run(&AtomicBool::new(false), |time_ns| {
            let mut input = if time_ns == 0 { trees::automatic(0) } else { engine::TickInput::default() };
            input.time_ns = time_ns;
            let begin = Instant::now();
            self.site.tick(&mut self.engine, &mut input);
            ticks_ns.push(begin.elapsed().as_nanos() as u64);
            self.engine.clear_recording();
            (time_ns as f64) < seconds * 1e9
        });
        ticks_ns.sort_unstable();
        ticks_ns
    }

    fn end(self) {
        let Running { engine, site, writer } = self;
        drop((engine, site));
        writer.into_iter().for_each(|thread| drop(thread.join()));
    }
}

fn ticks(folder: &Path) {
    let path = folder.join("ticks.mcap");
    let measure = |log: Option<(&Path, Room)>| {
        let mut running = begun(kinematic(), &tree(PACED_S), log);
        let before_s = world::processor_s();
        let ticks_ns = running.run(Pace::Whole, PACED_S);
        running.end();
        let p99_ns = ticks_ns[ticks_ns.len() * 99 / 100] as f64;
        (p99_ns, world::processor_s() - before_s)
    };
    let (bare_ns, bare_s) = measure(None);
    let (recorded_ns, recorded_s) = measure(Some((&path, Room::LeaveOut)));
    let share = 100.0 * (recorded_s - bare_s) / PACED_S;
    let what = format!("{NODES} nodes at {RATE_HZ} Hz, of a core");
    row(&what, "≤ 3 %", &format!("{share:.1} %"), share <= 3.0);
    let ratio = recorded_ns / bare_ns;
    let measured = format!("{ratio:.2} × ({:.0} and {:.0} µs)", recorded_ns / 1e3, bare_ns / 1e3);
    row("a tick, the 99th of 100, against none recorded", "≤ 1.5 ×", &measured, ratio <= 1.5);
}

fn messages(folder: &Path) {
    const COUNT: u64 = 1_000_000;
    let write = || -> std::io::Result<f64> {
        let out = BufWriter::new(Disk::create(folder.join("messages.mcap"))?);
        let mut writer = Writer::new(out, "bench")?;
        let schema = Schema { name: String::new(), encoding: String::new(), data: Vec::new() };
        let channel = writer.channel("/small", &schema, "json")?;
        let begin = Instant::now();
        for number in 0..COUNT {
            let text = format!("{{\"number\": {number}, \"what\": \"a message as small as those of a happening\"}}");
            writer.message(channel, number * 1_000, text.as_bytes());
            if writer.waiting_bytes() >= 1 << 20 {
                writer.flush()?;
            }
        }
        writer.close()?;
        Ok(COUNT as f64 / begin.elapsed().as_secs_f64())
    };
    match write() {
        Ok(rate) => row("small messages", "≥ 300,000 /s", &format!("{rate:.0} /s"), rate >= 3e5),
        Err(error) => row("small messages", "≥ 300,000 /s", &error.to_string(), false),
    }
}

fn hour(folder: &Path) {
    let path = folder.join("hour.mcap");
    let mut running = begun(kinematic(), &tree(HOUR_S), Some((&path, Room::Wait)));
    running.run(Pace::Free, HOUR_S);
    running.end();
    let begin = Instant::now();
    let file = File::open(&path).expect("it was written");
    let first = file.summary().and_then(|_| file.moment(0)).expect("it is sound");
    let open_s = begin.elapsed().as_secs_f64();
    drop(first);
    let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
    let what = format!("open an hour ({:.0} MB), with its first moment", bytes as f64 / 1e6);
    row(&what, "≤ 1 s", &format!("{open_s:.2} s"), open_s <= 1.0);
    let seek = |nth: u64| {
        let at_ns = (nth * 7_919 % 3_600) as i64 * 1_000_000_000;
        let begin = Instant::now();
        file.moment(at_ns).expect("it is sound");
        begin.elapsed().as_secs_f64()
    };
    let longest_s = (1..40).map(seek).fold(0.0, f64::max);
    row("seek in it, the longest of 39", "≤ 100 ms", &format!("{:.0} ms", 1e3 * longest_s), longest_s <= 0.1);
    again("run it again, without clouds", &file);
}

fn again(what: &str, file: &File) {
    let begin = Instant::now();
    let replayed = runlog::replay(file, &nodes::registry()).expect("it is sound");
    let speed = file.begin().at_s(replayed.end_ns) / begin.elapsed().as_secs_f64();
    let same = replayed.difference.is_none();
    let measured = format!("{speed:.0} ×{}", if same { "" } else { ", and it is not the same" });
    row(what, "≥ 20 × real time", &measured, same && speed >= 20.0);
}

/// Somebody looks at every picture of a door for 20 seconds.
fn clouds(folder: &Path) {
    const ASKED: &str = "≤ 60 MB in 10 minutes, all of them looking";
    let path = folder.join("clouds.mcap");
    match looking(&path) {
        Err(error) => row("clouds", ASKED, &error, false),
        Ok((seconds, cost_s)) => {
            let bytes = std::fs::metadata(&path).map_or(0, |data| data.len()) as f64;
            let in_10_min = bytes / seconds * 600.0 / 1e6;
            let measured = format!("{in_10_min:.0} MB");
            row("clouds that are looked at, 10 a second, 160 × 120", ASKED, &measured, in_10_min <= 60.0);
            let share = 100.0 * cost_s / seconds;
            row("the same, of a core", "≤ 3 %", &format!("{share:.1} %"), share <= 3.0);
            again("run it again, with clouds", &File::open(&path).expect("it was written"));
        }
    }
}

/// Seconds of the run, and those of a processor that its recording took.
fn looking(path: &Path) -> Result<(f64, f64), String> {
    const BEHAVIOR: &str = "examples/world/door-panel.json";
    let text = std::fs::read_to_string(BEHAVIOR).map_err(|error| format!("{BEHAVIOR}: {error}"))?;
    let longer = text
        .replace("\"duration_s\": 1.0},\n    {\"type\": \"freeze", "\"duration_s\": 20.0},\n    {\"type\": \"freeze");
    if longer == text {
        return Err(format!("{BEHAVIOR} does not wait while it looks any more"));
    }
    let world = World::find("push-door-lever").map_err(|error| error.to_string())?;
    let registry = nodes::registry();
    let files = model::file::MemoryFiles([("main.json".to_owned(), longer)].into());
    let library = load("main.json", &files, registry.catalogue()).map_err(|problem| problem.to_string())?.library;
    let (mut cost_s, mut duration_s) = (0.0, 0.0);
    for is_recorded in [false, true] {
        let robot = Arc::new(Robot::builtin("coact-one").ok_or("no robot")?);
        let driver = PhysicsWorld::open(&world, robot, 2).map_err(|error| error.to_string())?;
        let mut site = Site::new(Some(Box::new(driver)), Around::default(), Jobs::modelled(), Arc::clone(&registry));
        let setup = cell::Setup { seed: 2, ..cell::Setup::default() };
        let opened = site.open(&library, &setup, Rc::new(Files)).map_err(|error| error.to_string())?;
        let mut writer: Option<std::thread::JoinHandle<()>> = None;
        if is_recorded {
            let facts = Facts { rate_hz: RATE_HZ, ..Facts::default() };
            let begin = Begin::new(&library, &opened.options, &facts, (0, 1_000_000));
            let started =
                runlog::start(path, begin, Room::Wait, |why| println!("{why}")).map_err(|error| error.to_string())?;
            site.show_to(Some(Box::new(started.recorder)));
            writer = Some(started.thread);
        }
        let mut engine = Engine::new(library.clone(), Arc::clone(&registry), &opened.options);
        let plan = RunPlan { rate_hz: RATE_HZ, max_time_s: 60.0, realtime: false, autonomy: Autonomy::Full, seed: 2 };
        let before_s = world::processor_s();
        let report = headless::run(&mut engine, &mut site, &plan, &AtomicBool::new(false));
        drop(site);
        writer.into_iter().for_each(|thread| drop(thread.join()));
        duration_s = report.duration_s;
        cost_s += if is_recorded { 1.0 } else { -1.0 } * (world::processor_s() - before_s);
    }
    Ok((duration_s, cost_s))
}
