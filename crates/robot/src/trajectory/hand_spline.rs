use geometry::{Pose, Vector3};

use super::rotation::{exp, log, rate_of_log};
use crate::HandLimits;
use crate::interface::HandWaypoint;

/// A hand through poses at times, without stopping but at the last.
#[derive(Clone, Debug)]
pub struct HandSpline {
    times_s: Vec<f64>,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
struct Segment {
    from: Pose,
    way_m: Vector3<f64>,
    turn_rad: Vector3<f64>,
    /// Rates at both ends, by the share of the segment.
    linear: [Vector3<f64>; 2],
    angular: [Vector3<f64>; 2],
}

const SHORTEST_S: f64 = 1e-3;
const SAMPLES: usize = 8;

impl HandSpline {
    /// From where the hand is, unless the first waypoint is at 0 s; parts faster than a hand may go make the whole path
    /// slower. At least one waypoint.
    pub fn through(
        frame_from_start: &Pose,
        start_velocity_m_s: &Vector3<f64>,
        waypoints: &[HandWaypoint],
        limits: &HandLimits,
    ) -> HandSpline {
        let begins_late = waypoints.first().is_none_or(|first| first.time_s > 0.0) || waypoints.len() == 1;
        let mut times_s = Vec::with_capacity(waypoints.len() + 1);
        let mut poses = Vec::with_capacity(waypoints.len() + 1);
        if begins_late {
            times_s.push(0.0);
            poses.push(*frame_from_start);
        }
        for waypoint in waypoints {
            let last_s = times_s.last().map_or(f64::NEG_INFINITY, |last_s| last_s + SHORTEST_S);
            times_s.push(waypoint.time_s.max(last_s));
            poses.push(waypoint.frame_from_hand);
        }
        let start_velocity = if begins_late { *start_velocity_m_s } else { Vector3::zeros() };
        let mut spline = HandSpline { segments: segments(&times_s, &poses, &start_velocity), times_s };
        let excess = spline.excess(limits);
        if excess > 1.0 {
            spline.times_s.iter_mut().for_each(|time_s| *time_s *= excess);
            // Slower all along, but the hand is as fast as it is.
            spline.segments = segments(&spline.times_s, &poses, &start_velocity);
        }
        spline
    }

    pub fn duration_s(&self) -> f64 {
        self.times_s.last().copied().unwrap_or(0.0)
    }

    /// `frame_from_hand`; before its time the beginning, after its time the end.
    pub fn at(&self, time_s: f64) -> Pose {
        let last = self.times_s.len() - 1;
        let index = self.times_s[1..last].partition_point(|knot_s| *knot_s <= time_s);
        let (from_s, to_s) = (self.times_s[index], self.times_s[index + 1]);
        self.segments[index].at(((time_s - from_s) / (to_s - from_s)).clamp(0.0, 1.0))
    }

    fn excess(&self, limits: &HandLimits) -> f64 {
        let mut excess = 0.0_f64;
        for (segment, times_s) in self.segments.iter().zip(self.times_s.windows(2)) {
            let duration_s = times_s[1] - times_s[0];
            for sample in 0..=SAMPLES {
                let (linear, angular) = segment.rates(sample as f64 / SAMPLES as f64);
                let share = (linear.norm() / limits.max_linear_m_s.max(1e-3))
                    .max(angular.norm() / limits.max_angular_rad_s.max(1e-3));
                excess = excess.max(share / duration_s);
            }
        }
        excess
    }
}

fn segments(times_s: &[f64], poses: &[Pose], start_velocity_m_s: &Vector3<f64>) -> Vec<Segment> {
    let count = times_s.len() - 1;
    let duration_s = |index: usize| times_s[index + 1] - times_s[index];
    let ways: Vec<Vector3<f64>> =
        (0..count).map(|index| poses[index + 1].translation_m() - poses[index].translation_m()).collect();
    let turns: Vec<Vector3<f64>> =
        (0..count).map(|index| log(&(poses[index].rotation().inverse() * poses[index + 1].rotation()))).collect();
    let through = |ways: &[Vector3<f64>], knot: usize| {
        let (before_s, after_s) = (duration_s(knot - 1), duration_s(knot));
        mean(&(ways[knot - 1] / before_s), &(ways[knot] / after_s), before_s, after_s)
    };
    let linear = |knot: usize| match knot {
        0 => first_velocity(start_velocity_m_s, &(ways[0] / duration_s(0))),
        knot if knot == count => Vector3::zeros(),
        knot => through(&ways, knot),
    };
    let angular = |knot: usize| if knot == 0 || knot == count { Vector3::zeros() } else { through(&turns, knot) };
    (0..count)
        .map(|index| Segment {
            from: poses[index],
            way_m: ways[index],
            turn_rad: turns[index],
            linear: [linear(index) * duration_s(index), linear(index + 1) * duration_s(index)],
            angular: [
                angular(index) * duration_s(index),
                rate_of_log(&turns[index], &angular(index + 1)) * duration_s(index),
            ],
        })
        .collect()
}

/// The velocity of the parabola through three places, held back where one of the ways is slow: there it would overshoot.
fn mean(before: &Vector3<f64>, after: &Vector3<f64>, before_s: f64, after_s: f64) -> Vector3<f64> {
    let velocity = (before * after_s + after * before_s) / (before_s + after_s);
    let largest = 3.0 * before.norm().min(after.norm());
    let speed = velocity.norm();
    if speed > largest { velocity * (largest / speed) } else { velocity }
}

/// What of the present velocity goes the way of the path without overshooting; the joints take up the rest.
fn first_velocity(velocity: &Vector3<f64>, slope: &Vector3<f64>) -> Vector3<f64> {
    velocity.zip_map(slope, |velocity, slope| {
        let largest = 3.0 * slope.abs();
        if velocity * slope > 0.0 { velocity.clamp(-largest, largest) } else { 0.0 }
    })
}

impl Segment {
    fn at(&self, u: f64) -> Pose {
        let value = |way: &Vector3<f64>, [d0, d1]: &[Vector3<f64>; 2]| {
            (d0 + (way * 3.0 - d0 * 2.0 - d1 + (d0 + d1 - way * 2.0) * u) * u) * u
        };
        let turn_rad = value(&self.turn_rad, &self.angular);
        Pose::new(self.from.translation_m() + value(&self.way_m, &self.linear), self.from.rotation() * exp(&turn_rad))
    }

    fn rates(&self, u: f64) -> (Vector3<f64>, Vector3<f64>) {
        let rate = |way: &Vector3<f64>, [d0, d1]: &[Vector3<f64>; 2]| {
            d0 + ((way * 3.0 - d0 * 2.0 - d1) * 2.0 + (d0 + d1 - way * 2.0) * (3.0 * u)) * u
        };
        (rate(&self.way_m, &self.linear), rate(&self.turn_rad, &self.angular))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waypoint(time_s: f64, x_m: f64, yaw_rad: f64) -> HandWaypoint {
        let frame_from_hand = Pose::from_axis_angle(Vector3::new(x_m, 0.0, 0.0), Vector3::new(0.0, 0.0, yaw_rad));
        HandWaypoint { time_s, frame_from_hand }
    }

    #[test]
    fn poses_on_time_and_velocity_without_a_jump() {
        let path = [waypoint(1.0, 0.1, 0.5), waypoint(2.0, 0.3, 1.8), waypoint(2.5, 0.4, 2.0)];
        let spline = HandSpline::through(&Pose::identity(), &Vector3::zeros(), &path, &HandLimits::default());
        for waypoint in &path {
            let distance = spline.at(waypoint.time_s).distance(&waypoint.frame_from_hand);
            assert!(distance.position_m < 1e-12 && distance.angle_rad < 1e-6);
        }
        for waypoint in &path[..2] {
            let poses = [-1e-3, 0.0, 1e-3].map(|later_s| spline.at(waypoint.time_s + later_s));
            let before = (poses[1].translation_m() - poses[0].translation_m()) / 1e-3;
            let after = (poses[2].translation_m() - poses[1].translation_m()) / 1e-3;
            assert!((after - before).norm() < 0.01 && after.norm() > 0.05);
            let turn = |from: &Pose, to: &Pose| log(&(from.rotation().inverse() * to.rotation())) / 1e-3;
            assert!((turn(&poses[1], &poses[2]) - turn(&poses[0], &poses[1])).norm() < 0.05);
        }
    }

    #[test]
    fn too_fast_becomes_slower() {
        let limits = HandLimits { max_linear_m_s: 0.5, ..HandLimits::default() };
        let path = [waypoint(0.1, 1.0, 0.0)];
        let spline = HandSpline::through(&Pose::identity(), &Vector3::zeros(), &path, &limits);
        assert!((spline.duration_s() - 3.0).abs() < 1e-6, "{}", spline.duration_s());
    }
}
