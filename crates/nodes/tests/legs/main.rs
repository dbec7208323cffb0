//! Steps that move trunk and legs, on every robot of our own; files of the thesis' form.

mod demo;
mod goals;
mod ground;
mod kit;
mod one_leg;
mod planning;
mod rework;
mod thesis;
mod trunk;
mod walk;
