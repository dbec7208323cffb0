//! What is done to files beside opening and saving them. Nothing is replaced, and nothing that others use goes unasked.

use model::file::{inside, join};
use protocol::api::{Answer, Failure, FailureCode};
use serde_json::Value as Json;

use crate::asks::failed;
use crate::operator::{Operator, failure};

/// So many users of a file are named.
const MOST_NAMED: usize = 5;

impl Operator {
    pub(crate) fn save_as(&mut self, name: &str, file: &str) -> Result<Answer, Failure> {
        let to = self.free_name(file)?;
        let document = self.shared.document();
        let from = self.in_store(&document.library().main().file);
        let text = document.text_as(&from, &to);
        self.setup.store.write(&to, &text).map_err(|error| failed(&error))?;
        self.audit(format!("{name} saved a copy of {from} as {to}"));
        Ok(Answer::Saved { files: vec![to] })
    }

    pub(crate) fn rename_file(
        &mut self,
        name: &str,
        (file, to): (&str, &str),
        anyway: bool,
    ) -> Result<Answer, Failure> {
        let file = self.closed_file(file)?;
        let to = self.free_name(to)?;
        self.is_free(&file, anyway)?;
        self.setup.store.rename(&file, &to).map_err(|error| failed(&error))?;
        self.audit(format!("{name} renamed {file} to {to}"));
        Ok(Answer::Done)
    }

    pub(crate) fn delete_file(&mut self, name: &str, file: &str, anyway: bool) -> Result<Answer, Failure> {
        let file = self.closed_file(file)?;
        self.is_free(&file, anyway)?;
        self.setup.store.remove(&file).map_err(|error| failed(&error))?;
        self.audit(format!("{name} deleted {file}"));
        Ok(Answer::Done)
    }

    pub(crate) fn new_folder(&mut self, name: &str, folder: &str) -> Result<Answer, Failure> {
        let wrong = |_| failure(FailureCode::Refused, format!("`{folder}` is no name of a folder in this one"));
        let inner = inside(&format!("{folder}/any.json")).map_err(wrong)?;
        let folder = inner.strip_suffix("/any.json").filter(|folder| !folder.is_empty());
        let folder = folder.ok_or_else(|| failure(FailureCode::Refused, "a folder needs a name"))?;
        self.setup.store.make_folder(folder).map_err(|error| failed(&error))?;
        self.audit(format!("{name} made the folder {folder}"));
        Ok(Answer::Done)
    }

    fn free_name(&self, file: &str) -> Result<String, Failure> {
        let file = inside(file).map_err(|text| failure(FailureCode::Refused, text))?;
        if self.setup.store.exists(&file) {
            return Err(failure(FailureCode::Refused, format!("{file} is there already: take another name")));
        }
        Ok(file)
    }

    /// One that is there and not part of the behavior that is open.
    fn closed_file(&self, file: &str) -> Result<String, Failure> {
        let file = inside(file).map_err(|text| failure(FailureCode::Refused, text))?;
        if !self.setup.store.exists(&file) {
            return Err(failure(FailureCode::Refused, format!("there is no file {file}")));
        }
        let library = self.shared.document().library();
        if library.iter().any(|(_, tree)| self.in_store(&tree.file) == file) {
            let text = format!("{file} is part of the behavior that is open: open another one first");
            return Err(failure(FailureCode::Refused, text));
        }
        Ok(file)
    }

    fn is_free(&self, file: &str, anyway: bool) -> Result<(), Failure> {
        if anyway {
            return Ok(());
        }
        let store = &self.setup.store;
        let all = store.list().map_err(|error| failed(&error))?;
        let own_name = file.rsplit('/').next().unwrap_or(file);
        let uses = |other: &str| {
            let text = store.read(other).ok().filter(|text| text.contains(own_name));
            let json = text.and_then(|text| serde_json::from_str::<Json>(&text).ok());
            json.is_some_and(|json| names(&json, other, file))
        };
        let others = all.iter().map(|entry| &*entry.file).filter(|other| *other != file);
        let users: Vec<&str> = others.filter(|other| uses(other)).collect();
        if users.is_empty() {
            return Ok(());
        }
        let named = users.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = users.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Err(failure(FailureCode::InUse, format!("{file} is used by {named}{more}, which would not find it any more")))
    }
}

/// A node in it, or in what is below it, uses the file.
fn names(node: &Json, from: &str, file: &str) -> bool {
    // Not by calls within calls: a tree may be very deep.
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        if node["file"].as_str().is_some_and(|used| join(from, used) == file) {
            return true;
        }
        left.extend(node["children"].as_array().into_iter().flatten());
    }
    false
}
