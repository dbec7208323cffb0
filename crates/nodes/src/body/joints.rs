use std::sync::Arc;

use engine::Body;
use robot::interface::{JointPath, JointWaypoint, Order, Queueing};

use super::motion::Intent;

/// Coordinates of the model and where they go, rad or m.
pub type JointGoals = Vec<(usize, f64)>;

/// The joints of the first waypoint, through all of them; each with the time it is reached.
pub fn joint_path(body: &Body, waypoints: impl IntoIterator<Item = (f64, JointGoals)>) -> Order {
    let mut path = JointPath::default();
    for (time_s, goals) in waypoints {
        if path.joints.is_empty() {
            path.joints = goals.iter().map(|(at, _)| joint_name(body, *at)).collect();
        }
        let positions = goals.into_iter().map(|(_, position)| position).collect();
        path.waypoints.push(JointWaypoint { time_s, positions });
    }
    Order::Joints(path)
}

pub fn joint_name(body: &Body, coordinate: usize) -> Arc<str> {
    body.robot().model.coordinates()[coordinate].name.as_str().into()
}

/// Some joints to their positions in a time.
pub fn joint_plan(body: &Body, goals: &JointGoals, duration_s: f64, may_touch_body: bool) -> Intent {
    let joints = goals.iter().map(|(at, _)| joint_name(body, *at)).collect();
    let order = joint_path(body, [(duration_s, goals.clone())]);
    Intent { order, queueing: Queueing::Override, nominal_s: duration_s, joints, may_touch_body }
}
