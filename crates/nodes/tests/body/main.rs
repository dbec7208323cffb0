//! Steps that move the body, on every robot of our own.

mod arm;
mod hands;
mod kit;
mod mode;
mod own_body;
mod rework;
mod stops;
mod templates;
