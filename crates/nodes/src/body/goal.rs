//! How near is near enough, and how far it was in words.

use std::fmt;

use engine::{Body, Cannot, Mirror};
use geometry::Pose;
use robot::{BodyFrame, PartName, Robot, Side};
use thiserror::Error;

use crate::body::frame::Goal;
use crate::body::setting::degrees;
use crate::why_not::WhyNot;

pub fn no_part(robot: &Robot, part: PartName) -> Cannot {
    Cannot::NoPart { robot: robot.name.clone(), part }
}

/// The positions of a part's joints, in their order.
pub fn positions_of(body: &Body, part: PartName) -> Result<Vec<f64>, Cannot> {
    let robot = body.robot();
    let part = robot.part(part).ok_or_else(|| no_part(robot, part))?;
    Ok(part.coordinates.iter().map(|index| body.state().positions[*index]).collect())
}

/// What the joints of a part are told to be, by coordinate; an error says how many numbers there should be.
pub fn goals_deg(
    body: &Body,
    part: PartName,
    field: &'static str,
    angles_deg: &[f64],
) -> Result<Vec<(usize, f64)>, Cannot> {
    let robot = body.robot();
    let joints = &robot.part(part).ok_or_else(|| no_part(robot, part))?.coordinates;
    if angles_deg.len() != joints.len() {
        let (given, wanted) = (angles_deg.len(), joints.len());
        return Err(WhyNot::Count { field, given, part, robot: robot.name.clone(), wanted }.into());
    }
    Ok(joints.iter().zip(angles_deg).map(|(joint, angle_deg)| (*joint, angle_deg.to_radians())).collect())
}

/// Angles of a part, as the part on the other side takes them; none stay none.
pub fn mirror_angles(angles_deg: &mut Vec<f64>, part: PartName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
    let joints = mirror.robot.part(part).map_or(0, |part| part.coordinates.len());
    if angles_deg.is_empty() {
        return Ok(());
    }
    if angles_deg.len() != joints {
        return Err(WhyNot::MirroredCount { given: angles_deg.len(), joints, part }.into());
    }
    *angles_deg = mirror.positions(part, angles_deg)?.into_iter().map(|angle| angle + 0.0).collect();
    Ok(())
}

/// The angles of a part now.
pub fn angles_now_deg(body: &Body, part: PartName) -> Result<Vec<f64>, Cannot> {
    Ok(positions_of(body, part)?.into_iter().map(degrees).collect())
}

/// The sum of the errors of all joints.
pub fn joints_reached(body: &Body, joints: &[(usize, f64)], tolerance_rad: f64) -> Result<(), Cannot> {
    let error_rad: f64 = joints.iter().map(|(index, goal)| (body.state().positions[*index] - goal).abs()).sum();
    if error_rad <= tolerance_rad {
        return Ok(());
    }
    Err(WhyNot::JointsMissed { off_deg: error_rad.to_degrees(), allowed_deg: tolerance_rad.to_degrees() }.into())
}

/// Each joint by itself; the error names the one that is furthest off.
pub fn joints_within(body: &Body, joints: &[(usize, f64)], tolerance_deg: f64) -> Result<(), Cannot> {
    let off_deg = |(at, goal): &(usize, f64)| (*at, (body.state().positions[*at] - goal).abs().to_degrees());
    let worst = joints.iter().map(off_deg).reduce(|worst, each| if each.1 > worst.1 { each } else { worst });
    let Some((at, off_deg)) = worst.filter(|(_, off_deg)| *off_deg > tolerance_deg) else { return Ok(()) };
    let joint = body.robot().model.coordinates()[at].name.clone();
    Err(WhyNot::JointMissed { joint, off_deg, allowed_deg: tolerance_deg }.into())
}

#[derive(Clone, Copy, Debug)]
pub struct PoseTolerance {
    pub position_m: f64,
    pub angle_deg: f64,
}

/// By how much something is not where it should be.
#[derive(Clone, Copy, Debug, Error)]
#[error(
    "{what} ended {off_m:.3} m and {off_deg:.1}° from its goal; {} m and {}° are allowed",
    allowed.position_m, allowed.angle_deg
)]
pub struct PoseMiss {
    pub what: Judged,
    pub off_m: f64,
    pub off_deg: f64,
    pub allowed: PoseTolerance,
}

#[derive(Clone, Copy, Debug)]
pub enum Judged {
    Hand(Side),
    Foot(Side),
    Pelvis,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judged::Hand(side) => write!(f, "the {} hand", side.word()),
            Judged::Foot(side) => write!(f, "the {} foot", side.word()),
            Judged::Pelvis => f.write_str("the pelvis"),
        }
    }
}

impl From<PoseMiss> for Cannot {
    fn from(miss: PoseMiss) -> Cannot {
        WhyNot::Missed { misses: vec![miss] }.into()
    }
}

pub fn pose_reached(what: Judged, now: &Pose, goal: &Pose, tolerance: PoseTolerance) -> Result<(), PoseMiss> {
    let error = now.distance(goal);
    let angle_deg = error.angle_rad.to_degrees();
    if error.position_m <= tolerance.position_m && angle_deg <= tolerance.angle_deg {
        return Ok(());
    }
    Err(PoseMiss { what, off_m: error.position_m, off_deg: angle_deg, allowed: tolerance })
}

pub fn hand_reached(body: &Body, side: Side, goal: &Goal, tolerance: PoseTolerance) -> Result<(), Cannot> {
    let now = body.poses().world_from(BodyFrame::Hand(side));
    Ok(pose_reached(Judged::Hand(side), &now, &goal.world_from_thing(body)?, tolerance)?)
}

pub fn hand_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left_hand",
        Side::Right => "right_hand",
    }
}
