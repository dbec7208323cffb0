use engine::Verdict;

use crate::columns::{cut, left, thousands, width_of};
use crate::{Report, Row, StepRun};

/// How a timeline is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns of the terminal; no line is longer.
    pub width: usize,
    pub ascii: bool,
    pub colour: bool,
    /// Rows beyond this are only counted.
    pub max_rows: usize,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { width: 100, ascii: false, colour: false, max_rows: 60 }
    }
}

/// A row a step over a common time axis, so that what ran together stands one above the other.
pub fn timeline(report: &Report, layout: &Layout) -> String {
    if report.rows.is_empty() {
        return "no step was started\n".to_owned();
    }
    let shown = report.rows.len().min(layout.max_rows.max(1));
    let drawing = Drawing::new(report, layout, shown);
    let mut lines = vec![drawing.head()];
    lines.extend((0..shown).map(|row| drawing.row(row)));
    let mut text: String = lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect();
    if shown < report.rows.len() {
        let more: usize = report.rows[shown..].iter().map(|row| row.runs.len()).sum();
        let (dots, s) = (if layout.ascii { "..." } else { "…" }, if more == 1 { "" } else { "s" });
        text += &cut(&format!("{dots} and {} more step{s}", thousands(more)), layout.width, layout.ascii);
        text.push('\n');
    }
    text
}

/// What fills one cell of a bar, worst last: of several executions in one cell the worst is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Empty,
    Span,
    Success,
    Running,
    Halted,
    Failure,
    FailureEnd,
}

impl Cell {
    fn letter(self, ascii: bool) -> char {
        match (self, ascii) {
            (Cell::Empty, _) => ' ',
            (Cell::Span, false) => '─',
            (Cell::Span, true) => '.',
            (Cell::Success, false) => '█',
            (Cell::Success, true) => '=',
            (Cell::Running, false) => '▒',
            (Cell::Running, true) => '>',
            (Cell::Halted, false) => '░',
            (Cell::Halted, true) => '-',
            (Cell::Failure, false) => '▓',
            (Cell::Failure, true) => 'x',
            (Cell::FailureEnd, false) => '✕',
            (Cell::FailureEnd, true) => 'X',
        }
    }

    fn colour(self) -> Option<&'static str> {
        match self {
            Cell::Empty => None,
            Cell::Span => Some("\x1b[2m"),
            Cell::Success => Some("\x1b[32m"),
            Cell::Running => Some("\x1b[36m"),
            Cell::Halted => Some("\x1b[33m"),
            Cell::Failure | Cell::FailureEnd => Some("\x1b[31m"),
        }
    }
}

struct Drawing<'a> {
    report: &'a Report,
    layout: &'a Layout,
    end_s: f64,
    name: usize,
    /// Columns of a time; 0: there is no room for times.
    time: usize,
    /// The same for results.
    result: usize,
    bars: usize,
}

const GAP: usize = 2;
const RESULT: usize = 7;
const FEWEST_BARS: usize = 16;

impl<'a> Drawing<'a> {
    fn new(report: &'a Report, layout: &'a Layout, shown: usize) -> Drawing<'a> {
        let ends = report.steps.iter().map(|step| step.end_s.unwrap_or(step.start_s));
        let end_s = ends.fold(report.duration_s, f64::max);
        let wanted = report.rows[..shown].iter().map(|row| width_of(&label(row))).max().unwrap_or(0).max(4);
        let time = format!("{end_s:.2}").len().max("start s".len());
        let mut drawing = Drawing { report, layout, end_s, name: 0, time: 0, result: 0, bars: 0 };
        for (time, result) in [(time, RESULT), (time, 0), (0, 0)] {
            let gaps = GAP * (1 + 2 * usize::from(time > 0) + usize::from(result > 0));
            let rest = layout.width.saturating_sub(gaps + 2 * time + result);
            let name = wanted.min((layout.width * 2 / 5).max(12)).min(rest.saturating_sub(FEWEST_BARS).max(8));
            let bars = rest.saturating_sub(name);
            (drawing.name, drawing.time, drawing.result, drawing.bars) = (name, time, result, bars);
            if bars >= FEWEST_BARS {
                break;
            }
        }
        drawing
    }

    fn cells(&self) -> usize {
        self.bars.max(1)
    }

    fn head(&self) -> String {
        let columns = self.columns("step", "start s", "end s", "result");
        format!("{columns}{}", axis(self.end_s, self.bars))
    }

    fn columns(&self, name: &str, start: &str, end: &str, result: &str) -> String {
        let mut line = left(name, self.name.min(self.layout.width), self.layout.ascii);
        let mut add = |text: String| {
            line.push_str(&" ".repeat(GAP));
            line.push_str(&text);
        };
        if self.time > 0 {
            for text in [start, end] {
                add(format!("{text:>width$}", width = self.time));
            }
        }
        if self.result > 0 {
            add(left(result, self.result, self.layout.ascii));
        }
        line.push_str(&" ".repeat(GAP));
        line
    }

    fn row(&self, place: usize) -> String {
        let row = &self.report.rows[place];
        let runs: Vec<&StepRun> = row.runs.iter().map(|run| &self.report.steps[*run]).collect();
        let mut cells = vec![Cell::Empty; self.cells()];
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
            let (start_s, end_s) = self.span_below(place);
            self.fill(&mut cells, start_s, end_s, Cell::Span);
            let columns = self.columns(&label(row), &format!("{start_s:.2}"), &format!("{end_s:.2}"), "");
            return columns + &self.bar(&cells);
        };
        for run in &runs {
            self.draw(&mut cells, run);
        }
        let end = last.end_s.map_or_else(String::new, |end_s| format!("{end_s:.2}"));
        let result = last.result.map_or("running", Verdict::word);
        self.columns(&label(row), &format!("{:.2}", first.start_s), &end, result) + &self.bar(&cells)
    }

    /// From the first start to the last end of the rows inside a skill use.
    fn span_below(&self, place: usize) -> (f64, f64) {
        let rows = &self.report.rows;
        let inside = rows[place + 1..].iter().take_while(|row| row.depth > rows[place].depth);
        let runs = inside.flat_map(|row| &row.runs).map(|run| &self.report.steps[*run]);
        let span = runs.fold((f64::INFINITY, 0.0_f64), |(start_s, end_s), run| {
            (start_s.min(run.start_s), end_s.max(run.end_s.unwrap_or(self.end_s)))
        });
        (span.0.min(span.1), span.1)
    }

    fn draw(&self, cells: &mut [Cell], run: &StepRun) {
        let cell = match run.result {
            None => Cell::Running,
            Some(Verdict::Success) => Cell::Success,
            Some(Verdict::Halted) => Cell::Halted,
            Some(Verdict::Failure) => Cell::Failure,
        };
        let last = self.fill(cells, run.start_s, run.end_s.unwrap_or(self.end_s), cell);
        if cell == Cell::Failure {
            cells[last] = Cell::FailureEnd;
        }
    }

    /// At least one cell, however short it was; gives the last one.
    fn fill(&self, cells: &mut [Cell], start_s: f64, end_s: f64, with: Cell) -> usize {
        let count = cells.len();
        let per_s = if self.end_s > 0.0 { count as f64 / self.end_s } else { 0.0 };
        // Both ends rounded alike: a step that follows another begins in the cell behind it.
        let first = ((start_s * per_s).round() as usize).min(count - 1);
        let last = ((end_s * per_s).round() as usize).clamp(first + 1, count) - 1;
        for cell in &mut cells[first..=last] {
            *cell = (*cell).max(with);
        }
        last
    }

    fn bar(&self, cells: &[Cell]) -> String {
        let mut text = String::new();
        let filled = cells.iter().rposition(|cell| *cell != Cell::Empty).map_or(0, |last| last + 1);
        let mut current = None;
        for cell in &cells[..filled.min(self.bars)] {
            let colour = cell.colour().filter(|_| self.layout.colour);
            if colour != current {
                text.push_str(if current.is_some() { "\x1b[0m" } else { "" });
                text.push_str(colour.unwrap_or(""));
                current = colour;
            }
            text.push(cell.letter(self.layout.ascii));
        }
        text.push_str(if current.is_some() { "\x1b[0m" } else { "" });
        text
    }
}

fn label(row: &Row) -> String {
    let times = if row.runs.len() > 1 { format!(" x{}", row.runs.len()) } else { String::new() };
    // Deep trees would leave no room for names.
    format!("{}{}{times}", "  ".repeat(row.depth.min(6)), row.label)
}

/// Round times above the cells they belong to: `0 s     2     4     6`.
fn axis(end_s: f64, cells: usize) -> String {
    const APART: usize = 8;
    if end_s <= 0.0 || cells < APART {
        return if cells < 3 { String::new() } else { "0 s".to_owned() };
    }
    let step_s = round_step(end_s * APART as f64 / cells as f64);
    let decimals = if step_s >= 1.0 { 0 } else { (-step_s.log10()).ceil() as usize };
    let mut line = "0 s".to_owned();
    for index in 1.. {
        let time_s = step_s * f64::from(index);
        let at = (time_s / end_s * cells as f64).round() as usize;
        let text = format!("{time_s:.decimals$}");
        if at + text.len() > cells {
            break;
        }
        if at > line.len() {
            line.push_str(&" ".repeat(at - line.len()));
            line.push_str(&text);
        }
    }
    line
}

/// The first of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not below.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * 0.999);
    factor.unwrap_or(10.0) * power
}
