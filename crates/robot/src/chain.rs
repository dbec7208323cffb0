use geometry::{Matrix3, Pose, Unit, UnitQuaternion, Vector3};
use thiserror::Error;

use crate::description::Limits;
use crate::model::{Model, Movement};
use crate::sine::sin_cos;
use crate::transform::Transform;

/// The joints between two links, as inverse kinematics sees them: what is fixed between two of them is folded in, and
/// every joint turns about, or slides along, the z axis of its frame.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Of the model, in the order of the chain; a configuration of the chain has a number for each.
    coordinates: Vec<usize>,
    pub(crate) limits: Vec<Limits>,
    pub(crate) joints: Vec<ChainJoint>,
    pub(crate) last_from_tip: Transform,
}

#[derive(Clone, Debug)]
pub(crate) struct ChainJoint {
    pub last_from_this: Transform,
    /// Within the chain.
    pub coordinate: usize,
    pub multiplier: f64,
    pub offset: f64,
    pub slides: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainError {
    #[error("link `{tip}` does not hang on link `{base}`")]
    NotBelow { base: String, tip: String },
    #[error("no joint moves between link `{base}` and link `{tip}`")]
    NothingMoves { base: String, tip: String },
}

impl Chain {
    /// From a link to one that hangs on it: from the chest to a palm for an arm alone, from the pelvis for arm and spine.
    pub fn new(model: &Model, base: usize, tip: usize) -> Result<Chain, ChainError> {
        let names = || (model.links[base].name.clone(), model.links[tip].name.clone());
        let mut path = Vec::new();
        let mut at = tip;
        while at != base {
            path.push(at);
            let Some(parent) = model.links[at].parent else {
                let (base, tip) = names();
                return Err(ChainError::NotBelow { base, tip });
            };
            at = parent;
        }
        let mut chain = Chain {
            coordinates: Vec::new(),
            limits: Vec::new(),
            joints: Vec::new(),
            last_from_tip: Transform::identity(),
        };
        for link in path.into_iter().rev() {
            chain.append(model, link);
        }
        if chain.joints.is_empty() {
            let (base, tip) = names();
            return Err(ChainError::NothingMoves { base, tip });
        }
        Ok(chain)
    }

    fn append(&mut self, model: &Model, link: usize) {
        let link = &model.links[link];
        let last_from_joint = self.last_from_tip.then(&link.parent_from_joint);
        let Some(drive) = &link.drive else {
            self.last_from_tip = last_from_joint;
            return;
        };
        let known = self.coordinates.iter().position(|coordinate| *coordinate == drive.coordinate);
        let coordinate = known.unwrap_or_else(|| {
            self.coordinates.push(drive.coordinate);
            self.limits.push(model.coordinates()[drive.coordinate].limits);
            self.coordinates.len() - 1
        });
        let joint_from_this = z_onto(&drive.axis);
        self.joints.push(ChainJoint {
            last_from_this: last_from_joint.then(&joint_from_this),
            coordinate,
            multiplier: drive.multiplier,
            offset: drive.offset,
            slides: drive.movement == Movement::Slide,
        });
        self.last_from_tip =
            Transform { rotation: joint_from_this.rotation.transpose(), translation_m: Vector3::zeros() };
    }

    pub fn len(&self) -> usize {
        self.coordinates.len()
    }

    /// Never: a chain without joints is not made.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Which coordinates of the model the numbers of a configuration are.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// Picks the configuration of the chain out of one of the whole model.
    pub fn pick(&self, model_positions: &[f64]) -> Vec<f64> {
        self.coordinates.iter().map(|coordinate| model_positions[*coordinate]).collect()
    }

    pub fn base_from_tip(&self, positions: &[f64]) -> Pose {
        let mut frames = vec![Transform::identity(); self.joints.len()];
        Pose::from(&self.forward(positions, &mut frames))
    }

    /// Fills in where each joint is after it moved; its axis is the z axis there. Returns `base_from_tip`.
    #[inline]
    pub(crate) fn forward(&self, positions: &[f64], base_from_joint: &mut [Transform]) -> Transform {
        let mut at = Transform::identity();
        for (joint, frame) in self.joints.iter().zip(base_from_joint) {
            at = at.then(&joint.last_from_this);
            let position = joint.multiplier * positions[joint.coordinate] + joint.offset;
            if joint.slides {
                at.translation_m += at.rotation.column(2) * position;
            } else {
                let (sin, cos) = sin_cos(position);
                let (x, y) = (at.rotation.column(0).into_owned(), at.rotation.column(1).into_owned());
                at.rotation.set_column(0, &(x * cos + y * sin));
                at.rotation.set_column(1, &(y * cos - x * sin));
            }
            *frame = at;
        }
        at.then(&self.last_from_tip)
    }
}

fn z_onto(axis: &Vector3<f64>) -> Transform {
    // Opposite to z there is no shortest way: any half turn does.
    let half_turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    let rotation = UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), &Unit::new_unchecked(*axis));
    let rotation: Matrix3<f64> = rotation.unwrap_or(half_turn).to_rotation_matrix().into_inner();
    Transform { rotation, translation_m: Vector3::zeros() }
}
