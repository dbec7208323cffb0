//! What is wrong with a small file: all of it at once, each with its key, line and remedy.

use std::path::Path;

use robot::{PartName, Problem, Robot, RobotError, Side};
use serde_json::{Value, json};

const URDF: &str = include_str!("../../../robots/coact-one/robot.urdf");
const SMALL: &str = include_str!("../../../robots/coact-one/robot.json");

fn load(text: &str) -> Result<(Robot, Vec<Problem>), RobotError> {
    Robot::from_texts(text, "robot.json", URDF, Path::new("robot.urdf"))
}

/// Of our own file, changed at some keys.
fn told(changes: &[(&str, Value)]) -> (Robot, Vec<String>) {
    let mut file: Value = serde_json::from_str(SMALL).expect("as it is written here");
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("as it is written here");
        let parent = file.pointer_mut(parent).expect("as it is written here");
        match key.parse::<usize>() {
            Ok(index) => parent[index] = value.clone(),
            Err(_) => parent[key] = value.clone(),
        }
    }
    let (robot, problems) =
        load(&serde_json::to_string_pretty(&file).expect("as it is written here")).expect("as it is written here");
    (robot, problems.iter().map(|problem| format!("{}: {}", problem.element, problem.message)).collect())
}

#[test]
fn names_that_are_not_there() {
    let (robot, problems) = told(&[
        ("/parts/left_arm/joints/3", json!("left_elbow_pich")),
        ("/presets_deg/home/left_elbo_pitch", json!(3)),
        ("/cameras/head/link", json!("head_camra")),
        ("/wlaking", json!({})),
    ]);
    assert_eq!(
        problems,
        [
            "parts.left_arm.joints[3]: the robot has no joint `left_elbow_pich` that moves by itself; did you mean \
             `left_elbow_pitch`?",
            "presets_deg.home.left_elbo_pitch: the robot has no joint `left_elbo_pitch` that moves by itself; did you mean \
             `left_elbow_pitch`?",
            "cameras.head.link: the robot has no link `head_camra`; did you mean `head_camera`?",
            "wlaking: there is no such key; did you mean `walking`?",
        ]
    );
    assert_eq!(robot.part(PartName::Arm(Side::Left)).expect("as it is written here").coordinates.len(), 6);
}

#[test]
fn lines() {
    let text = SMALL.replace("\"left_elbow_pitch\": -90", "\"left_elbow_pitch\": -200");
    let line = text.lines().position(|line| line.contains("-200")).expect("as it is written here") + 1;
    let (robot, problems) = load(&text).expect("as it is written here");
    assert_eq!(
        problems[0].to_string(),
        format!(
            "robot.json line {line}: error: presets_deg.ready.left_elbow_pitch: -200.00° is outside the limits of \
             `left_elbow_pitch`, -143.24° to 0.00°; the nearer end is taken"
        )
    );
    assert!(robot.model.within_limits(&robot.configuration("ready").expect("as it is written here")));
    let twice = SMALL.replacen("\"version\": 1,", "\"version\": 1,\n\"version\": 1,", 1);
    assert_eq!(load(&twice).expect("as it is written here").1[0].line, 3);
}

#[test]
fn parts_and_mirrors_that_do_not_fit() {
    let (_, problems) = told(&[("/parts/left_arm/joints/0", json!("left_hip_yaw"))]);
    assert_eq!(
        problems,
        ["parts.left_arm.joints[0]: joint `left_hip_yaw` is not between the base and the tip of this part; left out"]
    );
    let (_, problems) = told(&[("/parts/neck/base", json!("left_palm"))]);
    assert_eq!(problems[0], "parts.neck: its tip `head` does not hang on its base `left_palm`; left out");
    let (robot, problems) = told(&[(
        "/mirror",
        json!({"left_knee_pitch": {"joint": "right_hip_yaw"}, "right_hip_yaw": {"joint": "neck_yaw"}}),
    )]);
    assert!(problems.iter().any(|told| told.starts_with("mirror.left_knee_pitch: mirrored twice")), "{problems:?}");
    for (own, to) in robot.mirror.iter().enumerate() {
        assert_eq!(robot.mirror[to.coordinate].coordinate, own, "whatever the file says, twice is nothing");
        assert_eq!(robot.mirror[to.coordinate].sign, to.sign);
    }
    let (_, problems) = told(&[("/mirror", json!({"left_hip_yaw": {"joint": "right_hip_yaw", "sign": 1}}))]);
    assert!(problems[1].starts_with("mirror.left_hip_yaw: joint `left_hip_yaw` in the mirror goes"), "{problems:?}");
}

#[test]
fn numbers_and_kinds() {
    let (robot, problems) = told(&[
        ("/walking/max_forward_m", json!(-1)),
        ("/walking/swing_height_m", json!("high")),
        ("/hands", json!([])),
        ("/cameras/head/width", json!(0)),
        ("/grips_deg/open/left_knee_pitch", json!(5)),
    ]);
    let told = problems.join("\n");
    for part in [
        "walking.max_forward_m: -1 is below zero; 0.45 is taken",
        "walking.swing_height_m: a text where a number belongs; left out",
        "hands: a list where an object {…} belongs; left out",
        "cameras.head.width: 0 is not between 0 and 16384; 640 is taken",
        "grips_deg.open.left_knee_pitch: this joint is not of a hand; left out of the grip",
    ] {
        assert!(told.contains(part), "{part}\nnot in\n{told}");
    }
    assert_eq!(robot.walking.max_forward_m, 0.45);
}

#[test]
fn a_file_without_frames_lists_everything() {
    let error = load(r#"{"version": 1, "walking": {"max_forward_cm": 4}, "frames": {"pelvis": "pelvs"}}"#).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("the robot has no link `pelvs`; did you mean `pelvis`?"), "{told}");
    assert!(told.contains("`chest` is missing") && told.contains("`right_sole` is missing"), "{told}");
    assert!(told.contains("did you mean `max_forward_m`?"), "{told}");
}

#[test]
fn the_frames_are_enough() {
    let whole = Robot::builtin("coact-one").expect("as it is written here");
    let mut file: Value = serde_json::from_str(SMALL).expect("as it is written here");
    file.as_object_mut().expect("as it is written here").remove("parts");
    let (robot, problems) = load(&file.to_string()).expect("as it is written here");
    assert_eq!(problems, []);
    for part in &whole.parts {
        let same = robot.part(part.name).expect("as it is written here");
        assert_eq!((&same.coordinates, same.base, same.tip), (&part.coordinates, part.base, part.tip), "{}", part.name);
    }
}

#[test]
fn frames_may_be_placed() {
    let (robot, problems) =
        told(&[("/frames/left_hand", json!({"link": "left_hand", "xyz_m": [0, 0.02, -0.085], "rpy_deg": [0, 0, 90]}))]);
    assert_eq!(problems.len(), 1, "it has no mirror image: {problems:?}");
    let link = &robot.description.links[robot.frames.hands[0]];
    assert_eq!((link.name.as_str(), link.line), ("left_hand_frame", 0));
    let gone = SMALL.replacen("\"left_hand\": \"left_palm\"", "\"left_hand\": {\"link\": \"left_pam\"}", 1);
    assert!(load(&gone).unwrap_err().to_string().contains("frames.left_hand.link: the robot has no link `left_pam`"));
}

#[test]
fn one_side_is_enough_for_a_preset() {
    let robot = Robot::builtin("coact-one").expect("as it is written here");
    let home = robot.configuration("home").expect("as it is written here");
    let at = |joint: &str| home[robot.model.coordinate(joint).expect("as it is written here")].to_degrees();
    assert!((at("left_shoulder_roll") - 8.0).abs() < 1e-9 && (at("right_shoulder_roll") + 8.0).abs() < 1e-9);
    assert!((at("right_knee_pitch") - 20.0).abs() < 1e-9);
}

#[test]
fn what_is_not_there() {
    assert!(matches!(Robot::find("no-such-robot"), Err(RobotError::Unknown { .. })));
    assert!(Robot::find("no-such-robot").unwrap_err().to_string().contains("coact-one, coact-mini"));
    assert!(matches!(load("{"), Err(RobotError::NotJson { .. })));
    assert!(matches!(load("[]"), Err(RobotError::NotJson { .. })));
    assert!(matches!(Robot::load(Path::new("no/such/folder")), Err(RobotError::Unreadable { .. })));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/coact-mini");
    assert_eq!(Robot::load(&folder).expect("as it is written here").0.name, "coact-mini");
    assert!(load(&format!("\u{feff}{SMALL}")).expect("as it is written here").1.is_empty());
}
