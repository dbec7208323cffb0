use std::io;
use std::path::Path;
use std::sync::Arc;

use model::file::{save, save_with_backup};
use rustc_hash::FxHasher;
use std::hash::Hasher;

use crate::SaveError;
use crate::document::Document;

impl Document {
    /// The file is not as it was last saved or loaded.
    pub fn is_changed(&self, file: &str) -> bool {
        self.library.find(file).is_some() && self.contents.get(file) != self.saved.get(file)
    }

    /// Files with unsaved changes, the main one last.
    pub fn changed_files(&self) -> Vec<Arc<str>> {
        let files: Vec<Arc<str>> = self.library.iter().map(|(_, tree)| tree.file.clone()).collect();
        files.into_iter().rev().filter(|file| self.is_changed(file)).collect()
    }

    /// The text a file would have.
    pub fn text(&self, file: &str) -> Option<String> {
        self.library.find(file).map(|id| save(self.library.get(id), self.catalogue()))
    }

    /// The content of this file is now what `text` gave: whoever wrote it elsewhere says so.
    pub fn mark_saved(&mut self, file: &str) {
        if let Some((file, content)) = self.contents.get_key_value(file) {
            self.saved.insert(file.clone(), *content);
        }
    }

    /// Remembers what the files are on disk, so that a save knows one that somebody else wrote meanwhile. To be called
    /// right after they were loaded.
    pub fn note_disk(&mut self) {
        let files: Vec<Arc<str>> = self.library.iter().map(|(_, tree)| tree.file.clone()).collect();
        for file in files {
            if let Some(print) = print_on_disk(&file) {
                self.on_disk.insert(file, print);
            }
        }
    }

    /// The file on disk is not the one that was loaded or saved here.
    pub fn is_changed_on_disk(&self, file: &str) -> bool {
        self.on_disk.get(file).is_some_and(|noted| print_on_disk(file).is_some_and(|print| print != *noted))
    }

    /// Writes every changed file, each as a whole: skills before those who use them. What a file was before is kept
    /// beside it with a `~` behind its name. A file that is new in this behavior replaces none that is already there,
    /// and one that somebody else wrote since it was loaded or saved here is refused.
    pub fn save_all(&mut self) -> Result<Vec<Arc<str>>, SaveError> {
        self.save_changed(false)
    }

    /// [`Self::save_all`], also over files that somebody else wrote meanwhile: for a person who was asked.
    pub fn save_all_over(&mut self) -> Result<Vec<Arc<str>>, SaveError> {
        self.save_changed(true)
    }

    fn save_changed(&mut self, over: bool) -> Result<Vec<Arc<str>>, SaveError> {
        let mut written = Vec::new();
        for file in self.changed_files() {
            let Some(text) = self.text(&file) else { continue };
            let is_new = !self.saved.contains_key(&file);
            let changed_on_disk = self.is_changed_on_disk(&file);
            let result = if is_new && !over && Path::new(&*file).exists() {
                let text = "there is already a file of that name; take another name, or move that file away";
                Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
            } else if changed_on_disk && !over {
                let text =
                    "somebody else wrote it since it was opened here; look at it, then save over it or elsewhere";
                Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
            } else {
                save_with_backup(&*file, &text)
            };
            if let Err(error) = result {
                return Err(SaveError { file, error, changed_on_disk, written });
            }
            self.on_disk.insert(file.clone(), print(text.as_bytes()));
            self.mark_saved(&file);
            written.push(file);
        }
        Ok(written)
    }
}

/// Only compared within one process.
fn print(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

fn print_on_disk(file: &str) -> Option<u64> {
    std::fs::read(file).ok().map(|bytes| print(&bytes))
}
