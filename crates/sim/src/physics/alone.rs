//! An MJCF file by itself, to say what is wrong with it: of a file in a file MuJoCo's message has no more than its start.

use std::path::Path;

use mujoco_rs::prelude::MjModel;

use super::engine;

/// None: MuJoCo takes it.
pub(super) fn message(file: &Path) -> Option<String> {
    engine::ready().err().map(|error| error.to_string()).or_else(|| Some(MjModel::from_xml(file).err()?.to_string()))
}
