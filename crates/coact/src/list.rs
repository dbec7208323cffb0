//! What there is to choose from.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use robot::{Robot, Size};
use scene::template;
use serde::Serialize;
use serde_json::Value as Json;
use sim::World;

use crate::out::{self, Done, SUCCESS, Stop, count};
use crate::shipped;

#[derive(clap::Args)]
pub struct Args {
    /// Only these.
    what: Option<What>,
    /// Print one JSON object: a list of each kind, each thing with its name, what it is and its file.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Worlds with physics, for --world.
    Worlds,
    /// Robots, for --robot.
    Robots,
    /// Behaviors to run or to use in others: those in `skills`, here and beside the program.
    Skills,
    /// Suites of trials: those in `suites`, here and beside the program.
    Suites,
    /// What can be done with objects of a class.
    Templates,
}

#[derive(Serialize)]
struct Thing {
    /// As other commands take it.
    name: String,
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

pub fn run(args: &Args) -> Done {
    let wanted = args.what.map_or_else(|| What::value_variants().to_vec(), |what| vec![what]);
    let lists: Vec<(What, Vec<Thing>)> = wanted.into_iter().map(|what| (what, what.things())).collect();
    if args.json {
        let all = lists.iter().map(|(what, things)| (what.word(), serde_json::to_value(things)));
        let all: Result<serde_json::Map<String, Json>, _> = all.map(|(word, list)| Ok((word, list?))).collect();
        let all: Json = all.map_err(|error: serde_json::Error| Stop::Wrong(error.into()))?.into();
        out::print(&format!("{all}\n"))?;
    } else {
        let texts: Vec<String> = lists.iter().map(|(what, things)| text(*what, things)).collect();
        out::print(&texts.join("\n"))?;
    }
    Ok(SUCCESS)
}

impl What {
    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn things(self) -> Vec<Thing> {
        match self {
            What::Worlds => World::names().into_iter().map(world).collect(),
            What::Robots => Robot::names().into_iter().map(robot).collect(),
            What::Skills => files("skills"),
            What::Suites => files("suites"),
            What::Templates => {
                let ours = template::Library::built_in();
                let one = |class: &str| Thing {
                    name: class.to_owned(),
                    about: ours.get(class).map(|template| template.notes.clone()).unwrap_or_default(),
                    file: None,
                };
                ours.classes().map(one).collect()
            }
        }
    }

    /// How they are used.
    fn usage(self) -> &'static str {
        match self {
            What::Worlds => "--world NAME",
            What::Robots => "--robot NAME",
            What::Skills => "coact run FILE",
            What::Suites => "coact trial FILE",
            What::Templates => "by the class of an object",
        }
    }
}

fn world(name: &str) -> Thing {
    Thing { name: name.to_owned(), about: World::notes(name).unwrap_or_default(), file: None }
}

fn robot(name: &str) -> Thing {
    let about = Robot::builtin(name).map(|robot| {
        let size = Size::of(&robot.description, &robot.model);
        let joints = count(robot.description.joints.len(), "joint");
        format!("{joints}, {:.0} kg, {:.2} m high", size.mass_kg, size.height_m)
    });
    Thing { name: name.to_owned(), about: about.unwrap_or_default(), file: None }
}

/// Those of the folder we are in, then those that came with the program.
fn files(kind: &str) -> Vec<Thing> {
    let mut found = Vec::new();
    let came_along = shipped::folder().map(|folder| folder.join(kind));
    for folder in [Some(PathBuf::from(kind)), came_along].into_iter().flatten() {
        gather(&folder, &mut found);
    }
    found.into_iter().map(file).collect()
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_by_key(|path| (path.is_dir(), path.clone()));
    for path in paths {
        // What a link leads to may lead back.
        if path.is_dir() && !path.is_symlink() {
            gather(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
}

/// A file that cannot be read is there all the same: `coact check` says what is wrong with it.
fn file(path: PathBuf) -> Thing {
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let json: Json = serde_json::from_str(&text).unwrap_or_default();
    let said = |key: &str| json[key].as_str().filter(|text| !text.is_empty());
    let about = [said("name"), said("notes")].into_iter().flatten().collect::<Vec<_>>().join(": ");
    Thing { name: path.display().to_string(), about, file: Some(path) }
}

fn text(what: What, things: &[Thing]) -> String {
    let mut text = format!("{} ({})\n", what.word(), what.usage());
    if things.is_empty() {
        let word = what.word();
        text += &format!("  none: there is no folder `{word}` here, and none came with the program\n");
    }
    let width = things.iter().map(|thing| thing.name.chars().count()).max().unwrap_or(0);
    for thing in things {
        let room = out::width().saturating_sub(width + 4).max(20);
        text += format!("  {:width$}  {}", thing.name, cut(first_sentence(&thing.about), room)).trim_end();
        text.push('\n');
    }
    text
}

fn first_sentence(about: &str) -> &str {
    about.split_once(". ").map_or(about, |(first, _)| first).trim_end_matches('.')
}

fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room - 1).collect();
    // Not in the middle of a word.
    format!("{}…", kept.rsplit_once(' ').map_or(kept.as_str(), |(whole, _)| whole))
}
