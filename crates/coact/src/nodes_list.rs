use anyhow::anyhow;
use expression::FUNCTIONS;
use model::{Catalogue, FieldInfo, NodeInfo, common_fields, common_schema};
use serde_json::Value as Json;

use crate::out::{self, Done, SUCCESS, Stop};
use crate::{describe, markdown};

#[derive(clap::Args)]
pub struct Args {
    /// Only this type.
    name: Option<String>,
    /// Print a JSON list of the types, each with the JSON Schema of its settings.
    #[arg(long)]
    json: bool,
    /// Print the reference page of the documentation.
    #[arg(long, conflicts_with_all = ["json", "name"])]
    markdown: bool,
}

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let catalogue = registry.catalogue();
    let wanted = match &args.name {
        None => catalogue.iter().collect(),
        Some(name) => vec![find(catalogue, name)?],
    };
    let text = if args.json {
        let json = serde_json::to_string_pretty(&wanted).map_err(|error| Stop::Wrong(error.into()))?;
        format!("{json}\n")
    } else if args.markdown {
        markdown::page(catalogue)
    } else if args.name.is_some() {
        wanted.iter().map(|info| one(info)).collect()
    } else {
        all(catalogue)
    };
    out::print(&text)?;
    Ok(SUCCESS)
}

fn find<'c>(catalogue: &'c Catalogue, name: &str) -> Result<&'c NodeInfo, Stop> {
    catalogue.get(name).ok_or_else(|| {
        let near = model::file::nearest(name, catalogue.iter().map(|info| info.name));
        let hint = near.map_or_else(|| "`coact nodes` lists them".to_owned(), |near| format!("did you mean `{near}`?"));
        Stop::Wrong(anyhow!("there is no node type `{name}`; {hint}"))
    })
}

fn all(catalogue: &Catalogue) -> String {
    let mut text = String::new();
    for info in catalogue.iter() {
        text += &one(info);
        text.push('\n');
    }
    text += "Settings that every node may have\n";
    text += &settings(common_schema(), common_fields());
    text += "\nFunctions in expressions\n";
    let width = FUNCTIONS.iter().map(|function| function.usage.len()).max().unwrap_or(0);
    for function in FUNCTIONS {
        text += &format!("  {:width$}  {}\n", function.usage, function.help);
    }
    text
}

fn one(info: &NodeInfo) -> String {
    format!("{} ({})\n  {}\n{}", info.name, info.group, info.doc, settings(&info.schema, &info.fields))
}

/// A line a setting: its name, what may be written, its default, what it does.
fn settings(root: &Json, fields: &[FieldInfo]) -> String {
    let mut text = String::new();
    for field in fields {
        let default = describe::default(field).map(|text| format!(" (default {text})")).unwrap_or_default();
        text += &format!("    {}: {}{default}\n", field.name, describe::kind(root, field));
        text += &format!("        {}\n", field.doc);
        for (option, doc) in describe::options(root, &field.schema).iter().filter(|(_, doc)| !doc.is_empty()) {
            text += &format!("        {option}: {doc}\n");
        }
    }
    text
}
