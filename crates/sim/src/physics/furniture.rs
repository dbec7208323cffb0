//! What furniture does by itself: latches hold and let go, valves get tight, people walk.

use super::PhysicsError;
use super::engine::{self, Data, JointAt};
use crate::world::{Door, Handle, Kind, Person, PlacedWorld, Valve};

/// A door this far closed meets its latch.
const LATCHES_RAD: f64 = 0.008;

#[derive(Clone, Debug)]
pub(super) struct Furniture {
    pub doors: Vec<DoorAt>,
    valves: Vec<(JointAt, Valve)>,
    people: Vec<(usize, Person)>,
}

#[derive(Clone, Debug)]
pub(super) struct DoorAt {
    pub name: std::sync::Arc<str>,
    pub door: Door,
    pub hinge: JointAt,
    pub handle: Option<JointAt>,
    pub handle_body: usize,
    /// Its constraint, and where the handle lets go.
    latch: Option<(usize, f64)>,
    pub latched: bool,
}

impl Furniture {
    pub fn new(world: &PlacedWorld, data: &mut Data) -> Result<Furniture, PhysicsError> {
        let mut furniture = Furniture { doors: Vec::new(), valves: Vec::new(), people: Vec::new() };
        for object in &world.objects {
            let name = &object.name;
            match &object.kind {
                Kind::Door(door) => {
                    let hinge = engine::joint(data, &Door::hinge_joint(name))?;
                    data.qpos_mut()[hinge.position] = door.open_rad;
                    let handle = match door.handle {
                        Handle::Fixed => None,
                        _ => Some(engine::joint(data, &Door::handle_joint(name))?),
                    };
                    let latch = match door.latch {
                        Some(latch) => Some((engine::constraint(data, &Door::latch_name(name))?, latch.release)),
                        None => None,
                    };
                    let latched = latch.is_some() && door.open_rad < LATCHES_RAD;
                    let handle_body = engine::body(data, &format!("{name}/handle"))?;
                    let (name, door) = (name.clone(), door.clone());
                    furniture.doors.push(DoorAt { name, door, hinge, handle, handle_body, latch, latched });
                }
                Kind::Valve(valve) => {
                    let joint = engine::joint(data, &Valve::joint(name))?;
                    data.qpos_mut()[joint.position] = valve.turned_rad;
                    furniture.valves.push((joint, valve.clone()));
                }
                Kind::Person(person) => {
                    furniture.people.push((engine::mocap(data, name)?, person.clone()));
                }
                _ => {}
            }
        }
        Ok(furniture)
    }

    pub fn step(&mut self, data: &mut Data, time_s: f64) {
        for door in &mut self.doors {
            door.step(data);
        }
        for (joint, valve) in &self.valves {
            let turned_rad = data.qpos()[joint.position];
            engine::set_friction_loss(data, joint.velocity, valve.torque_nm(turned_rad));
        }
        for (mocap, person) in &self.people {
            if let Some(world_from_person) = person.world_from_person(time_s) {
                engine::put(data, *mocap, &world_from_person);
            }
        }
    }

    pub fn door(&self, name: &str) -> Option<&DoorAt> {
        self.doors.iter().find(|door| &*door.name == name)
    }
}

impl DoorAt {
    pub fn angle_rad(&self, data: &Data) -> f64 {
        data.qpos()[self.hinge.position]
    }

    /// Of what lets go the latch.
    pub fn handle_share(&self, data: &Data) -> f64 {
        match (self.handle, self.latch) {
            (Some(handle), Some((_, release))) => data.qpos()[handle.position].abs() / release,
            _ => 0.0,
        }
    }

    fn step(&mut self, data: &mut Data) {
        let Some((constraint, _)) = self.latch else { return };
        let lets_go = self.handle_share(data) >= 1.0;
        self.latched = !lets_go && (self.latched || self.angle_rad(data) < LATCHES_RAD);
        data.eq_active_mut()[constraint] = self.latched;
    }
}
