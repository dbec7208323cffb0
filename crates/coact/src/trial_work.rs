//! Runs in processes of their own, several at a time: the crash of one ends no other.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use recording::StoppedBy;
use trial::{Case, Outcome, Ran, shell_line};

/// What a run that failed leaves to be looked at.
const RECORDING: &str = "run.mcap";

/// One run that is to be made.
pub struct Job<'a> {
    pub case: &'a Case,
    pub seed: u64,
}

pub struct Workshop<'a> {
    pub out: &'a str,
    pub interrupted: &'a AtomicBool,
    pub jobs_at_once: usize,
}

/// A run's process while it works; None: there is none.
type Slot = Mutex<Option<Child>>;

impl Workshop<'_> {
    /// Makes all runs and hands each outcome over as it comes. What was interrupted is not handed over.
    pub fn make(&self, jobs: &[Job], mut take: impl FnMut(Outcome) -> Result<()>) -> Result<()> {
        let next = Mutex::new(jobs.iter());
        let slots: Vec<Slot> = (0..self.jobs_at_once.min(jobs.len())).map(|_| Mutex::new(None)).collect();
        let halted = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for slot in &slots {
                let (next, halted, sender) = (&next, &halted, sender.clone());
                scope.spawn(move || self.work(next, slot, halted, &sender));
            }
            drop(sender);
            let end = self.collect(&receiver, &slots, &mut take);
            // Whatever ended it: nobody starts another run.
            halted.store(true, Ordering::Relaxed);
            stop(&slots);
            end
        })
    }

    fn work<'j>(
        &self,
        next: &Mutex<impl Iterator<Item = &'j Job<'j>>>,
        slot: &Slot,
        halted: &AtomicBool,
        sender: &Sender<Result<Option<Outcome>>>,
    ) {
        let is_over = || self.interrupted.load(Ordering::Relaxed) || halted.load(Ordering::Relaxed);
        loop {
            let job = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = job.filter(|_| !is_over()) else { return };
            let outcome = self.run(job, slot);
            let cut_short =
                is_over() || matches!(&outcome, Ok(outcome) if outcome.stopped == Some(StoppedBy::Interrupt));
            if cut_short {
                let _ = std::fs::remove_dir_all(self.folder(job));
            }
            if sender.send(outcome.map(|outcome| (!cut_short).then_some(outcome))).is_err() {
                return;
            }
        }
    }

    fn collect(
        &self,
        receiver: &Receiver<Result<Option<Outcome>>>,
        slots: &[Slot],
        take: &mut impl FnMut(Outcome) -> Result<()>,
    ) -> Result<()> {
        const NAP: Duration = Duration::from_millis(100);
        loop {
            match receiver.recv_timeout(NAP) {
                Ok(outcome) => {
                    if let Some(outcome) = outcome? {
                        take(outcome)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) if self.interrupted.load(Ordering::Relaxed) => stop(slots),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn folder(&self, job: &Job) -> PathBuf {
        Path::new(self.out).join("failures").join(job.case.run_name(job.seed))
    }

    /// What is left behind of a run that failed is all it takes to repeat it; of one that succeeded, nothing.
    fn run(&self, job: &Job, slot: &Slot) -> Result<Outcome> {
        let folder = self.folder(job);
        let at = || format!("cannot write to {}", folder.display());
        std::fs::create_dir_all(&folder).with_context(at)?;
        let world = job.case.world.as_ref().map(|world| (folder.join(format!("{}.json", world.name())), world));
        if let Some((path, world)) = &world {
            let text = serde_json::to_string_pretty(&world.drawn(job.seed)).unwrap_or_default();
            std::fs::write(path, text + "\n").with_context(at)?;
        }
        let world = world.map(|(path, _)| path.to_string_lossy().into_owned());
        let arguments = job.case.arguments(job.seed, world.as_deref());
        let mut recorded = arguments.clone();
        recorded.extend(["--log".to_owned(), folder.join(RECORDING).to_string_lossy().into_owned()]);
        let told = told_by(&recorded, slot)?;
        let ran = told.ran();
        let outcome = Outcome::judge(job.case, job.seed, &ran);
        if outcome.success {
            std::fs::remove_dir_all(&folder).with_context(at)?;
            return Ok(outcome);
        }
        let line = shell_line(std::iter::once("coact").chain(arguments.iter().map(String::as_str)));
        std::fs::write(folder.join("command.txt"), line + "\n").with_context(at)?;
        let (name, text) = match ran {
            Ran::Ended(_) => ("report.json", &told.out),
            Ran::Refused(_) | Ran::Crashed(_) => ("errors.txt", &told.err),
        };
        std::fs::write(folder.join(name), text).with_context(at)?;
        Ok(outcome)
    }
}

fn stop(slots: &[Slot]) {
    for slot in slots {
        if let Some(child) = slot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            // It may have ended by itself.
            let _ = child.kill();
        }
    }
}

/// What a process wrote, and how it ended.
struct Told {
    out: Vec<u8>,
    err: Vec<u8>,
    status: ExitStatus,
}

fn told_by(arguments: &[String], slot: &Slot) -> Result<Told> {
    let program = std::env::current_exe().context("this program cannot be found to run it again")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("a run cannot be started")?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    let read = |pipe: Option<&mut dyn std::io::Read>| {
        let mut bytes = Vec::new();
        pipe.map_or(Ok(0), |pipe| pipe.read_to_end(&mut bytes)).map(|_| bytes)
    };
    // Both at once: a run that waits for someone to read its complaints would never end.
    let (out, err) = std::thread::scope(|scope| {
        let err = scope.spawn(move || err.map_or(Ok(Vec::new()), |mut err| read(Some(&mut err))));
        let out = out.map_or(Ok(Vec::new()), |mut out| read(Some(&mut out)));
        (out, err.join().unwrap_or_else(|_| Ok(Vec::new())))
    });
    let child = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let status = child.ok_or_else(|| anyhow!("a run got lost"))?.wait()?;
    Ok(Told { out: out?, err: err?, status })
}

impl Told {
    fn ran(&self) -> Ran {
        let err = String::from_utf8_lossy(&self.err).trim().to_owned();
        match (self.status.code(), serde_json::from_slice(&self.out)) {
            (Some(0 | 1), Ok(report)) => Ran::Ended(report),
            (Some(2), _) => Ran::Refused(err),
            _ => Ran::Crashed(format!("{}: {err}", self.status)),
        }
    }
}
