use std::fmt;
use std::sync::Arc;

use model::Value;
use thiserror::Error;

/// Why a text is not an expression, in a sentence for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ExpressionError {
    pub message: String,
    /// Where in the text, in characters from 1.
    pub column: usize,
}

impl ExpressionError {
    pub(crate) fn new(column: usize, message: impl Into<String>) -> ExpressionError {
        ExpressionError { message: message.into(), column }
    }
}

/// What a value is, or what an operation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Number,
    Text,
    List,
    Map,
    ListOrMap,
    ListMapOrText,
    ListOrText,
    Pose,
}

impl Kind {
    pub fn of(value: &Value) -> Kind {
        match value {
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::Text,
            Value::List(_) => Kind::List,
            Value::Map(_) => Kind::Map,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bool => "true or false",
            Kind::Number => "a number",
            Kind::Text => "a text",
            Kind::List => "a list",
            Kind::Map => "a map",
            Kind::ListOrMap => "a list or a map",
            Kind::ListOrText => "a list or a text",
            Kind::ListMapOrText => "a list, a map or a text",
            Kind::Pose => "a pose, a map with x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg",
        })
    }
}

/// Why an expression has no value now. Making one allocates only where it must quote a computed text.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvaluationError {
    #[error("variable `{0}` has no value yet")]
    Unset(Arc<str>),
    #[error("{place} needs {wanted}, not {found}")]
    Kind { place: &'static str, wanted: Kind, found: Kind },
    #[error("`{operator}` compares two numbers or two texts, not {left} with {right}")]
    Order { operator: &'static str, left: Kind, right: Kind },
    #[error(
        "`+` adds two numbers, joins two texts or two lists, not {left} and {right}; text(x) makes a text of any value"
    )]
    Add { left: Kind, right: Kind },
    #[error("division by zero")]
    DivisionByZero,
    #[error("the result of {0} is not a finite number")]
    NotFinite(&'static str),
    #[error("index {index} is outside a list of {length}, whose first index is 0")]
    Index { index: f64, length: usize },
    #[error("a list is indexed by whole numbers, not by {0}")]
    FractionalIndex(f64),
    #[error("the map has no `{0}`")]
    Key(Arc<str>),
    #[error("`{0}` is not a number")]
    NotANumber(Arc<str>),
    #[error("clamp: the lower limit {low} is above the upper limit {high}")]
    Limits { low: f64, high: f64 },
    /// A frame or a picture is not there.
    #[error("{0}")]
    Unseen(Arc<str>),
    #[error("the expression was not bound to variables before it was evaluated")]
    NotBound,
    /// It could not be bound.
    #[error("{0}")]
    Wrong(Arc<ExpressionError>),
}
