//! Files of every version there was still load, and mean what they meant.

use expect_test::expect_file;
use model::Value;
use model::file::{MemoryFiles, VERSIONS, load, save};

fn kept(version: u64) -> String {
    let path = format!("{}/tests/fixtures/version-{version}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_file_of_each_version_is_kept_and_loads() {
    for version in VERSIONS {
        let files = MemoryFiles::from([("main.json", kept(version).as_str())]);
        let loaded = load("main.json", &files, nodes::registry().catalogue()).expect("a file");
        assert!(
            loaded.problems.is_empty(),
            "version {version}: {}",
            loaded.problems.iter().map(ToString::to_string).collect::<String>()
        );
        let saved = save(loaded.library.main(), nodes::registry().catalogue());
        expect_file![format!("fixtures/version-{version}.saved.json")].assert_eq(&saved);
        let again = MemoryFiles::from([("main.json", saved.as_str())]);
        let again = load("main.json", &again, nodes::registry().catalogue()).expect("what was saved");
        assert_eq!(save(again.library.main(), nodes::registry().catalogue()), saved, "version {version}");
    }
}

/// What is said in a newer version alone is not taken for something else in an older one.
#[test]
fn saving_writes_the_newest_version() {
    let files = MemoryFiles::from([("main.json", kept(1).as_str())]);
    let loaded = load("main.json", &files, nodes::registry().catalogue()).expect("a file");
    let saved = save(loaded.library.main(), nodes::registry().catalogue());
    let version: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    assert_eq!(version["version"].as_u64(), VERSIONS.last().copied());
    assert!(Value::from_json(&version).is_some());
}
