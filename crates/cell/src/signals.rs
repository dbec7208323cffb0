use std::fmt;
use std::sync::Arc;

use model::Value;

/// What a wire, a register or a field of a message can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    Bool,
    Number,
    Text,
}

impl SignalKind {
    pub(crate) const ALL: [(&'static str, SignalKind); 3] =
        [("bool", SignalKind::Bool), ("number", SignalKind::Number), ("text", SignalKind::Text)];

    pub fn fits(self, value: &Value) -> bool {
        matches!(
            (self, value),
            (SignalKind::Bool, Value::Bool(_))
                | (SignalKind::Number, Value::Number(_))
                | (SignalKind::Text, Value::Text(_))
        )
    }

    /// What it carries before anything is known.
    pub(crate) fn rest(self) -> Value {
        match self {
            SignalKind::Bool => Value::Bool(false),
            SignalKind::Number => Value::Number(0.0),
            SignalKind::Text => Value::text(""),
        }
    }
}

impl fmt::Display for SignalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SignalKind::Bool => "true or false",
            SignalKind::Number => "a number",
            SignalKind::Text => "a text",
        })
    }
}

/// One signal of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    pub name: Arc<str>,
    pub kind: SignalKind,
    pub initial: Value,
    pub unit: String,
    pub notes: String,
    /// Some command sets it; all others come from the equipment.
    pub is_output: bool,
}

/// The value of every signal of a cell at one moment, in the order of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    declared: Arc<[Signal]>,
    values: Vec<Value>,
}

impl Signals {
    pub(crate) fn initial(declared: Arc<[Signal]>) -> Signals {
        let values = declared.iter().map(|signal| signal.initial.clone()).collect();
        Signals { declared, values }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.place(name).map(|place| &self.values[place])
    }

    /// Gives true if it had another value before; an unknown name or a value of the wrong kind is an error.
    pub fn set(&mut self, name: &str, value: Value) -> Result<bool, String> {
        let place = self.place(name).ok_or_else(|| {
            format!("the cell has no signal `{name}`{}", hint(name, self.declared.iter().map(|signal| &*signal.name)))
        })?;
        let signal = &self.declared[place];
        if !signal.kind.fits(&value) {
            return Err(format!("signal `{name}` carries {}, not {} ({value})", signal.kind, value.kind()));
        }
        Ok(self.put(place, value))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Signal, &Value)> {
        self.declared.iter().zip(&self.values)
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.declared.iter().position(|signal| &*signal.name == name)
    }

    pub(crate) fn put(&mut self, place: usize, value: Value) -> bool {
        if self.values[place] == value {
            return false;
        }
        self.values[place] = value;
        true
    }

    pub(crate) fn at(&self, place: usize) -> (&Signal, &Value) {
        (&self.declared[place], &self.values[place])
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }
}

/// What may have been meant: the known names, or the one that differs only in case, `_` and `-`.
pub(crate) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let plain = |name: &str| name.to_lowercase().replace(['_', '-', ' ', '.'], "");
    let known: Vec<&str> = known.collect();
    if let Some(near) = known.iter().find(|other| plain(other) == plain(name)) {
        return format!("; did you mean `{near}`?");
    }
    if known.is_empty() {
        return "; it has none".to_owned();
    }
    let more = if known.len() > MOST { ", …" } else { "" };
    let names: Vec<String> = known.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    format!("; there are {}{more}", names.join(", "))
}
