//! Steps as text for a clipboard, and back.

use std::collections::BTreeMap;

use document::{Clip, Document, DocumentError};
use model::file::{Files, VERSIONS, join, load};
use model::{Library, NodeId};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// What is written to a clipboard.
#[derive(Serialize, Deserialize)]
struct Written {
    /// What tells it from any other text.
    coact: Kind,
    /// The file the steps are from.
    file: String,
    behavior: Json,
    skills: BTreeMap<String, Json>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Steps,
}

fn json(text: &str) -> Result<Json, DocumentError> {
    serde_json::from_str(text).map_err(|error| DocumentError::File(format!("the text on the clipboard: {error}")))
}

pub fn text(document: &Document, nodes: &[NodeId]) -> Result<String, DocumentError> {
    let Clip { file, behavior, skills } = document.clip(nodes)?;
    let skills = skills.into_iter().map(|(file, text)| Ok((file, json(&text)?)));
    let skills = skills.collect::<Result<BTreeMap<_, _>, DocumentError>>()?;
    let written = Written { coact: Kind::Steps, file, behavior: json(&behavior)?, skills };
    serde_json::to_string_pretty(&written).map_err(|error| DocumentError::File(error.to_string()))
}

/// The behavior on a clipboard, with its skills: those of the folder where it has files of their names.
pub fn read(document: &Document, parent: NodeId, text: &str, files: &dyn Files) -> Result<Library, DocumentError> {
    let library = document.library();
    let here = library.owner_of(parent).map(|owner| library.get(owner).file.to_string()).unwrap_or_default();
    let nothing = || DocumentError::File("there are no steps on the clipboard: copy some first".to_owned());
    let json: Json = serde_json::from_str(text).map_err(|_| nothing())?;
    let (from, behavior, skills) = match serde_json::from_value::<Written>(json.clone()) {
        Ok(Written { file, behavior, skills, .. }) => (file, behavior, skills),
        Err(_) if json.get("children").is_some() => (here, json, BTreeMap::new()),
        Err(_) => return Err(nothing()),
    };
    // In its folder, under a name that no file has.
    let path = join(&from, "the clipboard.json");
    let overlay = Overlay { path: path.clone(), behavior: behavior.to_string(), skills, files };
    let loaded = load(&path, &overlay, document.catalogue());
    loaded.map(|loaded| loaded.library).map_err(|problem| DocumentError::File(problem.to_string()))
}

/// One node with what is below it, as in the file of the behavior.
pub fn of_tree(document: &Document, tree: Json, files: &dyn Files) -> Result<Library, DocumentError> {
    let Json::Object(mut node) = tree else {
        return Err(DocumentError::File("the tree to insert: it is not a JSON object".to_owned()));
    };
    let version = node.shift_remove("version").unwrap_or_else(|| VERSIONS[VERSIONS.len() - 1].into());
    // As a file says its own: what has children and no type is a sequence.
    if node.contains_key("children") {
        node.entry("type").or_insert_with(|| "sequence".into());
    }
    if !node.contains_key("type") {
        return Err(DocumentError::File("the tree to insert: it has no `type`".to_owned()));
    }
    let path = join(&document.library().main().file, "what is inserted.json");
    let behavior = serde_json::json!({"version": version, "children": [node]}).to_string();
    let overlay = Overlay { path: path.clone(), behavior, skills: BTreeMap::new(), files };
    let loaded = load(&path, &overlay, document.catalogue());
    let loaded = loaded.map_err(|problem| DocumentError::File(problem.to_string()))?;
    match loaded.problems.iter().find(|problem| problem.is_error()) {
        Some(problem) => Err(DocumentError::File(problem.to_string())),
        None => Ok(loaded.library),
    }
}

struct Overlay<'a> {
    path: String,
    behavior: String,
    skills: BTreeMap<String, Json>,
    files: &'a dyn Files,
}

impl Files for Overlay<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        if path == self.path {
            return Ok(self.behavior.clone());
        }
        let here = self.files.read(path);
        here.or_else(|why| self.skills.get(path).map(Json::to_string).ok_or(why))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        self.files.names_in(folder)
    }
}
