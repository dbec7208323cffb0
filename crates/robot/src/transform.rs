use geometry::{Matrix3, Pose, UnitQuaternion, Vector3};
use nalgebra::Rotation3;

/// A pose as kinematics computes with it: composing is cheaper on a matrix than on a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub rotation: Matrix3<f64>,
    pub translation_m: Vector3<f64>,
}

impl Transform {
    pub fn identity() -> Transform {
        Transform { rotation: Matrix3::identity(), translation_m: Vector3::zeros() }
    }

    #[inline]
    pub fn then(&self, inner: &Transform) -> Transform {
        Transform {
            rotation: self.rotation * inner.rotation,
            translation_m: self.rotation * inner.translation_m + self.translation_m,
        }
    }

    #[inline]
    pub fn point(&self, point_m: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * point_m + self.translation_m
    }
}

impl From<&Pose> for Transform {
    fn from(pose: &Pose) -> Transform {
        Transform { rotation: pose.rotation().to_rotation_matrix().into_inner(), translation_m: pose.translation_m() }
    }
}

impl From<&Transform> for Pose {
    fn from(transform: &Transform) -> Pose {
        let rotation = Rotation3::from_matrix_unchecked(transform.rotation);
        Pose::new(transform.translation_m, UnitQuaternion::from_rotation_matrix(&rotation))
    }
}
