//! Steps that would drive the body into itself fail before they move.

use engine::Body;
use robot::{JointWay, OwnTouch};

use super::motion::Intent;

/// Where the plan takes joints, if it does; an error names the links that it would drive into each other.
pub fn spared(body: &Body, plan: &Intent) -> Result<Option<JointWay>, String> {
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    let others = body.under_way();
    let Some(way) = JointWay::of(body.robot(), body.state(), objects, &plan.order, &others) else { return Ok(None) };
    if plan.may_touch_body {
        return Ok(Some(way));
    }
    match OwnTouch::of(body.robot(), &body.state().positions, &way, &others) {
        None => Ok(Some(way)),
        Some(OwnTouch { links: [one, other], depth_m }) => Err(format!(
            "it would drive {one} {:.1} cm into {other} of its own body: choose another pose or way, or set \
             `may_touch_body` if that is meant",
            depth_m * 100.0
        )),
    }
}
