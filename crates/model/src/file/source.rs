use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::scan::{MAX_BYTES, too_large};

/// Where behavior files come from.
pub trait Files {
    /// The text of a file, or a sentence that says why not.
    fn read(&self, path: &str) -> Result<String, String>;

    /// The names of the files right in a folder, in order; none where there is no such folder.
    fn names_in(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Files as the operating system has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let about = fs::metadata(path).map_err(|error| why(path, &error))?;
        if !about.is_file() {
            return Err(format!("{path} is not a file"));
        }
        if about.len() > MAX_BYTES as u64 {
            return Err(too_large(path, about.len()).message);
        }
        fs::read_to_string(path).map_err(|error| why(path, &error))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else { return Vec::new() };
        let is_file = |entry: &fs::DirEntry| fs::metadata(entry.path()).is_ok_and(|about| about.is_file());
        let files = entries.filter_map(Result::ok).filter(is_file);
        let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

fn why(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {path}"),
        io::ErrorKind::PermissionDenied => format!("{path} may not be read"),
        io::ErrorKind::InvalidData => format!("{path} is not UTF-8 text: save it as UTF-8"),
        _ => format!("{path} cannot be read: {error}"),
    }
}

/// Files held in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(pub BTreeMap<String, String>);

impl MemoryFiles {
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }
}

impl<P: Into<String>, T: Into<String>, const N: usize> From<[(P, T); N]> for MemoryFiles {
    fn from(files: [(P, T); N]) -> MemoryFiles {
        MemoryFiles(files.into_iter().map(|(path, text)| (path.into(), text.into())).collect())
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| format!("there is no file {path}"))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        right_in(folder, self.0.keys().map(String::as_str))
    }
}

/// Of those paths that are right in a folder, the names.
pub(crate) fn right_in<'a>(folder: &str, paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let names = paths.filter_map(|path| path.strip_prefix(start.as_str())).filter(|name| !name.contains('/'));
    names.map(str::to_owned).collect()
}

/// Replaces a file as a whole: whoever reads it, and whatever fails midway, sees the old text or the new one.
pub fn save_to_disk(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
    let path = through_links(path.as_ref())?;
    let beside = beside(&path)?;
    let result = write_and_rename(&path, &beside, text);
    if result.is_err() {
        // The error that matters is the first one; a left-over file is only untidy.
        let _ = fs::remove_file(&beside);
    }
    result
}

/// [`save_to_disk`], with the text before kept beside it under the same name with a `~` behind.
pub fn save_with_backup(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
    let path = through_links(path.as_ref())?;
    let mut backup = path.clone().into_os_string();
    backup.push("~");
    if path.exists() {
        keep(&path, Path::new(&backup))?;
    }
    save_to_disk(&path, text)
}

/// A second name for the old text costs no room, so it also works on a disk that is full.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::remove_file(backup) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // Not every file system can give a file two names.
    fs::hard_link(path, backup).or_else(|_| fs::copy(path, backup).map(drop))
}

/// A link stays a link: what it points to is replaced.
fn through_links(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error),
    }
}

/// A name no other process uses, in the same folder: only there a rename is whole.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.saving", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn write_and_rename(path: &Path, beside: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create(beside)?;
    if let Ok(about) = fs::metadata(path) {
        file.set_permissions(about.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(beside, path)?;
    // Without this the rename itself may be lost at a power cut. Not every file system can; the text is safe either way.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
