//! The edited tree. Each operation a person does is made of [`model::Edit`]s, applies whole or not at all, is one step
//! of undo, and gives the edits to send to whoever runs the same tree.

mod border;
mod clip;
mod document;
mod draft;
mod error;
mod extract;
mod header;
mod inline;
mod mirror;
mod names;
mod rework;
mod save;
mod settings;
mod sides;
mod splice;
mod structure;
mod undo;

pub use clip::Clip;
pub use document::{Document, created, node};
pub use error::{DocumentError, SaveError};
pub use mirror::SidedSkills;
pub use splice::Then;
pub use undo::{Kept, KeptBecause, Past, Undone};
