//! Robots of others, where they are: folders that `COACT_ROBOTS` names, with URDFs anywhere in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use looks::{Allowed, converted};
use robot::{Description, Geometry};

fn urdfs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            urdfs(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "urdf") {
            found.push(path);
        }
    }
}

/// Every mesh that a URDF names and that is there is read and keeps to its budget. What is not there is told.
#[test]
fn meshes_of_real_robots_are_read() {
    let Some(folders) = std::env::var_os("COACT_ROBOTS") else {
        eprintln!("SKIPPED: COACT_ROBOTS names no folder with robots of others");
        return;
    };
    let mut found = Vec::new();
    std::env::split_paths(&folders).for_each(|folder| urdfs(&folder, &mut found));
    found.sort();
    assert!(!found.is_empty(), "no URDF in {}", folders.display());
    let mut seen = BTreeSet::new();
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    for urdf in &found {
        let text = String::from_utf8_lossy(&std::fs::read(urdf).expect("a test's own")).into_owned();
        let Ok((description, _)) = Description::from_urdf(&text, urdf.parent().expect("a test's own")) else {
            continue;
        };
        let visuals = description.links.iter().flat_map(|link| &link.visuals);
        let meshes: Vec<_> = visuals
            .filter_map(|shape| if let Geometry::Mesh { path, .. } = &shape.geometry { Some(path) } else { None })
            .collect();
        let allowed = Allowed::of(urdf, &meshes.iter().map(|path| path.uri.as_str()).collect());
        for path in meshes {
            match path.candidates.iter().find_map(|path| allowed.find(path)) {
                None => missing.push(format!("{}: {} is not there", urdf.display(), path.uri)),
                Some(file) if seen.insert(file.clone()) => {
                    let made = allowed.read(&file).and_then(|bytes| converted(&file, &bytes, &allowed, 3000));
                    match made {
                        Err(error) => wrong.push(format!("{}: {error}", file.display())),
                        Ok(glb) => assert!(crate::support::triangles(&glb) <= 3000, "{}", file.display()),
                    }
                }
                Some(_) => {}
            }
        }
    }
    println!("{} URDFs, {} meshes, {} uses of meshes that are not there", found.len(), seen.len(), missing.len());
    missing.iter().for_each(|missing| println!("{missing}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
