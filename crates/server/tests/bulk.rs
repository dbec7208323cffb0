//! Clouds and pictures.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use link::{Event, Keyed};
use protocol::talk::Want;
use protocol::tiles::Picture;
use serde_json::json;
use server::SessionId;

fn send(desk: &mut Desk, at_ms: u32) {
    let pixel = |column: u16, row: u16| {
        (Some([f32::from(column) * 0.01, f32::from(row) * 0.01, 1.0]), [column as u8, row as u8, 7])
    };
    let picture = Picture { camera: "head", at_ms, width: 20, height: 10, origin_m: [0.0, 0.0, 1.0], pixel: &pixel };
    for (key, bytes) in picture.cloud_tiles(500) {
        desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Cloud, key, bytes });
    }
    for (key, bytes) in picture.image_tiles(500) {
        desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Image, key, bytes });
    }
    desk.settle();
}

fn bulk(desk: &mut Desk) -> SessionId {
    let id = desk.operator.join(desk.now, true, true).unwrap();
    desk.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}));
    desk.ok(id, json!({"ask": "watch", "topics": {"clouds": true, "pictures": true}}));
    id
}

#[test]
fn tiles_become_a_cloud_and_a_picture() {
    let mut desk = Desk::with_robot();
    let id = bulk(&mut desk);
    assert_eq!(desk.orders().pop().map(|order| order.what), Some(Want::Watch { clouds: true, images: true }));
    send(&mut desk, 1500);
    desk.pass(200);
    desk.say(id, json!({"ask": "ack"}));
    desk.pass(200);
    let frames = desk.states.remove(&id).unwrap();
    let whole = |kind: u8| frames.iter().rfind(|frame| frame[0] == kind).unwrap().clone();
    let cloud = whole(protocol::api::CLOUD);
    assert_eq!(f64::from_le_bytes(cloud[1..9].try_into().unwrap()), 1.5);
    assert_eq!(u32::from_le_bytes(cloud[21..25].try_into().unwrap()), 200);
    assert_eq!(cloud.len(), 25 + 200 * 10);
    assert_eq!(i16::from_le_bytes(cloud[27..29].try_into().unwrap()), 10, "x of the second point");
    let picture = whole(protocol::api::PICTURE);
    assert_eq!(picture.len(), 1 + 8 + 4 + 5 + 600);
    assert_eq!(&picture[14..18], b"head");
}

#[test]
fn two_are_on_their_way_and_the_newest_comes_next() {
    let mut desk = Desk::with_robot();
    let id = bulk(&mut desk);
    for round in 1..=20 {
        send(&mut desk, round * 1000);
        desk.pass(200);
    }
    assert_eq!(desk.states.remove(&id).unwrap().len(), 2);
    desk.say(id, json!({"ask": "ack"}));
    let next = desk.states.remove(&id).unwrap();
    assert_eq!(next.len(), 1);
    assert_eq!(f64::from_le_bytes(next[0][1..9].try_into().unwrap()), 20.0);
    let other = desk.hello("Bob");
    assert!(!desk.states.contains_key(&other), "the page's own socket has none of it");
    desk.operator.leave(id);
    desk.settle();
    assert_eq!(desk.orders().pop().map(|order| order.what), Some(Want::Watch { clouds: false, images: false }));
}

#[test]
fn the_cloud_has_nothing_of_the_robot_itself() {
    let mut desk = Desk::with_robot();
    let id = bulk(&mut desk);
    desk.orders();
    // Half of them up through the robot that stands at the origin, half two metres ahead of it.
    let pixel =
        |column: u16, row: u16| (Some([if column < 10 { 0.0 } else { 2.0 }, 0.0, f32::from(row) * 0.1]), [1, 2, 3]);
    let picture = Picture { camera: "head", at_ms: 1000, width: 20, height: 10, origin_m: [0.0; 3], pixel: &pixel };
    for (key, bytes) in picture.cloud_tiles(500) {
        desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Cloud, key, bytes });
    }
    desk.settle();
    desk.pass(200);
    desk.say(id, json!({"ask": "ack"}));
    desk.pass(200);
    let frames = desk.states.remove(&id).unwrap();
    let cloud = frames.iter().rfind(|frame| frame[0] == protocol::api::CLOUD).unwrap();
    let count = u32::from_le_bytes(cloud[21..25].try_into().unwrap()) as usize;
    let x_mm = |point: usize| i16::from_le_bytes(cloud[25 + 2 * point..27 + 2 * point].try_into().unwrap());
    let ahead = (0..count).filter(|point| x_mm(*point) == 2000).count();
    assert_eq!(ahead, 100, "what is around the robot stays");
    assert!(count < 180, "at least a fifth of the column is the robot: {count}");
}
