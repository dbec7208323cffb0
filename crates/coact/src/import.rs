use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use model::file::{Disk, Files, Loaded, load, save, save_to_disk};
use model::{Catalogue, Definition, DefinitionId, Field, Fields, Library, NodeId, is_common};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::files;
use crate::out::{self, Done, SUCCESS, Stop, complain, count};

#[derive(clap::Args)]
pub struct Args {
    /// A file of another system, such as an `ActionSequenceDefinition`.
    file: String,
    /// Where the behavior goes; the skill files it uses go beside it, in the same folders as before. Without this the
    /// behavior is printed.
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
    /// Write a behavior of ours, and the skills it uses, as this version would: uses of skills that were replaced become
    /// uses of what has replaced them. Files that stay as they are are not touched.
    #[arg(long, conflicts_with_all = ["out", "force"])]
    upgrade: bool,
}

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let catalogue = registry.catalogue();
    let opened = match load(&args.file, &Disk, catalogue) {
        // What a check would find more concerns the run, not the form of the file.
        Ok(loaded) => {
            let problems = loaded.problems.clone();
            (Some(loaded), problems)
        }
        Err(problem) => (None, vec![problem]),
    };
    let mut loaded = files::sound(&args.file, opened, true)?;
    leave_out_previous(&mut loaded);
    let kept = keep_what_has_no_meaning(&mut loaded, catalogue)?;
    let texts: BTreeMap<DefinitionId, String> =
        loaded.library.iter().map(|(id, tree)| (id, save(tree, catalogue))).collect();
    if kept > 0 {
        complain(&format!(
            "coact: {} in the form of the other system, because a setting has no counterpart here (see above)",
            if kept == 1 { "1 node stays".to_owned() } else { format!("{} stay", count(kept, "node")) }
        ));
    }
    if args.upgrade {
        return upgrade(&loaded.library, &texts);
    }
    let Some(out) = &args.out else {
        if texts.len() > 1 {
            let message = "the behavior uses skill files: name a place for it with -o OUT, so that they go beside it";
            return Err(Stop::Wrong(anyhow!(message)));
        }
        out::print(&texts[&Library::MAIN])?;
        return Ok(SUCCESS);
    };
    let places = places(&loaded.library, out)?;
    write(&places, &texts, args.force)?;
    let list: Vec<String> = places.values().map(|place| format!("wrote {}\n", place.display())).collect();
    out::print(&list.concat())?;
    Ok(SUCCESS)
}

fn upgrade(library: &Library, texts: &BTreeMap<DefinitionId, String>) -> Done {
    let mut written = String::new();
    for (id, text) in texts {
        let file = &library.get(*id).file;
        let before = Disk.read(file).map_err(|why| anyhow!(why))?;
        if before != *text {
            save_to_disk(&**file, text).map_err(anyhow::Error::from)?;
            written += &format!("wrote {file}\n");
        }
    }
    out::print(if written.is_empty() { "nothing changes\n" } else { &written })?;
    Ok(SUCCESS)
}

/// The other system writes what is the default here.
fn leave_out_previous(loaded: &mut Loaded) {
    for file in ids(&loaded.library) {
        let tree = loaded.library.get_mut(file);
        for id in tree.walk(tree.root).collect::<Vec<NodeId>>() {
            let Some(node) = tree.get_mut(id) else { continue };
            if matches!(node.fields.get("after"), Some(Field::Text(text)) if matches!(&**text, "Previous" | "")) {
                node.fields.remove("after");
            }
        }
    }
}

fn ids(library: &Library) -> Vec<DefinitionId> {
    library.iter().map(|(id, _)| id).collect()
}

/// A field that means nothing to the type it was mapped to would be an error in a file of ours. Such a node keeps its
/// old type and fields: loading maps it again, each time, and nothing of it is lost. Gives how many these are.
fn keep_what_has_no_meaning(loaded: &mut Loaded, catalogue: &Catalogue) -> Result<usize, Stop> {
    let mut kept = 0;
    for file in ids(&loaded.library) {
        let tree = loaded.library.get_mut(file);
        let foreign: Vec<NodeId> = tree.walk(tree.root).filter(|id| has_unknown(tree, *id, catalogue)).collect();
        if foreign.is_empty() {
            continue;
        }
        let text = Disk.read(&tree.file).map_err(|why| anyhow!(why))?;
        let json = read(text.trim_start_matches('\u{feff}')).context("the file was changed meanwhile")?;
        for id in foreign {
            kept += usize::from(restore(tree, id, &json));
        }
    }
    Ok(kept)
}

/// Without a limit of its own: loading has checked the depth.
fn read(text: &str) -> Result<Json, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    Json::deserialize(&mut deserializer)
}

fn has_unknown(tree: &Definition, id: NodeId, catalogue: &Catalogue) -> bool {
    let node = tree.node(id);
    let Some(info) = catalogue.get(&node.kind) else { return false };
    let of_root = id == tree.root && !tree.header.extra.is_empty();
    of_root || node.fields.iter().any(|(key, _)| info.field(key).is_none() && !is_common(key))
}

/// Puts a node back as it stands in its file.
fn restore(tree: &mut Definition, id: NodeId, file: &Json) -> bool {
    let mut position: Vec<usize> = Vec::new();
    let mut at = id;
    while let Some(index) = tree.index_of(at) {
        position.push(index);
        at = tree.node(at).parent.unwrap_or(tree.root);
    }
    let found = position.iter().rev().try_fold(file, |at, index| at.get("children")?.get(*index));
    let Some(entries) = found.and_then(Json::as_object) else { return false };
    let Some(kind) = entries.get("type").and_then(Json::as_str) else { return false };
    let header = &tree.header;
    let mut fields = Fields::default();
    for (key, value) in entries {
        let of_node = ["type", "id", "name", "notes", "children"].contains(&key.as_str());
        let of_file = id == tree.root && (header.extra.contains_key(key) || FILE_KEYS.contains(&key.as_str()));
        if !of_node && !of_file {
            fields.push(key.as_str().into(), Field::from_json(value.clone()));
        }
    }
    let Some(node) = tree.get_mut(id) else { return false };
    node.kind = kind.into();
    node.fields = fields;
    true
}

const FILE_KEYS: [&str; 6] = ["version", "inputs", "outputs", "variables", "let", "cell"];

/// Where each file goes: the behavior to `out`, skills as far from it as they are from the behavior now.
fn places(library: &Library, out: &Path) -> Result<BTreeMap<DefinitionId, PathBuf>, Stop> {
    let main = Path::new(&*library.main().file);
    let from = main.parent().unwrap_or(Path::new(""));
    let to = out.parent().unwrap_or(Path::new(""));
    let mut places = BTreeMap::from([(Library::MAIN, out.to_owned())]);
    for (id, tree) in library.iter().skip(1) {
        let Ok(inside) = Path::new(&*tree.file).strip_prefix(from) else {
            return Err(Stop::Wrong(anyhow!(
                "{} lies outside of the folder of {}: move it there, or import it by itself",
                tree.file,
                main.display()
            )));
        };
        let place = to.join(inside);
        if place == out {
            return Err(Stop::Wrong(anyhow!(
                "{} would be both the behavior and a skill: choose another OUT",
                out.display()
            )));
        }
        places.insert(id, place);
    }
    Ok(places)
}

/// All files or, where one may not be written, none.
fn write(
    places: &BTreeMap<DefinitionId, PathBuf>,
    texts: &BTreeMap<DefinitionId, String>,
    force: bool,
) -> anyhow::Result<()> {
    for place in places.values() {
        if place.is_dir() {
            bail!("{} is a folder", place.display());
        }
        if !force && place.exists() {
            bail!("{} is there already: choose another place, or give --force", place.display());
        }
    }
    // Skills first: at no moment is there a behavior whose skills are missing.
    for (id, place) in places.iter().rev() {
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        save_to_disk(place, &texts[id]).with_context(|| format!("cannot write {}", place.display()))?;
    }
    Ok(())
}
