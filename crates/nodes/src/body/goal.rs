//! How near is near enough, and how far it was in words.

use engine::Body;
use geometry::Pose;
use robot::{PartName, Side};

/// The positions of a part's joints, in their order.
pub fn positions_of(body: &Body, part: PartName) -> Result<Vec<f64>, String> {
    let robot = body.robot();
    let part = robot.part(part).ok_or_else(|| format!("robot `{}` has no {part}", robot.name))?;
    Ok(part.coordinates.iter().map(|index| body.state().positions[*index]).collect())
}

/// The sum of the errors of all joints.
pub fn joints_reached(body: &Body, joints: &[(usize, f64)], tolerance_rad: f64) -> Result<(), String> {
    let error_rad: f64 = joints.iter().map(|(index, goal)| (body.state().positions[*index] - goal).abs()).sum();
    if error_rad <= tolerance_rad {
        return Ok(());
    }
    let (error_deg, tolerance_deg) = (error_rad.to_degrees(), tolerance_rad.to_degrees());
    Err(format!("its joints ended {error_deg:.1}° from the goal, all errors added up; {tolerance_deg:.1}° are allowed"))
}

#[derive(Clone, Copy, Debug)]
pub struct PoseTolerance {
    pub position_m: f64,
    pub angle_deg: f64,
}

/// What is judged, for the sentence: "the right hand".
pub fn pose_reached(what: &str, now: &Pose, goal: &Pose, tolerance: PoseTolerance) -> Result<(), String> {
    let error = now.distance(goal);
    let angle_deg = error.angle_rad.to_degrees();
    if error.position_m <= tolerance.position_m && angle_deg <= tolerance.angle_deg {
        return Ok(());
    }
    let PoseTolerance { position_m, angle_deg: allowed_deg } = tolerance;
    Err(format!(
        "{what} ended {:.3} m and {angle_deg:.1}° from its goal; {position_m} m and {allowed_deg}° are allowed",
        error.position_m
    ))
}

pub fn hand_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left_hand",
        Side::Right => "right_hand",
    }
}
