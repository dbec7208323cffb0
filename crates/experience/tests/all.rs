//! Every test of what attempts say of the next.

mod attempts;
mod lines;
mod model;
mod properties;
mod toy;
