//! The tree that several people and a robot change at the same time: a copy in each process, merged without anybody in
//! the middle. What is merged comes out as [`model::Edit`]s, so a library, a document and an engine follow it like any
//! other edit.

mod births;
mod bytes;
mod diff;
mod envelope;
mod epoch;
mod error;
mod genesis;
mod hidden;
mod history;
mod ids;
mod merge;
mod notice;
mod origin;
mod overview;
mod persist;
mod record;
mod replica;
mod state;
mod unsent;
mod version;
mod view;

pub use epoch::{Kept, Lost, NewEpoch, Rebased};
pub use error::ReplicaError;
pub use history::{Entry, Part};
pub use merge::Merged;
pub use notice::{Author, Fate, Notice};
pub use overview::Overview;
pub use replica::{Peer, Replica};
pub use unsent::Unsent;
pub use version::Version;
