//! Runs a tree: tracks, phases, blackboard, claims, gates. It never reads a clock, sleeps, spawns or does input or
//! output: time, randomness and everything from outside come in through [`TickInput`].

mod door;
mod edits;
mod engine;
mod ids;
mod invariants;
mod operator;
mod run;
mod settings;
mod tracks;
mod types;
mod world;

pub use door::{
    Accepts, Answer, Asked, AskedOf, Change, Chose, Command, Considered, Control, Detail, EditBatch, Editor, Event,
    FindingSteps, Instance, InstanceId, Job, JobAnswer, JobDone, JobId, Measured, ModelledJobs, NO_DETAIL, NotSafe,
    Note, ObjectChange, Part, Placement, Recording, Refused, RunFact, Sent, StepView, TickInput, TickOutput, Told,
    TrackView, Tried, What,
};
pub use engine::{Engine, Options, RunState};
pub use operator::{HeldBy, HeldView};
pub use run::{BranchStatus, Children};
pub use settings::{
    Called, Mirror, Mirrored, OwnNames, Plane, Use, not, own_names, renamed, requoted, setting, visit_texts,
};
pub use tracks::{GROUPING, StepStatus, makes_group};
pub use types::{
    Binder, Branching, Cannot, Case, CompositeType, Context, End, Entry, Fails, Finding, Flow, Ground, Halt,
    OrganiserType, Registry, Resolver, Rework, Runs, StepType, Target, Tick, Token, Variable, Verdict, Within,
    composite, organiser, reference_in, step,
};
pub use world::{Body, FrameAt, RobotOnly, can_answer, evaluate, sense_names};

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
