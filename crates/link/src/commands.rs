//! Commands: given once, done at most once, answered exactly once, and refused when late.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::config::Limits;
use crate::message::{CommandId, Event, Outcome, Refusal};
use crate::stream::{Assembly, Repair};
use crate::wire::{Malformed, Reader, Writer};

const MS: u64 = 1_000_000;

/// Room for a frame's numbers before its bytes.
const HEAD: usize = 16;

struct Given {
    bytes: Vec<u8>,
    repair: Repair,
    given_ns: u64,
    valid_for_ns: u64,
    /// Too old to be done; the other side is only asked what became of it.
    expired: bool,
    ask: bool,
    answer: Option<Assembly>,
}

/// The side that gives commands.
#[derive(Default)]
pub struct CommandsOut {
    next: u64,
    open: BTreeMap<u64, Given>,
}

impl CommandsOut {
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The number that the next command gets: a stop voids all below it.
    pub fn next_id(&self) -> u64 {
        self.next
    }

    pub fn give(&mut self, bytes: Vec<u8>, valid_for_ns: u64, now_ns: u64) -> CommandId {
        let id = self.next;
        self.next += 1;
        let mut repair = Repair::default();
        // One more than the bytes, so that an empty command has something to send and acknowledge.
        repair.add(0..bytes.len() as u64 + 1);
        let given = Given { bytes, repair, given_ns: now_ns, valid_for_ns, expired: false, ask: false, answer: None };
        self.open.insert(id, given);
        CommandId(id)
    }

    pub fn expire(&mut self, now_ns: u64) {
        for given in self.open.values_mut() {
            let whole = given.bytes.len() as u64 + 1;
            let delivered = given.repair.acked_up_to(0) >= whole;
            if !given.expired && !delivered && now_ns.saturating_sub(given.given_ns) > given.valid_for_ns {
                given.expired = true;
                given.ask = true;
            }
        }
    }

    pub fn next_expiry_ns(&self) -> Option<u64> {
        let open = self.open.values().filter(|given| !given.expired);
        open.filter(|given| given.repair.acked_up_to(0) <= given.bytes.len() as u64)
            .map(|given| given.given_ns.saturating_add(given.valid_for_ns).saturating_add(1))
            .min()
    }

    pub fn is_waiting(&self) -> bool {
        self.open.values().any(|given| if given.expired { given.ask } else { given.repair.is_waiting() })
    }

    /// Writes one piece; returns what to remember about it.
    pub fn write(&self, room: usize, now_ns: u64, after: Option<u64>, out: &mut Writer) -> Option<(u64, Range<u64>)> {
        let room = room.checked_sub(HEAD + 1)? as u64;
        let floor = *self.open.first_key_value()?.0;
        let later = self.open.iter().filter(|(id, _)| after.is_none_or(|after| **id > after));
        for (&id, given) in later {
            let range = if given.expired {
                if !given.ask {
                    continue;
                }
                0..0
            } else {
                match given.repair.next(room) {
                    Some(range) => range,
                    None => continue,
                }
            };
            out.varint(id);
            out.varint(id - floor);
            out.varint(if given.expired { 0 } else { given.bytes.len() as u64 + 1 });
            if !given.expired {
                out.varint(now_ns.saturating_sub(given.given_ns) / MS);
                out.varint(given.valid_for_ns / MS);
                out.varint(range.start);
                let end = (range.end as usize).min(given.bytes.len());
                out.block(&given.bytes[(range.start as usize).min(end)..end]);
            }
            return Some((id, range));
        }
        None
    }

    pub fn sent(&mut self, id: u64, range: Range<u64>) {
        if let Some(given) = self.open.get_mut(&id) {
            if range.is_empty() {
                given.ask = false;
            }
            given.repair.sent(range);
        }
    }

    pub fn acked(&mut self, id: u64, range: Range<u64>) {
        if let Some(given) = self.open.get_mut(&id) {
            given.repair.acked(range);
        }
    }

    pub fn lost(&mut self, id: u64, range: Range<u64>) {
        if let Some(given) = self.open.get_mut(&id) {
            given.ask |= given.expired;
            given.repair.lost(range);
        }
    }

    pub fn read_answer(&mut self, input: &mut Reader<'_>, limits: &Limits) -> Result<Option<Event>, Malformed> {
        let id = input.varint()?;
        let outcome = input.u8()?;
        let why = match outcome {
            0 => None,
            1 => Some(Refusal::Late),
            2 => Some(Refusal::OvertakenByStop),
            3 => Some(Refusal::TooMany),
            other => return Err(Malformed::UnknownKind(other)),
        };
        let total = total(input, limits)?;
        let offset = input.varint()?;
        let piece = input.block()?;
        let Some(given) = self.open.get_mut(&id) else { return Ok(None) };
        let outcome = match why {
            Some(why) => Outcome::Refused(why),
            None => {
                let answer = given.answer.get_or_insert_with(|| Assembly::new(total));
                answer.put(total, offset, piece)?;
                let Some(whole) = answer.whole() else { return Ok(None) };
                Outcome::Answered(whole.to_vec())
            }
        };
        self.open.remove(&id);
        Ok(Some(Event::Answered { id: CommandId(id), outcome }))
    }

    /// The other side restarted: what became of the open ones, nobody will know. Their numbers are not used again.
    pub fn give_up(&mut self) -> Vec<Event> {
        let open = std::mem::take(&mut self.open);
        open.into_keys().map(|id| Event::Answered { id: CommandId(id), outcome: Outcome::PeerRestarted }).collect()
    }
}

fn total(input: &mut Reader<'_>, limits: &Limits) -> Result<usize, Malformed> {
    let total = usize::try_from(input.varint()?).map_err(|_| Malformed::OutOfRange)?;
    if total > limits.command_bytes + 1 { Err(Malformed::BeyondLimit) } else { Ok(total) }
}

enum Received {
    Partly(Assembly),
    /// The robot is at it.
    Passed,
    Answered(Answer),
    /// The other side has the answer.
    Closed,
}

struct Answer {
    why: Option<Refusal>,
    bytes: Vec<u8>,
    repair: Repair,
}

/// The side that does them.
#[derive(Default)]
pub struct CommandsIn {
    /// The other side has the answers of all below.
    floor: u64,
    void_below: u64,
    received: BTreeMap<u64, Received>,
    second: u64,
    in_second: u32,
}

/// How long a datagram was on its way, so that the age of what it carries is known.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub now_ns: u64,
    pub travelled_ns: u64,
}

impl CommandsIn {
    pub fn read(
        &mut self,
        input: &mut Reader<'_>,
        arrival: Arrival,
        limits: &Limits,
        events: &mut Vec<Event>,
    ) -> Result<(), Malformed> {
        let id = input.varint()?;
        let floor = id.checked_sub(input.varint()?).ok_or(Malformed::OutOfRange)?;
        let total = total(input, limits)?;
        if id - floor >= limits.commands_open as u64 {
            return Err(Malformed::BeyondLimit);
        }
        if total == 0 {
            self.forget_below(floor);
            self.refuse_unknown(id, Refusal::Late, events);
            return Ok(());
        }
        let age_ns = input.varint()?.saturating_mul(MS).saturating_add(arrival.travelled_ns);
        let valid_for_ns = input.varint()?.saturating_mul(MS);
        let offset = input.varint()?;
        let piece = input.block()?;
        self.forget_below(floor);
        if id < self.floor {
            return Ok(());
        }
        let entry = self.received.entry(id).or_insert_with(|| Received::Partly(Assembly::new(total - 1)));
        let Received::Partly(assembly) = entry else { return Ok(()) };
        assembly.put(total - 1, offset, piece)?;
        let Some(whole) = assembly.whole() else { return Ok(()) };
        let bytes = whole.to_vec();
        if age_ns > valid_for_ns {
            self.refuse_unknown(id, Refusal::Late, events);
        } else if id < self.void_below {
            self.refuse_unknown(id, Refusal::OvertakenByStop, events);
        } else if !self.within_rate(arrival.now_ns, limits.commands_per_s) {
            self.refuse_unknown(id, Refusal::TooMany, events);
        } else {
            self.received.insert(id, Received::Passed);
            events.push(Event::Command { id: CommandId(id), bytes, age_ns });
        }
        Ok(())
    }

    /// A stop that was given when `next` was the next command.
    pub fn void_below(&mut self, next: u64) {
        self.void_below = self.void_below.max(next);
    }

    fn forget_below(&mut self, floor: u64) {
        if floor > self.floor {
            self.floor = floor;
            self.received = self.received.split_off(&floor);
        }
    }

    fn refuse_unknown(&mut self, id: u64, why: Refusal, events: &mut Vec<Event>) {
        let open = matches!(self.received.get(&id), None | Some(Received::Partly(_)));
        if open && id >= self.floor {
            self.received.insert(id, Received::Answered(Answer::new(Some(why), Vec::new())));
            events.push(Event::CommandRefused { id: CommandId(id), why });
        }
    }

    fn within_rate(&mut self, now_ns: u64, per_s: u32) -> bool {
        let second = now_ns / 1_000_000_000;
        if second != self.second {
            self.second = second;
            self.in_second = 0;
        }
        self.in_second += 1;
        self.in_second <= per_s
    }

    /// False: there is no such command, or it has its answer.
    pub fn answer(&mut self, id: CommandId, bytes: Vec<u8>) -> bool {
        match self.received.get_mut(&id.0) {
            Some(entry @ Received::Passed) => {
                *entry = Received::Answered(Answer::new(None, bytes));
                true
            }
            Some(Received::Partly(_) | Received::Answered(_) | Received::Closed) | None => false,
        }
    }

    pub fn is_waiting(&self) -> bool {
        self.answers().any(|(_, answer)| answer.repair.is_waiting())
    }

    fn answers(&self) -> impl Iterator<Item = (u64, &Answer)> {
        self.received.iter().filter_map(|(&id, received)| match received {
            Received::Answered(answer) => Some((id, answer)),
            Received::Partly(_) | Received::Passed | Received::Closed => None,
        })
    }

    pub fn write(&self, room: usize, after: Option<u64>, out: &mut Writer) -> Option<(u64, Range<u64>)> {
        let room = room.checked_sub(HEAD)? as u64;
        let waiting =
            self.answers().filter(|(id, answer)| after.is_none_or(|after| *id > after) && answer.repair.is_waiting());
        let (id, answer) = waiting.into_iter().next()?;
        let range = answer.repair.next(room.max(1))?;
        out.varint(id);
        out.u8(match answer.why {
            None => 0,
            Some(Refusal::Late) => 1,
            Some(Refusal::OvertakenByStop) => 2,
            Some(Refusal::TooMany) => 3,
        });
        out.varint(answer.bytes.len() as u64);
        out.varint(range.start);
        let end = (range.end as usize).min(answer.bytes.len());
        out.block(&answer.bytes[(range.start as usize).min(end)..end]);
        Some((id, range))
    }

    fn answer_mut(&mut self, id: u64) -> Option<&mut Answer> {
        match self.received.get_mut(&id)? {
            Received::Answered(answer) => Some(answer),
            Received::Partly(_) | Received::Passed | Received::Closed => None,
        }
    }

    pub fn sent(&mut self, id: u64, range: Range<u64>) {
        if let Some(answer) = self.answer_mut(id) {
            answer.repair.sent(range);
        }
    }

    pub fn lost(&mut self, id: u64, range: Range<u64>) {
        if let Some(answer) = self.answer_mut(id) {
            answer.repair.lost(range);
        }
    }

    pub fn acked(&mut self, id: u64, range: Range<u64>) {
        let Some(answer) = self.answer_mut(id) else { return };
        answer.repair.acked(range);
        if answer.repair.acked_up_to(0) > answer.bytes.len() as u64 {
            self.received.insert(id, Received::Closed);
        }
    }
}

impl Answer {
    fn new(why: Option<Refusal>, bytes: Vec<u8>) -> Self {
        let mut repair = Repair::default();
        repair.add(0..bytes.len() as u64 + 1);
        Self { why, bytes, repair }
    }
}
