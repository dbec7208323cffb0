//! A share of the audit trail for everybody: whoever repeats one thing without end fills their own share, not the trail.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::audit::{Deed, Entry, Now};

/// Lines at once, and how fast they grow back.
struct Share {
    burst: f64,
    per_s: f64,
}

/// Of one person for deeds of one kind, and of all behind one key: names can be made up, keys cannot.
const PERSON: Share = Share { burst: 300.0, per_s: 1.0 / 30.0 };
const KEY: Share = Share { burst: 3_000.0, per_s: 0.2 };

/// What is beyond a share is told in one line after this time, then after twice that, and so on.
const FIRST_FOLD_NS: u64 = 60_000_000_000;
const LONGEST_FOLD_NS: u64 = 3_600_000_000_000;

/// Shares that are kept; beyond them deeds count as those of the key itself.
const MOST_SHARES: usize = 2_000;

#[derive(Debug)]
struct Left {
    lines: f64,
    at_ns: u64,
}

impl Left {
    fn full(share: &Share, at_ns: u64) -> Left {
        Left { lines: share.burst, at_ns }
    }

    fn grow(&mut self, share: &Share, now_ns: u64) {
        let passed_s = now_ns.saturating_sub(self.at_ns) as f64 / 1e9;
        self.at_ns = self.at_ns.max(now_ns);
        self.lines = (self.lines + passed_s * share.per_s).min(share.burst);
    }
}

#[derive(Debug)]
struct Spender {
    left: Left,
    /// Beyond its share: the newest, how many, since when, and how long they are gathered.
    folded: Option<(Entry, u64, u64)>,
    fold_ns: u64,
}

type Key = (Arc<str>, Arc<str>, Deed);

#[derive(Debug, Default)]
pub struct Budget {
    keys: BTreeMap<Arc<str>, Left>,
    people: BTreeMap<Key, Spender>,
}

impl Budget {
    /// The entry, where there is room for it; else it is counted and told with others in a while.
    pub fn spend(&mut self, mut entry: Entry) -> Option<Entry> {
        let now_ns = entry.at_ns;
        self.forget_idle(now_ns);
        let mut key = (Arc::clone(&entry.from), Arc::clone(&entry.by), entry.deed);
        if self.people.len() >= MOST_SHARES && !self.people.contains_key(&key) {
            entry.by = Arc::clone(&entry.from);
            key.1 = Arc::clone(&entry.from);
        }
        let of_key = self.keys.entry(Arc::clone(&entry.from)).or_insert_with(|| Left::full(&KEY, now_ns));
        of_key.grow(&KEY, now_ns);
        let spender = self.people.entry(key).or_insert_with(|| Spender {
            left: Left::full(&PERSON, now_ns),
            folded: None,
            fold_ns: FIRST_FOLD_NS,
        });
        spender.left.grow(&PERSON, now_ns);
        // What was folded before comes first: lines of one person stay in order.
        if spender.folded.is_none() && spender.left.lines >= 1.0 && of_key.lines >= 1.0 {
            spender.left.lines -= 1.0;
            of_key.lines -= 1.0;
            return Some(entry);
        }
        let (count, since_ns) = spender.folded.as_ref().map_or((0, now_ns), |(_, count, since_ns)| (*count, *since_ns));
        spender.folded = Some((entry, count + 1, since_ns));
        None
    }

    /// One line for all that one person did beyond their share, where it has been gathered long enough.
    pub fn folded(&mut self, now: Now) -> Vec<Entry> {
        let mut due = Vec::new();
        for spender in self.people.values_mut() {
            let is_due = |(_, _, since_ns): &mut (Entry, u64, u64)| now.ns.saturating_sub(*since_ns) >= spender.fold_ns;
            if let Some((entry, count, _)) = spender.folded.take_if(is_due) {
                spender.left.grow(&PERSON, now.ns);
                let calm = spender.left.lines >= 1.0 && count < 10;
                spender.fold_ns = if calm { FIRST_FOLD_NS } else { (spender.fold_ns * 2).min(LONGEST_FOLD_NS) };
                due.push(Entry { times: Some(count), ..entry });
            }
        }
        due
    }

    /// All that was gathered: the process ends.
    pub fn rest(&mut self, _now: Now) -> Vec<Entry> {
        let folded = self.people.values_mut().filter_map(|spender| spender.folded.take());
        folded.map(|(entry, count, _)| Entry { times: Some(count), ..entry }).collect()
    }

    fn forget_idle(&mut self, now_ns: u64) {
        if self.people.len() < MOST_SHARES {
            return;
        }
        self.people.retain(|_, spender| {
            spender.left.grow(&PERSON, now_ns);
            spender.folded.is_some() || spender.left.lines < PERSON.burst
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn entry(by: &str, deed: Deed, at_ns: u64) -> Entry {
        Entry {
            at: crate::audit::date(0),
            at_ns,
            by: by.into(),
            role: None,
            from: "desk".into(),
            deed,
            what: "stop".to_owned(),
            said: "stop".to_owned(),
            outcome: "done".to_owned(),
            times: None,
        }
    }

    #[test]
    fn a_flood_of_one_takes_no_line_of_another_and_is_counted() {
        let mut budget = Budget::default();
        let written =
            (0..100_000).filter(|at| budget.spend(entry("eve", Deed::Stop, at * S / 2_000)).is_some()).count();
        assert!((300..310).contains(&written), "{written}");
        assert!(budget.spend(entry("ana", Deed::Stop, 50 * S)).is_some());
        assert!(budget.spend(entry("eve", Deed::Control, 50 * S)).is_some(), "her other deeds are seen");
        let told = budget.folded(Now { ns: 70 * S, unix_ms: 0 });
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].times, Some(100_000 - written as u64));
        assert!(budget.folded(Now { ns: 71 * S, unix_ms: 0 }).is_empty());
    }

    #[test]
    fn made_up_names_do_not_make_more_room() {
        let mut budget = Budget::default();
        let mut written = 0;
        for at in 0..200_000_u64 {
            written += usize::from(budget.spend(entry(&format!("eve{at}"), Deed::Stop, at * S / 2_000)).is_some());
        }
        assert!(written <= 3_100, "{written}");
        assert!(budget.people.len() <= MOST_SHARES + 1);
    }
}
