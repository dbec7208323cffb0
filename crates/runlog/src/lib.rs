//! Every run on record, in one MCAP file, and again from it.
//!
//! [`start`] writes one in a thread of its own while a [`Recorder`] looks on at each tick. [`File`] reads it, also one that
//! was cut off. [`replay`] computes the run anew from its inputs and says whether it is the same.

mod begin;
mod compare;
pub mod container;
mod depth;
mod fold;
mod folder;
pub mod foxglove;
mod line;
mod moment;
mod playback;
mod read;
mod replay;
mod rice;
mod schema;
mod sight;
mod summary;
pub mod topic;
mod what_if;
mod witness;
mod write;

pub use begin::{Begin, BodyAtFirst, Digests, FORM, Facts, RobotTexts, TreeFile, WorldOf};
pub use compare::{compare, mark, marks};
pub use fold::Folded;
pub use folder::{Budget, Folder, Listed, stamp};
pub use line::{Aside, CloudAt, Fact, InputLine, Mark, SeenLine, TraceLine};
pub use moment::{Moment, Numbers, Statistics};
pub use playback::Playback;
pub use read::{File, ReadError};
pub use replay::{Difference, Inputs, Replayed, each_tick, first_difference, replay, step};
pub use sight::points;
pub use summary::{Bar, EditedAt, Line, Run, Summary};
pub use what_if::{Simulate, WhatIf, edits, what_if};
pub use witness::{Doing, Recorder, Room};
pub use write::{Aloud, RecordError, Started, start};
