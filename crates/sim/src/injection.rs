//! A fault plan at work: what the joints do instead of what they should, and what the robot knows of it.

use geometry::Vector3;
use model::Random;
use robot::interface::{Fault, Order, Wrench};
use robot::{PartName, Robot, Side};

use crate::fault::{FaultKind, FaultPlan, PlannedFault};

/// A joint this far from where it should be, for this long, is noticed.
const NOTICED_RAD: f64 = 0.05;
const NOTICED_AFTER_S: f64 = 0.5;

#[derive(Clone, Debug)]
pub(crate) struct Injection {
    faults: Vec<Placed>,
    random: Random,
    /// Of each coordinate: for how long it has been away.
    away_s: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Placed {
    fault: PlannedFault,
    coordinates: Vec<usize>,
    part: Option<PartName>,
}

impl Injection {
    pub fn new(plan: &FaultPlan, robot: &Robot) -> Injection {
        let placed = |fault: &PlannedFault| Placed {
            coordinates: fault.kind.joints().iter().filter_map(|joint| robot.model.coordinate(joint)).collect(),
            part: match &fault.kind {
                FaultKind::PartSilent { part, .. } => PartName::from_word(part),
                _ => None,
            },
            fault: fault.clone(),
        };
        Injection {
            faults: plan.faults.iter().map(placed).collect(),
            random: Random::new(plan.seed),
            away_s: vec![0.0; robot.model.coordinates().len()],
        }
    }

    fn on(&self, time_s: f64) -> impl Iterator<Item = &Placed> {
        self.faults.iter().filter(move |placed| placed.fault.is_on(time_s))
    }

    /// From the positions before and those desired to those it comes to.
    pub fn move_joints(&mut self, time_s: f64, dt_s: f64, desired: &[f64], actual: &mut [f64]) {
        if self.faults.is_empty() {
            actual.copy_from_slice(desired);
            return;
        }
        let before = actual.to_vec();
        actual.copy_from_slice(desired);
        let mut random = self.random.clone();
        for placed in self.on(time_s) {
            for &coordinate in &placed.coordinates {
                match &placed.fault.kind {
                    FaultKind::JointStuck { .. } => actual[coordinate] = before[coordinate],
                    FaultKind::TrackingError { offset_rad, lag_s, .. } => {
                        let share = dt_s / (lag_s + dt_s);
                        let towards = desired[coordinate] + offset_rad;
                        actual[coordinate] = before[coordinate] + share * (towards - before[coordinate]);
                    }
                    FaultKind::Noise { amplitude_rad, .. } => {
                        actual[coordinate] += amplitude_rad * random.between(-1.0, 1.0);
                    }
                    _ => {}
                }
            }
        }
        self.random = random;
        for ((away_s, desired), actual) in self.away_s.iter_mut().zip(desired).zip(actual) {
            *away_s = if (desired - *actual).abs() > NOTICED_RAD { *away_s + dt_s } else { 0.0 };
        }
    }

    pub fn noticed(&self, robot: &Robot, desired: &[f64], actual: &[f64]) -> Vec<Fault> {
        let away = self.away_s.iter().enumerate().filter(|(_, away_s)| **away_s > NOTICED_AFTER_S);
        away.map(|(coordinate, _)| Fault {
            place: robot.model.coordinates()[coordinate].name.clone(),
            text: format!("{:.1}° from where it should be", (actual[coordinate] - desired[coordinate]).to_degrees()),
        })
        .collect()
    }

    pub fn delay_s(&self, time_s: f64) -> f64 {
        let delay_s = |placed: &Placed| match placed.fault.kind {
            FaultKind::CommandDelay { delay_s } => delay_s,
            _ => 0.0,
        };
        self.on(time_s).map(delay_s).fold(0.0, f64::max)
    }

    pub fn state_is_lost(&self, time_s: f64) -> bool {
        self.on(time_s).any(|placed| placed.fault.kind == FaultKind::StateLost)
    }

    pub fn hand_wrench(&self, side: Side, time_s: f64) -> Wrench {
        let mut sum = Wrench::NONE;
        for placed in self.on(time_s) {
            if let FaultKind::HandForce { side: at, force_n, torque_nm } = &placed.fault.kind
                && *at == side
            {
                sum.force_n += Vector3::from(*force_n);
                sum.torque_nm += Vector3::from(*torque_nm);
            }
        }
        sum
    }

    /// A command to a part that does not answer is lost: whether the part says that it runs.
    pub fn swallows(&self, robot: &Robot, order: &Order, time_s: f64) -> Option<bool> {
        self.on(time_s).find_map(|placed| match (&placed.fault.kind, placed.part) {
            (FaultKind::PartSilent { says_running, .. }, Some(part)) if concerns(robot, order, part) => {
                Some(*says_running)
            }
            _ => None,
        })
    }
}

fn concerns(robot: &Robot, order: &Order, part: PartName) -> bool {
    let names_one = |joints: &[std::sync::Arc<str>]| {
        let coordinates = robot.part(part).map_or(&[][..], |part| &part.coordinates);
        joints.iter().filter_map(|joint| robot.model.coordinate(joint)).any(|joint| coordinates.contains(&joint))
    };
    match order {
        Order::Joints(path) => names_one(&path.joints),
        Order::Stiffness { joints, .. } | Order::Stop { joints } => names_one(joints),
        Order::Hand(path) => part == PartName::Arm(path.side),
        Order::Wrench { side, .. } => part == PartName::Arm(*side),
        Order::Fingers { side, .. } | Order::Gripper { side, .. } => part == PartName::Hand(*side),
        Order::Footsteps { .. } | Order::Pelvis { .. } | Order::Foot { .. } => matches!(part, PartName::Leg(_)),
        Order::Mode { .. } => false,
    }
}
