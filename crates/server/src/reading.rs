//! Files as they are read, with what was read of them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use model::file::Files;

pub struct Reading<'f> {
    files: &'f dyn Files,
    texts: RefCell<BTreeMap<String, String>>,
}

impl<'f> Reading<'f> {
    pub fn of(files: &'f dyn Files) -> Reading<'f> {
        Reading { files, texts: RefCell::default() }
    }

    pub fn texts(self) -> BTreeMap<String, String> {
        self.texts.into_inner()
    }
}

impl Files for Reading<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        let text = self.files.read(path)?;
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        Ok(text)
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        self.files.names_in(folder)
    }
}
