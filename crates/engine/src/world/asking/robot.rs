use expression::Query;
use model::Value;
use robot::{PartName, Robot, RoleJoint, Side};

use super::{no_part, side, text};
use crate::types::Cannot;

/// None: it is no question about the robot alone.
pub fn answer(robot: &Robot, query: Query, about: &[Value]) -> Result<Option<Value>, Cannot> {
    let (sizes, walking) = (robot.sizes(), &robot.walking);
    let of_part = |size: Option<f64>, part: PartName| size.ok_or_else(|| no_part(robot, part));
    let arm = PartName::Arm(Side::Right);
    let number = match query {
        Query::Has => return Ok(Some(Value::Bool(has(robot, text(about, 0)?)))),
        Query::Reach => {
            let side = side(about)?;
            of_part(sizes.reach_m[side.index()], PartName::Arm(side))?
        }
        Query::ShoulderHeight => of_part(sizes.shoulder_height_m, arm)?,
        Query::ShoulderWidth => of_part(sizes.shoulder_width_m, arm)?,
        Query::BodyWidth => sizes.body_width_m,
        Query::HeadHeight => sizes.head_height_m,
        Query::PelvisHeight => sizes.pelvis_height_m,
        Query::LegLength => of_part(sizes.leg_length_m, PartName::Leg(Side::Right))?,
        Query::FootLength => walking.foot_length_m,
        Query::FootWidth => walking.foot_width_m,
        Query::StepWidth => walking.stance_width_m,
        Query::StepLength => walking.max_forward_m,
        Query::StepUp => walking.max_step_up_m,
        Query::Mass => robot.model.mass_kg(),
        Query::HandLimit => {
            side(about)?;
            robot.hands.max_force_n
        }
        Query::EffortLimit => {
            let joint = joint(robot, about)?;
            robot.model.coordinates()[joint.coordinate].limits.effort
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::Number(number)))
}

type OfSide = fn(Side) -> PartName;

const ANY_SIDE: [(&str, OfSide); 3] = [("arm", PartName::Arm), ("hand", PartName::Hand), ("leg", PartName::Leg)];

/// Whatever it does not know the robot does not have: the names of grips and presets are its own.
fn has(robot: &Robot, what: &str) -> bool {
    let fingers = |side| robot.part(PartName::Hand(side)).map_or(0, |hand| hand.coordinates.len());
    if let Some((_, part)) = ANY_SIDE.iter().find(|(word, _)| *word == what) {
        return Side::BOTH.into_iter().any(|side| robot.part(part(side)).is_some());
    }
    match what {
        "fingers" => Side::BOTH.into_iter().any(|side| fingers(side) > 1),
        "gripper" => Side::BOTH.into_iter().any(|side| fingers(side) == 1),
        _ => {
            PartName::from_word(what).is_some_and(|part| robot.part(part).is_some())
                || bends(robot, what)
                || robot.grips.contains_key(what)
                || robot.presets.contains_key(what)
        }
    }
}

/// Spine and neck turn about one axis, two or three: `spine_pitch`.
fn bends(robot: &Robot, what: &str) -> bool {
    let Some((part, turn)) = what.split_once('_') else { return false };
    let trunk = [PartName::Spine, PartName::Neck].into_iter().find(|known| known.word() == part);
    trunk.is_some_and(|part| robot.role(part, turn).is_some())
}

/// By its role, of a side or of the trunk.
pub fn joint(robot: &Robot, about: &[Value]) -> Result<RoleJoint, Cannot> {
    let (of, role) = (text(about, 0)?, text(about, 1)?);
    let parts = match PartName::from_word(of) {
        Some(part @ (PartName::Spine | PartName::Neck)) => vec![part],
        _ => {
            let side = side(about)?;
            vec![PartName::Arm(side), PartName::Leg(side)]
        }
    };
    if !parts.iter().any(|part| robot.part(*part).is_some()) {
        return Err(no_part(robot, parts[0]));
    }
    let found = parts.iter().find_map(|part| robot.role(*part, role));
    found.ok_or_else(|| {
        let known = robot.roles().iter().filter(|joint| parts.contains(&joint.part)).map(|joint| joint.role).collect();
        Cannot::NoRole { robot: robot.name.clone(), of: of.to_owned(), role: role.to_owned(), known }
    })
}
