//! Numbers made of bytes, fixed for ever: ids in files and logs, checksums on disks and keys on wires are these.

/// FNV-1a.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Fnv {
    pub const fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Another for each seed.
    pub const fn seeded(seed: u64) -> Fnv {
        Fnv(seed ^ Fnv::new().0)
    }

    #[must_use]
    pub fn with(mut self, bytes: &[u8]) -> Fnv {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    pub fn finish(self) -> u64 {
        self.0
    }

    /// Near inputs far apart.
    pub fn mixed(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 33)
    }
}

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv::new()
    }
}

/// Near numbers far apart, none of two the same: sums of them meet only by chance.
pub fn spread(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_they_were() {
        let fnv = Fnv::new().with(b"coact").with(&[0xff]);
        assert_eq!((fnv.finish(), fnv.mixed()), (0xaa55_bf5d_f0e3_ca3e, 0x7c13_3552_0ca8_9ef9));
        assert_eq!((Fnv::seeded(7).with(b"a").finish(), spread(1)), (0xaf63_db4c_8601_ead9, 0x5692_161d_100b_05e5));
    }
}
