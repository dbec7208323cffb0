//! A report as one page that needs nothing else.

use std::fmt::Write as _;

use serde_json::Value;

use crate::report::{Failure, Report, Summary};
use crate::text::{first_line, interval};
use crate::timeline::{escaped, svg};

/// What a failed run left behind.
pub struct FailedRun {
    /// Its report; none: it crashed or was not started.
    pub report: Option<Value>,
}

/// A page of megabytes opens nowhere.
const MOST_TIMELINES: usize = 60;
const MOST_NOTES: usize = 60;

const STYLE: &str = "
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 1050px; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; } th, td { padding: .25em .7em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; } code { background: #f3f3f3; padding: .1em .3em; overflow-wrap: anywhere; }
.good { color: #176b2c; } .bad { color: #a3181e; } details { border: 1px solid #ddd; margin: .5em 0; padding: .4em .8em; }
summary { cursor: pointer; } svg { max-width: 100%; height: auto; } svg text { font: 11px sans-serif; fill: #333; }
rect.success { fill: #4a9c5d; } rect.failure { fill: #c8373d; } rect.halted { fill: #b9b9b9; } rect.running { fill: #d8b13c; }
line.world { stroke: #5b3fa0; stroke-dasharray: 4 3; } ul { margin: .3em 0; }
@media (prefers-color-scheme: dark) { body { background: #191919; color: #ddd; } code { background: #2b2b2b; }
svg text { fill: #ccc; } th, td, details { border-color: #444; } .good { color: #6fd08a; } .bad { color: #ff8b8f; } }
";

/// A link to a failed run opens it.
const SCRIPT: &str = "<script>
const open = () => { const run = document.getElementById(location.hash.slice(1)); if (run) run.open = true; };
addEventListener('hashchange', open); open();
</script>
";

/// `runs` are those of the report's failures, in their order.
pub fn page(report: &Report, runs: &[FailedRun]) -> String {
    let name = escaped(&report.suite);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Trial {name}</title><style>{STYLE}</style></head><body>\n<h1>Trial {name}</h1>\n"
    );
    page += if report.reached {
        "<p class=\"good\">All that was asked for is reached.</p>\n"
    } else {
        "<p class=\"bad\">Not all that was asked for is reached.</p>\n"
    };
    page += &table(report);
    for case in &report.cases {
        page += &section(&case.name, &case.summary);
    }
    page += &section("all", &report.all);
    if !report.failures.is_empty() {
        let _ = writeln!(page, "<h2>Failed runs</h2>");
    }
    for (index, failure) in report.failures.iter().enumerate() {
        let run = runs.get(index).filter(|_| index < MOST_TIMELINES);
        page += &failed(failure, run.and_then(|run| run.report.as_ref()));
    }
    page + SCRIPT + "</body></html>\n"
}

fn table(report: &Report) -> String {
    let heads = ["case", "succeeded", report.interval, "mean s", "median s", "p95 s", "max s", "retries", "things"];
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let all = report.cases.iter().map(|case| (case.name.as_str(), &case.summary)).chain([("all", &report.all)]);
    let rows: String = all.map(|(name, summary)| row(name, summary)).collect();
    format!("<table><tr>{heads}</tr>\n{rows}</table>\n")
}

fn row(name: &str, summary: &Summary) -> String {
    let seconds = |pick: fn(&crate::Durations) -> f64| {
        summary.duration.as_ref().map_or_else(|| "–".to_owned(), |duration| format!("{:.2}", pick(duration)))
    };
    let good = if summary.success.done == summary.success.of { "good" } else { "bad" };
    let missing = if summary.missing > 0 { format!(" ({} missing)", summary.missing) } else { String::new() };
    let cells = [
        escaped(name),
        format!("<span class=\"{good}\">{} of {}</span>{missing}", summary.success.done, summary.success.of),
        interval(&summary.success),
        seconds(|duration| duration.mean_s),
        seconds(|duration| duration.median_s),
        seconds(|duration| duration.p95_s),
        seconds(|duration| duration.max_s),
        summary.retries.times.to_string(),
        summary
            .things
            .map_or_else(String::new, |share| format!("{} of {} ({})", share.done, share.of, interval(&share))),
    ];
    format!("<tr>{}</tr>\n", cells.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>())
}

fn section(name: &str, summary: &Summary) -> String {
    let mut items = Vec::new();
    if let Some(margin_m) = summary.min_margin_m {
        items.push(format!("smallest margin of balance {:.1} cm", margin_m * 100.0));
    }
    if let (Some(outside_s), Some(friction)) = (summary.longest_outside_s, summary.max_friction) {
        let outside_ms = outside_s * 1000.0;
        items.push(format!(
            "runs that succeeded: up to {outside_ms:.0} ms outside the feet, friction up to {friction:.2}"
        ));
    }
    for again in &summary.retries.by_step {
        items.push(format!("tried again: {} {}×", escaped(&again.step), again.times));
    }
    for cause in &summary.causes {
        let links = cause.runs.iter().map(|run| format!("<a href=\"#{run}\">{run}</a>")).collect::<Vec<_>>().join(" ");
        let step = if cause.step.is_empty() { String::new() } else { format!(" <b>{}</b>", escaped(&cause.step)) };
        let why = escaped(first_line(&cause.why));
        items.push(format!("{}× {}{step}: {why} {links}", cause.times, cause.kind.words()));
    }
    for target in &summary.targets {
        let is = target.is.map_or_else(|| "nothing".to_owned(), |is| format!("{is:.4}"));
        let class = if target.reached { "good" } else { "bad" };
        let reached = if target.reached { "reached" } else { "missed" };
        items.push(format!("<span class=\"{class}\">target {} {}: {is}, {reached}</span>", target.what, target.target));
    }
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| format!("<li>{item}</li>\n")).collect();
    format!("<h2>{}</h2>\n<ul>\n{items}</ul>\n", escaped(name))
}

fn failed(failure: &Failure, report: Option<&Value>) -> String {
    let outcome = &failure.outcome;
    let id = format!("{}-{}", outcome.case, outcome.seed);
    let cause = outcome.cause.as_ref().map_or_else(String::new, |cause| {
        let step = if cause.step.is_empty() { String::new() } else { format!(" {}", cause.step) };
        format!("{}{step}: {}", cause.kind.words(), first_line(&cause.why))
    });
    let mut text = format!("<details id=\"{id}\"><summary>{id}: {}</summary>\n", escaped(&cause));
    let _ = writeln!(text, "<p>{} after {:.2} s. {}</p>", outcome.result, outcome.ended_s, escaped(&outcome.reason));
    let _ = writeln!(text, "<p><code>{}</code></p>", escaped(&failure.command));
    let truths = outcome.truths.iter().map(|truth| {
        let (class, word) = if truth.met { ("good", "true") } else { ("bad", "not true") };
        let at = truth.at_s.map_or_else(String::new, |at_s| format!(" at {at_s:.2} s"));
        let why = if truth.why.is_empty() { String::new() } else { format!(": {}", escaped(&truth.why)) };
        format!("<li class=\"{class}\">{}: {word}{at}{why}</li>\n", escaped(&truth.truth))
    });
    let _ = writeln!(text, "<ul>\n{}</ul>", truths.collect::<String>());
    if let Some(report) = report {
        text += &svg(report);
        text += &notes(report);
    }
    text + "</details>\n"
}

fn notes(report: &Value) -> String {
    let log = report["log"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told: Vec<&Value> = log.iter().filter(|note| note["kind"] != "run").collect();
    let line = |note: &&Value| {
        let text = |key: &str| escaped(note[key].as_str().unwrap_or_default());
        format!("<li>{:.2} s {} {}</li>\n", note["time_s"].as_f64().unwrap_or(0.0), text("path"), text("text"))
    };
    // The end is what tells why.
    let skipped = told.len().saturating_sub(MOST_NOTES);
    let lines: String = told.iter().skip(skipped).map(line).collect();
    if lines.is_empty() { String::new() } else { format!("<ul>\n{lines}</ul>\n") }
}
