//! What a package of Coact is made of: a CycloneDX list of its parts, and the licences of those that are not ours.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::metadata;

/// What `./dev package` builds.
const PROGRAM: &str = "coact";
const MANIFEST: &str = "crates/coact/Cargo.toml";
const FEATURES: &str = "mujoco";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    /// None: ours.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
struct EdgeKind {
    /// None: it is linked into the program.
    kind: Option<String>,
}

/// Something that is in the package.
struct Part {
    /// Of one that is not ours, its package URL: nobody is to take our `link` for the published one.
    id: String,
    name: String,
    version: String,
    license: String,
    folder: PathBuf,
    needs: Vec<String>,
    is_ours: bool,
}

/// Prints the list of parts, CycloneDX 1.5 as JSON.
pub fn sbom(root: &Path) -> Result<Vec<String>> {
    let parts = parts(root)?;
    let program = parts
        .iter()
        .find(|part| part.is_ours && part.name == PROGRAM)
        .context("cargo knows no package of the program")?;
    let component = |part: &Part| {
        let kind = if part.id == program.id { "application" } else { "library" };
        let mut component = json!({
            "type": kind, "bom-ref": part.id, "name": part.name, "version": part.version,
            "licenses": [{"expression": part.license}],
        });
        if !part.is_ours {
            component["purl"] = part.id.clone().into();
        }
        component
    };
    let others: Vec<Json> = parts.iter().filter(|part| part.id != program.id).map(component).collect();
    let needs: Vec<Json> = parts.iter().map(|part| json!({"ref": part.id, "dependsOn": part.needs})).collect();
    let all = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": component(program)},
        "components": others,
        "dependencies": needs,
    });
    print(&(serde_json::to_string_pretty(&all)? + "\n"))
}

/// Prints the licences of the parts that are not ours, each text once.
pub fn notices(root: &Path) -> Result<Vec<String>> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut all = "What Coact contains of others, with their licences.\n\n".to_owned();
    for part in parts(root)?.iter().filter(|part| !part.is_ours) {
        all += &format!("{} {}: {}\n", part.name, part.version, part.license);
        for text in licence_texts(&part.folder) {
            texts.entry(text).or_default().push(format!("{} {}", part.name, part.version));
        }
    }
    for (text, of) in texts {
        all += &format!("\n{}\n{}\n\n{}\n", "-".repeat(80), of.join(", "), text.trim_end());
    }
    print(&all)
}

fn print(text: &str) -> Result<Vec<String>> {
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot print")?;
    Ok(Vec::new())
}

fn parts(root: &Path) -> Result<Vec<Part>> {
    let mut parts = crates(root)?;
    let page = page_packages(root)?;
    let of_page: Vec<String> = page.iter().map(|part| part.id.clone()).collect();
    let mujoco = mujoco(root, &parts)?;
    for part in &mut parts {
        match part.name.as_str() {
            "server" => part.needs.extend(of_page.clone()),
            "sim" => part.needs.push(mujoco.id.clone()),
            _ => {}
        }
    }
    parts.extend(page);
    parts.push(mujoco);
    Ok(parts)
}

/// What cargo links into the program on this machine.
fn crates(root: &Path) -> Result<Vec<Part>> {
    let metadata = built(root)?;
    let packages: BTreeMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: BTreeMap<&str, &Node> = metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let program = metadata.packages.iter().find(|package| package.name == PROGRAM && package.source.is_none());
    let mut open = vec![program.context("cargo knows no package of the program")?.id.as_str()];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(linked(nodes[id]));
        }
    }
    let part = |id: &&str| {
        let package = packages[id];
        Part {
            id: id_of(package),
            name: package.name.clone(),
            version: package.version.clone(),
            license: licence(package.license.as_deref()),
            folder: package.manifest_path.parent().unwrap_or(root).to_owned(),
            needs: linked(nodes[id]).map(|id| id_of(packages[id])).collect(),
            is_ours: package.source.is_none(),
        }
    };
    Ok(seen.iter().map(part).collect())
}

fn linked(node: &Node) -> impl Iterator<Item = &str> {
    let is_linked = |edge: &&Edge| edge.dep_kinds.iter().any(|each| each.kind.is_none());
    node.deps.iter().filter(is_linked).map(|edge| edge.pkg.as_str())
}

fn id_of(package: &Package) -> String {
    let (name, version) = (&package.name, &package.version);
    if package.source.is_none() { format!("coact/{name}@{version}") } else { format!("pkg:cargo/{name}@{version}") }
}

fn built(root: &Path) -> Result<Metadata> {
    let host = Command::new("rustc").arg("-vV").output().context("cannot run `rustc -vV`")?;
    let host = String::from_utf8_lossy(&host.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("`rustc -vV` names no host")?;
    metadata::read(root, &["--manifest-path", MANIFEST, "--features", FEATURES, "--filter-platform", host])
}

/// The packages that the page in the program was made of.
fn page_packages(root: &Path) -> Result<Vec<Part>> {
    let path = root.join("web/package-lock.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lock: Json = serde_json::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    let packages = lock["packages"].as_object().context("web/package-lock.json lists no packages")?;
    let is_only_for_building =
        |about: &Json| ["dev", "devOptional", "optional", "peer"].iter().any(|key| about[key] == true);
    let all = packages.iter().filter(|(place, about)| !place.is_empty() && !is_only_for_building(about));
    let part = |(place, about): (&String, &Json)| {
        let (_, name) = place.rsplit_once("node_modules/")?;
        let version = about["version"].as_str()?;
        Some(Part {
            id: format!("pkg:npm/{}@{version}", name.replace('@', "%40")),
            name: name.to_owned(),
            version: version.to_owned(),
            license: licence(about["license"].as_str()),
            folder: root.join("web").join(place),
            needs: Vec::new(),
            is_ours: false,
        })
    };
    Ok(all.filter_map(part).collect())
}

/// The library beside the program. The binding carries its version: `7.0.0+mj-3.17.0`.
fn mujoco(root: &Path, crates: &[Part]) -> Result<Part> {
    let binding = crates.iter().find(|part| part.name == "mujoco-rs").context("the program has no mujoco-rs")?;
    let (_, version) = binding.version.split_once("mj-").context("mujoco-rs does not say for which MuJoCo it is")?;
    Ok(Part {
        id: format!("pkg:github/google-deepmind/mujoco@{version}"),
        name: "mujoco".to_owned(),
        version: version.to_owned(),
        license: "Apache-2.0".to_owned(),
        folder: root.join("third_party/mujoco"),
        needs: Vec::new(),
        is_ours: false,
    })
}

/// As SPDX writes it; a slash is how cargo wrote *or*.
fn licence(text: Option<&str>) -> String {
    let parts: Vec<&str> = text.unwrap_or("NOASSERTION").split('/').map(str::trim).collect();
    parts.join(" OR ")
}

fn licence_texts(folder: &Path) -> Vec<String> {
    let is_licence = |name: &str| {
        ["license", "licence", "copying", "notice", "unlicense"].iter().any(|start| name.starts_with(start))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter(|entry| is_licence(&entry.file_name().to_string_lossy().to_lowercase()))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).map(|text| text.replace("\r\n", "\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_listed_once_with_a_licence_and_so_is_what_it_needs() {
        let parts = parts(crate::root().expect("a root")).expect("parts");
        let ids: BTreeSet<&str> = parts.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids.len(), parts.len());
        for part in &parts {
            assert!(part.license != licence(None), "{} has no licence", part.id);
            let unknown: Vec<&String> = part.needs.iter().filter(|need| !ids.contains(need.as_str())).collect();
            assert!(unknown.is_empty(), "{} needs {unknown:?}", part.id);
        }
        for name in ["coact", "sim", "mujoco-rs", "mujoco", "loro", "three", "react"] {
            assert!(parts.iter().any(|part| part.name == name), "{name}");
        }
    }

    #[test]
    fn licences_are_written_as_spdx_has_them() {
        assert_eq!(licence(Some("MIT/Apache-2.0")), "MIT OR Apache-2.0");
        assert_eq!(licence(Some("MIT / Zlib")), "MIT OR Zlib");
    }
}
