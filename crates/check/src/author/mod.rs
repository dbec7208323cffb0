//! What is known around a behavior before it runs: its problems with its cell, templates and robot, what its steps would do
//! and when. One answer for the command line and for the operator's page.

mod expected;
mod preview;
mod problems;
mod templates;

pub use expected::{Expected, expected};
pub use preview::{Row, WORST_QUALITY, preview, preview_one};
pub use problems::{Known, begins_to_look, looks_around, moves_body, problems_of};
pub use templates::{Told, templates_beside};
