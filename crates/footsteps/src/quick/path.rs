//! Ways of the hips over the floor, for feet to follow.

use std::f64::consts::{FRAC_PI_2, PI};

use robot::WalkingLimits;

use crate::planar::{Planar, wrap_rad};

/// A way of straight pieces; on each the hips also turn evenly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    knots: Vec<Knot>,
}

#[derive(Clone, Copy, Debug)]
struct Knot {
    /// Headings are not wrapped: from one knot to the next the way turns as far as the numbers say.
    at: Planar,
    /// How far along the way, in metres; a turn on the spot has a length too.
    s_m: f64,
    /// A waypoint: to be passed closely.
    passed: bool,
    left: Left,
}

/// What is left of a way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Left {
    pub strides: f64,
    /// There and back added up.
    pub turn_rad: f64,
    /// From here to the end: feet need not follow a turn that the way takes back.
    pub net_rad: f64,
}

impl Left {
    /// Steps that this asks for at least, with some room for feet that stand ahead of the hips.
    pub fn steps(&self, limits: &WalkingLimits) -> usize {
        let turn_deg = self.net_rad.abs().to_degrees() - limits.max_turn_out_deg;
        let turns = turn_deg / (limits.max_turn_out_deg + limits.max_turn_in_deg).max(1.0) * 2.0;
        1 + libm::ceil((self.strides.max(turns) - AHEAD - ROUNDING).max(0.0)) as usize
    }
}

/// A problem and its mirror image differ in their last digits.
const ROUNDING: f64 = 1e-6;

/// Strides that feet may be ahead of the hips.
const AHEAD: f64 = 0.3;

/// A radian turned counts as much way as this.
const RADIAN_M: f64 = 0.3;

impl Path {
    pub fn from(start: Planar) -> Path {
        let mut knots = Vec::with_capacity(4);
        knots.push(Knot { at: start, s_m: 0.0, passed: false, left: Left::default() });
        Path { knots }
    }

    pub fn push(&mut self, x_m: f64, y_m: f64, yaw_rad: f64) {
        let last = self.end();
        let at = Planar::new(x_m, y_m, yaw_rad);
        let length_m = last.distance_m(&at).max((yaw_rad - last.yaw_rad).abs() * RADIAN_M);
        if length_m > 1e-9 {
            let s_m = self.length_m() + length_m;
            self.knots.push(Knot { at, s_m, passed: false, left: Left::default() });
        }
    }

    /// The place it has come to must be passed.
    pub fn mark(&mut self) {
        if let Some(knot) = self.knots.last_mut() {
            knot.passed = true;
        }
    }

    pub fn end(&self) -> Planar {
        self.knots.last().map_or(Planar::new(0.0, 0.0, 0.0), |knot| knot.at)
    }

    pub fn length_m(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.s_m)
    }

    pub fn places(&self) -> Vec<Planar> {
        self.knots.iter().map(|knot| knot.at).collect()
    }

    /// Where the way turns round a corner or passes a waypoint after `s_m`, for the last time.
    pub fn last_corner_m(&self) -> f64 {
        self.knots.iter().rev().skip(1).find(|knot| knot.passed).map_or(0.0, |knot| knot.s_m)
    }

    pub fn at(&self, s_m: f64) -> Planar {
        let next = self.knots.partition_point(|knot| knot.s_m < s_m).clamp(1, self.knots.len().max(2) - 1);
        let [Some(from), Some(to)] = [next - 1, next].map(|index| self.knots.get(index)) else { return self.end() };
        let share = ((s_m - from.s_m) / (to.s_m - from.s_m)).clamp(0.0, 1.0);
        let between = |a: f64, b: f64| a + (b - a) * share;
        if from.at.yaw_rad == to.at.yaw_rad {
            let (x_m, y_m) = (between(from.at.x_m, to.at.x_m), between(from.at.y_m, to.at.y_m));
            return Planar { x_m, y_m, ..from.at };
        }
        Planar::new(
            between(from.at.x_m, to.at.x_m),
            between(from.at.y_m, to.at.y_m),
            between(from.at.yaw_rad, to.at.yaw_rad),
        )
    }

    /// Strides that its pieces ask for at least, one by one, as the hips are headed on them.
    fn strides(&self, limits: &WalkingLimits, pair: &[Knot]) -> f64 {
        let sideways_m = ((limits.max_width_m - limits.min_width_m) / 2.0).max(0.01);
        // Where the hips turn meanwhile, feet may turn earlier or later: only the way counts.
        if pair[0].at.yaw_rad != pair[1].at.yaw_rad {
            return pair[0].at.distance_m(&pair[1].at) / limits.max_forward_m;
        }
        let [ahead_m, left_m] = pair[0].at.local(pair[1].at.x_m, pair[1].at.y_m);
        let stride_m = if ahead_m > 0.0 { limits.max_forward_m } else { limits.max_backward_m.max(0.01) };
        (ahead_m.abs() / stride_m).max(left_m.abs() / sideways_m)
    }

    /// Says how much is left from each of its knots on. To be called when it has come to its end.
    pub fn measure(&mut self, limits: &WalkingLimits) {
        for index in (1..self.knots.len()).rev() {
            let pair = [self.knots[index - 1], self.knots[index]];
            let left = pair[1].left;
            self.knots[index - 1].left = Left {
                strides: left.strides + self.strides(limits, &pair),
                turn_rad: left.turn_rad + (pair[1].at.yaw_rad - pair[0].at.yaw_rad).abs(),
                net_rad: left.net_rad + pair[1].at.yaw_rad - pair[0].at.yaw_rad,
            };
        }
    }

    /// From a point of the way to its end.
    pub fn left(&self, s_m: f64) -> Left {
        let next = self.knots.iter().position(|knot| knot.s_m >= s_m).unwrap_or(self.knots.len() - 1).max(1);
        let [Some(from), Some(to)] = [next - 1, next].map(|index| self.knots.get(index)) else {
            return Left::default();
        };
        let share = ((s_m - from.s_m) / (to.s_m - from.s_m)).clamp(0.0, 1.0);
        let between = |a: f64, b: f64| a + (b - a) * share;
        Left {
            strides: between(from.left.strides, to.left.strides),
            turn_rad: between(from.left.turn_rad, to.left.turn_rad),
            net_rad: between(from.left.net_rad, to.left.net_rad),
        }
    }

    /// The first place to be passed between two points of the way.
    pub fn passed_between(&self, from_m: f64, to_m: f64) -> Option<(f64, Planar)> {
        let knot = self.knots.iter().find(|knot| knot.passed && knot.s_m > from_m + 1e-9 && knot.s_m < to_m)?;
        Some((knot.s_m, knot.at))
    }

    /// Straight to a place: turn to a walking heading over the first stretch, walk, turn to the heading there over the
    /// last. With 0 m a radian the turns are made on the spot.
    pub fn add_leg(&mut self, to: &Planar, walking_rad: f64, turn_m_rad: [f64; 2]) {
        let from = self.end();
        let distance_m = from.distance_m(to);
        let first_rad = wrap_rad(walking_rad - from.yaw_rad);
        let second_rad = wrap_rad(to.yaw_rad - walking_rad);
        let mut first_m = first_rad.abs() * turn_m_rad[0];
        let mut last_m = second_rad.abs() * turn_m_rad[1];
        let room = distance_m / (first_m + last_m).max(1e-9);
        if room < 1.0 {
            first_m *= room;
            last_m *= room;
        }
        let mut leg = |along_m: f64, yaw_rad: f64| {
            let share = if distance_m > 1e-9 { along_m / distance_m } else { 1.0 };
            let along = |from_m: f64, to_m: f64| from_m + (to_m - from_m) * share;
            self.push(along(from.x_m, to.x_m), along(from.y_m, to.y_m), yaw_rad);
        };
        leg(first_m, from.yaw_rad + first_rad);
        leg(distance_m - last_m, from.yaw_rad + first_rad);
        leg(distance_m, from.yaw_rad + first_rad + second_rad);
    }
}

/// How the hips head while they walk a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    Forward,
    Backward,
    LeftAhead,
    RightAhead,
    AsBefore,
    AsAfter,
    Between,
}

impl Style {
    pub const ALL: [Style; 7] = [
        Style::Forward,
        Style::AsAfter,
        Style::AsBefore,
        Style::Between,
        Style::Backward,
        Style::LeftAhead,
        Style::RightAhead,
    ];

    pub fn heading_rad(self, from: &Planar, to: &Planar) -> f64 {
        let ahead_rad =
            if from.distance_m(to) < 1e-6 { from.yaw_rad } else { libm::atan2(to.y_m - from.y_m, to.x_m - from.x_m) };
        match self {
            Style::Forward => ahead_rad,
            Style::Backward => ahead_rad + PI,
            // The left side leads, so the hips head to the right of the way.
            Style::LeftAhead => ahead_rad - FRAC_PI_2,
            Style::RightAhead => ahead_rad + FRAC_PI_2,
            Style::AsBefore => from.yaw_rad,
            Style::AsAfter => to.yaw_rad,
            Style::Between => from.middle(to).yaw_rad,
        }
    }
}

/// How much way a turn takes, for the first and the last turn of a leg.
pub(super) const TURNS_M_RAD: [[f64; 2]; 4] = [[0.2, 0.2], [0.45, 0.45], [0.0, 0.0], [0.9, 0.9]];
