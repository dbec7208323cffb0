//! Motions of joints by themselves: along a path, and of fingers.

use super::follow::{Aim, JointLimits};
use crate::interface::JointWaypoint;
use crate::trajectory::{HandFilter, JointSpline, Pace};

#[derive(Debug)]
pub(crate) struct JointMotion {
    coordinates: Vec<usize>,
    spline: JointSpline,
    time_s: f64,
    aims: Vec<f64>,
}

impl JointMotion {
    pub fn new(
        coordinates: Vec<usize>,
        waypoints: &[JointWaypoint],
        (positions, velocities): (&[f64], &[f64]),
        limits: &[JointLimits],
    ) -> JointMotion {
        let pick = |values: &[f64]| -> Vec<f64> { coordinates.iter().map(|at| values[*at]).collect() };
        let paces: Vec<Pace> = coordinates.iter().map(|at| limits[*at].pace).collect();
        let aims = pick(positions);
        let spline = JointSpline::through((&aims, &pick(velocities)), waypoints, &paces);
        JointMotion { coordinates, spline, time_s: 0.0, aims }
    }

    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    pub fn aim(&mut self, passed_s: f64, dt_s: f64, mut aimed: impl FnMut(usize, Aim)) {
        self.time_s += passed_s;
        let mut next = vec![0.0; self.aims.len()];
        self.spline.at(self.time_s, &mut next);
        for ((coordinate, before), position) in self.coordinates.iter().zip(&mut self.aims).zip(next) {
            aimed(*coordinate, Aim { position, velocity: (position - *before) / dt_s });
            *before = position;
        }
    }

    pub fn progress(&self) -> f64 {
        (self.time_s / self.spline.duration_s()).min(1.0)
    }

    /// Where its joints are to come to rest.
    pub fn aims(&self) -> &[f64] {
        &self.aims
    }
}

#[derive(Debug)]
pub(crate) struct FingerMotion {
    coordinates: Vec<usize>,
    fingers: Vec<Finger>,
    aims: Vec<f64>,
}

#[derive(Debug)]
struct Finger {
    filter: HandFilter,
    start: f64,
    target: f64,
    speed: f64,
}

impl FingerMotion {
    /// Coordinate, target and speed of each joint.
    pub fn new(targets: &[(usize, f64, f64)], positions: &[f64]) -> FingerMotion {
        let finger = |&(coordinate, target, speed): &(usize, f64, f64)| {
            let start = positions[coordinate];
            Finger { filter: HandFilter::new(start), start, target, speed }
        };
        FingerMotion {
            coordinates: targets.iter().map(|(coordinate, ..)| *coordinate).collect(),
            fingers: targets.iter().map(finger).collect(),
            aims: targets.iter().map(|(coordinate, ..)| positions[*coordinate]).collect(),
        }
    }

    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    pub fn aim(&mut self, passed_s: f64, dt_s: f64, mut aimed: impl FnMut(usize, Aim)) {
        for ((coordinate, finger), before) in self.coordinates.iter().zip(&mut self.fingers).zip(&mut self.aims) {
            let position = finger.filter.step(finger.target, finger.speed, passed_s);
            aimed(*coordinate, Aim { position, velocity: (position - *before) / dt_s });
            *before = position;
        }
    }

    pub fn progress(&self) -> f64 {
        let share = |(finger, now): (&Finger, &f64)| {
            let way = (finger.target - finger.start).abs();
            if finger.filter.has_arrived(finger.target) { 1.0 } else { 1.0 - (finger.target - now).abs() / way }
        };
        self.fingers.iter().zip(&self.aims).map(share).fold(1.0, f64::min).max(0.0)
    }

    pub fn aims(&self) -> &[f64] {
        &self.aims
    }
}
