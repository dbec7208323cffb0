use super::hand::Arms;
use super::lower::LowerBody;
use crate::interface::{ControlMode, Order};
use crate::{PartName, Robot, Side};

/// What a command has for itself while it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Claim {
    /// Coordinates, rising.
    pub joints: Vec<usize>,
    /// Hands that press: beside a motion of the arm, but not beside another press.
    pub presses: [bool; 2],
    /// Ends what it meets without moving anything anywhere.
    pub stops: bool,
}

impl Claim {
    /// Of an order that has passed the check.
    pub fn of(robot: &Robot, arms: &Arms, lower: Option<&LowerBody>, order: &Order) -> Claim {
        let named = |names: &[std::sync::Arc<str>]| -> Vec<usize> {
            names.iter().filter_map(|name| robot.model.coordinate(name)).collect()
        };
        let legs = || -> Vec<usize> {
            let both = |lower: &LowerBody| Side::BOTH.map(|side| lower.coordinates(side).to_vec()).concat();
            lower.map(both).unwrap_or_default()
        };
        let mut claim = Claim::default();
        claim.joints = match order {
            Order::Joints(path) => named(&path.joints),
            Order::Hand(path) => {
                arms.get(path.reach, path.side).map_or_else(Vec::new, |arm| arm.solver.chain().coordinates().to_vec())
            }
            Order::Footsteps { .. } | Order::Pelvis { .. } | Order::Foot { .. } => legs(),
            Order::Fingers { targets, .. } => {
                targets.iter().filter_map(|(name, _)| robot.model.coordinate(name)).collect()
            }
            Order::Gripper { side, .. } => {
                robot.part(PartName::Hand(*side)).map_or_else(Vec::new, |part| part.coordinates.clone())
            }
            Order::Wrench { side, .. } => {
                claim.presses[side.index()] = true;
                Vec::new()
            }
            Order::Stiffness { .. } => Vec::new(),
            Order::Stop { joints } => {
                claim.stops = true;
                let mut stopped = named(joints);
                if legs().iter().any(|leg| stopped.contains(leg)) {
                    stopped.extend(legs());
                }
                for side in Side::BOTH {
                    let arm = robot.part(PartName::Arm(side));
                    claim.presses[side.index()] =
                        arm.is_some_and(|arm| arm.coordinates.iter().any(|joint| stopped.contains(joint)));
                }
                stopped
            }
            Order::Mode { mode } => {
                claim.stops = *mode == ControlMode::Frozen;
                claim.presses = [true; 2];
                (0..robot.model.coordinates().len()).collect()
            }
        };
        claim.joints.sort_unstable();
        claim.joints.dedup();
        claim
    }

    pub fn meets(&self, other: &Claim) -> bool {
        self.joints.iter().any(|joint| other.joints.binary_search(joint).is_ok())
            || (0..2).any(|side| self.presses[side] && other.presses[side])
    }
}
