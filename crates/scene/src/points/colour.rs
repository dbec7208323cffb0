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
        let sixths = |hue_deg: f64| (hue_deg / 60.0) as f32;
        Test {
            hue: [sixths(self.hue_from_deg), sixths(self.hue_to_deg)],
            wraps: self.hue_from_deg > self.hue_to_deg,
            zero_hue: self.hue_from_deg <= 0.0 || self.hue_from_deg > self.hue_to_deg,
            saturation: [self.saturation_min as f32, self.saturation_max as f32],
            value: [self.value_min * 255.0, self.value_max * 255.0].map(|value| value as f32),
        }
    }
}

pub(super) struct Test {
    /// In sixths of the circle.
    hue: [f32; 2],
    wraps: bool,
    /// Whether 0 is among the hues, which is the hue of grey.
    zero_hue: bool,
    saturation: [f32; 2],
    /// 0 to 255.
    value: [f32; 2],
}

impl Test {
    /// How many of the marked points have a colour that fits. At most 255 points.
    #[inline]
    pub fn count(&self, marks: &[u8], [red, green, blue]: [&[u8]; 3]) -> u32 {
        let colours = red.iter().zip(green).zip(blue);
        let fitting = marks
            .iter()
            .zip(colours)
            .map(|(mark, ((red, green), blue))| u8::from(self.contains([*red, *green, *blue])) & mark);
        u32::from(fitting.sum::<u8>())
    }

    #[inline(always)]
    pub fn contains(&self, [red, green, blue]: [u8; 3]) -> bool {
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        // As bytes: rounding must not shut out the pure and the grey colours at the ends of a range.
        let (value, chroma) = (f32::from(most), f32::from(most - least));
        let [red, green, blue] = [red, green, blue].map(f32::from);
        // Hue in sixths, times the chroma. Of many colours no branch could be foreseen, so there is none.
        let of_red = green - blue + if green < blue { 6.0 * chroma } else { 0.0 };
        let of_others = if green == value { blue - red + 2.0 * chroma } else { red - green + 4.0 * chroma };
        let hue = if red == value { of_red } else { of_others };
        let (after, before) = (hue >= self.hue[0] * chroma, hue <= self.hue[1] * chroma);
        let grey = chroma == 0.0;
        let hue_fits = (grey & self.zero_hue) | (!grey & ((after & before) | (self.wraps & (after | before))));
        hue_fits
            & (value >= self.value[0])
            & (value <= self.value[1])
            & (chroma >= self.saturation[0] * value)
            & (chroma <= self.saturation[1] * value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    proptest! {
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
