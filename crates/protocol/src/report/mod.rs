//! What a robot and its run look like now, packed. The newest wins; nothing of it is ever queued.

mod robot;
mod run;

use link::Packing;
use link::wire::{Malformed, Reader, Writer};
use thiserror::Error;

pub use robot::{RobotPacker, RobotReport};
pub use run::{RunMode, RunReport, RunningStep};

/// For both ends of a link, in the order of [`link::Latest`].
pub const PACKING: [Packing; 2] = [packing::<robot::RobotSnapshot>(), packing::<RunReport>()];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReportError {
    #[error("a report holds at most {most} joints, this one has {0}", most = robot::MAX_JOINTS)]
    Joints(usize),
    #[error("{0} is not a finite number")]
    NotFinite(&'static str),
    #[error("the robot must be within {far} m of the origin", far = robot::FARTHEST_M)]
    Far,
    #[error("a report holds at most 255 running steps, this one has {0}")]
    Steps(usize),
    #[error("a step's number has 56 bits, {0} has more")]
    Number(u64),
}

/// Packed whole, or against one that the other side has.
trait Snapshot: Sized {
    fn write(&self, base: Option<&Self>, out: &mut Writer);
    fn read(input: &mut Reader<'_>, base: Option<&Self>) -> Result<Self, Malformed>;
}

fn to_bytes<S: Snapshot>(snapshot: &S, base: Option<&S>) -> Vec<u8> {
    let mut out = Writer::default();
    snapshot.write(base, &mut out);
    out.bytes
}

fn from_bytes<S: Snapshot>(bytes: &[u8], base: Option<&S>) -> Option<S> {
    S::read(&mut Reader::new(bytes), base).ok()
}

const fn packing<S: Snapshot>() -> Packing {
    Packing {
        against: |base, value| match from_bytes::<S>(value, None) {
            Some(value) => to_bytes(&value, from_bytes(base, None).as_ref()),
            // The link takes what it is given: the other side says that it is none.
            None => value.to_vec(),
        },
        whole: |base, packed| {
            let base = match base {
                Some(base) => Some(from_bytes::<S>(base, None)?),
                None => None,
            };
            Some(to_bytes(&from_bytes(packed, base.as_ref())?, None))
        },
    }
}
