//! A report for a terminal.

use crate::report::{Report, Summary};
use crate::statistics::Share;

const MOST_RUNS: usize = 8;
const MOST_FAILURES: usize = 10;

pub fn text(report: &Report) -> String {
    let mut text = table(report);
    for (name, summary) in named(report) {
        text += &details(name, summary);
    }
    text += &failures(report);
    text += "\n";
    text += match (report.reached, report.all.missing) {
        (true, _) => "all that was asked for is reached\n",
        (false, 0) => "not all that was asked for is reached\n",
        (false, _) => "runs are missing: the same command goes on\n",
    };
    text
}

fn named(report: &Report) -> impl Iterator<Item = (&str, &Summary)> {
    let cases = report.cases.iter().map(|case| (case.name.as_str(), &case.summary));
    // With one case, all says the same again.
    let all = (report.cases.len() > 1 || !report.all.targets.is_empty()).then_some(("all", &report.all));
    cases.chain(all)
}

fn table(report: &Report) -> String {
    let header = ["case", "succeeded", report.interval, "mean s", "median", "p95", "max", "retries", "things"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(named(report).map(|(name, summary)| row(name, summary)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            line += &if index == 0 { format!("{cell}{gap}") } else { format!("  {gap}{cell}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn row(name: &str, summary: &Summary) -> [String; 9] {
    let missing = if summary.missing > 0 { format!(" ({} missing)", summary.missing) } else { String::new() };
    let seconds = |seconds_s: Option<f64>| seconds_s.map_or_else(|| "–".to_owned(), |s| format!("{s:.1}"));
    let duration = summary.duration;
    [
        name.to_owned(),
        format!("{} of {}{missing}", summary.success.done, summary.success.of),
        interval(&summary.success),
        seconds(duration.map(|duration| duration.mean_s)),
        seconds(duration.map(|duration| duration.median_s)),
        seconds(duration.map(|duration| duration.p95_s)),
        seconds(duration.map(|duration| duration.max_s)),
        summary.retries.times.to_string(),
        summary.things.map_or_else(String::new, |things| format!("{} of {}", things.done, things.of)),
    ]
}

/// `87.1–99.6 %`.
pub(crate) fn interval(share: &Share) -> String {
    format!("{:.1}–{:.1} %", share.low * 100.0, share.high * 100.0)
}

fn details(name: &str, summary: &Summary) -> String {
    let mut lines = Vec::new();
    if let Some(things) = &summary.things {
        lines.push(format!("things: {} of {}, {}", things.done, things.of, interval(things)));
    }
    if !summary.retries.by_step.is_empty() {
        let steps = summary.retries.by_step.iter().map(|again| format!("{} {}×", again.step, again.times));
        lines.push(format!("tried again: {}", steps.collect::<Vec<_>>().join(", ")));
    }
    for cause in &summary.causes {
        let step = if cause.step.is_empty() { String::new() } else { format!(" `{}`", cause.step) };
        let why = if cause.why.is_empty() { String::new() } else { format!(": {}", first_line(&cause.why)) };
        let mut runs: Vec<&str> = cause.runs.iter().take(MOST_RUNS).map(String::as_str).collect();
        if cause.runs.len() > MOST_RUNS {
            runs.push("…");
        }
        lines.push(format!("{}× {}{step}{why} ({})", cause.times, cause.kind.words(), runs.join(", ")));
    }
    for target in &summary.targets {
        let is = target.is.map_or_else(|| "nothing".to_owned(), |is| format!("{is:.4}"));
        let reached = if target.reached { "reached" } else { "MISSED" };
        lines.push(format!("target {} {}: {is}, {reached}", target.what, target.target));
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("\n{name}\n{}", lines.iter().map(|line| format!("  {line}\n")).collect::<String>())
}

fn failures(report: &Report) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let mut text = "\nto repeat what failed\n".to_owned();
    for failure in report.failures.iter().take(MOST_FAILURES) {
        text += &format!("  {}\n", failure.command);
    }
    if report.failures.len() > MOST_FAILURES {
        text += &format!("  and {} more, in the report\n", report.failures.len() - MOST_FAILURES);
    }
    text
}

pub(crate) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
