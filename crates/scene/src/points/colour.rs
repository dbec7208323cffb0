use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Colours by hue, saturation and value. What is left out admits all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ColourRange {
    /// Where the hues begin: red is 0, green 120, blue 240.
    #[schemars(range(min = 0.0, max = 360.0), extend("x-unit" = "deg"))]
    pub hue_from_deg: f64,
    /// Where they end. Below the beginning it goes through 360: 340 to 20 is red.
    #[schemars(range(min = 0.0, max = 360.0), extend("x-unit" = "deg"))]
    pub hue_to_deg: f64,
    /// 0 is grey, whose hue counts as 0; 1 is pure.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub saturation_min: f64,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub saturation_max: f64,
    /// 0 is black, 1 bright.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub value_min: f64,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub value_max: f64,
}

impl Default for ColourRange {
    fn default() -> ColourRange {
        ColourRange {
            hue_from_deg: 0.0,
            hue_to_deg: 360.0,
            saturation_min: 0.0,
            saturation_max: 1.0,
            value_min: 0.0,
            value_max: 1.0,
        }
    }
}

impl ColourRange {
    pub fn contains(&self, rgb: [u8; 3]) -> bool {
        self.test().contains(rgb)
    }

    /// The same without divisions, for many points.
    pub(super) fn test(&self) -> Test {
        let wraps = self.hue_from_deg > self.hue_to_deg;
        Test {
            hue: [Bound::least(self.hue_from_deg / 60.0), Bound::most(self.hue_to_deg / 60.0)],
            wraps: mask(wraps),
            zero_hue: mask(self.hue_from_deg <= 0.0 || wraps),
            saturation: [Bound::least(self.saturation_min), Bound::most(self.saturation_max)],
            value: [((self.value_min * 255.0) as f32).ceil() as i16, ((self.value_max * 255.0) as f32).floor() as i16],
        }
    }
}

/// Small numbers only: of these the most fit a register, and several points are tested at once.
pub(super) struct Test {
    /// In sixths of the circle.
    hue: [Bound; 2],
    wraps: i16,
    /// Whether 0 is among the hues, which is the hue of grey.
    zero_hue: i16,
    saturation: [Bound; 2],
    /// 0 to 255.
    value: [i16; 2],
}

/// A factor, in parts of 65536: two of the ratios that bytes have are never nearer to each other.
#[derive(Clone, Copy)]
struct Bound {
    whole: i16,
    part: u16,
    /// 1 where everything is at least so much.
    slack: i16,
}

impl Bound {
    fn least(factor: f64) -> Bound {
        Bound { slack: i16::from(factor <= 0.0), ..Bound::of_parts((factor * 65536.0).ceil() as i32 - 1) }
    }

    fn most(factor: f64) -> Bound {
        Bound::of_parts((factor * 65536.0).ceil() as i32)
    }

    fn of_parts(parts: i32) -> Bound {
        let parts = parts.clamp(0, 6 << 16);
        Bound { whole: (parts >> 16) as i16, part: (parts & 0xffff) as u16, slack: 0 }
    }

    /// The factor times a byte, without what is behind the point.
    #[inline(always)]
    fn times(self, byte: u8) -> i16 {
        let part = ((u32::from(self.part) * u32::from(u16::from(byte))) >> 16) as i16;
        self.whole * i16::from(byte) + part
    }

    #[inline(always)]
    fn is_least(self, number: i16, byte: u8) -> i16 {
        mask(number + self.slack > self.times(byte))
    }

    #[inline(always)]
    fn is_most(self, number: i16, byte: u8) -> i16 {
        mask(number <= self.times(byte))
    }
}

/// All bits, or none.
#[inline(always)]
fn mask(holds: bool) -> i16 {
    -i16::from(holds)
}

impl Test {
    /// How many of the marked points have a colour that fits.
    #[inline]
    pub fn count(&self, marks: &[u8], [red, green, blue]: [&[u8]; 3]) -> u32 {
        let colours = red.iter().zip(green).zip(blue);
        let fitting = marks
            .iter()
            .zip(colours)
            .map(|(mark, ((red, green), blue))| self.fits([*red, *green, *blue]) & i16::from(*mark));
        u32::from(fitting.sum::<i16>().unsigned_abs())
    }

    #[inline]
    pub fn contains(&self, rgb: [u8; 3]) -> bool {
        self.fits(rgb) != 0
    }

    #[inline(always)]
    fn fits(&self, [red, green, blue]: [u8; 3]) -> i16 {
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let span = most - least;
        let [red, green, blue, value, chroma] = [red, green, blue, most, span].map(i16::from);
        // Hue in sixths, times the chroma. Of many colours no branch could be foreseen, so there is none.
        let of_red = green - blue + if green < blue { 6 * chroma } else { 0 };
        let of_others = if green == value { blue - red + 2 * chroma } else { red - green + 4 * chroma };
        let hue = if red == value { of_red } else { of_others };
        let (after, before) = (self.hue[0].is_least(hue, span), self.hue[1].is_most(hue, span));
        let grey = mask(chroma == 0);
        let hue_fits = (grey & self.zero_hue) | (!grey & ((after & before) | (self.wraps & (after | before))));
        hue_fits
            & mask(value >= self.value[0])
            & mask(value <= self.value[1])
            & self.saturation[0].is_least(chroma, most)
            & self.saturation[1].is_most(chroma, most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    /// Hue in degrees, saturation, value: by the book.
    fn hsv(rgb: [u8; 3]) -> [f64; 3] {
        let [red, green, blue] = rgb.map(|byte| f64::from(byte) / 255.0);
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let chroma = most - least;
        let hue = if chroma == 0.0 {
            0.0
        } else if most == red {
            60.0 * ((green - blue) / chroma).rem_euclid(6.0)
        } else if most == green {
            60.0 * ((blue - red) / chroma + 2.0)
        } else {
            60.0 * ((red - green) / chroma + 4.0)
        };
        [hue, if most == 0.0 { 0.0 } else { chroma / most }, most]
    }

    #[test]
    fn hues_wrap_around() {
        let red = ColourRange { hue_from_deg: 340.0, hue_to_deg: 20.0, saturation_min: 0.5, ..ColourRange::default() };
        assert!(red.contains([200, 10, 10]));
        assert!(red.contains([200, 10, 40]));
        assert!(red.contains([200, 40, 10]));
        assert!(!red.contains([10, 200, 10]));
        assert!(!red.contains([200, 190, 190]), "too grey");
    }

    #[test]
    fn all_colours_by_default() {
        for rgb in [[0, 0, 0], [255, 255, 255], [255, 0, 0], [255, 0, 1], [1, 0, 255]] {
            assert!(ColourRange::default().contains(rgb));
        }
    }

    #[test]
    fn the_ends_belong_to_a_range() {
        let range = |hue_deg: f64, saturation: f64, value: f64| ColourRange {
            hue_from_deg: hue_deg,
            hue_to_deg: hue_deg,
            saturation_min: saturation,
            saturation_max: saturation,
            value_min: value,
            value_max: value,
        };
        assert!(range(20.0, 1.0, 1.0).contains([255, 85, 0]));
        assert!(range(340.0, 1.0, 0.6).contains([153, 0, 51]));
        assert!(range(240.0, 1.0 / 3.0, 1.0 / 85.0).contains([2, 2, 3]));
        assert!(range(0.0, 0.0, 0.0).contains([0, 0, 0]));
        assert!(!ColourRange { saturation_min: 0.1, ..ColourRange::default() }.contains([0, 0, 0]), "black is grey");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn as_by_the_book(rgb: [u8; 3], hue in prop::array::uniform2(0.0_f64..360.0),
                          saturation in prop::array::uniform2(0.0_f64..1.0), value in prop::array::uniform2(0.0_f64..1.0)) {
            let range = ColourRange {
                hue_from_deg: hue[0], hue_to_deg: hue[1],
                saturation_min: saturation[0].min(saturation[1]), saturation_max: saturation[0].max(saturation[1]),
                value_min: value[0].min(value[1]), value_max: value[0].max(value[1]),
            };
            let [h, s, v] = hsv(rgb);
            let edges = [(h, hue, 1e-3), (s, saturation, 1e-5), (v, value, 1e-5)];
            prop_assume!(edges.iter().all(|(is, ends, near)| ends.iter().all(|end| (is - end).abs() > *near)));
            let hue_fits = if hue[0] <= hue[1] { hue[0] <= h && h <= hue[1] } else { h >= hue[0] || h <= hue[1] };
            let fits = hue_fits && s >= range.saturation_min && s <= range.saturation_max
                && v >= range.value_min && v <= range.value_max;
            prop_assert_eq!(range.contains(rgb), fits, "{:?} is {:?}", rgb, [h, s, v]);
        }
    }
}
