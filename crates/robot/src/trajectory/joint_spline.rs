use crate::interface::JointWaypoint;

/// How fast a joint may go, rad/s and rad/s² or m/s and m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    pub speed: f64,
    pub acceleration: f64,
}

/// Joints through positions at times. Between two positions a joint never leaves the range between them, so a path
/// through positions within the limits stays within the limits.
#[derive(Clone, Debug)]
pub struct JointSpline {
    joints: usize,
    times_s: Vec<f64>,
    /// Knot by knot, each with a number for every joint.
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

/// Shorter ones are stretched anyway by any pace.
const SHORTEST_S: f64 = 1e-3;
const STRETCHES: usize = 60;

impl JointSpline {
    /// From where the joints are and as they move, to rest at the last waypoint. Parts that are too fast for the pace
    /// take longer than asked.
    pub fn through(start: (&[f64], &[f64]), waypoints: &[JointWaypoint], paces: &[Pace]) -> JointSpline {
        let joints = paces.len();
        let mut positions = start.0.to_vec();
        let mut durations_s = Vec::with_capacity(waypoints.len());
        let mut before_s = 0.0;
        for waypoint in waypoints {
            let last = positions.len() - joints;
            let least_s = (0..joints)
                .map(|joint| (waypoint.positions[joint] - positions[last + joint]).abs() / paces[joint].speed)
                .fold(SHORTEST_S, f64::max);
            durations_s.push((waypoint.time_s - before_s).max(least_s));
            positions.extend_from_slice(&waypoint.positions);
            before_s = waypoint.time_s;
        }
        let mut spline = JointSpline { joints, times_s: Vec::new(), velocities: vec![0.0; positions.len()], positions };
        for _ in 0..STRETCHES {
            spline.set_times(&durations_s);
            spline.set_velocities(start.1);
            if !spline.stretch(&mut durations_s, paces) {
                break;
            }
        }
        spline
    }

    pub fn duration_s(&self) -> f64 {
        self.times_s.last().copied().unwrap_or(0.0)
    }

    /// Before its time the beginning, after its time the end.
    pub fn at(&self, time_s: f64, positions: &mut [f64]) {
        let last = self.times_s.len() - 1;
        let segment = self.times_s[1..last].partition_point(|knot_s| *knot_s <= time_s);
        let (from_s, to_s) = (self.times_s[segment], self.times_s[segment + 1]);
        let duration_s = to_s - from_s;
        let u = ((time_s - from_s) / duration_s).clamp(0.0, 1.0);
        for (joint, position) in positions.iter_mut().enumerate() {
            let (here, there) = (segment * self.joints + joint, (segment + 1) * self.joints + joint);
            let (p0, p1) = (self.positions[here], self.positions[there]);
            let (d0, d1) = (self.velocities[here] * duration_s, self.velocities[there] * duration_s);
            let way = p1 - p0;
            let value = p0 + u * (d0 + u * (3.0 * way - 2.0 * d0 - d1 + u * (d0 + d1 - 2.0 * way)));
            // By rounding it may leave the range between both.
            *position = if u >= 1.0 { p1 } else { value.max(p0.min(p1)).min(p0.max(p1)) };
        }
    }

    fn set_times(&mut self, durations_s: &[f64]) {
        self.times_s.clear();
        self.times_s.push(0.0);
        let mut time_s = 0.0;
        for duration_s in durations_s {
            time_s += duration_s;
            self.times_s.push(time_s);
        }
    }

    fn slope(&self, segment: usize, joint: usize) -> f64 {
        let (here, there) = (segment * self.joints + joint, (segment + 1) * self.joints + joint);
        (self.positions[there] - self.positions[here]) / (self.times_s[segment + 1] - self.times_s[segment])
    }

    /// Harmonic means of the slopes before and after, zero where a joint turns back: it does not overshoot.
    fn set_velocities(&mut self, start_velocities: &[f64]) {
        let last = self.times_s.len() - 1;
        for (joint, start_velocity) in start_velocities.iter().enumerate() {
            let first_slope = self.slope(0, joint);
            let forward = start_velocity * first_slope > 0.0;
            let largest = 3.0 * first_slope.abs();
            self.velocities[joint] = if forward { start_velocity.clamp(-largest, largest) } else { 0.0 };
            for knot in 1..last {
                let (before, after) = (self.slope(knot - 1, joint), self.slope(knot, joint));
                let (before_s, after_s) =
                    (self.times_s[knot] - self.times_s[knot - 1], self.times_s[knot + 1] - self.times_s[knot]);
                let (w0, w1) = (2.0 * after_s + before_s, after_s + 2.0 * before_s);
                self.velocities[knot * self.joints + joint] =
                    if before * after <= 0.0 { 0.0 } else { (w0 + w1) / (w0 / before + w1 / after) };
            }
        }
    }

    fn stretch(&self, durations_s: &mut [f64], paces: &[Pace]) -> bool {
        let mut stretched = false;
        for (segment, duration_s) in durations_s.iter_mut().enumerate() {
            let worst = (0..self.joints).map(|joint| self.excess(segment, joint, &paces[joint])).fold(0.0, f64::max);
            if worst > 1.0 + 1e-9 {
                *duration_s *= worst.max(1.002);
                stretched = true;
            }
        }
        stretched
    }

    /// By what a segment must be stretched; up to 1 it is slow enough.
    fn excess(&self, segment: usize, joint: usize, pace: &Pace) -> f64 {
        let duration_s = self.times_s[segment + 1] - self.times_s[segment];
        let slope = self.slope(segment, joint);
        let d0 = self.velocities[segment * self.joints + joint];
        let d1 = self.velocities[(segment + 1) * self.joints + joint];
        let (first, last) = (6.0 * slope - 4.0 * d0 - 2.0 * d1, -6.0 * slope + 2.0 * d0 + 4.0 * d1);
        let bend = first - last;
        let peak_at = if bend == 0.0 { 0.0 } else { (first / bend).clamp(0.0, 1.0) };
        let peak = d0 + peak_at * (first - 0.5 * bend * peak_at);
        let speed = peak.abs().max(d0.abs()).max(d1.abs());
        let acceleration = first.abs().max(last.abs()) / duration_s;
        (speed / pace.speed).max((acceleration / pace.acceleration).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waypoint(time_s: f64, positions: &[f64]) -> JointWaypoint {
        JointWaypoint { time_s, positions: positions.to_vec() }
    }

    const PACE: Pace = Pace { speed: 2.0, acceleration: 20.0 };

    #[test]
    fn waypoints_are_passed_without_stopping_and_on_time() {
        let path = [waypoint(1.0, &[0.5, 0.2]), waypoint(2.0, &[1.0, 0.4]), waypoint(3.0, &[1.5, 0.1])];
        let spline = JointSpline::through((&[0.0, 0.0], &[0.0, 0.0]), &path, &[PACE; 2]);
        assert_eq!(spline.duration_s(), 3.0);
        let (mut before, mut here, mut after) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        for waypoint in &path[..2] {
            spline.at(waypoint.time_s - 0.005, &mut before);
            spline.at(waypoint.time_s, &mut here);
            spline.at(waypoint.time_s + 0.005, &mut after);
            assert!((here[0] - waypoint.positions[0]).abs() < 1e-12);
            assert!((after[0] - before[0]) / 0.01 > 0.3, "it goes on through {waypoint:?}");
        }
    }

    #[test]
    fn too_fast_is_stretched_on_the_same_path() {
        let path = [waypoint(0.1, &[1.0]), waypoint(0.2, &[2.0])];
        let spline = JointSpline::through((&[0.0], &[0.0]), &path, &[PACE]);
        assert!(spline.duration_s() > 1.0);
        let (mut last, mut now, mut fastest) = ([0.0], [0.0], 0.0_f64);
        for step in 0..=2000 {
            spline.at(spline.duration_s() * f64::from(step) / 2000.0, &mut now);
            fastest = fastest.max((now[0] - last[0]) * 2000.0 / spline.duration_s());
            last = now;
        }
        assert!(fastest <= 2.0 + 1e-6 && fastest > 1.5, "{fastest}");
        assert_eq!(now[0], 2.0);
    }

    #[test]
    fn never_beyond_its_waypoints() {
        let path = [waypoint(1.0, &[1.0]), waypoint(1.2, &[1.0]), waypoint(3.0, &[-1.0])];
        for velocity in [-2.0, 0.0, 2.0] {
            let spline = JointSpline::through((&[0.9], &[velocity]), &path, &[PACE]);
            let mut now = [0.0];
            for step in 0..=1000 {
                spline.at(spline.duration_s() * f64::from(step) / 1000.0, &mut now);
                assert!((-1.0..=1.0).contains(&now[0]));
            }
        }
    }
}
