//! Both directions of a cell file, tried by hand: which variables signals give, which signals a command sets.

use std::sync::Arc;

use anyhow::{Result, bail};
use cell::Cell;
use model::Value;
use model::file::Disk;
use serde_json::{Map, Value as Json, json};

use crate::out::{self, Done, SUCCESS, Stop, WRONG};

#[derive(clap::Args)]
pub struct Args {
    /// The cell file.
    #[arg(value_name = "CELL")]
    file: String,
    /// Give an input signal this value; all others have their initial one.
    #[arg(long, value_name = "NAME=VALUE")]
    signal: Vec<String>,
    /// Send this command and show the signals it sets.
    #[arg(long, value_name = "NAME")]
    command: Option<String>,
    /// A value that goes with the command.
    #[arg(long, value_name = "NAME=VALUE", requires = "command")]
    value: Vec<String>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Done {
    let (cell, problems) = match Cell::load(&args.file, &Disk) {
        Ok(loaded) => loaded,
        Err(problem) => {
            out::complain(&problem.to_string());
            return Ok(WRONG);
        }
    };
    problems.iter().for_each(|problem| out::complain(&problem.to_string()));
    if problems.iter().any(model::Problem::is_error) {
        return Ok(WRONG);
    }
    match &args.command {
        Some(command) => show_command(args, &cell, command)?,
        None => show_variables(args, &cell)?,
    }
    Ok(SUCCESS)
}

fn show_variables(args: &Args, cell: &Cell) -> Result<(), Stop> {
    let mut signals = cell.initial();
    for (name, value) in pairs("signal", &args.signal)? {
        if let Err(error) = signals.set(&name, value) {
            return Err(anyhow::anyhow!("--signal {name}: {error}").into());
        }
    }
    let variables = cell.variables(&signals);
    if args.json {
        let given: Map<String, Json> = variables
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_ref().map_or(Json::Null, Value::to_json)))
            .collect();
        return out::print(&format!("{}\n", json!({ "variables": given })));
    }
    let mut text = String::new();
    for (name, value) in &variables {
        match value {
            Ok(value) => text += &format!("{name} = {value}\n"),
            Err(reason) => text += &format!("{name} has no value: {reason}\n"),
        }
    }
    out::print(&text)
}

fn show_command(args: &Args, cell: &Cell, command: &str) -> Result<(), Stop> {
    let values = pairs("value", &args.value)?;
    let outputs = cell.outputs(command, &values).map_err(|error| anyhow::anyhow!("--command {command}: {error}"))?;
    let pulse_s = cell.command(command).and_then(|command| command.pulse_s);
    if args.json {
        let given: Map<String, Json> =
            outputs.iter().map(|(name, value)| (name.to_string(), value.to_json())).collect();
        return out::print(&format!("{}\n", json!({ "signals": given, "pulse_s": pulse_s })));
    }
    let mut text: String = outputs.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
    if outputs.is_empty() {
        text += "sets no signal; an environment sees the command itself\n";
    }
    if let Some(pulse_s) = pulse_s {
        text += &format!("for {pulse_s} s\n");
    }
    out::print(&text)
}

/// `NAME=VALUE`, the value as JSON where it reads as such, else as text.
fn pairs(option: &str, given: &[String]) -> Result<Vec<(Arc<str>, Value)>> {
    given.iter().map(|each| pair(option, each)).collect()
}

fn pair(option: &str, given: &str) -> Result<(Arc<str>, Value)> {
    let Some((name, text)) = given.split_once('=') else {
        bail!("--{option} {given}: write NAME=VALUE");
    };
    let json = serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()));
    match Value::from_json(&json) {
        Some(value) => Ok((name.into(), value)),
        None => bail!("--{option} {given}: null is no value"),
    }
}
