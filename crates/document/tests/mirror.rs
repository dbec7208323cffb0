//! Mirroring, as the file it leaves: in place and as a copy, with guards, claims, names, references and skills.

use std::sync::{Arc, LazyLock};

use document::{Document, DocumentError, SidedSkills};
use engine::{Body, FrameAt, Mirror, Plane};
use expect_test::{Expect, expect};
use geometry::{Pose, RollPitchYaw, Vector3};
use model::file::{MemoryFiles, load};
use model::{Edit, NodeId};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::interface::{Capabilities, FootState, Mode, RobotState, Vitals, WalkingState, Wrench};
use robot::{Robot, Side};
use serde_json::{Value as Json, json};

static ROBOT: LazyLock<Arc<Robot>> = LazyLock::new(|| Arc::new(Robot::builtin("coact-one").expect("our own")));

fn body() -> Body {
    let positions = ROBOT.configuration("ready").expect("a preset");
    let count = positions.len();
    let state = RobotState {
        time_ns: 0,
        positions,
        velocities: vec![0.0; count],
        efforts: vec![0.0; count],
        world_from_base: Pose::from_rpy(Vector3::new(0.0, 0.0, 1.0), RollPitchYaw::new(0.0, 0.0, 0.0)),
        hand_wrenches: [Wrench::NONE; 2],
        feet: [FootState::default(); 2],
        walking: WalkingState::default(),
        commands: Vec::new(),
        faults: Vec::new(),
        mode: Mode::Standing,
        vitals: Vitals::default(),
    };
    let mut body = Body::new(Arc::clone(&ROBOT), Arc::new(Capabilities::default()), Arc::new(state));
    let turned = RollPitchYaw::new(0.0, 0.0, 30_f64.to_radians());
    body.place(&FrameAt { name: "door".into(), world_from_frame: Pose::from_rpy(Vector3::new(1.0, 0.2, 0.0), turned) });
    body
}

fn open(files: &[(&str, Json)]) -> Document {
    let mut memory = MemoryFiles::default();
    for (name, json) in files {
        memory.insert(*name, json.to_string());
    }
    let registry = nodes::registry();
    let loaded = load(files[0].0, &memory, registry.catalogue()).expect("it opens");
    let errors: Vec<_> = loaded.problems.iter().filter(|problem| problem.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    Document::new(loaded.library, registry, 1)
}

fn main_with(children: Json) -> Document {
    open(&[("main.json", json!({"version": 1, "name": "Main", "children": children}))])
}

fn named(document: &Document, name: &str) -> NodeId {
    let tree = document.library().main();
    tree.walk(tree.root).find(|id| &**tree.node(*id).label() == name).expect("a node of that name")
}

fn text(document: &Document) -> String {
    let files = document.library().iter().map(|(_, tree)| tree.file.clone());
    files.map(|file| format!("{file} {}", document.text(&file).expect("it is there"))).collect()
}

/// The whole behavior across the robot's own plane.
fn mirror(document: &mut Document, skills: SidedSkills) -> Result<Vec<Edit>, DocumentError> {
    let body = body();
    let root = document.library().main().root;
    document.mirror(&[root], &Mirror { robot: &ROBOT, plane: Plane::Sagittal, body: Some(&body) }, skills)
}

#[track_caller]
fn check(document: &mut Document, act: impl FnOnce(&mut Document), expected: Expect) {
    let before = text(document);
    act(document);
    let after = text(document);
    expected.assert_eq(&after);
    document.undo().expect("one step");
    assert_eq!(text(document), before);
    assert!(document.undo_label().is_none() && document.changed_files().is_empty());
    document.redo().expect("and again");
    assert_eq!(text(document), after);
}

#[test]
fn settings_guards_claims_and_names_change_sides() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "Reach left", "side": "left", "pose": {"x_m": 0.3, "y_m": 0.2, "yaw_deg": -20},
         "until": "left_hand_force_n > 20 && left_shoulder_roll_deg < 40"},
        {"type": "wait", "name": "Hold upright", "duration_s": 1, "claims": ["left_arm", "left_elbow_pitch", "door"]},
        {"type": "joint_move", "angles_deg": {"left_shoulder_roll": 20, "neck_yaw": 10},
         "events": [{"name": "touched", "condition": "right_hand_force_n > 5"}]},
        {"type": "neck", "name": "LookLeft", "yaw_deg": 30},
        {"type": "condition", "condition": "outcome('Reach left') == 'touched'"},
        {"type": "condition", "condition": "distance('left_hand', 'left ball') < 0.1 && points('right_sole', 0.2) == 0"},
    ]));
    check(
        &mut document,
        |document| drop(mirror(document, SidedSkills::Mirrored).expect("it can be mirrored")),
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {
                  "type": "arm",
                  "name": "Reach right",
                  "until": "right_hand_force_n > 20 && (-right_shoulder_roll_deg) < 40",
                  "pose": {"x_m": 0.3, "y_m": -0.2, "yaw_deg": 20}
                },
                {
                  "type": "wait",
                  "name": "Hold upright",
                  "claims": ["right_arm", "right_elbow_pitch", "door"],
                  "duration_s": 1
                },
                {
                  "type": "joint_move",
                  "angles_deg": {"neck_yaw": -10, "right_shoulder_roll": -20},
                  "events": [
                    {"name": "touched", "condition": "left_hand_force_n > 5"}
                  ]
                },
                {"type": "neck", "name": "LookRight", "yaw_deg": -30},
                {"type": "condition", "condition": "outcome('Reach right') == 'touched'"},
                {
                  "type": "condition",
                  "condition": "distance('right_hand', 'left ball') < 0.1 && points('left_sole', 0.2) == 0"
                }
              ]
            }
        "#]],
    );
}

#[test]
fn a_copy_stands_behind_and_refers_to_itself() {
    let mut document = main_with(json!([
        {"type": "sequence", "name": "Left side", "children": [
            {"type": "hand", "name": "Open left", "side": "left"},
            {"type": "arm", "name": "Left home", "side": "left", "by": "preset", "preset": "home",
             "after": "Beginning"},
            {"type": "wait", "name": "W", "duration_s": 1, "after": "Open left"},
        ]},
    ]));
    check(
        &mut document,
        |document| {
            let body = body();
            let top = named(document, "Left side");
            let mirror = Mirror { robot: &ROBOT, plane: Plane::Sagittal, body: Some(&body) };
            document.mirror_copy(&[top], &mirror, SidedSkills::Mirrored).expect("it can be mirrored");
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {
                  "type": "sequence",
                  "name": "Left side",
                  "children": [
                    {"type": "hand", "name": "Open left", "side": "left"},
                    {
                      "type": "arm",
                      "name": "Left home",
                      "after": "Beginning",
                      "side": "left",
                      "by": "preset",
                      "preset": "home"
                    },
                    {"type": "wait", "name": "W", "after": "Open left", "duration_s": 1}
                  ]
                },
                {
                  "type": "sequence",
                  "name": "Right side",
                  "children": [
                    {"type": "hand", "name": "Open right"},
                    {
                      "type": "arm",
                      "name": "Right home",
                      "after": "Beginning",
                      "by": "preset",
                      "preset": "home"
                    },
                    {"type": "wait", "name": "W", "after": "Open right", "duration_s": 1}
                  ]
                }
              ]
            }
        "#]],
    );
}

#[test]
fn across_an_object_the_pose_stays_beside_it() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "Push", "side": "left", "frame": "door", "pose": {"x_m": -0.1, "y_m": 0.3, "z_m": 1}},
    ]));
    check(
        &mut document,
        |document| {
            let body = body();
            let top = named(document, "Push");
            let mirror = Mirror { robot: &ROBOT, plane: Plane::Object("door"), body: Some(&body) };
            document.mirror(&[top], &mirror, SidedSkills::Mirrored).expect("it can be mirrored");
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {
                  "type": "arm",
                  "name": "Push",
                  "frame": "door",
                  "pose": {"x_m": -0.1, "y_m": -0.3, "z_m": 1}
                }
              ]
            }
        "#]],
    );
}

#[test]
fn a_world_is_mirrored_with_its_objects_wherever_they_are() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "Push", "side": "left", "frame": "never_seen", "pose": {"y_m": 0.3, "yaw_deg": 20}},
    ]));
    check(
        &mut document,
        |document| {
            let top = named(document, "Push");
            let mirror = Mirror { robot: &ROBOT, plane: Plane::World, body: None };
            document.mirror(&[top], &mirror, SidedSkills::Mirrored).expect("it can be mirrored");
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {
                  "type": "arm",
                  "name": "Push",
                  "frame": "never_seen",
                  "pose": {"y_m": -0.3, "yaw_deg": -20}
                }
              ]
            }
        "#]],
    );
}

#[test]
fn one_that_cannot_be_mirrored_holds_all() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "First", "side": "left", "pose": {"y_m": 0.2}},
        {"type": "sequence", "name": "Group", "children": [
            {"type": "arm", "name": "Second", "side": "left", "frame": "left_forearm", "pose": {"y_m": 0.2}}]},
    ]));
    let before = text(&document);
    let refused = mirror(&mut document, SidedSkills::Mirrored).expect_err("a link has no other side");
    expect![
        "`/Group/Second`: nothing says what link `left_forearm` is on the other side: give the pose in another frame"
    ]
    .assert_eq(&refused.to_string());
    assert_eq!(text(&document), before);
    assert!(document.undo_label().is_none());
}

fn with_skill() -> Document {
    open(&[
        (
            "main.json",
            json!({"version": 1, "name": "Main", "children": [
                {"type": "skill", "name": "Wave left", "file": "skills/wave-left.json"},
                {"type": "skill", "name": "Nod", "file": "skills/nod.json"}]}),
        ),
        (
            "skills/wave-left.json",
            json!({"version": 1, "name": "Wave left", "children": [{"type": "arm", "side": "left", "pose": {"y_m": 0.4}}]}),
        ),
        ("skills/nod.json", json!({"version": 1, "name": "Nod", "children": [{"type": "neck", "pitch_deg": 20}]})),
    ])
}

#[test]
fn a_skill_with_sides_is_copied_only_if_asked() {
    let mut document = with_skill();
    let before = document.text("main.json");
    mirror(&mut document, SidedSkills::Mirrored).expect("its use can be mirrored");
    let uses = document.text("main.json").expect("it is there");
    assert_eq!(uses.matches(r#""mirrored": true"#).count(), 1, "{uses}");
    assert_eq!(document.library().len(), 3);
    mirror(&mut document, SidedSkills::Mirrored).expect("and back");
    assert_eq!(document.text("main.json"), before);
    let mut document = with_skill();
    check(
        &mut document,
        |document| drop(mirror(document, SidedSkills::Copy).expect("it can be mirrored")),
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {"type": "skill", "name": "Wave right", "file": "skills/wave-right.json"},
                {"type": "skill", "name": "Nod", "file": "skills/nod.json"}
              ]
            }
            skills/wave-left.json {
              "version": 2,
              "name": "Wave left",
              "children": [
                {
                  "type": "arm",
                  "side": "left",
                  "pose": {"y_m": 0.4}
                }
              ]
            }
            skills/nod.json {
              "version": 2,
              "name": "Nod",
              "children": [
                {"type": "neck", "pitch_deg": 20}
              ]
            }
            skills/wave-right.json {
              "version": 2,
              "name": "Wave right",
              "children": [
                {
                  "type": "arm",
                  "pose": {"y_m": -0.4}
                }
              ]
            }
        "#]],
    );
}

/// Where objects stay, a pose beside one is not what it is in a world that is mirrored with its objects.
#[test]
fn a_use_with_poses_beside_objects_is_mirrored_only_with_them() {
    let files = || {
        open(&[
            ("main.json", json!({"version": 1, "children": [{"type": "skill", "name": "Push", "file": "push.json"}]})),
            (
                "push.json",
                json!({"version": 1, "children": [
                {"type": "arm", "side": "left", "frame": "door", "pose": {"x_m": -0.1, "y_m": 0.3, "z_m": 1}}]}),
            ),
        ])
    };
    let mut document = files();
    let refused = mirror(&mut document, SidedSkills::Mirrored).expect_err("the door stays");
    expect!["`/Push` uses push.json, which has poses in frames of objects: mirrored, its use would mirror the objects too. Mirror the world with its objects, let the use lead to a mirrored copy of that file, or write the skill out here"].assert_eq(&refused.to_string());
    mirror(&mut document, SidedSkills::MirroredOrCopy).expect("by a copy");
    assert!(document.library().find("push-mirrored.json").is_some());
    let mut document = files();
    let (body, root) = (body(), document.library().main().root);
    let world = Mirror { robot: &ROBOT, plane: Plane::World, body: Some(&body) };
    document.mirror(&[root], &world, SidedSkills::Mirrored).expect("with the door");
    assert!(document.text("main.json").expect("it is there").contains(r#""mirrored": true"#));
}

/// What a type makes of a number or a word in a place, it makes of what an expression gives there.
#[test]
fn values_of_the_moment_are_mirrored_by_expressions() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "Reach", "side": {"=": "side"}, "frame": "chest",
         "pose": {"x_m": {"=": "far_m"}, "y_m": {"=": "far_m / 2"}, "z_m": 0.2, "yaw_deg": {"=": "-turn_deg"}}},
        {"type": "joint_move", "angles_deg": {"left_shoulder_roll": {"=": "left_shoulder_roll_deg + 5"}}},
        {"type": "wait", "duration_s": {"=": "right_hand_force_n / 10"}},
        {"type": "neck", "yaw_deg": 5, "timeout_s": {"=": "far_m"}},
        {"type": "wait_until", "condition": "in_frame('handle', 'left_hand').y_m < reach_m('left') && hinge('door') == 'right'"},
    ]));
    check(
        &mut document,
        |document| drop(mirror(document, SidedSkills::Mirrored).expect("it can be mirrored")),
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Main",
              "children": [
                {
                  "type": "arm",
                  "name": "Reach",
                  "side": {"=": "side == 'left' ? 'right' : 'left'"},
                  "pose": {
                    "x_m": {"=": "far_m"},
                    "y_m": {"=": "-(far_m / 2)"},
                    "z_m": 0.2,
                    "yaw_deg": {"=": "turn_deg"}
                  }
                },
                {
                  "type": "joint_move",
                  "angles_deg": {
                    "right_shoulder_roll": {"=": "-((-right_shoulder_roll_deg) + 5)"}
                  }
                },
                {
                  "type": "wait",
                  "duration_s": {"=": "left_hand_force_n / 10"}
                },
                {
                  "type": "neck",
                  "timeout_s": {"=": "far_m"},
                  "yaw_deg": -5
                },
                {
                  "type": "wait_until",
                  "condition": "mirrored(in_frame('handle', 'right_hand')).y_m < reach_m('right') && (hinge('door') == 'left' ? 'right' : 'left') == 'right'"
                }
              ]
            }
        "#]],
    );
    let before = text(&document);
    for _ in 0..2 {
        mirror(&mut document, SidedSkills::Mirrored).expect("it can be mirrored");
    }
    assert_eq!(text(&document), before);
    let mut document = main_with(json!([{"type": "arm", "name": "Reach", "pose": {"=": "there"}}]));
    let before = text(&document);
    mirror(&mut document, SidedSkills::Mirrored).expect("a whole pose has a mirror image");
    assert!(text(&document).contains("\"pose\": {\"=\": \"mirrored(there)\"}"), "{}", text(&document));
    mirror(&mut document, SidedSkills::Mirrored).expect("and back");
    assert_eq!(text(&document), before);
    let bound = json!([{"type": "arm", "name": "Reach", "by": "angles", "angles_deg": {"=": "angles"}}]);
    let refused = mirror(&mut main_with(bound), SidedSkills::Mirrored).expect_err("a whole list");
    expect!["`/Reach`: `angles_deg` is a value of the moment, `angles`, and no expression says what that is on the other side: write out what has a side, or use a skill `mirrored`"].assert_eq(&refused.to_string());
}

/// The copy that is there already is its mirror image: it is used, not made again.
#[test]
fn mirrored_back_the_use_leads_to_the_first_file() {
    let mut document = with_skill();
    let before = document.text("main.json");
    mirror(&mut document, SidedSkills::Copy).expect("it can be mirrored");
    mirror(&mut document, SidedSkills::Copy).expect("and back");
    assert_eq!(document.text("main.json"), before);
    assert_eq!(document.library().len(), 4);
    let other = document.library().find("skills/wave-right.json").expect("the copy");
    let step = document.library().get(other).root;
    document.rename(step, "Other").expect("a rename");
    let arm = document.library().get(other).walk(step).nth(1).expect("the arm");
    document.set(arm, "duration_s", json!(9)).expect("a setting");
    let refused = mirror(&mut document, SidedSkills::Copy).expect_err("it is no mirror image any more");
    expect!["skills/wave-right.json is already part of this behavior and is no mirror image of skills/wave-left.json: rename one of them"].assert_eq(&refused.to_string());
}

#[test]
fn the_robot_and_frames() {
    let mut document = main_with(json!([
        {"type": "arm", "name": "Push", "side": "left", "frame": "door", "pose": {"x_m": -0.5, "y_m": 0.3, "z_m": 1}},
        {"type": "wait", "name": "W"},
    ]));
    let (body, push, wait) = (body(), named(&document, "Push"), named(&document, "W"));
    let before = text(&document);
    document.change_frame(&[push], "world", &body).expect("a frame");
    document.change_frame(&[push], "door", &body).expect("a frame");
    assert_eq!(text(&document), before, "there and back, to what a person would keep");
    document.set_to_robot(&[push], &body).expect("a pose");
    assert_ne!(text(&document), before);
    let refused = document.change_frame(&[push, wait], "chest", &body).expect_err("a wait has no pose");
    expect!["`/W`: it has no pose in a frame"].assert_eq(&refused.to_string());
    let refused = document.change_frame(&[push], "moon", &body).expect_err("no such frame");
    assert!(refused.to_string().contains("no frame `moon`"), "{refused}");
}

fn side() -> impl Strategy<Value = &'static str> {
    prop::sample::select(Side::BOTH.map(Side::word).to_vec())
}

/// Never zero: a default that is written all the same is left out once the mirror has written its pose.
fn nonzero(most: i32) -> impl Strategy<Value = f64> {
    (-most..most).prop_map(|of| f64::from(if of < 0 { of } else { of + 1 }))
}

/// `1`, not `1.0`.
fn number(number: f64) -> Json {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

/// As people write numbers: lengths to a hundredth of a millimetre, angles to a thousandth of a degree.
fn pose() -> impl Strategy<Value = Json> {
    let length = || nonzero(90_000).prop_map(|of| number(of / 1e5));
    let angle = || nonzero(80_000).prop_map(|of| number(of / 1e3));
    (length(), length(), length(), angle(), angle(), angle()).prop_map(|(x, y, z, roll, pitch, yaw)| {
        json!({"x_m": x, "y_m": y, "z_m": z, "roll_deg": roll, "pitch_deg": pitch, "yaw_deg": yaw})
    })
}

fn step() -> impl Strategy<Value = Json> {
    let frame = prop::sample::select(vec!["chest", "pelvis", "walking", "left_hand", "right_sole"]);
    let angle = || nonzero(80_000).prop_map(|of| number(of / 1e3));
    let joints = ROBOT.parts.iter().flat_map(|part| &part.coordinates);
    let joints: Vec<String> = joints.map(|at| ROBOT.model.coordinates()[*at].name.clone()).collect();
    let senses = engine::sense_names(&ROBOT);
    prop_oneof![
        (side(), frame.clone(), pose())
            .prop_map(|(side, frame, pose)| json!({"type": "arm", "side": side, "frame": frame, "pose": pose})),
        (side(), prop::collection::vec(angle(), 7))
            .prop_map(|(side, angles)| json!({"type": "arm", "side": side, "by": "angles", "angles_deg": angles})),
        prop::collection::btree_map(prop::sample::select(joints.clone()), angle(), 1..4)
            .prop_map(|angles| json!({"type": "joint_move", "angles_deg": angles})),
        (side(), prop::sample::select(vec!["open", "close"]))
            .prop_map(|(side, grip)| json!({"type": "hand", "side": side, "grip": grip})),
        (angle(), angle()).prop_map(|(yaw, pitch)| json!({"type": "neck", "yaw_deg": yaw, "pitch_deg": pitch})),
        (side(), pose(), frame).prop_map(|(side, pose, frame)| {
            json!({"type": "arm", "name": format!("Move {side}"), "side": side, "frame": frame, "waypoints":
                [{"at": 0.5, "pose": pose}]})
        }),
        (prop::sample::select(senses), prop::sample::select(joints)).prop_map(|(sense, joint)| {
            json!({"type": "wait_until", "condition": format!("{sense} == 1"), "claims": [joint]})
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), cases: 64, ..ProptestConfig::default() })]

    /// Exactly, byte for byte, for poses in frames that go along with the robot.
    #[test]
    fn mirrored_twice_is_the_same_file(steps in prop::collection::vec(step(), 1..6)) {
        let mut document = main_with(Json::Array(steps));
        let before = text(&document);
        mirror(&mut document, SidedSkills::Mirrored).expect("it can be mirrored");
        let once = text(&document);
        mirror(&mut document, SidedSkills::Mirrored).expect("it can be mirrored");
        prop_assert_eq!(text(&document), before.clone());
        // What is its own mirror image leaves nothing to take back.
        prop_assert_eq!(document.undo().is_ok(), once != before);
        prop_assert_eq!(text(&document), once);
        let _ = document.undo();
        prop_assert_eq!(text(&document), before);
    }
}
