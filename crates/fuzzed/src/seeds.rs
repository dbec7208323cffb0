//! What a target begins with: files of this repository, messages as they are sent. And the words in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{BETWEEN, Target};

/// Larger files are damaged elsewhere than where it is interesting.
const MOST_BYTES: u64 = 40_000;

/// The files of this repository below a folder whose names end like this.
pub fn files(folder: &str, ends: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), ends, &mut found);
    found.sort();
    found.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn walk(folder: &Path, ends: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let small = entry.metadata().is_ok_and(|about| about.len() <= MOST_BYTES);
        if path.is_dir() {
            walk(&path, ends, found);
        } else if small && path.to_string_lossy().ends_with(ends) {
            found.push(path);
        }
    }
}

pub fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(BETWEEN)
}

pub fn write(target: &Target, folder: &Path) {
    let seeds = (target.seeds)();
    fs::create_dir_all(folder).expect("a folder for seeds");
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).expect("a seed");
    }
    let mut words = BTreeSet::new();
    if target.is_text {
        seeds.iter().for_each(|seed| collect(seed, &mut words));
    }
    // libFuzzer does not take an empty one.
    let head = "# words of the seeds\n".to_owned();
    let lines: String = std::iter::once(head).chain(words.iter().map(|word| format!("\"{word}\"\n"))).collect();
    fs::write(folder.with_extension("dict"), lines).expect("a dictionary");
}

/// Whole words of letters, in their quotes where they have some.
fn collect(seed: &[u8], words: &mut BTreeSet<String>) {
    for word in
        String::from_utf8_lossy(seed).split(|letter: char| !(letter.is_ascii_alphanumeric() || "_-.".contains(letter)))
    {
        if (3..=24).contains(&word.len())
            && word.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && words.len() < 600
        {
            words.insert(word.to_owned());
        }
    }
}
