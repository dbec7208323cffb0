//! The folders that belong to a robot. Nothing outside of them is opened, whatever a URDF or a mesh names.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::kept::{Named, digest_of};
use crate::soup::{LookError, MOST_BYTES};

/// Packages are looked for this many folders above that of the URDF.
const LEVELS: usize = 5;
/// A folder this near to the root of the disk belongs to nobody's robot: `/`, `/home`.
const LEAST_DEPTH: usize = 2;

/// Folders with all that is in them, except what is hidden and links that lead out.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    roots: Vec<PathBuf>,
}

impl Allowed {
    /// The folder of the URDF; the package that it is in, which is the folder with a `package.xml` or else the one
    /// above; and each package that a URI names: a folder of its name above the URDF, or beside one of those.
    pub fn of(urdf_file: &Path, uris: &BTreeSet<&str>) -> Allowed {
        let folder = urdf_file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let Ok(folder) = folder.canonicalize() else { return Allowed::default() };
        let deep_enough = |folder: &&Path| {
            folder.components().filter(|part| matches!(part, Component::Normal(_))).count() >= LEAST_DEPTH
        };
        let above: Vec<&Path> = folder.ancestors().take(LEVELS).filter(deep_enough).collect();
        let own = above.iter().find(|folder| folder.join("package.xml").is_file()).or(above.get(1)).copied();
        let packages = uris.iter().filter_map(|uri| package(uri)).collect::<BTreeSet<_>>();
        let named = packages.into_iter().filter_map(|name| {
            let itself = above.iter().find(|folder| folder.ends_with(name)).map(|folder| folder.to_path_buf());
            let beside = || above.iter().map(|folder| folder.join(name)).find(|folder| folder.is_dir());
            itself.or_else(beside)
        });
        let mut roots: Vec<PathBuf> = [folder.clone()].into_iter().chain(own.map(Path::to_owned)).collect();
        roots.extend(
            named.filter_map(|folder| folder.canonicalize().ok()).filter(|folder| deep_enough(&folder.as_path())),
        );
        roots.sort();
        roots.dedup();
        Allowed { roots }
    }

    /// The file itself, if it is one that may be opened.
    pub fn find(&self, path: &Path) -> Option<PathBuf> {
        let whole = path.canonicalize().ok()?;
        let visible =
            |inside: &Path| inside.components().all(|part| !part.as_os_str().as_encoded_bytes().starts_with(b"."));
        let inside = self.roots.iter().any(|root| whole.strip_prefix(root).is_ok_and(visible));
        (inside && whole.is_file()).then_some(whole)
    }

    /// All of it, unless it is too large: no more than that is ever in memory, also where it grows meanwhile.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, LookError> {
        let missing = || LookError::Unreadable(io::ErrorKind::NotFound.into());
        let file = File::open(self.find(path).ok_or_else(missing)?)?;
        let size = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST_BYTES { Err(LookError::Large(size >> 20)) } else { Ok(bytes) }
    }
}

/// Of `package://NAME/…` the name, a plain one.
fn package(uri: &str) -> Option<&str> {
    let rest = uri.strip_prefix("package://").or_else(|| uri.strip_prefix("model://"))?;
    let name = rest.trim_start_matches('/').split('/').next()?;
    (!name.is_empty() && !name.starts_with('.') && !name.contains('\\')).then_some(name)
}

/// What a mesh names beside itself: materials, pictures.
pub(crate) struct Beside<'a> {
    allowed: &'a Allowed,
    folder: PathBuf,
    /// What was asked for.
    named: RefCell<Vec<Named>>,
}

impl Beside<'_> {
    pub fn new<'a>(allowed: &'a Allowed, file: &Path) -> Beside<'a> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Beside { allowed, folder, named: RefCell::default() }
    }

    pub fn named(&self) -> Vec<Named> {
        self.named.take()
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.find(name);
        let digest = found.as_ref().map(|bytes| digest_of(bytes));
        self.named.borrow_mut().push(Named { name: name.to_owned(), digest });
        found
    }

    fn find(&self, name: &str) -> Option<Vec<u8>> {
        let name = name.strip_prefix("file://").unwrap_or(name).replace('\\', "/").replace("%20", " ");
        // Most exporters write where the file was on their disk: its name alone is what is left of that.
        let alone = Path::new(&name).file_name()?;
        let file =
            [self.folder.join(&name), self.folder.join(alone)].iter().find_map(|path| self.allowed.find(path))?;
        self.allowed.read(&file).ok()
    }
}
