use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use looks::{Allowed, LookError, Soup};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robot")
}

pub fn allowed() -> Allowed {
    Allowed::of(&folder().join("urdf/robot.urdf"), &BTreeSet::new())
}

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(folder().join("meshes").join(name)).expect("a test's own")
}

/// As if the mesh of this name had these bytes.
pub fn read(name: &str, bytes: &[u8]) -> Result<Soup, LookError> {
    looks::read(&folder().join("meshes").join(name), bytes, &allowed())
}

pub fn converted(name: &str, bytes: &[u8], budget: usize) -> Result<Vec<u8>, LookError> {
    looks::converted(&folder().join("meshes").join(name), bytes, &allowed(), budget)
}

/// The JSON of a GLB, checked against its own lengths.
pub fn json(glb: &[u8]) -> serde_json::Value {
    let number = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("a test's own")) as usize;
    assert_eq!((&glb[..4], number(4), number(8)), (&b"glTF"[..], 2, glb.len()));
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + number(12)]).expect("a test's own");
    let data = number(20 + number(12));
    for view in json["bufferViews"].as_array().expect("a test's own") {
        assert!(
            view["byteOffset"].as_u64().expect("a test's own") + view["byteLength"].as_u64().expect("a test's own")
                <= data as u64
        );
    }
    json
}

pub fn triangles(glb: &[u8]) -> usize {
    let json = json(glb);
    let primitives = json["meshes"][0]["primitives"].as_array().expect("a test's own");
    let indices = primitives.iter().map(|part| part["indices"].as_u64().expect("a test's own") as usize);
    indices.map(|accessor| json["accessors"][accessor]["count"].as_u64().expect("a test's own") as usize / 3).sum()
}
