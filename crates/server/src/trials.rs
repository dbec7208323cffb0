//! Suites of runs that people start from the page: one at a time, each by a `coact trial` of its own, whose results are
//! read from its folder while it writes them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use model::file::inside;
use protocol::api::{Answer, Failure, FailureCode, SuiteCaseView, SuiteView, TrialCaseView, TrialRunView, TrialView};
use runlog::Folder;
use trial::{Outcome, Suite};

use crate::operator::failure;

/// Where suites are, and where results go.
const SUITES: &str = "suites";
const RESULTS: &str = "trials";
/// What a run that failed leaves.
pub const RECORDING: &str = "run";
/// Of recordings that trials left, as other recordings have none.
const PREFIX: &str = "trial/";
const MOST_SUITES: usize = 200;
const MOST_RUNS: u32 = 10_000;
/// Of what the process said in the end.
const SAID_LINES: usize = 6;

/// The suites below a folder, and the trial that runs.
#[derive(Clone)]
pub struct Trials(Arc<Inner>);

struct Inner {
    program: PathBuf,
    folder: PathBuf,
    last: Mutex<Option<Trial>>,
}

struct Trial {
    suite: Suite,
    file: String,
    by: String,
    began_unix_ms: f64,
    child: Child,
    /// The process ends when this does.
    stdin: Option<ChildStdin>,
    /// Whether it ended by itself, once it has ended.
    ended: Option<Result<(), String>>,
    stopped: bool,
}

/// What is to be run of a suite.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub runs: Option<u32>,
    pub first_seed: Option<u32>,
}

impl Trials {
    /// `program`: `coact`. `folder`: that of the operator process.
    pub fn new(program: PathBuf, folder: PathBuf) -> Trials {
        Trials(Arc::new(Inner { program, folder, last: Mutex::default() }))
    }

    pub fn suites(&self) -> Answer {
        let entries = std::fs::read_dir(self.0.folder.join(SUITES)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| name.ends_with(".json") && !name.starts_with('.'));
        names.sort();
        names.truncate(MOST_SUITES);
        Answer::Suites { suites: names.iter().map(|name| self.suite_view(&format!("{SUITES}/{name}"))).collect() }
    }

    fn suite_view(&self, file: &str) -> SuiteView {
        match self.load(file) {
            Err(wrong) => SuiteView { file: file.to_owned(), wrong: Some(wrong), cases: Vec::new() },
            Ok(suite) => {
                let case = |case: &trial::Case| SuiteCaseView {
                    name: case.name.clone(),
                    behavior: self.shown(&case.behavior),
                    robot: case.robot.clone(),
                    world: case.world.as_ref().map(|world| world.name().to_owned()),
                    runs: u32::try_from(case.runs).unwrap_or(u32::MAX),
                };
                SuiteView { file: file.to_owned(), wrong: None, cases: suite.cases.iter().map(case).collect() }
            }
        }
    }

    fn load(&self, file: &str) -> Result<Suite, String> {
        Suite::load(&self.0.folder.join(file).to_string_lossy()).map_err(|error| error.to_string())
    }

    /// A path as somebody in the folder would write it.
    fn shown(&self, path: &str) -> String {
        let below = Path::new(path).strip_prefix(&self.0.folder).ok().and_then(Path::to_str);
        below.unwrap_or(path).to_owned()
    }

    pub fn start(&self, file: &str, wanted: Wanted, by: &str) -> Result<Answer, Failure> {
        let refused = |text: String| failure(FailureCode::Refused, text);
        let file = inside(file).map_err(refused)?;
        let mut last = self.last();
        if let Some(trial) = last.as_mut()
            && trial.is_running()
        {
            let text = format!("{} runs already, started by {}: stop it, or wait for it", trial.file, trial.by);
            return Err(failure(FailureCode::Refused, text));
        }
        if wanted.runs.is_some_and(|runs| runs == 0 || runs > MOST_RUNS) {
            return Err(refused(format!("runs of each case are 1 to {MOST_RUNS}")));
        }
        let mut suite = self.load(&file).map_err(refused)?;
        for case in &mut suite.cases {
            case.runs = wanted.runs.map_or(case.runs, |runs| runs as usize);
            case.first_seed = wanted.first_seed.map_or(case.first_seed, u64::from);
        }
        let out = self.results(&suite.name);
        let begun = std::fs::create_dir_all(&out).and_then(|()| self.spawn(&file, wanted, &suite.name));
        let failed = |error: std::io::Error| failure(FailureCode::Failed, format!("the trial cannot begin: {error}"));
        let (child, stdin) = begun.map_err(failed)?;
        let began_unix_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as f64;
        let by = by.to_owned();
        *last = Some(Trial { suite, file, by, began_unix_ms, child, stdin, ended: None, stopped: false });
        drop(last);
        Ok(self.view())
    }

    /// With half of the machine, and behind all that is more urgent: a robot and people may be at it.
    fn spawn(&self, file: &str, wanted: Wanted, name: &str) -> std::io::Result<(Child, Option<ChildStdin>)> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let nice = Path::new("/usr/bin/nice");
        let mut command = if nice.exists() { Command::new(nice) } else { Command::new(&self.0.program) };
        if nice.exists() {
            command.args(["-n", "10"]).arg(&self.0.program);
        }
        command.args(["trial", file, "--anew", "--attached", "--out"]).arg(Path::new(RESULTS).join(name));
        command.args(["--jobs", &(cores / 2).max(1).to_string()]);
        if let Some(runs) = wanted.runs {
            command.args(["--runs", &runs.to_string()]);
        }
        if let Some(seed) = wanted.first_seed {
            command.args(["--first-seed", &seed.to_string()]);
        }
        let said = File::create(self.said(name))?;
        command.current_dir(&self.0.folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        Ok((child, stdin))
    }

    pub fn stop(&self) -> Answer {
        if let Some(trial) = self.last().as_mut() {
            trial.stopped |= trial.is_running();
            trial.stdin = None;
        }
        self.view()
    }

    pub fn view(&self) -> Answer {
        let mut last = self.last();
        let Some(trial) = last.as_mut() else { return Answer::Trial { trial: None } };
        let running = trial.is_running();
        let out = self.results(&trial.suite.name);
        let outcomes = trial::outcomes(&out);
        let made: Vec<Vec<&Outcome>> = trial
            .suite
            .cases
            .iter()
            .map(|case| case.seeds().filter_map(|seed| outcomes.get(&(case.name.clone(), seed))).collect())
            .collect();
        let (all, done) =
            (trial.suite.cases.iter().map(|case| case.runs).sum::<usize>(), made.iter().flatten().count());
        let is_whole = done >= all;
        let ended = match &trial.ended {
            Some(_) if is_whole => None,
            Some(_) if trial.stopped => Some("it was stopped: started again, it goes on".to_owned()),
            Some(_) => Some(last_lines(&self.said(&trial.suite.name))),
            None => None,
        };
        let report = out.join("report.html");
        Answer::Trial {
            trial: Some(TrialView {
                suite: trial.file.clone(),
                by: trial.by.clone(),
                began_unix_ms: trial.began_unix_ms,
                running,
                stopping: running && trial.stopped,
                ended,
                report: (!running && is_whole && report.exists()).then(|| report.display().to_string()),
                cases: trial.suite.cases.iter().zip(&made).map(|(case, made)| case_view(case, made)).collect(),
                runs: made.into_iter().flatten().map(|outcome| self.run_view(&trial.suite.name, outcome)).collect(),
            }),
        }
    }

    fn run_view(&self, name: &str, outcome: &Outcome) -> TrialRunView {
        let run = format!("{}-{}", outcome.case, outcome.seed);
        let recording = format!("{PREFIX}{name}/{run}");
        let is_there =
            !outcome.success && self.recording(&recording).is_some_and(|folder| folder.find(RECORDING).is_some());
        TrialRunView {
            case: outcome.case.clone(),
            seed: outcome.seed as f64,
            success: outcome.success,
            duration_s: outcome.duration_s,
            why: outcome.cause.as_ref().map(ToString::to_string).unwrap_or_default(),
            recording: is_there.then_some(recording),
        }
    }

    fn results(&self, name: &str) -> PathBuf {
        self.0.folder.join(RESULTS).join(name)
    }

    fn said(&self, name: &str) -> PathBuf {
        self.results(name).join("said.txt")
    }

    /// Where a recording lies that a trial left: in a folder of its own. None: it is none of those.
    pub fn recording(&self, name: &str) -> Option<Folder> {
        let (suite, run) = name.strip_prefix(PREFIX)?.split_once('/')?;
        let is_plain = |name: &str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || ['-', '_'].contains(&letter))
        };
        let is_name = is_plain(suite) && is_plain(run);
        is_name.then(|| Folder::new(self.results(suite).join("failures").join(run)))
    }

    fn last(&self) -> MutexGuard<'_, Option<Trial>> {
        self.0.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Trial {
    fn is_running(&mut self) -> bool {
        if self.ended.is_some() {
            return false;
        }
        match self.child.try_wait() {
            Ok(None) => return true,
            Ok(Some(status)) if status.code().is_some_and(|code| code <= 1) => self.ended = Some(Ok(())),
            Ok(Some(status)) => self.ended = Some(Err(status.to_string())),
            Err(error) => self.ended = Some(Err(error.to_string())),
        }
        self.stdin = None;
        false
    }
}

fn case_view(case: &trial::Case, made: &[&Outcome]) -> TrialCaseView {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let good: Vec<f64> = made.iter().filter(|outcome| outcome.success).map(|outcome| outcome.duration_s).collect();
    let share = (!made.is_empty()).then(|| trial::Share::new(good.len(), made.len()));
    TrialCaseView {
        name: case.name.clone(),
        total: count(case.runs),
        done: count(made.len()),
        succeeded: count(good.len()),
        least_share: share.map(|share| share.low),
        greatest_share: share.map(|share| share.high),
        mean_s: (!good.is_empty()).then(|| good.iter().sum::<f64>() / good.len() as f64),
    }
}

fn last_lines(said: &Path) -> String {
    let text = std::fs::read_to_string(said).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(SAID_LINES)..];
    if last.is_empty() { "it ended and said nothing".to_owned() } else { last.join("\n") }
}
