//! What an author does with scene actions and conditions: mirror them, change frames, see values.

use std::sync::Arc;

use engine::{Mirror, Plane, Rework};
use model::{Field, Fields, Node, NodeId};
use robot::Robot;
use serde_json::{Value as Json, json};
use testkit::Stage;

fn node(kind: &str, settings: &Json) -> Node {
    let mut fields = Fields::default();
    for (key, value) in settings.as_object().expect("settings are an object") {
        fields.push(key.as_str().into(), Field::from_json(value.clone()));
    }
    let (id, parent, children) = (NodeId(1), None, Vec::new());
    Node { id, parent, kind: kind.into(), name: "".into(), notes: "".into(), children, fields, id_written: false }
}

fn reworked(kind: &str, settings: &Json, rework: &Rework<'_>) -> Json {
    testkit::registry().rework(&node(kind, settings), rework).expect("it can be done").expect("a step")
}

/// With a frame at (1, 0.5, 0.8), turned by 30°.
fn stage() -> Stage {
    let mut stage = Stage::new("coact-one", "wait W duration_s=0.1", "0 frame box 1 0.5 0.8 30");
    stage.run();
    stage
}

fn robot() -> Arc<Robot> {
    Arc::new(Robot::builtin("coact-one").expect("a robot of our own"))
}

const POSE: &str = r#"{"x_m": 0.4, "y_m": 0.3, "z_m": 0.2, "yaw_deg": 20.0}"#;

/// Each type with a pose, and where the pose is.
fn with_poses(frame: &str) -> Vec<(&'static str, Json, &'static str)> {
    let pose: Json = serde_json::from_str(POSE).expect("a pose");
    vec![
        ("setup_object", json!({"class": "ball", "nominal": pose, "frame": frame}), "nominal"),
        ("door_frame", json!({"nominal": pose, "frame": frame}), "nominal"),
        ("approach_table", json!({"nominal": pose, "frame": frame}), "nominal"),
        ("shape_contains", json!({"pose": pose, "frame": frame, "inside": "left_hand"}), "pose"),
    ]
}

#[test]
fn poses_are_mirrored_across_the_robot_and_across_an_object() {
    let (stage, robot) = (stage(), robot());
    let body = stage.body();
    let planes = [("pelvis", Plane::Sagittal), ("box", Plane::Object("box")), ("world", Plane::Object("box"))];
    for (frame, plane) in planes {
        let mirror = Mirror { robot: &robot, plane, body: Some(&body) };
        for (kind, settings, key) in with_poses(frame) {
            let once = reworked(kind, &settings, &Rework::Mirror(mirror));
            if frame != "world" {
                assert_eq!(once[key]["y_m"], json!(-0.3), "{kind} in {frame}");
                assert_eq!(once[key]["yaw_deg"], json!(-20.0), "{kind} in {frame}");
            }
            let twice = reworked(kind, &once, &Rework::Mirror(mirror));
            for number in ["x_m", "y_m", "z_m", "yaw_deg"] {
                let (was, is) = (settings[key][number].as_f64(), twice[key][number].as_f64());
                let (was, is) = (was.expect("a number"), is.unwrap_or(0.0));
                assert!((was - is).abs() < 1e-5, "{kind} in {frame}: {number} was {was}, is {is}");
            }
        }
    }
}

#[test]
fn sides_are_swapped() {
    let robot = robot();
    let mirror = Rework::Mirror(Mirror { robot: &robot, plane: Plane::Sagittal, body: None });
    let swapped = reworked("shape_contains", &json!({"inside": "left_hand", "frame": "chest"}), &mirror);
    assert_eq!(swapped["inside"], "right_hand");
    let swapped = reworked("proximity", &json!({"a": "right_sole", "b": "ball"}), &mirror);
    assert_eq!((&swapped["a"], &swapped["b"]), (&json!("left_sole"), &json!("ball")));
    let swapped = reworked("define_frame", &json!({"object": "x", "a": "left_hand", "b": "ball"}), &mirror);
    assert_eq!(swapped["a"], "right_hand");
    let swapped = reworked("setup_object", &json!({"class": "ball", "nearest_to": "left_hand"}), &mirror);
    assert_eq!(swapped["nearest_to"], "right_hand");
    for kind in ["door_panel", "door_frame"] {
        let swapped = reworked(kind, &json!({"door": {"hinge": "left"}}), &mirror);
        assert_eq!(swapped["door"]["hinge"], "right", "{kind}");
    }
}

#[test]
fn poses_in_another_frame_stay_where_they_are() {
    let stage = stage();
    let body = stage.body();
    for (kind, settings, key) in with_poses("chest") {
        let there = reworked(kind, &settings, &Rework::ChangeFrame { to: "box", body: &body });
        assert_eq!(there["frame"], "box");
        assert_ne!(there[key]["x_m"], settings[key]["x_m"]);
        let back = reworked(kind, &there, &Rework::ChangeFrame { to: "chest", body: &body });
        for number in ["x_m", "y_m", "z_m", "yaw_deg"] {
            let (was, is) = (settings[key][number].as_f64(), back[key][number].as_f64());
            assert!((was.unwrap_or(0.0) - is.unwrap_or(0.0)).abs() < 1e-5, "{kind}: {number}");
        }
    }
}

#[test]
fn the_nominal_pose_is_taken_from_where_the_object_is() {
    let stage = stage();
    let body = stage.body();
    let settings = json!({"class": "box", "frame": "world"});
    let taken = reworked("setup_object", &settings, &Rework::SetToRobot(&body));
    assert_eq!(taken["nominal"], json!({"x_m": 1.0, "y_m": 0.5, "z_m": 0.8, "yaw_deg": 30.0}));
}

#[test]
fn the_present_value_is_there_while_authoring() {
    let stage = stage();
    let body = stage.body();
    let registry = testkit::registry();
    let measured = |kind: &str, settings: Json| registry.measure(&node(kind, &settings), &body);
    let near = measured("proximity", json!({"a": "box", "b": "world", "axes": "z", "max_m": 0.5}));
    let near = near.expect("both frames are there").expect("a value");
    assert_eq!((near.value, near.unit, near.holds), (0.8, "m", false));
    let inside =
        measured("shape_contains", json!({"frame": "box", "inside": "box"})).expect("a frame").expect("a value");
    assert!(inside.holds);
    let points = measured("shape_contains", json!({"contains": "points"}));
    assert!(points.is_err_and(|why| why.to_string().contains("no new picture of any camera")));
    assert!(
        measured("proximity", json!({"a": "cup", "b": "world"})).is_err_and(|why| why.to_string().contains("`cup`"))
    );
    assert!(matches!(measured("wait", json!({})), Ok(None)));
}

#[test]
fn what_cannot_work_is_known_before_it_runs() {
    let robot = robot();
    let registry = testkit::registry();
    for (kind, settings, field) in [
        ("setup_object", json!({}), "class"),
        ("setup_object", json!({"class": "chest"}), "class"),
        ("setup_object", json!({"class": "ball", "object": "world"}), "object"),
        ("define_frame", json!({"object": "x", "a": "ball"}), "b"),
        ("define_frame", json!({"object": "x", "a": "x", "b": "ball"}), "object"),
        ("proximity", json!({"b": "ball", "min_m": 2.0}), "max_m"),
        ("proximity", json!({}), "b"),
        ("shape_contains", json!({"shape": {"shape": "sphere", "radius_m": 0.0}}), "shape"),
        ("shape_contains", json!({"min_points": 10, "max_points": 5}), "max_points"),
        ("configure_detectors", json!({"confidence": {"ball": 2.0}}), "confidence"),
        ("door_panel", json!({"object": "pelvis"}), "object"),
    ] {
        let wrong = registry.check(&node(kind, &settings), &robot);
        assert!(wrong.iter().any(|(name, _)| *name == field), "{kind} {settings}: {wrong:?}");
    }
}
