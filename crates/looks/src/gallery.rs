//! The meshes of a robot, made when they are first asked for and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use robot::{Geometry, Robot};

use crate::soup::LookError;
use crate::{Allowed, Kept, converted_naming};

/// A laptop without a graphics card draws that many ten times a second.
const TRIANGLES_OF_ROBOT: usize = 200_000;
/// What a mesh of a robot with a thousand of them still has.
const LEAST_TRIANGLES: usize = 200;
/// All of a robot, as GLB.
const MOST_KEPT: usize = 256 << 20;

/// A mesh as GLB.
#[derive(Clone, Debug)]
pub struct Shown {
    pub glb: Arc<[u8]>,
    /// Of what is in it.
    pub tag: u64,
}

#[derive(Debug)]
pub struct Gallery {
    allowed: Allowed,
    /// Where each mesh may be, by the URI that the URDF has.
    meshes: BTreeMap<String, Vec<PathBuf>>,
    budget: usize,
    /// Those that were made before, on disk.
    kept: Option<Kept>,
    /// Locked while one is made: several at once would take several times the memory, and processors that control needs.
    made: Mutex<BTreeMap<String, Result<Shown, Arc<LookError>>>>,
}

impl Gallery {
    /// None: the robot has shapes of its URDF alone.
    pub fn of(robot: &Robot) -> Option<Gallery> {
        let mut uses = 0;
        let mut meshes = BTreeMap::new();
        for visual in robot.description.links.iter().flat_map(|link| &link.visuals) {
            if let Geometry::Mesh { path, .. } = &visual.geometry {
                uses += 1;
                meshes.insert(path.uri.clone(), path.candidates.clone());
            }
        }
        let uris: BTreeSet<&str> = meshes.keys().map(String::as_str).collect();
        let allowed = Allowed::of(&robot.urdf_file, &uris);
        let budget = (TRIANGLES_OF_ROBOT / uses.max(1)).max(LEAST_TRIANGLES);
        (uses > 0).then_some(Gallery { allowed, meshes, budget, kept: None, made: Mutex::default() })
    }

    /// What is made is kept there, and not made again while its files are the same.
    #[must_use]
    pub fn kept_in(self, kept: Option<Kept>) -> Gallery {
        Gallery { kept, ..self }
    }

    /// The URIs of all of them.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.meshes.keys().map(String::as_str)
    }

    /// Only what the URDF names is looked for, and only where it may be. Takes a while when it is the first time.
    pub fn show(&self, uri: &str) -> Result<Shown, Arc<LookError>> {
        let candidates = self.meshes.get(uri).ok_or(LookError::Unknown)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(uri) {
            return known.clone();
        }
        let kept: usize = made.values().flatten().map(|shown| shown.glb.len()).sum();
        let new = self.make(candidates).and_then(|shown| match kept + shown.glb.len() > MOST_KEPT {
            true => Err(LookError::Full(MOST_KEPT >> 20)),
            false => Ok(shown),
        });
        made.entry(uri.to_owned()).or_insert(new.map_err(Arc::new)).clone()
    }

    fn make(&self, candidates: &[PathBuf]) -> Result<Shown, LookError> {
        let Some(file) = candidates.iter().find_map(|path| self.allowed.find(path)) else {
            let looked: Vec<String> = candidates.iter().take(3).map(|path| path.display().to_string()).collect();
            return Err(LookError::Missing(looked.join(", ")));
        };
        let bytes = self.allowed.read(&file)?;
        let before = self.kept.as_ref().and_then(|kept| kept.find(&file, &bytes, self.budget, &self.allowed));
        let glb = match before {
            Some(glb) => glb,
            None => {
                let (glb, named) = converted_naming(&file, &bytes, &self.allowed, self.budget)?;
                if let Some(kept) = &self.kept {
                    kept.keep((&file, &bytes), self.budget, &named, &glb);
                }
                glb
            }
        };
        let mut hash = DefaultHasher::new();
        glb.hash(&mut hash);
        Ok(Shown { glb: glb.into(), tag: hash.finish() })
    }
}
