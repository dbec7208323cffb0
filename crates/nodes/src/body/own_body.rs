//! Steps that would drive the body into itself fail before they move.

use engine::{Body, Cannot};
use robot::{JointWay, OwnTouch};

use super::motion::Intent;
use crate::why_not::WhyNot;

/// Where the plan takes joints, if it does; an error names the links that it would drive into each other.
pub fn spared(body: &Body, plan: &Intent) -> Result<Option<JointWay>, Cannot> {
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    let others = body.under_way();
    let Some(way) = JointWay::of(body.robot(), body.state(), objects, &plan.order, &others) else { return Ok(None) };
    if plan.may_touch_body {
        return Ok(Some(way));
    }
    match OwnTouch::of(body.robot(), &body.state().positions, &way, &others) {
        None => Ok(Some(way)),
        Some(OwnTouch { links, depth_m }) => Err(WhyNot::TouchesItself { links, depth_m }.into()),
    }
}

/// What it would drive into each other, if that is why it would not be begun.
pub fn touched(body: &Body, plan: &Intent) -> Option<OwnTouch> {
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    let others = body.under_way();
    let way = JointWay::of(body.robot(), body.state(), objects, &plan.order, &others)?;
    if plan.may_touch_body { None } else { OwnTouch::of(body.robot(), &body.state().positions, &way, &others) }
}
