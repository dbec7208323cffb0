//! Golomb-Rice codes: small numbers take few bits, how few is learned from those before.

/// More than this many ones in front say that the number follows as it is.
const MOST_ONES: u32 = 24;
const WHOLE_BITS: u32 = 32;
/// What is learned is of about so many numbers.
const MEMORY: u32 = 32;

/// Of the numbers of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Learned {
    sum: u64,
    count: u32,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned { sum: 4, count: 1 }
    }
}

impl Learned {
    /// Of a number, those that are written as they are.
    fn low_bits(&self) -> u32 {
        (0..WHOLE_BITS).find(|bits| u64::from(self.count) << bits >= self.sum).unwrap_or(WHOLE_BITS)
    }

    fn learn(&mut self, number: u32) {
        self.sum += u64::from(number);
        self.count += 1;
        if self.count >= MEMORY {
            self.sum = self.sum.div_ceil(2);
            self.count /= 2;
        }
    }
}

#[derive(Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
    /// Not a byte yet, the first the highest.
    bits: u64,
    count: u32,
}

impl Packer {
    fn put(&mut self, number: u64, count: u32) {
        self.bits = self.bits << count | number;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.bits >> self.count) as u8);
        }
        self.bits &= (1 << self.count) - 1;
    }

    pub fn number(&mut self, learned: &mut Learned, number: u32) {
        let low = learned.low_bits();
        let ones = number.checked_shr(low).unwrap_or(0);
        if ones < MOST_ONES {
            self.put((1 << (ones + 1)) - 2, ones + 1);
            self.put(u64::from(number) & ((1 << low) - 1), low);
        } else {
            self.put((1 << MOST_ONES) - 1, MOST_ONES);
            self.put(u64::from(number), WHOLE_BITS);
        }
        learned.learn(number);
    }

    /// One that may be below zero.
    pub fn difference(&mut self, learned: &mut Learned, difference: i32) {
        self.number(learned, (difference << 1 ^ difference >> 31) as u32);
    }

    pub fn packed(mut self) -> Vec<u8> {
        self.put(0, (8 - self.count) % 8);
        self.bytes
    }
}

#[derive(Debug)]
pub struct Unpacker<'a> {
    bytes: &'a [u8],
    bits: u64,
    count: u32,
}

impl<'a> Unpacker<'a> {
    pub fn new(bytes: &'a [u8]) -> Unpacker<'a> {
        Unpacker { bytes, bits: 0, count: 0 }
    }

    fn take(&mut self, count: u32) -> Option<u64> {
        while self.count < count {
            let (first, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            self.bits = self.bits << 8 | u64::from(*first);
            self.count += 8;
        }
        self.count -= count;
        let taken = self.bits >> self.count;
        self.bits &= (1 << self.count) - 1;
        Some(taken)
    }

    /// None: there are no more.
    pub fn number(&mut self, learned: &mut Learned) -> Option<u32> {
        let low = learned.low_bits();
        let mut ones = 0;
        while ones < MOST_ONES && self.take(1)? == 1 {
            ones += 1;
        }
        let number = match ones {
            MOST_ONES => self.take(WHOLE_BITS)?,
            ones => u64::from(ones) << low | self.take(low)?,
        };
        let number = u32::try_from(number).ok()?;
        learned.learn(number);
        Some(number)
    }

    pub fn difference(&mut self, learned: &mut Learned) -> Option<i32> {
        self.number(learned).map(|number| (number >> 1) as i32 ^ -((number & 1) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_small_ones_take_little() {
        let mut numbers: Vec<u32> = (0..2000).map(|at| at * 7919 % 11).collect();
        numbers.extend([0, u32::MAX, 1, u32::MAX >> 1, 1 << 24, 0, 0, 3]);
        numbers.extend((0..500).map(|at| 2_654_435_761_u32.wrapping_mul(at).wrapping_mul(at)));
        let (mut packer, mut learned) = (Packer::default(), Learned::default());
        numbers.iter().for_each(|number| packer.number(&mut learned, *number));
        let differences = [0, -1, 1, i32::MIN, i32::MAX, -300, 300];
        differences.iter().for_each(|number| packer.difference(&mut learned, *number));
        let packed = packer.packed();
        let (mut unpacker, mut learned) = (Unpacker::new(&packed), Learned::default());
        for (at, number) in numbers.iter().enumerate() {
            assert_eq!(unpacker.number(&mut learned), Some(*number), "number {at}");
        }
        for number in differences {
            assert_eq!(unpacker.difference(&mut learned), Some(number));
        }
        let (mut packer, mut learned) = (Packer::default(), Learned::default());
        numbers[..2000].iter().for_each(|number| packer.number(&mut learned, *number));
        assert!(packer.packed().len() < 2000 * 5 / 8, "less than 5 bits each");
        assert_eq!(Unpacker::new(&[0xff; 5]).number(&mut Learned::default()), None);
    }
}
