//! Settings as they are written: the names in them, and what mirrors or reworks them.

mod mirrored;
mod rework;
mod reworked;
mod texts;

pub use mirrored::{Called, Mirrored, not};
pub use rework::{Mirror, Plane};
pub use texts::{OwnNames, Use, own_names, renamed, requoted, setting, visit_texts};
