//! Kinds and units of values of the moment, as far as they are known before anything runs.

use std::sync::Arc;

use engine::Registry;
use expression::{Expression, Given, Kind, unit_of_name};
use model::{Bound, Header, Node, Value, ValueKind};
use serde_json::Value as Json;

/// What is known of a variable by its declaration and by its name.
pub fn of_variable(header: &Header, name: &str) -> Given {
    let unit = |written: &str| match written {
        "" => unit_of_name(name).map(Arc::from),
        unit => Some(Arc::from(unit)),
    };
    if let Some((_, input)) = header.inputs.iter().find(|(own, _)| **own == *name) {
        let kind = input.wanted.kind_or_of(input.default.as_ref()).map(kind_of);
        return Given { kind, unit: unit(&input.unit) };
    }
    if let Some((_, output)) = header.outputs.iter().find(|(own, _)| **own == *name) {
        return Given { kind: output.wanted.kind_or_of(None).map(kind_of), unit: unit(&output.unit) };
    }
    // What it holds later may be of another kind.
    let unit = unit("");
    Given { kind: unit.is_some().then_some(Kind::Number), unit }
}

fn kind_of(kind: ValueKind) -> Kind {
    match kind {
        ValueKind::Number => Kind::Number,
        ValueKind::Text | ValueKind::Choice | ValueKind::Frame => Kind::Text,
        ValueKind::Truth => Kind::Bool,
        ValueKind::Pose => Kind::Map,
        ValueKind::List => Kind::List,
    }
}

/// What is wrong with a value of the moment in its place: the kind or the unit that it will have.
pub fn wrong(
    registry: &Registry,
    node: &Node,
    place: &Bound,
    (expression, header): (&Expression, &Header),
) -> Option<String> {
    // Constants are judged by their value.
    if expression.constant().is_some() {
        return None;
    }
    let of = |name: &str| of_variable(header, name);
    let given = expression.given(&of);
    let schema = registry.get(&node.kind)?.info.schema_at(place)?;
    if let Some(kind) = given.kind
        && let Some(wanted) = wanted_kinds(&schema)
        && !wanted.contains(&kind)
    {
        return Some(format!("`{}` needs {}, and `{}` gives {kind}", place.place(), wanted[0], place.text));
    }
    let unit = schema.get("x-unit").and_then(Json::as_str)?;
    let given = given.unit.filter(|given| **given != *unit && !given.is_empty())?;
    Some(format!("`{}` is in {unit}, and `{}` gives {given}", place.place(), place.text))
}

/// None: it may be of any.
fn wanted_kinds(schema: &Json) -> Option<Vec<Kind>> {
    if ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|key| schema.get(key).is_some()) {
        return None;
    }
    let kind = |name: &str| match name {
        "number" | "integer" => Some(Kind::Number),
        "string" => Some(Kind::Text),
        "boolean" => Some(Kind::Bool),
        "array" => Some(Kind::List),
        "object" => Some(Kind::Map),
        _ => None,
    };
    let kinds: Vec<Kind> = match schema.get("type")? {
        Json::String(name) => kind(name).into_iter().collect(),
        Json::Array(names) => names.iter().filter_map(Json::as_str).filter_map(kind).collect(),
        _ => Vec::new(),
    };
    (!kinds.is_empty()).then_some(kinds)
}

/// Of an input of a skill that a use gives an expression for.
pub fn wrong_input(name: &str, input: &model::Input, (expression, header): (&Expression, &Header)) -> Option<String> {
    if let Some(value) = expression.constant() {
        return input.wrong(name, &Value::to_json(&value)).into_iter().next();
    }
    let given = expression.given(&|name: &str| of_variable(header, name));
    if let (Some(kind), Some(wanted)) = (given.kind, input.wanted.kind_or_of(input.default.as_ref()).map(kind_of))
        && kind != wanted
    {
        return Some(format!("`{name}` needs {wanted}, and `{}` gives {kind}", expression.text()));
    }
    let given = given.unit.filter(|unit| !input.unit.is_empty() && **unit != *input.unit && !unit.is_empty())?;
    Some(format!("`{name}` is in {}, and `{}` gives {given}", input.unit, expression.text()))
}
