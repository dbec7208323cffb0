//! The timeline of a run as SVG, from its report.

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

/// One row a step, in the order they started; vertical lines where something happened to the world.
pub(crate) fn svg(report: &Value) -> String {
    let end_s = report["duration_s"].as_f64().unwrap_or(0.0).max(0.01);
    let x = |time_s: f64| LABEL_PX as f64 + (time_s / end_s).clamp(0.0, 1.0) * BARS_PX;
    let rows = rows(report);
    let shown = rows.len().min(MOST_ROWS);
    let height = (shown + 2) * ROW_PX;
    let width = LABEL_PX as f64 + BARS_PX + 40.0;
    let mut svg = format!(r#"<svg viewBox="0 0 {width:.0} {height}" width="{width:.0}" role="img">"#);
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
        let bottom = shown * ROW_PX;
        svg += &format!(
            r#"<line class="world" x1="{at:.1}" x2="{at:.1}" y1="0" y2="{bottom}"><title>{text}</title></line>"#
        );
    }
    svg += &axis(end_s, shown * ROW_PX + 12, &x);
    svg += "</svg>";
    if rows.len() > MOST_ROWS {
        svg += &format!("<p>and {} more steps, in its report</p>", rows.len() - MOST_ROWS);
    }
    svg
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

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
        assert!(svg.contains("so &amp; so") && svg.contains(r#"class="running""#) && svg.contains("a push"));
    }
}
