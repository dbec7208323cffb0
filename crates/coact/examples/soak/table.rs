//! The figures, each with its bound.

pub struct Row {
    what: String,
    measured: String,
    bound: String,
    kept: bool,
}

#[derive(Default)]
pub struct Table(Vec<Row>);

impl Table {
    pub fn tell(&mut self, what: &str, measured: String) {
        self.0.push(Row { what: what.to_owned(), measured, bound: String::new(), kept: true });
    }

    pub fn most(&mut self, what: &str, measured: f64, bound: f64, unit: &str) {
        let number = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") };
        self.0.push(Row {
            what: what.to_owned(),
            measured: format!("{} {unit}", number(measured)),
            bound: format!("≤ {} {unit}", number(bound)),
            kept: measured <= bound,
        });
    }

    /// At most 1.2 times of what a fresh one takes; where that is next to nothing, so much more.
    pub fn like_fresh(&mut self, what: &str, (measured, fresh): (f64, f64), more: f64, unit: &str) {
        let or_more = if more > 0.0 { format!(" or {more:.0} {unit} more") } else { String::new() };
        self.0.push(Row {
            what: what.to_owned(),
            measured: format!("{measured:.1} {unit}, {:.2} × of a fresh {fresh:.1}", measured / fresh.max(1e-9)),
            bound: format!("≤ 1.20 ×{or_more}"),
            kept: measured <= (1.2 * fresh).max(fresh + more),
        });
    }

    pub fn none(&mut self, what: &str, found: u64) {
        self.0.push(Row {
            what: what.to_owned(),
            measured: found.to_string(),
            bound: "0".to_owned(),
            kept: found == 0,
        });
    }

    pub fn is_kept(&self) -> bool {
        self.0.iter().all(|row| row.kept)
    }

    pub fn print(&self) {
        println!("| | measured | bound | |\n|---|---|---|---|");
        for row in &self.0 {
            let verdict = if row.kept { "" } else { "**broken**" };
            println!("| {} | {} | {} | {verdict} |", row.what, row.measured, row.bound);
        }
    }
}
