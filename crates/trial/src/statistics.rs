//! What a number of runs says.

use serde::Serialize;

/// Two-sided 95 % of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// So many of so many, with the interval of Wilson for 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    pub done: usize,
    pub of: usize,
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// None of none says nothing: anything from 0 to 1.
    pub fn new(done: usize, of: usize) -> Share {
        if of == 0 {
            return Share { done, of, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (count, share) = (of as f64, done as f64 / of as f64);
        let spread = Z * Z / count;
        let middle = (share + 0.5 * spread) / (1.0 + spread);
        let half = Z / (1.0 + spread) * libm::sqrt(share * (1.0 - share) / count + 0.25 * spread / count);
        // Roundings must not say that none of those that all succeeded could.
        let low = if done == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if done == of { 1.0 } else { (middle + half).min(1.0) };
        Share { done, of, share, low, high }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Durations {
    pub mean_s: f64,
    pub median_s: f64,
    /// By nearest rank: the shortest that 95 % are not longer than.
    pub p95_s: f64,
    pub max_s: f64,
}

impl Durations {
    /// None of none.
    pub fn of(mut durations_s: Vec<f64>) -> Option<Durations> {
        durations_s.sort_by(f64::total_cmp);
        let count = durations_s.len();
        let max_s = *durations_s.last()?;
        let median_s = 0.5 * (durations_s[(count - 1) / 2] + durations_s[count / 2]);
        let rank = (count * 95).div_ceil(100);
        let p95_s = durations_s[rank.saturating_sub(1)];
        Some(Durations { mean_s: durations_s.iter().sum::<f64>() / count as f64, median_s, p95_s, max_s })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of the interval are the shares that would give what was found just at the edge of 95 %.
    #[test]
    fn intervals_are_those_of_wilson() {
        for (done, of) in [(81, 263), (15, 148), (0, 20), (1, 29), (10, 10), (500, 500)] {
            let share = Share::new(done, of);
            let off = |end: f64| (share.share - end).abs() - Z * libm::sqrt(end * (1.0 - end) / of as f64);
            let ends = [(done > 0).then_some(share.low), (done < of).then_some(share.high)];
            assert!(ends.into_iter().flatten().all(|end| off(end).abs() < 1e-12), "{share:?}");
            assert!(share.low <= share.share && share.share <= share.high);
        }
        let share = Share::new(81, 263);
        assert!((share.low - 0.2553).abs() < 5e-5 && (share.high - 0.3662).abs() < 5e-5, "{share:?}");
        assert_eq!((Share::new(0, 0).low, Share::new(0, 0).high), (0.0, 1.0));
        assert_eq!((Share::new(0, 20).low, Share::new(20, 20).high), (0.0, 1.0));
    }

    #[test]
    fn ranks() {
        let of = |durations_s: &[f64]| Durations::of(durations_s.to_vec()).expect("some");
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(of(&hundred), Durations { mean_s: 50.5, median_s: 50.5, p95_s: 95.0, max_s: 100.0 });
        assert_eq!(of(&[3.0, 1.0, 2.0]), Durations { mean_s: 2.0, median_s: 2.0, p95_s: 3.0, max_s: 3.0 });
        assert_eq!(of(&[7.0]).p95_s, 7.0);
        assert_eq!(Durations::of(Vec::new()), None);
    }
}
