//! Where a node's settings name variables and other nodes, by their schemas: a node type added later is covered.

use std::sync::Arc;

use model::{Catalogue, Definition, Field, FieldInfo, Fields, common_fields, common_schema};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

/// What a text in a setting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Reads variables, may ask for results of nodes.
    Expression,
    /// The name of a variable that is set.
    Variable,
    /// What is claimed.
    Token,
}

/// A setting of a type, or of every node, with the schema that its own refers into.
pub fn setting<'c>(catalogue: &'c Catalogue, kind: &str, field: &str) -> Option<(&'c FieldInfo, &'c Json)> {
    let own = catalogue.get(kind).and_then(|info| Some((info.field(field)?, &info.schema)));
    own.or_else(|| Some((common_fields().iter().find(|info| info.name == field)?, common_schema())))
}

/// Shows every text of the settings that has a meaning outside of them, to be changed.
pub fn visit_texts(catalogue: &Catalogue, kind: &str, fields: &mut Fields, see: &mut dyn FnMut(Use, &mut String)) {
    for (key, field) in fields.iter_mut() {
        let Some((info, root)) = setting(catalogue, kind, key) else { continue };
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

/// What the names of a file are, where they are its own.
#[derive(Debug, Default)]
pub struct OwnNames {
    /// Declared, or set by its nodes.
    names: FxHashSet<String>,
    /// Those that stand for expressions.
    lets: Vec<(Arc<str>, Arc<str>)>,
}

impl OwnNames {
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.let_of(name).is_some()
    }

    /// A name, and the expression it stands for; what stands behind a dot is a key of that.
    pub fn let_of(&self, name: &str) -> Option<&(Arc<str>, Arc<str>)> {
        let is_it = |own: &str| name.strip_prefix(own).is_some_and(|key| key.is_empty() || key.starts_with('.'));
        self.lets.iter().find(|(own, _)| is_it(own))
    }
}

pub fn own_names(catalogue: &Catalogue, tree: &Definition) -> OwnNames {
    let header = &tree.header;
    let inputs = header.inputs.iter().map(|(name, _)| &**name);
    let outputs = header.outputs.iter().map(|(name, _)| &**name);
    let declared = inputs.chain(outputs).chain(header.variables.iter().map(|(name, _)| &**name));
    let mut names: FxHashSet<String> = declared.map(str::to_owned).collect();
    for node in tree.walk(tree.root).map(|id| tree.node(id)) {
        visit_texts(catalogue, &node.kind, &mut node.fields.clone(), &mut |kind, text| {
            if kind == Use::Variable {
                names.insert(text.clone());
            }
        });
    }
    OwnNames { names, lets: header.lets.clone() }
}

fn visit(root: &Json, schema: &Json, json: &mut Json, see: &mut dyn FnMut(Use, &mut String)) {
    if model::bound_text(json).is_some() {
        if let Some(Json::String(text)) = json.get_mut("=") {
            see(Use::Expression, text);
        }
        return;
    }
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
pub fn renamed(text: &str, names: &FxHashMap<String, String>) -> String {
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
pub fn requoted(text: &str, texts: &FxHashMap<String, String>) -> String {
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
