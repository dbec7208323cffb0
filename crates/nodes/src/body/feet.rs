use std::sync::Arc;

use engine::{Body, Cannot, Context};
use robot::{PartName, Side};

use super::motion::joints_of;

const LEGS: [PartName; 2] = [PartName::Leg(Side::Left), PartName::Leg(Side::Right)];

/// Whatever moves one leg needs both: the other one carries.
pub fn legs_claimed() -> Vec<Arc<str>> {
    LEGS.map(|leg| leg.word().into()).to_vec()
}

/// Their joints.
pub fn both_legs(body: &Body) -> Result<Vec<Arc<str>>, Cannot> {
    joints_of(body, &LEGS)
}

pub fn sole_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left_sole",
        Side::Right => "right_sole",
    }
}

/// A step is under way, of a walk that this one takes over from: where the feet stand is known when it has ended.
pub fn is_stepping(context: &Context<'_>) -> bool {
    context.body().is_ok_and(|body| body.state().walking.swinging.is_some())
}
