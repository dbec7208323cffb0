//! Two clocks that nobody set: how far they are apart, from the fastest datagrams of the last minute.
//!
//! A datagram says when it was sent, on its sender's clock. What the receiver's clock shows then is later by the way it
//! took plus the difference of the clocks. The least of these, told to each other, gives both: half their sum is the
//! way, half their difference the clocks. The error is half the difference of the two ways.

use std::collections::VecDeque;

const BUCKET_MS: i64 = 10_000;
const BUCKETS: usize = 6;

/// Times are whole milliseconds of two clocks.
const ROUNDING_MS: i64 = 3;

#[derive(Debug, Default)]
pub struct Clock {
    buckets: VecDeque<(i64, i64)>,
    theirs_ms: Option<i64>,
}

impl Clock {
    pub fn sample(&mut self, now_ms: i64, sent_ms: i64) {
        let bucket = now_ms.div_euclid(BUCKET_MS);
        let apparent_ms = now_ms.saturating_sub(sent_ms);
        match self.buckets.back_mut() {
            Some((last, least)) if *last == bucket => *least = apparent_ms.min(*least),
            _ => self.buckets.push_back((bucket, apparent_ms)),
        }
        // By time and not by number only: after a long silence old ones are too old, but better than none.
        while self.buckets.len() > BUCKETS || self.too_old(bucket) {
            self.buckets.pop_front();
        }
    }

    fn too_old(&self, bucket: i64) -> bool {
        self.buckets.len() > 1 && self.buckets.front().is_some_and(|(first, _)| bucket - first >= BUCKETS as i64)
    }

    pub fn told(&mut self, theirs_ms: i64) {
        self.theirs_ms = Some(theirs_ms);
    }

    /// What the other side wants to know.
    pub fn least_ms(&self) -> Option<i64> {
        self.buckets.iter().map(|(_, least)| *least).min()
    }

    /// Our clock minus theirs.
    pub fn ahead_ms(&self) -> Option<i64> {
        Some((self.least_ms()?.saturating_sub(self.theirs_ms?)) / 2)
    }

    /// The fastest way there and back.
    pub fn round_trip_ms(&self) -> Option<i64> {
        Some(self.least_ms()?.saturating_add(self.theirs_ms?).max(0))
    }

    /// How long something sent then was on its way. None: the clocks are not known, or one of them was set and the last
    /// minute says that datagrams arrive before they are sent.
    pub fn travelled_ms(&self, now_ms: i64, sent_ms: i64) -> Option<i64> {
        if self.least_ms()?.saturating_add(self.theirs_ms?) < -ROUNDING_MS {
            return None;
        }
        Some((now_ms.saturating_sub(sent_ms).saturating_sub(self.ahead_ms()?)).max(0))
    }
}

/// The full number behind its low 24 bits, nearest to what is expected.
pub fn widen_u24(low: u32, near: i64) -> i64 {
    const SPAN: i64 = 1 << 24;
    let base = near - near.rem_euclid(SPAN) + i64::from(low);
    [base - SPAN, base, base + SPAN].into_iter().min_by_key(|value| (value - near).abs()).unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn a_number_is_widened(value in 0_i64..1 << 50, off in -8_000_000_i64..8_000_000) {
            prop_assert_eq!(widen_u24((value & 0xff_ffff) as u32, value + off), value);
        }

        #[test]
        fn the_difference_is_found_within_half_the_difference_of_the_ways(
            ahead in -100_000_000_i64..100_000_000,
            there in prop::collection::vec(20_i64..400, 1..50),
            back in prop::collection::vec(20_i64..400, 1..50),
        ) {
            let (mut robot, mut operator) = (Clock::default(), Clock::default());
            for (step, way) in there.iter().enumerate() {
                robot.sample(1000 + step as i64 * 100 + way + ahead, 1000 + step as i64 * 100);
            }
            for (step, way) in back.iter().enumerate() {
                operator.sample(1000 + step as i64 * 100 + way, 1000 + step as i64 * 100 + ahead);
            }
            robot.told(operator.least_ms().unwrap());
            let (fastest_there, fastest_back) = (*there.iter().min().unwrap(), *back.iter().min().unwrap());
            let error = (robot.ahead_ms().unwrap() - ahead).abs();
            prop_assert!(error <= (fastest_there - fastest_back).abs() / 2 + 1);
            prop_assert_eq!(robot.round_trip_ms().unwrap(), fastest_there + fastest_back);
        }
    }

    /// What the robot takes for the age of a command that was on its way for 7 s, after one clock was set.
    fn age_after(robot_set_ms: i64, operator_set_ms: i64) -> Option<i64> {
        let (mut robot, mut operator) = (Clock::default(), Clock::default());
        robot.sample(1_050, 1_000);
        operator.sample(1_050, 1_000);
        robot.sample(2_050 + robot_set_ms, 2_000 + operator_set_ms);
        operator.sample(2_050 + operator_set_ms, 2_000 + robot_set_ms);
        robot.told(operator.least_ms().unwrap());
        robot.travelled_ms(10_000 + robot_set_ms, 3_000 + operator_set_ms)
    }

    #[test]
    fn a_clock_that_is_set_makes_nothing_look_fresh() {
        assert_eq!(age_after(0, 0), Some(7_000));
        for (robot_set_ms, operator_set_ms) in [(10_000, 0), (-10_000, 0), (0, 10_000), (0, -10_000)] {
            let age_ms = age_after(robot_set_ms, operator_set_ms);
            assert!(age_ms.is_none_or(|age_ms| age_ms >= 7_000), "{robot_set_ms}, {operator_set_ms}: {age_ms:?}");
        }
    }
}
