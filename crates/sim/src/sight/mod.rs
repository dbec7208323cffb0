//! Simulated cameras and the simulated detector behind them. What is in front of a camera comes from the physics.

#[cfg(test)]
pub(crate) mod brute;
mod cast;
mod cover;
mod detector;
mod form;
mod lens;
mod things;

#[cfg(test)]
pub(crate) use cast::Grid;
pub(crate) use cast::Hits;
pub use detector::SimulatedDetector;
pub(crate) use form::{Form, Solid};
pub(crate) use lens::Lens;
pub(crate) use things::{Thing, things};

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Streams of one seed differ.
    pub fn new(seed: u64, stream: &str) -> Random {
        let mut mixed = seed ^ 0xCBF2_9CE4_8422_2325;
        for byte in stream.bytes() {
            mixed = (mixed ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Random(mixed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1, below 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Near enough to the normal distribution, of deviation 1: the sum of four even ones, none beyond 3.5.
    pub fn normal(&mut self) -> f64 {
        let bits = self.bits();
        let sum: u64 = (0..4).map(|part| (bits >> (16 * part)) & 0xFFFF).sum();
        (sum as f64 / 65_535.0 - 2.0) * 1.732_050_807_568_877_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_no_mean_and_a_deviation_of_one() {
        let mut random = Random::new(1, "test");
        let count = 100_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..count {
            let number = random.normal();
            sum += number;
            squares += number * number;
        }
        let (mean, variance) = (sum / f64::from(count), squares / f64::from(count));
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        assert_ne!(Random::new(1, "a").bits(), Random::new(1, "b").bits());
    }
}
