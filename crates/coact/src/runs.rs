//! `coact runs`: recorded runs, listed, kept and exported.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Subcommand;
use recording::seconds_text;
use runlog::{Doing, File, Folder, Listed, Summary};
use serde_json::json;

use crate::out::{self, Done, SUCCESS, Stop, complain};
use crate::record::RecordArgs;
use crate::replay::open;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// All of them, newest first.
    List {
        /// Only those whose name, behavior, world, robot or people hold this text.
        search: Option<String>,
        /// Print one JSON object for each, a line each.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        record: RecordArgs,
    },
    /// One of them: versions, runs, and where the time went.
    Show {
        recording: String,
        #[command(flatten)]
        record: RecordArgs,
    },
    /// Protect one: it stays when the folder is full.
    Keep {
        recording: String,
        /// Protect it no longer.
        #[arg(long)]
        no_longer: bool,
        #[command(flatten)]
        record: RecordArgs,
    },
    /// Numbers over time as a CSV file: a column for the time, one for each channel.
    Export {
        recording: String,
        /// The file; standard output without it.
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        /// A channel, as `coact log` lists them. May be given several times; all of them without it.
        #[arg(long = "channel", value_name = "NAME")]
        channels: Vec<String>,
        #[command(flatten)]
        record: RecordArgs,
    },
}

pub fn run(args: &Args) -> Done {
    match &args.what {
        What::List { search, json, record } => list(&folder(record)?, search.as_deref().unwrap_or_default(), *json),
        What::Show { recording, record } => show(&open(recording, record)?),
        What::Keep { recording, no_longer, record } => {
            folder(record)?.keep(recording, !no_longer).context(recording.clone())?;
            Ok(SUCCESS)
        }
        What::Export { recording, out, channels, record } => export(&open(recording, record)?, out.as_ref(), channels),
    }
}

fn folder(record: &RecordArgs) -> Result<Folder, Stop> {
    Ok(record.folder().ok_or_else(|| anyhow!("nothing is recorded here: name a folder with --recordings"))?)
}

fn list(folder: &Folder, search: &str, as_json: bool) -> Done {
    let mut lines = Vec::new();
    for listed in folder.list() {
        let read = File::open(&listed.path).and_then(|file| Ok((file.summary()?, file)));
        let (summary, file) = match read {
            Ok(read) => read,
            Err(error) => {
                complain(&format!("coact: {error}"));
                continue;
            }
        };
        let begin = file.begin();
        let robot = begin.body.as_ref().map_or("", |body| &body.robot.name);
        let world = begin.world.as_ref().map_or("", |world| &world.name);
        let who = summary.who.join(", ");
        let texts = [&listed.name, begin.behavior(), robot, world, &who];
        if !texts.iter().any(|text| text.to_lowercase().contains(&search.to_lowercase())) {
            continue;
        }
        let duration_s = begin.at_s(summary.end_ns);
        if as_json {
            lines.push(
                json!({"name": listed.name, "behavior": begin.behavior(), "robot": robot, "world": world,
                    "seed": begin.seed, "duration_s": duration_s, "result": summary.result, "reason": summary.reason,
                    "who": summary.who, "bytes": listed.bytes, "kept": listed.kept, "live": listed.live,
                    "cut": file.is_cut() && !listed.live})
                .to_string(),
            );
        } else {
            lines.push(line(&listed, &file, &summary, duration_s));
        }
    }
    if lines.is_empty() && !as_json {
        lines.push(format!("no recordings in {}", folder.path().display()));
    }
    out::print(&(lines.join("\n") + "\n"))?;
    Ok(SUCCESS)
}

fn line(listed: &Listed, file: &File, summary: &Summary, duration_s: f64) -> String {
    let result = summary.result.map_or("-", |result| result.word());
    let state = match (listed.live, file.is_cut(), listed.kept) {
        (true, ..) => "  being written",
        (false, true, _) => "  cut off",
        (false, false, true) => "  kept",
        _ => "",
    };
    let megabytes = listed.bytes as f64 / 1e6;
    format!(
        "{}  {result:<8}{:>9} s {megabytes:>8.1} MB{state}",
        listed.name,
        seconds_text((duration_s * 100.0).round() / 100.0)
    )
}

fn show(file: &File) -> Done {
    let (begin, summary) = (file.begin(), file.summary().map_err(anyhow::Error::from)?);
    let mut text = format!("{}\n", file.path().display());
    let mut row = |name: &str, value: String| {
        if !value.is_empty() {
            text += &format!("  {name:<10} {value}\n");
        }
    };
    let with_digest =
        |name: &str, digest: &str| if name.is_empty() { String::new() } else { format!("{name} ({digest})") };
    row("behavior", with_digest(begin.behavior(), &begin.digests.behavior));
    row("robot", with_digest(begin.body.as_ref().map_or("", |body| &body.robot.name), &begin.digests.robot));
    row("world", with_digest(begin.world.as_ref().map_or("", |world| &world.name), &begin.digests.world));
    row("program", with_digest(&begin.program, &begin.digests.program));
    row("seed", begin.seed.to_string());
    row("duration", format!("{} s, {} ticks", seconds_text(begin.at_s(summary.end_ns)), summary.ticks));
    row("people", summary.who.join(", "));
    row("cut off", if file.is_cut() { "it was not closed; this is what is in it".to_owned() } else { String::new() });
    row(
        "lost",
        if summary.lost > 0 { format!("{} ticks: the disk was too slow", summary.lost) } else { String::new() },
    );
    for (number, run) in summary.runs.iter().enumerate() {
        let result = run.result.map_or("not ended", |result| result.word());
        let reason = if run.reason.is_empty() { String::new() } else { format!(": {}", run.reason) };
        let ended =
            run.ended_ns.map(|ended_ns| format!(" to {} s", seconds_text(begin.at_s(ended_ns)))).unwrap_or_default();
        row(
            &format!("run {}", number + 1),
            format!("{result}, from {}{ended}{reason}", seconds_text(begin.at_s(run.began_ns))),
        );
    }
    for (doing, ns) in &summary.time_went {
        row(word(*doing), format!("{:.2} s", *ns as f64 / 1e9));
    }
    row(
        "link dark",
        if summary.link_dark_ns > 0 { format!("{:.2} s", summary.link_dark_ns as f64 / 1e9) } else { String::new() },
    );
    out::print(&text)?;
    Ok(SUCCESS)
}

fn word(doing: Doing) -> &'static str {
    match doing {
        Doing::Nothing => "nothing",
        Doing::Person => "a person",
        Doing::Moving => "moving",
        Doing::Planning => "planning",
        Doing::Perception => "perception",
        Doing::Held => "held",
        Doing::Other => "other",
    }
}

fn export(file: &File, out: Option<&PathBuf>, wanted: &[String]) -> Done {
    let known = file.channels().map_err(anyhow::Error::from)?;
    let names: Vec<String> =
        if wanted.is_empty() { known.iter().map(|(name, _)| name.clone()).collect() } else { wanted.to_vec() };
    let mut rows: std::collections::BTreeMap<i64, Vec<Option<f64>>> = std::collections::BTreeMap::new();
    let mut units = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let span = (i64::MIN / 4, i64::MAX / 4);
        let range = file.range(name, span).map_err(anyhow::Error::from)?;
        let near = model::file::nearest(name, known.iter().map(|(known, _)| known.as_str()));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let range = range.ok_or_else(|| anyhow!("the recording has no channel `{name}`{near}"))?;
        units.push(range.unit);
        for (time_ns, value) in range.values {
            let row = rows.entry(time_ns).or_default();
            row.resize(names.len(), None);
            row[column] = Some(value);
        }
    }
    let head = names
        .iter()
        .zip(&units)
        .map(|(name, unit)| if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") });
    let mut text = std::iter::once("time [s]".to_owned()).chain(head).collect::<Vec<_>>().join(",") + "\n";
    for (time_ns, mut row) in rows {
        row.resize(names.len(), None);
        let cells = row.iter().map(|cell| cell.map(|value| value.to_string()).unwrap_or_default());
        let cells: Vec<String> = std::iter::once(file.begin().at_s(time_ns).to_string()).chain(cells).collect();
        text += &(cells.join(",") + "\n");
    }
    match out {
        Some(path) => out::write(path, &text)?,
        None => out::print(&text)?,
    }
    Ok(SUCCESS)
}
