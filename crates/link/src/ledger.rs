//! Which packets went and came: acknowledgements, repeats, and what is lost.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::message::{Keyed, Latest, Stream};
use crate::ranges::RangeSet;
use crate::wire::{Malformed, Reader, Writer, varint_len};

/// What a packet carried, to be told when it arrives or is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Stop(u64),
    Command(u64, Range<u64>),
    Answer(u64, Range<u64>),
    Document(Stream, Range<u64>),
    Latest(Latest),
    Keyed(Keyed, u32, u64),
    Clock,
    Acks(usize, Vec<Range<u64>>),
}

#[derive(Debug, Clone)]
pub struct SentPacket {
    pub number: u64,
    pub at_ns: u64,
    pub contents: Vec<Content>,
}

#[derive(Debug, Default)]
pub struct Ledger {
    pub next: u64,
    in_flight: BTreeMap<u64, SentPacket>,
    /// Sent anew; they may only be late, and then nothing was lost but time.
    missed: BTreeMap<u64, Missed>,
    /// Of those below it is known whether they count as lost.
    judged: u64,
    newest_acked_sent_ns: Option<u64>,
    pub round_trip_ns: Option<u64>,
    pub acked: u64,
    pub lost: u64,
}

#[derive(Debug)]
struct Missed {
    packet: SentPacket,
    since_ns: u64,
    /// False: in the dark, where all is lost.
    counts: bool,
}

impl Ledger {
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// When the newest packet that is known to have arrived was sent.
    pub fn newest_acked_sent_ns(&self) -> Option<u64> {
        self.newest_acked_sent_ns
    }

    pub fn sent(&mut self, at_ns: u64, contents: Vec<Content>) {
        let number = self.next;
        self.next += 1;
        if !contents.is_empty() {
            self.in_flight.insert(number, SentPacket { number, at_ns, contents });
        }
    }

    pub fn acknowledged(&mut self, ranges: &[Range<u64>], delay_ns: u64, now_ns: u64) -> Vec<SentPacket> {
        let mut arrived = Vec::new();
        for range in ranges {
            let numbers: Vec<u64> = self.in_flight.range(range.clone()).map(|(&number, _)| number).collect();
            arrived.extend(numbers.iter().filter_map(|number| self.in_flight.remove(number)));
            let numbers: Vec<u64> = self.missed.range(range.clone()).map(|(&number, _)| number).collect();
            arrived.extend(numbers.iter().filter_map(|number| self.missed.remove(number)).map(|missed| missed.packet));
        }
        self.acked += arrived.len() as u64;
        let Some(newest) = arrived.iter().max_by_key(|packet| packet.number) else { return arrived };
        if ranges.first().is_some_and(|first| first.end == newest.number + 1) {
            let sample_ns = now_ns.saturating_sub(newest.at_ns).saturating_sub(delay_ns);
            self.round_trip_ns = Some(self.round_trip_ns.map_or(sample_ns, |old| (old * 7 + sample_ns) / 8));
        }
        self.newest_acked_sent_ns = self.newest_acked_sent_ns.max(Some(newest.at_ns));
        arrived
    }

    /// Overtaken by later ones for longer than `reorder_ns`, or unanswered for longer than `patience_ns`. `dark`: nothing
    /// gets through now, which says nothing about the network when it is light.
    pub fn take_missed(&mut self, now_ns: u64, reorder_ns: u64, patience_ns: u64, dark: bool) -> Vec<SentPacket> {
        let mut lost = Vec::new();
        while let Some((_, oldest)) = self.in_flight.first_key_value() {
            if self.lost_at_ns(oldest.at_ns, reorder_ns, patience_ns) > now_ns {
                break;
            }
            lost.extend(self.in_flight.pop_first().map(|(_, packet)| packet));
        }
        for packet in &lost {
            self.missed.insert(packet.number, Missed { packet: packet.clone(), since_ns: now_ns, counts: !dark });
        }
        lost
    }

    /// How many of those that were missed never came: nobody has said so for long enough. One that a busy machine
    /// answers late was not lost.
    pub fn take_lost(&mut self, now_ns: u64) -> u64 {
        let mut lost = 0;
        for (number, missed) in self.missed.range(self.judged..) {
            if now_ns.saturating_sub(missed.since_ns) < GIVEN_UP_NS {
                break;
            }
            self.judged = number + 1;
            lost += u64::from(missed.counts);
        }
        // They are kept all the same: on a slow network their acknowledgement tells how long a round trip is.
        while self.missed.len() > MAX_MISSED {
            self.missed.pop_first();
        }
        self.lost += lost;
        lost
    }

    fn lost_at_ns(&self, sent_ns: u64, reorder_ns: u64, patience_ns: u64) -> u64 {
        let overtaken = self.newest_acked_sent_ns.is_some_and(|newest_ns| newest_ns > sent_ns + reorder_ns);
        if overtaken { 0 } else { sent_ns + patience_ns }
    }

    pub fn next_loss_ns(&self, reorder_ns: u64, patience_ns: u64) -> Option<u64> {
        let (_, oldest) = self.in_flight.first_key_value()?;
        Some(self.lost_at_ns(oldest.at_ns, reorder_ns, patience_ns))
    }

    /// The other side restarted: nothing of this will be acknowledged, and its first packet gets the first number.
    pub fn take_all(&mut self) -> Vec<SentPacket> {
        self.newest_acked_sent_ns = None;
        self.missed.clear();
        self.judged = 0;
        self.next = 0;
        std::mem::take(&mut self.in_flight).into_values().collect()
    }
}

const MAX_MISSED: usize = 1024;
/// What was missed for so long counts as lost.
const GIVEN_UP_NS: u64 = 1_000_000_000;
const MAX_KNOWN: usize = 1024;
const MAX_UNREPORTED: usize = 4096;
const DELAY_UNIT_NS: u64 = 8_000_000;

#[derive(Debug, Default)]
pub struct Received {
    /// All below count as received: what comes so late is not believed.
    floor: u64,
    known: RangeSet,
    /// Received, and the other side may not know it yet.
    unreported: RangeSet,
    newest_at_ns: u64,
    pub ack_due_ns: Option<u64>,
}

impl Received {
    pub fn is_new(&self, number: u64) -> bool {
        number >= self.floor && !self.known.contains(number)
    }

    /// The whole number behind its low 32 bits.
    pub fn widen(&self, low: u32) -> u64 {
        let near = self.known.last().map_or(self.floor, |last| last.end);
        let base = (near & !0xffff_ffff) | u64::from(low);
        let candidates = [base.checked_sub(1 << 32), Some(base), base.checked_add(1 << 32)];
        candidates.into_iter().flatten().min_by_key(|value| value.abs_diff(near)).unwrap_or(base)
    }

    pub fn insert(&mut self, number: u64, now_ns: u64) {
        if self.known.last().is_none_or(|last| number >= last.end) {
            self.newest_at_ns = now_ns;
        }
        self.known.insert(number..number + 1);
        self.unreported.insert(number..number + 1);
        while self.known.len() > MAX_KNOWN {
            let Some(first) = self.known.first() else { break };
            self.known.remove(first.clone());
            // The gap behind it goes, too.
            self.floor = self.known.first().map_or(first.end, |next| next.start);
        }
        while self.unreported.len() > MAX_UNREPORTED {
            let Some(first) = self.unreported.first() else { break };
            self.unreported.remove(first);
        }
    }

    pub fn due_within(&mut self, now_ns: u64, delay_ns: u64) {
        let due_ns = now_ns + delay_ns;
        self.ack_due_ns = Some(self.ack_due_ns.map_or(due_ns, |old| old.min(due_ns)));
    }

    /// The newest ranges first, as many as fit.
    pub fn write(&self, room: usize, now_ns: u64, out: &mut Writer) -> Option<Vec<Range<u64>>> {
        let newest = self.unreported.last()?;
        let mut body = Writer::default();
        body.varint(newest.end - 1);
        body.u8((now_ns.saturating_sub(self.newest_at_ns) / DELAY_UNIT_NS).min(255) as u8);
        body.varint(newest.end - newest.start - 1);
        let mut ranges = vec![newest.clone()];
        let mut rest = Writer::default();
        for range in self.unreported.iter().rev().skip(1).take(254) {
            let last_start = ranges.last().map_or(newest.start, |last| last.start);
            let (gap, length) = (last_start - range.end - 1, range.end - range.start - 1);
            let adds = varint_len(gap) + varint_len(length);
            if body.bytes.len() + 1 + rest.bytes.len() + adds > room {
                break;
            }
            rest.varint(gap);
            rest.varint(length);
            ranges.push(range);
        }
        if body.bytes.len() + 1 + rest.bytes.len() > room {
            return None;
        }
        out.put(&body.bytes);
        out.u8((ranges.len() - 1) as u8);
        out.put(&rest.bytes);
        Some(ranges)
    }

    pub fn read(input: &mut Reader<'_>) -> Result<(Vec<Range<u64>>, u64), Malformed> {
        let newest = input.varint()?;
        let delay_ns = u64::from(input.u8()?) * DELAY_UNIT_NS;
        let mut start = newest.checked_sub(input.varint()?).ok_or(Malformed::OutOfRange)?;
        let mut ranges = Vec::new();
        ranges.push(start..newest.checked_add(1).ok_or(Malformed::OutOfRange)?);
        for _ in 0..input.u8()? {
            let back = input.varint()?.checked_add(1).ok_or(Malformed::OutOfRange)?;
            let end = start.checked_sub(back).ok_or(Malformed::OutOfRange)?;
            let length = input.varint()?.checked_add(1).ok_or(Malformed::OutOfRange)?;
            start = end.checked_sub(length).ok_or(Malformed::OutOfRange)?;
            ranges.push(start..end);
        }
        Ok((ranges, delay_ns))
    }

    /// The other side has seen these acknowledged.
    pub fn reported(&mut self, ranges: &[Range<u64>]) {
        for range in ranges {
            self.unreported.remove(range.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn acknowledgements_come_back(numbers in prop::collection::btree_set(0_u64..500, 1..200), room in 12_usize..400) {
            let mut received = Received::default();
            for &number in &numbers {
                prop_assert!(received.is_new(number));
                received.insert(number, 0);
                prop_assert!(!received.is_new(number));
            }
            let mut out = Writer::default();
            let written = received.write(room, 0, &mut out).unwrap();
            prop_assert!(out.bytes.len() <= room);
            let (read, _) = Received::read(&mut Reader::new(&out.bytes)).unwrap();
            prop_assert_eq!(&read, &written);
            prop_assert!(read.iter().cloned().flatten().all(|number| numbers.contains(&number)));
            prop_assert_eq!(read[0].end - 1, *numbers.last().unwrap());
            received.reported(&read);
            let left = numbers.iter().filter(|number| !read.iter().any(|range| range.contains(number))).count();
            prop_assert_eq!(received.unreported.iter().flatten().count(), left);
        }

        #[test]
        fn a_packet_number_is_widened(number in 0_u64..1 << 40, off in 0_u64..1 << 30) {
            let mut received = Received::default();
            received.insert(number.saturating_sub(off), 0);
            prop_assert_eq!(received.widen(number as u32), number);
        }

        #[test]
        fn garbage_is_no_acknowledgement_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Received::read(&mut Reader::new(&bytes));
        }
    }
}
