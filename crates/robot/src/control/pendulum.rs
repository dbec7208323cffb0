//! The linear inverted pendulum: how a mass at constant height moves above a centre of pressure that goes from place to
//! place. What a robot with weight can do without falling.

use crate::trajectory::Moment;

const GRAVITY_M_S2: f64 = 9.81;
const CATCH_S: f64 = 0.25;

/// Along one axis: the centre of pressure goes straight from knot to knot, the mass as it must.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    rate_per_s: f64,
    pieces: Vec<Piece>,
    end_s: f64,
}

/// The mass is at `pressure + slope t + growing e^(rate t) + fading e^(−rate t)`.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start_s: f64,
    pressure_m: f64,
    slope_m_s: f64,
    growing_m: f64,
    fading_m: f64,
}

pub(crate) fn rate_per_s(height_m: f64) -> f64 {
    (GRAVITY_M_S2 / height_m.max(0.1)).sqrt()
}

/// Where the centre of pressure is of a mass that moves so.
pub(crate) fn pressure_m(moment: &Moment, rate_per_s: f64) -> f64 {
    moment.position - moment.acceleration / (rate_per_s * rate_per_s)
}

impl Course {
    /// Knots are times and centres of pressure, rising in time from zero.
    pub fn new(from: &Moment, rate_per_s: f64, knots: &[(f64, f64)]) -> Course {
        let (mut position, mut velocity) = (from.position, from.velocity);
        let mut course = Course { rate_per_s, pieces: Vec::with_capacity(knots.len()), end_s: 0.0 };
        for pair in knots.windows(2) {
            let ((start_s, pressure_m), (end_s, next_m)) = (pair[0], pair[1]);
            let slope_m_s = (next_m - pressure_m) / (end_s - start_s).max(1e-6);
            let (away, faster) = (position - pressure_m, (velocity - slope_m_s) / rate_per_s);
            let (growing_m, fading_m) = (0.5 * (away + faster), 0.5 * (away - faster));
            course.pieces.push(Piece { start_s, pressure_m, slope_m_s, growing_m, fading_m });
            course.end_s = end_s;
            let end = course.at(end_s);
            (position, velocity) = (end.position, end.velocity);
        }
        course
    }

    pub fn at(&self, time_s: f64) -> Moment {
        let time_s = time_s.clamp(0.0, self.end_s);
        let index = self.pieces[1..].partition_point(|piece| piece.start_s <= time_s);
        let piece = &self.pieces[index];
        let (rate, passed_s) = (self.rate_per_s, time_s - piece.start_s);
        let growth = libm::exp(rate * passed_s);
        let (growing_m, fading_m) = (piece.growing_m * growth, piece.fading_m / growth);
        Moment {
            position: piece.pressure_m + piece.slope_m_s * passed_s + growing_m + fading_m,
            velocity: piece.slope_m_s + rate * (growing_m - fading_m),
            acceleration: rate * rate * (growing_m + fading_m),
        }
    }

    /// Where the mass would come to rest if the centre of pressure went there at once.
    pub fn capture_m(&self, time_s: f64) -> f64 {
        let moment = self.at(time_s);
        moment.position + moment.velocity / self.rate_per_s
    }
}

/// Where the mass would have to come to rest when the centre of pressure begins to go straight from one place to another
/// in a time, for it to be the one wanted at the end.
pub(crate) fn capture_before_m(wanted_m: f64, pressure_m: [f64; 2], duration_s: f64, rate_per_s: f64) -> f64 {
    let passed = (rate_per_s * duration_s).max(1e-6);
    let [begins_m, ends_m] = pressure_m;
    let ahead_m = (ends_m - begins_m) / passed;
    begins_m + ahead_m + (wanted_m - ends_m - ahead_m) * libm::exp(-passed)
}

/// One step along one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepCourse {
    /// On the foot that stays: where the swing begins and where it ends.
    pub support_m: [f64; 2],
    /// Where the mass would come to rest when the other foot lands: what the steps after this one need.
    pub capture_m: f64,
    pub transfer_s: f64,
    pub swing_s: f64,
}

impl StepCourse {
    /// On the foot that stays through the swing, then falling towards the one that lands, as far as the next steps need.
    /// With it the centre of pressure half way through the transfer, which is free.
    pub fn solve(&self, from: &Moment, rate_per_s: f64) -> (Course, f64) {
        let begin_m = pressure_m(from, rate_per_s);
        let [lifts_m, lands_m] = self.support_m;
        let wanted_m = capture_before_m(self.capture_m, self.support_m, self.swing_s, rate_per_s);
        let course = |middle_m: f64| {
            let (lifts_s, lands_s) = (self.transfer_s, self.transfer_s + self.swing_s);
            let knots = [(0.0, begin_m), (0.5 * lifts_s, middle_m), (lifts_s, lifts_m), (lands_s, lands_m)];
            Course::new(from, rate_per_s, &knots)
        };
        // The capture point is a straight line over the middle one: two courses give it.
        let [at_zero, at_one] = [0.0, 1.0].map(|middle_m| course(middle_m).capture_m(self.transfer_s));
        let middle_m = (wanted_m - at_zero) / (at_one - at_zero);
        (course(middle_m), middle_m)
    }
}

/// To rest at a place in a time, with the centres of pressure in between.
pub(crate) fn to_rest(from: &Moment, goal_m: f64, duration_s: f64, rate_per_s: f64) -> (Course, [f64; 2]) {
    let begin_m = pressure_m(from, rate_per_s);
    let course = |[first_m, second_m]: [f64; 2]| {
        // A mass that falls towards a foot is caught at once, however long the rest takes.
        let first_s = CATCH_S.min(duration_s / 3.0);
        let second_s = 0.5 * (first_s + duration_s);
        let knots = [(0.0, begin_m), (first_s, first_m), (second_s, second_m), (duration_s, goal_m)];
        Course::new(from, rate_per_s, &knots)
    };
    let end = |between: [f64; 2]| {
        let end = course(between).at(duration_s);
        [end.position, end.velocity]
    };
    let (zero, first, second) = (end([0.0; 2]), end([1.0, 0.0]), end([0.0, 1.0]));
    let [a, c] = [first[0] - zero[0], first[1] - zero[1]];
    let [b, d] = [second[0] - zero[0], second[1] - zero[1]];
    let (x, v) = (goal_m - zero[0], -zero[1]);
    let scale = a * d - b * c;
    let between = [(x * d - b * v) / scale, (a * v - x * c) / scale];
    (course(between), between)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 3.3;

    #[test]
    fn comes_to_rest_where_it_should() {
        let from = Moment { position: 0.1, velocity: 0.3, acceleration: 0.2 };
        let (course, between) = to_rest(&from, 0.25, 0.8, RATE);
        let (start, end) = (course.at(0.0), course.at(0.8));
        assert!((start.acceleration - 0.2).abs() < 1e-9 && (start.velocity - 0.3).abs() < 1e-12);
        assert!((end.position - 0.25).abs() < 1e-9 && end.velocity.abs() < 1e-9 && end.acceleration.abs() < 1e-8);
        assert!(between.iter().all(|pressure_m| (-0.1..0.5).contains(pressure_m)), "{between:?}");
    }

    #[test]
    fn steps_that_know_the_next_go_straight_from_foot_to_foot() {
        let feet = [-0.1, 0.1, -0.1, 0.1, -0.1];
        let (transfer_s, swing_s) = (0.2, 0.6);
        // From the last step back: where the mass would come to rest when each one lands.
        let mut captures_m = [0.0; 4];
        for index in (0..4).rev() {
            let lifts_m = match captures_m.get(index + 1) {
                Some(next_m) => capture_before_m(*next_m, [feet[index + 1]; 2], swing_s, RATE),
                None => feet[index + 1],
            };
            captures_m[index] = capture_before_m(lifts_m, [feet[index], feet[index + 1]], transfer_s, RATE);
        }
        let mut from = Moment::rest(0.0);
        for (index, pair) in feet.windows(2).enumerate() {
            let transfer_s = if index == 0 { 0.6 } else { transfer_s };
            let step = StepCourse { support_m: [pair[0]; 2], capture_m: captures_m[index], transfer_s, swing_s };
            let (course, middle_m) = step.solve(&from, RATE);
            assert!(if index == 0 { middle_m.abs() < 0.13 } else { middle_m.abs() < 1e-6 }, "step {index}: {middle_m}");
            for sample in 0..=20 {
                let moment = course.at(transfer_s + swing_s * f64::from(sample) / 20.0);
                assert!((pressure_m(&moment, RATE) - pair[0]).abs() < 1e-6);
                assert!(moment.position.abs() < 0.12, "step {index}: {moment:?}");
            }
            from = course.at(transfer_s + swing_s);
        }
    }
}
