//! Disturbances at work.

use std::sync::Arc;

use geometry::{Pose, Vector3};

use super::PhysicsError;
use super::engine::{self, Data, JointAt};
use super::furniture::Furniture;
use crate::mjcf::{PARKED_M, blocker_name};
use crate::world::{Deed, Disturbance, Event, PlacedWorld, Push, Start, Table};

const HOLD_NM_PER_RAD: f64 = 4000.0;
const HOLD_NM_S: f64 = 200.0;
const CLOSE_NM_S: f64 = 100.0;
const PUSH_N_PER_M: f64 = 5000.0;
const PUSH_N_S_PER_M: f64 = 100.0;
const MAX_PUSH_N: f64 = 300.0;
/// Who pushes a hand somewhere takes this long to get it there: at once would be a blow.
const PUSHING_S: f64 = 0.3;
/// Where taken things lie.
const AWAY_M: f64 = 80.0;

#[derive(Clone, Debug)]
pub(super) struct Disturbances {
    all: Vec<Happening>,
    blind: Vec<Option<Arc<str>>>,
    /// What began or ended, and when.
    pub notes: Vec<(f64, String)>,
    /// On the hands, along the axes of the world; left, right.
    pub pushes_n: [Vector3<f64>; 2],
}

#[derive(Clone, Debug)]
struct Happening {
    disturbance: Disturbance,
    at: At,
    /// Of what it waits to be lifted.
    rest_m: f64,
    due_s: Option<f64>,
    began: Option<Began>,
    /// Of the way of a table: what was gone of it before. Moves of one table add up, also while both go on.
    gone_share: f64,
    over: bool,
}

/// What it began from.
#[derive(Clone, Copy, Debug)]
struct Began {
    time_s: f64,
    angle_rad: f64,
    hand_m: Vector3<f64>,
}

/// Where in the model it acts.
#[derive(Clone, Debug)]
enum At {
    Door,
    Hand,
    Camera,
    /// The free joint of a thing, and its number among those taken away.
    Thing {
        joint: JointAt,
        number: usize,
    },
    Table {
        actuators: [usize; 3],
    },
    Doorway {
        mocap: usize,
        world_from_blocker: Pose,
    },
}

/// What events are about, besides the physics.
pub(super) struct Seen<'a> {
    pub time_s: f64,
    pub hands_m: [Vector3<f64>; 2],
    pub hand_bodies: [usize; 2],
    pub furniture: &'a Furniture,
}

impl Disturbances {
    pub fn new(world: &PlacedWorld, data: &Data) -> Result<Disturbances, PhysicsError> {
        let happening = |(number, disturbance): (usize, &Disturbance)| {
            Ok(Happening {
                at: at(disturbance, number, world, data)?,
                due_s: match disturbance.start {
                    Start::At { time_s } => Some(time_s),
                    Start::On { .. } => None,
                },
                rest_m: match &disturbance.start {
                    Start::On { event: Event::Lifted { object, .. }, .. } => {
                        data.xpos()[engine::body(data, object)?][2]
                    }
                    _ => 0.0,
                },
                disturbance: disturbance.clone(),
                began: None,
                gone_share: 0.0,
                over: false,
            })
        };
        let all = world.disturbances.iter().enumerate().map(happening).collect::<Result<_, PhysicsError>>()?;
        Ok(Disturbances { all, blind: Vec::new(), notes: Vec::new(), pushes_n: [Vector3::zeros(); 2] })
    }

    /// None names any camera.
    pub fn is_blind(&self, camera: &str) -> bool {
        self.blind.iter().any(|blind| blind.as_deref().is_none_or(|blind| blind == camera))
    }

    /// What someone has taken away.
    pub fn taken(&self) -> Vec<Arc<str>> {
        let taken = self.all.iter().filter(|happening| happening.over);
        let name = |happening: &Happening| match &happening.disturbance.deed {
            Deed::TakeAway { object } => Some(Arc::clone(object)),
            _ => None,
        };
        taken.filter_map(name).collect()
    }

    pub fn step(&mut self, data: &mut Data, seen: &Seen) {
        if self.all.is_empty() {
            return;
        }
        self.blind.clear();
        self.pushes_n = [Vector3::zeros(); 2];
        for happening in &mut self.all {
            happening.wait(data, seen);
            if happening.is_due(seen.time_s) {
                let is_new = happening.began.is_none();
                let push = happening.act(data, seen);
                if let Some((side, force_n)) = push {
                    self.pushes_n[side] += force_n;
                }
                if let Deed::BlindCamera { camera } = &happening.disturbance.deed {
                    self.blind.push(camera.clone());
                }
                let deed = &happening.disturbance.deed;
                if is_new {
                    self.notes.push((seen.time_s, deed.to_string()));
                } else if happening.over {
                    self.notes.push((seen.time_s, format!("no more: {deed}")));
                }
            }
        }
    }
}

impl Happening {
    fn wait(&mut self, data: &Data, seen: &Seen) {
        if let (Start::On { event, after_s }, None) = (&self.disturbance.start, self.due_s)
            && happens(event, self.rest_m, data, seen)
        {
            self.due_s = Some(seen.time_s + after_s);
        }
    }

    fn is_due(&self, time_s: f64) -> bool {
        !self.over && self.due_s.is_some_and(|due_s| time_s >= due_s)
    }

    /// The push on a hand that it gives now, if any.
    fn act(&mut self, data: &mut Data, seen: &Seen) -> Option<(usize, Vector3<f64>)> {
        let door = match &self.disturbance.deed {
            Deed::HoldDoor { door, .. } | Deed::CloseDoor { door, .. } => seen.furniture.door(door),
            _ => None,
        };
        let side = match &self.disturbance.deed {
            Deed::PushHand { side, .. } => side.index(),
            _ => 0,
        };
        let began = *self.began.get_or_insert_with(|| Began {
            time_s: seen.time_s,
            angle_rad: door.map_or(0.0, |door| door.angle_rad(data)),
            hand_m: seen.hands_m[side],
        });
        let passed_s = seen.time_s - began.time_s;
        let ends = passed_s >= self.disturbance.duration_s;
        self.over = ends;
        match (&self.disturbance.deed, &self.at) {
            (Deed::HoldDoor { force_n, .. }, _) if !ends => {
                let door = door?;
                let (angle_rad, rad_s) = (door.angle_rad(data), data.qvel()[door.hinge.velocity]);
                let wanted_nm = -HOLD_NM_PER_RAD * (angle_rad - began.angle_rad) - HOLD_NM_S * rad_s;
                data.qfrc_applied_mut()[door.hinge.velocity] += wanted_nm.clamp(-force_n * door.door.width_m, 0.0);
            }
            (Deed::CloseDoor { speed_rad_s, force_n, .. }, _) if !ends => {
                let door = door?;
                let rad_s = data.qvel()[door.hinge.velocity];
                let wanted_nm = CLOSE_NM_S * (-speed_rad_s - rad_s);
                data.qfrc_applied_mut()[door.hinge.velocity] += wanted_nm.clamp(-force_n * door.door.width_m, 0.0);
            }
            (Deed::PushHand { push, .. }, _) if !ends => {
                let force_n = match push {
                    Push::Force { force_n } => *force_n,
                    Push::By { by_m } => {
                        let share =
                            robot::smooth_share((passed_s / PUSHING_S.min(self.disturbance.duration_s)).min(1.0));
                        let velocity = engine::velocity_m_s(data, seen.hand_bodies[side]);
                        let wanted = (began.hand_m + by_m * share - seen.hands_m[side]) * PUSH_N_PER_M
                            - velocity * PUSH_N_S_PER_M;
                        wanted.cap_magnitude(MAX_PUSH_N)
                    }
                };
                return Some((side, force_n));
            }
            (Deed::TakeAway { .. }, At::Thing { joint, number }) => {
                let place = [AWAY_M + *number as f64, AWAY_M, 1.0, 1.0, 0.0, 0.0, 0.0];
                data.qpos_mut()[joint.position..joint.position + 7].copy_from_slice(&place);
                data.qvel_mut()[joint.velocity..joint.velocity + 6].fill(0.0);
                self.over = true;
            }
            (Deed::MoveTable { x_m, y_m, yaw_rad, .. }, At::Table { actuators }) => {
                let share = robot::smooth_share((passed_s / self.disturbance.duration_s.max(1e-3)).min(1.0));
                for (actuator, by) in actuators.iter().zip([x_m, y_m, yaw_rad]) {
                    data.ctrl_mut()[*actuator] += by * (share - self.gone_share);
                }
                self.gone_share = share;
            }
            (Deed::BlockDoorway { .. }, At::Doorway { mocap, world_from_blocker }) => {
                let parked = Pose::from_translation(0.0, 0.0, PARKED_M);
                engine::put(data, *mocap, if ends { &parked } else { world_from_blocker });
            }
            _ => {}
        }
        None
    }
}

pub(super) fn happens(event: &Event, rest_m: f64, data: &Data, seen: &Seen) -> bool {
    match event {
        Event::DoorOpens { door, past_rad } => {
            seen.furniture.door(door).is_some_and(|door| door.angle_rad(data) > *past_rad)
        }
        Event::HandleTurns { door, past_share } => {
            seen.furniture.door(door).is_some_and(|door| door.handle_share(data) > *past_share)
        }
        Event::HandNear { object, within_m } => {
            let body = match seen.furniture.door(object) {
                Some(door) => Some(door.handle_body),
                None => engine::body(data, object).ok(),
            };
            body.is_some_and(|body| {
                let at_m = Vector3::from(data.xpos()[body]);
                seen.hands_m.iter().any(|hand_m| (hand_m - at_m).norm() < *within_m)
            })
        }
        Event::Lifted { object, by_m } => {
            engine::body(data, object).is_ok_and(|body| data.xpos()[body][2] > rest_m + by_m)
        }
    }
}

fn at(disturbance: &Disturbance, number: usize, world: &PlacedWorld, data: &Data) -> Result<At, PhysicsError> {
    Ok(match &disturbance.deed {
        Deed::HoldDoor { .. } | Deed::CloseDoor { .. } => At::Door,
        Deed::PushHand { .. } => At::Hand,
        Deed::BlindCamera { .. } => At::Camera,
        Deed::TakeAway { object } => At::Thing { joint: engine::joint(data, object)?, number },
        Deed::MoveTable { table, .. } => {
            let [x, y, yaw] = Table::joints(table);
            let actuators = [&x, &y, &yaw].map(|name| engine::actuator(data, name));
            let [x, y, yaw] = actuators;
            At::Table { actuators: [x?, y?, yaw?] }
        }
        Deed::BlockDoorway { door } => {
            let world_from_door = world.object(door).map_or_else(Pose::identity, |door| door.world_from_object);
            let world_from_blocker = world_from_door * Pose::from_translation(0.5, 0.0, 0.0);
            At::Doorway { mocap: engine::mocap(data, &blocker_name(door))?, world_from_blocker }
        }
    })
}
