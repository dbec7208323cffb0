#![cfg(feature = "mujoco")]
//! What cameras see and detectors find, and that it is no more than what is in view.

use crate::physics_common;

use std::sync::Arc;

use geometry::{Point3, Pose, Vector3};
use physics_common::*;
use robot::{BodyFrame, BodyPoses, Side};
use scene::{Detection, DetectorSettings, Sight};
use sim::{PhysicsRobot, PhysicsWorld, World};
use site::Driver;

/// Detects whatever it sees, exactly.
const PERFECT: &str = r#""camera": {"noise_m": 0}, "detector": {"misses": 0, "false_alarm_every_s": 0}"#;

fn watching(world: &str) -> PhysicsRobot {
    let mut sim = open(world);
    sim.open_eyes().expect("it sees");
    sim
}

/// Of the next picture that arrives.
fn sight(sim: &mut PhysicsRobot) -> Arc<Sight> {
    sim.take_sights();
    for _ in 0..100 {
        run(sim, 0.01);
        if let Some(sight) = sim.take_sights().pop() {
            return sight;
        }
    }
    panic!("nothing is seen");
}

fn of<'a>(sight: &'a Sight, class: &str) -> Vec<&'a Detection> {
    sight.detections.iter().filter(|detection| &*detection.class == class).collect()
}

#[test]
fn pictures_come_at_their_rate_and_late() {
    let mut sim = watching(r#"{"version": 1}"#);
    let mut arrived = Vec::new();
    for tick in 1..=100_i64 {
        sim.advance(tick * 10_000_000);
        arrived.extend(sim.take_sights().iter().map(|sight| (tick * 10, sight.time_ns / 1_000_000)));
    }
    let expected: Vec<(i64, i64)> = (0..10).map(|picture| (100 + 100 * picture, 100 * picture)).collect();
    assert_eq!(arrived, expected);
    let mut sim = watching(r#"{"version": 1, "camera": {"rate_hz": 25, "latency_s": 0, "width": 32, "height": 24}}"#);
    assert_eq!(sim.take_sights().len(), 1, "the first at once");
    sim.advance(1_000_000_000);
    let sights = sim.take_sights();
    assert_eq!(sights.len(), 25);
    let cloud = sights[0].cloud.as_ref().expect("a cloud");
    assert_eq!((cloud.width(), cloud.height(), cloud.len()), (32, 24, 768));
}

#[test]
fn depth_is_where_things_are_and_has_their_colour() {
    let wall = r#"{"type": "wall", "at": {"x_m": 2.05}, "width_m": 20, "height_m": 9, "colour": "blue"}"#;
    let mut sim = watching(&format!(r#"{{"version": 1, {PERFECT}, "objects": [{wall}]}}"#));
    let sight = sight(&mut sim);
    let cloud = sight.cloud.as_ref().expect("a cloud");
    let on_wall: Vec<_> = cloud.points().filter(|(_, [_, _, z], _)| *z > 0.02).collect();
    assert!(on_wall.len() > 9_000, "{} pixels", on_wall.len());
    let camera_m = cloud.world_from_camera.translation_m();
    let ahead = cloud.world_from_camera.rotation() * Vector3::x();
    for (_, point, [red, _, blue]) in on_wall {
        let away_m = Vector3::from(point.map(f64::from)) - camera_m;
        let along_m = away_m.dot(&ahead);
        assert!(
            (along_m * 1e3 - (along_m * 1e3).round()).abs() < 1e-2,
            "{along_m} m: cameras deliver whole millimetres"
        );
        // Half a millimetre along the camera's axis moves a point on its ray.
        let most_m = 0.5e-3 * (away_m.x / along_m).abs() + 1e-6;
        let off_m = away_m.x + camera_m.x - 2.0;
        assert!(off_m.abs() <= most_m, "{off_m} m off, {most_m} m at most");
        assert!(blue > 100 && red < 30);
    }
    assert!(camera_m.z > 1.0 && camera_m.x.abs() < 0.3, "{camera_m}");
}

/// A robot whose right hand is up before its face, and a ball behind that hand.
fn ball_behind_hand(hand_up: bool) -> PhysicsRobot {
    let world = format!(
        r#"{{"version": 1, {PERFECT}, "robot": {{"preset": "ready"}}, "objects": [
            {{"type": "wall", "name": "shelf", "class": "shelf", "at": {{"x_m": 1.2}}, "length_m": 0.4, "height_m": 1.1}},
            {{"type": "ball", "on": "shelf", "at": {{"x_m": -0.05, "y_m": 0}}, "radius_m": 0.15, "mass_kg": 1}}]}}"#
    );
    let mut sim = watching(&world);
    if hand_up {
        let up = [
            ("right_shoulder_pitch", -1.4),
            ("right_shoulder_roll", 0.1),
            ("right_shoulder_yaw", 0.9),
            ("right_elbow_pitch", -1.0),
        ];
        let id = send(&mut sim, 1, joints(&up, 1.5));
        finish(&mut sim, id);
    }
    run(&mut sim, 0.5);
    sim
}

#[test]
fn a_hand_before_a_thing_hides_a_part_of_it_and_moves_its_centroid() {
    let mut free = ball_behind_hand(false);
    let mut hidden = ball_behind_hand(true);
    let (free_sight, hidden_sight) = (sight(&mut free), sight(&mut hidden));
    let position = |sight: &Sight| of(sight, "ball").first().map(|ball| ball.world_position).expect("a ball");
    let truth_m = free.world_from_body("ball").expect("a ball").translation_m();
    // What is seen of a ball is the side that faces the camera.
    let off_m = (position(&free_sight).coords - truth_m).norm();
    assert!((0.05..0.15).contains(&off_m), "{off_m} m");
    let moved_m = (position(&hidden_sight) - position(&free_sight)).norm();
    assert!(moved_m > 0.01, "{moved_m} m: the hand is in nobody's way");
    let mut poses = BodyPoses::new(hidden.robot().clone());
    poses.update(hidden.state());
    let hand_m = poses.world_from(BodyFrame::Hand(Side::Right)).translation_m();
    let cloud = hidden_sight.cloud.as_ref().expect("a cloud");
    let near_hand = cloud.points().filter(|(_, point, _)| {
        let point_m = Vector3::from(point.map(f64::from));
        (point_m - hand_m).norm() < 0.15
    });
    assert!(near_hand.count() > 20, "the robot sees its own hand");
}

#[test]
fn what_is_out_of_view_changes_nothing_that_is_seen() {
    let seen = |box_x_m: f64| {
        let mut sim = watching(&format!(
            r#"{{"version": 1, "objects": [
                {{"type": "wall", "name": "north", "at": {{"x_m": 1.5}}, "width_m": 4, "height_m": 3}},
                {{"type": "box", "at": {{"x_m": {box_x_m}, "y_m": 0.2}}}}]}}"#
        ));
        let mut all = Vec::new();
        for tick in 1..=60_i64 {
            sim.advance(tick * 10_000_000);
            all.extend(sim.take_sights());
        }
        all
    };
    let [here, there] = [2.0, 2.6].map(seen);
    assert_eq!(here.len(), 6);
    assert_eq!(here, there);
}

#[test]
fn every_kind_of_thing_is_found_where_it_is() {
    let cases = [
        (r#"{"type": "door", "at": {"x_m": 1.6}}"#, "door_handle", "door/handle", 0.12),
        (r#"{"type": "door", "at": {"x_m": 1.6}, "handle": "push_bar"}"#, "door_handle", "door/handle", 0.12),
        (r#"{"type": "valve", "at": {"x_m": 1.2}}"#, "valve", "valve/wheel", 0.05),
        (r#"{"type": "button", "at": {"x_m": 1.0}}"#, "button", "button/cap", 0.05),
        (r#"{"type": "box", "at": {"x_m": 3}, "length_m": 0.2, "width_m": 0.2, "height_m": 0.3}"#, "box", "box", 0.2),
    ];
    for (object, class, body, within_m) in cases {
        let mut sim = watching(&format!(r#"{{"version": 1, {PERFECT}, "objects": [{object}]}}"#));
        let sight = sight(&mut sim);
        let found = of(&sight, class);
        assert_eq!(found.len(), 1, "{class} in {:?}", sight.detections);
        let truth = sim.world_from_body(body).expect("it is there");
        let off_m = (found[0].world_position - Point3::from(truth.translation_m())).norm();
        assert!(off_m < within_m, "{object}: {off_m} m off");
        assert!((0.5..1.0).contains(&found[0].confidence) && &*found[0].detector == "simulated");
    }
}

#[test]
fn a_behavior_says_what_it_wants_to_see() {
    let table = r#"{"type": "table", "at": {"x_m": 2}}, {"type": "ball", "on": "table", "radius_m": 0.06}"#;
    let mut sim = watching(&format!(r#"{{"version": 1, {PERFECT}, "objects": [{table}]}}"#));
    let classes = |sim: &mut PhysicsRobot| {
        run(sim, 0.25);
        let sight = sight(sim);
        sight.detections.iter().map(|detection| detection.class.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(classes(&mut sim), ["table", "ball"]);
    let only = DetectorSettings { classes: Some(vec!["ball".into()]), ..DetectorSettings::default() };
    sim.configure_detectors(&only);
    assert_eq!(classes(&mut sim), ["ball"]);
    let sure = DetectorSettings { confidence: [(Arc::from("ball"), 0.999)].into(), ..DetectorSettings::default() };
    sim.configure_detectors(&sure);
    assert!(classes(&mut sim).is_empty());
    let off = DetectorSettings { models: [(Arc::from("simulated"), false)].into(), ..DetectorSettings::default() };
    sim.configure_detectors(&off);
    assert!(classes(&mut sim).is_empty());
}

#[test]
fn the_same_seed_sees_the_same_to_the_last_bit() {
    let world = std::fs::read_to_string("../../worlds/table-balls.json").expect("a world of our own");
    let seen = [4, 4, 5].map(|seed| {
        let mut sim = open_seed(&world, seed);
        sim.open_eyes().expect("it sees");
        run(&mut sim, 0.6);
        sim.take_sights()
    });
    assert_eq!(seen[0].len(), 6);
    assert_eq!(seen[0], seen[1]);
    assert_ne!(seen[0], seen[2]);
}

#[test]
fn a_blind_camera_gives_nothing() {
    for start in [r#""at_s": 0.5"#, r#""on": {"event": "hand_near", "object": "ball", "within_m": 4}, "after_s": 0.5"#]
    {
        let mut sim = watching(&format!(
            r#"{{"version": 1, "objects": [{{"type": "ball", "at": {{"x_m": 2}}}}],
                "disturbances": [{{{start}, "do": "blind_camera", "duration_s": 1}}]}}"#
        ));
        run(&mut sim, 2.5);
        let taken_ms: Vec<i64> = sim.take_sights().iter().map(|sight| sight.time_ns / 1_000_000).collect();
        assert!(taken_ms.contains(&400) && taken_ms.contains(&1600), "{taken_ms:?}");
        assert!(!taken_ms.iter().any(|taken_ms| (510..1490).contains(taken_ms)), "{taken_ms:?}");
    }
}

#[test]
fn bodies_of_an_own_file_are_detected_as_what_they_are_called() {
    let folder = std::env::temp_dir().join(format!("coact-cameras-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mjcf = r#"<mujoco><worldbody><body name="cup" pos="1.2 0 1.1">
        <geom type="cylinder" size="0.1 0.15" contype="0" conaffinity="0"/></body></worldbody></mujoco>"#;
    std::fs::write(folder.join("cup.xml"), mjcf).expect("written");
    let open = |body: &str| {
        let json = format!(
            r#"{{"version": 1, "mjcf": "cup.xml", "camera": {{"noise_m": 0}},
                "detector": {{"misses": 0, "false_alarm_every_s": 0, "bodies": {{"{body}": "mug"}}}}}}"#
        );
        let file = folder.join("cup.json").display().to_string();
        let world = World::from_json(&file, &json).expect("a world");
        let mut sim = PhysicsWorld::open(&world, coact_one(), 0).expect("it opens");
        sim.open_eyes().map(|()| sim)
    };
    let mut sim = open("own/cup").expect("it sees");
    let sight = sight(&mut sim);
    let off_m = (of(&sight, "mug")[0].world_position - Point3::new(1.2, 0.0, 1.1)).norm();
    assert!(off_m < 0.12, "{off_m} m");
    let error = open("own/mug").err().expect("there is none").to_string();
    assert!(error.contains("own/mug") && error.contains("own/NAME"), "{error}");
}

#[test]
fn cameras_that_cannot_see_are_told() {
    let refused = |world: &str| open(world).open_eyes().expect_err("it cannot see").to_string();
    let unknown = refused(r#"{"version": 1, "camera": {"names": ["chest"]}}"#);
    assert!(unknown.contains("no camera `chest`") && unknown.contains("it has head"), "{unknown}");
    let blinded = refused(r#"{"version": 1, "disturbances": [{"at_s": 1, "do": "blind_camera", "camera": "tail"}]}"#);
    assert!(blinded.contains("no camera `tail`"), "{blinded}");
    let poses = {
        let robot = coact_one();
        let mut poses = BodyPoses::new(robot.clone());
        poses.place(&robot.configuration("home").expect("a preset"), &Pose::identity());
        let camera = &robot.cameras[0];
        let base_from_camera = poses.world_from_link(camera.link) * camera.link_from_camera;
        poses.world_from(BodyFrame::Walking).inverse() * base_from_camera
    };
    // A person stands with the face at the camera: nothing touches, nothing is seen.
    let (x_m, z_m) = (poses.translation_m().x + 0.3 + 0.02, poses.translation_m().z + 1.0);
    let world = format!(
        r#"{{"version": 1, "camera": {{"near_m": 0.6}}, "objects": [
            {{"type": "person", "at": {{"x_m": {x_m}}}, "radius_m": 0.3, "height_m": {}}}]}}"#,
        z_m.min(2.5)
    );
    let covered = refused(&world);
    assert!(covered.contains("has no view") && covered.contains("person"), "{covered}");
    let mut none = open(r#"{"version": 1, "camera": {"names": []}}"#);
    none.open_eyes().expect("none is wanted");
    run(&mut none, 0.3);
    assert!(none.take_sights().is_empty());
}
