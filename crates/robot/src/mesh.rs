use std::path::{Path, PathBuf};

/// A mesh as a URDF names it. Nothing is looked up here: which of the candidates is there is known to whoever may read
/// files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshPath {
    /// As written.
    pub uri: String,
    /// Where the file may be, likeliest first.
    pub candidates: Vec<PathBuf>,
}

impl MeshPath {
    /// `base` is the folder of the URDF.
    pub fn new(uri: &str, base: &Path) -> MeshPath {
        let candidates = if let Some(rest) = uri.strip_prefix("package://").or_else(|| uri.strip_prefix("model://")) {
            in_package(rest.trim_start_matches('/'), base)
        } else if let Some(rest) = uri.strip_prefix("file://") {
            vec![base.join(rest)]
        } else {
            vec![base.join(uri)]
        };
        MeshPath { uri: uri.to_owned(), candidates }
    }
}

/// A package is a folder above the URDF, or beside one; files from elsewhere often lack the folder itself.
fn in_package(rest: &str, base: &Path) -> Vec<PathBuf> {
    let (package, inner) = rest.split_once('/').unwrap_or(("", rest));
    let mut candidates = Vec::new();
    for folder in base.ancestors() {
        if folder.file_name().is_some_and(|name| name == package) {
            candidates.push(folder.join(inner));
        }
    }
    candidates.extend(base.ancestors().map(|folder| folder.join(rest)));
    candidates.push(base.join(inner));
    candidates
}
