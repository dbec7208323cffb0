//! Tags that the test draws, at poses it knows.
#![cfg(feature = "apriltag")]

use std::f64::consts::PI;
use std::sync::Arc;

use detectors::intrinsics::Intrinsics;
use detectors::{AprilTagSettings, AprilTags, DetectorChoice, open};
use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use scene::{Cloud, Detector, Picture};
use serde_json::{Value, json};

/// Numbers and codes of tags of the family 36h11.
const CODES: [(u16, u64); 3] = [(0, 0xd7e00984b), (3, 0xe17b470e9), (7, 0x1106cba43)];
/// Where the bits of a code are, the highest first, column and row in the 8 × 8 cells with the black border.
const COLUMNS: [usize; 36] =
    [1, 2, 3, 4, 5, 2, 3, 4, 3, 6, 6, 6, 6, 6, 5, 5, 5, 4, 6, 5, 4, 3, 2, 5, 4, 3, 4, 1, 1, 1, 1, 1, 2, 2, 2, 3];
const ROWS: [usize; 36] =
    [1, 1, 1, 1, 1, 2, 2, 2, 3, 1, 2, 3, 4, 5, 2, 3, 4, 3, 6, 6, 6, 6, 6, 5, 5, 5, 4, 6, 5, 4, 3, 2, 5, 4, 3, 4];
const SIZE_M: f64 = 0.16;
const INTRINSICS: Intrinsics = Intrinsics { focal_px: [600.0, 590.0], centre_px: [322.0, 241.0] };

/// How bright the tag is at a place on it, right and down of its middle; None: beside it.
fn shade(code: u64, right_m: f64, down_m: f64) -> Option<f64> {
    let cell = |place_m: f64| (place_m / SIZE_M * 8.0 + 5.0).floor();
    let (column, row) = (cell(right_m), cell(down_m));
    if !(0.0..10.0).contains(&column) || !(0.0..10.0).contains(&row) {
        return None;
    }
    let (column, row) = (column as usize, row as usize);
    if [column, row].iter().any(|at| [0, 9].contains(at)) {
        return Some(1.0);
    }
    let bit = (0..36).find(|bit| (COLUMNS[*bit], ROWS[*bit]) == (column - 1, row - 1));
    Some(bit.map_or(0.0, |bit| (code >> (35 - bit) & 1) as f64))
}

/// Where a ray of the camera meets the tag: how bright, and how far ahead.
fn hit(camera_from_tag: &Pose, code: u64, place_px: [f64; 2]) -> Option<(f64, f64)> {
    let [right, down] = INTRINSICS.slopes(place_px);
    let tag_from_camera = camera_from_tag.inverse();
    let (eye, along) =
        (tag_from_camera.translation_m(), tag_from_camera.transform_vector(&Vector3::new(1.0, -right, -down)));
    let ahead_m = -eye.x / along.x;
    let place = eye + along * ahead_m;
    (ahead_m > 0.0 && eye.x > 0.0).then(|| shade(code, place.y, -place.z))?.map(|shade| (shade, ahead_m))
}

/// Tags before a grey wall 4 m ahead, 4 × 4 rays a pixel.
fn drawn(world_from_camera: Pose, tags: &[(u64, Pose)], has_depth: bool) -> Picture {
    let mut cloud = Cloud::new(0, world_from_camera, 640, 480);
    for index in 0..cloud.len() {
        let (column, row) = ((index % 640) as f64, (index / 640) as f64);
        let look = |across: f64, below: f64| {
            let place_px = [column + across, row + below];
            tags.iter().find_map(|(code, pose)| hit(pose, *code, place_px)).unwrap_or((0.45, 4.0))
        };
        let rays = (0..16).map(|ray| look((ray % 4) as f64 / 4.0 + 0.125, (ray / 4) as f64 / 4.0 + 0.125).0);
        let grey = (20.0 + 215.0 * rays.sum::<f64>() / 16.0).round() as u8;
        let ahead_m = look(0.5, 0.5).1;
        let [right, down] = INTRINSICS.slopes([column + 0.5, row + 0.5]);
        let point = world_from_camera.transform_point(&Point3::new(ahead_m, -right * ahead_m, -down * ahead_m));
        let point = [point.x as f32, point.y as f32, point.z as f32];
        cloud.set(index, has_depth.then_some(point), [grey; 3]);
    }
    Picture { camera: "head".into(), cloud: Arc::new(cloud), labels: Vec::new() }
}

fn settings(more: Value) -> AprilTagSettings {
    let mut all = json!({ "name": "tags", "size_m": SIZE_M });
    all.as_object_mut().expect("a map").extend(more.as_object().expect("a map").clone());
    serde_json::from_value(all).expect("settings")
}

fn pose(xyz_m: [f64; 3], roll_rad: f64, pitch_rad: f64, yaw_rad: f64) -> Pose {
    Pose::from_rpy(Vector3::from(xyz_m), RollPitchYaw::new(roll_rad, pitch_rad, yaw_rad))
}

fn camera() -> Pose {
    pose([0.3, -1.0, 1.4], 0.05, 0.3, 1.1)
}

#[test]
fn full_poses_are_found_at_several_places() {
    let mut tags = AprilTags::new(&settings(json!({})));
    for (index, camera_from_tag) in [
        pose([0.8, 0.0, 0.0], 0.0, 0.0, PI),
        pose([0.6, 0.15, -0.1], 0.4, 0.2, PI - 0.4),
        pose([1.2, -0.3, 0.2], -0.8, -0.5, PI + 0.5),
        pose([1.0, 0.1, 0.1], 2.5, 0.3, PI - 0.8),
        pose([1.8, 0.4, 0.2], 0.1, 0.6, PI),
    ]
    .into_iter()
    .enumerate()
    {
        let (id, code) = CODES[index % 3];
        let found = tags.detect(&drawn(camera(), &[(code, camera_from_tag)], true)).expect("it looks");
        assert_eq!(found.len(), 1, "{camera_from_tag:?}");
        assert_eq!((&*found[0].class, found[0].confidence), (&*format!("tag_{id}"), 1.0));
        let off = found[0].world_from_object.unwrap().distance(&(camera() * camera_from_tag));
        println!("{:.1} mm, {:.2} degrees off", off.position_m * 1e3, off.angle_rad.to_degrees());
        assert!(off.position_m < 0.005 && off.angle_rad < 2_f64.to_radians(), "{camera_from_tag:?}: {off:?}");
    }
}

#[test]
fn several_tags_have_their_own_classes_and_sizes() {
    let [near, far] = [pose([0.8, 0.2, 0.0], 0.0, 0.2, PI), pose([0.8, -0.2, 0.0], 0.0, 0.0, PI - 0.3)];
    let known = json!({ "tags": { "3": { "class": "door", "size_m": 2.0 * SIZE_M } } });
    let mut detectors = open(&[DetectorChoice::Apriltag(settings(known))], ".".as_ref()).unwrap();
    let sight = detectors.see(&drawn(camera(), &[(CODES[1].1, near), (CODES[2].1, far)], true));
    let told: Vec<(&str, &str)> =
        sight.detections.iter().map(|detection| (&*detection.detector, &*detection.class)).collect();
    assert_eq!(told, [("tags", "door"), ("tags", "tag_7")]);
    // Thought twice as large, it is thought twice as far away; the points of the picture know better.
    let door = camera().inverse() * sight.detections[0].world_from_object.unwrap();
    assert!((door.translation_m() - near.translation_m() * 2.0).norm() < 0.01, "{door:?}");
    let middle = camera() * near;
    assert!((sight.detections[0].world_position.coords - middle.translation_m()).norm() < 0.01);
    let [left, top, right, bottom] = sight.detections[1].pixels.unwrap();
    assert!(left > 400 && right < 560 && top > 150 && bottom < 330, "{:?}", sight.detections[1].pixels);
}

#[test]
fn a_picture_without_depth_needs_intrinsics() {
    let camera_from_tag = pose([0.8, 0.1, 0.0], 0.0, 0.2, PI - 0.3);
    let picture = drawn(camera(), &[(CODES[0].1, camera_from_tag)], false);
    let error = AprilTags::new(&settings(json!({}))).detect(&picture).expect_err("nobody knows the lens");
    assert!(error.to_string().contains("too little depth") && error.to_string().contains("`intrinsics`"), "{error}");
    let found = AprilTags::new(&settings(json!({ "intrinsics": INTRINSICS }))).detect(&picture).expect("it looks");
    let off = found[0].world_from_object.unwrap().distance(&(camera() * camera_from_tag));
    assert!(off.position_m < 0.005 && off.angle_rad < 2_f64.to_radians(), "{off:?}");
}

#[test]
fn a_picture_without_tags_has_none_and_one_without_pixels_is_told() {
    let mut tags = AprilTags::new(&settings(json!({ "intrinsics": INTRINSICS })));
    assert_eq!(tags.detect(&drawn(camera(), &[], true)), Ok(Vec::new()));
    let empty = Cloud::new(0, camera(), 0, 0);
    let error = tags.detect(&Picture { camera: "head".into(), cloud: Arc::new(empty), labels: Vec::new() });
    assert!(error.is_err_and(|error| error.to_string().contains("`head` has no pixels")));
    let tiny = Cloud::new(0, camera(), 3, 2);
    let found = tags.detect(&Picture { camera: "head".into(), cloud: Arc::new(tiny), labels: Vec::new() });
    assert!(found.as_ref().map_or(true, Vec::is_empty), "{found:?}");
}
