//! `--set NAME=VALUE`.

use std::sync::Arc;

use anyhow::{Result, bail};
use model::{Definition, Value};
use serde_json::Value as Json;

/// Values for the variables of a behavior. A value is JSON where it reads as such, else the text itself.
pub fn parse(given: &[String], behavior: &Definition) -> Result<Vec<(Arc<str>, Value)>> {
    let values: Vec<(Arc<str>, Value)> = given.iter().map(|each| parse_one(each, behavior)).collect::<Result<_>>()?;
    let is_given = |name: &str| values.iter().any(|(given, _)| **given == *name);
    let needed = behavior.header.inputs.iter().filter(|(_, input)| input.default.is_none());
    if let Some((name, _)) = needed.into_iter().find(|(name, _)| !is_given(name)) {
        bail!("{} needs the input `{name}`, which has no default: give it with --set {name}=VALUE", behavior.file);
    }
    Ok(values)
}

fn parse_one(given: &str, behavior: &Definition) -> Result<(Arc<str>, Value)> {
    let Some((name, text)) = given.split_once('=') else {
        bail!("--set {given}: write NAME=VALUE, as in --set speed=0.5");
    };
    let header = &behavior.header;
    let inputs = header.inputs.iter().map(|(name, _)| name);
    let variables = header.variables.iter().map(|(name, _)| name);
    let outputs = header.outputs.iter().map(|(name, _)| name);
    let known: Vec<&Arc<str>> = inputs.chain(variables).chain(outputs).collect();
    let Some(found) = known.iter().find(|known| ****known == *name) else {
        let names: Vec<&str> = known.iter().map(|known| &***known).collect();
        bail!("--set {given}: {} has no variable `{name}`{}", behavior.file, hint(name, &names));
    };
    let json: Json = serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()));
    match Value::from_json(&json) {
        Some(value) => Ok((Arc::clone(found), value)),
        None => bail!("--set {given}: null is no value; leave the option out to keep the variable as it is"),
    }
}

fn hint(name: &str, known: &[&str]) -> String {
    if let Some(near) = model::file::nearest(name, known.iter().copied()) {
        return format!("; did you mean `{near}`?");
    }
    if known.is_empty() {
        return "; it declares none".to_owned();
    }
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("; it has {}", quoted.join(", "))
}
