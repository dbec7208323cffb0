//! The robot's body, for clients that look at it.

use link::{Event, Keyed};
use protocol::body::{BodyPart, Foot, Forces, Health};
use protocol::talk::{Want, pack};
use serde_json::json;

use crate::common::Desk;

fn send(desk: &mut Desk, part: &BodyPart) {
    desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Body, key: part.key(), bytes: pack(part) });
}

fn moment(desk: &mut Desk, at_ms: u64) {
    for part in BodyPart::joints(at_ms, &[0.5; 5], &[-12.0; 5], 1_000) {
        send(desk, &part);
    }
    let health = Health { faults: vec![("left_elbow".to_owned(), "hot".to_owned())], ..Health::default() };
    send(desk, &BodyPart::Health(health));
    let feet = [Foot { contact: true, load_n: 200.0 }; 2];
    let hands = [[1.0, 2.0, 3.0, 0.1, 0.2, 0.3], [0.0; 6]];
    send(desk, &BodyPart::Forces(Forces { at_ms, hands, feet, pressure: Some([0.01, 0.0, 0.04]) }));
}

#[test]
fn the_robot_is_asked_as_often_as_the_most_eager_wants_and_no_more_when_they_leave() {
    let mut desk = Desk::with_robot();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let watch = |desk: &mut Desk, who, hz: f64| {
        desk.offers.clear();
        desk.ok(who, json!({"ask": "watch", "topics": {"body_hz": hz}}));
        desk.settle();
        desk.orders().into_iter().map(|order| order.what).collect::<Vec<_>>()
    };
    assert_eq!(watch(&mut desk, ann, 5.0), [Want::WatchBody { hz: 5.0 }]);
    assert_eq!(watch(&mut desk, bob, 900.0), [Want::WatchBody { hz: 50.0 }]);
    assert_eq!(watch(&mut desk, ann, 10.0), [], "Bob has more than that already");
    desk.offers.clear();
    desk.operator.leave(bob);
    desk.settle();
    let left: Vec<_> = desk.orders().into_iter().map(|order| order.what).collect();
    assert_eq!(left, [Want::WatchBody { hz: 10.0 }]);
    assert_eq!(watch(&mut desk, ann, 0.0), [Want::WatchBody { hz: 0.0 }]);
}

#[test]
fn it_is_told_to_who_asks_with_where_forces_are_in_the_world() {
    let mut desk = Desk::with_robot();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    desk.ok(ann, json!({"ask": "watch", "topics": {"body_hz": 10}}));
    for round in 1..=10 {
        moment(&mut desk, round * 20);
        desk.pass(20);
    }
    let told = desk.pushes(ann, "body");
    assert!((2..=4).contains(&told.len()), "ten a second for 0.2 s: {}", told.len());
    assert!(desk.pushes(bob, "body").is_empty());
    let body = told.last().expect("it was told");
    assert_eq!(body["efforts"][0], json!(-12.0));
    assert_eq!(body["hands"][0]["force"], json!([1.0, 2.0, 3.0]));
    let length = |key: &str| -> f64 {
        body["hands"][0][key].as_array().expect("a vector").iter().map(|part| part.as_f64().expect("N").powi(2)).sum()
    };
    assert!((length("force") - length("world_force")).abs() < 0.2, "turned, not stretched");
    assert_eq!(body["pressure"]["margin"], json!(0.04));
    assert!(body["support"].as_array().is_some_and(|corners| corners.len() >= 4));
    assert_eq!(body["faults"][0]["place"], json!("left_elbow"));
    assert_eq!(body["battery"], json!(null), "not told");
}
