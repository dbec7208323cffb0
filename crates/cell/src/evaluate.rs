use std::sync::Arc;

use expression::{Env, Names, Slot};
use model::Value;

/// Names an expression of a cell may use, each at its place.
pub(crate) struct Known<'a>(pub &'a [Arc<str>]);

impl Names for Known<'_> {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        self.0.iter().position(|known| &**known == name).map(|place| Slot(place as u32))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        None
    }
}

/// Values at the places [`Known`] gave. A mapping depends on nothing else: not on time, chance, tokens or steps.
pub(crate) struct Values<'a>(pub &'a [Value]);

impl Env for Values<'_> {
    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.0.get(slot.0 as usize)
    }

    fn is_free(&self, _: u32) -> bool {
        false
    }

    fn outcome(&self, _: u32) -> &str {
        ""
    }

    fn result(&self, _: u32) -> &'static str {
        ""
    }

    fn time_s(&self) -> f64 {
        0.0
    }

    fn random(&self) -> f64 {
        0.0
    }
}
