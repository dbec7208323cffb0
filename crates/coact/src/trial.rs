//! Many runs, and what they say.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow};
use trial::{Book, Case, FailedRun, Provenance, Report, Suite, page, text};

use crate::out::{self, Done, FAILED, SUCCESS, Stop, WRONG, complain, count};
use crate::run::on_interrupt;
use crate::trial_check;
use crate::trial_progress::Progress;
use crate::trial_work::{Job, Workshop};

#[derive(clap::Args)]
pub struct Args {
    /// The suite file.
    suite: String,
    /// Where results go; `trials/NAME-OF-THE-SUITE` if not given. What is there already is not run again.
    #[arg(long, value_name = "FOLDER")]
    out: Option<String>,
    /// Runs at the same time; as many as the machine has cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Only this case. May be given several times.
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// This many runs of each case, whatever the suite says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: Option<u32>,
    /// The seeds of each case count up from this one, whatever the suite says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1 << 52))]
    first_seed: Option<u64>,
    /// Throw away results that no longer fit, because the suite, a file or the program has changed.
    #[arg(long)]
    anew: bool,
    /// Say what is wrong with the suite, and run nothing.
    #[arg(long)]
    check: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// End, as by Ctrl-C, when standard input is closed: for a program that starts it and may end before it.
    #[arg(long, hide = true)]
    attached: bool,
}

pub fn run(args: &Args) -> Done {
    let suite = args.suite()?;
    let plans = match trial_check::plans(&suite) {
        Ok(plans) => plans,
        Err(wrong) => {
            wrong.iter().for_each(|line| complain(line));
            return Err(anyhow!("{} has {}: mend it first", args.suite, count(wrong.len(), "error")).into());
        }
    };
    if args.check {
        out::print(&format!("no problems in {}\n", count(suite.cases.len(), "case")))?;
        return Ok(SUCCESS);
    }
    if suite.cases.iter().any(|case| case.world.is_some()) {
        sim::PhysicsWorld::ready().map_err(anyhow::Error::from)?;
    }
    let out = args.out.clone().unwrap_or_else(|| format!("trials/{}", suite.name));
    let mut book = Book::open(Path::new(&out)).map_err(anyhow::Error::from)?;
    if !args.anew && refused(&book, &plans, &out) {
        return Ok(WRONG);
    }
    for plan in plans {
        begin(&mut book, plan, &out)?;
    }
    let interrupted = make_runs(args, &suite, &mut book, &out)?;
    let report = Report::new(&suite, &book, &out);
    write(&report, &out)?;
    let json = || serde_json::to_string(&report).unwrap_or_default() + "\n";
    out::print(&if args.json { json() } else { text(&report) })?;
    if interrupted {
        complain("coact: interrupted: the same command goes on");
    }
    complain(&format!("the report is in {out}/report.html and {out}/report.json"));
    Ok(if report.reached { SUCCESS } else { FAILED })
}

impl Args {
    /// With what the command line says instead.
    fn suite(&self) -> Result<Suite, Stop> {
        let mut suite = Suite::load(&self.suite).map_err(|error| Stop::Wrong(error.into()))?;
        for name in &self.cases {
            if !suite.cases.iter().any(|case| case.name == *name) {
                let names: Vec<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
                return Err(anyhow!("--case {name}: the suite has {}", names.join(", ")).into());
            }
        }
        if !self.cases.is_empty() {
            suite.cases.retain(|case| self.cases.contains(&case.name));
        }
        if let Some(runs) = self.runs {
            suite.cases.iter_mut().for_each(|case| case.runs = runs as usize);
        }
        if let Some(seed) = self.first_seed {
            suite.cases.iter_mut().for_each(|case| case.first_seed = seed);
        }
        Ok(suite)
    }

    fn jobs_at_once(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(cores, |jobs| jobs as usize)
    }
}

/// True: results are there that were made otherwise, which is told.
fn refused(book: &Book, plans: &[Provenance], out: &str) -> bool {
    let mut any = false;
    for plan in plans {
        let since = book.plan(&plan.case).filter(|since| *since != plan && book.count(&plan.case) > 0);
        if let Some(since) = since {
            any = true;
            let (changes, made) = (plan.changes(since).join(" and "), count(book.count(&plan.case), "run"));
            complain(&format!("case {}: {changes} changed since {made} of it were made", plan.case));
        }
    }
    if any {
        let remedy = "with --anew the cases that changed begin anew; or name another folder with --out";
        complain(&format!("coact: the results in {out} are of something else: {remedy}"));
    }
    any
}

/// What failed otherwise would be taken for what fails now.
fn begin(book: &mut Book, plan: Provenance, out: &str) -> Result<()> {
    if book.plan(&plan.case).is_some_and(|since| *since != plan) {
        complain(&format!("case {} begins anew", plan.case));
        let failures = Path::new(out).join("failures");
        for entry in std::fs::read_dir(failures).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.rsplit_once('-').is_some_and(|(case, _)| case == plan.case) {
                std::fs::remove_dir_all(entry.path()).context(name)?;
            }
        }
    }
    Ok(book.begin(plan)?)
}

/// Those that are missing. True: someone does not want to wait for them.
fn make_runs(args: &Args, suite: &Suite, book: &mut Book, out: &str) -> Result<bool, Stop> {
    let runs = |case: &'_ Case| case.seeds().collect::<Vec<_>>();
    let all: Vec<Job> =
        suite.cases.iter().flat_map(|case| runs(case).into_iter().map(move |seed| Job { case, seed })).collect();
    let there = all.iter().filter_map(|job| book.outcome(&job.case.name, job.seed));
    let succeeded = there.filter(|outcome| outcome.success).count();
    let total = all.len();
    let missing: Vec<Job> = all.into_iter().filter(|job| book.outcome(&job.case.name, job.seed).is_none()).collect();
    let mut progress = Progress::new(total, total - missing.len(), succeeded);
    let interrupted = on_interrupt()?;
    if args.attached {
        end_with_input(&interrupted)?;
    }
    let workshop = Workshop { out, interrupted: &interrupted, jobs_at_once: args.jobs_at_once() };
    let made = workshop.make(&missing, |outcome| {
        progress.step(&outcome);
        Ok(book.add(outcome)?)
    });
    progress.end();
    made?;
    Ok(interrupted.load(Ordering::Relaxed))
}

fn end_with_input(interrupted: &Arc<AtomicBool>) -> Result<()> {
    let interrupted = Arc::clone(interrupted);
    let wait = move || {
        // An input that cannot be read is one that nobody holds.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        interrupted.store(true, Ordering::Relaxed);
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(wait).context("no thread for the input")?;
    Ok(())
}

fn write(report: &Report, out: &str) -> Result<()> {
    let failed = report.failures.iter().map(|failure| {
        let text = std::fs::read_to_string(Path::new(&failure.folder).join("report.json"));
        FailedRun { report: text.ok().and_then(|text| serde_json::from_str(&text).ok()) }
    });
    let page = page(report, &failed.collect::<Vec<_>>());
    let json = serde_json::to_string_pretty(report)? + "\n";
    for (name, text) in [("report.json", json), ("report.html", page)] {
        let path = Path::new(out).join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
