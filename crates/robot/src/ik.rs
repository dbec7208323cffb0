use geometry::{Matrix3, Pose, UnitQuaternion, Vector3};
use nalgebra::{Matrix6, Rotation3, Vector6};

use crate::chain::Chain;
use crate::random::Random;
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
    pub fn is_solved(&self) -> bool {
        self.quality <= 1.0
    }
}

/// Inverse kinematics of a chain by damped least squares. Joints that would leave their limits are set to them and the
/// others take over. Holds its buffers: solving allocates nothing.
#[derive(Clone, Debug)]
pub struct IkSolver {
    chain: Chain,
    settings: IkSettings,
    base_from_joint: Vec<Transform>,
    tip_m: Vector3<f64>,
    columns: Vec<Vector6<f64>>,
    step: Vec<f64>,
    locked: Vec<bool>,
    tried: Vec<f64>,
    best: Vec<f64>,
}

const ITERATIONS: usize = 60;
/// A radian of error counts as much as this many metres: near the reach of an arm.
const METRES_PER_RADIAN: f64 = 0.3;
/// A step further than this leaves the region where the Jacobian says anything.
const LARGEST_STEP_RAD: f64 = 1.0;
/// Given up when this many iterations have not brought the error down to `STALLED_SHARE` of what it was.
const STALLED_AFTER: usize = 8;
const STALLED_SHARE: f64 = 0.7;

#[derive(Clone, Copy)]
struct Error {
    weighted: Vector6<f64>,
    position_m: f64,
    angle_rad: f64,
    quality: f64,
}

impl IkSolver {
    pub fn new(chain: Chain, settings: IkSettings) -> IkSolver {
        let (count, joints) = (chain.len(), chain.joints.len());
        IkSolver {
            chain,
            settings,
            base_from_joint: vec![Transform::identity(); joints],
            tip_m: Vector3::zeros(),
            columns: vec![Vector6::zeros(); count],
            step: vec![0.0; count],
            locked: vec![false; count],
            tried: vec![0.0; count],
            best: vec![0.0; count],
        }
    }

    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// From the configuration in `positions`, which becomes the one found: within the limits, and the nearest there is
    /// to the target where it cannot be reached.
    pub fn solve(&mut self, base_from_tip: &Pose, positions: &mut [f64]) -> IkResult {
        assert_eq!(positions.len(), self.chain.len(), "one position for each coordinate of the chain");
        if !base_from_tip.is_finite() {
            let infinite = f64::INFINITY;
            return IkResult { quality: infinite, position_error_m: infinite, angle_error_rad: infinite, restarts: 0 };
        }
        let target = Transform::from(base_from_tip);
        let mut random = Random::new(self.settings.seed);
        for (tried, (position, limits)) in self.tried.iter_mut().zip(positions.iter().zip(&self.chain.limits)) {
            let position = if position.is_finite() { *position } else { 0.0 };
            *tried = position.max(limits.lower).min(limits.upper);
        }
        let mut best: Option<Error> = None;
        let mut restarts = 0;
        loop {
            let error = self.descend(&target);
            if best.is_none_or(|best| error.quality < best.quality) {
                best = Some(error);
                self.best.copy_from_slice(&self.tried);
            }
            if error.quality <= 1.0 || restarts == self.settings.restarts {
                break;
            }
            restarts += 1;
            for (tried, limits) in self.tried.iter_mut().zip(&self.chain.limits) {
                let range = std::f64::consts::PI;
                *tried = random
                    .between(limits.lower.max(-range).min(limits.upper), limits.upper.min(range).max(limits.lower));
            }
        }
        self.hand_over(positions);
        let error =
            best.map_or((f64::INFINITY, f64::INFINITY, f64::INFINITY), |e| (e.quality, e.position_m, e.angle_rad));
        IkResult { quality: error.0, position_error_m: error.1, angle_error_rad: error.2, restarts }
    }

    /// Joints without end come back the shorter way round.
    fn hand_over(&self, positions: &mut [f64]) {
        let whole = std::f64::consts::TAU;
        for ((position, best), (index, limits)) in
            positions.iter_mut().zip(&self.best).zip(self.chain.limits.iter().enumerate())
        {
            let endless = limits.lower == f64::NEG_INFINITY && limits.upper == f64::INFINITY;
            let plain = |joint: &crate::chain::ChainJoint| !joint.slides && joint.multiplier.abs() == 1.0;
            let turns = self.chain.joints.iter().filter(|joint| joint.coordinate == index).all(plain);
            let rounds =
                if endless && turns && position.is_finite() { ((*position - best) / whole).round() } else { 0.0 };
            *position = best + rounds * whole;
        }
    }

    /// From `tried`, which becomes the configuration reached.
    fn descend(&mut self, target: &Transform) -> Error {
        let mut error = self.error(target);
        let mut damping_factor = 1.0;
        let mut long_ago = error.weighted.norm_squared();
        for iteration in 1..=ITERATIONS {
            if error.quality <= 1.0 {
                break;
            }
            self.fill_columns();
            self.fill_step(&error.weighted, damping_factor * 1e-2 * error.weighted.norm_squared() + 1e-9);
            let largest = self.step.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
            let share = if largest > LARGEST_STEP_RAD { LARGEST_STEP_RAD / largest } else { 1.0 };
            for (tried, (step, limits)) in self.tried.iter_mut().zip(self.step.iter().zip(&self.chain.limits)) {
                *tried = (*tried + share * step).max(limits.lower).min(limits.upper);
            }
            let before = error.weighted.norm_squared();
            error = self.error(target);
            let now = error.weighted.norm_squared();
            damping_factor = if now < before { (damping_factor * 0.5).max(1e-3) } else { damping_factor * 4.0 };
            if iteration % STALLED_AFTER == 0 {
                if now > STALLED_SHARE * STALLED_SHARE * long_ago {
                    break;
                }
                long_ago = now;
            }
        }
        error
    }

    fn error(&mut self, target: &Transform) -> Error {
        let base_from_tip = self.chain.forward(&self.tried, &mut self.base_from_joint);
        self.tip_m = base_from_tip.translation_m;
        let position = target.translation_m - base_from_tip.translation_m;
        let turn = rotation_vector(&(target.rotation * base_from_tip.rotation.transpose()));
        let (position_m, angle_rad) = (position.norm(), turn.norm());
        let share = position_m / self.settings.position_tolerance_m;
        let quality = share.max(angle_rad / self.settings.angle_tolerance_rad);
        let turn = turn * METRES_PER_RADIAN;
        let weighted = Vector6::new(position.x, position.y, position.z, turn.x, turn.y, turn.z);
        Error { weighted, position_m, angle_rad, quality }
    }

    fn fill_columns(&mut self) {
        self.columns.fill(Vector6::zeros());
        for (joint, frame) in self.chain.joints.iter().zip(&self.base_from_joint) {
            let axis: Vector3<f64> = frame.rotation.column(2) * joint.multiplier;
            let (linear, angular) = if joint.slides {
                (axis, Vector3::zeros())
            } else {
                (axis.cross(&(self.tip_m - frame.translation_m)), axis * METRES_PER_RADIAN)
            };
            self.columns[joint.coordinate] +=
                Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z);
        }
    }

    /// The step that takes the error away, as far as the limits let it.
    fn fill_step(&mut self, error: &Vector6<f64>, damping: f64) {
        self.locked.fill(false);
        let mut left = *error;
        loop {
            let mut normal = Matrix6::from_diagonal_element(damping);
            for (column, _) in self.columns.iter().zip(&self.locked).filter(|(_, locked)| !**locked) {
                normal.ger(1.0, column, column, 1.0);
            }
            // Positive by its damping; numbers beyond that leave the step as it is.
            let Some(factors) = normal.cholesky() else { return };
            let solved = factors.solve(&left);
            let mut all_fit = true;
            for index in 0..self.columns.len() {
                if self.locked[index] {
                    continue;
                }
                let (position, limits) = (self.tried[index], &self.chain.limits[index]);
                let step = self.columns[index].dot(&solved);
                let held = (position + step).max(limits.lower).min(limits.upper) - position;
                self.step[index] = held;
                if (held - step).abs() > 1e-12 {
                    self.locked[index] = true;
                    left -= self.columns[index] * held;
                    all_fit = false;
                }
            }
            if all_fit {
                return;
            }
        }
    }
}

/// Axis times angle of a rotation matrix.
fn rotation_vector(rotation: &Matrix3<f64>) -> Vector3<f64> {
    let twice_sine = Vector3::new(
        rotation[(2, 1)] - rotation[(1, 2)],
        rotation[(0, 2)] - rotation[(2, 0)],
        rotation[(1, 0)] - rotation[(0, 1)],
    );
    let twice_cosine = rotation.trace() - 1.0;
    // Near a half turn the sine says nothing about the axis.
    if twice_cosine < -1.9 {
        return UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation)).scaled_axis();
    }
    let length = twice_sine.norm();
    if length < 1e-12 { twice_sine * 0.5 } else { twice_sine * (length.atan2(twice_cosine) / length) }
}
