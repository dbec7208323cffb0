//! Rust files that no target reaches: the compiler does not miss them, and their tests never run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta};

use crate::{metadata, words};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
    /// Whether `cargo test` runs what is in it.
    test: bool,
    kind: Vec<String>,
}

pub fn run(root: &Path) -> Result<Vec<String>> {
    let metadata: Metadata = metadata::read(root, &["--no-deps"])?;
    let mut problems = Vec::new();
    let mut reached = BTreeSet::new();
    for target in metadata.packages.iter().flat_map(|package| &package.targets) {
        let mut files = BTreeSet::new();
        reach(&target.src_path, true, &mut files)?;
        if !target.test && (target.kind == ["lib"] || target.kind == ["bin"]) {
            problems.extend(files.iter().filter(|file| has_tests(file)).map(|file| {
                format!("{}: its tests do not run, for the Cargo.toml says `test = false`", file.display())
            }));
        }
        reached.extend(files.iter().filter_map(|file| file.canonicalize().ok()));
    }
    for path in words::tracked_files(root)?.iter().filter(|path| path.ends_with(".rs")) {
        // Deleted but not yet committed, or a part of another workspace.
        let Ok(file) = root.join(path).canonicalize() else { continue };
        if (path.starts_with("crates/") || path.starts_with("xtask/")) && !reached.contains(&file) {
            problems.push(format!("{path}: nothing compiles it; add its `mod` line, for a test in `tests/all.rs`"));
        }
    }
    Ok(problems)
}

fn has_tests(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.contains("#[test]"))
}

/// `owns_folder`: its modules stand beside it, not in a folder of its name.
fn reach(file: &Path, owns_folder: bool, reached: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !reached.insert(file.to_owned()) {
        return Ok(());
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let parsed = syn::parse_file(&text).with_context(|| format!("cannot read {}", file.display()))?;
    let beside = file.parent().context("a file without a folder")?;
    let folder = if owns_folder { beside.to_owned() } else { file.with_extension("") };
    modules(&parsed.items, beside, &folder, reached)
}

fn modules(items: &[Item], beside: &Path, folder: &Path, reached: &mut BTreeSet<PathBuf>) -> Result<()> {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let within = folder.join(module.ident.to_string());
        if let Some((_, items)) = &module.content {
            modules(items, &within, &within, reached)?;
        } else if let Some(path) = path_of(module) {
            reach(&beside.join(path), true, reached)?;
        } else if within.with_extension("rs").exists() {
            reach(&within.with_extension("rs"), false, reached)?;
        } else {
            reach(&within.join("mod.rs"), true, reached)?;
        }
    }
    Ok(())
}

fn path_of(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}
