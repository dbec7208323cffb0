//! Runs a tree: tracks, phases, blackboard, claims, gates. It never reads a clock, sleeps, spawns or does input or
//! output: time, randomness and everything from outside come in through [`TickInput`].

mod admit;
mod aftermath;
mod as_started;
mod asking;
mod bind;
mod blackboard;
mod body;
mod boundary;
mod build;
mod by_hand;
mod cannot;
mod children;
mod claims;
mod context;
mod control;
mod declared;
mod dry;
mod edits;
mod end;
mod engine;
mod flatten;
mod forget;
mod ground;
mod held;
mod ids;
mod input;
mod invariants;
mod job;
mod jump;
mod kept_jump;
mod marks;
mod mirrored;
mod node_type;
mod outcome;
mod plain;
mod preview;
mod record;
mod refused;
mod region_results;
mod regions;
mod registry;
mod resolve;
mod rework;
mod reworked;
mod rules;
mod run_fact;
mod running;
mod scope;
mod senses;
mod splice;
mod step;
mod texts;
mod track;
mod turned;
mod values;
mod variables;
mod view;
mod world;

pub use asking::{RobotOnly, can_answer, evaluate};
pub use bind::{Binder, Resolver, Target, Token, Variable, reference_in};
pub use body::{Body, FrameAt};
pub use cannot::Cannot;
pub use children::{BranchStatus, Children};
pub use context::Context;
pub use declared::{Case, Fails, Finding, Flow, Runs, Within};
pub use end::{End, Halt, Tick, Verdict};
pub use engine::{Engine, Options, RunState};
pub use flatten::{GROUPING, makes_group};
pub use ground::Ground;
pub use held::{HeldBy, HeldView};
pub use input::{
    Accepts, Answer, Asked, AskedOf, Command, Control, EditBatch, Editor, Instance, Part, Placement, Sent, TickInput,
    TickOutput,
};
pub use job::{Finding as FindingSteps, Job, JobAnswer, JobDone, JobId, ModelledJobs};
pub use mirrored::{Called, Mirrored, not};
pub use node_type::{Branching, CompositeType, Entry, OrganiserType, Rework, StepType, composite, organiser, step};
pub use record::{Change, Detail, Event, InstanceId, Measured, NO_DETAIL, Note, ObjectChange, Recording, Told, What};
pub use refused::Refused;
pub use registry::Registry;
pub use rework::{Mirror, Plane};
pub use run_fact::RunFact;
pub use senses::sense_names;
pub use texts::{OwnNames, Use, own_names, renamed, requoted, setting, visit_texts};
pub use view::{StepStatus, StepView, TrackView};

/// Whole nanoseconds; beyond what fits, as much as fits.
pub fn seconds_to_ns(seconds: f64) -> i64 {
    // `f64::round` is a call into the C library where a processor need not have the instruction, and timers ask often.
    let ns = seconds * 1e9;
    let whole = ns as i64;
    let rest = ns - whole as f64;
    whole.saturating_add(i64::from(rest >= 0.5)).saturating_sub(i64::from(rest <= -0.5))
}

pub fn ns_to_seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::seconds_to_ns;

    #[test]
    fn seconds_are_rounded_like_any_number() {
        let wholes = [0.0, -0.0, 1.0, 4.5, 1e6, 9e9, -9e9, 1e30, -1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let halves = (-40..40).map(|half| f64::from(half) * 0.5e-9);
        let odd = (1..200).map(|number| f64::from(number) * 0.123_456_789_123);
        let near =
            [5e-10_f64.next_down(), 5e-10_f64.next_up(), 4_503_599.627_370_496_f64.next_up(), 9_007_199.254_740_993];
        for seconds in wholes.into_iter().chain(halves).chain(odd).chain(near) {
            assert_eq!(seconds_to_ns(seconds), (seconds * 1e9).round() as i64, "{seconds}");
        }
    }
}
