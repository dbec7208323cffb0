//! Recordings in place of a robot. `data/rosbag2.mcap` was made by `data/rosbag2.py`, with PyPI's `rosbags`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Engine, Options, TickInput};
use geometry::{Point3, Pose};
use robot::interface::RobotState;
use robot::{BodyPoses, Robot};
use runlog::Playback;
use scene::Sight;
use site::{Around, Driver, Jobs, Site};

const TICK_NS: i64 = 10_000_000;

fn robot() -> Arc<Robot> {
    Arc::new(Robot::builtin("coact-one").expect("our own"))
}

fn bag() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rosbag2.mcap")
}

/// What it tells until then.
fn told(playback: &mut Playback, until_ns: i64) -> (Vec<Arc<RobotState>>, Vec<Arc<Sight>>) {
    let (mut states, mut sights) = (Vec::new(), Vec::new());
    for tick in 0..=until_ns / TICK_NS {
        playback.advance(tick * TICK_NS);
        assert_eq!(playback.failure(), None);
        states.push(Arc::clone(playback.state()));
        sights.extend(playback.take_sights());
    }
    (states, sights)
}

#[test]
fn joints_and_pictures_of_a_rosbag_are_told_in_a_loop() {
    let robot = robot();
    let mut playback = Playback::open(&bag(), || Arc::clone(&robot)).expect("a bag");
    let (states, sights) = told(&mut playback, 4_500_000_000);
    let at = |name: &str| robot.model.coordinate(name).expect("a joint of it");
    let (neck, elbow) = (at("neck_pitch"), at("left_elbow_pitch"));
    // 0.2 rad a second, told every 20 ms; the bag is 2 s long and begins again.
    for (tick, expected_rad) in [(0, 0.0), (50, 0.1), (150, 0.3), (200, 0.0), (250, 0.1)] {
        assert!(
            (states[tick].positions[neck] - expected_rad).abs() < 1e-9,
            "tick {tick}: {}",
            states[tick].positions[neck]
        );
        assert_eq!((states[tick].positions[elbow], states[tick].velocities[neck]), (-0.5, 0.2), "tick {tick}");
    }
    let times_ms: Vec<i64> = sights.iter().map(|sight| sight.time_ns / 1_000_000).collect();
    assert_eq!(times_ms[..12], [100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100, 2300]);

    // The second half of the row is 0.9 m along the axis of the camera, blue, where the head was then.
    let sight = &sights[2];
    assert_eq!(&*sight.camera, "head");
    let cloud = sight.cloud.as_ref().expect("points");
    let mut poses = BodyPoses::new(Arc::clone(&robot));
    let mut positions = states[0].positions.clone();
    positions[neck] = 0.1;
    let world_from_base = poses.stand(&positions);
    poses.place(&positions, &world_from_base);
    let camera = &robot.cameras[0];
    let world_from_camera: Pose = poses.world_from_link(camera.link) * camera.link_from_camera;
    let expected = world_from_camera.transform_point(&Point3::new(0.9, -0.9 * 0.5 / 14.0, -0.9 * 0.5 / 14.0));
    let point = cloud.point(cloud.index(8, 6)).expect("depth");
    let off_m =
        expected.coords.iter().zip(point).map(|(wanted, is)| (wanted - f64::from(is)).abs()).fold(0.0, f64::max);
    assert!(off_m < 1e-5, "{point:?} is not {expected:?}");
    assert_eq!((cloud.colour(cloud.index(8, 6)), cloud.colour(cloud.index(0, 6))), ([0, 0, 250], [240, 20, 10]));
    assert_eq!(cloud.point(cloud.index(7, 1)), None, "no depth there");
}

#[test]
fn a_rosbag_reaches_a_scene() {
    let registry = nodes::registry();
    let playback = Playback::open(&bag(), robot).expect("a bag");
    let mut site = Site::new(Some(Box::new(playback)), Around::default(), Jobs::modelled(), Arc::clone(&registry));
    let options = Options { body: site.body(), ..Options::default() };
    let mut engine = Engine::new(crate::library(&registry), registry, &options);
    for tick in 0..300 {
        site.tick(&mut engine, &mut TickInput { time_ns: tick * TICK_NS, ..TickInput::default() });
    }
    let cloud = engine.body().and_then(|body| body.scene().latest_cloud(Some("head"))).expect("it was seen");
    assert_eq!((cloud.time_ns, cloud.points().count()), (2_900_000_000, 16 * 12 - 8 * 2));
}

#[test]
fn what_cannot_be_played_back_is_told() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playback-bad");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let error = |path: &Path| match Playback::open(path, robot) {
        Ok(_) => panic!("{} is played back", path.display()),
        Err(error) => error.to_string(),
    };
    assert!(error(&folder).contains("no MCAP file is in this folder"), "{}", error(&folder));
    let text = folder.join("text.mcap");
    std::fs::write(&text, "no recording").expect("a file");
    assert!(error(&text).contains("is no MCAP file"), "{}", error(&text));
    let mut playback = Playback::open(&bag(), robot).expect("a bag");
    playback.advance(0);
    let order = robot::interface::Order::Stop { joints: Vec::new() };
    let id = robot::interface::CommandId(3);
    let refused =
        playback.command(&robot::interface::Command { id, queueing: robot::interface::Queueing::Override, order });
    assert!(refused.is_err_and(|refusal| refusal.0.contains("recording")));
    assert!(playback.state().commands.iter().any(|status| status.id == id), "the step that gave it learns of it");
}
