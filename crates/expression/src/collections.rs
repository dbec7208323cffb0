//! Evaluation of lists, maps and texts as wholes: what may allocate.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::Value;

use crate::code::{At, Items};
use crate::evaluate::{Evaluated, Program, wrong};
use crate::val::Val;
use crate::{EvaluationError, Kind};

impl<'a> Program<'a> {
    pub(crate) fn select(&self, map: At, key: &Arc<str>) -> Evaluated<Val<'a>> {
        entry(self.value(map)?, key, || key.clone(), "`.`")
    }

    pub(crate) fn index(&self, whole: At, index: At) -> Evaluated<Val<'a>> {
        let (whole, index) = (self.value(whole)?, self.value(index)?);
        match whole.kind() {
            Kind::List => match index {
                Val::Number(index) => item(whole, index),
                other => Err(wrong("an index of a list", Kind::Number, &other)),
            },
            Kind::Map => match index.text() {
                Some(key) => entry(whole, key, || key.into(), "`[]`"),
                None => Err(wrong("a key of a map", Kind::Text, &index)),
            },
            _ => Err(wrong("`[]`", Kind::ListOrMap, &whole)),
        }
    }

    pub(crate) fn list(&self, items: Items) -> Evaluated<Value> {
        let values: Evaluated<Vec<Value>> = self.operands(items).map(|at| Ok(self.value(at)?.into_value())).collect();
        Ok(Value::List(values?.into()))
    }

    pub(crate) fn map(&self, items: Items) -> Evaluated<Value> {
        let mut map = BTreeMap::new();
        let mut operands = self.operands(items);
        while let (Some(key), Some(value)) = (operands.next(), operands.next()) {
            let key = match self.value(key)?.into_value() {
                Value::Text(key) => key,
                other => return Err(wrong("a key of a map", Kind::Text, &other.into())),
            };
            map.insert(key, self.value(value)?.into_value());
        }
        Ok(Value::Map(Arc::new(map)))
    }

    /// What is beyond its ends is not there; a place below 0 counts from the end.
    pub(crate) fn slice(&self, whole: At, from: At, to: At) -> Evaluated<Value> {
        let whole = self.value(whole)?;
        let length = match (whole.text(), whole.list()) {
            (Some(text), _) => text.chars().count(),
            (_, Some(list)) => list.len(),
            _ => return Err(wrong("slice", Kind::ListOrText, &whole)),
        };
        let (from, to) = (self.place(from, length)?, self.place(to, length)?);
        let count = to.saturating_sub(from);
        Ok(match (whole.text(), whole.list()) {
            (Some(text), _) => Value::Text(text.chars().skip(from).take(count).collect::<String>().into()),
            (_, list) => Value::List(list.unwrap_or(&[]).iter().skip(from).take(count).cloned().collect()),
        })
    }

    fn place(&self, at: At, length: usize) -> Evaluated<usize> {
        let place = self.number(at, "slice")?;
        if place.fract() != 0.0 {
            return Err(EvaluationError::FractionalIndex(place));
        }
        let from_start = if place < 0.0 { length as f64 + place } else { place };
        Ok(from_start.clamp(0.0, length as f64) as usize)
    }

    /// -1: it is not in the list.
    pub(crate) fn index_of(&self, list: At, x: At) -> Evaluated<f64> {
        let (whole, x) = (self.value(list)?, self.value(x)?);
        let Some(list) = whole.list() else { return Err(wrong("index_of", Kind::List, &whole)) };
        let found = list.iter().position(|item| x.equals(&item.into()));
        Ok(found.map_or(-1.0, |index| index as f64))
    }

    pub(crate) fn size(&self, x: At) -> Evaluated<f64> {
        let x = self.value(x)?;
        let size = match (x.text(), x.list(), x.map()) {
            (Some(text), _, _) => text.chars().count(),
            (_, Some(list), _) => list.len(),
            (_, _, Some(map)) => map.len(),
            _ => return Err(wrong("count", Kind::ListMapOrText, &x)),
        };
        Ok(size as f64)
    }

    pub(crate) fn spell(&self, x: At) -> Evaluated<Val<'a>> {
        let x = self.value(x)?;
        if x.kind() == Kind::Text {
            return Ok(x);
        }
        Ok(Val::Owned(Value::Text(x.into_value().to_string().into())))
    }

    pub(crate) fn read_number(&self, x: At) -> Evaluated<f64> {
        let x = self.value(x)?;
        if let Val::Number(number) = x {
            return Ok(number);
        }
        let Some(text) = x.text() else {
            return Err(wrong("number", Kind::Text, &x));
        };
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(EvaluationError::NotANumber(text.into())),
        }
    }
}

/// The value under a key; borrowed where the map is.
fn entry<'a>(map: Val<'a>, key: &str, quoted: impl FnOnce() -> Arc<str>, place: &'static str) -> Evaluated<Val<'a>> {
    let found = match &map {
        Val::Borrowed(Value::Map(entries)) => entries.get(key).map(Val::from),
        Val::Owned(Value::Map(entries)) => entries.get(key).map(|value| value.clone().into()),
        _ => return Err(wrong(place, Kind::Map, &map)),
    };
    found.ok_or_else(|| EvaluationError::Key(quoted()))
}

fn item<'a>(list: Val<'a>, index: f64) -> Evaluated<Val<'a>> {
    if index.fract() != 0.0 {
        return Err(EvaluationError::FractionalIndex(index));
    }
    // A negative number would become 0, the first item.
    let at = if index < 0.0 { usize::MAX } else { index as usize };
    let found = match &list {
        Val::Borrowed(Value::List(items)) => items.get(at).map(Val::from),
        Val::Owned(Value::List(items)) => items.get(at).map(|value| value.clone().into()),
        _ => return Err(wrong("`[]`", Kind::List, &list)),
    };
    found.ok_or(EvaluationError::Index { index, length: list.list().map_or(0, <[Value]>::len) })
}
