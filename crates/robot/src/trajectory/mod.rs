//! Paths over time: of joints, of a hand, about a screw.

mod filter;
mod hand_spline;
mod joint_spline;
mod quintic;
pub(crate) mod rotation;
mod screw;

pub use filter::HandFilter;
pub use hand_spline::HandSpline;
pub use joint_spline::{JointSpline, Pace};
pub use quintic::{Moment, Quintic, smooth_share};
pub use screw::Screw;
