//! Cases for other robots: what is never chosen on this one need not be possible on it.

use ::robot::Robot;
use engine::RobotOnly;
use expression::{Expression, Names, Slot};
use model::{Value, When};

use crate::tree::Tree;

/// Of each node whether it lies in a case whose condition asks nothing but the robot, and does not hold.
pub fn never_chosen(tree: &Tree<'_>, robot: &Robot) -> Vec<bool> {
    let mut never = vec![false; tree.len() as usize];
    for at in tree.all() {
        if let Some(When::Condition(text)) = &tree.common(at).when
            && is_false(text, robot)
        {
            tree.span(at).for_each(|at| never[at as usize] = true);
        }
    }
    never
}

fn is_false(condition: &str, robot: &Robot) -> bool {
    let mut expression = Expression::new(condition);
    if expression.bind(&mut Unknown).is_err() {
        return false;
    }
    matches!(expression.of_the_robot(&RobotOnly(robot)), Some(Ok(Value::Bool(false))))
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
