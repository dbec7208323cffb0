//! Templates: our files, the XML of others, and skills carried over from one object to another.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::Side;
use scene::template::{AffordedMotion, Hand, Held, HeldError, Library, Template, Tool, import_xml};
use scene::{Changed, Scene, SceneUpdate, Shape};

fn close(a: &Pose, b: &Pose) {
    let apart = a.distance(b);
    assert!(apart.position_m < 1e-9 && apart.angle_rad < 1e-6, "{a:?}\n{b:?}");
}

fn built_in(class: &str) -> Template {
    Template::clone(Library::built_in().get(class).unwrap())
}

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| (path.display().to_string(), std::fs::read_to_string(path).unwrap());
    paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json")).map(read).collect()
}

#[test]
fn our_files_are_all_built_in_and_survive_a_round_trip() {
    let library = Library::built_in();
    assert_eq!(library.classes().count(), files().len());
    for (file, text) in files() {
        let template = Template::from_json(&file, &text).unwrap();
        assert_eq!(**library.get(&template.class).unwrap(), template, "{file}");
        let again = Template::from_json(&file, &template.to_json()).unwrap();
        assert_eq!(again.to_json(), template.to_json());
        assert_eq!((again.grasps.len(), again.affordances.len()), (template.grasps.len(), template.affordances.len()));
        for (one, other) in template.grasps.iter().zip(&again.grasps) {
            close(&one.object_from_hand, &other.object_from_hand);
        }
    }
}

#[test]
fn everything_wrong_with_a_file_is_told_at_once() {
    let text = r#"{
  "version": 1,
  "clas": "valve",
  "shape": {"shape": "sphere", "radius_m": -1},
  "mass_kg": "heavy",
  "grasps": [
    {"name": "a", "hand": "rigth", "approach": {"distance_m": 9}},
    {"name": "a", "before": {"grip": "open", "angles_deg": {"thumb": "far"}}}
  ],
  "stands": {},
  "affordances": [{"name": "turn", "kind": "circular", "displacement_m": 1}, {}]
}"#;
    let error = Template::from_json("wheel.json", text).unwrap_err().to_string();
    for told in [
        "line 3: error: clas: `clas` does not belong here; did you mean `class`?",
        "`class` is missing",
        "line 4: error: shape: `radius_m` is -1: give a length above 0",
        "line 5: error: mass_kg: a number belongs here, not \"heavy\"",
        "line 7: error: grasps[0].hand: `rigth` is none of either, left, right; did you mean `right`?",
        "line 7: error: grasps[0].approach.distance_m: 9 is not between 0 and 2",
        "grasps[0].approach: x, y and z are all zero",
        "line 8: error: grasps[1].name: `a` is there twice",
        "grasps[1].before.angles_deg.thumb: an angle from -360 to 360 belongs here, not \"far\"",
        "line 10: error: stands: a list […] belongs here",
        "affordances[0].displacement_m: `displacement_m` does not belong here",
        "affordances[1]: `name` is missing",
        "affordances[1]: `kind` is missing",
    ] {
        assert!(error.contains(told), "not told: {told}\n{error}");
    }
    let error = Template::from_json("wheel.json", "{\"version\": }").unwrap_err().to_string();
    assert!(error.contains("wheel.json line 1: not JSON"), "{error}");
}

fn grinder() -> Template {
    let texts = [
        ("objects.xml", include_str!("templates/objects.xml")),
        ("grasps.xml", include_str!("templates/grasps.xml")),
        ("stands.xml", include_str!("templates/stands-printed.txt")),
    ];
    let mut imported = import_xml(&texts);
    assert_eq!((imported.templates.len(), &imported.problems[..]), (1, &[][..]));
    imported.templates.remove(0)
}

#[test]
fn libraries_in_xml_become_templates() {
    let grinder = grinder();
    assert_eq!((grinder.class.as_str(), grinder.group.as_deref()), ("grinder", Some("tools")));
    assert_eq!(grinder.mesh.as_deref(), Some("meshes/grinder.ply"));
    assert!((grinder.mesh_at.rpy().yaw_rad.to_degrees() - 90.0).abs() < 1e-4);
    let Some(Shape::Box { size_m }) = grinder.shape else { panic!("a box") };
    assert!((Vector3::from(size_m) - Vector3::new(0.3, 0.1, 0.2)).norm() < 1e-12);
    close(&grinder.shape_at, &Pose::from_translation(0.05, 0.0, 0.08));
    assert_eq!(grinder.mass_kg, Some(2.1));
    close(&grinder.centre_of_mass, &Pose::from_translation(0.02, 0.0, 0.05));
    close(&grinder.usability("disc").unwrap(), &Pose::from_translation(0.18, 0.0, 0.1));

    let grasp = grinder.grasp("30").unwrap();
    assert_eq!(grasp.hand, Hand::Right);
    assert!((grasp.fingers.angles_deg["right_f0_j1"] - 90.0).abs() < 1e-9);
    assert_eq!(grasp.before.angles_deg["right_f0_j1"], 0.0);
    assert_eq!((grasp.approach.distance_m, grasp.approach.least_m), (0.2, 0.05));
    // The vector is the hand's, whose y points at the object from beside it; its length does not count.
    let before = grinder.object_from_pre_grasp(grasp, Side::Right).unwrap();
    assert!((before.translation_m() - Vector3::new(0.0, 0.29, 0.01)).norm() < 1e-9, "{before:?}");
    let error = grinder.object_from_hand(grasp, Side::Left).unwrap_err().to_string();
    assert!(error.contains("is for the right hand"), "{error}");

    assert_eq!(grinder.stands.iter().map(|stand| stand.name.as_str()).collect::<Vec<_>>(), ["0", "7"]);
    let stand = grinder.stand("0").unwrap().world_from_walking(&Pose::from_translation(2.0, 0.0, 1.0), 0.0);
    close(&stand, &Pose::from_rpy(Vector3::new(1.4, 0.2, 0.0), RollPitchYaw::new(0.0, 0.0, 90_f64.to_radians())));
}

#[test]
fn affordances_in_xml_go_the_ways_their_names_say() {
    let grinder = grinder();
    let hand = Pose::from_translation(0.1, 0.0, 0.3);
    let end = |name: &str| {
        let affordance = grinder.affordance(name).unwrap();
        let way = affordance.way(&Pose::identity(), &hand, &Tool::hand(), affordance.displacement());
        (*way.frame_from_hand.last().unwrap(), way.duration_s)
    };
    close(&end("plunge").0, &Pose::from_translation(0.1, 0.0, 0.34));
    // The hand is on the axis: it only turns, to the two sides.
    let (right, _) = end("turn_right");
    assert!((right.translation_m() - hand.translation_m()).norm() < 1e-9);
    assert!((right.rpy().yaw_rad.to_degrees() - 25.0).abs() < 1e-9);
    // The other goes along the axis with its turn and keeps the hand as it is.
    let (left, duration_s) = end("turn_left");
    assert!((left.translation_m().z - (0.3 - 0.01 * 25.0 / 360.0)).abs() < 1e-9);
    assert!(left.rpy().yaw_rad.abs() < 1e-9);
    assert!((duration_s - 2.5).abs() < 1e-9);
    let AffordedMotion::Circular { displacement_deg, .. } = grinder.affordance("turn_left").unwrap().motion else {
        panic!("circular")
    };
    assert_eq!(displacement_deg, -25.0);
}

#[test]
fn everything_wrong_with_a_library_is_told_at_once() {
    let broken = r#"<templatelibrary>
  <template template_name="a" template_type="one"/>
  <template template_type="2"/>
  <template template_name="c" template_type="3">
    <usability id="0"/>
    <affordance id="1" name="jump" type="ballistic" displacement="1"><pose xyz="0 0" qx="0" qy="0" qz="0" qw="0"/></affordance>
    <affordance id="2" name="turn" type="circular" axis="w" displacement="fast"><pose xyz="0 0 0" qx="0" qy="0" qz="0" qw="1"/></affordance>
  </template>
</templatelibrary>"#;
    let told_of = |text: &str| -> String {
        import_xml(&[("lib.xml", text)]).problems.iter().map(|problem| format!("{problem}\n")).collect()
    };
    let error = told_of(broken);
    for told in [
        "lib.xml line 2: error: template: `template_type` is `one`",
        "line 3: error: template: `template_name` is missing",
        "line 5: error: usability: <pose> is missing",
        "line 6: error: affordance: `type` is `ballistic`",
        "line 7: error: affordance: `displacement` is `fast`",
        "line 7: error: affordance: `axis` is `w`",
    ] {
        assert!(error.contains(told), "not told: {told}\n{error}");
    }
    assert!(told_of("<robot/>").contains("no library of templates"));
    assert!(told_of("<a>").contains("lib.xml line 1: error: not XML"));
}

#[test]
fn an_imported_template_is_written_as_a_file_of_ours() {
    let grinder = grinder();
    let again = Template::from_json("grinder.json", &grinder.to_json()).unwrap();
    assert_eq!(again.affordances.len(), 3);
    for (one, other) in again.affordances.iter().zip(&grinder.affordances) {
        assert_eq!((&one.name, one.motion, one.keep_orientation), (&other.name, other.motion, other.keep_orientation));
        close(&one.object_from_axis, &other.object_from_axis);
    }
    assert_eq!((&again.mesh, again.mass_kg), (&grinder.mesh, grinder.mass_kg));
    assert_eq!(again.shape, Some(Shape::Box { size_m: [0.3, 0.1, 0.2] }));
    assert_eq!(again.grasps[0].fingers.angles_deg["right_f0_j1"], 90.0);
    assert!(grinder.to_json().contains("\"pitch_deg\": -90.0"), "{}", grinder.to_json());
    close(&again.grasps[0].object_from_hand, &grinder.grasps[0].object_from_hand);
}

#[test]
fn unknown_names_are_told_with_those_there_are() {
    let valve = built_in("valve");
    let error = valve.affordance("opne").unwrap_err().to_string();
    assert!(error.contains("no affordance `opne`") && error.contains("did you mean `open`?"), "{error}");
    let error = built_in("wall").grasp("").unwrap_err().to_string();
    assert!(error.contains("has no grasp"), "{error}");
    let error = Library::built_in().get("vale").unwrap_err();
    assert!(error.contains("did you mean `valve`?"), "{error}");
}

#[test]
fn what_is_attached_moves_with_the_hand() {
    let mut held = Held::default();
    let before = Pose::from_translation(0.1, 0.0, 0.0);
    held.attach(Side::Right, "drill", &before).unwrap();
    let error = held.attach(Side::Right, "ball", &before).unwrap_err();
    assert_eq!(error, HeldError::HandFull { side: Side::Right, object: "drill".to_owned() });
    let error = held.attach(Side::Left, "drill", &before).unwrap_err();
    assert!(error.to_string().contains("attached to the right hand already"), "{error}");
    let turned = Pose::from_rpy(Vector3::new(0.0, 0.0, 1.0), RollPitchYaw::new(0.0, 0.0, 90_f64.to_radians()));
    let in_hand = held.in_hand(Side::Right).unwrap();
    close(&(turned * in_hand.hand_from_object), &(turned * before));
    let text = serde_json::to_string(&held).unwrap();
    assert_eq!(serde_json::from_str::<Held>(&text).unwrap(), held);
    assert_eq!(held.detach(Side::Right).unwrap().object, "drill");
    assert_eq!(held.detach(Side::Right).unwrap_err(), HeldError::HandEmpty { side: Side::Right });
}

#[test]
fn the_scene_takes_along_what_is_attached() {
    let mut scene = Scene::default();
    let cup = Pose::from_translation(0.5, 0.0, 1.0);
    let hand_from_object = Pose::from_translation(0.1, 0.0, 0.0);
    let attach = SceneUpdate::Attach { name: "cup".into(), side: Side::Left, hand_from_object, world_from_object: cup };
    let hand_at = |scene: &mut Scene, x_m: f64| {
        scene.advance(0, &|frame| (frame == "left_hand").then(|| Pose::from_translation(x_m, 0.0, 1.0)));
        scene.object("cup").unwrap().world_from_object.unwrap().translation_m().x
    };
    scene.apply(&attach).unwrap();
    assert_eq!(hand_at(&mut scene, 0.7), 0.7 + 0.1);
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(serde_json::from_str::<Scene>(&text).unwrap(), scene);
    assert!(scene.apply(&attach).unwrap_err().to_string().contains("detach it first"));
    let before = scene.clone();
    let other = SceneUpdate::Attach { name: "".into(), side: Side::Right, hand_from_object, world_from_object: cup };
    assert!(scene.apply(&other).is_err());
    assert_eq!(scene, before, "whole or not at all");
    scene.apply(&SceneUpdate::Detach { side: Side::Left }).unwrap();
    assert_eq!(hand_at(&mut scene, 0.9), 0.7 + 0.1);
    let error = scene.apply(&SceneUpdate::Detach { side: Side::Left }).unwrap_err().to_string();
    assert!(error.contains("nothing is attached to the left hand"), "{error}");
    // What is put somewhere else by one who knows the hand stays in it.
    scene.apply(&attach).unwrap();
    let (in_hand, in_world) = (Pose::from_translation(0.3, 0.0, 0.0), Pose::from_translation(1.2, 0.0, 0.0));
    scene.place_in_hand(&"cup".into(), None, (&in_hand, &in_world)).unwrap();
    assert_eq!(hand_at(&mut scene, 0.9), 0.9 + 0.3);
    scene.take_changes();
    // What becomes another thing, or is gone, is in no hand any more, and that is told.
    scene.apply(&SceneUpdate::Place { name: "cup".into(), class: None, world_from_object: cup }).unwrap();
    let told: Vec<Changed> = scene.take_changes().iter().map(|change| change.what).collect();
    assert_eq!(told, [Changed::Detached, Changed::SetUp]);
    assert_eq!(hand_at(&mut scene, 0.9), 0.5);
    scene.apply(&attach).unwrap();
    scene.apply(&SceneUpdate::Delete { name: "cup".into() }).unwrap();
    scene.apply(&attach).unwrap();
    scene.apply(&SceneUpdate::Clear).unwrap();
    assert!(scene.held().is_empty());
}

#[test]
fn a_template_in_the_mirror_does_the_mirrored() {
    let lever = built_in("door_handle");
    let other = lever.mirrored();
    let (hand, world) = (Pose::from_translation(-0.1, 0.1, 0.05), Pose::identity());
    for (one, mirrored) in lever.affordances.iter().zip(&other.affordances) {
        let way = one.way(&world, &hand, &Tool::hand(), one.displacement());
        let in_mirror = mirrored.way(&world, &hand.mirrored(), &Tool::hand(), mirrored.displacement());
        for (pose, other) in way.frame_from_hand.iter().zip(&in_mirror.frame_from_hand) {
            close(&pose.mirrored(), other);
        }
    }
    let grasp = other.object_from_hand(other.grasp("right").unwrap(), Side::Left).unwrap();
    close(&grasp, &lever.object_from_hand(lever.grasp("right").unwrap(), Side::Right).unwrap().mirrored());
}

// Skill transfer.

fn object_pose() -> impl Strategy<Value = Pose> {
    (prop::array::uniform3(-2.0..2.0_f64), -3.0..3.0_f64)
        .prop_map(|(at, yaw)| Pose::from_rpy(Vector3::from(at), RollPitchYaw::new(0.0, 0.0, yaw)))
}

/// How far from an axis, and how far along it.
fn about(world_from_axis: &Pose, point: &Vector3<f64>) -> (f64, f64) {
    let local = world_from_axis.inverse().transform_point(&Point3::from(*point));
    (libm::hypot(local.y, local.z), local.x)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    /// One affordance, objects of other sizes: the hand goes about the axis at the radius at which it holds.
    #[test]
    fn a_valve_of_any_size_is_turned(world_from_valve in object_pose(), factor in 0.5..2.0_f64, angle_deg in -200.0..200.0_f64) {
        let valve = built_in("valve").scaled(factor);
        let grasp = valve.grasp("rim").unwrap();
        let hand = world_from_valve * valve.object_from_hand(grasp, Side::Right).unwrap();
        let turn = valve.affordance("unscrew").unwrap();
        let way = turn.way(&world_from_valve, &hand, &Tool::hand(), angle_deg);
        let (radius_m, start_m) = about(&world_from_valve, &hand.translation_m());
        prop_assert!((radius_m - 0.13 * factor).abs() < 1e-9);
        for pose in &way.frame_from_hand {
            prop_assert!((about(&world_from_valve, &pose.translation_m()).0 - radius_m).abs() < 1e-9);
        }
        let end = way.frame_from_hand.last().unwrap();
        let advance_m = about(&world_from_valve, &end.translation_m()).1 - start_m;
        prop_assert!((advance_m - 0.02 * angle_deg / 360.0).abs() < 1e-9);
        // Held as before.
        let turned = Pose::screw(angle_deg.to_radians(), advance_m);
        let apart = (world_from_valve * turned).inverse() * *end;
        let apart = apart.distance(&(world_from_valve.inverse() * hand));
        prop_assert!(apart.position_m < 1e-9 && apart.angle_rad < 1e-6);
        prop_assert!((way.duration_s - angle_deg.abs() / 30.0).abs() < 1e-9);
    }

    /// The affordance of one object at another of the same manipulation class: a valve's turn for a steering wheel, a
    /// box's push for whatever blocks the way.
    #[test]
    fn an_affordance_serves_another_object(world_from_wheel in object_pose(), grip_m in 0.15..0.25_f64, push_m in 0.01..0.5_f64) {
        let turn = built_in("valve").affordance("open").unwrap().clone();
        let hand = world_from_wheel * Pose::from_translation(-0.05, grip_m, 0.0);
        let way = turn.way(&world_from_wheel, &hand, &Tool::hand(), 90.0);
        let end = world_from_wheel.inverse() * *way.frame_from_hand.last().unwrap();
        prop_assert!((end.translation_m() - Vector3::new(-0.05, 0.0, grip_m)).norm() < 1e-9);
        let push = built_in("box").affordance("push").unwrap().clone();
        let way = push.way(&world_from_wheel, &hand, &Tool::hand(), push_m);
        let moved = way.frame_from_hand.last().unwrap().translation_m() - hand.translation_m();
        prop_assert!((moved - world_from_wheel.transform_vector(&Vector3::x()) * push_m).norm() < 1e-9);
        let turned = hand.rotation().angle_to(&way.frame_from_hand.last().unwrap().rotation());
        prop_assert!(turned < 1e-6);
    }

    /// Through what the hand holds: the bit goes round on the wall, not the hand, and the drill keeps pointing at it.
    #[test]
    fn a_held_tool_follows_the_affordance(world_from_wall in object_pose(), radius_m in 0.05..0.3_f64, grip in prop::array::uniform3(-0.1..0.1_f64)) {
        let drill = built_in("drill");
        let bit = drill.usability("bit").unwrap();
        let hand_from_drill = Pose::from_translation(grip[0], grip[1], grip[2]);
        let tool = Tool::of_held(&hand_from_drill, &bit);
        let bit_at = world_from_wall * Pose::from_translation(0.0, 0.0, radius_m);
        let hand = bit_at * tool.hand_from_tool.inverse();
        let circle = built_in("wall").affordance("cut_circle").unwrap().clone();
        let way = circle.way(&world_from_wall, &hand, &tool, 360.0);
        for pose in &way.frame_from_hand {
            let bit = *pose * tool.hand_from_tool;
            let (now_m, depth_m) = about(&world_from_wall, &bit.translation_m());
            prop_assert!((now_m - radius_m).abs() < 1e-9 && depth_m.abs() < 1e-9);
            prop_assert!(pose.rotation().angle_to(&hand.rotation()) < 1e-6);
        }
        // With the hand as the tool it is the hand that goes round.
        let hand_m = about(&world_from_wall, &hand.translation_m()).0;
        for pose in circle.way(&world_from_wall, &hand, &Tool::hand(), 360.0).frame_from_hand {
            prop_assert!((about(&world_from_wall, &pose.translation_m()).0 - hand_m).abs() < 1e-9);
        }
    }

    #[test]
    fn the_left_hand_grasps_in_the_mirror(class in prop::sample::select(vec!["valve", "ball", "box", "drill", "hose"])) {
        let template = built_in(class);
        for grasp in &template.grasps {
            let right = template.object_from_pre_grasp(grasp, Side::Right).unwrap();
            let left = template.object_from_pre_grasp(grasp, Side::Left).unwrap();
            let apart = left.distance(&right.mirrored());
            prop_assert!(apart.position_m < 1e-9 && apart.angle_rad < 1e-6);
            let hand = template.object_from_hand(grasp, Side::Right).unwrap();
            let way_m = hand.translation_m() - right.translation_m();
            prop_assert!((way_m.norm() - grasp.approach.distance_m).abs() < 1e-9);
        }
    }
}

#[test]
fn a_folder_of_templates_comes_before_ours() {
    let folder = std::env::temp_dir().join(format!("coact-templates-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = r#"{"version": 1, "class": "valve", "stands": [{"name": "mine"}]}"#;
    std::fs::write(folder.join("valve.json"), text).unwrap();
    std::fs::write(folder.join("second.json"), text).unwrap();
    std::fs::write(folder.join("broken.json"), "{").unwrap();
    std::fs::write(folder.join("objects.xml"), include_str!("templates/objects.xml")).unwrap();
    let mut library = Library::built_in();
    let errors: Vec<String> = library.add_folder(&folder).iter().map(ToString::to_string).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(library.get("valve").unwrap().stands[0].name, "mine");
    assert!(library.get("grinder").is_ok() && library.get("ball").is_ok());
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("broken.json line 1: error: not JSON"), "{errors:?}");
    assert!(errors[1].contains("is for class `valve` too"), "{errors:?}");
    assert!(library.add_folder(Path::new("/nowhere")).is_empty());
}
