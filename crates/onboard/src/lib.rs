//! The robot process. Three halves that do not wait for each other: the [`Runner`] ticks the engine, the [`Desk`] deals
//! with people and the shared tree, and around them [`serve`] has the sockets, the clock and the disk. [`Robot`] is the
//! first two in one thread and in anybody's time, for tests.

mod around;
mod audit;
mod audit_budget;
mod config;
mod desk;
mod disk;
mod feeling;
mod fit;
mod journal;
mod overruns;
mod robot;
mod runner;
mod seen;
mod serve;
mod settings;
mod shared;
mod view;

pub use around::{detections, objects, outlines, solids};
pub use audit::{Entry, Now};
pub use config::{Config, LinkMode};
pub use desk::{Desk, LinkFact, Saves};
pub use disk::{Kept, Store, StoreError};
pub use feeling::forces;
pub use overruns::Overruns;
pub use robot::Robot;
pub use runner::{Inbox, MakeSite, MakeWitness, Request, Runner, Start};
pub use seen::{Marks, State, Things, Ticked};
pub use serve::{RobotProcess, ServeError, serve};
pub use settings::{Able, Settings, WhenLost};
pub use shared::{Change, Shared, SharedError};
pub use view::{Viewer, robot_report};
