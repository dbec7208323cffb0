//! What is done to files beside opening and saving them. Nothing is replaced, and nothing that others use goes unasked.

use model::file::inside;
use protocol::api::{Answer, Failure, FailureCode};

use crate::asks::failed;
use crate::names_in::{renamed, uses};
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
        let users = self.users_of(&file)?;
        if !anyway && !users.is_empty() {
            let text = format!("{file} is used by {}, which get its new name with it", named(&users));
            return Err(failure(FailureCode::InUse, text));
        }
        let store = &self.setup.store;
        let own = store.read(&file).ok().and_then(|text| renamed(&text, (&file, &to), (&file, &to)));
        store.rename(&file, &to).map_err(|error| failed(&error))?;
        let theirs = users.iter().filter_map(|user| {
            let text = store.read(user).ok()?;
            Some((user.clone(), renamed(&text, (user, user), (&file, &to))?))
        });
        for (place, text) in own.map(|text| (to.clone(), text)).into_iter().chain(theirs) {
            store.write(&place, &text).map_err(|error| {
                failure(FailureCode::Failed, format!("{file} is {to} now, but {place} could not be written: {error}"))
            })?;
        }
        let also = if users.is_empty() { String::new() } else { format!(", also in {}", users.join(", ")) };
        self.audit(format!("{name} renamed {file} to {to}{also}"));
        Ok(Answer::Done)
    }

    pub(crate) fn delete_file(&mut self, name: &str, file: &str, anyway: bool) -> Result<Answer, Failure> {
        let file = self.closed_file(file)?;
        let users = self.users_of(&file)?;
        if !anyway && !users.is_empty() {
            let text = format!("{file} is used by {}, which would not find it any more", named(&users));
            return Err(failure(FailureCode::InUse, text));
        }
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

    fn users_of(&self, file: &str) -> Result<Vec<String>, Failure> {
        let store = &self.setup.store;
        let own_name = file.rsplit('/').next().unwrap_or(file);
        let is_user = |other: &str| {
            let text = store.read(other).ok().filter(|text| text.contains(own_name));
            other != file && text.is_some_and(|text| uses(&text, other, file))
        };
        let all = store.list().map_err(|error| failed(&error))?;
        Ok(all.into_iter().map(|entry| entry.file).filter(|other| is_user(other)).collect())
    }
}

fn named(users: &[String]) -> String {
    let first = users.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match users.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
