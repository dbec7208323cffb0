//! Files in the folder of this operator, and nowhere else.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use model::file::{Disk, Files, join, save_to_disk};
use protocol::api::FileEntry;

/// Where behaviors come from and go to. Names are relative to the folder, with `/`.
pub trait Store: Files + Send + Sync {
    fn list(&self) -> io::Result<Vec<FileEntry>>;
    fn exists(&self, file: &str) -> bool;
    /// Whole or not at all; what was there before is kept beside it.
    fn write(&self, file: &str, text: &str) -> io::Result<()>;
    /// To read with on another thread.
    fn reader(&self) -> Box<dyn Files + Send>;
}

/// Folders deeper than this, and more files than this, are not looked at.
const MOST_LEVELS: usize = 8;
const MOST_FILES: usize = 10_000;

#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(folder: impl Into<PathBuf>) -> Folder {
        Folder(folder.into())
    }

    fn list_in(&self, folder: &str, level: usize, found: &mut BTreeMap<String, bool>) -> io::Result<()> {
        for entry in std::fs::read_dir(self.0.join(folder))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') || found.len() >= MOST_FILES {
                continue;
            }
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() && level < MOST_LEVELS && !["target", "node_modules"].contains(&name.as_str()) {
                // A folder that may not be read hides its files, not those of the others.
                let _ = self.list_in(&path, level + 1, found);
            } else if kind.is_file()
                && name.ends_with(".json")
                && let Some(skill) = behavior(&self.read(&path).unwrap_or_default(), folder)
            {
                found.insert(path, skill);
            }
        }
        Ok(())
    }
}

/// None: it is no behavior. Else whether it is a skill.
fn behavior(text: &str, folder: &str) -> Option<bool> {
    let json: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    let has = |key: &str| json.contains_key(key);
    let native = has("type") || has("children") && !has("signals");
    // As the thesis' files are.
    let foreign = json.get("type").is_none() && json.keys().any(|key| key.ends_with("Definition"));
    if !(native || foreign) {
        return None;
    }
    Some(has("inputs") || has("outputs") || folder.rsplit('/').next() == Some("skills"))
}

/// A name that leads nowhere else, or why it is none.
pub fn inside(file: &str) -> Result<String, String> {
    let folded = join("", file);
    let wrong = file.is_empty()
        || file.starts_with('/')
        || folded.starts_with("..")
        || file.contains(['\\', ':', '\0'])
        || folded.split('/').any(|part| part.starts_with('.'))
        || file.len() > 200;
    if wrong {
        return Err(format!("`{file}` is no file of this folder: write its name, as `pick.json` or `skills/nod.json`"));
    }
    if !folded.ends_with(".json") {
        return Err(format!("`{file}` must end with .json"));
    }
    Ok(folded)
}

/// The same, also of a library of templates in XML.
fn inside_to_read(file: &str) -> Result<String, String> {
    match file.strip_suffix(".xml") {
        Some(name) => inside(&format!("{name}.json")).map(|_| join("", file)),
        None => inside(file),
    }
}

impl Files for Folder {
    fn read(&self, path: &str) -> Result<String, String> {
        // Behaviors name other files: those must not lead out of the folder either.
        let path = inside_to_read(path)?;
        Disk.read(&self.0.join(&path).to_string_lossy())
            .map_err(|why| why.replace(&*self.0.join(&path).to_string_lossy(), &path))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        // As a file in it would be asked for.
        match inside(&format!("{folder}/any.json")) {
            Ok(_) => Disk.names_in(&self.0.join(folder).to_string_lossy()),
            Err(_) => Vec::new(),
        }
    }
}

impl Store for Folder {
    fn list(&self) -> io::Result<Vec<FileEntry>> {
        let mut found = BTreeMap::new();
        self.list_in("", 0, &mut found)?;
        Ok(found.into_iter().map(|(file, skill)| FileEntry { file, skill }).collect())
    }

    fn exists(&self, file: &str) -> bool {
        self.0.join(file).exists()
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        let path = self.0.join(file);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        keep_backup(&path)?;
        save_to_disk(&path, text)
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        Box::new(self.clone())
    }
}

/// What was there stays readable as `name.json~`.
fn keep_backup(path: &Path) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push("~");
    match std::fs::read_to_string(path) {
        Ok(text) => save_to_disk(PathBuf::from(name), &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in
            ["/etc/passwd.json", "../x.json", "a/../../x.json", "", "x.txt", "a\\b.json", ".x.json", "a/.b/c.json"]
        {
            assert!(inside(name).is_err(), "{name}");
        }
        assert_eq!(inside("a/../b.json").unwrap(), "b.json");
        assert_eq!(inside("skills/nod.json").unwrap(), "skills/nod.json");
    }
}
