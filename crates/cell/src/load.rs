use std::sync::Arc;

use expression::Expression;
use model::file::Files;
use model::{Problem, Severity, Value};
use serde_json::Value as Json;

use crate::cell::{Case, Cell, Command, KEEPS, Reading, Variable};
use crate::evaluate::Known;
use crate::json::Tree;
use crate::read::{Place, Reader};
use crate::signals::{Signal, SignalKind, Signals, hint};

/// The version of the file form this program reads.
pub const VERSION: u64 = 1;

impl Cell {
    /// Reads a cell file and finds everything wrong with it. Fails only where there is nothing to open.
    pub fn load(path: &str, files: &dyn Files) -> Result<(Cell, Vec<Problem>), Problem> {
        let text = files.read(path).map_err(|why| {
            Problem::in_file(Severity::Error, path, why, "check the path, and that the file may be read")
        })?;
        Cell::parse(path, &text)
    }

    /// As [`Cell::load`], from a text.
    pub fn parse(path: &str, text: &str) -> Result<(Cell, Vec<Problem>), Problem> {
        let tree: Tree = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
            let remedy = "the text is no valid JSON; mend it at this place";
            Problem::in_file(Severity::Error, path, error.to_string(), remedy)
        })?;
        if !matches!(tree, Tree::Object(_)) {
            let remedy = r#"write an object: {"version": 1, "signals": {…}, "variables": {…}, "commands": {…}}"#;
            return Err(Problem::in_file(Severity::Error, path, "a cell file is one JSON object", remedy));
        }
        let mut reader = Reader { file: path, problems: Vec::new() };
        let known = ["version", "notes", "signals", "variables", "commands"];
        let [version, notes, signals, variables, commands] = reader.fields(tree, "", known);
        reader.version(version);
        let notes = reader.text(notes, "", "notes");
        let entries = |reader: &mut Reader, tree: Option<Tree>, place| {
            tree.map(|tree| reader.object(tree, place, "an object of names")).unwrap_or_default()
        };
        let mut declared: Vec<Signal> =
            entries(&mut reader, signals, "/signals").into_iter().map(|entry| reader.signal(entry)).collect();
        let names: Vec<Arc<str>> = declared.iter().map(|signal| signal.name.clone()).collect();
        let variables: Vec<Variable> = entries(&mut reader, variables, "/variables")
            .into_iter()
            .filter_map(|entry| reader.variable(entry, &declared, &names))
            .collect();
        let commands: Vec<Command> = entries(&mut reader, commands, "/commands")
            .into_iter()
            .map(|entry| reader.command(entry, &declared, &names))
            .collect();
        for (place, _) in commands.iter().flat_map(|command| &command.outputs) {
            declared[*place].is_output = true;
        }
        let cell = Cell { file: path.into(), notes, signals: declared.into(), variables, commands };
        reader.report_unused(&cell);
        reader.try_initial(&cell);
        Ok((cell, reader.problems))
    }
}

impl Reader<'_> {
    fn version(&mut self, tree: Option<Tree>) {
        let remedy = format!("write \"version\": {VERSION}");
        match tree.map(Tree::into_json) {
            None => self.error("", Some("version"), "the file does not say its version", remedy),
            Some(json) if json.as_u64() == Some(VERSION) => {}
            Some(other) => {
                let message = format!("version {other} is not known; known: {VERSION}");
                self.error(
                    "",
                    Some("version"),
                    message,
                    "use the program that wrote the file, or a newer one than this",
                );
            }
        }
    }

    fn signal(&mut self, (name, tree): (String, Tree)) -> Signal {
        let place = format!("/signals/{name}");
        self.name_is_good(&name, &place);
        let [kind, initial, unit, notes] = self.fields(tree, &place, ["kind", "initial", "unit", "notes"]);
        let written = self.text(kind, &place, "kind");
        let known = SignalKind::ALL.iter().find(|(word, _)| *word == written).map(|(_, kind)| *kind);
        if known.is_none() && !written.is_empty() {
            let message = format!("`{written}` is not a kind of signal");
            self.error(&place, Some("kind"), message, "write \"bool\", \"number\" or \"text\"");
        }
        let initial = initial.and_then(|tree| Value::from_json(&tree.into_json()));
        // Left out, the kind follows from the initial value; with neither, it is a wire.
        let kind = known.unwrap_or_else(|| {
            let of_initial =
                |value: &Value| SignalKind::ALL.iter().map(|(_, kind)| *kind).find(|kind| kind.fits(value));
            initial.as_ref().and_then(of_initial).unwrap_or(SignalKind::Bool)
        });
        let fitting = initial.clone().filter(|value| kind.fits(value));
        if let (Some(value), None) = (&initial, &fitting) {
            let message = format!("`initial` is {} ({value}), but the signal carries {kind}", value.kind());
            self.error(&place, Some("initial"), message, "change `initial` or `kind`");
        }
        Signal {
            name: name.into(),
            kind,
            initial: fitting.unwrap_or_else(|| kind.rest()),
            unit: self.text(unit, &place, "unit"),
            notes: self.text(notes, &place, "notes"),
            is_output: false,
        }
    }

    fn variable(&mut self, (name, tree): (String, Tree), signals: &[Signal], names: &[Arc<str>]) -> Option<Variable> {
        let place = format!("/variables/{name}");
        self.name_is_good(&name, &place);
        let tree = match tree {
            // A bare list of cases and a bare expression are the short forms.
            list @ Tree::List(_) => Tree::Object(vec![("cases".to_owned(), list)]),
            text @ Tree::Plain(Json::String(_)) => Tree::Object(vec![("expression".to_owned(), text)]),
            other => other,
        };
        let known = ["cases", "expression", "signal", "scale", "offset", "unit", "notes"];
        let [cases, expression, signal, scale, offset, unit, notes] = self.fields(tree, &place, known);
        if [&cases, &expression, &signal].into_iter().flatten().count() != 1 {
            let message = "a variable follows exactly one of `cases`, `expression` and `signal`";
            self.error(&place, None, message, r#"write a list of cases: [{"value": …, "when": "…"}, {"value": …}]"#);
            return None;
        }
        let is_scaled = scale.is_some() || offset.is_some();
        if is_scaled && signal.is_none() {
            self.error(&place, None, "`scale` and `offset` go with `signal`", "take them out, or name a `signal`");
        }
        let scale = self.number(scale, &place, "scale").unwrap_or(1.0);
        let offset = self.number(offset, &place, "offset").unwrap_or(0.0);
        let (unit, notes) = (self.text(unit, &place, "unit"), self.text(notes, &place, "notes"));
        let reading = if let Some(cases) = cases {
            Reading::Cases(self.cases(cases, &place, names)?)
        } else if let Some(tree) = expression {
            Reading::Expression(self.expression(tree, &place, "expression", (names, "signal"))?)
        } else {
            let signal = self.text(signal, &place, "signal");
            let at = self.signal_named(&signal, &place, "signal", names)?;
            if is_scaled && signals[at].kind != SignalKind::Number {
                let message = format!("`{signal}` carries {}, and only a number can be scaled", signals[at].kind);
                self.error(&place, Some("signal"), message, "take out `scale` and `offset`");
            }
            if is_scaled { Reading::Scaled { signal: at, scale, offset } } else { Reading::Plain { signal: at } }
        };
        Some(Variable { name: name.into(), unit, notes, reading })
    }

    fn cases(&mut self, tree: Tree, place: Place, names: &[Arc<str>]) -> Option<Vec<Case>> {
        let Tree::List(items) = tree else {
            self.error(place, Some("cases"), "`cases` must be a list", r#"write [{"value": …, "when": "…"}, …]"#);
            return None;
        };
        if items.is_empty() {
            self.error(place, Some("cases"), "the variable has no cases", "give at least one, or take it out");
            return None;
        }
        let last = items.len() - 1;
        let mut cases = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            let place = format!("{place}/case {}", index + 1);
            let [value, when, _] = self.fields(item, &place, ["value", "when", "notes"]);
            if when.is_none() && index < last {
                let message = "a case without `when` always holds: those behind it are never reached";
                self.warning(&place, None, message, "give it a `when`, or move it to the end");
            }
            let bad_when = when.is_some();
            let when = when.and_then(|tree| self.expression(tree, &place, "when", (names, "signal")));
            let Some(value) = value.and_then(|tree| Value::from_json(&tree.into_json())) else {
                self.error(&place, Some("value"), "the case has no value", "give the variable's value in `value`");
                continue;
            };
            // A case whose condition is wrong must not hold always.
            if when.is_some() || !bad_when {
                cases.push(Case { value, when });
            }
        }
        Some(cases)
    }

    fn command(&mut self, (name, tree): (String, Tree), signals: &[Signal], names: &[Arc<str>]) -> Command {
        let place = format!("/commands/{name}");
        let [notes, values, set, pulse_s] = self.fields(tree, &place, ["notes", "values", "signals", "pulse_s"]);
        let values = self.value_names(values, &place);
        let mut outputs = Vec::new();
        let entries = set.map(|tree| self.object(tree, &format!("{place}/signals"), "an object of signals"));
        for (signal, tree) in entries.unwrap_or_default() {
            let Some(at) = self.signal_named(&signal, &place, "signals", names) else { continue };
            let Some(expression) = self.expression(tree, &place, &signal, (&values, "value")) else { continue };
            if let Some(value) = expression.constant().filter(|value| !signals[at].kind.fits(value)) {
                let message = format!("`{signal}` carries {}, not {} ({value})", signals[at].kind, value.kind());
                self.error(&place, Some(&signal), message, "change what the command sets, or the signal's `kind`");
            }
            outputs.push((at, expression));
        }
        let has_pulse = pulse_s.is_some();
        let pulse_s = self.number(pulse_s, &place, "pulse_s").filter(|pulse_s| {
            let good = *pulse_s > 0.0 && *pulse_s <= 1e9;
            if !good {
                self.error(&place, Some("pulse_s"), "a pulse lasts longer than 0 s", "write its length in seconds");
            }
            good
        });
        if has_pulse && outputs.is_empty() {
            let message = "the command has a pulse but sets no signals";
            self.warning(&place, Some("pulse_s"), message, "name the `signals` it sets, or take `pulse_s` out");
        }
        Command { name: name.into(), notes: self.text(notes, &place, "notes"), values, outputs, pulse_s }
    }

    fn value_names(&mut self, tree: Option<Tree>, place: Place) -> Vec<Arc<str>> {
        let items = match tree {
            None => Vec::new(),
            Some(Tree::List(items)) => items,
            Some(_) => {
                self.error(place, Some("values"), "`values` must be a list of names", r#"write ["tester", …]"#);
                Vec::new()
            }
        };
        let mut names: Vec<Arc<str>> = Vec::new();
        for item in items {
            let name = self.text(Some(item), place, "values");
            self.name_is_good(&name, place);
            if names.iter().any(|known| **known == *name) {
                self.error(place, Some("values"), format!("`{name}` is written twice"), "take one of them out");
                continue;
            }
            names.push(name.into());
        }
        names
    }

    fn signal_named(&mut self, name: &str, place: Place, field: &str, names: &[Arc<str>]) -> Option<usize> {
        let at = names.iter().position(|known| **known == *name);
        if at.is_none() {
            let remedy = format!("declare it under `signals`{}", hint(name, names.iter().map(|name| &**name)));
            self.error(place, Some(field), format!("there is no signal `{name}`"), remedy);
        }
        at
    }

    /// Over the names given, which are signals or values.
    fn expression(
        &mut self,
        tree: Tree,
        place: Place,
        field: &str,
        (names, what): (&[Arc<str>], &str),
    ) -> Option<Expression> {
        let mut expression: Expression = match serde_json::from_value(tree.into_json()) {
            Ok(expression) => expression,
            Err(_) => {
                let message = "this must be an expression: a text, a number, true or false";
                self.error(place, Some(field), message, format!("write an expression over the {what}s"));
                return None;
            }
        };
        let before = self.problems.len();
        let mentioned = expression.variables().unwrap_or_default();
        for name in mentioned.iter().filter(|name| !names.iter().any(|known| **known == ***name)) {
            let remedy = format!("declare it under `{what}s`{}", hint(name, names.iter().map(|name| &**name)));
            self.error(place, Some(field), format!("`{}`: there is no {what} `{name}`", expression.text()), remedy);
        }
        if let Some(alien) = alien(&expression) {
            let message = format!("`{}`: a cell knows no {alien}", expression.text());
            self.error(place, Some(field), message, format!("use only the {what}s; the behavior does the rest"));
        }
        if self.problems.len() > before {
            return None;
        }
        if let Err(error) = expression.bind(&mut Known(names)) {
            let message = format!("`{}`: {error}", expression.text());
            self.error(place, Some(field), message, format!("mend it at column {}", error.column));
            return None;
        }
        Some(expression)
    }

    fn report_unused(&mut self, cell: &Cell) {
        let mut used = vec![false; cell.signals.len()];
        let initial = cell.initial();
        for variable in &cell.variables {
            for place in read_by(variable, &initial) {
                used[place] = true;
            }
        }
        for (signal, _) in cell.signals.iter().zip(used).filter(|(signal, used)| !used && !signal.is_output) {
            let message = "no variable reads this signal and no command sets it";
            self.warning(&format!("/signals/{}", signal.name), None, message, "use it, or take it out");
        }
    }

    /// A mapping that fails with every signal at rest mixes kinds, as `SLOT_1 > 3` does.
    fn try_initial(&mut self, cell: &Cell) {
        for (name, value) in cell.variables(&cell.initial()) {
            if let Some(why) = value.err().filter(|why| why != KEEPS) {
                let message = format!("with the initial signals: {why}");
                self.error(&format!("/variables/{name}"), None, message, "mend the mapping, or the initial values");
            }
        }
    }
}

/// What an expression asks for that a mapping of signals has not.
fn alien(expression: &Expression) -> Option<&'static str> {
    let some = |names: Result<Vec<String>, _>| names.is_ok_and(|names| !names.is_empty());
    if some(expression.tokens()) {
        return Some("tokens");
    }
    if some(expression.nodes()) {
        return Some("steps");
    }
    let plain: String = expression.text().split_whitespace().collect();
    [("random()", "chance"), ("time()", "time")].iter().find(|(call, _)| plain.contains(call)).map(|(_, word)| *word)
}

fn read_by(variable: &Variable, signals: &Signals) -> Vec<usize> {
    let places = |expression: &Expression| -> Vec<usize> {
        expression.variables().unwrap_or_default().iter().filter_map(|name| signals.place(name)).collect()
    };
    match &variable.reading {
        Reading::Cases(cases) => cases.iter().filter_map(|case| case.when.as_ref()).flat_map(places).collect(),
        Reading::Expression(expression) => places(expression),
        Reading::Scaled { signal, .. } | Reading::Plain { signal } => vec![*signal],
    }
}
