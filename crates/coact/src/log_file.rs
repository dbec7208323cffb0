//! `coact log`: what happened in a recorded run.

use anyhow::anyhow;
use engine::Verdict;
use recording::seconds_text;
use runlog::{File, Summary};

use crate::out::{self, Done, SUCCESS};
use crate::record::RecordArgs;
use crate::replay::open;

#[derive(clap::Args)]
pub struct Args {
    /// The recording: a file, or the name of one in the folder of recordings.
    file: String,
    /// Statistics of a channel instead; `--channel list` names those there are. May be given several times.
    #[arg(long = "channel", value_name = "NAME")]
    channels: Vec<String>,
    #[command(flatten)]
    record: RecordArgs,
}

pub fn run(args: &Args) -> Done {
    let file = open(&args.file, &args.record)?;
    let text = if args.channels.is_empty() {
        timeline(&file, &file.summary().map_err(anyhow::Error::from)?)
    } else {
        statistics(&file, &args.channels)?
    };
    out::print(&text)?;
    Ok(SUCCESS)
}

fn timeline(file: &File, summary: &Summary) -> String {
    let begin = file.begin();
    let mut lines: Vec<(i64, String)> = Vec::new();
    for bar in &summary.bars {
        let word = bar.result.map_or("still runs", Verdict::word);
        let reason = bar.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let took = bar
            .end_ns
            .map(|end_ns| format!(" after {} s", seconds_text(rounded((end_ns - bar.start_ns) as f64 / 1e9))));
        lines.push((bar.start_ns, format!("{}  {word}{}{reason}", bar.path, took.unwrap_or_default())));
    }
    lines.extend(summary.lines.iter().map(|line| (line.at_ns, format!("  {}", line.text))));
    lines.sort_by_key(|(at_ns, _)| *at_ns);
    let mut text: String =
        lines.iter().map(|(at_ns, line)| format!("{:>9} s  {line}\n", format!("{:.2}", begin.at_s(*at_ns)))).collect();
    // What ended badly first is what the others ended of.
    let cause = summary.bars.iter().filter(|bar| bar.result == Some(Verdict::Failure)).min_by_key(|bar| bar.end_ns);
    if let Some(cause) = cause.filter(|_| summary.result != Some(Verdict::Success)) {
        let reason = cause.reason.as_deref().unwrap_or("it gave no reason");
        let at_s = seconds_text(rounded(begin.at_s(cause.end_ns.unwrap_or(cause.start_ns))));
        text += &format!("first failed: {} at {at_s} s: {reason}\n", cause.path);
    }
    let reason = if summary.reason.is_empty() { String::new() } else { format!(": {}", summary.reason) };
    let result = summary.result.map_or("not ended", Verdict::word);
    text + &format!("{result} after {} s{reason}\n", seconds_text(rounded(begin.at_s(summary.end_ns))))
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 100.0).round() / 100.0
}

fn statistics(file: &File, names: &[String]) -> anyhow::Result<String> {
    let known = file.channels()?;
    if names == ["list"] {
        return Ok(known.iter().map(|(name, unit)| format!("{name}  {unit}").trim_end().to_owned() + "\n").collect());
    }
    let mut text = String::new();
    for name in names {
        let range = file.range(name, (i64::MIN / 4, i64::MAX / 4))?;
        let range =
            range.ok_or_else(|| anyhow!("the recording has no channel `{name}`: --channel list names those it has"))?;
        let of = range.statistics();
        let unit = &range.unit;
        text += &format!(
            "{name}: {} values, from {:.6} to {:.6} {unit}, mean {:.6} {unit}, deviation {:.6} {unit}\n",
            of.count, of.least, of.greatest, of.mean, of.deviation
        );
    }
    Ok(text)
}
