//! How near is near enough, and how far it was in words.

use engine::{Body, Mirror};
use geometry::Pose;
use robot::{BodyFrame, PartName, Side};

use crate::body::frame::Goal;
use crate::body::setting::degrees;

/// The positions of a part's joints, in their order.
pub fn positions_of(body: &Body, part: PartName) -> Result<Vec<f64>, String> {
    let robot = body.robot();
    let part = robot.part(part).ok_or_else(|| format!("robot `{}` has no {part}", robot.name))?;
    Ok(part.coordinates.iter().map(|index| body.state().positions[*index]).collect())
}

/// What the joints of a part are told to be, by coordinate; an error says how many numbers there should be.
pub fn goals_deg(body: &Body, part: PartName, angles_deg: &[f64]) -> Result<Vec<(usize, f64)>, String> {
    let robot = body.robot();
    let joints = &robot.part(part).ok_or_else(|| format!("robot `{}` has no {part}", robot.name))?.coordinates;
    if angles_deg.len() != joints.len() {
        let (given, wanted) = (angles_deg.len(), joints.len());
        return Err(format!(
            "`angles_deg` has {given} numbers, but the {part} of robot `{}` has {wanted} joints",
            robot.name
        ));
    }
    Ok(joints.iter().zip(angles_deg).map(|(joint, angle_deg)| (*joint, angle_deg.to_radians())).collect())
}

/// Angles of a part, as the part on the other side takes them; none stay none.
pub fn mirror_angles(angles_deg: &mut Vec<f64>, part: PartName, mirror: &Mirror<'_>) -> Result<(), String> {
    let joints = mirror.robot.part(part).map_or(0, |part| part.coordinates.len());
    if angles_deg.is_empty() {
        return Ok(());
    }
    if angles_deg.len() != joints {
        return Err(format!("there are {} angles for the {joints} joints of the {part}", angles_deg.len()));
    }
    *angles_deg = mirror.positions(part, angles_deg)?.into_iter().map(|angle| angle + 0.0).collect();
    Ok(())
}

/// The angles of a part now.
pub fn angles_now_deg(body: &Body, part: PartName) -> Result<Vec<f64>, String> {
    Ok(positions_of(body, part)?.into_iter().map(degrees).collect())
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

/// Each joint by itself; the error names the one that is furthest off.
pub fn joints_within(body: &Body, joints: &[(usize, f64)], tolerance_deg: f64) -> Result<(), String> {
    let off_deg = |(at, goal): &(usize, f64)| (*at, (body.state().positions[*at] - goal).abs().to_degrees());
    let worst = joints.iter().map(off_deg).reduce(|worst, each| if each.1 > worst.1 { each } else { worst });
    let Some((at, off_deg)) = worst.filter(|(_, off_deg)| *off_deg > tolerance_deg) else { return Ok(()) };
    let joint = &body.robot().model.coordinates()[at].name;
    Err(format!("joint `{joint}` ended {off_deg:.1}° from the goal; {tolerance_deg}° are allowed"))
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

pub fn hand_reached(body: &Body, side: Side, goal: &Goal, tolerance: PoseTolerance) -> Result<(), String> {
    let now = body.poses().world_from(BodyFrame::Hand(side));
    pose_reached(&format!("the {} hand", side.word()), &now, &goal.world_from_thing(body)?, tolerance)
}

pub fn hand_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left_hand",
        Side::Right => "right_hand",
    }
}
