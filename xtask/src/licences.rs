//! The licences of the crates that are built in, and crates that are built in twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use crate::metadata;

/// What a closed product may be shipped with.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "IJG",
    "ISC",
    "MIT",
    "MPL-2.0",
    "MPL-2.0+",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

struct Twice {
    crates: &'static [&'static str],
    why: &'static str,
}

/// In several versions because others ask for them: what is new here is looked at first (`cargo tree -d`).
const TWICE: &[Twice] = &[
    Twice {
        crates: &[
            "enum-as-inner",
            "heck",
            "itertools",
            "rand",
            "rand_chacha",
            "rand_xoshiro",
            "syn",
            "thiserror",
            "thiserror-impl",
        ],
        why: "loro 1.17 and what it is made of keep to older ones",
    },
    Twice { crates: &["hash32", "heapless"], why: "postcard, loro-delta and generic-btree each keep to another" },
    Twice { crates: &["embedded-io"], why: "postcard 1 asks for two by its two features" },
    Twice {
        crates: &["getrandom", "rand_core"],
        why: "loro and tungstenite keep to older ones, link and proptest do not",
    },
    Twice {
        crates: &["block-buffer", "cpufeatures", "crypto-common", "digest", "sha2"],
        why: "rust-embed hashes with the next generation of these; snow's ciphers and our sha2 are of the one before",
    },
    Twice { crates: &["chacha20"], why: "proptest's random numbers are of the next generation, snow's cipher is not" },
    Twice { crates: &["glam"], why: "nalgebra can convert to each version of it, parry takes one" },
    Twice { crates: &["safe_arch", "simba", "wide"], why: "parry3d is ahead of nalgebra 0.34" },
    Twice { crates: &["hashbrown"], why: "quick_cache of loro is behind indexmap" },
];

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
}

pub fn run(root: &Path) -> Result<Vec<String>> {
    Ok(problems(&metadata::read(root, &["--filter-platform", "x86_64-unknown-linux-gnu"])?))
}

fn problems(metadata: &Metadata) -> Vec<String> {
    let built: BTreeSet<&str> = metadata.resolve.nodes.iter().map(|node| node.id.as_str()).collect();
    let of_others = |package: &&Package| package.source.is_some() && built.contains(package.id.as_str());
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut problems = Vec::new();
    for Package { name, version, license, .. } in metadata.packages.iter().filter(of_others) {
        versions.entry(name).or_default().insert(version);
        match license {
            None => problems.push(format!("{name} {version} names no licence: find out, or do without it")),
            Some(license) if !is_allowed(license) => problems.push(format!(
                "{name} {version} has the licence `{license}`: do without it, or add it to ALLOWED in \
                 xtask/src/licences.rs"
            )),
            Some(_) => {}
        }
    }
    problems.extend(several(&versions));
    problems
}

fn several(versions: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let known: BTreeSet<&str> = TWICE.iter().flat_map(|twice| twice.crates).copied().collect();
    let built_twice = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let new = built_twice.filter(|(name, _)| !known.contains(*name)).map(|(name, versions)| {
        let versions: Vec<&str> = versions.iter().copied().collect();
        format!(
            "{name} is built in several versions, {}: see who asks for them with `cargo tree -d`, or add it with the \
             reason to TWICE in xtask/src/licences.rs",
            versions.join(", ")
        )
    });
    let gone = TWICE.iter().flat_map(|twice| twice.crates.iter().map(|name| (*name, twice.why)));
    let gone = gone.filter(|(name, _)| versions.get(name).is_some_and(|versions| versions.len() == 1));
    let gone =
        gone.map(|(name, why)| format!("{name} is built once: take it out of TWICE, where it stands because {why}"));
    new.chain(gone).collect()
}

/// Of an SPDX expression, also in its old form with slashes. `AND` binds more than `OR`.
fn is_allowed(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at) && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> bool {
    let mut holds = both(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        holds |= both(words, at);
    }
    holds
}

fn both(words: &[&str], at: &mut usize) -> bool {
    let mut holds = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        holds &= one(words, at);
    }
    holds
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    if word != "(" {
        // An exception only allows more.
        if words.get(*at) == Some(&"WITH") {
            *at += 2;
        }
        return ALLOWED.contains(&word);
    }
    let holds = either(words, at);
    *at += 1;
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn expressions() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for other in [
            "GPL-3.0",
            "GPL-2.0 WITH Classpath-exception-2.0",
            "MIT AND GPL-3.0",
            "(GPL-3.0 OR AGPL-3.0) AND MIT",
            "",
            "MIT MIT",
        ] {
            assert!(!is_allowed(other), "{other}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let package = |name: &str, version: &str, license: Option<&str>| json!({"id": format!("{name} {version}"), "name": name, "version": version, "license": license, "source": "r"});
        let metadata = json!({
            "packages": [
                package("a", "1.0.0", Some("MIT")), package("a", "2.0.0", Some("MIT")), package("b", "1.0.0", Some("GPL-3.0")),
                package("c", "1.0.0", None), package("not-built", "1.0.0", None),
            ],
            "resolve": {"nodes": [{"id": "a 1.0.0"}, {"id": "a 2.0.0"}, {"id": "b 1.0.0"}, {"id": "c 1.0.0"}]},
        });
        let told = problems(&serde_json::from_value(metadata).unwrap());
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("GPL-3.0") && told[1].contains("no licence") && told[2].contains("1.0.0, 2.0.0"));
    }
}
