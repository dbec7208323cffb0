/// How fingers go to where they are told: a set-point that moves no faster than the speed given, behind a first-order
/// low-pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandFilter {
    set_point: f64,
    filtered: f64,
}

const CUT_OFF_HZ: f64 = 1.0;
/// The low-pass alone would never arrive.
const ARRIVED: f64 = 1e-3;

impl HandFilter {
    pub fn new(position: f64) -> HandFilter {
        HandFilter { set_point: position, filtered: position }
    }

    pub fn step(&mut self, target: f64, speed: f64, dt_s: f64) -> f64 {
        let largest = speed * dt_s;
        self.set_point += (target - self.set_point).clamp(-largest, largest);
        let time_constant_s = 1.0 / (std::f64::consts::TAU * CUT_OFF_HZ);
        let share = dt_s / (time_constant_s + dt_s);
        self.filtered += share * (self.set_point - self.filtered);
        if self.set_point == target && (target - self.filtered).abs() < ARRIVED {
            self.filtered = target;
        }
        self.filtered
    }

    pub fn has_arrived(&self, target: f64) -> bool {
        self.filtered == target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_then_low_pass() {
        let mut filter = HandFilter::new(0.0);
        let (dt_s, share) = (0.01, 0.01 / (1.0 / std::f64::consts::TAU + 0.01));
        let first = filter.step(1.0, 2.0, dt_s);
        assert!((first - share * 0.02).abs() < 1e-15);
        let second = filter.step(1.0, 2.0, dt_s);
        assert!((second - (first + share * (0.04 - first))).abs() < 1e-15);
        let mut steps = 2;
        while !filter.has_arrived(1.0) {
            filter.step(1.0, 2.0, dt_s);
            steps += 1;
        }
        assert!((100..200).contains(&steps), "half a second of ramp, and the tail of the low-pass: {steps}");
    }
}
