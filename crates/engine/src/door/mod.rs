//! What goes in and out: the inputs and outputs of a tick, the record of a run, what may be seen from outside.

mod input;
mod job;
mod preview;
mod record;
mod refused;
mod run_fact;
mod view;

pub use input::{
    Accepts, Answer, Asked, AskedOf, Command, Control, EditBatch, Editor, Instance, Part, Placement, Sent, TickInput,
    TickOutput,
};
pub use job::{FindingSteps, Job, JobAnswer, JobDone, JobId, ModelledJobs};
pub(crate) use record::InstanceInfo;
pub use record::{Change, Detail, Event, InstanceId, Measured, NO_DETAIL, Note, ObjectChange, Recording, Told, What};
pub use refused::Refused;
pub use run_fact::{Chose, Considered, NotSafe, RunFact, Tried};
pub use view::{StepView, TrackView};
