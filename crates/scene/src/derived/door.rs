use geometry::{Point3, Pose, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::door_edges::Edges;
use super::line::Line;
use super::{DerivedError, direction, level, positive, scaled};
use crate::Cloud;
use crate::measures::Measures;
use crate::points::{Shape, inside};

/// Of the door, as seen by who stands before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HingeSide {
    #[default]
    Left,
    Right,
}

impl HingeSide {
    #[must_use]
    pub fn other(self) -> HingeSide {
        match self {
            HingeSide::Left => HingeSide::Right,
            HingeSide::Right => HingeSide::Left,
        }
    }

    /// Along y of a door's frame, which points to the left: 1 or −1.
    pub(super) fn sign(self) -> f64 {
        match self {
            HingeSide::Left => 1.0,
            HingeSide::Right => -1.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DoorPanelSettings {
    pub hinge: HingeSide,
    /// From the handle to the hinge, along the panel.
    #[schemars(range(min = 0.1), extend("x-unit" = "m"))]
    pub hinge_from_handle_m: f64,
    /// How far the middle of what is seen of the handle stands off the face of the panel.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub standoff_m: f64,
    /// So many points of the panel are needed to measure it, of a picture of 300,000 pixels; of smaller ones in
    /// proportion. With fewer the two centroids alone tell.
    #[schemars(range(min = 1.0))]
    pub min_points: f64,
    /// Takes the side of the hinge, how far it is from the handle and how wide the panel is from what is seen, where both
    /// its edges are in the picture. What is written for them is for where they are not.
    pub measure: bool,
}

impl Default for DoorPanelSettings {
    fn default() -> DoorPanelSettings {
        DoorPanelSettings {
            hinge: HingeSide::Left,
            hinge_from_handle_m: 0.8,
            standoff_m: 0.055,
            min_points: 2000.0,
            measure: false,
        }
    }
}

/// Where the panel of a door is. Its frames are level: x goes through the panel away from who stands before it, y to
/// the left along it, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoorPanel {
    pub hinge: HingeSide,
    /// On the face of the panel behind the handle.
    pub world_from_panel: Pose,
    /// On the hinge's axis, which is its z, as high as the handle.
    pub world_from_hinge: Pose,
    /// Of x in the world.
    pub yaw_rad: f64,
    pub hinge_from_handle_m: f64,
    /// Of the whole panel, where both its edges were seen.
    pub width_m: Option<f64>,
}

impl DoorPanel {
    pub fn measures(&self) -> Measures {
        let hinge_m = Some(self.hinge_from_handle_m);
        Measures { width_m: self.width_m, hinge: Some(self.hinge), hinge_m, ..Measures::default() }
    }
}

/// By the centroids of its handle and of its panel: seen from above, the panel lies along the line between them, but for
/// what the handle stands off it.
pub fn door_panel(
    world_handle: &Point3<f64>,
    world_panel: &Point3<f64>,
    settings: &DoorPanelSettings,
) -> Result<DoorPanel, DerivedError> {
    positive("hinge_from_handle_m", settings.hinge_from_handle_m)?;
    let across = world_panel - world_handle;
    let distance_m = libm::hypot(across.x, across.y);
    // Nearer together the standoff turns the line by more than it can be known.
    let least_m = (2.0 * settings.standoff_m).max(0.05);
    if distance_m.is_nan() || distance_m < least_m {
        return Err(DerivedError::Together { distance_m, least_m });
    }
    let sign = settings.hinge.sign();
    let along_rad = libm::atan2(across.y, across.x) + sign * libm::asin(settings.standoff_m / distance_m);
    let yaw_rad = super::wrapped(along_rad - sign * std::f64::consts::FRAC_PI_2);
    Ok(at(world_handle.coords + settings.standoff_m * direction(yaw_rad), yaw_rad, settings))
}

fn at(world_foot_m: Vector3<f64>, yaw_rad: f64, settings: &DoorPanelSettings) -> DoorPanel {
    let world_from_panel = level(world_foot_m, yaw_rad);
    let to_hinge = Pose::from_translation(0.0, settings.hinge.sign() * settings.hinge_from_handle_m, 0.0);
    DoorPanel {
        hinge: settings.hinge,
        world_from_panel,
        world_from_hinge: world_from_panel * to_hinge,
        yaw_rad,
        hinge_from_handle_m: settings.hinge_from_handle_m,
        width_m: None,
    }
}

/// Of nothing but where its handle is: the panel is square to x of the handle's frame.
pub fn door_panel_behind(world_from_handle: &Pose, settings: &DoorPanelSettings) -> DoorPanel {
    let through = world_from_handle.transform_vector(&Vector3::x());
    let yaw_rad = libm::atan2(through.y, through.x);
    at(world_from_handle.translation_m() + settings.standoff_m * direction(yaw_rad), yaw_rad, settings)
}

/// As [`door_panel`], then measured on the points of the panel between handle and hinge, where there are enough: how far
/// a handle stands off differs from door to door. A bar across the panel has its middle where the panel has: the points
/// to both sides of it tell alone.
pub fn door_panel_in(
    cloud: &Cloud,
    world_handle: &Point3<f64>,
    world_panel: &Point3<f64>,
    settings: &DoorPanelSettings,
) -> Result<DoorPanel, DerivedError> {
    let least = scaled(settings.min_points, cloud);
    if settings.measure {
        let guess = guessed(cloud, (world_handle, world_panel), settings);
        let panel = door_panel_in(cloud, world_handle, world_panel, &guess)?;
        return Ok(with_edges(cloud, panel, &guess));
    }
    match door_panel(world_handle, world_panel, settings) {
        Ok(panel) => Ok(measured(cloud, panel, (0.18, 0.85), least, settings).unwrap_or(panel)),
        Err(together @ DerivedError::Together { .. }) => {
            let facing = facing(cloud, world_handle, settings);
            measured(cloud, facing, (-0.85, 0.85), least, settings).ok_or(together)
        }
        Err(other) => Err(other),
    }
}

/// From the edge of a panel to the middle of its handle, where nothing tells.
const INSET_M: f64 = 0.07;
/// A handle in the middle of the panel, as a bar has it, tells nothing of the hinge.
const ASIDE_M: f64 = 0.12;

/// The middle of a panel is on the side of its hinge.
fn guessed(
    cloud: &Cloud,
    (world_handle, world_panel): (&Point3<f64>, &Point3<f64>),
    settings: &DoorPanelSettings,
) -> DoorPanelSettings {
    let written = DoorPanelSettings { measure: false, ..settings.clone() };
    let sight = world_handle - Point3::from(cloud.world_from_camera.translation_m());
    let across = world_panel - world_handle;
    let far_m = libm::hypot(sight.x, sight.y);
    let left_m = (sight.x * across.y - sight.y * across.x) / far_m;
    if far_m < 0.1 || left_m.is_nan() || left_m.abs() < ASIDE_M {
        return written;
    }
    let hinge = if left_m > 0.0 { HingeSide::Left } else { HingeSide::Right };
    let hinge_from_handle_m = (2.0 * libm::hypot(across.x, across.y) + INSET_M).clamp(0.3, 1.3);
    DoorPanelSettings { hinge, hinge_from_handle_m, ..written }
}

fn with_edges(cloud: &Cloud, panel: DoorPanel, settings: &DoorPanelSettings) -> DoorPanel {
    let start_m = 0.5 * panel.hinge.sign() * panel.hinge_from_handle_m;
    let Some(edges) = Edges::of(cloud, &panel.world_from_panel, start_m) else { return panel };
    let off_middle_m = (edges.left_m + edges.right_m) / 2.0;
    let hinge = match off_middle_m {
        aside_m if aside_m > ASIDE_M => HingeSide::Left,
        aside_m if aside_m < -ASIDE_M => HingeSide::Right,
        _ => panel.hinge,
    };
    let edge_m = if hinge == HingeSide::Left { edges.left_m } else { -edges.right_m };
    let seen = DoorPanelSettings { hinge, hinge_from_handle_m: edge_m, ..settings.clone() };
    let foot_m = panel.world_from_panel.translation_m();
    DoorPanel { width_m: Some(edges.width_m()), ..at(foot_m, panel.yaw_rad, &seen) }
}

/// Square to the line of sight, for want of anything better.
fn facing(cloud: &Cloud, world_handle: &Point3<f64>, settings: &DoorPanelSettings) -> DoorPanel {
    let sight = world_handle.coords - cloud.world_from_camera.translation_m();
    let yaw_rad = libm::atan2(sight.y, sight.x);
    at(world_handle.coords + settings.standoff_m * direction(yaw_rad), yaw_rad, settings)
}

/// `span`: from where to where the face is measured, in shares of the way from handle to hinge.
fn measured(
    cloud: &Cloud,
    first: DoorPanel,
    span: (f64, f64),
    least: usize,
    settings: &DoorPanelSettings,
) -> Option<DoorPanel> {
    let mut panel = None;
    for depth_m in [0.3, 0.2, 0.2] {
        let known = panel.unwrap_or(first);
        let Some(line) = face(cloud, &known, span, depth_m, least) else { break };
        let yaw_rad = super::wrapped(known.yaw_rad - libm::atan(line.slope));
        let foot_m = known.world_from_panel.transform_point(&Point3::new(line.offset, 0.0, 0.0));
        panel = Some(at(foot_m.coords, yaw_rad, settings));
    }
    panel
}

/// The face of the panel in its frame as it is known so far: x over y.
fn face(cloud: &Cloud, panel: &DoorPanel, span: (f64, f64), depth_m: f64, least: usize) -> Option<Line> {
    // Beside the handle, and not as far as the wall behind the hinge.
    let (from_m, to_m) = (span.0 * panel.hinge_from_handle_m, span.1 * panel.hinge_from_handle_m);
    let middle_m = panel.hinge.sign() * (from_m + to_m) / 2.0;
    let shape = Shape::Box { size_m: [depth_m, to_m - from_m, 0.8] };
    let world_from_box = panel.world_from_panel * Pose::from_translation(0.0, middle_m, 0.0);
    let found = inside(cloud, &shape, &world_from_box, None);
    if found.len() < least {
        return None;
    }
    let panel_from_world = panel.world_from_panel.inverse();
    let points: Vec<(f64, f64)> = found
        .iter()
        .map(|point| panel_from_world.transform_point(&point.world_position))
        .map(|point| (point.y, point.x))
        .collect();
    Line::through(points.iter().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::derived::testing::{Camera, Door, mirrored_cloud, mirrored_point};

    fn panel_of(door: &Door, camera: &Camera, seed: u64) -> (Cloud, [Point3<f64>; 2]) {
        let sight = camera.look(&door.solids(), seed);
        (sight.cloud.clone(), [sight.centroid("handle").unwrap(), sight.centroid("panel").unwrap()])
    }

    proptest! {
        #![proptest_config(crate::derived::testing::cases())]

        #[test]
        fn the_angle_of_a_panel_is_known_within_4_degrees(
            door in Door::any(), distance_m in 0.8..1.8_f64, aside_m in -0.4..0.4_f64, seed: u64, fine: bool,
        ) {
            let camera = Camera::before(&door, distance_m, aside_m, fine);
            let (cloud, [handle, panel]) = panel_of(&door, &camera, seed);
            let settings = DoorPanelSettings {
                hinge: door.hinge, hinge_from_handle_m: door.hinge_from_handle_m(), ..DoorPanelSettings::default()
            };
            let found = door_panel_in(&cloud, &handle, &panel, &settings).unwrap();
            let error_deg = super::super::wrapped(found.yaw_rad - door.panel_yaw_rad()).abs().to_degrees();
            prop_assert!(error_deg < 4.0, "{error_deg}°");
            let apart = found.world_from_hinge.translation_m() - door.world_from_hinge().translation_m();
            prop_assert!(libm::hypot(apart.x, apart.y) < 0.08, "hinge off by {apart}");
            // The centroids alone, with a handle that stands off as far as the settings say.
            let found = door_panel(&door.handle_middle(0.055), &panel, &settings).unwrap();
            let error_deg = super::super::wrapped(found.yaw_rad - door.panel_yaw_rad()).abs().to_degrees();
            prop_assert!(error_deg < 4.0, "{error_deg}° by centroids");
        }

        #[test]
        fn a_bar_across_the_panel_needs_no_second_place(
            door in Door::any(), distance_m in 0.8..2.5_f64, aside_m in -1.0..1.0_f64, seed: u64,
        ) {
            let camera = Camera::before(&door, distance_m, aside_m.clamp(-0.55 * distance_m, 0.55 * distance_m), false);
            let (cloud, _) = panel_of(&door, &camera, seed);
            let half_m = door.hinge_from_handle_m() / 2.0;
            let to_middle = Pose::from_translation(-0.075, -door.hinge.sign() * half_m, 0.0);
            let bar = Point3::from((door.world_from_hinge() * to_middle).translation_m());
            let settings = DoorPanelSettings {
                hinge: door.hinge, hinge_from_handle_m: half_m, ..DoorPanelSettings::default()
            };
            // A panel that stands open is seen at a slant, and is not what a bar is pushed on.
            prop_assume!(door.open_rad.abs() < 0.1);
            let found = door_panel_in(&cloud, &bar, &bar, &settings).unwrap();
            let error_deg = super::super::wrapped(found.yaw_rad - door.panel_yaw_rad()).abs().to_degrees();
            prop_assert!(error_deg < 4.0, "{error_deg}°");
        }

        #[test]
        fn mirrored_panels_are_found_mirrored(door in Door::any(), seed: u64) {
            let camera = Camera::before(&door, 1.2, 0.1, false);
            let (cloud, [handle, panel]) = panel_of(&door, &camera, seed);
            let settings = DoorPanelSettings { hinge: door.hinge, ..DoorPanelSettings::default() };
            let other = DoorPanelSettings { hinge: door.hinge.other(), ..settings.clone() };
            let found = door_panel_in(&cloud, &handle, &panel, &settings).unwrap();
            let [handle, panel] = [mirrored_point(&handle), mirrored_point(&panel)];
            let mirrored = door_panel_in(&mirrored_cloud(&cloud), &handle, &panel, &other).unwrap();
            let apart = mirrored.world_from_hinge.distance(&found.world_from_hinge.mirrored());
            prop_assert!(apart.position_m < 1e-4 && apart.angle_rad < 1e-4, "{apart:?}");
        }
    }

    /// Nobody wrote how wide it is, nor on which side its hinge is.
    #[test]
    fn a_door_is_measured() {
        let (mut seen, mut all) = (0, 0);
        for seed in 0..120 {
            let mut random = model::Random::new(seed);
            let hinge = if random.share() < 0.5 { HingeSide::Left } else { HingeSide::Right };
            let door = Door::closed_with(hinge, 0.75 + 0.3 * random.share());
            let camera = Camera::before(&door, 1.0 + 0.6 * random.share(), 0.4 * (random.share() - 0.5), true);
            let (cloud, [handle, panel]) = panel_of(&door, &camera, seed);
            let settings = DoorPanelSettings { measure: true, ..DoorPanelSettings::default() };
            let found = door_panel_in(&cloud, &handle, &panel, &settings).unwrap();
            assert_eq!(found.hinge, hinge, "{door:?}");
            let apart = found.world_from_hinge.translation_m() - door.world_from_hinge().translation_m();
            assert!(libm::hypot(apart.x, apart.y) < 0.09, "hinge off by {apart}: {door:?}");
            all += 1;
            if let Some(width_m) = found.width_m {
                seen += 1;
                assert!((width_m - door.width_m()).abs() < 0.06, "{width_m}: {door:?}");
            }
        }
        assert!(seen * 10 >= all * 8, "{seen} of {all}");
    }

    #[test]
    fn a_handle_in_the_middle_of_the_panel_is_told() {
        let point = Point3::new(1.0, 0.0, 1.0);
        let error = door_panel(&point, &point, &DoorPanelSettings::default()).unwrap_err();
        assert!(error.to_string().contains("0.00 m apart"), "{error}");
    }
}
