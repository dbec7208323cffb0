//! Files of older versions to the form of this one, version by version.

use serde_json::Value as Json;

use super::parse::Raw;
use crate::{Catalogue, Field, bound_text, common_fields};

/// `written`: the version that the file says it has.
pub(super) fn migrate(written: u64, nodes: &mut [Raw], catalogue: &Catalogue) {
    if written < 2 {
        nodes.iter_mut().for_each(|node| counts_of_sizes(node, catalogue));
    }
}

/// Version 1 asks `size(x)` for the number of items, entries or characters: that is `count(x)` now, and `size('door')` how
/// large an object is.
fn counts_of_sizes(node: &mut Raw, catalogue: &Catalogue) {
    let kind = node.kind.clone();
    for (key, field) in node.fields.iter_mut() {
        let own = catalogue.get(&kind).and_then(|info| info.field(key));
        let known = own.or_else(|| common_fields().iter().find(|known| *known.name == **key));
        let says = |format: &str| known.is_some_and(|known| has_format(&known.schema, format));
        let holds_expressions =
            says("expression") || says("assignments") || says("inputs") || CONDITIONS.contains(&&**key);
        match field {
            Field::Text(text) if holds_expressions && text.contains(SIZE) => {
                *field = Field::Text(renamed(text).into());
            }
            Field::Json(json) if json.to_string().contains(SIZE) => {
                let mut changed = (**json).clone();
                texts(&mut changed, holds_expressions, &|text| renamed(text));
                *field = Field::from_json(changed);
            }
            _ => {}
        }
    }
}

/// Of every node.
const CONDITIONS: [&str; 3] = ["when", "until", "while"];
const SIZE: &str = "size";
const COUNT: &str = "count";

/// The setting, or something in it.
fn has_format(schema: &Json, format: &str) -> bool {
    match schema {
        Json::Object(entries) => {
            entries.get("format").and_then(Json::as_str) == Some(format)
                || entries.values().any(|inner| has_format(inner, format))
        }
        Json::Array(items) => items.iter().any(|inner| has_format(inner, format)),
        _ => false,
    }
}

/// `all`: every text is an expression, but for names of outcomes.
fn texts(json: &mut Json, all: bool, change: &dyn Fn(&str) -> String) {
    if let Some(text) = bound_text(json).map(change) {
        json["="] = text.into();
        return;
    }
    match json {
        Json::String(text) if all => *text = change(text),
        Json::Array(items) => items.iter_mut().for_each(|item| texts(item, all, change)),
        Json::Object(entries) => {
            let entries = entries.iter_mut().filter(|(key, _)| *key != "outcome" && *key != "edge");
            entries.for_each(|(_, value)| texts(value, all, change));
        }
        _ => {}
    }
}

/// Calls of `size` outside of quotes.
fn renamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut escaped = false;
    let mut before = ' ';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let is_call = quote.is_none()
            && !before.is_alphanumeric()
            && before != '_'
            && rest.strip_prefix(SIZE).is_some_and(|after| after.trim_start().starts_with('('));
        if is_call {
            out.push_str(COUNT);
            rest = &rest[SIZE.len()..];
            before = 't';
            continue;
        }
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some(open) if letter == open => quote = None,
            None if letter == '\'' || letter == '"' => quote = Some(letter),
            _ => {}
        }
        out.push(letter);
        before = letter;
        rest = &rest[letter.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_of_size_are_renamed() {
        for (before, after) in [
            ("size(x) > 2", "count(x) > 2"),
            ("x.size () + size", "x.count () + size"),
            ("'size(x)' + text(size(y))", "'size(x)' + text(count(y))"),
            ("my_size(x) + resize(x)", "my_size(x) + resize(x)"),
            ("'it\\'s size(' + size(a)", "'it\\'s size(' + count(a)"),
            ("", ""),
        ] {
            assert_eq!(renamed(before), after, "{before}");
        }
    }
}
