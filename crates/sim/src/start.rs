//! Where a robot can begin in a world that nobody made for it.

use serde_json::{Value, json};

use crate::physics::{PhysicsError, PhysicsWorld};
use crate::world::World;

/// Distances from the origin, each in all directions: the nearest first.
const RINGS_M: [f64; 10] = [0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 3.0, 4.5, 6.0, 8.0];
const DIRECTIONS: u32 = 8;

type Opens<'a> = &'a dyn Fn(&World) -> Result<(), PhysicsError>;

/// The world begun elsewhere, and where; none: it opens as it is, or says itself where the robot starts. An error that
/// another start does not mend is told whole.
pub(crate) fn free(world: &World, opens: Opens) -> Result<Option<(World, String)>, PhysicsError> {
    let Some(mjcf) = world.mjcf_file() else { return Ok(None) };
    let says_start = world.json().get("robot").is_some_and(|robot| robot.get("at").or(robot.get("before")).is_some());
    let inside = match opens(world) {
        Ok(()) => return Ok(None),
        Err(PhysicsError::World { world, error }) => {
            let error = PhysicsWorld::message_on(&mjcf).unwrap_or(error);
            return Err(PhysicsError::World { world, error });
        }
        Err(inside @ PhysicsError::Inside { .. }) if !says_start => inside,
        Err(other) => return Err(other),
    };
    for (x_m, y_m, yaw_deg) in starts() {
        let with = json!({"robot": {"at": {"x_m": x_m, "y_m": y_m, "yaw_deg": yaw_deg}}});
        let Ok(moved) = begun(world, &with) else { continue };
        if opens(&moved).is_ok() {
            return Ok(Some((moved, format!("x {x_m} m, y {y_m} m, yaw {yaw_deg}°"))));
        }
    }
    Err(inside)
}

fn begun(world: &World, with: &Value) -> Result<World, crate::world::WorldError> {
    world.merged(world.file(), &[with])
}

/// Behind the origin first, and always facing it: what a file shows is there. (Zero is added to be rid of its sign.)
fn starts() -> impl Iterator<Item = (f64, f64, f64)> {
    RINGS_M.into_iter().flat_map(|ring_m| {
        (0..DIRECTIONS).map(move |index| {
            // To the left and to the right in turn, ever farther around.
            let side = if index % 2 == 1 { 1.0 } else { -1.0 };
            let around_deg = side * f64::from(index.div_ceil(2)) * 360.0 / f64::from(DIRECTIONS);
            let (sin, cos) = libm::sincos(around_deg.to_radians());
            let rounded = |at_m: f64| libm::round(at_m * 100.0) / 100.0 + 0.0;
            (rounded(-ring_m * cos), rounded(-ring_m * sin), around_deg + 0.0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_face_the_origin_and_go_outward() {
        let starts: Vec<_> = starts().collect();
        assert_eq!(starts.len(), 80);
        assert_eq!(starts[0], (-0.3, 0.0, 0.0));
        let mut nearer_m = 0.0;
        for (x_m, y_m, yaw_deg) in starts {
            let away_m = libm::hypot(x_m, y_m);
            assert!(away_m > nearer_m - 0.02, "outward");
            nearer_m = away_m;
            let (sin, cos) = libm::sincos(f64::to_radians(yaw_deg));
            assert!((x_m + away_m * cos).abs() < 0.02 && (y_m + away_m * sin).abs() < 0.02, "{x_m} {y_m} {yaw_deg}");
        }
    }
}
