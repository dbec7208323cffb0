//! Frames that no detector tells but points and other detections do: doors and tables.
//!
//! The least numbers of points are given for a picture of [`PICTURE_POINTS`] pixels and hold for coarser and finer ones
//! in proportion, so that one setting serves every camera.

mod door;
mod door_edges;
mod door_frame;
mod line;
mod table;
#[cfg(test)]
mod testing;

use geometry::{Pose, RollPitchYaw, Vector3};
use thiserror::Error;

pub use door::{DoorPanel, DoorPanelSettings, HingeSide, door_panel, door_panel_behind, door_panel_in};
pub use door_frame::{DoorFrame, DoorFrameSettings, Opening, door_frame};
pub use table::{Table, TableSettings, approach_table};

use crate::Cloud;

/// The picture that least numbers of points are given for: about 640 by 480.
pub const PICTURE_POINTS: f64 = 300_000.0;

/// Why there is no such frame.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DerivedError {
    #[error(
        "handle and panel are {distance_m:.2} m apart seen from above, which is too near to tell how the panel stands: \
         at least {least_m:.2} m are needed"
    )]
    Together { distance_m: f64, least_m: f64 },
    #[error("`{setting}` is {value}: give a number above 0")]
    Setting { setting: &'static str, value: f64 },
    #[error(
        "no door frame around the hinge: at most {most} points in a direction, {least} are needed. Look at the edge of \
         the doorway beside the handle, or lower `min_points`"
    )]
    NoFrame { most: usize, least: usize },
    #[error(
        "no table in front of the {side} hip within {reach_m:.2} m: at most {most} points at a place, {least} are needed. \
         Look down at its edge, or lower `min_points`"
    )]
    NoTable { side: &'static str, reach_m: f64, most: usize, least: usize },
    #[error("the edge found is turned {angle_deg:.0}° to the robot, more than {most_deg:.0}°: stand more square to it")]
    Slanted { angle_deg: f64, most_deg: f64 },
}

pub(crate) fn positive(setting: &'static str, value: f64) -> Result<(), DerivedError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(DerivedError::Setting { setting, value }) }
}

/// So many points of this cloud are worth the number given.
pub(crate) fn scaled(min_points: f64, cloud: &Cloud) -> usize {
    ((min_points * cloud.len() as f64 / PICTURE_POINTS).ceil() as usize).max(5)
}

pub(crate) fn level(at_m: Vector3<f64>, yaw_rad: f64) -> Pose {
    Pose::from_rpy(at_m, RollPitchYaw::new(0.0, 0.0, yaw_rad))
}

/// Level, of length 1.
pub(crate) fn direction(yaw_rad: f64) -> Vector3<f64> {
    Vector3::new(libm::cos(yaw_rad), libm::sin(yaw_rad), 0.0)
}

/// From −π to π.
pub(crate) fn wrapped(angle_rad: f64) -> f64 {
    angle_rad - (angle_rad / std::f64::consts::TAU).round() * std::f64::consts::TAU
}
