//! What a robot and its run look like now, packed. The newest wins; nothing of it is ever queued.

pub(crate) mod latest;
mod robot;
mod run;

pub use robot::{ReportError, RobotReport};
pub(crate) use robot::{RobotPacker, RobotSnapshot};
pub use run::{RunMode, RunReport, RunningStep};

use crate::wire::{Malformed, Reader, Writer};

/// Packed whole, or against one that the other side has.
pub(crate) trait Snapshot: Clone {
    fn write(&self, base: Option<&Self>, out: &mut Writer);
    fn read(input: &mut Reader<'_>, base: Option<&Self>) -> Result<Self, Malformed>;
}
