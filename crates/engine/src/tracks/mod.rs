//! From a tree to tracks: how steps and tracks are made of nodes and what they are made of.

mod build;
mod flatten;
mod resolve;
mod scope;
mod step;
mod track;
mod turned;
mod values;

pub(crate) use flatten::{Flat, HOME};
pub use flatten::{GROUPING, makes_group};
pub(crate) use scope::Interface;
pub(crate) use step::{
    AWAKE, Body, BoundGuard, BoundWhen, Branch, BranchState, Extra, Failure, Halting, Pending, PendingWhy, Status, Step,
};
pub(crate) use track::{Held, Hold, NONE, Phase, Press, Region, RegionKind, TOO_MANY, Track};
