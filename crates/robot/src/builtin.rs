//! The robots of our own, in the program itself: a newcomer needs no files.

use std::path::PathBuf;

use crate::Robot;
use crate::profile::{Loaded, RobotFiles, UrdfFile};

struct Builtin {
    name: &'static str,
    small_file: &'static str,
    urdf: &'static str,
}

const BUILTIN: &[Builtin] = &[
    Builtin {
        name: "coact-one",
        small_file: include_str!("../../../robots/coact-one/robot.json"),
        urdf: include_str!("../../../robots/coact-one/robot.urdf"),
    },
    Builtin {
        name: "coact-mini",
        small_file: include_str!("../../../robots/coact-mini/robot.json"),
        urdf: include_str!("../../../robots/coact-mini/robot.urdf"),
    },
];

pub(crate) fn names() -> Vec<&'static str> {
    BUILTIN.iter().map(|robot| robot.name).collect()
}

pub(crate) fn load(name: &str) -> Option<Loaded> {
    let builtin = BUILTIN.iter().find(|robot| robot.name == name)?;
    let place = |file: &str| format!("robots/{name}/{file}");
    let files = RobotFiles { name: name.to_owned(), file: place("robot.json"), text: builtin.small_file.to_owned() };
    Some(files.load(&|urdf| Ok(UrdfFile { text: builtin.urdf.to_owned(), path: PathBuf::from(place(urdf)) })))
}

impl Robot {
    /// Names of the robots of our own.
    pub fn names() -> Vec<&'static str> {
        names()
    }

    /// One of our own.
    pub fn builtin(name: &str) -> Option<Robot> {
        load(name)?.ok().map(|(robot, _)| robot)
    }
}
