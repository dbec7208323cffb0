//! What the world does to the robot: forces of contacts, summed on each hand and on the whole.

use geometry::{Matrix3, Pose, Vector3};
use robot::interface::Wrench;
use robot::{Robot, Side};

use super::PhysicsError;
use super::engine::{self, Data};
use crate::mjcf::{RobotNames, hand_links, is_robot};

/// Of the sensors in the hands.
const CUTOFF_HZ: f64 = 25.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    World,
    Body,
    Hand(Side),
}

#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// Of each geom.
    owners: Vec<Owner>,
    share: f64,
    /// Along the axes of the world, at the palm; left, right; low-passed.
    hands: [Wrench; 2],
    /// On the whole robot, at its root, along the axes of the world.
    pub whole: Wrench,
}

impl Touch {
    pub fn new(data: &Data, robot: &Robot, dt_s: f64) -> Result<Touch, PhysicsError> {
        let model = data.model();
        let mut of_bodies: Vec<Owner> = (0..model.ffi().nbody as usize)
            .map(|body| if is_robot(engine::body_name(data, body)) { Owner::Body } else { Owner::World })
            .collect();
        for side in Side::BOTH {
            for link in hand_links(robot, side) {
                let name = RobotNames::of(&robot.description.links[link].name);
                of_bodies[engine::body(data, &name)?] = Owner::Hand(side);
            }
        }
        let owners = model.geom_bodyid().iter().map(|body| of_bodies[*body as usize]).collect();
        let share = 1.0 - libm::exp(-std::f64::consts::TAU * CUTOFF_HZ * dt_s);
        Ok(Touch { owners, share, hands: [Wrench::NONE; 2], whole: Wrench::NONE })
    }

    /// Sums the contacts of the last step. `pushes` act on the hands from outside besides.
    pub fn see(&mut self, data: &Data, base_m: Vector3<f64>, palms_m: [Vector3<f64>; 2], pushes: [Wrench; 2]) {
        let mut now = pushes;
        self.whole = Wrench::NONE;
        for (index, contact) in data.contact().iter().enumerate() {
            let [Ok(one), Ok(other)] = contact.geom.map(usize::try_from) else { continue };
            let (one, other) = (self.owners[one], self.owners[other]);
            if contact.efc_address < 0 || one == other {
                continue;
            }
            let force = data.contact_force(index);
            // The rows are the axes of the contact, the first from the first geom to the second.
            let world_from_contact = Matrix3::from_row_slice(&contact.frame).transpose();
            let force_n = world_from_contact * Vector3::new(force[0], force[1], force[2]);
            let torque_nm = world_from_contact * Vector3::new(force[3], force[4], force[5]);
            let at_m = Vector3::from(contact.pos);
            for (owner, sign) in [(one, -1.0), (other, 1.0)] {
                if let Owner::Hand(side) = owner {
                    add(&mut now[side.index()], force_n * sign, torque_nm * sign, at_m - palms_m[side.index()]);
                }
                let inner = one != Owner::World && other != Owner::World;
                if owner != Owner::World && !inner {
                    add(&mut self.whole, force_n * sign, torque_nm * sign, at_m - base_m);
                }
            }
        }
        for (hand, now) in self.hands.iter_mut().zip(now) {
            hand.force_n += (now.force_n - hand.force_n) * self.share;
            hand.torque_nm += (now.torque_nm - hand.torque_nm) * self.share;
        }
    }

    /// Contacts of a hand with what is not the robot.
    pub fn count(&self, data: &Data, side: Side) -> usize {
        let owner = |geom: i32| usize::try_from(geom).ok().map(|geom| self.owners[geom]);
        let owners =
            data.contact().iter().filter(|contact| contact.efc_address >= 0).map(|contact| contact.geom.map(owner));
        owners
            .filter(|owners| owners.contains(&Some(Owner::Hand(side))) && owners.contains(&Some(Owner::World)))
            .count()
    }

    /// In the frame of the hand.
    pub fn hand(&self, side: Side, world_from_hand: &Pose) -> Wrench {
        let hand_from_world = world_from_hand.inverse();
        let wrench = &self.hands[side.index()];
        Wrench {
            force_n: hand_from_world.transform_vector(&wrench.force_n),
            torque_nm: hand_from_world.transform_vector(&wrench.torque_nm),
        }
    }
}

fn add(wrench: &mut Wrench, force_n: Vector3<f64>, torque_nm: Vector3<f64>, arm_m: Vector3<f64>) {
    wrench.force_n += force_n;
    wrench.torque_nm += torque_nm + arm_m.cross(&force_n);
}

/// Where the robot is in something already: bodies of a link and of what it is in, and how deep, m.
pub(super) fn inside(data: &Data, deeper_than_m: f64) -> Vec<(usize, usize, f64)> {
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    for contact in data.contact().iter().filter(|contact| contact.dist < -deeper_than_m) {
        let [one, other] =
            contact.geom.map(|geom| usize::try_from(geom).map_or(0, |geom| data.model().geom_bodyid()[geom] as usize));
        let own = |body: usize| is_robot(engine::body_name(data, body));
        let (link, thing) = if own(one) { (one, other) } else { (other, one) };
        if own(link) && !own(thing) && !found.iter().any(|(l, t, _)| *l == link && *t == thing) {
            found.push((link, thing, -contact.dist));
        }
    }
    found
}

/// Links of the robot that touch each other, by the names of their bodies.
pub(super) fn own_contacts(data: &Data) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for contact in data.contact() {
        let [Ok(one), Ok(other)] = contact.geom.map(usize::try_from) else { continue };
        let name = |geom: usize| engine::body_name(data, data.model().geom_bodyid()[geom] as usize).to_owned();
        let pair = (name(one), name(other));
        if is_robot(&pair.0) && is_robot(&pair.1) && !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}
