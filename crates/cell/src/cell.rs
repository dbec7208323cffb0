use std::sync::Arc;

use expression::Expression;
use model::Value;

use crate::evaluate::Values;
use crate::signals::{Signal, SignalKind, Signals, hint};

/// Why a variable whose cases all fail has no new value. This is no mistake: between two thresholds it stays.
pub(crate) const KEEPS: &str = "none of its cases holds: it keeps its value";

/// What the signals of some equipment mean to a behavior, and what its commands mean to the equipment.
#[derive(Clone, Debug)]
pub struct Cell {
    pub file: Arc<str>,
    pub notes: String,
    pub signals: Arc<[Signal]>,
    pub variables: Vec<Variable>,
    pub commands: Vec<Command>,
}

/// A blackboard variable that follows signals.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Arc<str>,
    pub unit: String,
    pub notes: String,
    pub reading: Reading,
}

/// How a variable gets its value.
#[derive(Clone, Debug)]
pub enum Reading {
    /// The first case that holds gives it. When none does, the variable keeps the value it has.
    Cases(Vec<Case>),
    /// An expression over signals.
    Expression(Expression),
    /// A signal's number times `scale` plus `offset`.
    Scaled { signal: usize, scale: f64, offset: f64 },
    /// A signal as it is.
    Plain { signal: usize },
}

#[derive(Clone, Debug)]
pub struct Case {
    pub value: Value,
    /// None: it always holds.
    pub when: Option<Expression>,
}

/// Something a behavior can send.
#[derive(Clone, Debug)]
pub struct Command {
    pub name: Arc<str>,
    pub notes: String,
    /// The values that go with it, all of them needed.
    pub values: Vec<Arc<str>>,
    /// Place of each signal it sets, with an expression over its values.
    pub outputs: Vec<(usize, Expression)>,
    /// The signals fall back to their initial values after this time.
    pub pulse_s: Option<f64>,
}

impl Cell {
    /// A cell without signals, for a behavior that names none.
    pub fn empty() -> Cell {
        let file = "".into();
        Cell { file, notes: String::new(), signals: [].into(), variables: Vec::new(), commands: Vec::new() }
    }

    /// Every signal at its initial value.
    pub fn initial(&self) -> Signals {
        Signals::initial(self.signals.clone())
    }

    /// Every variable with the value the signals give it, or why they give it none.
    pub fn variables(&self, signals: &Signals) -> Vec<(Arc<str>, Result<Value, String>)> {
        self.variables.iter().map(|variable| (variable.name.clone(), variable.read(signals))).collect()
    }

    /// The signals a command sets. An error says what is wrong with the command.
    pub fn outputs(&self, command: &str, values: &[(Arc<str>, Value)]) -> Result<Vec<(Arc<str>, Value)>, String> {
        let set = self.output_places(self.known_command(command)?, values)?;
        Ok(set.into_iter().map(|(place, value)| (self.signals[place].name.clone(), value)).collect())
    }

    pub fn command(&self, name: &str) -> Option<&Command> {
        self.commands.iter().find(|command| &*command.name == name)
    }

    pub(crate) fn known_command(&self, name: &str) -> Result<&Command, String> {
        self.command(name).ok_or_else(|| {
            format!(
                "the cell has no command `{name}`{}",
                hint(name, self.commands.iter().map(|command| &*command.name))
            )
        })
    }

    pub(crate) fn output_places(
        &self,
        command: &Command,
        given: &[(Arc<str>, Value)],
    ) -> Result<Vec<(usize, Value)>, String> {
        let name = &command.name;
        if let Some((extra, _)) = given.iter().find(|(key, _)| !command.values.contains(key)) {
            let hint = hint(extra, command.values.iter().map(|value| &**value));
            return Err(format!("command `{name}` has no value `{extra}`{hint}"));
        }
        let mut values = Vec::with_capacity(command.values.len());
        for wanted in &command.values {
            match given.iter().find(|(key, _)| key == wanted) {
                Some((_, value)) => values.push(value.clone()),
                None => return Err(format!("command `{name}` needs the value `{wanted}`")),
            }
        }
        let mut outputs = Vec::with_capacity(command.outputs.len());
        for (place, expression) in &command.outputs {
            let signal = &self.signals[*place];
            let value = expression.value(&Values(&values)).map_err(|error| {
                format!("`{}` for signal `{}` of command `{name}`: {error}", expression.text(), signal.name)
            })?;
            if !signal.kind.fits(&value) {
                let (wants, found) = (signal.kind, value.kind());
                return Err(format!(
                    "command `{name}` sets signal `{}` to {found} ({value}); it carries {wants}",
                    signal.name
                ));
            }
            outputs.push((*place, value));
        }
        Ok(outputs)
    }

    /// The variables with their values at the beginning, as an engine's `Options::world` wants them.
    pub fn world(&self) -> Vec<(Arc<str>, Option<Value>)> {
        let initial = self.initial();
        self.variables(&initial).into_iter().map(|(name, value)| (name, value.ok())).collect()
    }

    /// The signals with their initial values: the world of an environment.
    pub fn environment_world(&self) -> Vec<(Arc<str>, Option<Value>)> {
        self.signals.iter().map(|signal| (signal.name.clone(), Some(signal.initial.clone()))).collect()
    }
}

impl Variable {
    pub fn read(&self, signals: &Signals) -> Result<Value, String> {
        let values = Values(signals.values());
        match &self.reading {
            Reading::Cases(cases) => {
                for case in cases {
                    let holds = case.when.as_ref().map_or(Ok(true), |when| {
                        when.holds(&values).map_err(|error| format!("`{}` cannot be judged: {error}", when.text()))
                    })?;
                    if holds {
                        return Ok(case.value.clone());
                    }
                }
                Err(KEEPS.to_owned())
            }
            Reading::Expression(expression) => {
                expression.value(&values).map_err(|error| format!("`{}`: {error}", expression.text()))
            }
            Reading::Plain { signal } => Ok(signals.at(*signal).1.clone()),
            Reading::Scaled { signal, scale, offset } => match signals.at(*signal) {
                (_, Value::Number(number)) => {
                    let scaled = number * scale + offset;
                    if scaled.is_finite() {
                        Ok(Value::Number(scaled))
                    } else {
                        Err("the scaled signal is not a finite number".to_owned())
                    }
                }
                (signal, value) => Err(format!(
                    "signal `{}` carries {}, and only {} can be scaled",
                    signal.name,
                    value.kind(),
                    SignalKind::Number
                )),
            },
        }
    }
}
