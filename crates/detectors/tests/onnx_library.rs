//! In a process of its own: a library that was loaded stays.
#![cfg(feature = "onnx")]

mod kit;

use std::path::Path;

use detectors::{OnnxModel, OnnxSettings};
use kit::{Model, NAMES};

#[test]
fn what_is_no_library_is_told() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("onnx_library");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("libtext.so"), "no library").unwrap();
    std::fs::write(folder.join("m.onnx"), Model { names: Some(NAMES), is_open: true }.bytes()).unwrap();
    let text = r#"{"name":"things","model":"m.onnx","library":"libtext.so"}"#;
    let settings: OnnxSettings = serde_json::from_str(text).unwrap();
    let told = OnnxModel::open(&settings, &folder).err().expect("an error").to_string();
    assert!(told.contains("libtext.so as onnxruntime's library") && told.contains("1.24 or later"), "{told}");
}
