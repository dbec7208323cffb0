//! `coact experience`: what attempts at tasks have shown.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Subcommand;
use experience::{Batch, Estimator, Experience, Grid, Lines, Row, State, TaskName};
use serde_json::json;

use crate::experience_folder::{self, lines, place, tasks};
use crate::out::{self, Done, SUCCESS, Stop, complain, count};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Args)]
struct Folder {
    /// The folder of the experience: of a robot process `experience` in that of its --state.
    #[arg(long = "in", value_name = "FOLDER", default_value = experience_folder::NAME)]
    folder: PathBuf,
}

#[derive(Subcommand)]
enum What {
    /// Every task that something is known of.
    List {
        /// Print one JSON object for each, a line each.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        folder: Folder,
    },
    /// One task: what each strategy has taken where, and how long.
    Show {
        task: String,
        /// States within so much of each other are one.
        #[arg(long, value_name = "NUMBER", default_value_t = 5.0)]
        bin: f64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        folder: Folder,
    },
    /// Forget a task: its file is deleted.
    Clear {
        task: String,
        #[command(flatten)]
        folder: Folder,
    },
    /// Every sample of a task as a CSV file.
    Export {
        task: String,
        /// The file; standard output without it.
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        folder: Folder,
    },
}

pub fn run(args: &Args) -> Done {
    match &args.what {
        What::List { json, folder } => list(&folder.folder, *json),
        What::Show { task, bin, json, folder } => show(&folder.folder, task, *bin, *json),
        What::Clear { task, folder } => clear(&folder.folder, task),
        What::Export { task, out, folder } => export(&folder.folder, task, out.as_deref()),
    }
}

fn list(folder: &Path, as_json: bool) -> Done {
    let tasks = tasks(folder)?;
    if tasks.is_empty() && !as_json {
        out::print(&format!("nothing is known in {}\n", folder.display()))?;
    }
    for (task, lines) in &tasks {
        let samples: usize = lines.batches.iter().map(|batch| batch.rows.len()).sum();
        let line = if as_json {
            let wrong: Vec<String> = lines.wrong.iter().map(ToString::to_string).collect();
            let names = strategies(&lines.batches);
            json!({"task": task, "attempts": lines.batches.len(), "samples": samples, "strategies": names, "wrong": wrong})
                .to_string()
        } else {
            let attempts = count(lines.batches.len(), "attempt");
            format!("{task}: {attempts}, {}, with {}", count(samples, "sample"), strategies(&lines.batches).join(", "))
        };
        out::print(&format!("{line}\n"))?;
        tell_wrong(task, lines);
    }
    Ok(SUCCESS)
}

fn tell_wrong(task: &str, lines: &Lines) {
    for wrong in &lines.wrong {
        complain(&format!("experience of `{task}`: {wrong}"));
    }
}

fn strategies(batches: &[Batch]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for batch in batches {
        if !names.contains(&&*batch.strategy) {
            names.push(&batch.strategy);
        }
    }
    names
}

/// With the place of its file.
fn known(folder: &Path, task: &str) -> Result<(PathBuf, Lines), Stop> {
    let path = place(folder, &TaskName::new(task).map_err(anyhow::Error::from)?)?;
    if !path.exists() {
        let there: Vec<String> = tasks(folder)?.into_keys().collect();
        let there = if there.is_empty() { "nothing".to_owned() } else { there.join(", ") };
        return Err(Stop::Wrong(anyhow!("nothing is known of `{task}` in {}: there is {there}", folder.display())));
    }
    let lines = lines(&path)?;
    tell_wrong(task, &lines);
    Ok((path, lines))
}

fn show(folder: &Path, task: &str, bin: f64, as_json: bool) -> Done {
    if bin.is_nan() || bin <= 0.0 {
        return Err(Stop::Wrong(anyhow!("--bin must be above 0")));
    }
    let (_, lines) = known(folder, task)?;
    let mut experience = Experience::new(Grid { bin, estimator: Estimator::Max });
    lines.batches.iter().filter(|batch| batch.placed && batch.is_finite()).for_each(|batch| experience.add(batch));
    let mut text = String::new();
    let mut shown = Vec::new();
    for name in strategies(&lines.batches) {
        let of: Vec<&Batch> = lines.batches.iter().filter(|batch| &*batch.strategy == name).collect();
        let Some(last) = of.last() else { continue };
        let estimates: Vec<(State, Vec<f64>)> =
            experience.estimates(name).map(|(state, each)| (state, each.to_vec())).collect();
        let mean_s = of.iter().map(|batch| batch.phases_s.overhead_s() + batch.phases_s.manipulate).sum::<f64>();
        let mean_s = mean_s / of.len() as f64;
        if as_json {
            let ends: Vec<&str> = of.iter().map(|batch| &*batch.ended).collect();
            shown.push(json!({
                "strategy": name, "robot": last.robot, "attempts": of.len(), "mean_s": mean_s, "limits": last.limits,
                "ended": ends, "most": estimates,
            }));
            continue;
        }
        let _ = writeln!(text, "{name}: {}, {mean_s:.1} s each, on {}", count(of.len(), "attempt"), last.robot);
        for (index, limit) in last.limits.iter().enumerate() {
            let _ = writeln!(text, "  {} (limit {})", limit.sense, limit.max);
            for (state, most) in &estimates {
                let most = most.get(index).copied().unwrap_or_default();
                let beyond = if most > limit.max { "  beyond its limit" } else { "" };
                let _ = writeln!(text, "    {:>9}  {most:8.2}{beyond}", state_text(state));
            }
        }
    }
    if as_json {
        text = format!("{}\n", json!({"task": task, "strategies": shown}));
    }
    out::print(&text)?;
    Ok(SUCCESS)
}

fn state_text(state: &State) -> String {
    match state {
        State::Number(number) => format!("{number:.1}"),
        State::Named(name) if name.is_empty() => "any".to_owned(),
        State::Named(name) => name.to_string(),
    }
}

fn clear(folder: &Path, task: &str) -> Done {
    let (path, lines) = known(folder, task)?;
    std::fs::remove_file(&path).map_err(|error| anyhow!("cannot delete {}: {error}", path.display()))?;
    out::print(&format!("forgot {} of `{task}`\n", count(lines.batches.len(), "attempt")))?;
    Ok(SUCCESS)
}

fn export(folder: &Path, task: &str, to: Option<&Path>) -> Done {
    let (_, lines) = known(folder, task)?;
    let mut text = String::from("trial,attempt,strategy,t_s,state,sense,value,limit\n");
    for batch in &lines.batches {
        for Row(t_s, state, values) in &batch.rows {
            for (limit, value) in batch.limits.iter().zip(values) {
                let state = match state {
                    State::Number(number) => number.to_string(),
                    State::Named(name) => quoted(name),
                };
                let (strategy, sense) = (quoted(&batch.strategy), quoted(&limit.sense));
                let (trial, attempt, max) = (batch.trial, batch.attempt, limit.max);
                let _ = writeln!(text, "{trial},{attempt},{strategy},{t_s},{state},{sense},{value},{max}");
            }
        }
    }
    match to {
        Some(path) => out::write(path, &text)?,
        None => out::print(&text)?,
    }
    Ok(SUCCESS)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
