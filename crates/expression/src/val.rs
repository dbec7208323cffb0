use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use model::Value;

use crate::Kind;

/// A value while it is computed: borrowed from the code or the blackboard where it can be.
pub(crate) enum Val<'a> {
    Bool(bool),
    Number(f64),
    Text(&'a str),
    /// A value that lives elsewhere; never a bool or a number.
    Borrowed(&'a Value),
    /// Computed here: a joined text, a list or a map; never a bool or a number.
    Owned(Value),
}

impl<'a> From<&'a Value> for Val<'a> {
    #[inline]
    fn from(value: &'a Value) -> Val<'a> {
        match value {
            Value::Bool(value) => Val::Bool(*value),
            Value::Number(value) => Val::Number(*value),
            other => Val::Borrowed(other),
        }
    }
}

impl From<Value> for Val<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => Val::Bool(value),
            Value::Number(value) => Val::Number(value),
            other => Val::Owned(other),
        }
    }
}

impl Val<'_> {
    pub fn into_value(self) -> Value {
        match self {
            Val::Bool(value) => Value::Bool(value),
            Val::Number(value) => Value::Number(value),
            Val::Text(text) => Value::text(text),
            Val::Borrowed(value) => value.clone(),
            Val::Owned(value) => value,
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Val::Bool(_) => Kind::Bool,
            Val::Number(_) => Kind::Number,
            Val::Text(_) => Kind::Text,
            Val::Borrowed(value) => Kind::of(value),
            Val::Owned(value) => Kind::of(value),
        }
    }

    #[inline]
    pub fn text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text),
            Val::Borrowed(Value::Text(text)) | Val::Owned(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Val::Borrowed(Value::List(items)) | Val::Owned(Value::List(items)) => Some(items),
            _ => None,
        }
    }

    pub fn map(&self) -> Option<&BTreeMap<Arc<str>, Value>> {
        match self {
            Val::Borrowed(Value::Map(entries)) | Val::Owned(Value::Map(entries)) => Some(entries),
            _ => None,
        }
    }

    /// Values of different kinds are not equal.
    #[inline]
    pub fn equals(&self, other: &Val<'_>) -> bool {
        match (self, other) {
            (Val::Bool(left), Val::Bool(right)) => left == right,
            (Val::Number(left), Val::Number(right)) => left == right,
            (left, right) => match (left.text(), right.text()) {
                (Some(left), Some(right)) => left == right,
                (None, None) => match (left.list(), right.list()) {
                    (Some(left), Some(right)) => left == right,
                    (None, None) => matches!((left.map(), right.map()), (Some(left), Some(right)) if left == right),
                    _ => false,
                },
                _ => false,
            },
        }
    }

    /// None: not two numbers or two texts.
    #[inline]
    pub fn compare(&self, other: &Val<'_>) -> Option<Ordering> {
        match (self, other) {
            (Val::Number(left), Val::Number(right)) => left.partial_cmp(right),
            (left, right) => Some(left.text()?.cmp(right.text()?)),
        }
    }
}
