//! Who is at the door and has not said who they are: so many in all, so many from one address, and not for long. Whoever
//! is let in is counted here no more, so that a crowd at the door keeps nobody out who belongs in.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Connections that nobody has been let in on.
pub const MOST_AT_DOOR: usize = 256;
pub const MOST_OF_ADDRESS: usize = 32;

/// After a wrong token the next hello from that address is looked at later, each time twice as late.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const FORGET_WRONG: Duration = Duration::from_secs(600);
const MOST_WRONG: usize = 1_024;

#[derive(Default)]
pub struct Door(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    next: u64,
    waiting: BTreeMap<u64, (IpAddr, Arc<Notify>)>,
    wrong: BTreeMap<IpAddr, (u32, Instant)>,
}

/// One connection at the door, for as long as it lives.
pub struct Ticket {
    door: Arc<Door>,
    number: u64,
    from: Mutex<IpAddr>,
    sent_away: Arc<Notify>,
}

impl Door {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where there is no room, the one who has waited longest goes: of this address, or of the one with the most.
    pub fn enter(self: &Arc<Door>, from: IpAddr) -> Ticket {
        let mut inner = self.lock();
        let of = |inner: &Inner, address| inner.waiting.values().filter(|(each, _)| *each == address).count();
        if of(&inner, from) >= MOST_OF_ADDRESS {
            inner.send_away(from);
        } else if inner.waiting.len() >= MOST_AT_DOOR {
            let most = inner.waiting.values().map(|(address, _)| *address).max_by_key(|address| of(&inner, *address));
            most.into_iter().for_each(|address| inner.send_away(address));
        }
        inner.next += 1;
        let (number, sent_away) = (inner.next, Arc::new(Notify::new()));
        inner.waiting.insert(number, (from, Arc::clone(&sent_away)));
        Ticket { door: Arc::clone(self), number, from: Mutex::new(from), sent_away }
    }

    /// Gives how many from there were wrong by now.
    pub fn wrong_token(&self, from: IpAddr) -> u32 {
        let mut inner = self.lock();
        if inner.wrong.len() >= MOST_WRONG {
            inner.wrong.retain(|_, (_, at)| at.elapsed() < FORGET_WRONG);
            if inner.wrong.len() >= MOST_WRONG {
                inner.wrong.clear();
            }
        }
        let entry = inner.wrong.entry(from).or_insert((0, Instant::now()));
        *entry = (entry.0.saturating_add(1), Instant::now());
        entry.0
    }

    /// How long a hello from there waits.
    pub fn wait_of(&self, from: IpAddr) -> Duration {
        match self.lock().wrong.get(&from) {
            Some((count, at)) if at.elapsed() < FORGET_WRONG => {
                FIRST_WAIT.saturating_mul(1 << count.saturating_sub(1).min(10)).min(LONGEST_WAIT)
            }
            _ => Duration::ZERO,
        }
    }
}

impl Inner {
    fn send_away(&mut self, of: IpAddr) {
        let oldest = self.waiting.iter().find(|(_, (address, _))| *address == of).map(|(number, _)| *number);
        if let Some((_, told)) = oldest.and_then(|number| self.waiting.remove(&number)) {
            told.notify_one();
        }
    }
}

impl Ticket {
    pub fn from(&self) -> IpAddr {
        *self.from.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A proxy on this machine says for whom it speaks.
    pub fn is_from(&self, address: IpAddr) {
        *self.from.lock().unwrap_or_else(PoisonError::into_inner) = address;
        if let Some((from, _)) = self.door.lock().waiting.get_mut(&self.number) {
            *from = address;
        }
    }

    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Let in: not at the door any more.
    pub fn let_in(&self) {
        self.door.lock().waiting.remove(&self.number);
    }

    /// Somebody else needs the place.
    pub async fn sent_away(&self) {
        self.sent_away.notified().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.let_in();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn a_crowd_from_one_address_keeps_nobody_out() {
        let door = Arc::new(Door::default());
        let crowd: Vec<Ticket> = (0..1_300).map(|_| door.enter(address(1))).collect();
        assert_eq!(door.lock().waiting.len(), MOST_OF_ADDRESS);
        let supervisor = door.enter(address(2));
        assert!(door.lock().waiting.contains_key(&supervisor.number));
        drop(crowd);
        assert_eq!(door.lock().waiting.len(), 1);
    }

    #[test]
    fn a_crowd_from_everywhere_loses_its_own_places_first() {
        let door = Arc::new(Door::default());
        let first = door.enter(address(0));
        let _crowd: Vec<Ticket> = (0..1_000).map(|at: u32| door.enter(address(1 + (at % 20) as u8))).collect();
        assert!(door.lock().waiting.len() <= MOST_AT_DOOR);
        assert!(door.lock().waiting.contains_key(&first.number), "whoever is alone at an address stays");
        first.let_in();
        assert!(!door.lock().waiting.contains_key(&first.number));
    }

    #[test]
    fn wrong_tokens_make_the_next_wait_and_only_there() {
        let door = Arc::new(Door::default());
        assert_eq!(door.wait_of(address(1)), Duration::ZERO);
        let waits: Vec<Duration> = (0..8)
            .map(|_| {
                door.wrong_token(address(1));
                door.wait_of(address(1))
            })
            .collect();
        assert_eq!((waits[0], waits[1], waits[7]), (FIRST_WAIT, FIRST_WAIT * 2, LONGEST_WAIT));
        assert_eq!(door.wait_of(address(2)), Duration::ZERO);
    }
}
