//! What the scene costs: `./dev bench scene`.

use std::hint::black_box;
use std::time::Instant;

use geometry::{Point3, Pose, UnitQuaternion};
use scene::{Composite, CompositeKind, Detection, Scene, SceneUpdate, Sight};

use crate::{best, points};

const DETECTIONS: usize = 50;

pub fn run() {
    println!("Detections of a picture sorted into what is followed, and objects brought up to date.\n");
    println!("| picture | ours | target |");
    println!("|---|---|---|");
    row("50 detections, far apart", 1.0, 0);
    row("50 detections within each other's radius", 0.05, 0);
    row("50 detections, 20 objects, 20 composite frames", 1.0, 20);
    println!();
    points::run();
}

/// A grid of things of one class, a little elsewhere in each picture.
fn picture(number: i64, apart_m: f64) -> Sight {
    let detection = |place: usize| {
        let shake_m = 0.002 * ((place as i64 * 7 + number * 3) % 11) as f64;
        let at_m = [(place % 10) as f64 * apart_m + shake_m, (place / 10) as f64 * apart_m, 0.8];
        Detection {
            detector: "yolo".into(),
            class: "ball".into(),
            confidence: 0.7,
            world_position: Point3::from(at_m),
            world_from_object: None,
            pixels: None,
        }
    };
    let detections = (0..DETECTIONS).map(detection).collect();
    Sight { camera: "head".into(), time_ns: number * 100_000_000, cloud: None, detections }
}

fn row(what: &str, apart_m: f64, objects: usize) {
    let mut scene = Scene::default();
    let chest = UnitQuaternion::identity();
    let frame = |name: &str| (name == "walking").then(Pose::identity);
    let show = |scene: &mut Scene, number: i64| {
        let sight = picture(number, apart_m);
        let begin = Instant::now();
        scene.see(black_box(&sight), &chest);
        scene.advance(sight.time_ns, &frame);
        begin.elapsed().as_secs_f64() * 1e9
    };
    for number in 0..20 {
        show(&mut scene, number);
    }
    let ids: Vec<_> = scene.detections().iter().take(objects).map(|each| each.id).collect();
    for (place, detection) in ids.into_iter().enumerate() {
        let name: std::sync::Arc<str> = format!("ball {place}").into();
        let kind = CompositeKind::Approach { distance_m: 0.5 };
        let composite = Composite { a: "walking".into(), b: name.clone(), kind };
        let define = SceneUpdate::Define { name: format!("stand {place}").into(), composite };
        for update in [SceneUpdate::SetUp { name, detection }, define] {
            scene.apply(&update).expect("the detection is there, and there is no circle");
        }
    }
    let mut number = 20;
    let ns = best(200, || {
        number += 1;
        show(&mut scene, number)
    });
    let met = if ns <= 0.2e6 { "" } else { " (missed)" };
    println!("| {what} | {:.3} ms{met} | ≤ 0.2 ms |", ns / 1e6);
}
