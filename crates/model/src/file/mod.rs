//! Behavior files: JSON people can read and diff.
#![allow(
    clippy::result_large_err,
    reason = "a file that does not open is one error per run; a box would spare nothing"
)]

mod build;
mod check;
mod header;
mod load;
mod migrate;
mod parse;
mod place;
mod replaced;
mod save;
mod scan;
mod source;
mod thesis;
mod words;
mod write;

pub use load::{Loaded, load, name_places};
pub use place::{create_private, inside, make_private, new_beside, private_file, true_place};
pub use save::save;
pub use scan::{MAX_BYTES, MAX_LEVELS};
pub(crate) use source::right_in;
pub use source::{Disk, Files, MemoryFiles, save_to_disk, save_with_backup};
pub use words::nearest;

/// Versions of the file form this program reads. It writes the last.
pub const VERSIONS: [u64; 2] = [1, 2];

/// Keys of a file as a whole, beside those of its root node.
pub(crate) const FILE_KEYS: [&str; 7] = ["version", "inputs", "outputs", "variables", "let", "cell", "capability"];

/// Keys that make up a node, whatever its type.
pub(crate) const NODE_KEYS: [&str; 5] = ["type", "id", "name", "notes", "children"];

/// `name` as seen from the folder of `from`, with `.` and `..` folded.
pub fn join(from: &str, name: &str) -> String {
    if name.starts_with('/') {
        return fold(name);
    }
    fold(&format!("{}{name}", folder(from)))
}

/// The folder of a file with its `/`; empty for a file without one.
pub(crate) fn folder(file: &str) -> &str {
    file.rfind('/').map_or("", |end| &file[..=end])
}

pub(crate) fn fold(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            // Above the top of an absolute path there is nothing.
            ".." if absolute => {}
            other => parts.push(other),
        }
    }
    let start = if absolute { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

/// The name by which a file in the folder of `from` reaches `to`: what [`join`] undoes.
pub fn relative(from: &str, to: &str) -> String {
    let base: Vec<&str> = folder(from).split('/').filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = to.split('/').filter(|part| !part.is_empty()).collect();
    let shared = base.iter().zip(&parts).take_while(|(a, b)| a == b).count();
    // How far up `..` leads is not known here, nor is where an absolute path meets a relative one.
    if base[shared..].contains(&"..") || from.starts_with('/') != to.starts_with('/') {
        return to.to_owned();
    }
    let up = vec![".."; base.len() - shared];
    [up.as_slice(), &parts[shared..]].concat().join("/")
}
