//! Joints of the trunk by what they do: a neck may be called `neck_yaw` or `head_pan`, it turns about the vertical all
//! the same.

use std::sync::Arc;

use engine::{Body, Cannot};
use geometry::{Matrix3, UnitQuaternion, Vector3};
use robot::{BodyPoses, Motion, MovingKind, Part, PartName, Robot};

use super::joints::JointGoals;
use crate::body::goal::no_part;
use crate::why_not::WhyNot;

/// About z, y and x of the link the part hangs on, rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turns {
    pub yaw_rad: f64,
    pub pitch_rad: f64,
    pub roll_rad: f64,
}

const NAMES: [&str; 3] = ["roll", "pitch", "yaw"];
/// Less than people can write: a part that cannot turn so need not.
const NOTHING_RAD: f64 = 1e-6;

impl Turns {
    pub fn from_degrees([yaw_deg, pitch_deg, roll_deg]: [f64; 3]) -> Turns {
        let [yaw_rad, pitch_rad, roll_rad] = [yaw_deg, pitch_deg, roll_deg].map(f64::to_radians);
        Turns { yaw_rad, pitch_rad, roll_rad }
    }

    pub(super) fn is_still(&self, axis: usize) -> bool {
        self.about(axis).abs() <= NOTHING_RAD
    }

    pub(super) fn about(&self, axis: usize) -> f64 {
        [self.roll_rad, self.pitch_rad, self.yaw_rad][axis]
    }
}

/// A joint, the axis it turns about and which way.
pub(super) struct Hinge {
    pub coordinate: usize,
    /// 0: x, 1: y, 2: z.
    pub axis: usize,
    pub sign: f64,
}

fn part_of(robot: &Robot, name: PartName) -> Result<&Part, Cannot> {
    robot.part(name).ok_or_else(|| no_part(robot, name))
}

/// In the neutral configuration, seen from the link the part hangs on.
pub(super) fn hinges_of(robot: &Arc<Robot>, part: &Part) -> Vec<Hinge> {
    let neutral = BodyPoses::new(Arc::clone(robot));
    let axes = axes(&neutral, part);
    let hinge = |(coordinate, axis): (usize, Vector3<f64>)| {
        let main = axis.iamax();
        Hinge { coordinate, axis: main, sign: axis[main].signum() }
    };
    axes.into_iter().map(hinge).collect()
}

fn hinges(body: &Body, part: &Part) -> Vec<Hinge> {
    hinges_of(body.robot(), part)
}

/// The axis of each joint of a part that turns, in the link the part hangs on.
fn axes(poses: &BodyPoses, part: &Part) -> Vec<(usize, Vector3<f64>)> {
    let robot = poses.robot();
    let from_base = poses.base_from_link(part.base).inverse();
    let axis = |coordinate: &usize| {
        let joint = robot.description.joint(&robot.model.coordinates()[*coordinate].name)?;
        let joint = &robot.description.joints[joint];
        let Motion::Moving(moving) = &joint.motion else { return None };
        let turns = moving.kind != MovingKind::Prismatic;
        turns.then(|| (*coordinate, (from_base * poses.base_from_link(joint.child)).transform_vector(&moving.axis)))
    };
    part.coordinates.iter().filter_map(axis).collect()
}

/// Positions of the joints that turn a part so, by coordinate. Joints of the part that turn otherwise stay.
pub fn positions_for(body: &Body, name: PartName, turns: &Turns) -> Result<JointGoals, Cannot> {
    let part = part_of(body.robot(), name)?;
    let hinges = hinges(body, part);
    let mut positions = JointGoals::new();
    for (axis, word) in NAMES.iter().enumerate() {
        let wanted_rad = turns.about(axis);
        match hinges.iter().find(|hinge| hinge.axis == axis) {
            Some(hinge) => positions.push((hinge.coordinate, hinge.sign * wanted_rad)),
            None if turns.is_still(axis) => {}
            None => {
                return Err(WhyNot::NoTurn { robot: body.robot().name.clone(), part: name, turn: word }.into());
            }
        }
    }
    positions.sort_unstable_by_key(|(coordinate, _)| *coordinate);
    Ok(positions)
}

/// The other way: how a part is turned now.
pub fn turns_of(body: &Body, name: PartName) -> Result<Turns, Cannot> {
    let part = part_of(body.robot(), name)?;
    let hinges = hinges(body, part);
    let about = |axis: usize| {
        let hinge = hinges.iter().find(|hinge| hinge.axis == axis);
        hinge.map_or(0.0, |hinge| hinge.sign * body.state().positions[hinge.coordinate])
    };
    Ok(Turns { yaw_rad: about(2), pitch_rad: about(1), roll_rad: about(0) })
}

const ROUNDS: usize = 60;
const DAMPING: f64 = 1e-4;

/// Positions of the joints of a part that bring its tip to an orientation in the link it hangs on; and by how much that
/// is missed, rad.
pub fn positions_toward(
    body: &Body,
    name: PartName,
    base_from_tip: &UnitQuaternion<f64>,
) -> Result<(JointGoals, f64), Cannot> {
    let robot = body.robot();
    let part = part_of(robot, name)?;
    let mut poses = BodyPoses::new(robot.clone());
    let mut positions = body.state().positions.clone();
    let mut missed_rad = f64::INFINITY;
    for _ in 0..ROUNDS {
        poses.place(&positions, &body.state().world_from_base);
        let now = (poses.base_from_link(part.base).inverse() * poses.base_from_link(part.tip)).rotation();
        let error = turn_between(&now, base_from_tip);
        missed_rad = error.norm();
        let axes = axes(&poses, part);
        let spread = axes.iter().fold(Matrix3::identity() * DAMPING, |sum, (_, axis)| sum + axis * axis.transpose());
        let Some(inverse) = spread.try_inverse() else { break };
        let pull = inverse * error;
        for (coordinate, axis) in &axes {
            let limits = &robot.model.coordinates()[*coordinate].limits;
            let next = positions[*coordinate] + axis.dot(&pull);
            positions[*coordinate] = next.max(limits.lower).min(limits.upper);
        }
    }
    let found = part.coordinates.iter().map(|coordinate| (*coordinate, positions[*coordinate])).collect();
    Ok((found, missed_rad))
}

/// Axis times angle, the shorter way round, in the outer frame.
fn turn_between(from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> Vector3<f64> {
    let turn = to * from.inverse();
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    let axis = Vector3::new(turn.i, turn.j, turn.k) * sign;
    let length = axis.norm();
    if length < 1e-12 { axis * 2.0 } else { axis * (2.0 * libm::atan2(length, turn.w * sign) / length) }
}
