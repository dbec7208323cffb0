//! The newest value of one kind: older ones are dropped on both sides, and each is packed against the newest one that
//! the other side is known to have.

use std::collections::{BTreeMap, VecDeque};

use crate::wire::{Malformed, Reader, Writer};

/// From the base that a value was packed against, if any, and what came of it: the whole value; none: it is not sound.
pub type Whole = fn(Option<&[u8]>, &[u8]) -> Option<Vec<u8>>;

/// How values of one kind are packed against one that the other side has. Both ends of a link have the same.
#[derive(Debug, Clone, Copy)]
pub struct Packing {
    /// From a base and a value, both whole.
    pub against: fn(&[u8], &[u8]) -> Vec<u8>,
    pub whole: Whole,
}

impl Packing {
    /// Each value as it is.
    pub const NONE: Packing = Packing { against: |_, value| value.to_vec(), whole: |_, packed| Some(packed.to_vec()) };
}

/// The receiver keeps more than the sender refers back to, so that what it is told to look up is there.
const KEPT: usize = 64;
const REFERRED: u64 = 48;

const AGE_UNIT_NS: u64 = 4_000_000;

pub struct LatestOut {
    packing: Packing,
    value: Option<Vec<u8>>,
    offered_ns: u64,
    offered: u64,
    acknowledged: u64,
    sends: u64,
    /// The newest was lost.
    repeat: bool,
    /// Kept on a grid, so that waiting for the line now and then does not lower the rate.
    next_due_ns: u64,
    base: Option<Sent>,
    on_their_way: VecDeque<Sent>,
}

struct Sent {
    packet: u64,
    send: u64,
    offered: u64,
    value: Vec<u8>,
}

impl LatestOut {
    pub fn new(packing: Packing) -> Self {
        Self {
            packing,
            value: None,
            offered_ns: 0,
            offered: 0,
            acknowledged: 0,
            sends: 0,
            repeat: false,
            next_due_ns: 0,
            base: None,
            on_their_way: VecDeque::new(),
        }
    }

    pub fn offer(&mut self, value: Vec<u8>, now_ns: u64) {
        self.value = Some(value);
        self.offered_ns = now_ns;
        self.offered += 1;
    }

    /// None: there is nothing that the other side does not have.
    pub fn due_ns(&self) -> Option<u64> {
        self.value.as_ref().filter(|_| self.acknowledged < self.offered)?;
        let unsent = self.on_their_way.back().is_none_or(|sent| sent.offered < self.offered);
        (unsent || self.repeat).then_some(self.next_due_ns)
    }

    /// The age when sent, the packet it is packed against as a distance (0: none), and the packed value.
    pub fn write(&self, packet: u64, now_ns: u64, out: &mut Writer) {
        let Some(value) = &self.value else { return };
        let base = self.base.as_ref().filter(|base| self.sends - base.send < REFERRED);
        let mut packed = Writer::default();
        packed.u8((now_ns.saturating_sub(self.offered_ns) / AGE_UNIT_NS).min(255) as u8);
        packed.varint(base.map_or(0, |base| packet - base.packet));
        match base {
            Some(base) => packed.put(&(self.packing.against)(&base.value, value)),
            None => packed.put(value),
        }
        out.block(&packed.bytes);
    }

    pub fn sent(&mut self, packet: u64, now_ns: u64, period_ns: u64) {
        let Some(value) = &self.value else { return };
        self.sends += 1;
        self.repeat = false;
        self.next_due_ns = (self.next_due_ns + period_ns).max(now_ns.saturating_sub(period_ns / 2));
        let sent = Sent { packet, send: self.sends, offered: self.offered, value: value.clone() };
        self.on_their_way.push_back(sent);
        if self.on_their_way.len() > REFERRED as usize {
            self.on_their_way.pop_front();
        }
    }

    pub fn acknowledged(&mut self, packet: u64) {
        while self.on_their_way.front().is_some_and(|sent| sent.packet <= packet) {
            let Some(sent) = self.on_their_way.pop_front() else { return };
            if sent.packet == packet {
                self.acknowledged = self.acknowledged.max(sent.offered);
                self.base = Some(sent);
            }
        }
    }

    pub fn lost(&mut self, packet: u64) {
        self.repeat |= self.on_their_way.back().is_some_and(|newest| newest.packet == packet);
    }

    /// The other side has forgotten everything.
    pub fn reset(&mut self) {
        self.base = None;
        self.on_their_way.clear();
        self.acknowledged = 0;
        self.repeat = false;
        self.next_due_ns = 0;
    }
}

pub struct LatestIn {
    packing: Packing,
    kept: BTreeMap<u64, Vec<u8>>,
    newest: Option<u64>,
    /// When the newest was true, on our clock.
    pub at_ns: Option<u64>,
}

impl LatestIn {
    pub fn new(packing: Packing) -> Self {
        Self { packing, kept: BTreeMap::new(), newest: None, at_ns: None }
    }

    /// The value and how old it was when sent; none if there is a newer one already.
    pub fn read(&mut self, packet: u64, bytes: &[u8]) -> Result<Option<(Vec<u8>, u64)>, Malformed> {
        let mut input = Reader::new(bytes);
        let age_ns = u64::from(input.u8()?) * AGE_UNIT_NS;
        let back = input.varint()?;
        let base = match back {
            0 => None,
            back => {
                let base = packet.checked_sub(back).ok_or(Malformed::OutOfRange)?;
                Some(self.kept.get(&base).ok_or(Malformed::OutOfRange)?)
            }
        };
        let value = (self.packing.whole)(base.map(Vec::as_slice), input.rest()).ok_or(Malformed::OutOfRange)?;
        self.kept.insert(packet, value.clone());
        while self.kept.len() > KEPT {
            self.kept.pop_first();
        }
        if self.newest.is_some_and(|newest| packet <= newest) {
            return Ok(None);
        }
        self.newest = Some(packet);
        Ok(Some((value, age_ns)))
    }
}
