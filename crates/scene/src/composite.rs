use std::sync::Arc;

use geometry::{Point3, Pose, UnitQuaternion, Vector3};
use nalgebra::Rotation3;
use serde::{Deserialize, Serialize};

use crate::cloud::Cloud;
use crate::derived::{DoorPanelSettings, door_panel, door_panel_in};
use crate::measures::Measures;

/// A frame made of two others, whatever they are: of the body, of objects, or composite themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Composite {
    pub a: Arc<str>,
    pub b: Arc<str>,
    pub kind: CompositeKind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompositeKind {
    /// On the line from B to A at a distance from B, upright, its x facing from A to B.
    Approach { distance_m: f64 },
    /// Where A is, turned as B is.
    Hybrid,
    /// Fixed to A.
    Offset {
        #[serde(with = "geometry::exact")]
        a_from_frame: Pose,
    },
    /// On the panel of a door whose handle is A and whose panel is B, as they and the points around them tell.
    DoorPanel(DoorPanelSettings),
}

impl CompositeKind {
    /// None: seen from above A and B are in one place, so that nothing says which way to face.
    pub fn world_from_frame(&self, world_from_a: &Pose, world_from_b: &Pose, cloud: Option<&Cloud>) -> Option<Pose> {
        self.made(world_from_a, world_from_b, cloud).map(|(world_from_frame, _)| world_from_frame)
    }

    /// With what was measured on the way.
    pub(crate) fn made(
        &self,
        world_from_a: &Pose,
        world_from_b: &Pose,
        cloud: Option<&Cloud>,
    ) -> Option<(Pose, Measures)> {
        let pose = match self {
            CompositeKind::Hybrid => Some(Pose::new(world_from_a.translation_m(), world_from_b.rotation())),
            CompositeKind::Offset { a_from_frame } => Some(*world_from_a * *a_from_frame),
            CompositeKind::Approach { distance_m } => {
                let (a_m, b_m) = (world_from_a.translation_m(), world_from_b.translation_m());
                let forward = (b_m - a_m).try_normalize(1e-6)?;
                Some(Pose::new(b_m - forward * *distance_m, facing(&forward)?))
            }
            CompositeKind::DoorPanel(settings) => {
                let [handle, panel] = [world_from_a, world_from_b].map(|pose| Point3::from(pose.translation_m()));
                let found = match cloud {
                    Some(cloud) => door_panel_in(cloud, &handle, &panel, settings),
                    None => door_panel(&handle, &panel, settings),
                };
                return found.ok().map(|found| (found.world_from_panel, found.measures()));
            }
        };
        Some((pose?, Measures::default()))
    }
}

/// Upright, x facing the way the direction goes seen from above.
fn facing(forward: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let ahead = Vector3::new(forward.x, forward.y, 0.0).try_normalize(1e-6)?;
    let basis = [ahead, Vector3::z().cross(&ahead), Vector3::z()];
    Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&basis)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::RollPitchYaw;

    #[test]
    fn an_approach_is_on_the_line_and_faces_its_goal() {
        let a = Pose::from_rpy(Vector3::new(1.0, 2.0, 0.0), RollPitchYaw::new(0.3, 0.2, 2.0));
        let b = Pose::from_rpy(Vector3::new(4.0, 6.0, 0.0), RollPitchYaw::new(0.0, 0.0, -1.0));
        let at = CompositeKind::Approach { distance_m: 1.0 }.world_from_frame(&a, &b, None).unwrap();
        assert!((at.translation_m() - Vector3::new(3.4, 5.2, 0.0)).norm() < 1e-9, "{at:?}");
        let ahead = at.transform_vector(&Vector3::x());
        assert!((ahead - Vector3::new(0.6, 0.8, 0.0)).norm() < 1e-9, "{ahead}");
    }

    #[test]
    fn an_approach_beyond_a_turns_nothing_round() {
        let (a, b) = (Pose::from_translation(0.0, 0.0, 0.0), Pose::from_translation(0.5, 0.0, 0.0));
        let at = CompositeKind::Approach { distance_m: 1.0 }.world_from_frame(&a, &b, None).unwrap();
        assert!((at.translation_m() - Vector3::new(-0.5, 0.0, 0.0)).norm() < 1e-9);
        assert!(at.rotation().angle() < 1e-9);
    }

    #[test]
    fn an_approach_stands_upright_on_a_line_that_climbs() {
        let (a, b) = (Pose::identity(), Pose::from_translation(3.0, 0.0, 4.0));
        let approach = CompositeKind::Approach { distance_m: 1.0 };
        let at = approach.world_from_frame(&a, &b, None).unwrap();
        assert!((at.translation_m() - Vector3::new(2.4, 0.0, 3.2)).norm() < 1e-9, "{at:?}");
        assert!(at.rotation().angle() < 1e-9);
        let back = approach.world_from_frame(&b, &a, None).unwrap();
        assert!((back.transform_vector(&Vector3::x()) + Vector3::x()).norm() < 1e-9);
        let above = Pose::from_translation(0.0, 0.0, 2.0);
        assert_eq!(approach.world_from_frame(&a, &above, None), None);
    }

    #[test]
    fn a_hybrid_has_the_place_of_one_and_the_turn_of_the_other() {
        let a = Pose::from_rpy(Vector3::new(1.0, 2.0, 3.0), RollPitchYaw::new(0.3, 0.2, 2.0));
        let b = Pose::from_rpy(Vector3::new(4.0, 6.0, 0.0), RollPitchYaw::new(0.0, 0.0, -1.0));
        let at = CompositeKind::Hybrid.world_from_frame(&a, &b, None).unwrap();
        assert_eq!((at.translation_m(), at.rotation()), (a.translation_m(), b.rotation()));
    }
}
