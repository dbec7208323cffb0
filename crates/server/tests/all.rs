//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod around;
mod beside;
mod body;
mod bulk;
mod common;
mod delivery;
mod kept;
mod load;
mod previewing;
mod robot;
mod roles;
mod saving;
mod slow;
mod sockets;
mod together;
mod verbs;
