//! Bytes in order and complete over packets that come in any order or not at all.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::ranges::RangeSet;
use crate::wire::{Malformed, Reader, Writer, varint_len};

/// Which bytes of something still have to be sent. What a packet carried comes back as acknowledged or as lost.
#[derive(Debug, Default)]
pub struct Repair {
    to_send: RangeSet,
    acked: RangeSet,
}

impl Repair {
    pub fn add(&mut self, range: Range<u64>) {
        self.to_send.insert(range);
    }

    pub fn next(&self, max_bytes: u64) -> Option<Range<u64>> {
        let first = self.to_send.first()?;
        Some(first.start..first.end.min(first.start + max_bytes))
    }

    pub fn is_waiting(&self) -> bool {
        !self.to_send.is_empty()
    }

    pub fn sent(&mut self, range: Range<u64>) {
        self.to_send.remove(range);
    }

    pub fn acked(&mut self, range: Range<u64>) {
        self.to_send.remove(range.clone());
        self.acked.insert(range);
    }

    pub fn lost(&mut self, range: Range<u64>) {
        self.to_send.insert(range.clone());
        let known: Vec<Range<u64>> = self.acked.iter().filter(|acked| acked.end > range.start).collect();
        for acked in known {
            self.to_send.remove(acked);
        }
    }

    /// Everything below is acknowledged.
    pub fn acked_up_to(&self, from: u64) -> u64 {
        self.acked.first().filter(|first| first.start <= from).map_or(from, |first| first.end.max(from))
    }
}

#[derive(Debug, Default)]
pub struct StreamOut {
    /// Where `bytes` begins in the stream.
    base: u64,
    bytes: VecDeque<u8>,
    repair: Repair,
    message_ends: VecDeque<u64>,
    pub offered: u64,
    pub acknowledged: u64,
}

impl StreamOut {
    pub fn queued_bytes(&self) -> usize {
        self.bytes.len()
    }

    pub fn offer(&mut self, message: &[u8]) -> u64 {
        let start = self.base + self.bytes.len() as u64;
        let mut head = Writer::default();
        head.varint(message.len() as u64);
        self.bytes.extend(head.bytes);
        self.bytes.extend(message);
        let end = self.base + self.bytes.len() as u64;
        self.repair.add(start..end);
        self.message_ends.push_back(end);
        self.offered += 1;
        self.offered
    }

    pub fn is_waiting(&self, window_bytes: u64) -> bool {
        self.repair.next(1).is_some_and(|range| range.start < self.base + window_bytes)
    }

    /// The next piece whose frame, of `head` bytes and offset and length, fits into `room`.
    pub fn next(&self, room: usize, window_bytes: u64) -> Option<(u64, Vec<u8>)> {
        let offset = self.repair.next(1).filter(|range| range.start < self.base + window_bytes)?.start;
        let fits = room.checked_sub(1 + varint_len(offset))?;
        let fits = fits.checked_sub(varint_len(fits as u64)).filter(|&fits| fits > 0)?;
        let range = self.repair.next(fits as u64)?;
        let start = usize::try_from(range.start - self.base).ok()?;
        let end = usize::try_from(range.end - self.base).ok()?;
        Some((offset, self.bytes.range(start..end).copied().collect()))
    }

    pub fn sent(&mut self, range: Range<u64>) {
        self.repair.sent(range);
    }

    pub fn lost(&mut self, range: Range<u64>) {
        self.repair.lost(range.start.max(self.base)..range.end.max(self.base));
    }

    pub fn acked(&mut self, range: Range<u64>) {
        self.repair.acked(range);
        let up_to = self.repair.acked_up_to(self.base);
        self.bytes.drain(..(up_to - self.base) as usize);
        self.base = up_to;
        while self.message_ends.front().is_some_and(|&end| end <= up_to) {
            self.message_ends.pop_front();
            self.acknowledged += 1;
        }
    }
}

#[derive(Debug, Default)]
pub struct StreamIn {
    next: u64,
    ahead: BTreeMap<u64, Vec<u8>>,
    ahead_bytes: u64,
    /// Whole bytes up to `next`, of messages that are not complete.
    tail: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
pub struct StreamLimits {
    pub window_bytes: u64,
    pub message_bytes: usize,
}

impl StreamIn {
    pub fn receive(&mut self, offset: u64, bytes: &[u8], limits: StreamLimits) -> Result<Vec<Vec<u8>>, Malformed> {
        let end = offset.checked_add(bytes.len() as u64).ok_or(Malformed::OutOfRange)?;
        if end <= self.next {
            return Ok(Vec::new());
        }
        // The sender's window begins at what it knows to be acknowledged, never above what we have.
        if end > self.next + 2 * limits.window_bytes || self.ahead_bytes > 2 * limits.window_bytes {
            return Err(Malformed::BeyondLimit);
        }
        let longer = self.ahead.get(&offset).is_none_or(|old| old.len() < bytes.len());
        if longer {
            let old = self.ahead.insert(offset, bytes.to_vec());
            self.ahead_bytes += bytes.len() as u64;
            self.ahead_bytes -= old.map_or(0, |old| old.len() as u64);
        }
        self.take_what_follows();
        self.whole_messages(limits.message_bytes)
    }

    fn take_what_follows(&mut self) {
        while let Some((&offset, _)) = self.ahead.first_key_value() {
            if offset > self.next {
                return;
            }
            let Some((_, bytes)) = self.ahead.pop_first() else { return };
            self.ahead_bytes -= bytes.len() as u64;
            let known = (self.next - offset) as usize;
            if known < bytes.len() {
                self.tail.extend_from_slice(&bytes[known..]);
                self.next = offset + bytes.len() as u64;
            }
        }
    }

    fn whole_messages(&mut self, max_bytes: usize) -> Result<Vec<Vec<u8>>, Malformed> {
        let mut messages = Vec::new();
        let mut used = 0;
        loop {
            let mut input = Reader::new(&self.tail[used..]);
            let length = match input.varint() {
                Ok(length) => length,
                Err(Malformed::Truncated) => break,
                Err(error) => return Err(error),
            };
            if length > max_bytes as u64 {
                return Err(Malformed::BeyondLimit);
            }
            let Ok(message) = input.bytes(length as usize) else { break };
            messages.push(message.to_vec());
            used += varint_len(length) + length as usize;
        }
        self.tail.drain(..used);
        Ok(messages)
    }
}

/// Something whole, put together from its pieces.
#[derive(Debug)]
pub struct Assembly {
    bytes: Vec<u8>,
    have: RangeSet,
}

impl Assembly {
    pub fn new(total: usize) -> Self {
        Self { bytes: vec![0; total], have: RangeSet::default() }
    }

    pub fn put(&mut self, total: usize, offset: u64, piece: &[u8]) -> Result<(), Malformed> {
        let start = usize::try_from(offset).map_err(|_| Malformed::OutOfRange)?;
        let end = start.checked_add(piece.len()).filter(|&end| end <= total && total == self.bytes.len());
        let end = end.ok_or(Malformed::OutOfRange)?;
        self.bytes[start..end].copy_from_slice(piece);
        self.have.insert(offset..end as u64);
        Ok(())
    }

    pub fn whole(&self) -> Option<&[u8]> {
        let whole = self.bytes.is_empty() || self.have.first() == Some(0..self.bytes.len() as u64);
        whole.then_some(&self.bytes)
    }
}
