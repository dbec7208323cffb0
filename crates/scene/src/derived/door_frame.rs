use geometry::{Point3, Pose, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DerivedError, DoorPanel, direction, level, positive, scaled, wrapped};
use crate::Cloud;
use crate::points::{Shape, inside};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DoorFrameSettings {
    /// How far beyond the handle the frame is looked for, from the hinge: by `radius_m` and more beyond the panel's edge,
    /// which would count as frame otherwise.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub beyond_handle_m: f64,
    /// To each side of the panel.
    #[schemars(range(min = 1.0, max = 180.0), extend("x-unit" = "deg"))]
    pub fan_deg: f64,
    /// Directions looked at in all.
    #[schemars(range(min = 1, max = 1000))]
    pub steps: u32,
    /// Of the upright capsule in each direction.
    #[schemars(range(min = 0.001), extend("x-unit" = "m"))]
    pub radius_m: f64,
    /// Above and below the handle.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub half_length_m: f64,
    /// So many points of the frame are needed, of a picture of 300,000 pixels; of smaller ones in proportion.
    #[schemars(range(min = 1.0))]
    pub min_points: f64,
    /// Further open than this a door is ajar.
    #[schemars(range(min = 0.0, max = 90.0), extend("x-unit" = "deg"))]
    pub ajar_deg: f64,
}

impl Default for DoorFrameSettings {
    fn default() -> DoorFrameSettings {
        DoorFrameSettings {
            beyond_handle_m: 0.15,
            fan_deg: 90.0,
            steps: 32,
            radius_m: 0.05,
            half_length_m: 0.2,
            min_points: 300.0,
            ajar_deg: 7.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    Closed,
    /// Away from who stands before it.
    AjarPush,
    /// Towards them.
    AjarPull,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoorFrame {
    /// Where the panel's frame is once the door is closed.
    pub world_from_frame: Pose,
    /// How far the panel is open: above zero away from who stands before it.
    pub open_rad: f64,
    pub opening: Opening,
    /// What told where the frame is.
    pub points: usize,
}

/// By the points that an upright capsule holds beside the doorway: it goes about the hinge, a little further out than
/// the panel reaches.
pub fn door_frame(cloud: &Cloud, panel: &DoorPanel, settings: &DoorFrameSettings) -> Result<DoorFrame, DerivedError> {
    positive("radius_m", settings.radius_m)?;
    positive("steps", f64::from(settings.steps))?;
    let fan = Fan::new(cloud, panel, settings);
    let least = scaled(settings.min_points, cloud);
    let step_rad = 2.0 * settings.fan_deg.to_radians() / f64::from(settings.steps);
    // From the middle outwards: of two equal ones the frame is the one that the panel is nearer to.
    let mut best = (0, 0.0);
    for step in 0..=settings.steps / 2 {
        let turn_rad = f64::from(step) * step_rad;
        for turn_rad in [turn_rad, -turn_rad] {
            let found = fan.near(turn_rad).count();
            best = if found > best.0 { (found, turn_rad) } else { best };
        }
    }
    let (most, mut turn_rad) = best;
    if most < least {
        return Err(DerivedError::NoFrame { most, least });
    }
    // A step is coarser than the frame is seen.
    for _ in 0..4 {
        turn_rad = fan.bearing(turn_rad).unwrap_or(turn_rad);
    }
    let sign = panel.hinge.sign();
    let open_rad = -sign * turn_rad;
    let ajar_rad = settings.ajar_deg.to_radians();
    let opening = match open_rad {
        open_rad if open_rad > ajar_rad => Opening::AjarPush,
        open_rad if open_rad < -ajar_rad => Opening::AjarPull,
        _ => Opening::Closed,
    };
    let yaw_rad = wrapped(panel.yaw_rad + turn_rad);
    let to_mechanism = Pose::from_translation(0.0, -sign * panel.hinge_from_handle_m, 0.0);
    let world_from_frame = level(panel.world_from_hinge.translation_m(), yaw_rad) * to_mechanism;
    Ok(DoorFrame { world_from_frame, open_rad, opening, points: most })
}

struct Fan {
    /// Seen from the hinge, x along the panel away from it.
    points: Vec<Point3<f64>>,
    out_m: f64,
    capsule: Shape,
}

impl Fan {
    fn new(cloud: &Cloud, panel: &DoorPanel, settings: &DoorFrameSettings) -> Fan {
        let out_m = panel.hinge_from_handle_m + settings.beyond_handle_m;
        let (radius_m, length_m) = (settings.radius_m, 2.0 * settings.half_length_m);
        let around = Shape::Cylinder { radius_m: out_m + 2.0 * radius_m, length_m: length_m + 2.0 * radius_m };
        let along_rad = panel.yaw_rad - panel.hinge.sign() * std::f64::consts::FRAC_PI_2;
        let world_from_fan = level(panel.world_from_hinge.translation_m(), along_rad);
        let fan_from_world = world_from_fan.inverse();
        let points = inside(cloud, &around, &world_from_fan, None)
            .iter()
            .map(|point| fan_from_world.transform_point(&point.world_position))
            .collect();
        Fan { points, out_m, capsule: Shape::Capsule { radius_m, length_m } }
    }

    fn near(&self, turn_rad: f64) -> impl Iterator<Item = &Point3<f64>> {
        let middle_m: Vector3<f64> = self.out_m * direction(turn_rad);
        self.points.iter().filter(move |point| self.capsule.contains(&(**point - middle_m)))
    }

    /// Where the middle of the points near a direction is.
    fn bearing(&self, turn_rad: f64) -> Option<f64> {
        let (sum, count) =
            self.near(turn_rad).fold((Vector3::zeros(), 0), |(sum, n), point| (sum + point.coords, n + 1));
        (count > 0).then(|| libm::atan2(sum.y, sum.x))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::derived::testing::{Camera, Door, mirrored_cloud};
    use crate::derived::{DoorPanelSettings, door_panel_in};

    fn seen(door: &Door, camera: &Camera, seed: u64) -> (Cloud, DoorPanel) {
        let sight = camera.look(&door.solids(), seed);
        let [handle, panel] = ["handle", "panel"].map(|name| sight.centroid(name).unwrap());
        let settings = DoorPanelSettings {
            hinge: door.hinge,
            hinge_from_handle_m: door.hinge_from_handle_m(),
            ..DoorPanelSettings::default()
        };
        let panel = door_panel_in(&sight.cloud, &handle, &panel, &settings).unwrap();
        (sight.cloud, panel)
    }

    proptest! {
        #![proptest_config(crate::derived::testing::cases())]

        #[test]
        fn the_frame_of_a_door_is_known_within_4_degrees(
            door in Door::any(), distance_m in 1.0..1.8_f64, seed: u64, fine: bool,
        ) {
            // A panel that stands towards the robot hides the frame from the middle of the doorway.
            let camera = Camera::before(&door, distance_m, -0.25 * door.hinge.sign(), fine);
            let (cloud, panel) = seen(&door, &camera, seed);
            let frame = door_frame(&cloud, &panel, &DoorFrameSettings::default()).unwrap();
            let error_deg = wrapped(frame.world_from_frame.rpy().yaw_rad - door.frame_yaw_rad()).abs().to_degrees();
            prop_assert!(error_deg < 4.0, "{error_deg}° off, open {}°", door.open_rad.to_degrees());
            let open_deg = door.open_rad.to_degrees();
            if open_deg > 12.0 {
                prop_assert_eq!(frame.opening, Opening::AjarPush);
            } else if open_deg < -12.0 {
                prop_assert_eq!(frame.opening, Opening::AjarPull);
            } else if open_deg.abs() < 2.0 {
                prop_assert_eq!(frame.opening, Opening::Closed);
            }
        }

        #[test]
        fn mirrored_frames_are_found_mirrored(door in Door::any(), seed: u64) {
            let (cloud, panel) = seen(&door, &Camera::before(&door, 1.3, -0.25 * door.hinge.sign(), false), seed);
            let mirrored_panel = DoorPanel {
                hinge: panel.hinge.other(),
                world_from_panel: panel.world_from_panel.mirrored(),
                world_from_hinge: panel.world_from_hinge.mirrored(),
                yaw_rad: -panel.yaw_rad,
                ..panel
            };
            let settings = DoorFrameSettings::default();
            let frame = door_frame(&cloud, &panel, &settings).unwrap();
            let mirrored = door_frame(&mirrored_cloud(&cloud), &mirrored_panel, &settings).unwrap();
            let apart = mirrored.world_from_frame.distance(&frame.world_from_frame.mirrored());
            prop_assert!(apart.position_m < 1e-3 && apart.angle_rad < 1e-3, "{apart:?}");
            prop_assert_eq!(mirrored.opening, frame.opening);
        }
    }

    #[test]
    fn a_panel_without_a_frame_is_told() {
        let door = Door::closed();
        let (_, panel) = seen(&door, &Camera::before(&door, 1.3, 0.0, false), 1);
        let empty = Cloud::new(0, Pose::identity(), 160, 120);
        let error = door_frame(&empty, &panel, &DoorFrameSettings::default()).unwrap_err();
        assert_eq!(error, DerivedError::NoFrame { most: 0, least: 20 });
    }
}
