//! Where an order takes the joints, moment by moment, as long as nothing hinders it.

use std::sync::Arc;

use geometry::Pose;

use crate::control::Controller;
use crate::interface::{Command, CommandId, HandPath, JointPath, Order, Queueing, RobotState};
use crate::{Robot, UnderWay};

#[derive(Clone, Debug, PartialEq)]
pub struct JointWay {
    pub(crate) coordinates: Vec<usize>,
    /// When, from its beginning, and where; the first is where it begins.
    knots: Vec<(f64, Vec<f64>)>,
}

impl JointWay {
    /// Of orders to joints and hands, from where the robot is, among objects, while other ways go on. None for other
    /// orders, and for what would be refused.
    pub fn of<'a>(
        robot: &Arc<Robot>,
        state: &RobotState,
        objects: impl Iterator<Item = (&'a str, &'a Pose)>,
        order: &Order,
        others: &[UnderWay<'_>],
    ) -> Option<JointWay> {
        match order {
            Order::Joints(path) => along_joints(robot, state, path),
            Order::Hand(path) => {
                let mut controller = Controller::new(robot.clone(), &state.positions, &state.world_from_base);
                objects.for_each(|(name, world_from_object)| controller.place_frame(name, world_from_object));
                along_hand(&mut controller, state, path, others)
            }
            _ => None,
        }
    }

    pub fn duration_s(&self) -> f64 {
        self.knots[self.knots.len() - 1].0
    }

    pub(crate) fn times_s(&self) -> impl Iterator<Item = f64> {
        self.knots.iter().map(|(time_s, _)| *time_s)
    }

    /// Whether a coordinate is anywhere but at its beginning.
    pub(crate) fn moves(&self, coordinate: usize) -> bool {
        let place = self.coordinates.iter().position(|at| *at == coordinate);
        place.is_some_and(|place| self.knots.iter().any(|(_, positions)| positions[place] != self.knots[0].1[place]))
    }

    /// Sets its coordinates: evenly from knot to knot, and at its end after it.
    pub(crate) fn at(&self, time_s: f64, positions: &mut [f64]) {
        let next = self.knots.partition_point(|(knot_s, _)| *knot_s <= time_s).min(self.knots.len() - 1);
        let ((from_s, from), (to_s, to)) = (&self.knots[next.saturating_sub(1)], &self.knots[next]);
        let share = if to_s > from_s { ((time_s - from_s) / (to_s - from_s)).clamp(0.0, 1.0) } else { 1.0 };
        for (coordinate, (from, to)) in self.coordinates.iter().zip(from.iter().zip(to)) {
            positions[*coordinate] = from + (to - from) * share;
        }
    }
}

/// Splines differ from the straight way by less than what is looked at.
fn along_joints(robot: &Robot, state: &RobotState, path: &JointPath) -> Option<JointWay> {
    let coordinates: Option<Vec<usize>> = path.joints.iter().map(|joint| robot.model.coordinate(joint)).collect();
    let coordinates = coordinates?;
    let start = coordinates.iter().map(|at| state.positions[*at]).collect();
    let mut knots = vec![(0.0, start)];
    for waypoint in &path.waypoints {
        let is_usable = waypoint.time_s.is_finite() && waypoint.positions.iter().all(|position| position.is_finite());
        if !is_usable || waypoint.positions.len() != coordinates.len() {
            return None;
        }
        knots.push((waypoint.time_s, waypoint.positions.clone()));
    }
    Some(JointWay { coordinates, knots })
}

/// From one moment to the next, of an arm whose shoulder is on its way, too.
const LED_EVERY_S: f64 = 0.03;
const MOST_LED: usize = 150;

/// As the controller will lead the arm: on the way it finds for the whole path, or pose by pose while the trunk moves
/// below it.
fn along_hand(
    controller: &mut Controller,
    state: &RobotState,
    path: &HandPath,
    others: &[UnderWay<'_>],
) -> Option<JointWay> {
    let command = Command { id: CommandId(1), queueing: Queueing::Override, order: Order::Hand(path.clone()) };
    controller.command(&command).ok()?;
    let (coordinates, found) = controller.way_of_hand();
    let stays = |other: &&UnderWay<'_>| !other.way.coordinates.iter().any(|at| coordinates.contains(at));
    let others: Vec<UnderWay<'_>> = others.iter().filter(stays).copied().collect();
    let start = coordinates.iter().map(|at| state.positions[*at]).collect();
    let mut knots = vec![(0.0, start)];
    let below = |other: &UnderWay<'_>| other.way.coordinates.iter().any(|at| controller.is_below_hand(*at));
    if others.iter().any(below) {
        let end_s = found.last()?.0;
        let parts = (end_s / LED_EVERY_S).ceil().clamp(1.0, MOST_LED as f64);
        for part in 1..=parts as usize {
            let time_s = end_s * part as f64 / parts;
            let mut positions = state.positions.clone();
            others.iter().for_each(|other| other.way.at(other.passed_s + time_s, &mut positions));
            knots.push((time_s, controller.lead_hand(time_s, &positions)?));
        }
    } else {
        knots.extend(found.iter().cloned());
    }
    Some(JointWay { coordinates, knots })
}
