//! Cases and steps for other robots: what never runs on this one need not be possible on it.

use ::robot::Robot;
use engine::RobotOnly;
use expression::{Expression, Names, Slot};
use model::{Common, Edge, Value, When};

use crate::tree::Tree;

/// Of each node whether it lies in a case that is never chosen on this robot, or in what is done before it starts,
/// because of a condition that asks nothing but the robot.
pub fn never_run(tree: &Tree<'_>, robot: &Robot) -> Vec<bool> {
    let mut never = vec![false; tree.len() as usize];
    for at in tree.all() {
        if is_left_out(tree.common(at), robot) {
            tree.span(at).for_each(|at| never[at as usize] = true);
        }
    }
    never
}

fn is_left_out(common: &Common, robot: &Robot) -> bool {
    let is_not_chosen = match &common.when {
        Some(When::Condition(text)) => of_robot(text, robot) == Some(false),
        Some(When::Outcome { .. }) | None => false,
    };
    let is_done = || {
        let guards = common.until.list();
        guards.iter().any(|guard| guard.edge == Edge::State && of_robot(&guard.condition, robot) == Some(true))
    };
    is_not_chosen || is_done()
}

/// What a condition that asks nothing but the robot gives on it.
fn of_robot(condition: &str, robot: &Robot) -> Option<bool> {
    let mut expression = Expression::new(condition);
    expression.bind(&mut Unknown).ok()?;
    match expression.of_the_robot(&RobotOnly(robot)) {
        Some(Ok(Value::Bool(holds))) => Some(holds),
        _ => None,
    }
}

/// Nothing that has a name is known.
struct Unknown;

impl Names for Unknown {
    fn variable(&mut self, _: &str) -> Option<Slot> {
        Some(Slot(0))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        None
    }
}
