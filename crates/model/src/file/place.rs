//! Where files may be, and who may read them.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{fold, folder};

const LONGEST_NAME: usize = 200;

/// A name that leads nowhere else than into the folder it is seen from, or why it is none.
pub fn inside(file: &str) -> Result<String, String> {
    let folded = fold(file);
    let wrong = file.is_empty()
        || file.starts_with('/')
        || folded.starts_with("..")
        || file.contains(['\\', ':'])
        || file.chars().any(char::is_control)
        || folded.split('/').any(|part| part.starts_with('.'))
        || file.len() > LONGEST_NAME;
    if wrong {
        let name = file.escape_debug();
        return Err(format!("`{name}` is no file of this folder: write its name, as `pick.json` or `skills/nod.json`"));
    }
    if !folded.ends_with(".json") {
        return Err(format!("`{file}` must end with .json"));
    }
    Ok(folded)
}

/// The path of a new file that `from`, a file of the behavior `main`, calls `file`: in the folder that all of them are
/// in, or why it is not.
pub fn new_beside(main: &str, from: &str, file: &str) -> Result<String, String> {
    let path = super::join(from, file);
    let home = folder(main);
    match path.strip_prefix(home).filter(|_| !file.starts_with('/')) {
        Some(rest) => inside(rest).map(|rest| format!("{home}{rest}")),
        // Beside the folder of the behavior, in the one that both are in.
        None => inside(if file.starts_with('/') { file } else { &path }),
    }
}

/// The true path of a file in a folder, which must exist; the file need not. A link that leads out of the folder, or
/// nowhere, is refused: who may write here must not write elsewhere by it.
pub fn true_place(root: &Path, file: &str) -> Result<PathBuf, String> {
    let failed = |path: &Path, error: &io::Error| format!("{}: {error}", path.display());
    let root = root.canonicalize().map_err(|error| failed(root, &error))?;
    let wanted = root.join(file);
    let mut there = wanted.as_path();
    while there.symlink_metadata().is_err() {
        match there.parent() {
            Some(parent) if there != root => there = parent,
            _ => break,
        }
    }
    let leads_out =
        || format!("{file} is, or is behind, a link that leads out of this folder: links are not followed there");
    let real = there.canonicalize().map_err(|_| leads_out())?;
    if !real.starts_with(&root) {
        return Err(leads_out());
    }
    let rest = wanted.strip_prefix(there).map_err(|error| error.to_string())?;
    Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}

/// For this user alone, with all that is in it; true: it was not.
#[cfg(unix)]
pub fn make_private(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let close = |path: &Path, mode: u32| {
        let open = fs::metadata(path)?.permissions().mode() & 0o077 != 0;
        if open {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
        io::Result::Ok(open)
    };
    let was_open = close(folder, 0o700)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            close(&entry.path(), 0o600)?;
        }
    }
    Ok(was_open)
}

#[cfg(not(unix))]
pub fn make_private(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Makes this folder and those on the way to it that are missing, for this user alone; those that are there stay as they are.
pub fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// To write a file that nobody else may read, also while it is new.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in [
            "/etc/passwd.json",
            "../x.json",
            "a/../../x.json",
            "",
            "x.txt",
            "a\\b.json",
            ".x.json",
            "a/.b/c.json",
            "a\nb.json",
        ] {
            assert!(inside(name).is_err(), "{name}");
        }
        assert_eq!(inside("a/../b.json").unwrap(), "b.json");
        assert_eq!(inside("skills/nod.json").unwrap(), "skills/nod.json");
    }

    #[test]
    fn a_new_file_lies_where_the_behavior_does() {
        let at = |main: &str, from: &str, file: &str| new_beside(main, from, file).ok();
        assert_eq!(at("main.json", "main.json", "skills/a.json").as_deref(), Some("skills/a.json"));
        assert_eq!(at("main.json", "skills/b.json", "../a.json").as_deref(), Some("a.json"));
        assert_eq!(at("pick/main.json", "pick/main.json", "../skills/a.json").as_deref(), Some("skills/a.json"));
        assert_eq!(at("/srv/x/main.json", "/srv/x/main.json", "a.json").as_deref(), Some("/srv/x/a.json"));
        assert_eq!(at("../x/main.json", "../x/main.json", "a.json").as_deref(), Some("../x/a.json"));
        for (main, file) in [
            ("main.json", "../a.json"),
            ("main.json", "/tmp/a.json"),
            ("main.json", ".a.json"),
            ("main.json", "a/.git/b.json"),
            ("/srv/x/main.json", "../a.json"),
            ("/srv/x/main.json", "/srv/x/a.json"),
        ] {
            assert_eq!(at(main, main, file), None, "{main} {file}");
        }
    }
}
