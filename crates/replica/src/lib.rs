//! The tree that several people and a robot change at the same time: a copy in each process, merged without anybody in
//! the middle. What is merged comes out as [`model::Edit`]s, so a library, a document and an engine follow it like any
//! other edit.

mod bytes;
mod diff;
mod error;
mod genesis;
mod ids;
mod merge;
mod origin;
mod record;
mod replica;
mod state;
mod version;
mod view;

pub use error::ReplicaError;
pub use merge::Merged;
pub use replica::{Peer, Replica};
pub use version::Version;
