//! Files in the folder of this operator, and nowhere else.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use model::file::{Disk, Files, inside, join, save_to_disk, true_place};
use protocol::api::FileEntry;

/// Where behaviors come from and go to. Names are relative to the folder, with `/`.
pub trait Store: Files + Send + Sync {
    fn list(&self) -> io::Result<Vec<FileEntry>>;
    fn exists(&self, file: &str) -> bool;
    /// Whole or not at all; what was there before is kept beside it.
    fn write(&self, file: &str, text: &str) -> io::Result<()>;
    /// Gives a file a name that none has.
    fn rename(&self, file: &str, to: &str) -> io::Result<()>;
    /// What it was stays beside it.
    fn remove(&self, file: &str) -> io::Result<()>;
    fn make_folder(&self, folder: &str) -> io::Result<()>;
    /// To read with on another thread.
    fn reader(&self) -> Box<dyn Files + Send>;
    /// To list with on another thread: a folder of thousands takes its time.
    fn lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<FileEntry>> + Send>;
    /// The same for folders.
    fn folder_lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<String>> + Send> {
        Box::new(|| Ok(Vec::new()))
    }
}

/// Folders deeper than this, and more files than this, are not looked at.
const MOST_LEVELS: usize = 8;
const MOST_FILES: usize = 10_000;

#[derive(Clone, Debug)]
pub struct Folder {
    folder: PathBuf,
    /// What a file was when it was last looked into: a list of thousands does not read them all again.
    known: Arc<Mutex<Known>>,
}

/// By name; whether it is a skill, none: no behavior.
type Known = BTreeMap<String, (Stamp, Option<bool>)>;

/// When a file was written, and its bytes.
type Stamp = (Option<SystemTime>, u64);

impl Folder {
    pub fn new(folder: impl Into<PathBuf>) -> Folder {
        Folder { folder: folder.into(), known: Arc::default() }
    }

    /// None: it is no behavior. Else whether it is a skill.
    fn look_into(&self, path: &str, folder: &str, entry: &std::fs::DirEntry) -> Option<bool> {
        let data = entry.metadata().ok()?;
        let stamp = (data.modified().ok(), data.len());
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known().get(path).filter(|(before, _)| *before == stamp) {
            return *found;
        }
        let found = behavior(&self.read(path).unwrap_or_default(), folder);
        known().insert(path.to_owned(), (stamp, found));
        found
    }

    fn folders_in(&self, folder: &str, level: usize, found: &mut Vec<String>) {
        // One that may not be read hides its own, not the others.
        for entry in std::fs::read_dir(self.folder.join(folder)).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let Some(name) = entry.file_name().into_string().ok().filter(|name| is_folder && is_shown(name)) else {
                continue;
            };
            if found.len() >= MOST_FILES || level >= MOST_LEVELS {
                return;
            }
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            found.push(path.clone());
            self.folders_in(&path, level + 1, found);
        }
    }

    fn list_in(&self, folder: &str, level: usize, found: &mut BTreeMap<String, bool>) -> io::Result<()> {
        for entry in std::fs::read_dir(self.folder.join(folder))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') || found.len() >= MOST_FILES {
                continue;
            }
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() && level < MOST_LEVELS && is_shown(&name) {
                // A folder that may not be read hides its files, not those of the others.
                let _ = self.list_in(&path, level + 1, found);
            } else if kind.is_file()
                && name.ends_with(".json")
                && let Some(skill) = self.look_into(&path, folder, &entry)
            {
                found.insert(path, skill);
            }
        }
        Ok(())
    }
}

/// A folder of behaviors, by its name.
fn is_shown(folder: &str) -> bool {
    !folder.starts_with('.') && !["target", "node_modules"].contains(&folder)
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

/// A name of a behavior, or of a library of templates in XML.
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
        let place = true_place(&self.folder, &path)?;
        Disk.read(&place.to_string_lossy()).map_err(|why| why.replace(&*place.to_string_lossy(), &path))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        // As a file in it would be asked for.
        let place = inside(&format!("{folder}/any.json")).and_then(|_| true_place(&self.folder, folder));
        place.map_or_else(|_| Vec::new(), |place| Disk.names_in(&place.to_string_lossy()))
    }
}

impl Store for Folder {
    fn list(&self) -> io::Result<Vec<FileEntry>> {
        let mut found = BTreeMap::new();
        self.list_in("", 0, &mut found)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).retain(|path, _| self.folder.join(path).exists());
        Ok(found.into_iter().map(|(file, skill)| FileEntry { file, skill }).collect())
    }

    fn exists(&self, file: &str) -> bool {
        true_place(&self.folder, file).is_ok_and(|place| place.exists())
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        let path = true_place(&self.folder, file).map_err(io::Error::other)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        keep_backup(&path)?;
        save_to_disk(&path, text)
    }

    fn rename(&self, file: &str, to: &str) -> io::Result<()> {
        let place = |name: &str| true_place(&self.folder, name).map_err(io::Error::other);
        let (from, to) = (place(file)?, place(to)?);
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // A link to it under the new name fails where something is already; a rename would replace that.
        std::fs::hard_link(&from, &to)?;
        std::fs::remove_file(&from)
    }

    fn remove(&self, file: &str) -> io::Result<()> {
        let path = true_place(&self.folder, file).map_err(io::Error::other)?;
        keep_backup(&path)?;
        std::fs::remove_file(&path)
    }

    fn make_folder(&self, folder: &str) -> io::Result<()> {
        std::fs::create_dir_all(true_place(&self.folder, folder).map_err(io::Error::other)?)
    }

    fn folder_lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<String>> + Send> {
        let folder = self.clone();
        Box::new(move || {
            let mut found = Vec::new();
            folder.folders_in("", 0, &mut found);
            found.sort();
            Ok(found)
        })
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        Box::new(self.clone())
    }

    fn lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<FileEntry>> + Send> {
        let folder = self.clone();
        Box::new(move || folder.list())
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_lead_nowhere_out_of_the_folder() {
        let top = std::env::temp_dir().join(format!("coact-links-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&top);
        let (inner, outer) = (top.join("in"), top.join("out"));
        std::fs::create_dir_all(inner.join("deep")).unwrap();
        std::fs::create_dir_all(&outer).unwrap();
        let text = r#"{"version": 1, "children": []}"#;
        std::fs::write(outer.join("secret.json"), text).unwrap();
        std::fs::write(inner.join("own.json"), text).unwrap();
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, inner.join(name)).unwrap();
        link(&outer.join("secret.json"), "file.json");
        link(&outer.join("new.json"), "dangling.json");
        link(&outer, "folder");
        link(&inner.join("own.json"), "alias.json");
        let store = Folder::new(&inner);
        for name in ["file.json", "dangling.json", "folder/secret.json", "folder/new.json"] {
            assert!(store.read(name).unwrap_err().contains("leads out"), "{name}");
            assert!(store.write(name, "{}").is_err(), "{name}");
            assert!(!store.exists(name), "{name}");
        }
        assert_eq!(std::fs::read_to_string(outer.join("secret.json")).unwrap(), text);
        assert!(!outer.join("new.json").exists() && !outer.join("secret.json~").exists());
        assert_eq!(store.read("alias.json").unwrap(), text, "a link within the folder is one of its files");
        store.write("deep/er/new.json", text).unwrap();
        assert_eq!(store.read("deep/er/new.json").unwrap(), text);
        assert!(store.rename("own.json", "folder/own.json").is_err() && store.remove("file.json").is_err());
        assert!(store.make_folder("folder/deep").is_err() && !outer.join("deep").exists());
        assert!(store.rename("own.json", "deep/er/new.json").is_err(), "nothing is replaced");
        assert!(store.read("own.json").is_ok() && outer.join("secret.json").exists());
        store.make_folder("empty/one").unwrap();
        assert_eq!(store.folder_lister()().unwrap(), ["deep", "deep/er", "empty", "empty/one"]);
        store.rename("deep/er/new.json", "empty/two/moved.json").unwrap();
        assert!(!store.exists("deep/er/new.json") && store.read("empty/two/moved.json").unwrap() == text);
        store.rename("empty/two/moved.json", "deep/er/new.json").unwrap();
        let listed: Vec<String> = store.list().unwrap().into_iter().map(|entry| entry.file).collect();
        assert_eq!(listed, ["deep/er/new.json", "own.json"]);
        std::fs::remove_dir_all(&top).unwrap();
    }
}
