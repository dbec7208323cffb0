//! Where a behavior meets a robot.
//!
//! A [`Driver`] is what a robot is here: simulated, real, recorded or scripted. A [`Site`] is all that is around a
//! behavior (a robot, the equipment of its cell, who does its long jobs), and [`Site::tick`] the one place where all of
//! it and an engine meet. [`Ticks`] say when that is. [`headless::run`] does so until a behavior has ended; a robot
//! process does it as long as it lives.
//!
//! [`stub::Stub`] is a driver without any robot behind it: a file says what it tells.

mod attached;
mod driver;
pub mod headless;
mod jobs;
mod memory;
mod pace;
mod site;
pub mod stub;
mod witness;

pub use driver::{Clock, Driver, Event, Solid, SolidForm};
pub use jobs::Jobs;
pub use memory::Memory;
pub use pace::{Pace, Ticks};
pub use site::{Around, OpenError, Opened, Site, Told};
pub use witness::{Heard, Tick, Witness};
