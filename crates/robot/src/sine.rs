/// Sine and cosine in one, inlined and without branches: forward kinematics needs them once a joint. Also the same to
/// the last bit on every machine, which those of the system are not.
#[inline]
pub(crate) fn sin_cos(angle_rad: f64) -> (f64, f64) {
    if is_far(angle_rad) { (libm::sin(angle_rad), libm::cos(angle_rad)) } else { sin_cos_near(angle_rad) }
}

/// The same, bit for bit, for many angles; in a form that compilers make two or four at a time of.
pub(crate) fn sin_cos_all(angles_rad: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let mut any_far = false;
    for ((angle_rad, sine), cosine) in angles_rad.iter().zip(&mut *sines).zip(&mut *cosines) {
        any_far |= is_far(*angle_rad);
        (*sine, *cosine) = sin_cos_near(*angle_rad);
    }
    if any_far {
        for ((angle_rad, sine), cosine) in angles_rad.iter().zip(sines).zip(cosines) {
            (*sine, *cosine) = sin_cos(*angle_rad);
        }
    }
}

#[inline(always)]
fn is_far(angle_rad: f64) -> bool {
    angle_rad.is_nan() || angle_rad.abs() > 1e5
}

#[inline(always)]
fn sin_cos_near(angle_rad: f64) -> (f64, f64) {
    // A quarter turn in three parts, the first two with trailing zeros: the product with a small whole number is exact.
    const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
    // Adding 1.5 × 2⁵² rounds to the nearest whole number, which is then in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = angle_rad * std::f64::consts::FRAC_2_PI + ROUND;
    let quarters = shifted - ROUND;
    let rest = angle_rad - quarters * QUARTER[0] - quarters * QUARTER[1] - quarters * QUARTER[2];
    let (sin, cos) = within_an_eighth(rest);
    // Without a branch: which quarter it is cannot be foretold.
    let quarter = shifted.to_bits();
    let odd = 0_u64.wrapping_sub(quarter & 1);
    let exchanged = (sin.to_bits() ^ cos.to_bits()) & odd;
    let negated = |bits: u64, quarter: u64| f64::from_bits(bits ^ ((quarter & 2) << 62));
    (negated(sin.to_bits() ^ exchanged, quarter), negated(cos.to_bits() ^ exchanged, quarter.wrapping_add(1)))
}

/// The polynomials of fdlibm, for up to an eighth of a turn either way.
#[inline(always)]
fn within_an_eighth(x: f64) -> (f64, f64) {
    let z = x * x;
    let odd = -1.666_666_666_666_663_2e-1
        + z * (8.333_333_333_322_49e-3
            + z * (-1.984_126_982_985_795e-4
                + z * (2.755_731_370_707_006_8e-6 + z * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10))));
    let even = 4.166_666_666_666_66e-2
        + z * (-1.388_888_888_887_411e-3
            + z * (2.480_158_728_947_673e-5
                + z * (-2.755_731_435_139_066_3e-7
                    + z * (2.087_572_321_298_175e-9 + z * -1.135_964_755_778_819_5e-11))));
    (x + x * z * odd, 1.0 - 0.5 * z + z * z * even)
}

#[cfg(test)]
mod tests {
    use super::sin_cos;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "compared with those of the machine")]
    fn as_the_system_has_them() {
        for step in -200_000..=200_000 {
            let angle_rad = f64::from(step) * 1.234_567e-4;
            let ((sin, cos), (true_sin, true_cos)) = (sin_cos(angle_rad), angle_rad.sin_cos());
            assert!((sin - true_sin).abs() < 3e-16 && (cos - true_cos).abs() < 3e-16, "{angle_rad}");
        }
        for angle_rad in [9.9e4, -9.9e4, 1e5 + 1.0, 1e22] {
            assert!((sin_cos(angle_rad).0 - f64::sin(angle_rad)).abs() < 1e-15, "{angle_rad}");
        }
        assert!(sin_cos(f64::INFINITY).0.is_nan() && sin_cos(f64::NAN).1.is_nan());
    }
}
