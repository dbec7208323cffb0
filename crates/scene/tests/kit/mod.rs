#![allow(dead_code, reason = "each test file uses a part of it")]

use geometry::{Point3, Pose, UnitQuaternion};
use scene::{Asked, Detection, Scene, Sight};

pub const HZ_10_NS: i64 = 100_000_000;

pub fn at_ns(time_s: f64) -> i64 {
    (time_s * 1e9).round() as i64
}

pub fn detection(class: &str, xyz_m: [f64; 3]) -> Detection {
    Detection {
        detector: "yolo".into(),
        class: class.into(),
        confidence: 0.8,
        world_position: Point3::from(xyz_m),
        world_from_object: None,
        pixels: None,
    }
}

pub fn sight(time_ns: i64, detections: Vec<Detection>) -> Sight {
    Sight { camera: "head".into(), time_ns, cloud: None, detections }
}

pub fn no_frames(_: &str) -> Option<Pose> {
    None
}

/// Shows a picture and brings the scene up to its time.
pub fn show(scene: &mut Scene, time_ns: i64, detections: Vec<Detection>) {
    scene.see(&sight(time_ns, detections), &UnitQuaternion::identity());
    scene.advance(time_ns, &no_frames);
}

/// The same picture ten times a second.
pub fn show_for(scene: &mut Scene, from_s: f64, to_s: f64, detections: &[Detection]) {
    let mut time_ns = at_ns(from_s);
    while time_ns < at_ns(to_s) {
        show(scene, time_ns, detections.to_vec());
        time_ns += HZ_10_NS;
    }
}

pub fn asked<'a>(name: &'a str, class: &'a str) -> Asked<'a> {
    Asked { name, class, detector: None, minimum_history: 5 }
}
