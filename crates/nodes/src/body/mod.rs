//! What steps that move the body share: settings for poses, frames and angles, and the way a command is followed
//! from its start to its end.

pub mod checks;
pub mod feet;
pub mod fingers;
pub mod frame;
pub mod goal;
pub mod joints;
pub mod leg_checks;
pub mod motion;
pub mod own_body;
pub mod place;
pub mod posture;
pub mod preview;
pub mod reach;
pub mod setting;
pub mod turns;
pub mod vector;
pub mod walking;
