//! What lies between those who command, the controller and the servos, with what goes wrong there.

use std::collections::VecDeque;

use geometry::Pose;
use robot::control::{Controller, Desired};
use robot::interface::{Command, CommandStatus, Order, Phase, Refusal, Wrench};
use robot::{PartName, Robot, Side};

use super::fingers;
use crate::fault::{FaultKind, FaultPlan};
use crate::injection::Injection;

#[derive(Debug)]
pub(super) struct Line {
    /// What servos do instead of what they should.
    servos: Injection,
    /// What is read instead of what is.
    sensors: Injection,
    /// Of the plan: nothing of it costs time in a run without.
    is_sound: bool,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    /// Of each coordinate: as hard as a servo may pull, besides what it knows of gravity.
    limits: Vec<f64>,
    /// Of each coordinate of a hand, from its joint to the tip of the finger; 0 of others.
    levers_m: Vec<f64>,
    /// On their way; by rising time.
    delayed: VecDeque<(i64, Command)>,
    /// Commands to parts that do not answer but say that they run.
    swallowed: Vec<CommandStatus>,
    robot: std::sync::Arc<Robot>,
}

impl Line {
    pub fn new(plan: &FaultPlan, robot: &std::sync::Arc<Robot>, positions: &[f64]) -> Line {
        let is_reading = |kind: &FaultKind| matches!(kind, FaultKind::Noise { .. });
        let part = |reads: bool| {
            let faults = plan.faults.iter().filter(|fault| is_reading(&fault.kind) == reads).cloned().collect();
            Injection::new(&FaultPlan { seed: plan.seed, faults }, robot)
        };
        Line {
            servos: part(false),
            sensors: part(true),
            is_sound: plan.faults.is_empty(),
            positions: positions.to_vec(),
            velocities: vec![0.0; positions.len()],
            limits: vec![f64::INFINITY; positions.len()],
            levers_m: fingers::levers_m(robot),
            delayed: VecDeque::new(),
            swallowed: Vec::new(),
            robot: robot.clone(),
        }
    }

    /// Commands that are through by now.
    pub fn arrived(&mut self, time_ns: i64) -> Vec<Command> {
        let due = self.delayed.iter().take_while(|(arrives_ns, _)| *arrives_ns <= time_ns).count();
        self.delayed.drain(..due).map(|(_, command)| command).collect()
    }

    pub fn command(&mut self, controller: &mut Controller, command: &Command, time_ns: i64) -> Result<(), Refusal> {
        let delay_ns = (self.servos.delay_s(time_ns as f64 * 1e-9) * 1e9).round() as i64;
        if delay_ns == 0 && self.delayed.is_empty() {
            return self.take(controller, command, time_ns);
        }
        // None overtakes another.
        let last_ns = self.delayed.back().map_or(i64::MIN, |(arrives_ns, _)| *arrives_ns);
        self.delayed.push_back((time_ns.saturating_add(delay_ns).max(last_ns), command.clone()));
        Ok(())
    }

    pub fn take(&mut self, controller: &mut Controller, command: &Command, time_ns: i64) -> Result<(), Refusal> {
        match self.servos.swallows(&self.robot, &command.order, time_ns as f64 * 1e-9) {
            None => {
                let taken = controller.command(command);
                if taken.is_ok() {
                    self.limit_grip(&command.order);
                }
                taken
            }
            Some(says_running) => {
                if says_running {
                    let phase = Phase::Running { progress: 0.0 };
                    self.swallowed.push(CommandStatus { id: command.id, phase });
                }
                Ok(())
            }
        }
    }

    /// A gripper holds with a force at the tips of its fingers; fingers that are told where to go hold as hard as they can.
    fn limit_grip(&mut self, order: &Order) {
        let (side, force_n) = match order {
            Order::Gripper { side, force_limit_n, .. } => (*side, *force_limit_n),
            Order::Fingers { side, .. } => (*side, f64::INFINITY),
            _ => return,
        };
        let Some(hand) = self.robot.part(PartName::Hand(side)) else { return };
        for coordinate in &hand.coordinates {
            // As hard as it can, whatever the lever: infinity times nothing is no number.
            let limit = force_n * self.levers_m[*coordinate];
            self.limits[*coordinate] = if force_n.is_finite() { limit } else { f64::INFINITY };
        }
    }

    pub fn limits(&self) -> &[f64] {
        &self.limits
    }

    pub fn stop(&mut self) {
        self.delayed.clear();
        for status in &mut self.swallowed {
            status.phase = Phase::Ended { reason: "stopped".to_owned() };
        }
    }

    /// Where the servos go now, from where they went.
    pub fn bend(&mut self, time_s: f64, dt_s: f64, desired: &Desired) {
        if self.is_sound {
            return;
        }
        self.velocities.copy_from_slice(&self.positions);
        self.servos.move_joints(time_s, dt_s, &desired.positions, &mut self.positions);
        for (velocity, position) in self.velocities.iter_mut().zip(&self.positions) {
            *velocity = (position - *velocity) / dt_s;
        }
    }

    pub fn aim<'a>(&'a self, desired: &'a Desired) -> (&'a [f64], &'a [f64]) {
        if self.is_sound { (&desired.positions, &desired.velocities) } else { (&self.positions, &self.velocities) }
    }

    pub fn read(&mut self, time_s: f64, positions: &[f64]) -> Vec<f64> {
        let mut read = positions.to_vec();
        if !self.is_sound {
            self.sensors.move_joints(time_s, 0.0, positions, &mut read);
        }
        read
    }

    /// At the hand, along the axes of the world.
    pub fn hand_wrench(&self, side: Side, time_s: f64, world_from_hand: &Pose) -> Wrench {
        if self.is_sound {
            return Wrench::NONE;
        }
        let wrench = self.servos.hand_wrench(side, time_s);
        Wrench {
            force_n: world_from_hand.transform_vector(&wrench.force_n),
            torque_nm: world_from_hand.transform_vector(&wrench.torque_nm),
        }
    }

    pub fn state_is_lost(&self, time_s: f64) -> bool {
        self.servos.state_is_lost(time_s)
    }

    pub fn statuses(&self, controller: &Controller) -> Vec<CommandStatus> {
        let mut statuses = controller.statuses();
        if !self.swallowed.is_empty() {
            statuses.extend(self.swallowed.iter().cloned());
            statuses.sort_by_key(|status| status.id);
        }
        statuses
    }
}
