//! A small model that the test writes, through the door that detectors have.
#![cfg(feature = "onnx")]

use crate::kit;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use detectors::{DetectorChoice, OnnxModel, OnnxSettings, open};
use geometry::{Point3, Pose};
use kit::{Model, NAMES};
use scene::{Cloud, Detector, DetectorSettings, Picture};
use serde_json::{Value, json};

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../third_party/onnxruntime/libonnxruntime.so");

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("onnx_{test}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn write(folder: &Path, name: &str, model: &Model) {
    std::fs::write(folder.join(name), model.bytes()).expect("written");
}

fn settings(name: &str, model: &str, more: Value) -> OnnxSettings {
    let mut all = json!({ "name": name, "model": model, "library": LIBRARY, "overlap": 0.3, "confidence": 0.4 });
    all.as_object_mut().expect("a map").extend(more.as_object().expect("a map").clone());
    serde_json::from_value(all).expect("settings")
}

fn is_ball(column: u32, row: u32) -> bool {
    column >= 64 && (16..80).contains(&row)
}

fn is_cup(column: u32, row: u32) -> bool {
    column < 64 && (16..48).contains(&row)
}

/// 128 × 96 pixels: in the field of the model half as large, with bars of 8 rows above and below. Red is one anchor of
/// it, green half of one. The red is 2 m ahead, all else 3 m.
fn picture() -> Picture {
    let mut cloud = Cloud::new(5, Pose::identity(), 128, 96);
    for row in 0..96 {
        for column in 0..128 {
            let (colour, ahead_m) = match (is_ball(column, row), is_cup(column, row)) {
                (true, _) => ([255, 0, 0], 2.0),
                (false, true) => ([0, 255, 0], 3.0),
                (false, false) => ([0, 0, 0], 3.0),
            };
            let point = [ahead_m, 0.64 - column as f32 * 0.01, 0.48 - row as f32 * 0.01];
            cloud.set(cloud.index(column, row), Some(point), colour);
        }
    }
    Picture { camera: "head".into(), cloud: Arc::new(cloud), labels: Vec::new() }
}

#[test]
fn known_things_are_found_with_masks() {
    let folder = folder("masks");
    write(&folder, "m.onnx", &Model { names: Some(NAMES), is_open: false });
    let mut model = OnnxModel::open(&settings("things", "m.onnx", json!({})), &folder).unwrap();
    let found = model.detect(&picture()).expect("it looks");
    let told: Vec<(&str, f64)> = found.iter().map(|found| (&*found.class, found.confidence)).collect();
    assert_eq!(told, [("ball", 1.0), ("cup", 0.5)]);
    for (found, is_it, count) in [(&found[0], is_ball as fn(u32, u32) -> bool, 64 * 64), (&found[1], is_cup, 64 * 32)] {
        assert!(found.mask.is_sorted());
        assert!(found.mask.iter().all(|pixel| is_it(pixel % 128, pixel / 128)), "{} has a mask beyond it", found.class);
        assert!(found.mask.len() * 10 > count * 9, "{} has {} of {count} pixels", found.class, found.mask.len());
    }
}

#[test]
fn classes_have_their_own_confidence() {
    let folder = folder("confidence");
    write(&folder, "m.onnx", &Model { names: Some(NAMES), is_open: false });
    let classes = |more: Value| -> Vec<String> {
        let mut model = OnnxModel::open(&settings("things", "m.onnx", more), &folder).unwrap();
        model.detect(&picture()).expect("it looks").iter().map(|found| found.class.to_string()).collect()
    };
    assert_eq!(classes(json!({ "class_confidence": { "cup": 0.6 } })), ["ball"]);
    assert_eq!(classes(json!({ "confidence": 0.6 })), ["ball"]);
    assert_eq!(classes(json!({ "confidence": 0.6, "class_confidence": { "cup": 0.45 } })), ["ball", "cup"]);
    // Boxes that hold half of the ball or the cup come, too. In the one between ball and cup, red and green leave no mask.
    assert_eq!(classes(json!({ "overlap": 1.0 })), ["ball", "cup", "ball", "cup", "ball"]);
}

#[test]
fn models_take_turns_and_positions_are_in_the_world() {
    let folder = folder("turns");
    write(&folder, "a.onnx", &Model { names: Some(NAMES), is_open: false });
    write(&folder, "b.onnx", &Model { names: None, is_open: true });
    std::fs::write(folder.join("b.json"), r#"["apple", "leaf"]"#).unwrap();
    let a = settings("a", "a.onnx", json!({}));
    let b = settings("b", "b.onnx", json!({ "side_px": 64 }));
    let mut detectors = open(&[DetectorChoice::Onnx(a), DetectorChoice::Onnx(b)], &folder).unwrap();
    let mut told = |asked: &DetectorSettings| -> Vec<String> {
        detectors.configure(asked);
        let detections = detectors.see(&picture()).detections;
        let ball = &detections[0];
        let off_m = (ball.world_position - Point3::new(2.0, -0.32, 0.0)).norm();
        assert!(off_m < 0.03, "{:?}", ball.world_position);
        detections.iter().map(|detection| format!("{} {}", detection.detector, detection.class)).collect()
    };
    let nothing = DetectorSettings::default();
    assert_eq!(told(&nothing), ["a ball", "a cup"]);
    assert_eq!(told(&nothing), ["b apple", "b leaf"]);
    assert_eq!(told(&nothing), ["a ball", "a cup"]);
    let only_a = DetectorSettings { models: [(Arc::from("b"), false)].into(), ..DetectorSettings::default() };
    assert_eq!(told(&only_a), ["a ball", "a cup"]);
}

#[test]
fn bad_models_are_told_with_the_remedy() {
    let folder = folder("bad");
    write(&folder, "nameless.onnx", &Model { names: None, is_open: false });
    write(&folder, "three.onnx", &Model { names: Some("['a', 'b', 'c']"), is_open: false });
    write(&folder, "more.onnx", &Model { names: Some("{0: 'a', 1: 'b', 2: 'c'}"), is_open: false });
    write(&folder, "good.onnx", &Model { names: Some(NAMES), is_open: false });
    std::fs::write(folder.join("text.onnx"), "no model").unwrap();
    let error = |model: &str, more: Value| {
        OnnxModel::open(&settings("things", model, more), &folder).err().expect(model).to_string()
    };
    let check = |told: String, parts: &[&str]| {
        for part in parts {
            assert!(told.contains(part), "`{part}` is not in: {told}");
        }
    };
    check(error("none.onnx", json!({})), &["no model at", "none.onnx", "from the folder of its settings"]);
    check(error("text.onnx", json!({})), &["cannot load the model", "text.onnx"]);
    check(error("nameless.onnx", json!({})), &["does not name its classes", "nameless.json"]);
    check(error("three.onnx", json!({})), &["its `names` are no list of names", "three.json"]);
    check(error("more.onnx", json!({})), &["[1, 38, 9]", "3 classes and 32 prototypes", "[1, 39, …]", "yolo export"]);
    check(
        error("good.onnx", json!({ "library": "nowhere.so" })),
        &["no library of onnxruntime", "./dev test-detectors"],
    );
    check(
        error("good.onnx", json!({ "class_confidence": { "cat": 0.5 } })),
        &["class_confidence.cat", "no such class"],
    );
}
