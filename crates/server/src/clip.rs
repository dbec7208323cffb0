//! Steps as text for a clipboard, and back.

use std::collections::BTreeMap;

use document::{Clip, Document, DocumentError};
use model::file::{Files, join, load};
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
