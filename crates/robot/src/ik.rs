use geometry::Pose;
use model::Random;

use crate::chain::{Chain, ChainJoint};
use crate::descent::{Descent, Error, Tolerance};
use crate::transform::Transform;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkSettings {
    pub position_tolerance_m: f64,
    pub angle_tolerance_rad: f64,
    /// How often to begin anew from a random configuration. 0 on a path: a jump is worse than a miss.
    pub restarts: usize,
    /// The same seed, target and start give the same result, whatever was solved before.
    pub seed: u64,
}

impl Default for IkSettings {
    fn default() -> IkSettings {
        IkSettings { position_tolerance_m: 1e-4, angle_tolerance_rad: 1e-3, restarts: 50, seed: 1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkResult {
    /// The larger of both errors, each as a share of its tolerance: up to 1 solved, above 1 not reached.
    pub quality: f64,
    pub position_error_m: f64,
    pub angle_error_rad: f64,
    pub restarts: usize,
}

impl IkResult {
    pub(crate) const NONE: IkResult = IkResult {
        quality: f64::INFINITY,
        position_error_m: f64::INFINITY,
        angle_error_rad: f64::INFINITY,
        restarts: 0,
    };

    pub(crate) fn new(error: &Error, restarts: usize) -> IkResult {
        let Error { quality, position_m, angle_rad, .. } = *error;
        IkResult { quality, position_error_m: position_m, angle_error_rad: angle_rad, restarts }
    }

    pub fn is_solved(&self) -> bool {
        self.quality <= 1.0
    }
}

/// Inverse kinematics of a chain by damped least squares, from one start and then from random ones. Solving allocates
/// nothing.
#[derive(Clone, Debug)]
pub struct IkSolver {
    descent: Descent,
    settings: IkSettings,
    best: Vec<f64>,
}

impl IkSolver {
    pub fn new(chain: Chain, settings: IkSettings) -> IkSolver {
        let best = vec![0.0; chain.len()];
        let tolerance =
            Tolerance { position_m: settings.position_tolerance_m, angle_rad: settings.angle_tolerance_rad };
        IkSolver { descent: Descent::new(chain, tolerance), settings, best }
    }

    pub fn chain(&self) -> &Chain {
        &self.descent.chain
    }

    /// From the configuration in `positions`, which becomes the one found: within the limits, and the nearest there is
    /// to the target where it cannot be reached.
    pub fn solve(&mut self, base_from_tip: &Pose, positions: &mut [f64]) -> IkResult {
        let descent = &mut self.descent;
        assert_eq!(positions.len(), descent.chain.len(), "one position for each coordinate of the chain");
        if !base_from_tip.is_finite() {
            return IkResult::NONE;
        }
        let target = Transform::from(base_from_tip);
        let mut random = Random::new(self.settings.seed);
        descent.begin_at(positions);
        let mut best: Option<Error> = None;
        let mut restarts = 0;
        loop {
            let error = descent.descend(&target);
            if best.is_none_or(|best| error.quality < best.quality) {
                best = Some(error);
                self.best.copy_from_slice(&descent.tried);
            }
            if error.quality <= 1.0 || restarts == self.settings.restarts {
                break;
            }
            restarts += 1;
            for (tried, [lower, upper]) in descent.tried.iter_mut().zip(&descent.bounds) {
                let range = std::f64::consts::PI;
                *tried = random.between(lower.max(-range).min(*upper), upper.min(range).max(*lower));
            }
        }
        self.hand_over(positions);
        best.map_or(IkResult::NONE, |error| IkResult::new(&error, restarts))
    }

    /// Joints without end come back the shorter way round.
    fn hand_over(&self, positions: &mut [f64]) {
        let whole = std::f64::consts::TAU;
        let chain = &self.descent.chain;
        for ((position, best), (index, limits)) in
            positions.iter_mut().zip(&self.best).zip(chain.limits.iter().enumerate())
        {
            let endless = limits.lower == f64::NEG_INFINITY && limits.upper == f64::INFINITY;
            let plain = |joint: &ChainJoint| !joint.slides && joint.multiplier.abs() == 1.0;
            let turns = chain.joints.iter().filter(|joint| joint.coordinate == index).all(plain);
            let rounds =
                if endless && turns && position.is_finite() { ((*position - best) / whole).round() } else { 0.0 };
            *position = best + rounds * whole;
        }
    }
}
