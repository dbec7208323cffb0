//! `coact replay`: a recorded run computed anew.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow};
use engine::Verdict;
use recording::seconds_text;
use runlog::{Difference, File, WhatIf};
use serde_json::json;

use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, Stop};
use crate::record::RecordArgs;
use crate::resume;

#[derive(clap::Args)]
pub struct Args {
    /// The recording: a file, or the name of one in the folder of recordings.
    file: String,
    /// What if: from this time on, in seconds from its beginning, with another tree.
    #[arg(long, value_name = "S", requires = "tree")]
    from: Option<f64>,
    /// The behavior file of that tree. Nodes are the same by their ids, or by their places where they have none.
    #[arg(long, value_name = "FILE", requires = "from")]
    tree: Option<String>,
    /// What if only as long as it commands what it did on record, also where the robot was simulated.
    #[arg(long, requires = "from")]
    recorded: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    record: RecordArgs,
}

/// A file, or one in the folder by its name.
pub fn open(name: &str, record: &RecordArgs) -> Result<File, Stop> {
    let path = PathBuf::from(name);
    let found = if path.is_file() { Some(path) } else { record.folder().and_then(|folder| folder.find(name)) };
    let path = found.ok_or_else(|| {
        anyhow!("there is no recording {name}: neither a file nor a name that `coact runs list` prints")
    })?;
    Ok(File::open(&path).map_err(anyhow::Error::from)?)
}

pub fn run(args: &Args) -> Done {
    let file = open(&args.file, &args.record)?;
    if let (Some(from_s), Some(tree)) = (args.from, &args.tree) {
        return what_if(&file, (from_s, tree), args);
    }
    let began = Instant::now();
    let replayed = runlog::replay(&file, &nodes::registry()).map_err(anyhow::Error::from)?;
    let took_s = began.elapsed().as_secs_f64();
    let duration_s = file.begin().at_s(replayed.end_ns);
    let speed = duration_s / took_s.max(1e-9);
    if args.json {
        let difference = replayed.difference.as_ref().map(|difference| {
            let Difference { tick, path, what, was, is, .. } = difference;
            json!({"tick": tick, "at_s": file.begin().at_s(difference.time_ns), "path": path, "what": what, "was": was,
                "is": is})
        });
        let told = json!({"same": difference.is_none(), "difference": difference, "ticks": replayed.ticks,
            "duration_s": duration_s, "times_real_time": speed});
        out::print(&format!("{told}\n"))?;
    } else {
        let run =
            format!("{} ticks, {} s, {speed:.0} times as fast as it ran", replayed.ticks, seconds_text(duration_s));
        match &replayed.difference {
            None => out::print(&format!("the same, bit for bit: {run}\n"))?,
            Some(difference) => out::print(&format!("{}\n{run}\n", text(&file, difference)))?,
        }
    }
    Ok(if replayed.difference.is_none() { SUCCESS } else { FAILED })
}

fn what_if(file: &File, (from_s, tree): (f64, &str), args: &Args) -> Done {
    let registry = nodes::registry();
    let edited = std::fs::read_to_string(tree).with_context(|| format!("--tree {tree}"))?;
    // By the name that it was recorded with: nodes without an id of their own have theirs from it and from their place.
    let name = file.begin().behavior();
    let files = Once::holding(name, edited);
    let loaded = files::sound(name, files::open(name, &files, &registry, &Known::default()), true)?;
    let from_ns = file.begin().began_ns.saturating_add((from_s * 1e9) as i64);
    let again = "the run cannot be simulated again; with --recorded it is tried on what is on record";
    let simulator = if args.recorded { None } else { resume::simulator(file.begin(), &registry).context(again)? };
    let found = runlog::what_if(file, &registry, from_ns, &loaded.library, simulator).map_err(anyhow::Error::from)?;
    out::print(&if args.json { as_json(file, from_s, &found) } else { as_text(file, &found) })?;
    Ok(SUCCESS)
}

fn as_json(file: &File, from_s: f64, found: &WhatIf) -> String {
    let begin = file.begin();
    let unlike = found
        .unlike
        .as_ref()
        .map(|(tick, time_ns, what)| json!({"tick": tick, "at_s": begin.at_s(*time_ns), "what": what}));
    let told = json!({"result": found.result.map(Verdict::word), "reason": found.reason, "from_s": from_s,
        "ended_s": begin.at_s(found.summary.end_ns), "simulated": found.simulated, "simulator_differs": unlike,
        "recorded_until_s": found.parted_ns.map(|ns| begin.at_s(ns)),
        "first_difference": found.difference.as_ref().map(|difference| text(file, difference))});
    format!("{told}\n")
}

fn as_text(file: &File, found: &WhatIf) -> String {
    let begin = file.begin();
    let mut told = String::new();
    if let Some((tick, time_ns, what)) = &found.unlike {
        let at_s = seconds_text(begin.at_s(*time_ns));
        told += &format!(
            "before anything was edited the simulator is not as it was on record, from tick {tick}, at {at_s} s, on: {what}\n"
        );
    }
    told += &match &found.difference {
        None => "nothing is different\n".to_owned(),
        Some(difference) => text(file, difference) + "\n",
    };
    if let Some(parted_ns) = found.parted_ns {
        let parted_s = seconds_text(begin.at_s(parted_ns));
        told += &match found.simulated {
            true => format!("from {parted_s} s on it commands something else, and nobody but the simulator answers\n"),
            false => format!(
                "from {parted_s} s on it commands something else: what the robot would do then is not on record\n"
            ),
        };
    }
    if let Some(result) = found.result.map(Verdict::word) {
        let reason = if found.reason.is_empty() { String::new() } else { format!(": {}", found.reason) };
        told += &format!("{result} at {} s{reason}\n", seconds_text(begin.at_s(found.summary.end_ns)));
    } else if found.simulated {
        told += &format!("not ended by {} s\n", seconds_text(begin.at_s(found.summary.end_ns)));
    }
    told
}

/// For a person: where, what, how it was and how it is.
pub fn text(file: &File, difference: &Difference) -> String {
    let at_s = seconds_text(file.begin().at_s(difference.time_ns));
    let path = if difference.path.is_empty() { String::new() } else { format!(" {}:", difference.path) };
    let (tick, what) = (difference.tick, &difference.what);
    format!(
        "first difference in tick {tick}, at {at_s} s:{path} {what}\n  was {}\n  is  {}",
        difference.was, difference.is
    )
}
