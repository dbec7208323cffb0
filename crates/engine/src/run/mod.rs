//! What tracks and steps do in a tick.

mod children;
mod jump;
mod outcome;
mod plain;
mod region_results;
mod regions;
mod rules;
mod running;
mod tried;

pub(crate) use children::MAX_CALLS;
pub use children::{BranchStatus, Children};
pub(crate) use jump::PendingJump;
pub(crate) use rules::TrackStatus;
