pub mod hand_paths;
pub mod through_controller;

use std::fs;
use std::path::{Path, PathBuf};

use robot::{Description, Model};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/coact-one")
}

pub fn description() -> Description {
    let text = fs::read_to_string(folder().join("robot.urdf")).expect("the robot is there");
    let (description, problems) = Description::from_urdf(&text, &folder()).expect("the robot is one");
    assert_eq!(problems, []);
    description
}

pub fn coact_one() -> Model {
    Model::new(&description())
}
