//! What an author does to settings, for every type that moves the body.

use std::sync::Arc;

use engine::{Mirror, Plane, Rework};
use model::{Field, Fields, Node, NodeId};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::{Robot, Side};
use serde_json::{Value as Json, json};
use testkit::Stage;

use super::kit::*;

/// Types with random settings, all of which have sides or frames.
fn nodes_of(robot: &Robot, numbers: &[f64], side: Side, frame: &str) -> Vec<(&'static str, Json)> {
    let n = |index: usize| numbers[index % numbers.len()];
    let pose = |from: usize| {
        json!({"x_m": n(from), "y_m": n(from + 1), "z_m": n(from + 2), "roll_deg": 90.0 * n(from + 3),
               "pitch_deg": 60.0 * n(from + 4), "yaw_deg": 90.0 * n(from + 5)})
    };
    let side_word = side.word();
    let many = |part, from: usize| -> Vec<f64> { (0..joints(robot, part).len()).map(|i| 10.0 * n(from + i)).collect() };
    let (arm, hand) = (robot::PartName::Arm(side), robot::PartName::Hand(side));
    let named: serde_json::Map<String, Json> =
        joints(robot, arm).iter().enumerate().map(|(i, joint)| ((*joint).to_owned(), json!(10.0 * n(i)))).collect();
    vec![
        (
            "arm",
            json!({"side": side_word, "frame": frame, "pose": pose(0), "waypoints": [{"at": 0.5, "pose": pose(3)}]}),
        ),
        ("arm", json!({"side": side_word, "by": "angles", "angles_deg": many(arm, 1)})),
        ("screw", json!({"side": side_word, "frame": frame, "axis": pose(2), "rotation_deg": 90.0 * n(1)})),
        ("hand", json!({"side": side_word, "by": "angles", "angles_deg": many(hand, 2)})),
        ("gripper", json!({"side": side_word})),
        (
            "hand_wrench",
            json!({"side": side_word, "frame": frame,
            "force": {"x_n": n(0), "y_n": n(1), "z_n": n(2)}, "torque": {"x_nm": n(3), "y_nm": n(4), "z_nm": n(5)}}),
        ),
        ("joint_move", json!({"angles_deg": named})),
    ]
}

pub fn node(kind: &str, settings: &Json) -> Node {
    let mut fields = Fields::default();
    for (key, value) in settings.as_object().expect("settings are an object") {
        fields.push(key.as_str().into(), Field::from_json(value.clone()));
    }
    let (id, parent, children) = (NodeId(1), None, Vec::new());
    Node { id, parent, kind: kind.into(), name: "".into(), notes: "".into(), children, fields, id_written: false }
}

pub fn reworked(kind: &str, settings: &Json, rework: &Rework<'_>) -> Json {
    testkit::registry().rework(&node(kind, settings), rework).expect("it can be done").expect("it moves a body")
}

/// All that is written in `one` is the same in `other`.
fn assert_same(one: &Json, other: &Json, place: &str) {
    match (one, other) {
        (Json::Object(keys), _) => {
            for (key, value) in keys {
                let zero = json!(0.0);
                assert_same(value, other.get(key).unwrap_or(&zero), &format!("{place}.{key}"));
            }
        }
        (Json::Array(items), Json::Array(others)) => {
            assert_eq!(items.len(), others.len(), "{place}");
            items.iter().zip(others).for_each(|(item, other)| assert_same(item, other, place));
        }
        (Json::Number(number), Json::Number(again)) => {
            let (number, again) = (number.as_f64().expect("a number"), again.as_f64().expect("a number"));
            assert!((number - again).abs() < 1e-6, "{place}: {number} became {again}");
        }
        _ => assert_eq!(one, other, "{place}"),
    }
}

fn standing(name: &str) -> engine::Body {
    let mut stage = Stage::new(name, "wait W", "preset ready\n0 frame box 0.6 0.2 0.9 30");
    stage.tick();
    stage.body()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn mirrored_twice_is_as_before(numbers in proptest::collection::vec(-1.0..1.0_f64, 8), left: bool, at in 0..5_usize) {
        on_every_robot(|name, robot| {
            let body = standing(name);
            let side = if left { Side::Left } else { Side::Right };
            let frame = ["chest", "right_hand", "world", "box", "walking"][at];
            for plane in [Plane::Sagittal, Plane::Object("box"), Plane::World] {
                let mirror = Rework::Mirror(Mirror { robot, plane, body: Some(&body) });
                for (kind, settings) in nodes_of(robot, &numbers, side, frame) {
                    let once = reworked(kind, &settings, &mirror);
                    if let Some(word) = settings.get("side") {
                        assert_ne!(once["side"], *word);
                    }
                    assert_same(&settings, &reworked(kind, &once, &mirror), kind);
                }
            }
        });
    }

    #[test]
    fn a_frame_changed_there_and_back_is_as_before(numbers in proptest::collection::vec(-1.0..1.0_f64, 8)) {
        on_every_robot(|name, robot| {
            let body = standing(name);
            for (kind, settings) in nodes_of(robot, &numbers, Side::Right, "chest") {
                if settings.get("frame").is_none() {
                    continue;
                }
                for to in ["world", "box", "left_hand", "right_sole"] {
                    let there = reworked(kind, &settings, &Rework::ChangeFrame { to, body: &body });
                    assert_eq!(there["frame"], to);
                    let back = reworked(kind, &there, &Rework::ChangeFrame { to: "chest", body: &body });
                    assert_same(&settings, &back, kind);
                }
            }
        });
    }
}

#[test]
fn mirrored_steps_do_the_mirrored_motion() {
    on_every_robot(|name, robot| {
        let goal = hand_in(robot, "ready", robot::BodyFrame::Chest, Side::Right);
        let settings: Json = json!({"pose": serde_json::from_str::<Json>(&setting(&goal)).expect("JSON")});
        let mirror = Rework::Mirror(Mirror { robot, plane: Plane::Sagittal, body: None });
        let mirrored = reworked("arm", &settings, &mirror);
        let outline = format!("arm Go side=left pose={} duration_s=2", mirrored["pose"]);
        let mut stage = Stage::new(name, &outline, "");
        assert_succeeds(&mut stage, "Go");
        let expected = hand_in(robot, "ready", robot::BodyFrame::Chest, Side::Left);
        let now = stage.poses().world_from(robot::BodyFrame::Chest).inverse() * hand(&stage, Side::Left);
        assert_near(&now, &expected, 2e-3, 0.5);
    });
}

#[test]
fn set_to_the_robot_and_run_nothing_moves() {
    on_every_robot(|name, robot| {
        let body = standing(name);
        for (kind, settings) in nodes_of(robot, &[0.3, -0.2, 0.5, 0.1, 0.4], Side::Right, "box") {
            // An opening says nothing of each of five fingers.
            let one_finger = joints(robot, robot::PartName::Hand(Side::Right)).len() == 1;
            if ["screw", "hand_wrench"].contains(&kind) || (kind == "gripper" && !one_finger) {
                continue;
            }
            let mut settings = reworked(kind, &settings, &Rework::SetToRobot(&body));
            if kind == "arm" {
                settings["waypoints"] = json!([]);
            }
            let words: Vec<String> = settings
                .as_object()
                .expect("settings are an object")
                .iter()
                .filter(|(_, value)| **value != json!(""))
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            let outline = format!("{kind} Stay {}", words.join(" "));
            let mut stage = Stage::new(name, &outline, "preset ready\n0 frame box 0.6 0.2 0.9 30");
            let before = stage.state().positions.clone();
            assert_succeeds(&mut stage, "Stay");
            assert_stays(&stage, &before, &format!("{name}: {kind}"));
        }
    });
}

#[test]
fn a_preview_ends_where_the_run_ends() {
    on_every_robot(|name, robot| {
        let mut stage = Stage::new(name, "wait W", "0 frame box 0.6 0.2 0.9");
        stage.tick();
        let body = stage.body();
        let goal = hand_in(robot, "ready", robot::BodyFrame::Chest, Side::Right);
        let reach = json!({"pose": serde_json::from_str::<Json>(&setting(&goal)).expect("JSON"), "duration_s": 2});
        let preview = testkit::registry().preview(&node("arm", &reach), &body);
        let preview = preview.expect("it can be done").expect("it moves a body");
        assert!(preview.quality <= 1.0 && (preview.duration_s - 2.0).abs() < 0.1, "{preview:?}");
        assert_eq!(preview.hand_paths.len(), 1);
        assert_eq!(preview.hand_paths[0].side, Side::Right);
        let mut poses = robot::BodyPoses::new(Arc::new(robot.clone()));
        poses.place(&preview.goal, &preview.world_from_base);
        let now =
            poses.world_from(robot::BodyFrame::Chest).inverse() * poses.world_from(robot::BodyFrame::Hand(Side::Right));
        assert_near(&now, &goal, 1e-3, 0.2);

        let far = json!({"pose": {"x_m": 1.5}});
        let preview = testkit::registry().preview(&node("arm", &far), &body).expect("tried").expect("shown");
        assert!(preview.quality > 1.0, "red: {}", preview.quality);
        let turn = json!({ joints(robot, robot::PartName::Neck)[0]: 10.0 });
        for (kind, settings) in [
            ("arm", json!({"by": "preset", "preset": "ready"})),
            ("screw", json!({"frame": "right_hand", "translation_m": 0.02})),
            ("hand", json!({"grip": "close"})),
            ("gripper", json!({"opening_deg": 10})),
            ("hand_wrench", json!({"force": {"x_n": 5}})),
            ("joint_move", json!({"angles_deg": turn})),
        ] {
            let shown = testkit::registry().preview(&node(kind, &settings), &body).expect("it can be done");
            let shown = shown.expect("it moves a body");
            assert!(shown.duration_s > 0.0 && shown.goal.len() == stage.state().positions.len(), "{kind}: {shown:?}");
        }
    });
}
