use engine::{Body, Cannot};
use robot::interface::{HandPath, JointPath, JointWaypoint, Reach};
use robot::{Chain, IkSettings, IkSolver, PartName, Side};

use crate::body::frame::Goal;
use crate::body::goal::no_part;
use crate::body::joints::joint_name;
use crate::why_not::WhyNot;

/// What moves for a hand to get somewhere, the part nearest to the trunk last.
pub fn moved_by(side: Side, reach: Reach) -> Vec<PartName> {
    match reach {
        Reach::Arm => vec![PartName::Arm(side)],
        Reach::ArmAndSpine => vec![PartName::Arm(side), PartName::Spine],
    }
}

/// Good enough to grasp by, and still found near the end of the reach.
const SOLVED: IkSettings = IkSettings { position_tolerance_m: 1e-3, angle_tolerance_rad: 0.01, restarts: 50, seed: 1 };

/// The joints that bring the hand to each waypoint of a path, as the body stands now. An error says how far the
/// nearest is off.
pub fn solve_path(body: &Body, path: &HandPath) -> Result<JointPath, Cannot> {
    let robot = body.robot();
    let parts = moved_by(path.side, path.reach);
    let base = parts.last().and_then(|part| robot.part(*part)).map(|part| part.base);
    let base = base.ok_or_else(|| no_part(robot, parts[parts.len() - 1]))?;
    let hand = robot.frames.hands[path.side.index()];
    let chain = Chain::new(&robot.model, base, hand).map_err(WhyNot::from)?;
    let mut solver = IkSolver::new(chain, SOLVED);
    let base_from_world = body.poses().world_from_link(base).inverse();
    let mut positions = solver.chain().pick(&body.state().positions);
    let joints = solver.chain().coordinates().iter().map(|at| joint_name(body, *at)).collect();
    let mut waypoints = Vec::with_capacity(path.waypoints.len());
    for waypoint in &path.waypoints {
        let goal = Goal { frame: path.frame.clone(), frame_from_thing: waypoint.frame_from_hand };
        let result = solver.solve(&(base_from_world * goal.world_from_thing(body)?), &mut positions);
        if !result.is_solved() {
            let (off_m, off_deg) = (result.position_error_m, result.angle_error_rad.to_degrees());
            return Err(WhyNot::OutOfReach { side: path.side, off_m, off_deg }.into());
        }
        waypoints.push(JointWaypoint { time_s: waypoint.time_s, positions: positions.clone() });
    }
    Ok(JointPath { joints, waypoints })
}
