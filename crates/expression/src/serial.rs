use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Expression;

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expression, D::Error> {
        deserializer.deserialize_any(AnyLiteral)
    }
}

/// A file may say `5` or `true` where an expression is meant, without quotes.
struct AnyLiteral;

impl Visitor<'_> for AnyLiteral {
    type Value = Expression;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an expression: a text, a number, true or false")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Expression, E> {
        Ok(Expression::new(text))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Expression, E> {
        Ok(Expression::new(if value { "true" } else { "false" }))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Expression, E> {
        Ok(Expression::new(&value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Expression, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Expression, E> {
        if !value.is_finite() {
            return Err(E::custom("an expression's number must be finite"));
        }
        // `{:?}` writes an exponent where `{}` would write hundreds of digits.
        let text = format!("{value:?}");
        Ok(Expression::new(text.strip_suffix(".0").unwrap_or(&text)))
    }
}

impl JsonSchema for Expression {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }

    fn schema_id() -> Cow<'static, str> {
        "expression::Expression".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"], "format": "expression" })
    }
}
