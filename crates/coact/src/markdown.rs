//! docs/nodes.md.

use expression::FUNCTIONS;
use model::{Catalogue, FieldInfo, NodeInfo, common_fields, common_schema};
use serde_json::Value as Json;

use crate::describe;

const HEAD: &str = "\
# Node types

Written by `coact nodes --markdown`; a test compares. How files are put together is in [behaviors.md](behaviors.md),
how conditions are written in [expressions.md](expressions.md).
";

/// The neighbours in the index of the documentation; a test compares.
const FOOT: &str = "\n[Previous: The link](link.md) · [Index](README.md) · [Next: The API](api.md)\n";

pub fn page(catalogue: &Catalogue) -> String {
    let mut text = HEAD.to_owned();
    text += "\n| type | what it does |\n|---|---|\n";
    for info in catalogue.iter() {
        text += &format!("| [`{0}`](#{0}) | {1} |\n", info.name, first_sentence(info.doc));
    }
    for info in catalogue.iter() {
        text += &section(info);
    }
    text += "\n## Settings that every node may have\n\n";
    text += &table(common_schema(), common_fields());
    text += "\n## Functions in expressions\n\n| function | gives |\n|---|---|\n";
    for function in FUNCTIONS {
        text += &format!("| `{}` | {} |\n", function.usage, cell(function.help));
    }
    text + FOOT
}

fn section(info: &NodeInfo) -> String {
    let mut text = format!("\n## {}\n\n{}\n", info.name, info.doc);
    if !info.fields.is_empty() {
        text.push('\n');
        text += &table(&info.schema, &info.fields);
    }
    text
}

fn table(root: &Json, fields: &[FieldInfo]) -> String {
    let mut text = "| setting | what may be written | default | meaning |\n|---|---|---|---|\n".to_owned();
    for field in fields {
        let default = describe::default(field).unwrap_or_default();
        let mut doc = field.doc.clone();
        for (option, meaning) in describe::options(root, &field.schema).iter().filter(|(_, doc)| !doc.is_empty()) {
            doc += &format!(" `{option}`: {meaning}");
        }
        let kind = cell(&describe::kind(root, field));
        text += &format!("| `{}` | {kind} | {} | {} |\n", field.name, cell(&default), cell(&doc));
    }
    text
}

/// A table's cell ends at a bar or at the end of the line.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn first_sentence(doc: &str) -> &str {
    doc.find(". ").map_or(doc, |end| &doc[..=end])
}

#[cfg(test)]
mod tests {
    use engine::{Context, Registry, StepType, Tick, step};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    struct Poke;

    #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Settings {
        /// What is poked.
        what: String,
    }

    impl StepType for Poke {
        const NAME: &'static str = "poke";
        const GROUP: &'static str = "body";
        const DOC: &'static str = "Pokes something. Gently.";
        type Settings = Settings;
        type State = ();

        fn tick(_settings: &Settings, _state: &mut (), _context: &mut Context<'_>) -> Tick {
            Tick::SUCCESS
        }
    }

    /// The rest of what becomes of a new type is in `crates/check/tests/check/new_type.rs`.
    #[test]
    fn a_new_type_is_in_the_docs() {
        let mut entries = nodes::entries();
        entries.push(step::<Poke>());
        let page = super::page(Registry::new(entries).catalogue());
        assert!(page.contains("| [`poke`](#poke) | Pokes something. |"), "{page}");
        assert!(page.contains("## poke\n\nPokes something. Gently."), "{page}");
        assert!(page.contains("| `what` |") && page.contains("What is poked."), "{page}");
    }
}
