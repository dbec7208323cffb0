use geometry::Pose;

use crate::interface::HandWaypoint;

/// A hand is turned about the x axis of a screw and moved along it, at no more than the speeds given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    pub frame_from_screw: Pose,
    pub advance_m: f64,
    pub turn_rad: f64,
    pub max_linear_m_s: f64,
    pub max_angular_rad_s: f64,
}

/// No further apart than this, so that a smooth path through the waypoints stays on the screw.
const LARGEST_TURN_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;
const LARGEST_WAY_M: f64 = 0.05;
/// With fewer the two doubled parts would be a good share of a short motion: the speeds given are those of its plateau.
const WAYPOINTS: std::ops::RangeInclusive<usize> = 21..=400;

impl Screw {
    /// At rest at both ends, for which the first and the last part take twice the time of the others. The first
    /// waypoint, at 0 s, is where the hand is.
    pub fn path(&self, frame_from_hand: &Pose) -> Vec<HandWaypoint> {
        let (parts, base_s) = self.parts_and_base_s(frame_from_hand);
        if base_s == 0.0 {
            return vec![HandWaypoint { time_s: 0.0, frame_from_hand: *frame_from_hand }];
        }
        let part_s = base_s / parts as f64;
        let waypoint = |index: usize| {
            let share = index as f64 / parts as f64;
            let doubled = usize::from(index > 0) + usize::from(index == parts);
            let (turn_rad, advance_m) = (share * self.turn_rad, share * self.advance_m);
            HandWaypoint {
                time_s: (index + doubled) as f64 * part_s,
                frame_from_hand: frame_from_hand.moved_about_screw(&self.frame_from_screw, turn_rad, advance_m),
            }
        };
        (0..=parts).map(waypoint).collect()
    }

    /// What the path takes.
    pub fn duration_s(&self, frame_from_hand: &Pose) -> f64 {
        let (parts, base_s) = self.parts_and_base_s(frame_from_hand);
        base_s + 2.0 * base_s / parts as f64
    }

    fn parts_and_base_s(&self, frame_from_hand: &Pose) -> (usize, f64) {
        let way_m = self.way_m(frame_from_hand);
        let parts = (self.turn_rad.abs() / LARGEST_TURN_RAD).max(way_m / LARGEST_WAY_M).ceil();
        let waypoints = (parts as usize).saturating_add(1).clamp(*WAYPOINTS.start(), *WAYPOINTS.end());
        (waypoints - 1, (self.turn_rad.abs() / self.max_angular_rad_s).max(way_m / self.max_linear_m_s))
    }

    /// Along the helix.
    fn way_m(&self, frame_from_hand: &Pose) -> f64 {
        let screw_from_hand_m = (self.frame_from_screw.inverse() * *frame_from_hand).translation_m();
        let radius_m = libm::hypot(screw_from_hand_m.y, screw_from_hand_m.z);
        libm::hypot(radius_m * self.turn_rad, self.advance_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Vector3;

    fn screw(frame_from_screw: Pose, motion: (f64, f64), speeds: (f64, f64)) -> Screw {
        let ((advance_m, turn_rad), (max_linear_m_s, max_angular_rad_s)) = (motion, speeds);
        Screw { frame_from_screw, advance_m, turn_rad, max_linear_m_s, max_angular_rad_s }
    }

    /// r, Δx and Δθ, v_max and ω_max; then D, T_base and N by the formulas.
    #[test]
    fn timing_by_the_formulas() {
        let table = [
            (0.3, (0.0, 1.0), (0.2, 1.0), 0.3, 1.5, 21),
            (0.3, (0.4, 1.0), (0.2, 10.0), 0.5, 2.5, 21),
            (0.0, (0.0, -2.0), (0.2, 0.5), 0.0, 4.0, 24),
            (0.5, (0.1, 0.0), (0.1, 1.0), 0.1, 1.0, 21),
        ];
        for (radius_m, motion, speeds, way_m, base_s, waypoints) in table {
            let frame_from_screw = Pose::from_axis_angle(Vector3::new(0.4, 0.1, 1.0), Vector3::new(0.3, -0.8, 0.2));
            let frame_from_hand = frame_from_screw * Pose::from_translation(0.2, 0.6 * radius_m, 0.8 * radius_m);
            let screw = screw(frame_from_screw, motion, speeds);
            assert!((screw.way_m(&frame_from_hand) - way_m).abs() < 1e-12);
            let path = screw.path(&frame_from_hand);
            assert_eq!(path.len(), waypoints);
            let part_s = base_s / (waypoints - 1) as f64;
            assert!((path[1].time_s - 2.0 * part_s).abs() < 1e-12 && path[0].time_s == 0.0);
            assert!((path[2].time_s - path[1].time_s - part_s).abs() < 1e-12);
            let last_s = path[waypoints - 1].time_s;
            assert!((last_s - path[waypoints - 2].time_s - 2.0 * part_s).abs() < 1e-12);
            assert!((last_s - base_s - 2.0 * part_s).abs() < 1e-12);
            assert!((screw.duration_s(&frame_from_hand) - last_s).abs() < 1e-12);
        }
    }

    /// However short: a press of a button is not half as long again as its speed says.
    #[test]
    fn the_speeds_given_are_those_of_the_plateau() {
        for (advance_m, turn_rad) in [(0.02, 0.0), (0.1, 0.2), (0.0, 0.3), (0.5, 1.0), (0.0, 6.0)] {
            let screw = screw(Pose::identity(), (advance_m, turn_rad), (0.1, 0.6));
            let hand = Pose::from_translation(0.0, 0.1, 0.0);
            let (_, base_s) = screw.parts_and_base_s(&hand);
            assert!(screw.duration_s(&hand) <= 1.1001 * base_s, "{advance_m} m, {turn_rad} rad");
            let path = screw.path(&hand);
            let (a, b) = (&path[9], &path[10]);
            let moved = a.frame_from_hand.distance(&b.frame_from_hand);
            let (linear_m_s, angular_rad_s) =
                (moved.position_m / (b.time_s - a.time_s), moved.angle_rad / (b.time_s - a.time_s));
            assert!(linear_m_s < 0.1001 && angular_rad_s < 0.6001, "{linear_m_s} m/s, {angular_rad_s} rad/s");
            assert!(linear_m_s > 0.09 || angular_rad_s > 0.59, "{linear_m_s} m/s, {angular_rad_s} rad/s");
        }
    }

    #[test]
    fn the_increment_acts_in_the_screw_frame() {
        let screw = screw(Pose::from_translation(1.0, 0.0, 0.0), (0.0, std::f64::consts::FRAC_PI_2), (0.1, 0.1));
        let frame_from_hand = Pose::from_axis_angle(Vector3::new(1.0, 0.5, 0.0), Vector3::new(0.0, 0.0, 1.0));
        let last = screw.path(&frame_from_hand).pop().unwrap().frame_from_hand;
        assert!((last.translation_m() - Vector3::new(1.0, 0.0, 0.5)).norm() < 1e-12);
    }

    #[test]
    fn no_motion_is_one_waypoint() {
        let screw = screw(Pose::identity(), (0.0, 0.0), (0.1, 0.1));
        let hand = Pose::from_translation(0.0, 0.3, 0.0);
        assert_eq!(screw.path(&hand).len(), 1);
        assert_eq!(screw.duration_s(&hand), 0.0);
    }
}
