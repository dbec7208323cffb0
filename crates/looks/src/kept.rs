//! Meshes that were made before, on disk: a robot is there at once the second time. They are found by what is in their files
//! and in the files that those name, never by when these were written. What is damaged is made anew.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::allowed::{Allowed, Beside};

/// Counts up when meshes are made otherwise.
const VERSION: u32 = 1;
/// All of them; the oldest go first.
const MOST_BYTES: u64 = 512 << 20;
const ENDING: &str = "mesh";

/// A folder of them, for this user alone.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
    most_bytes: u64,
}

/// A file that a mesh names, as it was; none: it was not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    pub name: String,
    pub digest: Option<String>,
}

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Kept {
    pub fn new(folder: impl Into<PathBuf>) -> Kept {
        Kept { folder: folder.into(), most_bytes: MOST_BYTES }
    }

    #[must_use]
    pub fn at_most(self, most_bytes: u64) -> Kept {
        Kept { most_bytes, ..self }
    }

    fn place(&self, file: &Path, bytes: &[u8], budget: usize) -> PathBuf {
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let key = digest_of(format!("{VERSION} {ending} {budget} {}", digest_of(bytes)).as_bytes());
        self.folder.join(format!("{key}.{ENDING}"))
    }

    /// None: it is to be made.
    pub(crate) fn find(&self, file: &Path, bytes: &[u8], budget: usize, allowed: &Allowed) -> Option<Vec<u8>> {
        let whole = fs::read(self.place(file, bytes, budget)).ok()?;
        let line = whole.iter().position(|byte| *byte == b'\n')?;
        let (digest, named): (String, Vec<Named>) = serde_json::from_slice(&whole[..line]).ok()?;
        let glb = &whole[line + 1..];
        let beside = Beside::new(allowed, file);
        let is_as_it_was = |named: &Named| beside.read(&named.name).map(|bytes| digest_of(&bytes)) == named.digest;
        (digest_of(glb) == digest && named.iter().all(is_as_it_was)).then(|| glb.to_vec())
    }

    /// A disk that takes nothing is no reason not to show it.
    pub(crate) fn keep(&self, (file, bytes): (&Path, &[u8]), budget: usize, named: &[Named], glb: &[u8]) {
        let place = self.place(file, bytes, budget);
        let beside = place.with_extension(format!("{}~", std::process::id()));
        let Ok(mut whole) = serde_json::to_vec(&(digest_of(glb), named)) else { return };
        whole.push(b'\n');
        whole.extend_from_slice(glb);
        let made = fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&beside, whole))
            .and_then(|()| fs::rename(&beside, &place));
        if made.is_err() {
            // What is left over of it is only untidy.
            let _ = fs::remove_file(&beside);
            return;
        }
        self.tidy();
    }

    fn tidy(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut all: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((data.modified().ok()?, entry.path(), data.len()))
            })
            .collect();
        all.sort();
        let mut bytes: u64 = all.iter().map(|(_, _, bytes)| bytes).sum();
        for (_, path, size) in all {
            if bytes <= self.most_bytes {
                return;
            }
            // Another process may have taken it.
            let _ = fs::remove_file(path);
            bytes -= size;
        }
    }
}
