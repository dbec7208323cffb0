//! Whether an order would drive the body into itself, known before anything moves.

use std::sync::Arc;

use geometry::Pose;

use crate::control::Controller;
use crate::interface::{Command, CommandId, HandPath, JointPath, Order, Queueing, RobotState};
use crate::{LinkContact, PartName, Robot, Side};

/// Two links that would be in each other on the way, or at its end; one that moves first.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnTouch {
    pub links: [String; 2],
    pub depth_m: f64,
}

/// Skin and shapes that are drawn too wide touch; deeper than this is a blow.
const DEEPEST_M: f64 = 0.01;
/// Links that are in each other already may go apart, and may tremble on the way.
const DEEPER_M: f64 = 0.005;
/// Between two configurations that are looked at, of the joint that goes furthest; rad or m.
const APART: f64 = 0.08;
/// A way is looked at in no more places than this, however long it is.
const MOST_LOOKS: usize = 200;

impl OwnTouch {
    /// Of orders to joints and hands, from where the robot is, among objects. None as well for what would be refused.
    pub fn of<'a>(
        robot: &Arc<Robot>,
        state: &RobotState,
        objects: impl Iterator<Item = (&'a str, &'a Pose)>,
        order: &Order,
    ) -> Option<OwnTouch> {
        let way = match order {
            Order::Joints(path) => along_joints(robot, state, path),
            Order::Hand(path) => along_hand(robot, state, objects, path),
            _ => return None,
        };
        let moved = moved_links(robot, &state.positions, &way);
        let model = robot.collision_model();
        let arms = Side::BOTH.map(|side| links_of_arm(robot, side));
        // Both arms may be on their way at once: where the other one is now says nothing about where it will be.
        let are_of_both = |[one, other]: [usize; 2]| arms[0][one] && arms[1][other] || arms[1][one] && arms[0][other];
        let is_judged =
            |links: [usize; 2]| links.iter().any(|link| moved[*link]) && !are_near(robot, links) && !are_of_both(links);
        let pairs = model.pairs_of(is_judged);
        let mut poses = robot.model.new_poses();
        robot.model.forward(&state.positions, &mut poses);
        let before = model.contacts(&poses, &pairs);
        for positions in &way {
            robot.model.forward(positions, &mut poses);
            let contacts = model.contacts(&poses, &pairs);
            if let Some(contact) = contacts.iter().find(|contact| is_blow(contact, &before)) {
                let [one, other] = contact.links.map(|link| robot.description.links[link].name.clone());
                let links = if moved[contact.links[0]] { [one, other] } else { [other, one] };
                return Some(OwnTouch { links, depth_m: contact.depth_m });
            }
        }
        None
    }
}

fn is_blow(contact: &LinkContact, before: &[LinkContact]) -> bool {
    let was_m = before.iter().find(|other| other.links == contact.links).map_or(0.0, |other| other.depth_m);
    contact.depth_m > DEEPEST_M && contact.depth_m > was_m + DEEPER_M
}

/// An elbow is often a link of its own: an arm that folds brings what is before and behind it together, as far as its
/// limits let it.
const NEAR_JOINTS: usize = 2;

/// Whether one hangs on the other by so few joints that these decide how near they come.
fn are_near(robot: &Robot, [one, other]: [usize; 2]) -> bool {
    let links = &robot.model.links;
    // A link has a higher index than what it hangs on.
    let (mut link, above) = (one.max(other), one.min(other));
    let mut joints = 0;
    while link > above {
        joints += usize::from(links[link].drive.is_some());
        match links[link].parent {
            Some(parent) => link = parent,
            None => return false,
        }
    }
    link == above && joints <= NEAR_JOINTS
}

fn links_of_arm(robot: &Robot, side: Side) -> Vec<bool> {
    let arm = robot.part(PartName::Arm(side));
    driven_links(robot, |coordinate| arm.is_some_and(|arm| arm.coordinates.contains(&coordinate)))
}

fn moved_links(robot: &Robot, start: &[f64], way: &[Vec<f64>]) -> Vec<bool> {
    driven_links(robot, |coordinate| way.iter().any(|positions| positions[coordinate] != start[coordinate]))
}

/// The links that joints move, and all that hang on them.
fn driven_links(robot: &Robot, moves: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut moved: Vec<bool> = Vec::new();
    for link in &robot.model.links {
        let driven = link.drive.is_some_and(|drive| moves(drive.coordinate));
        moved.push(driven || link.parent.is_some_and(|parent| moved[parent]));
    }
    moved
}

/// Evenly from waypoint to waypoint: splines differ from it by less than what is looked at.
fn along_joints(robot: &Robot, state: &RobotState, path: &JointPath) -> Vec<Vec<f64>> {
    let coordinates: Vec<Option<usize>> = path.joints.iter().map(|joint| robot.model.coordinate(joint)).collect();
    let mut way = Vec::new();
    let mut from = state.positions.clone();
    for waypoint in &path.waypoints {
        let mut to = from.clone();
        for (coordinate, position) in coordinates.iter().zip(&waypoint.positions) {
            if let Some(coordinate) = coordinate {
                to[*coordinate] = *position;
            }
        }
        if to.iter().any(|position| !position.is_finite()) {
            return Vec::new();
        }
        let parts = (furthest(&from, &to) / APART).ceil().clamp(1.0, MOST_LOOKS as f64) as usize;
        for part in 1..=parts {
            let share = part as f64 / parts as f64;
            way.push(from.iter().zip(&to).map(|(from, to)| from + (to - from) * share).collect());
        }
        from = to;
    }
    thinned(way)
}

/// As the controller will lead the arm while the frame of the path stands still.
fn along_hand<'a>(
    robot: &Arc<Robot>,
    state: &RobotState,
    objects: impl Iterator<Item = (&'a str, &'a Pose)>,
    path: &HandPath,
) -> Vec<Vec<f64>> {
    let mut controller = Controller::new(robot.clone(), &state.positions, &state.world_from_base);
    objects.for_each(|(name, world_from_object)| controller.place_frame(name, world_from_object));
    let order = Order::Hand(path.clone());
    let command = Command { id: CommandId(1), queueing: Queueing::Override, order };
    if controller.command(&command).is_err() {
        return Vec::new();
    }
    let mut way: Vec<Vec<f64>> = Vec::new();
    let (coordinates, knots) = controller.way_of_hand();
    for (index, knot) in knots.iter().enumerate() {
        let mut positions = state.positions.clone();
        for (coordinate, position) in coordinates.iter().zip(*knot) {
            positions[*coordinate] = *position;
        }
        let is_last = index + 1 == knots.len();
        if is_last || furthest(way.last().unwrap_or(&state.positions), &positions) > APART {
            way.push(positions);
        }
    }
    thinned(way)
}

fn furthest(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).fold(0.0, |furthest, (from, to)| furthest.max((to - from).abs()))
}

/// With its end.
fn thinned(mut way: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let every = way.len().div_ceil(MOST_LOOKS).max(1);
    let last = way.len().saturating_sub(1);
    let mut index = 0;
    way.retain(|_| {
        index += 1;
        (index - 1) % every == 0 || index - 1 == last
    });
    way
}
