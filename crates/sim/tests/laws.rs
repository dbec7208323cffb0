#![cfg(feature = "mujoco")]
//! Laws of physics that a simulation must not break, and input that it must refuse.

use crate::physics_common;

use std::path::PathBuf;

use physics_common::*;
use robot::{BodyFrame, BodyPoses};
use sim::{PhysicsRobot, PhysicsWorld, World};
use site::Driver;

/// A file of its own for each test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("coact-sim-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files of tests");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

fn open_mjcf(name: &str, text: &str) -> PhysicsRobot {
    let path = file(name, text);
    let world = World::find(&path.display().to_string()).expect("a world");
    PhysicsWorld::open(&world, coact_one(), 0).expect("it opens")
}

#[test]
fn a_free_pendulum_keeps_its_energy_and_a_block_slides_by_its_friction() {
    let mut sim = open_mjcf(
        "laws.xml",
        r#"<mujoco>
          <compiler angle="degree"/>
          <worldbody>
            <body name="pendulum" pos="3 0 2">
              <joint name="swing" type="hinge" axis="0 1 0" ref="-60"/>
              <geom type="sphere" size="0.05" mass="1" pos="0.866025 0 -0.5" contype="0" conaffinity="0"/>
            </body>
            <body name="slope" pos="6 0 1" euler="0 30 0">
              <geom type="box" size="4 1 0.1" friction="0.3 0 0" contype="2" conaffinity="2"/>
            </body>
            <body name="block" pos="5.234 0 1.6732" euler="0 30 0">
              <freejoint/>
              <geom type="box" size="0.1 0.1 0.1" mass="1" friction="0.3 0 0" contype="2" conaffinity="2"/>
            </body>
          </worldbody>
        </mujoco>"#,
    );
    let block = |sim: &PhysicsRobot| sim.world_from_body("own/block").expect("a block").translation_m();
    let start_m = block(&sim);
    // It has slid through the settling already: t0 is when it began.
    let (slope_m_s2, settled_s) = (9.81 * (0.5 - 0.3 * 0.75_f64.sqrt()), 0.2_f64);
    run(&mut sim, 1.0);
    let slid_m = (block(&sim) - start_m).norm();
    let expected_m = 0.5 * slope_m_s2 * (1.0 + 2.0 * settled_s);
    assert!((slid_m / expected_m - 1.0).abs() < 0.05, "{slid_m} m, expected {expected_m}");
    let mut highest_deg = [0.0_f64; 2];
    for half in &mut highest_deg {
        for _ in 0..250 {
            run(&mut sim, 0.02);
            *half = half.max(sim.world_joint("own/swing").expect("a pendulum").to_degrees().abs());
        }
    }
    assert!(highest_deg.iter().all(|highest| (highest - 60.0).abs() < 0.6), "{highest_deg:?}");
}

#[test]
fn a_hand_feels_what_lies_on_it() {
    let robot = coact_one();
    let mut poses = BodyPoses::new(robot.clone());
    poses.place(&robot.configuration("ready").expect("a preset"), &geometry::Pose::identity());
    let walking_from_hand =
        poses.world_from(BodyFrame::Walking).inverse() * poses.world_from(BodyFrame::Hand(robot::Side::Right));
    let hand_m = walking_from_hand.translation_m();
    let path = file(
        "weight.xml",
        &format!(
            r#"<mujoco><worldbody><body name="weight" pos="{} {} {}">
                 <joint name="drop" type="slide" axis="0 0 1"/>
                 <geom type="box" size="0.03 0.1 0.03" mass="3" contype="2" conaffinity="15"/>
               </body></worldbody></mujoco>"#,
            hand_m.x,
            hand_m.y,
            hand_m.z + 0.12
        ),
    );
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let json = format!(r#"{{"version": 1, "robot": {{"preset": "ready"}}, "mjcf": "{name}"}}"#);
    let world = World::from_json(&path.with_extension("json").display().to_string(), &json).expect("a world");
    let mut sim = PhysicsWorld::open(&world, robot, 0).expect("it opens");
    run(&mut sim, 2.0);
    let mut poses = BodyPoses::new(sim.robot().clone());
    poses.update(sim.state());
    let world_from_hand = poses.world_from(BodyFrame::Hand(robot::Side::Right));
    let force_n = world_from_hand.transform_vector(&sim.state().hand_wrenches[1].force_n);
    assert!((force_n.z / (-3.0 * 9.81) - 1.0).abs() < 0.05, "{force_n} N; {:?}", sim.world_joint("own/drop"));
    let left_n = sim.state().hand_wrenches[0].force_n.norm();
    assert!(left_n < 0.1, "{left_n} N on the other hand");
}

#[test]
fn what_cannot_be_is_told() {
    let refused = |world: World| match PhysicsWorld::open(&world, coact_one(), 0) {
        Ok(_) => panic!("it opened"),
        Err(error) => error.to_string(),
    };
    let json = |text: &str| World::from_json("w.json", text).expect("a world");
    let inside = refused(json(r#"{"version": 1, "objects": [{"type": "wall", "name": "north"}]}"#));
    assert!(inside.contains("the robot starts inside of something") && inside.contains("in north"), "{inside}");
    let preset = refused(json(r#"{"version": 1, "robot": {"preset": "sit"}}"#));
    assert!(preset.contains("no preset `sit`") && preset.contains("home"), "{preset}");
    for (name, text) in [
        ("a.xml", "<mujoco><worldbody><geom/></worldbody></mujoco>"),
        ("b.xml", "<mujoco><nonsense/></mujoco>"),
        ("c.xml", "no xml"),
    ] {
        let path = file(name, text);
        let world = World::find(&path.display().to_string()).expect("its MJCF is read when it opens");
        let error = refused(world);
        assert!(error.contains("MuJoCo does not take the world"), "{error}");
    }
}

#[test]
fn every_world_of_our_own_opens_and_stands() {
    for name in World::names() {
        for seed in 0..2 {
            let world = World::find(name).expect("one of our own");
            let mut sim =
                PhysicsWorld::open(&world, coact_one(), seed).unwrap_or_else(|error| panic!("{name}: {error}"));
            run(&mut sim, 0.3);
            assert_eq!(sim.fallen(), None, "{name}");
        }
    }
}
