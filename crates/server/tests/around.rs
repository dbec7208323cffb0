//! What is around the robot: objects that come and go, detections, the simulated world.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use link::{Event, Keyed};
use protocol::talk::{Detected, DetectionAt, Form, ObjectAt, OutlineAt, SceneAt, SolidAt, pack};
use serde_json::json;

const HERE: [f32; 7] = [1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0];

fn tell(desk: &mut Desk, thing: &SceneAt) {
    desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Scene, key: thing.key(), bytes: pack(thing) });
    desk.settle();
    desk.pass(200);
}

fn mug(pose: Option<[f32; 7]>) -> SceneAt {
    SceneAt::Object(ObjectAt { name: "mug".into(), pose, class: Some("cup".into()), stale: false, frozen: true })
}

fn solid(number: u32, x: f32) -> SceneAt {
    solid_of(0, number, x)
}

fn solid_of(world: u16, number: u32, x: f32) -> SceneAt {
    let form = Form::Box { size_m: [0.5, 1.0, 2.0] };
    let pose = [x, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    SceneAt::Solid(SolidAt { number, world, name: "door".into(), form, colour: [1, 2, 3, 255], pose })
}

#[test]
fn objects_and_detections_come_and_go() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "watch", "topics": {"scene": true}}));
    tell(&mut desk, &mug(Some(HERE)));
    let seen_in = Some(("head".into(), [0, 51, 255, 102]));
    let at = Detected { class: "ball".into(), confidence: 80, pose: HERE, stable: true, seen_in };
    tell(&mut desk, &SceneAt::Detection(DetectionAt { number: 7, at: Some(at) }));
    let scene = desk.last_push(ann, "scene");
    assert_eq!(scene["objects"][0]["class"], "cup");
    assert_eq!(scene["objects"][0]["frozen"], true);
    let detection = &scene["detections"][0];
    assert_eq!((&detection["number"], &detection["confidence"]), (&json!(7), &json!(0.8)));
    assert_eq!(detection["seen_in"], json!({"camera": "head", "box": [0.0, 0.2, 1.0, 0.4]}));
    assert!(!scene["cameras"].as_array().unwrap().is_empty());
    tell(&mut desk, &mug(None));
    tell(&mut desk, &SceneAt::Detection(DetectionAt { number: 7, at: None }));
    let scene = desk.last_push(ann, "scene");
    assert_eq!((&scene["objects"], &scene["detections"]), (&json!([]), &json!([])));
    let edited = desk.ask(ann, json!({"ask": "robot"}));
    assert!(edited["ok"]["templates"].as_array().unwrap().iter().any(|template| template["class"] == "ball"));
}

#[test]
fn of_the_world_a_client_gets_all_once_then_what_moves() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    tell(&mut desk, &solid(0, 1.0));
    tell(&mut desk, &solid(1, 2.0));
    let corners_m = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    tell(
        &mut desk,
        &SceneAt::Outline(OutlineAt { number: 0, world: 0, name: "crate".into(), obstacle: true, corners_m }),
    );
    assert!(desk.pushes(ann, "world").is_empty(), "who does not ask gets none");
    desk.ok(ann, json!({"ask": "watch", "topics": {"scene": true}}));
    desk.pass(200);
    let world = desk.last_push(ann, "world");
    assert_eq!((&world["whole"], world["solids"].as_array().unwrap().len()), (&json!(true), 2));
    assert_eq!(world["solids"][0]["form"], json!({"box": {"size_m": [0.5, 1.0, 2.0]}}));
    assert_eq!(world["outlines"][0]["name"], "crate");
    tell(&mut desk, &solid(1, 2.5));
    let world = desk.last_push(ann, "world");
    assert_eq!((&world["whole"], world["solids"].as_array().unwrap().len()), (&json!(false), 1));
    assert_eq!(world["solids"][0]["pose"][0], 2.5);
    assert_eq!(world["outlines"], json!([]));
    desk.connect(true);
    desk.pass(200);
    let world = desk.last_push(ann, "world");
    assert_eq!((&world["whole"], &world["solids"]), (&json!(true), &json!([])), "of a robot that starts anew");
}

#[test]
fn of_a_world_that_began_anew_nothing_older_is_shown() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "watch", "topics": {"scene": true}}));
    tell(&mut desk, &solid(0, 1.0));
    tell(&mut desk, &solid(1, 2.0));
    tell(&mut desk, &solid_of(1, 0, 3.0));
    let world = desk.last_push(ann, "world");
    assert_eq!(world["whole"], true);
    assert_eq!(world["solids"].as_array().unwrap().len(), 1, "{world}");
    assert_eq!(world["solids"][0]["pose"][0], 3.0);
    tell(&mut desk, &solid(1, 2.5));
    assert!(desk.pushes(ann, "world").is_empty(), "it came late");
}
