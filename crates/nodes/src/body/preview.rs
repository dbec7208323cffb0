use engine::Body;
use robot::Preview;
use robot::interface::Order;

/// What an order would do from where the body is now.
pub fn of(_body: &Body, _order: &Order) -> Result<Preview, String> {
    Err("there is no preview yet".to_owned())
}
