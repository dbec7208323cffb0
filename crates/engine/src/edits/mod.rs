//! A tree that changes while it runs.

mod admit;
mod aftermath;
mod apply;
mod as_started;
mod boundary;
mod forget;
mod marks;
mod splice;

pub(crate) use admit::{Added, Admissions};
pub(crate) use as_started::Shape;
pub(crate) use boundary::{EditNow, Laid, Wait};
pub(crate) use marks::Marks;
