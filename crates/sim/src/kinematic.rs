use std::collections::VecDeque;
use std::sync::Arc;

use geometry::{Pose, Vector3};
use robot::control::Controller;
use robot::interface::{Capabilities, Command, CommandStatus, FootState, Phase, Refusal, RobotState, Wrench};
use robot::{BodyPoses, Robot, Side};
use site::{Clock, Driver};

use crate::fault::{FaultPlan, FaultPlanError};
use crate::injection::Injection;

pub const CONTROL_PERIOD_NS: i64 = 5_000_000;
const GRAVITY_M_S2: f64 = 9.81;

/// A robot without dynamics: what the controller wants is where it is, but for its faults.
#[derive(Debug)]
pub struct KinematicRobot {
    robot: Arc<Robot>,
    controller: Controller,
    injection: Injection,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    time_ns: i64,
    /// On their way; by rising time.
    delayed: VecDeque<Delayed>,
    /// Commands to parts that do not answer but say that they run.
    swallowed: Vec<CommandStatus>,
    poses: BodyPoses,
    state: Arc<RobotState>,
}

#[derive(Debug)]
struct Delayed {
    arrives_ns: i64,
    command: Command,
}

impl KinematicRobot {
    /// Standing on the ground, with the walking frame where it is told to be.
    pub fn new(
        robot: Arc<Robot>,
        positions: &[f64],
        world_from_walking: &Pose,
        plan: &FaultPlan,
    ) -> Result<KinematicRobot, FaultPlanError> {
        plan.check(&robot)?;
        let mut poses = BodyPoses::new(robot.clone());
        let world_from_base = *world_from_walking * poses.stand(positions);
        let controller = Controller::new(robot.clone(), positions, &world_from_base);
        let positions = controller.desired().positions.clone();
        let count = positions.len();
        let mut simulated = KinematicRobot {
            injection: Injection::new(plan, &robot),
            controller,
            velocities: vec![0.0; count],
            positions,
            time_ns: 0,
            delayed: VecDeque::new(),
            swallowed: Vec::new(),
            state: Arc::new(nothing_known(count)),
            poses,
            robot,
        };
        simulated.tell();
        Ok(simulated)
    }

    fn time_s(&self) -> f64 {
        self.time_ns as f64 * 1e-9
    }

    fn step(&mut self) {
        while self.delayed.front().is_some_and(|delayed| delayed.arrives_ns <= self.time_ns) {
            let Some(Delayed { command, .. }) = self.delayed.pop_front() else { break };
            // The sender has gone on: a refusal is told by the state.
            let _ = self.take(&command);
        }
        self.controller.step(CONTROL_PERIOD_NS);
        self.time_ns += CONTROL_PERIOD_NS;
        let (time_s, dt_s) = (self.time_s(), CONTROL_PERIOD_NS as f64 * 1e-9);
        let desired = self.controller.desired();
        self.velocities.copy_from_slice(&self.positions);
        self.injection.move_joints(time_s, dt_s, &desired.positions, &mut self.positions);
        for (velocity, position) in self.velocities.iter_mut().zip(&self.positions) {
            *velocity = (position - *velocity) / dt_s;
        }
    }

    fn take(&mut self, command: &Command) -> Result<(), Refusal> {
        match self.injection.swallows(&self.robot, &command.order, self.time_s()) {
            None => self.controller.command(command),
            Some(says_running) => {
                if says_running {
                    let phase = Phase::Running { progress: 0.0 };
                    self.swallowed.push(CommandStatus { id: command.id, phase });
                }
                Ok(())
            }
        }
    }

    /// Makes the state that is told, once for all control steps of an advance.
    fn tell(&mut self) {
        let time_s = self.time_s();
        if self.injection.state_is_lost(time_s) {
            return;
        }
        let world_from_base = self.controller.desired().world_from_base;
        self.poses.place(&self.positions, &world_from_base);
        let gravity = world_from_base.inverse().transform_vector(&Vector3::new(0.0, 0.0, -GRAVITY_M_S2));
        let mut efforts = vec![0.0; self.positions.len()];
        self.robot.model.gravity_efforts(self.poses.link_poses(), &gravity, &mut efforts);
        let desired = &self.controller.desired().positions;
        let mut commands = self.controller.statuses();
        if !self.swallowed.is_empty() {
            commands.extend(self.swallowed.iter().cloned());
            commands.sort_by_key(|status| status.id);
        }
        self.state = Arc::new(RobotState {
            time_ns: self.time_ns,
            positions: self.positions.clone(),
            velocities: self.velocities.clone(),
            efforts,
            world_from_base,
            hand_wrenches: Side::BOTH.map(|side| self.hand_wrench(side, time_s)),
            feet: self.feet(),
            walking: self.controller.walking(),
            commands,
            faults: self.injection.noticed(&self.robot, desired, &self.positions),
            mode: self.controller.mode(),
            vitals: robot::interface::Vitals::default(),
        });
    }

    fn hand_wrench(&self, side: Side, time_s: f64) -> Wrench {
        let mut wrench = self.injection.hand_wrench(side, time_s);
        // What a hand presses against presses back.
        if let Some(pressing) = self.controller.pressing(side) {
            wrench.force_n -= pressing.force_n;
            wrench.torque_nm -= pressing.torque_nm;
        }
        wrench
    }

    fn feet(&self) -> [FootState; 2] {
        let weight_n = self.robot.model.mass_kg() * GRAVITY_M_S2;
        let shares = self.controller.weight_shares();
        Side::BOTH.map(|side| FootState {
            contact: self.controller.in_contact(side),
            load_n: weight_n * shares[side.index()],
        })
    }
}

impl Driver for KinematicRobot {
    fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    fn capabilities(&self) -> &Capabilities {
        self.controller.capabilities()
    }

    fn clock(&self) -> Clock {
        Clock::Given
    }

    fn state(&self) -> &Arc<RobotState> {
        &self.state
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        let delay_ns = (self.injection.delay_s(self.time_s()) * 1e9).round() as i64;
        if delay_ns == 0 && self.delayed.is_empty() {
            let taken = self.take(command);
            self.tell();
            return taken;
        }
        // None overtakes another.
        let last_ns = self.delayed.back().map_or(i64::MIN, |last| last.arrives_ns);
        let arrives_ns = self.time_ns.saturating_add(delay_ns).max(last_ns);
        self.delayed.push_back(Delayed { arrives_ns, command: command.clone() });
        Ok(())
    }

    /// Not delayed by faults of commands: a stop has its own line.
    fn stop(&mut self) {
        self.delayed.clear();
        for status in &mut self.swallowed {
            status.phase = Phase::Ended { reason: "stopped".to_owned() };
        }
        self.controller.stop();
        self.tell();
    }

    fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
        self.controller.place_frame(name, world_from_frame);
    }

    fn hold(&mut self, on: bool) {
        self.controller.hold(on);
    }

    /// As many whole control steps as fit.
    fn advance(&mut self, time_ns: i64) {
        while self.time_ns.saturating_add(CONTROL_PERIOD_NS) <= time_ns {
            self.step();
        }
        self.tell();
    }
}

/// Before the first state is told.
fn nothing_known(count: usize) -> RobotState {
    RobotState {
        time_ns: 0,
        positions: vec![0.0; count],
        velocities: vec![0.0; count],
        efforts: vec![0.0; count],
        world_from_base: Pose::identity(),
        hand_wrenches: [Wrench::NONE; 2],
        feet: [FootState::default(); 2],
        walking: robot::interface::WalkingState::default(),
        commands: Vec::<CommandStatus>::new(),
        faults: Vec::new(),
        mode: robot::interface::Mode::default(),
        vitals: robot::interface::Vitals::default(),
    }
}
