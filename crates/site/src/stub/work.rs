//! A command that a stub is at.

use robot::interface::{Capability, CommandId, Order, Phase, Reach};
use robot::{PartName, Robot, Side};

use super::file::{Change, Ends, OrderKind};

pub(super) struct Work {
    pub id: CommandId,
    /// The coordinates that it has for itself.
    pub joints: Vec<usize>,
    pub phase: Phase,
    pub ends: Ends,
    pub then: Change,
    pub takes_s: f64,
    /// Where joints are when it is done.
    pub goal: Vec<(usize, f64)>,
    unheard_s: f64,
    passed_s: f64,
}

impl Work {
    pub fn new(id: CommandId, joints: Vec<usize>, heard_after_s: f64) -> Work {
        Work {
            id,
            joints,
            phase: Phase::Queued,
            ends: Ends::Done,
            then: Change::default(),
            takes_s: 0.0,
            goal: Vec::new(),
            unheard_s: heard_after_s,
            passed_s: 0.0,
        }
    }

    pub fn has_ended(&self) -> bool {
        !matches!(self.phase, Phase::Queued | Phase::Running { .. })
    }

    pub fn is_heard(&self) -> bool {
        self.unheard_s <= 0.0
    }

    pub fn meets(&self, joints: &[usize]) -> bool {
        self.joints.iter().any(|joint| joints.contains(joint))
    }

    pub fn hear(&mut self, passed_s: f64) {
        self.unheard_s -= passed_s;
    }

    /// Its joints go straight to where it ends.
    pub fn pass(&mut self, passed_s: f64, positions: &mut [f64]) {
        if self.ends == Ends::Lost {
            return;
        }
        let left_s = self.takes_s - self.passed_s;
        self.passed_s += passed_s;
        let share = if left_s > passed_s { passed_s / left_s } else { 1.0 };
        if self.ends != Ends::Never {
            for (coordinate, goal) in &self.goal {
                positions[*coordinate] += (goal - positions[*coordinate]) * share;
            }
        }
        let is_over = self.passed_s + 1e-9 >= self.takes_s;
        self.phase = match &self.ends {
            Ends::Done if is_over => Phase::Done,
            Ends::Failed(reason) if is_over => Phase::Failed { reason: reason.clone() },
            Ends::Never | Ends::Lost | Ends::Done | Ends::Failed(_) | Ends::Refused(_) => {
                Phase::Running { progress: (self.passed_s / self.takes_s.max(f64::MIN_POSITIVE)).min(1.0) }
            }
        };
    }
}

/// None: a stub does it without being told how.
pub(super) fn kind(order: &Order) -> Option<OrderKind> {
    Some(match order {
        Order::Joints(_) => OrderKind::Joints,
        Order::Hand(_) => OrderKind::Hand,
        Order::Footsteps { .. } => OrderKind::Footsteps,
        Order::Fingers { .. } => OrderKind::Fingers,
        Order::Gripper { .. } => OrderKind::Gripper,
        Order::Pelvis { .. } => OrderKind::Pelvis,
        Order::Foot { .. } => OrderKind::Foot,
        Order::Wrench { .. } => OrderKind::Wrench,
        Order::Stiffness { .. } => OrderKind::Stiffness,
        Order::Stop { .. } | Order::Mode { .. } => return None,
    })
}

impl OrderKind {
    /// What a robot must be able to do for it.
    pub fn needs(self) -> Option<Capability> {
        Some(match self {
            OrderKind::Any => return None,
            OrderKind::Joints => Capability::JointPath,
            OrderKind::Hand => Capability::HandPath,
            OrderKind::Footsteps => Capability::Footsteps,
            OrderKind::Fingers => Capability::Fingers,
            OrderKind::Gripper => Capability::Gripper,
            OrderKind::Pelvis => Capability::Pelvis,
            OrderKind::Foot => Capability::Foot,
            OrderKind::Wrench => Capability::Wrench,
            OrderKind::Stiffness => Capability::Stiffness,
        })
    }

    pub fn word(self) -> &'static str {
        match self {
            OrderKind::Any => "any",
            OrderKind::Joints => "joints",
            OrderKind::Hand => "hand",
            OrderKind::Footsteps => "footsteps",
            OrderKind::Fingers => "fingers",
            OrderKind::Gripper => "gripper",
            OrderKind::Pelvis => "pelvis",
            OrderKind::Foot => "foot",
            OrderKind::Wrench => "wrench",
            OrderKind::Stiffness => "stiffness",
        }
    }
}

/// The coordinates that a command has for itself.
pub(super) fn moved(robot: &Robot, order: &Order) -> Vec<usize> {
    let parts = |names: &[PartName]| -> Vec<usize> {
        names.iter().filter_map(|name| robot.part(*name)).flat_map(|part| part.coordinates.clone()).collect()
    };
    let legs = [PartName::Leg(Side::Left), PartName::Leg(Side::Right)];
    match order {
        Order::Joints(path) => path.joints.iter().filter_map(|joint| robot.model.coordinate(joint)).collect(),
        Order::Stop { joints } => joints.iter().filter_map(|joint| robot.model.coordinate(joint)).collect(),
        Order::Hand(path) if path.reach == Reach::ArmAndSpine => parts(&[PartName::Arm(path.side), PartName::Spine]),
        Order::Hand(path) => parts(&[PartName::Arm(path.side)]),
        Order::Footsteps { .. } | Order::Pelvis { .. } | Order::Foot { .. } => parts(&legs),
        Order::Fingers { side, .. } | Order::Gripper { side, .. } => parts(&[PartName::Hand(*side)]),
        Order::Wrench { .. } | Order::Stiffness { .. } | Order::Mode { .. } => Vec::new(),
    }
}

/// Where a command says that joints are to be in the end. Of others only the file knows.
pub(super) fn goal(robot: &Robot, order: &Order) -> Vec<(usize, f64)> {
    let at = |(joint, position): (&std::sync::Arc<str>, f64)| Some((robot.model.coordinate(joint)?, position));
    match order {
        Order::Joints(path) => {
            let last = path.waypoints.last().map(|last| last.positions.clone()).unwrap_or_default();
            path.joints.iter().zip(last).filter_map(at).collect()
        }
        Order::Fingers { targets, .. } => targets.iter().map(|(joint, at)| (joint, *at)).filter_map(at).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn own_duration_s(order: &Order) -> f64 {
    match order {
        Order::Joints(path) => path.waypoints.last().map_or(0.0, |last| last.time_s),
        Order::Hand(path) => path.waypoints.last().map_or(0.0, |last| last.time_s),
        Order::Footsteps { steps } => steps.iter().map(|step| step.swing_s + step.transfer_s).sum(),
        Order::Pelvis { duration_s, .. } | Order::Foot { duration_s, .. } | Order::Wrench { duration_s, .. } => {
            *duration_s
        }
        Order::Fingers { .. }
        | Order::Gripper { .. }
        | Order::Stiffness { .. }
        | Order::Stop { .. }
        | Order::Mode { .. } => 0.0,
    }
}
