//! What a robot is: its description, read from a URDF, and its kinematics.
//!
//! [`Description`] is the file, as far as it is usable, with everything wrong told. [`Model`] is the same robot made
//! for computing: where its links are, how they move, what its weight asks of the joints. [`IkSolver`] goes the other
//! way, from the pose of a hand to the joints of an arm.

mod builtin;
mod chain;
mod collada;
mod collision;
mod collision_pairs;
mod collision_shape;
pub mod control;
mod derived;
mod descent;
mod description;
mod forward;
mod frames;
mod gripper;
mod guess;
mod ik;
pub mod interface;
mod joint_way;
mod mesh;
mod mesh_points;
mod model;
mod own_touch;
mod path;
mod preview;
mod problem;
mod profile;
pub mod reader;
mod rehearsal;
mod roles;
mod side;
mod sine;
mod sizes;
mod trajectory;
mod transform;
mod urdf;
mod words;

pub use chain::{Chain, ChainError};
pub use collision::{CollisionModel, LinkContact, LinkGap, Obstacle, ObstacleGap};
pub use derived::Jacobian;
pub use description::{Description, Geometry, Inertial, Joint, Limits, Link, Mimic, Motion, Moving, MovingKind, Shape};
pub use frames::{BodyFrame, BodyPoses};
pub use gripper::Gripper;
pub use guess::{Alternative, Confidence, Corrections, Found, Frame, FrameName, Guess, Guessed, Proposal, Size, Topic};
pub use ik::{IkResult, IkSettings, IkSolver};
pub use joint_way::JointWay;
pub use mesh::MeshPath;
pub use model::{Coordinate, LinkPoses, Model};
pub use own_touch::{OwnTouch, UnderWay};
pub use path::{PathSettings, PathSolver, SolvedPath};
pub use preview::{HandTrace, Preview, Sample};
pub use problem::{Problem, Severity};
pub use profile::{
    BodyFrames, Camera, HandLimits, Mirrored, Part, PartName, Places, Preset, Robot, RobotError, WalkingLimits,
};
pub use rehearsal::TRIED_WALK_M;
pub use roles::RoleJoint;
pub use side::Side;
pub use sizes::Sizes;
pub use trajectory::{HandFilter, HandSpline, JointSpline, Moment, Pace, Quintic, Screw, smooth_share};
pub use transform::Transform;
pub use urdf::UrdfError;
pub use words::did_you_mean;
