//! A file to begin with.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;

use crate::out::{self, Done, SUCCESS, Stop};

#[derive(clap::Args)]
pub struct Args {
    /// The file to make, such as `mine.json`. What is there already is not touched.
    file: PathBuf,
    /// What it is to be.
    #[arg(long, value_name = "KIND", default_value = "behavior")]
    kind: Kind,
    /// What it is called; the name of the file, in words, if not given.
    #[arg(long)]
    name: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// A behavior of two steps that runs as it is.
    Behavior,
    /// A world with physics: a table with a ball.
    World,
}

pub fn run(args: &Args) -> Done {
    let place = args.file.display();
    if args.file.extension().is_none_or(|ending| ending != "json") {
        return Err(anyhow!(
            "{place}: the name must end in .json, as `{}`",
            args.file.with_extension("json").display()
        )
        .into());
    }
    let name = args.name.clone().unwrap_or_else(|| in_words(&args.file));
    let quoted = serde_json::to_string(&name).map_err(anyhow::Error::from)?;
    let within_quotes = &quoted[1..quoted.len() - 1];
    let text = args.kind.starter().replace("NAME", within_quotes);
    write(&args.file, &text)?;
    let next = match args.kind {
        Kind::Behavior => format!("coact run {place}\n  coact demo {place}\n  coact nodes"),
        Kind::World => format!("coact check {place}\n  coact demo --world {place}"),
    };
    out::print(&format!("wrote {place}; go on with\n  {next}\n"))?;
    Ok(SUCCESS)
}

impl Kind {
    fn starter(self) -> &'static str {
        match self {
            Kind::Behavior => include_str!("starters/behavior.json"),
            Kind::World => include_str!("starters/world.json"),
        }
    }
}

/// `open-the-door.json` is *Open the door*.
fn in_words(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().replace(['-', '_'], " ");
    let mut letters = stem.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    let place = path.display();
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!("{place} is there already: take another name, or remove it first"),
        ErrorKind::NotFound => anyhow!("{place}: there is no such folder: make it first"),
        _ => anyhow!("cannot write {place}: {error}"),
    })?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {place}"))?;
    Ok(())
}
