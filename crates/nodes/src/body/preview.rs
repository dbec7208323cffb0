use engine::{Body, Cannot};
use robot::interface::Order;
use robot::{OwnTouch, Preview};

use super::motion::Intent;
use super::own_body;
use crate::why_not::WhyNot;

/// What a plan would do from where the body is now, and whether it would be begun.
pub fn of_plan(body: &Body, plan: &Intent) -> Result<Preview, Cannot> {
    let touched = own_body::touched(body, plan).map(|OwnTouch { links, depth_m }| (links, depth_m));
    let (touches, refused) = match touched {
        Some((links, depth_m)) => (Some(links.clone()), Some(WhyNot::TouchesItself { links, depth_m }.to_string())),
        None => (None, None),
    };
    Ok(Preview { refused, touches, ..of(body, &plan.order)? })
}

/// What an order would do from where the body is now.
pub fn of(body: &Body, order: &Order) -> Result<Preview, Cannot> {
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    Preview::of(body.robot(), body.state(), objects, order).map_err(Cannot::told)
}

/// Nothing moves.
pub fn at_rest(body: &Body) -> Preview {
    let state = body.state();
    Preview { goal: state.positions.clone(), world_from_base: state.world_from_base, ..Preview::default() }
}
