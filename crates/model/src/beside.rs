//! What lies beside a behavior and belongs to it: the cell that it names, and the templates in the folder `templates`.
//! Wherever the behavior goes, they go along.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::file::{Files, join, right_in};
use crate::hash::Fnv;
use crate::{Library, Problem, Severity};

/// All of it goes to the robot in one piece, with the behavior.
const MOST_BYTES: usize = 2 << 20;
const MOST_FILES: usize = 1_000;

/// Texts by the names that the behavior's own file is named beside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside(BTreeMap<Arc<str>, Arc<str>>);

/// The folder of templates that belongs to a file.
pub fn templates_folder(file: &str) -> String {
    join(file, "templates")
}

/// A file of this name in a folder `templates` is one of templates.
pub fn is_template(name: &str) -> bool {
    name.ends_with(".json") || name.ends_with(".xml")
}

impl Beside {
    /// What lies beside a behavior now.
    pub fn gather(library: &Library, files: &dyn Files) -> Result<Beside, Box<Problem>> {
        let main = library.main();
        let mut found = Beside::default();
        if let Some(cell) = &main.header.cell {
            found.take(&join(&main.file, cell), files)?;
        }
        let folder = templates_folder(&main.file);
        for name in files.names_in(&folder).iter().filter(|name| is_template(name)) {
            found.take(&format!("{folder}/{name}"), files)?;
            found.check(&main.file)?;
        }
        found.check(&main.file)?;
        Ok(found)
    }

    fn take(&mut self, path: &str, files: &dyn Files) -> Result<(), Box<Problem>> {
        let text = files.read(path).map_err(|why| {
            Box::new(Problem::in_file(Severity::Error, path, why, "check the path, and that the file may be read"))
        })?;
        self.0.insert(path.into(), text.into());
        Ok(())
    }

    pub fn insert(&mut self, path: &str, text: &str) {
        self.0.insert(path.into(), text.into());
    }

    /// It is no more than a robot takes; `file` is the behavior that it lies beside.
    pub fn check(&self, file: &str) -> Result<(), Box<Problem>> {
        let (bytes, count) = (self.bytes(), self.0.len());
        if bytes <= MOST_BYTES && count <= MOST_FILES {
            return Ok(());
        }
        let message = format!(
            "the cell and the templates beside it have {bytes} bytes in {count} files; a robot takes at most \
             {MOST_BYTES} bytes in {MOST_FILES} files"
        );
        let remedy = "move templates that it does not use out of the folder `templates`";
        Err(Box::new(Problem::in_file(Severity::Error, file, message, remedy)))
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(path, text)| path.len() + text.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|path| &**path)
    }

    /// Equal for the same files; 0: there are none.
    pub fn digest(&self) -> u64 {
        let parts = self.0.iter().flat_map(|(path, text)| [path, text]);
        let hash =
            parts.fold(Fnv::new(), |hash, part| hash.with(&(part.len() as u64).to_le_bytes()).with(part.as_bytes()));
        if self.0.is_empty() { 0 } else { hash.finish().max(1) }
    }
}

impl Files for Beside {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0
            .get(path)
            .map(ToString::to_string)
            .ok_or_else(|| format!("{path} did not come with the behavior: open it again where the file is"))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        right_in(folder, self.names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::MemoryFiles;
    use crate::{Catalogue, file};

    fn library(text: &str) -> Library {
        let files = MemoryFiles::from([("work/main.json", text)]);
        file::load("work/main.json", &files, &Catalogue::default()).expect("it opens").library
    }

    #[test]
    fn the_cell_and_the_templates_go_along_and_nothing_else_does() {
        let text = r#"{"version": 1, "cell": "../cell.json", "children": []}"#;
        let all = [
            ("cell.json", "cell"),
            ("work/templates/a.json", "a"),
            ("work/templates/b.xml", "b"),
            ("work/templates/read.me", "c"),
            ("work/templates/old/d.json", "d"),
            ("templates/e.json", "e"),
        ];
        let beside = Beside::gather(&library(text), &MemoryFiles::from(all)).expect("all is there");
        assert_eq!(beside.names().collect::<Vec<_>>(), ["cell.json", "work/templates/a.json", "work/templates/b.xml"]);
        assert_eq!(beside.read("cell.json").as_deref(), Ok("cell"));
        assert_eq!(beside.names_in("work/templates"), ["a.json", "b.xml"]);
        assert!(beside.read("work/main.json").expect_err("it is none of them").contains("did not come"));
        assert_eq!(Beside::gather(&library(r#"{"version": 1}"#), &MemoryFiles::default()), Ok(Beside::default()));
        let missing = Beside::gather(&library(text), &MemoryFiles::default()).expect_err("the cell is not there");
        assert!(missing.to_string().contains("cell.json"), "{missing}");
    }

    #[test]
    fn too_much_is_told_with_how_much_and_what_helps() {
        let large = "x".repeat(MOST_BYTES);
        let files = MemoryFiles::from([("work/templates/a.json", "a"), ("work/templates/b.json", large.as_str())]);
        let error = Beside::gather(&library(r#"{"version": 1}"#), &files).expect_err("it is too much").to_string();
        assert!(error.contains("in 2 files") && error.contains("out of the folder `templates`"), "{error}");
    }

    #[test]
    fn digests_tell_files_apart() {
        let of = |files: &[(&str, &str)]| {
            let mut beside = Beside::default();
            files.iter().for_each(|(path, text)| beside.insert(path, text));
            beside.digest()
        };
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[("a", "b")]), of(&[("a", "b")]));
        let all = [of(&[("a", "b")]), of(&[("ab", "")]), of(&[("a", "c")]), of(&[("a", "b"), ("c", "")]), 0];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{all:?}");
        }
    }
}
