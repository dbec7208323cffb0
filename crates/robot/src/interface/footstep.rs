use geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::Side;

/// One step: the foot of a side goes through the air to a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Footstep {
    pub side: Side,
    #[serde(with = "geometry::exact")]
    pub world_from_sole: Pose,
    pub swing_s: f64,
    /// Both feet on the ground, before the swing.
    pub transfer_s: f64,
    /// Of the sole above the higher of where it leaves and where it lands.
    pub swing_height_m: f64,
}
