use std::io;
use std::path::Path;
use std::sync::Arc;

use model::file::{save, save_to_disk};

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

    /// Writes every changed file, each as a whole: skills before those who use them. A file that is new in this
    /// behavior replaces none that is already there.
    pub fn save_all(&mut self) -> Result<Vec<Arc<str>>, SaveError> {
        let mut written = Vec::new();
        for file in self.changed_files() {
            let is_new = !self.saved.contains_key(&file);
            let result = match self.text(&file) {
                _ if is_new && Path::new(&*file).exists() => {
                    let text = "there is already a file of that name; take another name, or move that file away";
                    Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
                }
                Some(text) => save_to_disk(&*file, &text),
                None => continue,
            };
            if let Err(error) = result {
                return Err(SaveError { file, error, written });
            }
            self.mark_saved(&file);
            written.push(file);
        }
        Ok(written)
    }
}
