use std::sync::Arc;

use geometry::{Point3, Pose, UnitQuaternion, Vector3};
use nalgebra::Rotation3;
use serde::{Deserialize, Serialize};

use crate::cloud::Cloud;
use crate::derived::{DoorPanelSettings, door_panel, door_panel_in};

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
    /// On the line from B to A at a distance from B, its x pointing from A to B.
    Approach { distance_m: f64 },
    /// Where A is, turned as B is.
    Hybrid,
    /// On the panel of a door whose handle is A and whose panel is B, as they and the points around them tell.
    DoorPanel(DoorPanelSettings),
}

impl CompositeKind {
    /// None: A and B are in one place, so that nothing says which way to face.
    pub fn world_from_frame(&self, world_from_a: &Pose, world_from_b: &Pose, cloud: Option<&Cloud>) -> Option<Pose> {
        match self {
            CompositeKind::Hybrid => Some(Pose::new(world_from_a.translation_m(), world_from_b.rotation())),
            CompositeKind::Approach { distance_m } => {
                let (a_m, b_m) = (world_from_a.translation_m(), world_from_b.translation_m());
                let forward = (b_m - a_m).try_normalize(1e-6)?;
                Some(Pose::new(b_m - forward * *distance_m, facing(&forward)))
            }
            CompositeKind::DoorPanel(settings) => {
                let [handle, panel] = [world_from_a, world_from_b].map(|pose| Point3::from(pose.translation_m()));
                let found = match cloud {
                    Some(cloud) => door_panel_in(cloud, &handle, &panel, settings),
                    None => door_panel(&handle, &panel, settings),
                };
                found.ok().map(|found| found.world_from_panel)
            }
        }
    }
}

/// x along the direction, y level. Straight up or down there is no level y: it then stays the world's.
fn facing(forward: &Vector3<f64>) -> UnitQuaternion<f64> {
    let left = Vector3::z().cross(forward).try_normalize(1e-9).unwrap_or_else(Vector3::y);
    let up = forward.cross(&left);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&[*forward, left, up]))
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
        let left = at.transform_vector(&Vector3::y());
        assert!(left.z.abs() < 1e-9, "{left}");
    }

    #[test]
    fn an_approach_beyond_a_turns_nothing_round() {
        let (a, b) = (Pose::from_translation(0.0, 0.0, 0.0), Pose::from_translation(0.5, 0.0, 0.0));
        let at = CompositeKind::Approach { distance_m: 1.0 }.world_from_frame(&a, &b, None).unwrap();
        assert!((at.translation_m() - Vector3::new(-0.5, 0.0, 0.0)).norm() < 1e-9);
        assert!(at.rotation().angle() < 1e-9);
    }

    #[test]
    fn steep_approaches_are_rotations_too() {
        let origin = Pose::identity();
        for goal in [Vector3::z(), -Vector3::z(), Vector3::new(1e-12, 0.0, 1.0), Vector3::new(0.2, -0.3, -2.0)] {
            let at = CompositeKind::Approach { distance_m: 0.1 }.world_from_frame(
                &origin,
                &Pose::new(goal, UnitQuaternion::identity()),
                None,
            );
            let at = at.unwrap();
            let ahead = at.transform_vector(&Vector3::x());
            assert!((ahead - goal.normalize()).norm() < 1e-6, "{goal}: {ahead}");
            assert!((at.rotation().norm() - 1.0).abs() < 1e-9);
        }
        assert_eq!(CompositeKind::Approach { distance_m: 0.1 }.world_from_frame(&origin, &origin, None), None);
    }

    #[test]
    fn a_hybrid_has_the_place_of_one_and_the_turn_of_the_other() {
        let a = Pose::from_rpy(Vector3::new(1.0, 2.0, 3.0), RollPitchYaw::new(0.3, 0.2, 2.0));
        let b = Pose::from_rpy(Vector3::new(4.0, 6.0, 0.0), RollPitchYaw::new(0.0, 0.0, -1.0));
        let at = CompositeKind::Hybrid.world_from_frame(&a, &b, None).unwrap();
        assert_eq!((at.translation_m(), at.rotation()), (a.translation_m(), b.rotation()));
    }
}
