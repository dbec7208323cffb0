use engine::Body;
use robot::Preview;
use robot::interface::Order;

/// What an order would do from where the body is now.
pub fn of(body: &Body, order: &Order) -> Result<Preview, String> {
    let objects = body.objects().iter().map(|(name, world_from_object)| (&**name, world_from_object));
    Preview::of(body.robot(), body.state(), objects, order)
}
