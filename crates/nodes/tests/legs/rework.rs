//! What an author does to settings, for the types that move trunk and legs.

use engine::{Body, Mirror, Plane, Rework};
use model::{Field, Fields, Node, NodeId};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value as Json, json};
use testkit::Stage;

use super::kit::*;

/// Each type, with settings made of random numbers.
fn nodes_of(numbers: &[f64], frame: &str) -> Vec<(&'static str, Json)> {
    let n = |index: usize| numbers[index % numbers.len()];
    let pose = |from: usize| {
        json!({"x_m": n(from), "y_m": n(from + 1), "z_m": n(from + 2), "roll_deg": 90.0 * n(from + 3),
               "pitch_deg": 60.0 * n(from + 4), "yaw_deg": 90.0 * n(from + 5)})
    };
    let turned = json!({"frame": frame, "yaw_deg": 90.0 * n(0), "pitch_deg": 60.0 * n(1), "roll_deg": 80.0 * n(2)});
    let with = |mut settings: Json, more: Json| {
        let more = more.as_object().expect("an object").clone();
        settings.as_object_mut().expect("an object").extend(more);
        settings
    };
    vec![
        ("neck", json!({"yaw_deg": 90.0 * n(0), "pitch_deg": 30.0 * n(1)})),
        ("spine", with(turned.clone(), json!({"by": "orientation"}))),
        ("spine", json!({"yaw_deg": 30.0 * n(0), "pitch_deg": 20.0 * n(1), "roll_deg": 10.0 * n(2)})),
        (
            "pelvis",
            with(turned, json!({"height_m": 0.8 + 0.1 * n(3), "moves_sideways": true, "x_m": n(4), "y_m": n(5)})),
        ),
        ("leg", json!({"side": "left", "frame": frame, "pose": pose(1)})),
        (
            "walk",
            json!({"frame": frame, "stance": {"x_m": n(0), "y_m": n(1), "z_m": n(2)}, "focal": {"x_m": 2.0, "y_m": n(3)},
                   "left_foot": {"x_m": 0.1 * n(4), "y_m": 0.1}, "waypoints": [{"x_m": n(5), "y_m": n(6), "yaw_deg": 50.0 * n(7)}],
                   "first": "left"}),
        ),
        (
            "walk",
            json!({"by": "steps", "frame": frame, "steps": [{"side": "left", "pose": pose(0)}, {"side": "right", "pose": pose(2)}]}),
        ),
    ]
}

fn node(kind: &str, settings: &Json) -> Node {
    let mut fields = Fields::default();
    for (key, value) in settings.as_object().expect("settings are an object") {
        fields.push(key.as_str().into(), Field::from_json(value.clone()));
    }
    Node {
        id: NodeId::from_position("", &[]),
        parent: None,
        kind: kind.into(),
        name: "".into(),
        notes: "".into(),
        children: Vec::new(),
        fields,
        id_written: false,
    }
}

fn reworked(kind: &str, settings: &Json, rework: &Rework<'_>) -> Json {
    testkit::registry().rework(&node(kind, settings), rework).expect("it can be done").expect("it moves a body")
}

/// All that is written in `one` is the same in `other`.
fn assert_same(one: &Json, other: &Json, place: &str) {
    match (one, other) {
        (Json::Object(keys), _) => {
            let zero = json!(0.0);
            for (key, value) in keys {
                assert_same(value, other.get(key).unwrap_or(&zero), &format!("{place}.{key}"));
            }
        }
        (Json::Array(items), Json::Array(others)) => {
            assert_eq!(items.len(), others.len(), "{place}");
            items.iter().zip(others).for_each(|(item, other)| assert_same(item, other, place));
        }
        (Json::Number(number), Json::Number(again)) => {
            let (number, again) = (number.as_f64().expect("a number"), again.as_f64().expect("a number"));
            assert!((number - again).abs() < 1e-5, "{place}: {number} became {again}");
        }
        _ => assert_eq!(one, other, "{place}"),
    }
}

fn standing(name: &str) -> Body {
    let mut stage = Stage::new(name, "wait W", "preset ready\n0 frame box 0.6 0.2 0.9 30");
    stage.tick();
    stage.body()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn mirrored_twice_is_as_before(numbers in proptest::collection::vec(-1.0..1.0_f64, 8), at in 0..5_usize) {
        on_every_robot(|name, robot| {
            let body = standing(name);
            let frame = ["walking", "left_sole", "world", "box", "pelvis"][at];
            for plane in [Plane::Sagittal, Plane::Object("box"), Plane::World] {
                let mirror = Rework::Mirror(Mirror { robot, plane, body: Some(&body) });
                for (kind, settings) in nodes_of(&numbers, frame) {
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
        on_every_robot(|name, _| {
            let body = standing(name);
            for (kind, settings) in nodes_of(&numbers, "walking") {
                if settings.get("frame").is_none() {
                    continue;
                }
                for to in ["world", "box", "left_sole"] {
                    let there = reworked(kind, &settings, &Rework::ChangeFrame { to, body: &body });
                    assert_eq!(there["frame"], to);
                    let back = reworked(kind, &there, &Rework::ChangeFrame { to: "walking", body: &body });
                    assert_same(&settings, &back, kind);
                }
            }
        });
    }
}

#[test]
fn a_mirrored_walk_ends_in_the_mirrored_place() {
    on_every_robot(|name, robot| {
        let settings = json!({"stance": {"x_m": 0.4, "y_m": 0.25}, "focal": {"x_m": 1.5, "y_m": 0.8}, "first": "left"});
        let mirror = Rework::Mirror(Mirror { robot, plane: Plane::Sagittal, body: None });
        let middles = [settings.clone(), reworked("walk", &settings, &mirror)].map(|settings| {
            let outline = format!(
                "walk Go stance={} focal={} first={}",
                settings["stance"], settings["focal"], settings["first"]
            );
            let mut stage = Stage::new(name, &outline, "");
            assert_succeeds(&mut stage, "Go");
            stage.poses().world_from(robot::BodyFrame::Walking)
        });
        assert_near(&middles[0].mirrored(), &middles[1], 2e-3, 0.5);
    });
}

#[test]
fn set_to_the_robot_and_run_nothing_moves() {
    on_every_robot(|name, _| {
        let body = standing(name);
        for (kind, settings) in nodes_of(&[0.3, -0.2, 0.5, 0.1, 0.4], "box") {
            if settings["by"] == "steps" {
                continue;
            }
            let mut settings = reworked(kind, &settings, &Rework::SetToRobot(&body));
            if kind == "walk" {
                settings["waypoints"] = json!([]);
            }
            let words: Vec<String> = settings
                .as_object()
                .expect("settings are an object")
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            let outline = format!("{kind} Stay {}", words.join(" "));
            let mut stage = Stage::new(name, &outline, "preset ready\n0 frame box 0.6 0.2 0.9 30");
            let (before, stood) = (stage.state().positions.clone(), soles(&stage));
            assert_succeeds(&mut stage, "Stay");
            for (sole, stood) in soles(&stage).iter().zip(&stood) {
                assert_near(sole, stood, 2e-3, 0.2);
            }
            if kind == "leg" {
                // The robot stands on the other foot to move this one.
                continue;
            }
            for (before, after) in before.iter().zip(&stage.state().positions) {
                assert!((before - after).abs() < 2e-3, "{name}: {kind} moved by {}", after - before);
            }
        }
    });
}

#[test]
fn previews_show_where_it_ends() {
    on_every_robot(|name, robot| {
        let mut stage = Stage::new(name, "wait W", "");
        stage.tick();
        let body = stage.body();
        let half_m = robot.walking.stance_width_m / 2.0;
        let shown = [
            ("neck", json!({"yaw_deg": 20})),
            ("spine", json!({"yaw_deg": 10})),
            ("spine", json!({"by": "orientation", "yaw_deg": 10})),
            ("pelvis", json!({"pitch_deg": 5})),
            ("leg", json!({"side": "left", "pose": {"y_m": half_m, "z_m": 0.05}})),
            ("walk", json!({"stance": {"x_m": 0.5}, "focal": {"x_m": 2.0}})),
        ];
        for (kind, settings) in shown {
            let preview = testkit::registry().preview(&node(kind, &settings), &body).expect("it can be done");
            let preview = preview.expect("it moves a body");
            assert!(preview.goal != body.state().positions && preview.duration_s > 0.0, "{name}: {kind}");
            assert_eq!(kind == "walk", !preview.footsteps.is_empty(), "{name}: {kind}");
        }
    });
}
