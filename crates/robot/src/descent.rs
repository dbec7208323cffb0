use geometry::{Matrix3, UnitQuaternion, Vector3};
use nalgebra::{Matrix6, Rotation3, Vector6};

use crate::chain::Chain;
use crate::transform::Transform;

const ITERATIONS: usize = 60;
/// A radian of error counts as much as this many metres: near the reach of an arm.
const METRES_PER_RADIAN: f64 = 0.3;
/// A step further than this leaves the region where the Jacobian says anything.
const LARGEST_STEP_RAD: f64 = 1.0;
/// Given up when this many iterations have not brought the error down to `STALLED_SHARE` of what it was.
const STALLED_AFTER: usize = 8;
const STALLED_SHARE: f64 = 0.7;

/// A pull that did not shrink with the way of the tip would whirl the elbow round when poses come close together.
const PULLED_OVER: Tolerance = Tolerance { position_m: 0.01, angle_rad: 0.035 };

#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    pub position_m: f64,
    pub angle_rad: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Error {
    weighted: Vector6<f64>,
    pub position_m: f64,
    pub angle_rad: f64,
    /// The larger of both, each as a share of its tolerance.
    pub quality: f64,
}

impl Error {
    fn pull_share(&self) -> f64 {
        (self.position_m / PULLED_OVER.position_m).max(self.angle_rad / PULLED_OVER.angle_rad).min(1.0)
    }
}

/// One descent by damped least squares to the next best configuration. Joints that would leave their bounds are set to
/// them and the others take over. Holds its buffers: descending allocates nothing.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    pub chain: Chain,
    pub tolerance: Tolerance,
    /// Where each coordinate may go: its limits, or less.
    pub bounds: Vec<[f64; 2]>,
    /// Where the descent begins and, after it, where it ended.
    pub tried: Vec<f64>,
    /// Where the joints should go while the tip goes `PULLED_OVER`, as far as its pose leaves them free.
    pub pull: Vec<f64>,
    base_from_joint: Vec<Transform>,
    tip_m: Vector3<f64>,
    columns: Vec<Vector6<f64>>,
    step: Vec<f64>,
    locked: Vec<bool>,
    /// Of all descents since somebody set it to zero.
    pub iterations: usize,
}

impl Descent {
    pub fn new(chain: Chain, tolerance: Tolerance) -> Descent {
        let (count, joints) = (chain.len(), chain.joints.len());
        Descent {
            bounds: chain.limits.iter().map(|limits| [limits.lower, limits.upper]).collect(),
            chain,
            tolerance,
            tried: vec![0.0; count],
            pull: vec![0.0; count],
            base_from_joint: vec![Transform::identity(); joints],
            tip_m: Vector3::zeros(),
            columns: vec![Vector6::zeros(); count],
            step: vec![0.0; count],
            locked: vec![false; count],
            iterations: 0,
        }
    }

    /// The nearest configuration within the bounds.
    pub fn begin_at(&mut self, positions: &[f64]) {
        for (tried, (position, [lower, upper])) in self.tried.iter_mut().zip(positions.iter().zip(&self.bounds)) {
            let position = if position.is_finite() { *position } else { 0.0 };
            *tried = position.max(*lower).min(*upper);
        }
    }

    /// From `tried`, which becomes the configuration reached.
    pub fn descend(&mut self, target: &Transform) -> Error {
        self.run(target, false)
    }

    /// The same, with the first step going where `pull` wants it.
    pub fn descend_pulled(&mut self, target: &Transform) -> Error {
        self.run(target, true)
    }

    fn run(&mut self, target: &Transform, pulled: bool) -> Error {
        let mut error = self.error(target);
        let mut damping_factor = 1.0;
        let mut long_ago = error.weighted.norm_squared();
        for iteration in 1..=ITERATIONS {
            let pull_share = if pulled && iteration == 1 { error.pull_share() } else { 0.0 };
            if error.quality <= 1.0 && pull_share == 0.0 {
                break;
            }
            self.iterations += 1;
            self.fill_columns();
            let damping = damping_factor * 1e-2 * error.weighted.norm_squared() + 1e-9;
            self.fill_step(&error.weighted, damping, pull_share);
            let largest = self.step.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
            let share = if largest > LARGEST_STEP_RAD { LARGEST_STEP_RAD / largest } else { 1.0 };
            for (tried, (step, [lower, upper])) in self.tried.iter_mut().zip(self.step.iter().zip(&self.bounds)) {
                *tried = (*tried + share * step).max(*lower).min(*upper);
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
        let share = position_m / self.tolerance.position_m;
        let quality = share.max(angle_rad / self.tolerance.angle_rad);
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

    /// The step that takes the error away, as far as the bounds let it.
    fn fill_step(&mut self, error: &Vector6<f64>, damping: f64, pull_share: f64) {
        self.locked.fill(false);
        let mut left = *error;
        if pull_share > 0.0 {
            self.columns.iter().zip(&self.pull).for_each(|(column, pull)| left -= column * (pull_share * pull));
        }
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
                let (position, [lower, upper]) = (self.tried[index], self.bounds[index]);
                let pull = pull_share * self.pull[index];
                let step = pull + self.columns[index].dot(&solved);
                let held = (position + step).max(lower).min(upper) - position;
                self.step[index] = held;
                if (held - step).abs() > 1e-12 {
                    self.locked[index] = true;
                    left -= self.columns[index] * (held - pull);
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
    if length < 1e-12 { twice_sine * 0.5 } else { twice_sine * (libm::atan2(length, twice_cosine) / length) }
}
