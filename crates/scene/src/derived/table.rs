use geometry::{Point3, Pose, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::line::Line;
use super::{DerivedError, level, positive, scaled, wrapped};
use crate::Cloud;
use crate::points::{Shape, inside};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TableSettings {
    /// The two capsules go forward so far to the left and to the right of the middle: as the hips are.
    #[schemars(range(min = 0.01), extend("x-unit" = "m"))]
    pub aside_m: f64,
    /// Their lower ends: as high as the knees.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub from_height_m: f64,
    /// Their upper ends: just below the chest.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub to_height_m: f64,
    #[schemars(range(min = 0.001), extend("x-unit" = "m"))]
    pub radius_m: f64,
    /// Where they begin, in front of the robot.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub start_m: f64,
    /// How far in front of the robot they go.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub reach_m: f64,
    /// So many points in a capsule are the table, of a picture of 300,000 pixels; of smaller ones in proportion.
    #[schemars(range(min = 1.0))]
    pub min_points: f64,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            aside_m: 0.16,
            from_height_m: 0.45,
            to_height_m: 1.15,
            radius_m: 0.1,
            start_m: 0.25,
            reach_m: 2.5,
            min_points: 350.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// On the ground below the edge, straight before the robot; x goes to the table square to its edge, z up.
    pub world_from_edge: Pose,
    /// Of the table's top above the ground the robot stands on.
    pub height_m: f64,
}

const SWEEP_STEP_M: f64 = 0.02;
/// A table's top is no thicker than this, and what lies on it begins so far above it.
const THICKNESS_M: f64 = 0.1;
const ABOVE_M: f64 = 0.05;
const MOST_SLANTED_DEG: f64 = 60.0;

/// By two upright capsules that go forward from the hips, each until it holds enough points: the two places give the
/// line of the edge. It is then measured on the points between them.
pub fn approach_table(
    cloud: &Cloud,
    world_from_walking: &Pose,
    settings: &TableSettings,
) -> Result<Table, DerivedError> {
    positive("radius_m", settings.radius_m)?;
    positive("aside_m", settings.aside_m)?;
    let world_from_ground = level(world_from_walking.translation_m(), world_from_walking.rpy().yaw_rad);
    let ahead = Ahead::new(cloud, &world_from_ground, settings);
    let least = scaled(settings.min_points, cloud);
    let left_m = ahead.stop("left", settings.aside_m, least)?;
    let right_m = ahead.stop("right", -settings.aside_m, least)?;
    let found = Line { offset: (left_m + right_m) / 2.0, slope: (left_m - right_m) / (2.0 * settings.aside_m) };
    let height_m = ahead.height_m(&found);
    let edge = ahead.edge(found, height_m, least);
    let yaw_rad = -libm::atan(edge.slope);
    if yaw_rad.to_degrees().abs() > MOST_SLANTED_DEG {
        return Err(DerivedError::Slanted { angle_deg: yaw_rad.to_degrees().abs(), most_deg: MOST_SLANTED_DEG });
    }
    let ground_from_edge = level(Vector3::new(edge.offset, 0.0, 0.0), wrapped(yaw_rad));
    Ok(Table { world_from_edge: world_from_ground * ground_from_edge, height_m })
}

struct Ahead<'a> {
    settings: &'a TableSettings,
    /// On the ground below the robot, x forward, z up.
    points: Vec<Point3<f64>>,
    camera: Point3<f64>,
}

impl Ahead<'_> {
    fn new<'a>(cloud: &Cloud, world_from_ground: &Pose, settings: &'a TableSettings) -> Ahead<'a> {
        let wide_m = 2.0 * (settings.aside_m + settings.radius_m);
        let (low_m, high_m) = (settings.from_height_m, settings.to_height_m);
        let (near_m, far_m) = (settings.start_m, settings.reach_m + 0.5);
        let size_m = [far_m - near_m, wide_m, high_m - low_m + 2.0 * settings.radius_m];
        let ground_from_box = Pose::from_translation((near_m + far_m) / 2.0, 0.0, (low_m + high_m) / 2.0);
        let ground_from_world = world_from_ground.inverse();
        let points = inside(cloud, &Shape::Box { size_m }, &(*world_from_ground * ground_from_box), None)
            .iter()
            .map(|point| ground_from_world.transform_point(&point.world_position))
            .collect();
        let camera = ground_from_world.transform_point(&cloud.world_from_camera.translation_m().into());
        Ahead { settings, points, camera }
    }

    /// How far the foremost of a capsule comes.
    fn stop(&self, side: &'static str, left_m: f64, least: usize) -> Result<f64, DerivedError> {
        let &TableSettings { from_height_m, to_height_m, radius_m, start_m, reach_m, .. } = self.settings;
        let capsule = Shape::Capsule { radius_m, length_m: (to_height_m - from_height_m).max(0.0) };
        let mut most = 0;
        let steps = ((reach_m - start_m) / SWEEP_STEP_M).ceil().max(0.0) as usize;
        for step in 0..=steps {
            let forward_m = start_m + step as f64 * SWEEP_STEP_M;
            let middle_m = Vector3::new(forward_m, left_m, (from_height_m + to_height_m) / 2.0);
            let held = self.points.iter().filter(|point| capsule.contains(&(**point - middle_m))).count();
            if held >= least {
                return Ok(forward_m + radius_m);
            }
            most = most.max(held);
        }
        Err(DerivedError::NoTable { side, reach_m, most, least })
    }

    /// The middle of the heights behind the line, where the top is and nothing hangs down.
    fn height_m(&self, line: &Line) -> f64 {
        let behind = |depth_m: f64| {
            let beyond = |point: &&Point3<f64>| (0.0..depth_m).contains(&(point.x - line.at(point.y)));
            let mut heights_m: Vec<f64> = self.points.iter().filter(beyond).map(|point| point.z).collect();
            heights_m.sort_by(f64::total_cmp);
            heights_m.get(heights_m.len() / 2).copied()
        };
        behind(0.3).unwrap_or_else(|| {
            let mut heights_m: Vec<f64> = self.points.iter().map(|point| point.z).collect();
            heights_m.sort_by(f64::total_cmp);
            heights_m.get(heights_m.len() / 2).copied().unwrap_or(self.settings.from_height_m)
        })
    }

    /// Where the pixel's ray meets the level of the top tells what it saw better than its depth does, which is noisy: in
    /// front of the edge, and it saw the front of the top, which is at the edge; behind it, and it saw the top. The line
    /// comes down on the edge from behind, as the mean of what is in front of it.
    fn edge(&self, behind: Line, height_m: f64, least: usize) -> Line {
        let seen: Vec<(f64, &Point3<f64>)> = self
            .points
            .iter()
            .filter(|point| (-THICKNESS_M..ABOVE_M).contains(&(point.z - height_m)))
            .map(|point| (self.level_forward_m(point, height_m), point))
            .collect();
        let mut line = behind;
        for _ in 0..40 {
            let before = seen
                .iter()
                .filter(|(level_m, point)| *level_m < line.at(point.y) && point.x < behind.at(point.y) + THICKNESS_M)
                .map(|(_, point)| (point.y, point.x));
            if before.clone().count() < least {
                break;
            }
            let Some(next) = Line::through(before) else { break };
            let moved_m = (next.offset - line.offset).abs() + (next.slope - line.slope).abs();
            line = next;
            if moved_m < 1e-4 {
                break;
            }
        }
        line
    }

    fn level_forward_m(&self, point: &Point3<f64>, height_m: f64) -> f64 {
        let ray = point - self.camera;
        let share = (height_m - self.camera.z) / ray.z;
        if ray.z < 0.0 && share > 0.0 { self.camera.x + share * ray.x } else { f64::NEG_INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::derived::testing::{Camera, TestTable, mirrored_cloud};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn the_edge_of_a_table_is_known_within_3_cm_and_3_degrees(table in TestTable::any(), seed: u64, fine: bool) {
            let cloud = Camera::at(&table.world_from_camera(), fine).look(&table.solids(), seed).cloud;
            let found = approach_table(&cloud, &table.world_from_walking, &TableSettings::default()).unwrap();
            let apart = table.world_from_edge().inverse() * found.world_from_edge;
            let (off_cm, turned_deg) = (apart.translation_m().x.abs() * 100.0, apart.rpy().yaw_rad.to_degrees().abs());
            prop_assert!(off_cm < 3.0 && turned_deg < 3.0, "{off_cm} cm, {turned_deg}° off");
            prop_assert!((found.height_m - table.height_m).abs() < 0.02, "{} m high", found.height_m);
            let ground = table.world_from_walking.inverse() * found.world_from_edge;
            prop_assert!(ground.translation_m().z.abs() < 1e-9 && ground.translation_m().y.abs() < 1e-9);
        }

        #[test]
        fn mirrored_tables_are_found_mirrored(table in TestTable::any(), seed: u64) {
            let cloud = Camera::at(&table.world_from_camera(), false).look(&table.solids(), seed).cloud;
            let settings = TableSettings::default();
            let found = approach_table(&cloud, &table.world_from_walking, &settings).unwrap();
            let mirrored =
                approach_table(&mirrored_cloud(&cloud), &table.world_from_walking.mirrored(), &settings).unwrap();
            let apart = mirrored.world_from_edge.distance(&found.world_from_edge.mirrored());
            prop_assert!(apart.position_m < 1e-3 && apart.angle_rad < 1e-3, "{apart:?}");
        }
    }

    #[test]
    fn no_table_is_told() {
        let empty = Cloud::new(0, Pose::identity(), 320, 240);
        let error = approach_table(&empty, &Pose::identity(), &TableSettings::default()).unwrap_err();
        assert_eq!(error, DerivedError::NoTable { side: "left", reach_m: 2.5, most: 0, least: 90 });
        let settings = TableSettings { radius_m: 0.0, ..TableSettings::default() };
        assert!(approach_table(&empty, &Pose::identity(), &settings).unwrap_err().to_string().contains("radius_m"));
    }
}
