//! Where a node's settings name variables and other nodes, by their schemas: a node type added later is covered.

use expression::Expression;
use model::{Definition, Field, Fields, NodeId};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use crate::document::Document;

/// What a text in a setting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Reads variables, may ask for results of nodes.
    Expression,
    /// The name of a variable that is set.
    Variable,
    /// What is claimed.
    Token,
}

/// What nodes read, set and ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// (who asks, the name it asks for)
    pub nodes: Vec<(NodeId, String)>,
}

impl Document {
    pub(crate) fn mentions(&self, tree: &Definition, nodes: impl Iterator<Item = NodeId>) -> Mentions {
        let mut found = Mentions::default();
        for id in nodes {
            let node = tree.node(id);
            let mut fields = node.fields.clone();
            self.visit(&node.kind, &mut fields, &mut |kind, text| match kind {
                Use::Variable => found.writes.push(text.clone()),
                Use::Token => {}
                Use::Expression => {
                    let expression = Expression::new(text);
                    // One that cannot be read names nothing; the checker reports it.
                    found.reads.extend(expression.variables().unwrap_or_default());
                    found.nodes.extend(expression.nodes().unwrap_or_default().into_iter().map(|name| (id, name)));
                }
            });
        }
        for list in [&mut found.reads, &mut found.writes] {
            list.sort();
            list.dedup();
        }
        found
    }

    /// Gives variables other names.
    pub(crate) fn rename_variables(&self, kind: &str, fields: &mut Fields, names: &FxHashMap<String, String>) {
        self.visit(kind, fields, &mut |kind, text| match kind {
            Use::Variable => {
                if let Some(name) = names.get(text.as_str()) {
                    *text = name.clone();
                }
            }
            Use::Token => {}
            Use::Expression => *text = renamed(text, names),
        });
    }

    /// Shows every text of the settings that has a meaning outside of them, to be changed.
    pub(crate) fn visit(&self, kind: &str, fields: &mut Fields, see: &mut dyn FnMut(Use, &mut String)) {
        for (key, field) in fields.iter_mut() {
            let Some((info, root)) = self.info(kind, key) else { continue };
            let mut json = match field {
                Field::Text(_) | Field::Json(_) => field.to_json(),
                _ => continue,
            };
            let before = json.clone();
            visit(root, &info.schema, &mut json, see);
            if json != before {
                *field = Field::from_json(json);
            }
        }
    }
}

fn visit(root: &Json, schema: &Json, json: &mut Json, see: &mut dyn FnMut(Use, &mut String)) {
    let target = schema.get("$ref").and_then(Json::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    if let Some(target) = target {
        visit(root, target, json, see);
    }
    match (schema.get("format").and_then(Json::as_str), &mut *json) {
        (Some("expression"), Json::String(text)) => return see(Use::Expression, text),
        (Some("variable"), Json::String(text)) => return see(Use::Variable, text),
        (Some("token"), Json::String(text)) => return see(Use::Token, text),
        (Some("tokens"), Json::Array(tokens)) => {
            for token in tokens {
                if let Json::String(text) = token {
                    see(Use::Token, text);
                }
            }
            return;
        }
        (Some("assignments"), Json::Object(entries)) => {
            for (mut name, mut value) in std::mem::take(entries) {
                see(Use::Variable, &mut name);
                if let Json::String(text) = &mut value {
                    see(Use::Expression, text);
                }
                entries.insert(name, value);
            }
            return;
        }
        (Some("outputs"), Json::Object(entries)) => {
            for value in entries.values_mut() {
                if let Json::String(text) = value {
                    see(Use::Variable, text);
                }
            }
            return;
        }
        _ => {}
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        // A text is one thing only: the first branch that says what it is.
        let mut branches = schema.get(key).and_then(Json::as_array).into_iter().flatten();
        if let Some(branch) = branches.find(|branch| fits(root, branch, json)) {
            visit(root, branch, json, see);
        }
    }
    match json {
        Json::Object(entries) => {
            for (key, value) in entries.iter_mut() {
                let property = schema.get("properties").and_then(|properties| properties.get(key));
                if let Some(schema) = property.or_else(|| schema.get("additionalProperties")) {
                    visit(root, schema, value, see);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| visit(root, schema, item, see));
            }
        }
        _ => {}
    }
}

fn fits(root: &Json, schema: &Json, json: &Json) -> bool {
    model::validate(root, schema, json).is_empty()
}

/// An expression with variables called otherwise. Texts, calls and keys behind a dot stay.
pub(crate) fn renamed(text: &str, names: &FxHashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_dot = out.trim_end().ends_with('.');
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            letter if letter.is_alphabetic() || letter == '_' => word(rest),
            digit if digit.is_ascii_digit() => {
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '.').unwrap_or(rest.len())
            }
            other => other.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        let is_name = first.is_alphabetic() || first == '_';
        let is_call = after.trim_start().starts_with('(');
        let wanted = (is_name && !is_call && !after_dot).then(|| longest(rest, length, names)).flatten();
        match wanted {
            Some((length, name)) => {
                out.push_str(name);
                rest = &rest[length..];
            }
            None => {
                out.push_str(piece);
                rest = after;
            }
        }
    }
    out
}

/// An expression whose quoted texts are others.
pub(crate) fn requoted(text: &str, texts: &FxHashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = if rest[start..].starts_with('"') { '"' } else { '\'' };
        let end = start + quoted(&rest[start..], quote);
        let inside = rest.get(start + 1..end - 1).unwrap_or_default();
        match texts.get(inside) {
            Some(other) => out.push_str(&format!("{}{quote}{other}{quote}", &rest[..start])),
            None => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out + rest
}

/// `a.b` may be a variable of that name: the longest name that is to be changed counts.
fn longest<'n>(text: &str, first: usize, names: &'n FxHashMap<String, String>) -> Option<(usize, &'n str)> {
    let mut best = None;
    let mut end = first;
    loop {
        if let Some(name) = names.get(&text[..end]) {
            best = Some((end, name.as_str()));
        }
        let Some(next) = text[end..].strip_prefix('.') else { return best };
        let length = word(next);
        if length == 0 {
            return best;
        }
        end += 1 + length;
    }
}

fn word(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_are_renamed() {
        let names: FxHashMap<String, String> = [("x", "y"), ("a.b", "c"), ("size", "n")]
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .into_iter()
            .collect();
        for (before, after) in [
            ("x + 1", "y + 1"),
            ("x.x + 'x' + \"x\\\"x\"", "y.x + 'x' + \"x\\\"x\""),
            ("a.b + a.c + a.b.d", "c + a.c + c.d"),
            ("size(size) > 1", "size(n) > 1"),
            ("xx + 1x", "xx + 1x"),
            ("{'x': x}[x]", "{'x': y}[y]"),
            ("'x", "'x"),
            ("", ""),
        ] {
            assert_eq!(renamed(before, &names), after, "{before}");
        }
    }

    #[test]
    fn only_whole_texts_are_requoted() {
        let texts: FxHashMap<String, String> = [("a".to_owned(), "b".to_owned())].into_iter().collect();
        for (before, after) in
            [("f('a') + \"a\" + a", "f('b') + \"b\" + a"), ("'aa' + 'a", "'aa' + 'a"), ("'", "'"), ("", "")]
        {
            assert_eq!(requoted(before, &texts), after, "{before}");
        }
    }
}
