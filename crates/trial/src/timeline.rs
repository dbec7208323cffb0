//! The timeline of a run as SVG, from its report.

use quick_xml::escape::escape;
use serde_json::Value;

const ROW_PX: usize = 16;
const LABEL_PX: usize = 260;
const BARS_PX: f64 = 700.0;
const MOST_ROWS: usize = 120;

struct Row<'a> {
    path: &'a str,
    name: &'a str,
    runs: Vec<&'a Value>,
}

const STYLE: &str = "text { font: 11px sans-serif; fill: #333; } rect.success { fill: #4a9c5d; } rect.failure { fill: #c8373d; } \
                     rect.halted { fill: #b9b9b9; } rect.running { fill: #d8b13c; } \
                     line.world { stroke: #5b3fa0; stroke-dasharray: 4 3; }";

/// A file of its own: the timeline on white, with its colours.
pub fn picture(report: &Value) -> String {
    let rows = rows(report);
    let white = r#"<rect width="100%" height="100%" fill="white"/>"#;
    let inside = format!("<style>{STYLE}</style>{white}{}", drawn(report, &rows));
    framed(rows.len(), r#" xmlns="http://www.w3.org/2000/svg""#, &inside) + "\n"
}

/// For a page that has the colours.
pub(crate) fn svg(report: &Value) -> String {
    let rows = rows(report);
    let mut svg = framed(rows.len(), "", &drawn(report, &rows));
    if rows.len() > MOST_ROWS {
        svg += &format!("<p>and {} more steps, in its report</p>", rows.len() - MOST_ROWS);
    }
    svg
}

fn framed(rows: usize, namespace: &str, inside: &str) -> String {
    let height = (rows.min(MOST_ROWS) + 2) * ROW_PX;
    let width = LABEL_PX as f64 + BARS_PX + 40.0;
    format!(
        r#"<svg{namespace} viewBox="0 0 {width:.0} {height}" width="{width:.0}" height="{height}" role="img">{inside}</svg>"#
    )
}

/// One row a step, in the order they started; vertical lines where something happened to the world.
fn drawn(report: &Value, rows: &[Row]) -> String {
    let end_s = report["duration_s"].as_f64().unwrap_or(0.0).max(0.01);
    let x = |time_s: f64| LABEL_PX as f64 + (time_s / end_s).clamp(0.0, 1.0) * BARS_PX;
    let bottom = rows.len().min(MOST_ROWS) * ROW_PX;
    let mut svg = String::new();
    for (index, row) in rows.iter().take(MOST_ROWS).enumerate() {
        let top = index * ROW_PX;
        let depth = row.path.matches('/').count().saturating_sub(1).min(12);
        let label: String = row.name.chars().take(38).collect();
        let (at, baseline) = (depth * 8, top + 12);
        svg += &format!(r#"<text x="{at}" y="{baseline}">{}</text>"#, escaped(&label));
        for run in &row.runs {
            svg += &bar(run, top, end_s, &x);
        }
    }
    for note in report["log"].as_array().into_iter().flatten().filter(|note| note["kind"] == "world") {
        let at = x(note["time_s"].as_f64().unwrap_or(0.0));
        let text = escaped(note["text"].as_str().unwrap_or_default());
        svg += &format!(
            r#"<line class="world" x1="{at:.1}" x2="{at:.1}" y1="0" y2="{bottom}"><title>{text}</title></line>"#
        );
    }
    svg + &axis(end_s, bottom + 12, &x)
}

fn rows(report: &Value) -> Vec<Row<'_>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for step in report["steps"].as_array().into_iter().flatten() {
        let text = |key: &str| step[key].as_str().unwrap_or_default();
        let place = *places.entry(text("path")).or_insert(rows.len());
        if place == rows.len() {
            rows.push(Row { path: text("path"), name: text("node"), runs: Vec::new() });
        }
        rows[place].runs.push(step);
    }
    rows
}

fn bar(run: &Value, top: usize, end_s: f64, x: &impl Fn(f64) -> f64) -> String {
    let start_s = run["start_s"].as_f64().unwrap_or(0.0);
    let until_s = run["end_s"].as_f64().unwrap_or(end_s);
    let (left, right) = (x(start_s), x(until_s));
    let result = run["result"].as_str().unwrap_or("running");
    let reason = run["reason"].as_str().unwrap_or_default();
    let title = format!("{start_s:.2}–{until_s:.2} s: {result} {reason}");
    let (y, bar_width) = (top + 3, (right - left).max(1.5));
    let title = escaped(title.trim_end());
    format!(
        r#"<rect class="{result}" x="{left:.1}" y="{y}" width="{bar_width:.1}" height="11"><title>{title}</title></rect>"#
    )
}

fn axis(end_s: f64, y: usize, x: &impl Fn(f64) -> f64) -> String {
    let wide = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0];
    let step_s = wide.into_iter().find(|step_s| end_s / step_s <= 10.0).unwrap_or(3600.0);
    let ticks = (0..=10).map(|tick| f64::from(tick) * step_s).filter(|time_s| *time_s <= end_s);
    ticks.map(|time_s| format!(r#"<text class="axis" x="{:.1}" y="{y}">{time_s} s</text>"#, x(time_s))).collect()
}

/// As text or as the value of an attribute, of XML or HTML.
pub fn escaped(text: &str) -> String {
    escape(text).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_step_has_a_row_and_names_are_no_markup() {
        let report = json!({
            "duration_s": 4.0,
            "steps": [
                {"path": "/A", "node": "A <b>", "start_s": 0.0, "end_s": 1.0, "result": "failure", "reason": "so & so"},
                {"path": "/B", "node": "B", "start_s": 1.0, "end_s": null, "result": null, "reason": ""},
                {"path": "/A", "node": "A <b>", "start_s": 2.0, "end_s": 3.0, "result": "success", "reason": ""}],
            "log": [{"kind": "world", "time_s": 2.0, "text": "a push"}, {"kind": "log", "time_s": 1.0, "text": "no"}]
        });
        let svg = svg(&report);
        assert_eq!((svg.matches("<rect").count(), svg.matches("<line").count()), (3, 1));
        assert_eq!(svg.matches(">A &lt;b&gt;</text>").count(), 1);
        let picture = picture(&report);
        assert_eq!((picture.matches("<rect").count(), picture.matches("<style>").count()), (4, 1));
        assert!(svg.contains("so &amp; so") && svg.contains(r#"class="running""#) && svg.contains("a push"));
    }
}
