//! A robot as behaviors know it: its URDF, and one small file that says what is an arm.

mod limits;
mod load;
mod mirror;
mod parts;
mod places;
mod postures;
mod reader;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use geometry::Pose;

use crate::{CollisionModel, Description, Model, RoleJoint, Side, Sizes};

pub use limits::{HandLimits, WalkingLimits};
pub use load::RobotError;
pub(crate) use load::{Loaded, RobotFiles, UrdfFile};
pub use places::Places;

#[derive(Clone, Debug)]
pub struct Robot {
    /// Of its folder.
    pub name: String,
    pub description: Description,
    /// The text it was read from, for whoever draws the robot; meshes are looked for beside its file.
    pub urdf: Arc<str>,
    pub urdf_file: PathBuf,
    /// The text of its small file and where that is, so that a record has all it takes to make the robot anew.
    pub small_file: Arc<str>,
    pub small_file_at: String,
    pub model: Model,
    pub frames: BodyFrames,
    pub parts: Vec<Part>,
    /// By name, sorted.
    pub presets: BTreeMap<String, Preset>,
    /// Finger postures by name, for either hand.
    pub grips: BTreeMap<String, [Preset; 2]>,
    /// One for each coordinate of the model.
    pub mirror: Vec<Mirrored>,
    pub cameras: Vec<Camera>,
    pub walking: WalkingLimits,
    pub hands: HandLimits,
    /// Made when it is first asked for: most robots that are loaded never need it.
    pub(crate) collision: OnceLock<Arc<CollisionModel>>,
    /// Likewise.
    pub(crate) sizes: OnceLock<Sizes>,
    pub(crate) roles: OnceLock<Vec<RoleJoint>>,
}

/// Grips of skills, and the one among those of every hand that comes nearest to it.
const LIKE: &[(&str, &str)] = &[
    ("around_bar", "hook"),
    ("around_lever", "hook"),
    ("bent", "relax"),
    ("fist", "close"),
    ("half_open", "relax"),
    ("hooked", "hook"),
    ("straight", "open"),
    ("thumb_down", "open"),
    ("two_fingers", "flat"),
];

/// Links of the model that frames are named after.
#[derive(Clone, Debug)]
pub struct BodyFrames {
    pub pelvis: usize,
    pub chest: usize,
    pub head: usize,
    /// Left, right.
    pub hands: [usize; 2],
    pub soles: [usize; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartName {
    Arm(Side),
    Hand(Side),
    Leg(Side),
    Spine,
    Neck,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: PartName,
    /// Of the model, from the trunk outward.
    pub coordinates: Vec<usize>,
    /// The link it hangs on.
    pub base: usize,
    /// The link it moves: palm, sole, chest, head.
    pub tip: usize,
}

/// Positions of some coordinates of the model, rad or m, by rising coordinate.
pub type Preset = Vec<(usize, f64)>;

/// What a position becomes on the other side: the coordinate there, and the sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirrored {
    pub coordinate: usize,
    pub sign: f64,
}

#[derive(Clone, Debug)]
pub struct Camera {
    pub name: String,
    pub link: usize,
    /// x forward, y left, z up.
    pub link_from_camera: Pose,
    pub horizontal_view_rad: f64,
    pub width: u32,
    pub height: u32,
}

impl PartName {
    pub const ALL: [PartName; 8] = [
        PartName::Arm(Side::Left),
        PartName::Arm(Side::Right),
        PartName::Hand(Side::Left),
        PartName::Hand(Side::Right),
        PartName::Leg(Side::Left),
        PartName::Leg(Side::Right),
        PartName::Spine,
        PartName::Neck,
    ];

    /// As files write it: `left_arm`.
    pub fn word(self) -> &'static str {
        match self {
            PartName::Arm(Side::Left) => "left_arm",
            PartName::Arm(Side::Right) => "right_arm",
            PartName::Hand(Side::Left) => "left_hand",
            PartName::Hand(Side::Right) => "right_hand",
            PartName::Leg(Side::Left) => "left_leg",
            PartName::Leg(Side::Right) => "right_leg",
            PartName::Spine => "spine",
            PartName::Neck => "neck",
        }
    }

    /// None for the trunk.
    pub fn side(self) -> Option<Side> {
        match self {
            PartName::Arm(side) | PartName::Hand(side) | PartName::Leg(side) => Some(side),
            PartName::Spine | PartName::Neck => None,
        }
    }

    pub fn from_word(word: &str) -> Option<PartName> {
        PartName::ALL.into_iter().find(|name| name.word() == word)
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.word().replace('_', " "))
    }
}

impl Robot {
    /// The shapes of its links, to find where it touches itself or things.
    pub fn collision_model(&self) -> &CollisionModel {
        self.collision.get_or_init(|| Arc::new(CollisionModel::new(&self.description, &self.model).0))
    }

    /// None: this robot has no such part.
    pub fn part(&self, name: PartName) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// A configuration of the whole robot in a preset; what the preset leaves open is neutral.
    pub fn configuration(&self, preset: &str) -> Option<Vec<f64>> {
        let mut positions = self.model.neutral();
        for (coordinate, position) in self.presets.get(preset)? {
            positions[*coordinate] = *position;
        }
        Some(positions)
    }

    /// A frame that the small file adds.
    pub(crate) fn is_placed(&self, link: usize) -> bool {
        self.description.links[link].line == 0
    }

    /// The robot seen in a mirror before it.
    pub fn mirrored(&self, positions: &[f64]) -> Vec<f64> {
        self.mirror.iter().map(|to| to.sign * positions[to.coordinate]).collect()
    }

    /// Of the fingers of one hand. For what its file does not name stands what is most like it: of our own grips a robot of
    /// others has a few.
    pub fn grip(&self, name: &str, side: Side) -> Option<&Preset> {
        let like = || LIKE.iter().find(|(special, _)| *special == name).and_then(|(_, common)| self.grips.get(*common));
        self.grips.get(name).or_else(like).map(|grip| &grip[side.index()])
    }
}
