//! Files that came with the program: beside it in a package, nowhere after `cargo install`.

use std::path::PathBuf;

/// `../share/coact` of the folder the program lies in.
pub fn folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.parent()?.join("share/coact");
    folder.is_dir().then_some(folder)
}
