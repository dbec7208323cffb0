//! Writing files: whole or not at all, and never over what somebody else wrote meanwhile.

use protocol::api::{Answer, Failure, FailureCode};

use crate::asks::failed;
use crate::operator::{Operator, failure};
use crate::trace;
use crate::view::Difference;

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
            written.push(self.in_store(&file));
        }
        if !written.is_empty() {
            self.audit(format!("{name} saved {}", written.join(", ")));
            for file in &written {
                self.view.compare_with_disk(&self.shared, file);
            }
            let difference = Difference { files: self.view.files.clone(), ..Difference::default() };
            self.tell_changed(name, "save", &difference, None);
        }
        result.map(|()| Answer::Saved { files: written })
    }

    /// The name of a file of the behavior in the folder here. A robot that was started with a file elsewhere calls it by
    /// that place, which is none of this machine: then what all its files have in common is the folder here.
    pub(crate) fn in_store(&self, file: &str) -> String {
        let files = self.shared.document().library();
        let names = || files.iter().map(|(_, tree)| &*tree.file);
        if names().all(|name| model::file::inside(name).is_ok()) {
            return file.to_owned();
        }
        let home = names().map(|name| &name[..name.rfind('/').map_or(0, |end| end + 1)]).reduce(common_folder);
        file.strip_prefix(home.unwrap_or_default()).unwrap_or(file).to_owned()
    }

    /// What is on disk is what was read or written here last.
    fn is_as_read(&self, file: &str) -> Result<(), Failure> {
        let (store, name) = (&self.setup.store, self.in_store(file));
        let changed = |text: String| Err(failure(FailureCode::ChangedOnDisk, text));
        match (self.shared.saved(file), store.exists(&name)) {
            (Some(Some(saved)), true) => match store.read(&name) {
                Ok(text) if trace::of_text(&text) == saved => Ok(()),
                Ok(_) => changed(format!("{file} was changed on disk meanwhile: save over it, or open it again")),
                Err(why) => changed(format!("{why}; save over it, or move it away")),
            },
            (Some(None) | None, true) => {
                changed(format!("there is a file {name} on disk already: save over it, or take another name"))
            }
            // Somebody deleted it: writing it again loses nothing.
            (_, false) => Ok(()),
        }
    }

    fn write(&mut self, file: &str) -> Result<(), Failure> {
        let name = model::file::inside(&self.in_store(file)).map_err(|text| failure(FailureCode::Refused, text))?;
        let Some(text) = self.shared.document().text(file) else { return Ok(()) };
        self.setup.store.write(&name, &text).map_err(|error| {
            let Failure { code, text } = failed(&error);
            failure(code, format!("{file} could not be saved: {text}; what was there before still is"))
        })?;
        self.shared.set_saved(file, Some(&text));
        Ok(())
    }
}

/// With its `/`; empty where there is none.
fn common_folder<'a>(one: &'a str, other: &'a str) -> &'a str {
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    &one[..one.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |end| end + 1)]
}
