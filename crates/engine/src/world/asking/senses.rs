use expression::Query;
use model::Value;
use robot::MovingKind;

use super::super::body::Body;
use super::robot::joint;
use super::side;
use crate::types::Cannot;

pub fn answer(body: &Body, query: Query, about: &[Value]) -> Result<Value, Cannot> {
    let (robot, state) = (body.robot(), body.state());
    let wrench = |side: ::robot::Side| &state.hand_wrenches[side.index()];
    let of = |values: &[f64], coordinate: usize| values.get(coordinate).copied().unwrap_or(f64::NAN);
    Ok(Value::Number(match query {
        Query::HandForce => wrench(side(about)?).force_n.norm(),
        Query::HandTorque => wrench(side(about)?).torque_nm.norm(),
        Query::FootLoad => state.feet[side(about)?.index()].load_n,
        Query::Effort => {
            let joint = joint(robot, about)?;
            joint.sign * of(&state.efforts, joint.coordinate)
        }
        _ => {
            let joint = joint(robot, about)?;
            let angle = joint.angle(of(&state.positions, joint.coordinate));
            match robot.model.coordinates()[joint.coordinate].kind {
                MovingKind::Prismatic => angle,
                MovingKind::Revolute | MovingKind::Continuous => angle.to_degrees(),
            }
        }
    }))
}
