use geometry::Pose;
use serde::{Deserialize, Serialize};

/// What a colour-and-depth camera saw at one time, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cloud {
    pub time_ns: i64,
    /// The camera looks along its x, z is up in the picture.
    #[serde(with = "geometry::exact")]
    pub world_from_camera: Pose,
    pub width: u32,
    pub height: u32,
    /// In the world, metres; `None` where there is no depth.
    pub points: Vec<Option<[f32; 3]>>,
    /// Red, green, blue; as many as points.
    pub colours: Vec<[u8; 3]>,
}
