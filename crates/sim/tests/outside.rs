//! Scenes of MuJoCo that were made for another robot.

use std::path::PathBuf;
use std::sync::Arc;

use robot::Robot;
use sim::{PhysicsError, PhysicsWorld, World};

fn coact_one() -> Arc<Robot> {
    Arc::new(Robot::builtin("coact-one").expect("a test's own"))
}

/// A folder of the test's own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("coact-outside-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a test's own");
        Folder(folder)
    }

    fn world(&self, bodies: &str) -> World {
        let file = self.0.join("scene.xml");
        std::fs::write(&file, format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>")).expect("a test's own");
        World::find(file.to_str().expect("a test's own")).expect("a test's own")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_robot_starts_where_it_is_in_nothing() {
    let folder = Folder::new("free");
    let robot = coact_one();
    let free = folder.world("<body name='far' pos='3 0 0.5'><geom size='0.2'/></body>");
    assert!(PhysicsWorld::free_start(&free, &robot).expect("a test's own").is_none(), "it stays in the origin");

    let taken = folder.world("<body name='pole'><geom type='cylinder' size='0.15 1'/></body>");
    let (moved, at) = PhysicsWorld::free_start(&taken, &robot).expect("a test's own").expect("another start");
    assert_eq!(at, "x -0.3 m, y 0 m, yaw 0°", "the nearest, and behind it");
    PhysicsWorld::open(&moved, Arc::clone(&robot), 0).expect("a test's own");

    // Where a file says where it starts, that is meant.
    std::fs::write(folder.0.join("said.json"), r#"{"version": 1, "mjcf": "scene.xml", "robot": {"at": {"x_m": 0.1}}}"#)
        .expect("a test's own");
    let said = World::find(folder.0.join("said.json").to_str().expect("a test's own")).expect("a test's own");
    assert!(matches!(PhysicsWorld::free_start(&said, &robot), Err(PhysicsError::Inside { .. })));
}

#[test]
fn where_no_start_is_free_what_it_is_in_is_told() {
    let folder = Folder::new("full");
    let full = folder.world("<body name='rock' pos='0 0 1'><geom type='box' size='20 20 1'/></body>");
    let error = PhysicsWorld::free_start(&full, &coact_one()).map(drop).unwrap_err().to_string();
    assert!(error.contains("mm in rock"), "{error}");
}

#[test]
fn what_mujoco_says_is_told_whole() {
    let folder = Folder::new("refused");
    let wrong = folder.world("<body name='b'><geom size='0.1'/><wheel/></body>");
    let error = PhysicsWorld::free_start(&wrong, &coact_one()).map(drop).unwrap_err().to_string();
    assert!(error.contains("Element 'wheel', line 1"), "{error}");
}

/// Of those who have them: every whole model in the folders that `COACT_SCENES` names opens, or is refused by MuJoCo itself.
#[test]
fn scenes_of_others_open() {
    let Some(folders) = std::env::var_os("COACT_SCENES") else {
        eprintln!("SKIPPED: COACT_SCENES names no folder with MJCF scenes of others");
        return;
    };
    let robot = coact_one();
    let (mut opened, mut moved, mut refused) = (0, 0, Vec::new());
    for folder in std::env::split_paths(&folders) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("a test's own")
            .map(|entry| entry.expect("a test's own").path())
            .collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "xml")) {
            match World::find(file.to_str().expect("a test's own"))
                .map(|world| PhysicsWorld::free_start(&world, &robot))
            {
                Ok(Ok(None)) => opened += 1,
                Ok(Ok(Some(_))) => moved += 1,
                Ok(Err(error)) => refused.push(format!("{}: {error}", file.display())),
                Err(error) => refused.push(format!("{}: {error}", file.display())),
            }
        }
    }
    println!(
        "{opened} open as they are, {moved} with another start, {} do not:\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(refused.iter().all(|why| !why.contains("panicked")));
    assert!(opened + moved > refused.len(), "fewer than half open");
}
