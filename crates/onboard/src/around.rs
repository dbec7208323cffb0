//! What operators are told of things: objects, detections, the terrain.

use std::sync::Arc;

use engine::{Body, Engine, Ground};
use geometry::Pose;
use protocol::talk::{Detected, DetectionAt, Form, ObjectAt, OutlineAt, PoseNumbers, SceneAt, SolidAt};
use scene::PersistentDetection;
use site::{Solid, SolidForm};

/// More than anybody can look at; those seen last are told.
const MOST_DETECTIONS: usize = 32;
const MOST_OUTLINES: usize = 200;
/// What has more corners does not fit a datagram.
const MOST_CORNERS: usize = 64;

pub fn objects(body: &Body) -> Vec<SceneAt> {
    let seen = body.scene();
    let objects = body.objects().iter().map(|(name, world_from_object)| {
        let object = seen.object(name);
        SceneAt::Object(ObjectAt {
            name: Arc::clone(name),
            // Goals are authored in their frames: as exact as it goes.
            pose: Some(numbers_of(world_from_object)),
            class: object.and_then(|object| object.class().cloned()),
            stale: object.is_some_and(|object| object.stale),
            frozen: object.is_some_and(|object| object.frozen),
        })
    });
    objects.collect()
}

/// Those that are seen now, newest first.
pub fn detections(engine: &Engine) -> Vec<SceneAt> {
    let Some(body) = engine.body() else { return Vec::new() };
    let scene = body.scene();
    let mut seen: Vec<&PersistentDetection> =
        scene.detections().iter().filter(|each| each.last_seen_ns().is_some()).collect();
    seen.sort_by_key(|each| std::cmp::Reverse((each.last_seen_ns(), each.id)));
    seen.truncate(MOST_DETECTIONS);
    let at = |each: &PersistentDetection| Detected {
        class: Arc::clone(&each.class),
        confidence: (each.mean_confidence() * 100.0).round().clamp(0.0, 100.0) as u8,
        pose: about(&each.world_from_object),
        stable: each.is_stable(scene.tracking(), engine.time_ns()),
        seen_in: each.in_picture.as_ref().map(|part| {
            let shares = part.shares.map(|share| (share * 255.0).round().clamp(0.0, 255.0) as u8);
            (Arc::clone(&part.camera), shares)
        }),
    };
    let told = |each: &PersistentDetection| DetectionAt { number: each.id.0 as u32, at: Some(at(each)) };
    seen.into_iter().map(|each| SceneAt::Detection(told(each))).collect()
}

pub fn outlines(ground: &Ground, world: u16) -> Vec<SceneAt> {
    let regions = ground.terrain.iter().flat_map(|terrain| terrain.regions());
    let regions = regions.map(|region| (region.name.as_str(), false, region.outline_m().to_vec()));
    let boxes = ground.obstacles.boxes().iter();
    let boxes = boxes.map(|each| (each.name.as_str(), true, each.footprint.corners().to_vec()));
    let fits = |(_, _, corners): &(&str, bool, Vec<[f64; 2]>)| corners.len() <= MOST_CORNERS;
    let all = boxes.chain(regions).filter(fits).take(MOST_OUTLINES).enumerate();
    all.map(|(number, (name, obstacle, corners))| {
        let corners_m = corners.into_iter().map(|corner| corner.map(|part| part as f32)).collect();
        SceneAt::Outline(OutlineAt { number: number as u32, world, name: name.into(), obstacle, corners_m })
    })
    .collect()
}

pub fn solids(solids: &[Solid], world: u16) -> Vec<SceneAt> {
    solids.iter().enumerate().map(|(number, solid)| SceneAt::Solid(solid_at(number as u32, world, solid))).collect()
}

fn solid_at(number: u32, world: u16, solid: &Solid) -> SolidAt {
    let form = match solid.form {
        SolidForm::Plane { half_m } => Form::Plane { size_m: half_m.map(|half| 2.0 * half as f32) },
        SolidForm::Sphere { radius_m } => Form::Sphere { radius_m: radius_m as f32 },
        SolidForm::Capsule { radius_m, half_m } => {
            Form::Capsule { radius_m: radius_m as f32, length_m: 2.0 * half_m as f32 }
        }
        SolidForm::Cylinder { radius_m, half_m } => {
            Form::Cylinder { radius_m: radius_m as f32, length_m: 2.0 * half_m as f32 }
        }
        SolidForm::Box { half_m } => Form::Box { size_m: half_m.map(|half| 2.0 * half as f32) },
    };
    let colour = solid.colour.map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8);
    SolidAt { number, world, name: Arc::clone(&solid.name), form, colour, pose: about(&solid.world_from_solid) }
}

fn numbers_of(pose: &Pose) -> PoseNumbers {
    pose.numbers().map(|part| part as f32)
}

/// To the millimetre, for looking at: what lies still is not told again and again.
fn about(pose: &Pose) -> PoseNumbers {
    numbers_of(pose).map(|part| (part * 1e3).round() / 1e3)
}
