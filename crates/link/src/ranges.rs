//! Sets of numbers kept as ranges: packets received, bytes acknowledged.

use std::collections::BTreeMap;
use std::ops::Range;

/// Disjoint half-open ranges that do not touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RangeSet {
    end_by_start: BTreeMap<u64, u64>,
}

impl RangeSet {
    pub fn is_empty(&self) -> bool {
        self.end_by_start.is_empty()
    }

    pub fn len(&self) -> usize {
        self.end_by_start.len()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Range<u64>> + '_ {
        self.end_by_start.iter().map(|(&start, &end)| start..end)
    }

    pub fn first(&self) -> Option<Range<u64>> {
        self.iter().next()
    }

    pub fn last(&self) -> Option<Range<u64>> {
        self.iter().next_back()
    }

    pub fn contains(&self, value: u64) -> bool {
        self.end_by_start.range(..=value).next_back().is_some_and(|(_, &end)| value < end)
    }

    pub fn insert(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let Range { mut start, mut end } = range;
        // Every range that overlaps or touches; those that start before `start` can be one only.
        let before = self.end_by_start.range(..start).next_back().filter(|&(_, &e)| e >= start).map(|(&s, _)| s);
        let from = before.unwrap_or(start);
        let touched: Vec<u64> = self.end_by_start.range(from..=end).map(|(&s, _)| s).collect();
        for key in touched {
            if let Some(old_end) = self.end_by_start.remove(&key) {
                start = start.min(key);
                end = end.max(old_end);
            }
        }
        self.end_by_start.insert(start, end);
    }

    pub fn remove(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let before = self.end_by_start.range(..range.start).next_back().map(|(&s, _)| s);
        let from = before.unwrap_or(range.start);
        let touched: Vec<(u64, u64)> = self.end_by_start.range(from..range.end).map(|(&s, &e)| (s, e)).collect();
        for (start, end) in touched {
            if end <= range.start {
                continue;
            }
            self.end_by_start.remove(&start);
            if start < range.start {
                self.end_by_start.insert(start, range.start);
            }
            if end > range.end {
                self.end_by_start.insert(range.end, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn behaves_as_a_set_of_numbers(steps in prop::collection::vec((any::<bool>(), 0_u64..60, 0_u64..12), 0..40)) {
            let mut ranges = RangeSet::default();
            let mut numbers = BTreeSet::new();
            for (add, start, length) in steps {
                let range = start..start + length;
                if add {
                    ranges.insert(range.clone());
                    numbers.extend(range);
                } else {
                    ranges.remove(range.clone());
                    numbers.retain(|number| !range.contains(number));
                }
            }
            let listed: Vec<u64> = ranges.iter().flatten().collect();
            prop_assert_eq!(&listed, &numbers.iter().copied().collect::<Vec<_>>());
            for number in 0..80 {
                prop_assert_eq!(ranges.contains(number), numbers.contains(&number));
            }
            let touching = ranges.iter().zip(ranges.iter().skip(1)).any(|(left, right)| left.end >= right.start);
            prop_assert!(!touching);
        }
    }
}
