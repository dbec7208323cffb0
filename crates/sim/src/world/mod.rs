//! Worlds: what is around the robot, how it differs from run to run, and what happens in it. `docs/worlds.md` has the
//! format of the files.

mod builtin;
mod colour;
mod disturbance;
mod draw;
mod ground;
mod load;
mod merge;
mod objects;
mod perception;
mod truth;

use std::path::PathBuf;

use geometry::Pose;

pub use colour::Colour;
pub use disturbance::{Deed, Disturbance, Event, Push, Start};
pub use ground::Tread;
pub use load::{World, WorldError};
pub use objects::{
    Ball, Button, Closer, Container, Cuboid, Door, Handle, Kind, Latch, Object, Person, Solid, Stairs, Table, Valve,
    Waypoint,
};
pub use perception::{CameraSettings, DetectorSetup, Skill};
pub use truth::{Pair, Truth};

/// A world with every range drawn: what one run has.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedWorld {
    pub name: String,
    pub world_from_walking: Pose,
    /// Of the robot at the start; None: `home`.
    pub preset: Option<String>,
    pub floor: Floor,
    pub objects: Vec<Object>,
    pub disturbances: Vec<Disturbance>,
    pub expected: Vec<Truth>,
    pub camera: CameraSettings,
    pub detector: DetectorSetup,
    /// What it was drawn with; of what is random in a run.
    pub seed: u64,
    /// A file of the user's own that belongs to the world, or is it.
    pub mjcf: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    pub colour: Colour,
    pub friction: f64,
}

impl PlacedWorld {
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| &*object.name == name)
    }
}
