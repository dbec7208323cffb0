//! MuJoCo, in its files and in its memory, has w first: here and nowhere else.

use geometry::Pose;

pub(crate) fn quaternion(pose: &Pose) -> [f64; 4] {
    let [.., x, y, z, w] = pose.numbers();
    [w, x, y, z]
}

/// A quaternion that is none turns nothing.
pub(crate) fn pose([x_m, y_m, z_m]: [f64; 3], [w, x, y, z]: [f64; 4]) -> Pose {
    Pose::from_numbers([x_m, y_m, z_m, x, y, z, w]).unwrap_or_else(Pose::identity)
}
