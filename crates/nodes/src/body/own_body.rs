//! Steps that would drive the body into itself fail before they move.

use engine::Body;
use robot::OwnTouch;

use super::motion::Plan;

/// An error names the links.
pub fn spared(body: &Body, plan: &Plan) -> Result<(), String> {
    if plan.may_touch_body {
        return Ok(());
    }
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    match OwnTouch::of(body.robot(), body.state(), objects, &plan.order) {
        None => Ok(()),
        Some(OwnTouch { links: [one, other], depth_m }) => Err(format!(
            "it would drive {one} {:.1} cm into {other} of its own body: choose another pose or way, or set \
             `may_touch_body` if that is meant",
            depth_m * 100.0
        )),
    }
}
