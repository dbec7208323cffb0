use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use engine::{Engine, Options, Registry, Verdict};
use model::file::Files;
use model::{Autonomy, Beside, Library, Value};
use recording::{BalanceReport, Layout, Report, TruthReport, seconds_text, timeline};
use runlog::Room;
use site::headless::{self, RunPlan};
use site::{Jobs, OpenError};

use crate::edit;
use crate::experience_folder::ExperienceFolder;
use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, Stop, complain, count};
use crate::record;
use crate::robot_args::{self, RobotArgs};
use crate::set;
use crate::site_parts::SiteParts;
use crate::world::WorldArgs;

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file.
    pub file: String,
    /// Give a variable of the behavior another value: JSON, or a plain text. May be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub sets: Vec<String>,
    /// The seed of everything random: the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Run this many times, with seeds counting up from --seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub repeat: u32,
    /// Mirror the whole behavior before it runs, as `coact edit FILE mirror / --objects` would; no file is changed.
    #[arg(long)]
    pub mirror: bool,
    /// What attempts have shown before, in this folder. Without it nothing is known.
    #[arg(long, value_name = "FOLDER")]
    pub experience: Option<PathBuf>,
    /// Keep in this folder what attempts show: that of --experience, or a new one, so that the run can be repeated.
    #[arg(long, value_name = "FOLDER")]
    pub experience_out: Option<PathBuf>,
    /// How much the robot may do by itself: a step starts only if this is above the level the step requires.
    #[arg(long, value_name = "LEVEL", default_value = "full")]
    pub autonomy: Level,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub robot: RobotArgs,
    #[command(flatten)]
    pub world: WorldArgs,
}

/// How a run passes and what is told of it.
#[derive(clap::Args, Clone)]
pub struct How {
    /// Run as fast as the wall clock, not as fast as the machine can.
    #[arg(long)]
    pub realtime: bool,
    /// Print one JSON object per run, a line each.
    #[arg(long)]
    pub json: bool,
    /// Ticks per simulated second, in Hz.
    #[arg(long, value_name = "HZ", default_value_t = 100.0, value_parser = rate)]
    pub rate: f64,
    /// Stop a run after this simulated time, in seconds.
    #[arg(long, value_name = "S", default_value_t = 3600.0, value_parser = max_time)]
    pub max_time: f64,
    /// Draw the timeline with plain letters.
    #[arg(long)]
    pub ascii: bool,
    /// Print only the result: no timeline, no log, no warnings.
    #[arg(long, short)]
    pub quiet: bool,
    /// Draw the timeline into this SVG file as well; of several runs, of the last.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Level {
    Off,
    Low,
    High,
    Full,
}

fn rate(text: &str) -> Result<f64, String> {
    between(text, 0.1, 100_000.0, "Hz")
}

fn max_time(text: &str) -> Result<f64, String> {
    between(text, 0.0, 1e9, "s")
}

fn between(text: &str, least: f64, most: f64, unit: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("write a number in {unit}"))?;
    if (least..=most).contains(&number) { Ok(number) } else { Err(format!("must be from {least} to {most} {unit}")) }
}

pub fn run(args: &Args) -> Done {
    run_from(args, Once::default())
}

pub fn run_from(args: &Args, files: Once) -> Done {
    run_as(args, files, false)
}

/// `preview`: objects are where they nominally are, and nothing is seen.
pub fn run_as(args: &Args, files: Once, preview: bool) -> Done {
    let registry = nodes::registry();
    let world = args.world.world()?;
    let mut choice = args.robot.choice_or_default()?;
    choice.needed = world.is_some();
    let cell = args.world.cell();
    let given = args.sets.iter().map(|set| set.split('=').next().unwrap_or_default().into()).collect();
    let opened = files::open(&args.file, &files, &registry, &Known { cell, given, robot: Some(&choice) });
    let mut loaded = files::sound(&args.file, opened, !args.how.quiet)?;
    if args.mirror {
        loaded.library = edit::mirrored(loaded.library, &registry, &choice)?;
    }
    args.world.check_environment(&loaded.library, &files, &registry, !args.how.quiet)?;
    let robot = choice.robot(&loaded.library, &registry);
    if robot.is_none() {
        args.robot.refuse_without_robot()?;
    }
    // What is wrong with them is told once; each run loads them anew.
    robot_args::templates_beside(&args.file);
    let runner = Runner {
        args,
        set: set::parse(&args.sets, loaded.library.main())?,
        library: loaded.library,
        parts: SiteParts::new(&args.robot, choice, robot, world, Arc::clone(&registry))?,
        registry,
        files: Rc::new(files),
        interrupted: on_interrupt()?,
        preview,
    };
    if args.repeat == 1 { runner.one() } else { runner.many() }
}

/// The flag that Ctrl-C sets. A second one ends the program at once.
pub fn on_interrupt() -> Result<Arc<AtomicBool>, Stop> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let handle = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(FAILED));
        }
    };
    ctrlc::set_handler(handle).context("cannot listen for Ctrl-C")?;
    Ok(interrupted)
}

struct Runner<'a> {
    args: &'a Args,
    set: Vec<(Arc<str>, Value)>,
    library: Library,
    registry: Arc<Registry>,
    files: Rc<Once>,
    parts: SiteParts,
    interrupted: Arc<AtomicBool>,
    preview: bool,
}

impl Runner<'_> {
    fn report(&self, seed: u64) -> Result<Report, Stop> {
        let jobs = if self.args.how.realtime { Jobs::beside() } else { Jobs::modelled() };
        let mut site = self.parts.site(seed, jobs)?;
        let (from, to) = (self.args.experience.as_deref(), self.args.experience_out.as_deref());
        site.remember_in(ExperienceFolder::of_run(from, to)?);
        let files: Rc<dyn Files> = Rc::<Once>::clone(&self.files);
        let opened = site.open(&self.library, &self.args.world.setup(seed), files).map_err(no_site)?;
        let options = Options { set: self.set.clone(), preview: self.preview, ..opened.options };
        let mut engine = Engine::new(self.library.clone(), Arc::clone(&self.registry), &options);
        let recording = match self.args.world.log_of(seed, self.args.repeat > 1) {
            None => None,
            Some(path) => {
                let beside = Beside::gather(&self.library, &*self.files).unwrap_or_default();
                let facts = record::facts(self.args.how.rate, beside, &self.parts);
                let room = if self.args.how.realtime { Room::LeaveOut } else { Room::Wait };
                let (recorder, thread) = record::into_file(&path, &self.library, &options, &facts, room)?;
                site.show_to(Some(Box::new(recorder)));
                Some(thread)
            }
        };
        let plan = RunPlan {
            rate_hz: self.args.how.rate,
            max_time_s: self.args.how.max_time,
            realtime: self.args.how.realtime,
            autonomy: match self.args.autonomy {
                Level::Off => Autonomy::Off,
                Level::Low => Autonomy::Low,
                Level::High => Autonomy::High,
                Level::Full => Autonomy::Full,
            },
            seed,
        };
        let mut report = headless::run(&mut engine, &mut site, &plan, &self.interrupted);
        drop(site);
        // Whoever ran it may read the file at once.
        recording.into_iter().for_each(|thread| drop(thread.join()));
        report.world = self.parts.world.as_ref().map(|world| world.name().to_owned());
        if let Some(path) = &self.args.how.svg {
            let report = serde_json::from_str(&report.to_json()).context("the report of the run")?;
            out::write(path, &trial::timeline_picture(&report))?;
        }
        Ok(report)
    }

    fn one(&self) -> Done {
        let report = self.report(self.args.seed)?;
        if self.args.how.json {
            out::print(&format!("{}\n", report.to_json()))?;
        } else {
            out::print(&self.text(&report))?;
        }
        Ok(code(report.result == Verdict::Success))
    }

    fn many(&self) -> Done {
        let mut succeeded = 0;
        let mut done = 0_usize;
        for index in 0..self.args.repeat {
            let report = self.report(self.args.seed.wrapping_add(u64::from(index)))?;
            done += 1;
            succeeded += u32::from(report.result == Verdict::Success);
            if self.args.how.json {
                out::print(&format!("{}\n", report.to_json()))?;
            } else if !self.args.how.quiet {
                out::print(&format!("seed {}: {}\n", report.seed, result(&report)))?;
            }
            if self.interrupted.load(Ordering::Relaxed) {
                complain(&format!("coact: interrupted after {}", count(done, "run")));
                break;
            }
        }
        if !self.args.how.json {
            out::print(&format!("{succeeded} of {} succeeded\n", count(done, "run")))?;
        }
        Ok(code(succeeded == self.args.repeat))
    }

    /// The timeline, the log, then the result.
    fn text(&self, report: &Report) -> String {
        let mut text = String::new();
        if !self.args.how.quiet {
            let layout =
                Layout { width: out::width(), ascii: self.args.how.ascii, colour: out::colour(), ..Layout::default() };
            text += &timeline(report, &layout);
            text.push('\n');
            let log = log_lines(report);
            text += &log;
            text.push_str(if log.is_empty() { "" } else { "\n" });
            if let Some(balance) = &report.balance {
                text += &format!("balance: {}\n", margin(balance));
            }
            text += &report.truths.iter().map(truth).collect::<String>();
        }
        text += &format!("{}\n", result(report));
        text
    }
}

fn no_site(error: OpenError) -> anyhow::Error {
    match error {
        OpenError::Cell(problem) => {
            complain(&problem.to_string());
            anyhow!("the run has no surroundings: mend them first")
        }
        OpenError::Eyes(why) => anyhow!(why),
    }
}

fn code(success: bool) -> u8 {
    if success { SUCCESS } else { FAILED }
}

/// `success after 7.6 s`, `failure after 2 s: the operator answered no`.
fn result(report: &Report) -> String {
    let reason = if report.reason.is_empty() { String::new() } else { format!(": {}", report.reason) };
    format!("{} after {} s{reason}", report.result.word(), seconds_text(report.duration_s))
}

/// `smallest margin 5.2 cm at 3.40 s`, `smallest margin -2.1 cm at 3.40 s, outside for up to 40 ms at 3.42 s`.
fn margin(balance: &BalanceReport) -> String {
    let least = format!("smallest margin {:.1} cm at {:.2} s", balance.min_margin_m * 100.0, balance.at_s);
    if balance.longest_outside_s <= 0.0 {
        return least;
    }
    format!("{least}, outside for up to {:.0} ms at {:.2} s", balance.longest_outside_s * 1000.0, balance.outside_at_s)
}

/// `true: through door, 0.5 m beyond it, at 12.34 s`.
fn truth(truth: &TruthReport) -> String {
    let word = if truth.met { "true" } else { "not true" };
    let at = truth.at_s.map(|at_s| format!(", at {at_s:.2} s")).unwrap_or_default();
    let things = truth.things.map(|[done, of]| format!(", {done} of {of}")).unwrap_or_default();
    let why = if truth.why.is_empty() { String::new() } else { format!(": {}", truth.why) };
    format!("{word}: {}{things}{at}{why}\n", truth.truth)
}

/// What log steps wrote, warnings, holds and sent commands, in order of time.
fn log_lines(report: &Report) -> String {
    const MOST: usize = 200;
    let mut lines: Vec<(f64, String)> = Vec::new();
    for note in report.log.iter().filter(|note| note.kind != "run") {
        let warning = if note.kind == "warning" { "warning: " } else { "" };
        let path = note.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
        lines.push((note.time_s, format!("{warning}{path}{}", note.text)));
    }
    lines.extend(report.holds.iter().map(|hold| (hold.time_s, format!("{}: held: {}", hold.path, hold.why))));
    for sent in &report.sent {
        let values: Vec<String> = sent.values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        lines.push((sent.time_s, format!("sent {}{}", sent.command, values.concat())));
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut text: String =
        lines.iter().take(MOST).map(|(time_s, line)| format!("{:>9} s  {line}\n", format!("{time_s:.2}"))).collect();
    if lines.len() > MOST {
        text += &format!("and {} more lines; --json has all of them\n", lines.len() - MOST);
    }
    text
}
