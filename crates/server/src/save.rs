//! Writing files: whole or not at all, and never over what somebody else wrote meanwhile.

use protocol::api::{Answer, Failure, FailureCode};

use crate::asks::failed;
use crate::operator::{Operator, failure};

impl Operator {
    pub(crate) fn save(&mut self, name: &str, files: Option<Vec<String>>, overwrite: bool) -> Result<Answer, Failure> {
        let wanted = match files {
            Some(files) => files,
            // Skills before those who use them, so that what is on disk fits together at any time.
            None => self.view.files.iter().rev().filter(|file| file.unsaved).map(|file| file.file.clone()).collect(),
        };
        for file in &wanted {
            if self.shared.document().library().find(file).is_none() {
                return Err(failure(FailureCode::Refused, format!("{file} is no file of this behavior")));
            }
            if !overwrite {
                self.is_as_read(file)?;
            }
        }
        let mut written = Vec::new();
        let mut result = Ok(());
        for file in wanted {
            result = self.write(&file);
            if result.is_err() {
                break;
            }
            written.push(file);
        }
        if !written.is_empty() {
            self.audit(format!("{name} saved {}", written.join(", ")));
            let difference = self.look();
            self.tell_changed(name, "save", &difference, None);
        }
        result.map(|()| Answer::Saved { files: written })
    }

    /// What is on disk is what was read or written here last.
    fn is_as_read(&self, file: &str) -> Result<(), Failure> {
        let store = &self.setup.store;
        let changed = |text: String| Err(failure(FailureCode::ChangedOnDisk, text));
        match (self.shared.saved(file), store.exists(file)) {
            (Some(Some(saved)), true) => match store.read(file) {
                Ok(text) if text == saved => Ok(()),
                Ok(_) => changed(format!("{file} was changed on disk meanwhile: save over it, or open it again")),
                Err(why) => changed(format!("{why}; save over it, or move it away")),
            },
            (Some(None) | None, true) => {
                changed(format!("there is a file {file} on disk already: save over it, or take another name"))
            }
            // Somebody deleted it: writing it again loses nothing.
            (_, false) => Ok(()),
        }
    }

    fn write(&mut self, file: &str) -> Result<(), Failure> {
        crate::store::inside(file).map_err(|text| failure(FailureCode::Refused, text))?;
        let Some(text) = self.shared.document().text(file) else { return Ok(()) };
        self.setup.store.write(file, &text).map_err(|error| {
            let Failure { code, text } = failed(&error);
            failure(code, format!("{file} could not be saved: {text}; what was there before still is"))
        })?;
        self.shared.set_saved(file, Some(&text));
        Ok(())
    }
}
