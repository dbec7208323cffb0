//! Clouds and pictures: on a socket of their own, the newest only, two on their way at most.

use link::Keyed;

use crate::operator::Operator;

impl Operator {
    pub(crate) fn watch_bulk(&mut self) {}

    pub(crate) fn tile_came(&mut self, _kind: Keyed, _key: u32, _bytes: &[u8]) {}
}
