//! Which crate may depend on which. The table is the architecture; `cargo metadata` is what was built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use Allowed::{Anything, Only};
use anyhow::Result;
use serde::Deserialize;

use crate::metadata;

enum Allowed {
    Only(&'static [&'static str]),
    /// Every crate under `crates/`.
    Anything,
}

/// Lowest first: a row names only crates of rows above it, which is why there can be no cycle.
const ARROWS: &[(&str, Allowed)] = &[
    ("geometry", Only(&[])),
    ("model", Only(&[])),
    ("synthesis", Only(&["model"])),
    ("experience", Only(&["model"])),
    ("expression", Only(&["geometry", "model"])),
    ("robot", Only(&["geometry", "model"])),
    ("looks", Only(&["robot"])),
    ("footsteps", Only(&["geometry", "model", "robot"])),
    ("scene", Only(&["geometry", "model", "robot"])),
    ("detectors", Only(&["geometry", "scene"])),
    ("engine", Only(&["geometry", "model", "synthesis", "experience", "expression", "robot", "footsteps", "scene"])),
    (
        "nodes",
        Only(&["geometry", "model", "synthesis", "experience", "expression", "robot", "footsteps", "scene", "engine"]),
    ),
    ("document", Only(&["geometry", "model", "expression", "robot", "engine"])),
    ("replica", Only(&["model", "document"])),
    ("recording", Only(&["geometry", "model", "engine"])),
    ("cell", Only(&["model", "expression", "engine"])),
    ("check", Only(&["geometry", "model", "expression", "robot", "scene", "engine", "cell"])),
    ("site", Only(&["geometry", "model", "experience", "robot", "scene", "engine", "cell", "recording", "check"])),
    ("sim", Only(&["geometry", "model", "robot", "scene", "recording", "site"])),
    ("trial", Only(&["robot", "recording", "sim"])),
    ("link", Only(&[])),
    ("mesh", Only(&["link"])),
    ("protocol", Only(&["geometry", "model", "synthesis", "robot", "engine", "link"])),
    (
        "onboard",
        Only(&[
            "geometry",
            "model",
            "synthesis",
            "robot",
            "scene",
            "engine",
            "nodes",
            "cell",
            "site",
            "link",
            "protocol",
            "replica",
        ]),
    ),
    ("runlog", Only(&["geometry", "model", "robot", "scene", "engine", "check", "site", "protocol", "onboard"])),
    (
        "server",
        Only(&[
            "geometry",
            "model",
            "synthesis",
            "robot",
            "scene",
            "expression",
            "engine",
            "nodes",
            "check",
            "document",
            "replica",
            "site",
            "sim",
            "looks",
            "link",
            "protocol",
            "onboard",
            "runlog",
            "trial",
        ]),
    ),
    ("coact", Anything),
    ("testkit", Anything),
    ("fuzzed", Anything),
    ("bench", Anything),
    ("xtask", Only(&[])),
];

/// Tests below `nodes` need real node types and their test door; only dev-dependencies may point up to them.
const TESTS_MAY_USE: [&str; 2] = ["nodes", "testkit"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    /// Only path dependencies are ours: by name alone, our `log` and the published `log` look the same.
    path: Option<PathBuf>,
}

pub fn run(root: &Path) -> Result<Vec<String>> {
    let metadata = metadata::read(root, &["--no-deps"])?;
    Ok([problems(&metadata), unused(&metadata)].concat())
}

fn problems(metadata: &Metadata) -> Vec<String> {
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let folder = folder(metadata, package);
        if let Some(problem) = misplaced(package, &folder) {
            problems.push(problem);
        }
        let Some(allowed) = allowed(&package.name) else {
            problems.push(format!(
                "{folder} is not in the table: add `{}` to ARROWS in xtask/src/arrows.rs, with the crates it may depend on",
                package.name
            ));
            continue;
        };
        let ours = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
        problems.extend(ours.filter_map(|dependency| forbidden(package, &folder, allowed, dependency)));
    }
    problems
}

/// What may be used and is not: nobody would notice when it begins to be.
fn unused(metadata: &Metadata) -> Vec<String> {
    let uses = |package: &Package, target: &str| package.dependencies.iter().any(|each| each.name == target);
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let Some(Only(names)) = allowed(&package.name) else { continue };
        let idle = names.iter().filter(|target| !uses(package, target));
        let source = &package.name;
        problems.extend(idle.map(|target| format!("{source} does not use {target}: take it out of its row of ARROWS")));
    }
    problems
}

fn folder(metadata: &Metadata, package: &Package) -> String {
    let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path);
    let folder = folder.strip_prefix(&metadata.workspace_root).unwrap_or(folder);
    folder.display().to_string().replace('\\', "/")
}

fn misplaced(package: &Package, folder: &str) -> Option<String> {
    let expected = if package.name == "xtask" { "xtask".to_owned() } else { format!("crates/{}", package.name) };
    (folder != expected).then(|| {
        format!("{folder} holds the crate `{}`: a crate lives in the folder of its name, {expected}", package.name)
    })
}

fn forbidden(package: &Package, folder: &str, allowed: &Allowed, dependency: &Dependency) -> Option<String> {
    let target = dependency.name.as_str();
    if permits(allowed, target) {
        return None;
    }
    if dependency.kind.as_deref() != Some("dev") {
        return Some(format!(
            "{folder} may not depend on {target}: {} (ARROWS in xtask/src/arrows.rs)",
            match allowed {
                Only([]) => "it depends on no crate of ours".to_owned(),
                Only(names) => format!("its arrows go only to {}", names.join(", ")),
                Anything => "its arrows go only to crates under crates/".to_owned(),
            }
        ));
    }
    let below = below(&package.name);
    let fine = package.name != "xtask" && (below.contains(target) || TESTS_MAY_USE.contains(&target));
    (!fine).then(|| {
        format!(
            "{folder} may not depend on {target} in tests: they use what lies below {} or nodes or testkit \
             (ARROWS in xtask/src/arrows.rs)",
            package.name
        )
    })
}

fn allowed(name: &str) -> Option<&'static Allowed> {
    ARROWS.iter().find(|(row, _)| *row == name).map(|(_, allowed)| allowed)
}

fn permits(allowed: &Allowed, target: &str) -> bool {
    match allowed {
        Only(names) => names.contains(&target),
        Anything => target != "xtask",
    }
}

/// Everything that can be reached along the arrows from a crate.
fn below(name: &str) -> BTreeSet<&'static str> {
    let Some(Only(names)) = allowed(name) else { return BTreeSet::new() };
    names.iter().flat_map(|target| below(target).into_iter().chain([*target])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of one crate with one dependency; `kind` as in `cargo metadata`.
    fn check(from: &str, folder: &str, to: &str, kind: Option<&str>) -> Vec<String> {
        let metadata = json!({
            "workspace_root": "/w",
            "packages": [{
                "name": from,
                "manifest_path": format!("/w/{folder}/Cargo.toml"),
                "dependencies": [{ "name": to, "kind": kind, "path": format!("/w/crates/{to}") }],
            }],
        });
        problems(&serde_json::from_value(metadata).unwrap())
    }

    #[test]
    fn rows_name_only_rows_above_them() {
        let mut above = BTreeSet::new();
        for (name, allowed) in ARROWS {
            if let Only(names) = allowed {
                for target in *names {
                    assert!(above.contains(target), "{name} names {target}, which does not stand above it");
                }
            }
            assert!(above.insert(*name), "{name} has two rows");
        }
    }

    #[test]
    fn the_invariants_of_the_design_hold_in_the_table() {
        for (crate_name, unknown) in [
            ("engine", &["nodes", "sim", "link", "server"][..]),
            ("nodes", &["sim", "link", "server"]),
            ("model", &["expression", "robot", "engine"]),
            ("site", &["sim", "onboard", "link", "server"]),
            ("onboard", &["sim"]),
        ] {
            for name in unknown {
                assert!(!below(crate_name).contains(name), "{crate_name} must not know {name}");
            }
        }
    }

    #[test]
    fn an_allowed_arrow_passes() {
        assert!(check("nodes", "crates/nodes", "engine", None).is_empty());
        assert!(check("coact", "crates/coact", "server", None).is_empty());
    }

    #[test]
    fn a_forbidden_arrow_is_found() {
        for kind in [None, Some("build")] {
            assert_eq!(
                check("engine", "crates/engine", "nodes", kind),
                [
                    "crates/engine may not depend on nodes: its arrows go only to geometry, model, synthesis, experience, expression, robot, \
                  footsteps, scene (ARROWS in xtask/src/arrows.rs)"
                ]
            );
        }
        assert_eq!(check("xtask", "xtask", "model", None).len(), 1);
        assert_eq!(check("coact", "crates/coact", "xtask", None).len(), 1);
    }

    #[test]
    fn tests_may_use_what_lies_below_and_nodes() {
        assert!(check("engine", "crates/engine", "nodes", Some("dev")).is_empty());
        assert!(check("document", "crates/document", "scene", Some("dev")).is_empty());
        assert_eq!(
            check("engine", "crates/engine", "sim", Some("dev")),
            ["crates/engine may not depend on sim in tests: they use what lies below engine or nodes or testkit \
              (ARROWS in xtask/src/arrows.rs)"]
        );
        assert_eq!(check("xtask", "xtask", "nodes", Some("dev")).len(), 1);
    }

    #[test]
    fn an_unlisted_crate_is_told_to_join_the_table() {
        let found = check("gripper", "crates/gripper", "model", None);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("add `gripper` to ARROWS"), "{found:?}");
    }

    #[test]
    fn a_folder_has_the_name_of_its_crate() {
        let found = check("engine", "crates/motor", "model", None);
        assert_eq!(
            found,
            ["crates/motor holds the crate `engine`: a crate lives in the folder of its name, crates/engine"]
        );
    }

    #[test]
    fn a_published_crate_with_the_name_of_ours_is_not_ours() {
        let metadata = json!({
            "workspace_root": "/w",
            "packages": [{
                "name": "model",
                "manifest_path": "/w/crates/model/Cargo.toml",
                "dependencies": [{ "name": "recording", "kind": null }],
            }],
        });
        assert!(problems(&serde_json::from_value(metadata).unwrap()).is_empty());
    }
}
