//! Runs a tree: tracks, phases, blackboard, claims, gates. It never reads a clock, sleeps, spawns or does input or
//! output: time, randomness and everything from outside come in through [`TickInput`].

mod admit;
mod as_started;
mod bind;
mod blackboard;
mod body;
mod boundary;
mod build;
mod by_hand;
mod children;
mod claims;
mod context;
mod control;
mod edits;
mod end;
mod engine;
mod flatten;
mod ground;
mod held;
mod ids;
mod input;
mod invariants;
mod job;
mod jump;
mod kept_jump;
mod marks;
mod node_type;
mod outcome;
mod plain;
mod preview;
mod record;
mod region_results;
mod regions;
mod resolve;
mod rework;
mod rules;
mod running;
mod scope;
mod senses;
mod splice;
mod step;
mod track;
mod variables;
mod view;
mod world;

pub use bind::{Binder, Resolver, Target, Token, Variable, reference_in};
pub use body::{Body, FrameAt};
pub use children::{BranchStatus, Children};
pub use context::Context;
pub use end::{End, Halt, Tick, Verdict};
pub use engine::{Engine, Options, RunState};
pub use flatten::GROUPING;
pub use ground::Ground;
pub use held::{HeldBy, HeldView};
pub use input::{
    Accepts, Answer, Asked, Command, Control, EditBatch, Editor, Instance, Placement, Sent, TickInput, TickOutput,
};
pub use job::{Job, JobAnswer, JobDone, JobId, ModelledJobs};
pub use node_type::{
    Branching, CompositeType, Entry, OrganiserType, Registry, Rework, StepType, composite, organiser, step,
};
pub use record::{
    Change, Detail, Event, InstanceId, Measured, NO_DETAIL, Note, NoteKind, ObjectChange, Recording, What,
};
pub use rework::{Mirror, Plane};
pub use senses::sense_names;
pub use view::{StepStatus, StepView, TrackView};

/// Whole nanoseconds; beyond what fits, as much as fits.
pub fn seconds_to_ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

pub fn ns_to_seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}
