use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use geometry::{Pose, RollPitchYaw, Vector3};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::{CollisionModel, Description, Geometry, LinkContact, Model, Obstacle, Robot};

use crate::common;

struct Body {
    description: Description,
    model: Model,
    collisions: CollisionModel,
}

static COACT_ONE: LazyLock<Robot> = LazyLock::new(|| Robot::builtin("coact-one").expect("a robot of our own"));

static BODY: LazyLock<Body> = LazyLock::new(|| body(common::description(), common::coact_one()));

fn body(description: Description, model: Model) -> Body {
    let (collisions, problems) = CollisionModel::new(&description, &model);
    assert_eq!(problems, []);
    Body { description, model, collisions }
}

impl Body {
    fn link(&self, name: &str) -> usize {
        self.model.link(name).expect("a link of the robot")
    }

    /// By names, so that the sides can be exchanged.
    fn contacts(&self, positions: &[f64]) -> BTreeMap<BTreeSet<String>, f64> {
        let mut poses = self.model.new_poses();
        self.model.forward(positions, &mut poses);
        let contacts = self.collisions.self_collisions(&poses);
        assert_eq!(self.collisions.is_self_colliding(&poses), !contacts.is_empty());
        let name = |link: usize| self.description.links[link].name.clone();
        contacts.iter().map(|contact| (contact.links.map(name).into(), contact.depth_m)).collect()
    }
}

fn other_side(name: &str) -> String {
    match name.split_once('_') {
        Some(("left", rest)) => format!("right_{rest}"),
        Some(("right", rest)) => format!("left_{rest}"),
        _ => name.to_owned(),
    }
}

#[test]
fn at_rest_and_in_its_presets_no_robot_touches_itself() {
    for name in Robot::names() {
        let robot = Robot::builtin(name).expect("a robot of our own");
        let mut poses = robot.model.new_poses();
        assert!(robot.presets.contains_key("home") && robot.presets.contains_key("ready"));
        for preset in robot.presets.keys() {
            let positions = robot.configuration(preset).expect("a preset");
            robot.model.forward(&positions, &mut poses);
            let named = |contact: LinkContact| contact.links.map(|link| robot.description.links[link].name.clone());
            let contacts: Vec<_> = robot.collision_model().self_collisions(&poses).into_iter().map(named).collect();
            assert!(contacts.is_empty(), "{name} {preset}: {contacts:?}");
            let gap = robot.collision_model().self_distance(&poses, 1.0).expect("links near each other");
            assert!(gap.distance_m > 0.0, "{name} {preset}: {gap:?}");
        }
    }
}

#[test]
fn a_forearm_in_the_chest_is_found() {
    let mut positions = BODY.model.neutral();
    for (joint, angle_rad) in [("left_shoulder_yaw", -1.5), ("left_elbow_pitch", -1.6), ("left_shoulder_roll", -0.2)] {
        positions[BODY.model.coordinate(joint).expect("a joint")] = angle_rad;
    }
    let contacts = BODY.contacts(&positions);
    let found = contacts.iter().find(|(links, _)| links.contains("chest") || links.contains("pelvis"));
    let (links, depth_m) = found.expect("a link of the arm in the trunk");
    assert!(links.iter().any(|link| link.starts_with("left_")) && *depth_m > 0.0, "{contacts:?}");
}

#[test]
fn neighbours_are_not_watched_and_others_are() {
    let watched = BODY.collisions.watched_links();
    let pair = |one: &str, two: &str| {
        let (one, two) = (BODY.link(one), BODY.link(two));
        [one.min(two), one.max(two)]
    };
    assert!(!watched.contains(&pair("left_upper_arm", "left_elbow")));
    for (one, two) in [("left_hand", "head"), ("left_forearm", "chest"), ("left_shin", "right_shin")] {
        assert!(watched.contains(&pair(one, two)), "{one} and {two}");
    }
}

/// From the frame of the head to its top.
const HEAD_M: f64 = 0.105 + 0.025 + 0.086;

#[test]
fn distances_to_obstacles() {
    let mut poses = BODY.model.new_poses();
    BODY.model.forward(&BODY.model.neutral(), &mut poses);
    let head = BODY.link("head");
    let above = poses.base_from(head).translation_m() + Vector3::new(0.0, 0.0, HEAD_M + 0.25 + 0.05);
    let ball = |at: Vector3<f64>| {
        Obstacle::new("lamp", &Geometry::Sphere { radius_m: 0.05 }, &Pose::new(at, Pose::identity().rotation()))
            .expect("a ball")
    };
    let world_from_base = Pose::from_translation(3.0, 0.0, 1.0);
    let lamp = ball(above + Vector3::new(3.0, 0.0, 1.0));
    let gap = BODY.collisions.distance_to(&poses, &world_from_base, &lamp, 1.0).expect("the head is near");
    assert!(gap.link == head && (gap.distance_m - 0.25).abs() < 1e-9, "{gap:?}");
    assert_eq!(BODY.collisions.distance_to(&poses, &world_from_base, &lamp, 0.2), None);
    let within = ball(above + Vector3::new(3.0, 0.0, 1.0 - 0.27));
    let gap = BODY.collisions.distance_to(&poses, &world_from_base, &within, 1.0).expect("in the head");
    assert!(gap.link == head && (gap.distance_m + 0.02).abs() < 1e-9, "{gap:?}");
}

/// A brick as three kinds of file have it, and a link that has it as its mesh.
fn of_mesh(name: &str, bytes: &[u8]) -> (Body, Vec<robot::Problem>) {
    let folder = std::env::temp_dir().join(format!("coact-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder of the test can be written");
    std::fs::write(folder.join(name), bytes).expect("the folder of the test can be written");
    let urdf = format!(
        r#"<robot name="r"><link name="l"><collision><origin xyz="0 0 1"/><geometry>
        <mesh filename="{name}" scale="0.001 0.001 0.001"/></geometry></collision></link></robot>"#
    );
    let (description, _) = Description::from_urdf(&urdf, &folder).expect("the URDF is sound");
    let model = Model::new(&description);
    let (collisions, problems) = CollisionModel::new(&description, &model);
    (Body { description, model, collisions }, problems)
}

/// Millimetres: 0.4 m long, 0.2 m wide and high, around a place beside the origin.
fn corners() -> Vec<[f32; 3]> {
    let sides = |at: usize| [[300.0, 700.0], [-100.0, 100.0], [-100.0, 100.0]][at];
    (0..8).map(|corner| [0, 1, 2].map(|at| sides(at)[corner >> at & 1])).collect()
}

fn binary_stl() -> Vec<u8> {
    let mut bytes = b"solid, though it is not text".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(6_u32.to_le_bytes());
    for first in 0..6 {
        bytes.extend([0; 12]);
        let triangle = [first, first + 1, first + 2].map(|corner| corners()[corner]);
        bytes.extend(triangle.into_iter().flatten().flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn a_mesh_is_watched_by_its_hull() {
    let lines = |word: &str| {
        let line = |[x, y, z]: &[f32; 3]| format!("  {word} {x} {y} {z}\n");
        corners().iter().map(line).collect::<String>().into_bytes()
    };
    // Half as large, in a file whose scene makes it twice as large.
    let numbers: String = corners().iter().flatten().map(|part| format!("{} ", part / 2.0)).collect();
    let collada = format!(
        "<COLLADA><asset><unit meter='1'/></asset><library_geometries><geometry id='g'><mesh><source id='s'>\
         <float_array>{numbers}</float_array></source><vertices><input semantic='POSITION' source='#s'/></vertices></mesh>\
         </geometry></library_geometries><library_visual_scenes><visual_scene><node><scale>2 2 2</scale>\
         <instance_geometry url='#g'/></node></visual_scene></library_visual_scenes></COLLADA>"
    );
    let files =
        [("a.STL", binary_stl()), ("b.stl", lines("vertex")), ("c.obj", lines("v")), ("f.dae", collada.into_bytes())];
    for (name, bytes) in files {
        let (body, problems) = of_mesh(name, &bytes);
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let mut poses = body.model.new_poses();
        body.model.forward(&[], &mut poses);
        // 0.7 m ahead is its face, 1 m up its middle.
        let at = Pose::from_translation(1.0, 0.05, 1.0);
        let ball = Obstacle::new("ball", &Geometry::Sphere { radius_m: 0.1 }, &at).expect("a ball");
        let gap = body.collisions.distance_to(&poses, &Pose::identity(), &ball, 1.0).expect("near");
        assert!((gap.distance_m - 0.2).abs() < 1e-6, "{name}: {gap:?}");
    }
    for (name, bytes, why) in [
        ("d.ply", &b"ply"[..], "only .stl, .obj and .dae"),
        ("e.obj", b"v 1 2", "no numbers"),
        ("g.dae", b"<x/>", "no points"),
    ] {
        let (_, problems) = of_mesh(name, bytes);
        assert!(problems.len() == 1 && problems[0].message.contains(why), "{name}: {problems:?}");
    }
}

#[test]
fn a_mesh_that_is_not_there_is_told_and_a_place_that_is_none_is_not_free() {
    let mesh = r#"<robot name="r"><link name="base"><collision><geometry><mesh filename="a.stl"/></geometry>
        </collision></link></robot>"#;
    let (description, _) = Description::from_urdf(mesh, Path::new("")).unwrap();
    let (_, problems) = CollisionModel::new(&description, &Model::new(&description));
    assert!(problems.len() == 1 && problems[0].message.contains("a.stl"), "{problems:?}");
    assert!(problems[0].message.contains("its file is not there"), "{problems:?}");
    let mut positions = BODY.model.neutral();
    positions[BODY.model.coordinate("left_shoulder_roll").unwrap()] = f64::NAN;
    assert!(!BODY.contacts(&positions).is_empty());
}

fn shape() -> impl Strategy<Value = (Geometry, &'static str)> {
    prop_oneof![
        Just((Geometry::Sphere { radius_m: 0.2 }, r#"<sphere radius="0.2"/>"#)),
        Just((Geometry::Box { size_m: Vector3::new(0.3, 0.1, 0.5) }, r#"<box size="0.3 0.1 0.5"/>"#)),
        Just((Geometry::Cylinder { radius_m: 0.1, length_m: 0.6 }, r#"<cylinder radius="0.1" length="0.6"/>"#)),
        Just((Geometry::Capsule { radius_m: 0.1, length_m: 0.4 }, r#"<capsule radius="0.1" length="0.4"/>"#)),
    ]
}

fn one_link(shape: &str) -> Body {
    let urdf =
        format!(r#"<robot name="r"><link name="l"><collision><geometry>{shape}</geometry></collision></link></robot>"#);
    let (description, _) = Description::from_urdf(&urdf, Path::new("")).expect("a robot");
    let model = Model::new(&description);
    body(description, model)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn who_is_the_obstacle_does_not_matter(
        one in shape(),
        two in shape(),
        at in prop::array::uniform3(-1.0..1.0),
        turn in prop::array::uniform3(-3.0..3.0),
    ) {
        let one_from_two = Pose::from_rpy(Vector3::from(at), RollPitchYaw::new(turn[0], turn[1], turn[2]));
        let distance_m = |link: &str, geometry: &Geometry, link_from_obstacle: &Pose| {
            let body = one_link(link);
            let mut poses = body.model.new_poses();
            body.model.forward(&[], &mut poses);
            let obstacle = Obstacle::new("thing", geometry, link_from_obstacle).expect("a shape");
            body.collisions.distance_to(&poses, &Pose::identity(), &obstacle, 10.0).expect("near").distance_m
        };
        let there = distance_m(one.1, &two.0, &one_from_two);
        let back = distance_m(two.1, &one.0, &one_from_two.inverse());
        prop_assert!((there > 0.0) == (back > 0.0) || there.abs().max(back.abs()) < 1e-6, "{there} {back}");
        prop_assert!(there <= 0.0 || (there - back).abs() < 1e-6, "{there} {back}");
        prop_assert!((there - back).abs() < 1e-3, "depths {there} {back}");
    }

    #[test]
    fn left_collides_as_right_does(shares in prop::collection::vec(0.0..1.0, 43)) {
        let limits = BODY.model.coordinates().iter().map(|coordinate| coordinate.limits);
        let positions: Vec<f64> = limits.zip(&shares).map(|(l, share)| l.lower + share * (l.upper - l.lower)).collect();
        let (here, there) = (BODY.contacts(&positions), BODY.contacts(&COACT_ONE.mirrored(&positions)));
        // What only just touches is found from one side and not from the other.
        for (links, depth_m) in here.iter().filter(|(_, depth_m)| **depth_m > 1e-4) {
            let others: BTreeSet<String> = links.iter().map(|name| other_side(name)).collect();
            let other_m = there.get(&others);
            prop_assert!(other_m.is_some_and(|other_m| (other_m - depth_m).abs() < 2e-3), "{links:?} {depth_m} {other_m:?}");
        }
    }
}
