//! The robot's body in the physics: servos that follow the controller, and the carrier of the pelvis.

use geometry::{Pose, Vector3};
use robot::control::Controller;
use robot::interface::Wrench;
use robot::{BodyPoses, Jacobian, Robot, Side};

use super::PhysicsError;
use super::engine::{self, Data, JointAt};
use crate::mjcf::{RobotNames, Servo, wxyz};

/// How far the root is behind where its carrier is, in time, when it moves.
const CARRIER_LAG_S: f64 = 0.012;

pub(super) struct Body {
    /// Of the free joint of the root.
    base: JointAt,
    carrier: usize,
    joints: Vec<ServoAt>,
    jacobian: Jacobian,
    efforts: Vec<f64>,
    /// By the servos in the last step.
    given: Vec<f64>,
}

struct ServoAt {
    at: JointAt,
    actuator: usize,
    servo: Servo,
}

/// Where the servos are to go.
pub(super) struct Aim<'a> {
    pub positions: &'a [f64],
    pub velocities: &'a [f64],
    /// As hard as each may pull.
    pub limits: &'a [f64],
    /// Where the controller wanted the root one step earlier.
    pub before: Pose,
    pub dt_s: f64,
}

impl Body {
    pub fn new(robot: &Robot, data: &Data) -> Result<Body, PhysicsError> {
        let servos = Servo::all(robot);
        let joints = robot.model.coordinates().iter().zip(servos).map(|(coordinate, servo)| {
            let name = RobotNames::of(&coordinate.name);
            Ok(ServoAt { at: engine::joint(data, &name)?, actuator: engine::actuator(data, &name)?, servo })
        });
        let joints = joints.collect::<Result<Vec<_>, PhysicsError>>()?;
        Ok(Body {
            base: engine::joint(data, RobotNames::BASE_JOINT)?,
            carrier: engine::mocap(data, RobotNames::CARRIER)?,
            efforts: vec![0.0; joints.len()],
            given: vec![0.0; joints.len()],
            joints,
            jacobian: robot.model.new_jacobian(),
        })
    }

    /// Puts the robot where it starts. Joints that follow others are put as well.
    pub fn place(
        &self,
        robot: &Robot,
        data: &mut Data,
        positions: &[f64],
        world_from_base: &Pose,
    ) -> Result<(), PhysicsError> {
        let at_m = world_from_base.translation_m();
        let qpos = data.qpos_mut();
        qpos[self.base.position..self.base.position + 3].copy_from_slice(at_m.as_slice());
        qpos[self.base.position + 3..self.base.position + 7].copy_from_slice(&wxyz::quaternion(world_from_base));
        for (joint, position) in self.joints.iter().zip(positions) {
            qpos[joint.at.position] = *position;
        }
        for joint in &robot.description.joints {
            if let robot::Motion::Moving(moving) = &joint.motion
                && let Some(mimic) = &moving.mimic
                && let Some(leader) = robot.model.coordinate(&mimic.leader)
            {
                let follower = engine::joint(data, &RobotNames::of(&joint.name))?;
                data.qpos_mut()[follower.position] = mimic.multiplier * positions[leader] + mimic.offset;
            }
        }
        engine::put(data, self.carrier, world_from_base);
        Ok(())
    }

    /// Tells the servos and the carrier where to go. `poses` are measured.
    pub fn drive(&mut self, data: &mut Data, controller: &Controller, poses: &BodyPoses, aim: &Aim) {
        let world_from_base = controller.desired().world_from_base;
        self.efforts.fill(0.0);
        for side in Side::BOTH {
            if let Some(press) = controller.pressing(side) {
                self.press(poses, side, &press);
            }
        }
        for (coordinate, joint) in self.joints.iter().enumerate() {
            let (position, velocity) = (data.qpos()[joint.at.position], data.qvel()[joint.at.velocity]);
            let Servo { stiffness, damping, effort } = joint.servo;
            // Gravity and what comes of speed are known to a robot and taken off its servos.
            let known = data.qfrc_bias()[joint.at.velocity] + self.efforts[coordinate];
            let share = controller.stiffness()[coordinate];
            let pull = share
                * (stiffness * (aim.positions[coordinate] - position)
                    + damping * (aim.velocities[coordinate] - velocity));
            let limit = aim.limits[coordinate];
            let given = (pull.clamp(-limit, limit) + known).clamp(-effort, effort);
            self.given[coordinate] = given;
            // The joint is damped as its servo is, where the solver can look ahead; what that takes now is given back.
            data.ctrl_mut()[joint.actuator] = given + damping * velocity;
        }
        let moved_m = world_from_base.translation_m() - aim.before.translation_m();
        let ahead = moved_m * (CARRIER_LAG_S / aim.dt_s);
        let at_m = world_from_base.translation_m() + ahead;
        engine::put(data, self.carrier, &Pose::new(at_m, world_from_base.rotation()));
    }

    /// The efforts that press with a hand.
    fn press(&mut self, poses: &BodyPoses, side: Side, press: &Wrench) {
        let robot = poses.robot();
        let hand = robot.frames.hands[side.index()];
        robot.model.jacobian(poses.link_poses(), hand, &mut self.jacobian);
        let base_from_hand = poses.base_from_link(hand);
        let force_n = base_from_hand.transform_vector(&press.force_n);
        let torque_nm = base_from_hand.transform_vector(&press.torque_nm);
        for (effort, column) in self.efforts.iter_mut().zip(self.jacobian.column_iter()) {
            *effort += column.fixed_rows::<3>(0).dot(&force_n) + column.fixed_rows::<3>(3).dot(&torque_nm);
        }
    }

    pub fn world_from_base(&self, data: &Data) -> Pose {
        let qpos = &data.qpos()[self.base.position..self.base.position + 7];
        wxyz::pose([qpos[0], qpos[1], qpos[2]], [qpos[3], qpos[4], qpos[5], qpos[6]])
    }

    pub fn measure(&self, data: &Data, positions: &mut [f64], velocities: &mut [f64], efforts: &mut [f64]) {
        for (coordinate, joint) in self.joints.iter().enumerate() {
            positions[coordinate] = data.qpos()[joint.at.position];
            velocities[coordinate] = data.qvel()[joint.at.velocity];
        }
        efforts.copy_from_slice(&self.given);
    }

    /// What carries the pelvis, at the root, along the axes of the world: all constraints on the root but contacts.
    pub fn carried(&self, data: &Data, contacts: &Wrench, world_from_base: &Pose) -> Wrench {
        let all = &data.qfrc_constraint()[self.base.velocity..self.base.velocity + 6];
        let torque_nm = world_from_base.transform_vector(&Vector3::new(all[3], all[4], all[5]));
        Wrench {
            force_n: Vector3::new(all[0], all[1], all[2]) - contacts.force_n,
            torque_nm: torque_nm - contacts.torque_nm,
        }
    }
}
