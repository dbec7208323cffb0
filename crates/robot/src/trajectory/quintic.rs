/// A number that moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    pub position: f64,
    pub velocity: f64,
    pub acceleration: f64,
}

impl Moment {
    pub fn rest(position: f64) -> Moment {
        Moment { position, velocity: 0.0, acceleration: 0.0 }
    }
}

/// From one moment to another without a jump in position, velocity or acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quintic {
    /// Of the share of the duration.
    coefficients: [f64; 6],
    duration_s: f64,
}

impl Quintic {
    pub fn new(from: &Moment, to: &Moment, duration_s: f64) -> Quintic {
        let duration_s = duration_s.max(1e-6);
        let (v0, v1) = (from.velocity * duration_s, to.velocity * duration_s);
        let (a0, a1) = (from.acceleration * duration_s * duration_s, to.acceleration * duration_s * duration_s);
        let way = to.position - from.position;
        let coefficients = [
            from.position,
            v0,
            0.5 * a0,
            10.0 * way - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * way + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
            6.0 * way - 3.0 * (v0 + v1) - 0.5 * a0 + 0.5 * a1,
        ];
        Quintic { coefficients, duration_s }
    }

    /// Before its time the beginning, after its time the end.
    pub fn at(&self, time_s: f64) -> Moment {
        let u = (time_s / self.duration_s).clamp(0.0, 1.0);
        let [c0, c1, c2, c3, c4, c5] = self.coefficients;
        Moment {
            position: c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5)))),
            velocity: (c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)))) / self.duration_s,
            acceleration: (2.0 * c2 + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5)))
                / (self.duration_s * self.duration_s),
        }
    }
}

/// From 0 to 1 with the least jerk, at rest at both ends.
pub fn smooth_share(share: f64) -> f64 {
    let u = share.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_as_given() {
        let from = Moment { position: 1.0, velocity: -2.0, acceleration: 3.0 };
        let to = Moment { position: -0.5, velocity: 0.7, acceleration: -1.1 };
        let quintic = Quintic::new(&from, &to, 0.8);
        for (moment, expected) in [(quintic.at(0.0), from), (quintic.at(0.8), to), (quintic.at(5.0), to)] {
            assert!((moment.position - expected.position).abs() < 1e-12);
            assert!((moment.velocity - expected.velocity).abs() < 1e-12);
            assert!((moment.acceleration - expected.acceleration).abs() < 1e-11);
        }
    }
}
