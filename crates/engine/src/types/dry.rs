//! A dry run: the tree runs by its own rules, while its steps do nothing but pass the time until they are told to end.

use serde_json::Value as Json;

use super::context::Context;
use super::declared::Fails;
use super::node_type::{AnyStep, StepOf, StepType};
use crate::{Halt, Tick, Verdict};

/// A step in a dry run. What only concerns variables and the tree is done; anything else waits to be told.
pub(super) struct Dry<T: StepType>(pub StepOf<T>);

impl<T: StepType> AnyStep for Dry<T> {
    fn reset(&mut self) {
        self.0.reset();
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn inherit(&mut self, old: &dyn AnyStep) {
        self.0.inherit(old);
    }

    fn tick(&mut self, context: &mut Context<'_>) -> Tick {
        if !T::RUNS_DRY {
            return Tick::Running;
        }
        match self.0.tick(context) {
            // It may lack a value that only a run gives.
            Tick::Ended(end) if end.verdict == Verdict::Failure && self.0.flow().fails != Fails::Always => {
                Tick::SUCCESS
            }
            tick => tick,
        }
    }

    fn start(&mut self, context: &mut Context<'_>) -> Tick {
        self.reset();
        self.tick(context)
    }

    fn halt(&mut self, _context: &mut Context<'_>) -> Halt {
        Halt::Done
    }

    fn keeps_state(&self) -> bool {
        self.0.keeps_state()
    }

    fn state(&self) -> Json {
        self.0.state()
    }

    fn expected_s(&self) -> Option<f64> {
        self.0.expected_s()
    }
}
