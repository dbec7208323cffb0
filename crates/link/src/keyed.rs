//! Values with a key: each fits a datagram, a newer one replaces an older one, and all are kept until the other side
//! has them, blackouts or not.

use std::collections::BTreeMap;

use crate::config::Limits;
use crate::message::Keyed;

pub type Key = (Keyed, u32);

#[derive(Debug)]
struct Value {
    version: u64,
    /// Its place in the queue of its kind; older goes first.
    order: u64,
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct KeyedOut {
    values: BTreeMap<Key, Value>,
    queue: BTreeMap<(Keyed, u64), u32>,
    by_version: BTreeMap<(Keyed, u64), u32>,
    counter: u64,
    bytes: usize,
    /// Given up because there was no room for more.
    pub dropped: u64,
}

impl KeyedOut {
    pub fn waiting(&self) -> usize {
        self.values.len()
    }

    pub fn offer(&mut self, key: Key, bytes: Vec<u8>, limits: &Limits) {
        self.counter += 1;
        let old = self.values.remove(&key);
        if let Some(old) = &old {
            self.by_version.remove(&(key.0, old.version));
        }
        // A value that changes all the time must not lose its place to those that do not.
        let order = old.as_ref().filter(|old| self.queue.contains_key(&(key.0, old.order))).map(|old| old.order);
        let order = order.unwrap_or(self.counter);
        self.bytes = self.bytes + bytes.len() - old.map_or(0, |old| old.bytes.len());
        self.values.insert(key, Value { version: self.counter, order, bytes });
        self.queue.insert((key.0, order), key.1);
        self.by_version.insert((key.0, self.counter), key.1);
        while self.values.len() > limits.keyed_values || self.bytes > limits.keyed_bytes {
            self.drop_least();
        }
    }

    /// Of the least important kind, the oldest.
    fn drop_least(&mut self) {
        let Some((&(kind, _), _)) = self.values.last_key_value() else { return };
        if let Some((_, &key)) = self.by_version.range((kind, 0)..=(kind, u64::MAX)).next() {
            self.remove((kind, key));
            self.dropped += 1;
        }
    }

    fn remove(&mut self, key: Key) {
        if let Some(value) = self.values.remove(&key) {
            self.bytes -= value.bytes.len();
            self.queue.remove(&(key.0, value.order));
            self.by_version.remove(&(key.0, value.version));
        }
    }

    pub fn is_waiting(&self, kind: Keyed) -> bool {
        self.queue.range((kind, 0)..=(kind, u64::MAX)).next().is_some()
    }

    /// The next of a kind with at most so many bytes; larger ones are passed over, a few at most.
    pub fn next(&self, kind: Keyed, max_bytes: usize) -> Option<(u32, u64, &[u8])> {
        let queued = self.queue.range((kind, 0)..=(kind, u64::MAX)).take(16);
        for (_, &key) in queued {
            if let Some(value) = self.values.get(&(kind, key)).filter(|value| value.bytes.len() <= max_bytes) {
                return Some((key, value.version, &value.bytes));
            }
        }
        None
    }

    pub fn sent(&mut self, key: Key) {
        if let Some(value) = self.values.get(&key) {
            self.queue.remove(&(key.0, value.order));
        }
    }

    pub fn acked(&mut self, key: Key, version: u64) {
        if self.values.get(&key).is_some_and(|value| value.version == version) {
            self.remove(key);
        }
    }

    pub fn lost(&mut self, key: Key, version: u64) {
        if let Some(value) = self.values.get(&key).filter(|value| value.version == version) {
            self.queue.insert((key.0, value.order), key.1);
        }
    }
}

#[derive(Debug, Default)]
pub struct KeyedIn {
    versions: BTreeMap<Key, u64>,
    by_version: BTreeMap<u64, Key>,
}

impl KeyedIn {
    /// False: this one or a newer one is here already.
    pub fn is_new(&mut self, key: Key, version: u64, limits: &Limits) -> bool {
        if self.versions.get(&key).is_some_and(|&known| known >= version) {
            return false;
        }
        if let Some(old) = self.versions.insert(key, version) {
            self.by_version.remove(&old);
        }
        self.by_version.insert(version, key);
        while self.versions.len() > limits.keyed_values {
            let Some((_, key)) = self.by_version.pop_first() else { break };
            self.versions.remove(&key);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_key_goes_in_the_place_of_the_oldest() {
        let limits = Limits::default();
        let mut out = KeyedOut::default();
        for (key, byte) in [(1, 10), (2, 20), (1, 11)] {
            out.offer((Keyed::Cloud, key), vec![byte], &limits);
        }
        let (key, version, bytes) = out.next(Keyed::Cloud, 100).unwrap();
        assert_eq!((key, bytes), (1, &[11][..]));
        out.sent((Keyed::Cloud, 1));
        out.offer((Keyed::Cloud, 1), vec![12], &limits);
        // The older one arriving does not make the newer one known.
        out.acked((Keyed::Cloud, 1), version);
        assert_eq!(out.waiting(), 2);
        assert_eq!(out.next(Keyed::Cloud, 100).map(|(key, ..)| key), Some(2), "sent before, it queues anew");
        out.lost((Keyed::Cloud, 1), version);
        assert!(out.next(Keyed::Cloud, 0).is_none(), "nothing so small");
    }

    #[test]
    fn without_room_the_oldest_of_the_least_kind_goes() {
        let limits = Limits { keyed_values: 3, ..Limits::default() };
        let mut out = KeyedOut::default();
        for (kind, key) in
            [(Keyed::Scene, 1), (Keyed::Image, 2), (Keyed::Image, 3), (Keyed::Image, 2), (Keyed::Cloud, 4)]
        {
            out.offer((kind, key), vec![0], &limits);
        }
        assert_eq!(
            out.values.keys().copied().collect::<Vec<_>>(),
            [(Keyed::Scene, 1), (Keyed::Cloud, 4), (Keyed::Image, 2)]
        );
        assert_eq!((out.dropped, out.bytes, out.by_version.len(), out.queue.len()), (1, 3, 3, 3));
    }
}
