//! How an arm goes along a path that is known as a whole: found before it moves, so that it does not lean towards a limit
//! it would be stuck at later.

use geometry::Pose;

use crate::trajectory::HandSpline;
use crate::{Chain, IkSettings, IkSolver, PathSettings, PathSolver};

/// From one pose that is solved to the next.
const STEP_M: f64 = 0.01;
const STEP_RAD: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// Of the time of the path: what is faster in between has poses further apart.
const MOMENTS: usize = 400;
/// Of the frame in the base of the arm; beyond, the path is not the one that was solved.
const STILL_M: f64 = 1e-6;
const STILL_RAD: f64 = 1e-6;

/// Configurations at times.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    base_from_frame: Pose,
    pub knots: Vec<(f64, Vec<f64>)>,
}

impl Way {
    pub fn along(spline: &HandSpline, base_from_frame: &Pose, chain: &Chain, start: &[f64]) -> Way {
        let mut times_s = vec![0.0];
        let mut last = spline.at(0.0);
        for moment in 1..=MOMENTS {
            let time_s = spline.duration_s() * moment as f64 / MOMENTS as f64;
            let next = spline.at(time_s);
            let gone = last.distance(&next);
            if moment == MOMENTS || gone.position_m >= STEP_M || gone.angle_rad >= STEP_RAD {
                times_s.push(time_s);
                last = next;
            }
        }
        let poses: Vec<Pose> = times_s.iter().map(|time_s| *base_from_frame * spline.at(*time_s)).collect();
        let mut settings = PathSettings::default();
        let mut end = start.to_vec();
        let ends_in_reach = poses
            .last()
            .is_some_and(|pose| IkSolver::new(chain.clone(), IkSettings::default()).solve(pose, &mut end).is_solved());
        if !ends_in_reach {
            // However it leans it cannot get there: no time is lost on looking for more.
            settings.tries = 1;
        }
        let solved = PathSolver::new(chain.clone(), settings).solve(&poses, start);
        Way { base_from_frame: *base_from_frame, knots: times_s.into_iter().zip(solved.configurations).collect() }
    }

    /// Whether the frame is still where it was when the way was found.
    pub fn leads(&self, base_from_frame: &Pose) -> bool {
        let moved = self.base_from_frame.distance(base_from_frame);
        moved.position_m < STILL_M && moved.angle_rad < STILL_RAD
    }

    pub fn at(&self, time_s: f64, positions: &mut [f64]) {
        let next = self.knots.partition_point(|(knot_s, _)| *knot_s <= time_s).min(self.knots.len() - 1);
        let ((from_s, from), (to_s, to)) = (&self.knots[next.saturating_sub(1)], &self.knots[next]);
        let share = if to_s > from_s { ((time_s - from_s) / (to_s - from_s)).clamp(0.0, 1.0) } else { 1.0 };
        for (position, (from, to)) in positions.iter_mut().zip(from.iter().zip(to)) {
            *position = from + (to - from) * share;
        }
    }
}
