//! What follows from the poses of the links: Jacobians, the centre of mass, gravity torques.

use geometry::Vector3;
use nalgebra::Matrix6xX;

use crate::model::{LinkPoses, Model, Movement};

/// Velocity of a link from velocities of the coordinates: three rows m/s of its origin, three rows rad/s, all along the
/// axes of the root link; a column for each coordinate.
pub type Jacobian = Matrix6xX<f64>;

impl Model {
    pub fn new_jacobian(&self) -> Jacobian {
        Jacobian::zeros(self.coordinates().len())
    }

    /// `poses` are those of the configuration asked about.
    pub fn jacobian(&self, poses: &LinkPoses, link: usize, jacobian: &mut Jacobian) {
        assert_eq!(jacobian.ncols(), self.coordinates().len(), "a Jacobian made by this model");
        jacobian.fill(0.0);
        let origin_m = poses.base_from_link[link].translation_m;
        self.for_drives_above(poses, link, &origin_m, |coordinate, linear, angular| {
            let mut column = jacobian.column_mut(coordinate);
            for row in 0..3 {
                column[row] += linear[row];
                column[row + 3] += angular[row];
            }
        });
    }

    /// In the root link; none for a robot without mass.
    pub fn centre_of_mass_m(&self, poses: &LinkPoses) -> Option<Vector3<f64>> {
        let mut moment = Vector3::zeros();
        for (link, base_from_link) in self.links.iter().zip(&poses.base_from_link) {
            if link.mass_kg > 0.0 {
                moment += base_from_link.point(&link.centre_m) * link.mass_kg;
            }
        }
        (self.mass_kg() > 0.0).then(|| moment / self.mass_kg())
    }

    /// The efforts, N·m or N, that hold the robot still with the root link fixed. `gravity_base_m_s2` is in the root
    /// link: (0, 0, −9.81) when it is upright.
    pub fn gravity_efforts(&self, poses: &LinkPoses, gravity_base_m_s2: &Vector3<f64>, efforts: &mut [f64]) {
        assert_eq!(efforts.len(), self.coordinates().len(), "one effort for each coordinate");
        efforts.fill(0.0);
        // Of each link with all that hangs on it: kg, and kg·m in the root link.
        let mut carried = vec![(0.0, Vector3::zeros()); self.links.len()];
        for (index, link) in self.links.iter().enumerate().rev() {
            let base_from_link = &poses.base_from_link[index];
            let (below_kg, below_kg_m) = carried[index];
            let mass_kg = below_kg + link.mass_kg;
            let moment_kg_m = below_kg_m + base_from_link.point(&link.centre_m) * link.mass_kg;
            if let Some(drive) = &link.drive {
                let axis = base_from_link.rotation * drive.axis * drive.multiplier;
                efforts[drive.coordinate] -= match drive.movement {
                    Movement::Slide => axis.dot(gravity_base_m_s2) * mass_kg,
                    Movement::TurnX | Movement::TurnY | Movement::TurnZ | Movement::Turn => {
                        let arm_kg_m = moment_kg_m - base_from_link.translation_m * mass_kg;
                        axis.cross(&arm_kg_m).dot(gravity_base_m_s2)
                    }
                };
            }
            if let Some(parent) = link.parent {
                carried[parent].0 += mass_kg;
                carried[parent].1 += moment_kg_m;
            }
        }
    }

    /// For every moving joint from the link to the root: its coordinate, and how a point on the link moves with it.
    #[inline]
    fn for_drives_above(
        &self,
        poses: &LinkPoses,
        link: usize,
        point_m: &Vector3<f64>,
        mut visit: impl FnMut(usize, Vector3<f64>, Vector3<f64>),
    ) {
        let mut at = Some(link);
        while let Some(index) = at {
            let body = &self.links[index];
            if let Some(drive) = &body.drive {
                let base_from_link = &poses.base_from_link[index];
                let axis = base_from_link.rotation * drive.axis * drive.multiplier;
                match drive.movement {
                    Movement::Slide => visit(drive.coordinate, axis, Vector3::zeros()),
                    Movement::TurnX | Movement::TurnY | Movement::TurnZ | Movement::Turn => {
                        visit(drive.coordinate, axis.cross(&(point_m - base_from_link.translation_m)), axis);
                    }
                }
            }
            at = body.parent;
        }
    }
}
