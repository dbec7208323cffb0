//! Recordings of runs: where they are, and who begins them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use engine::Options;
use model::{Beside, Library};
use onboard::MakeWitness;
use runlog::{Begin, Facts, Folder, Recorder, Room, WorldOf};
use site::Witness;

use crate::site_parts::SiteParts;

/// Where recordings are, for those who give no folder.
const FOLDER: &str = "COACT_RECORDINGS";
const NONE: &str = "none";

#[derive(clap::Args, Clone, Debug, Default)]
pub struct RecordArgs {
    /// The folder where every run is recorded; `none` records nothing. Without it that of the environment variable
    /// COACT_RECORDINGS, else one of your own.
    #[arg(long, value_name = "FOLDER")]
    recordings: Option<PathBuf>,
}

impl RecordArgs {
    /// None: nothing is recorded.
    pub fn folder(&self) -> Option<Folder> {
        let given = self.recordings.clone().or_else(|| std::env::var_os(FOLDER).map(PathBuf::from));
        let folder = given.or_else(own)?;
        (folder.as_os_str() != NONE).then(|| Folder::new(folder))
    }
}

/// Of this person.
fn own() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    data.or_else(|| set("LOCALAPPDATA")).map(|data| data.join("coact").join("recordings"))
}

pub fn facts(rate_hz: f64, beside: Beside, parts: &SiteParts) -> Facts {
    let world = parts.world.as_ref().map(|world| WorldOf { name: world.name().to_owned(), json: world.json().clone() });
    Facts {
        rate_hz,
        beside,
        world,
        faults: parts.args.faults(),
        simulated: parts.is_simulated(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        program_digest: digest_of_program(),
    }
}

/// Of the file that runs, so that two builds of one version are told apart: its size and when it was written.
fn digest_of_program() -> String {
    let data = std::env::current_exe().and_then(std::fs::metadata);
    let written = |data: &std::fs::Metadata| data.modified().ok()?.duration_since(UNIX_EPOCH).ok();
    data.map_or_else(
        |_| String::new(),
        |data| format!("{:x}-{:x}", data.len(), written(&data).unwrap_or_default().as_secs()),
    )
}

fn now_unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// A run from its first tick.
pub fn into_file(
    path: &Path,
    library: &Library,
    options: &Options,
    facts: &Facts,
    room: Room,
) -> Result<(Recorder, JoinHandle<()>)> {
    let begin = Begin::new(library, options, facts, (0, now_unix_ms()));
    let complain = |why: &str| crate::out::complain(&format!("coact: {why}"));
    let started = runlog::start(path, begin, room, complain).context("--log")?;
    Ok((started.recorder, started.thread))
}

/// The threads that write, waited for when nobody ticks any more.
#[derive(Default)]
struct Threads(Vec<JoinHandle<()>>);

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.drain(..).for_each(|thread| drop(thread.join()));
    }
}

/// Each engine of a robot process, into a file of its own in the folder.
pub fn each_engine(folder: Folder, parts: Rc<RefCell<SiteParts>>, rate_hz: f64) -> MakeWitness {
    let mut threads = Threads::default();
    Box::new(move |library: &Library, options: &Options, time_ns: i64| {
        threads.0.retain(|thread| !thread.is_finished());
        let parts = parts.borrow();
        let facts = facts(rate_hz, Beside::default(), &parts);
        let unix_ms = now_unix_ms();
        let begin = Begin::new(library, options, &facts, (time_ns, unix_ms));
        let warn = |why: &str| tracing::warn!("{why}");
        let begun = folder.begin(begin.behavior(), unix_ms).map_err(|error| error.to_string());
        let begun =
            begun.and_then(|path| runlog::start(&path, begin, Room::LeaveOut, warn).map_err(|error| error.to_string()));
        match begun {
            Ok(started) => {
                threads.0.push(started.thread);
                Some(Box::new(started.recorder) as Box<dyn Witness>)
            }
            Err(why) => {
                let folder = folder.path().display();
                tracing::warn!("this run is not recorded: {folder}: {why}; name another folder with --recordings");
                None
            }
        }
    })
}
