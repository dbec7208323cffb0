//! Watches what is expected of the world: the truth, which no behavior sees.

use std::sync::Arc;

use geometry::{Point3, Pose, Vector3};
use robot::{Robot, Side};

use super::disturb::{Seen, happens};
use super::engine::{self, Data, JointAt};
use super::{PHYSICS_PERIOD_NS, PhysicsError, TruthSeen};
use crate::mjcf::{RobotNames, hand_links, is_robot};
use crate::world::{Button, Door, Event, Kind, Object, Pair, PlacedWorld, Truth, Valve};

/// A button is pressed beyond this share of its travel, and let go below the other.
const PRESSED_SHARE: f64 = 0.9;
const LET_GO_SHARE: f64 = 0.5;
/// What was true in the first step took no time.
const FIRST_STEP_S: f64 = 1.5e-9 * PHYSICS_PERIOD_NS as f64;
/// A door this far closed is shut.
const SHUT_RAD: f64 = 0.01;

#[derive(Clone, Debug)]
pub(super) struct Truths {
    all: Vec<Watcher>,
    /// Bodies that are the robot, by number; and its hands.
    robot: Vec<bool>,
    hands: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Watcher {
    truth: Truth,
    at: At,
    /// True since then, or once then.
    since_s: Option<f64>,
    why: String,
}

/// Where in the model it looks, and what it remembers.
#[derive(Clone, Debug)]
enum At {
    Doorway { world_from_door: Pose, half_width_m: f64, door: Vec<usize>, was_before: bool, passed: bool },
    Bodies { bodies: Vec<usize>, touched: bool },
    Pairs { pairs: Vec<PairAt>, done: usize, of: usize },
    Door { was_shut: bool, done: usize },
    Valve { joint: JointAt },
    Button { joint: JointAt, travel_m: f64, is_down: bool, done: usize },
    Event { rest_m: f64 },
}

#[derive(Clone, Debug)]
struct PairAt {
    thing: usize,
    of: usize,
    name: Arc<str>,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// In its frame, from the middle of its underside.
    Room {
        size_m: Vector3<f64>,
    },
    Top {
        size_m: Vector3<f64>,
    },
}

/// The robot where it is now.
pub(super) struct Stance {
    pub base_m: Vector3<f64>,
    pub world_from_soles: [Pose; 2],
    pub foot_m: (f64, f64),
}

/// What touches what, by bodies.
pub(super) struct Contacts(Vec<[usize; 2]>);

impl Truths {
    pub fn new(world: &PlacedWorld, robot: &Robot, data: &Data) -> Result<Truths, PhysicsError> {
        let count = data.model().ffi().nbody as usize;
        let is_body = (0..count).map(|body| is_robot(engine::body_name(data, body))).collect();
        let mut hands = vec![false; count];
        for link in Side::BOTH.into_iter().flat_map(|side| hand_links(robot, side)) {
            hands[engine::body(data, &RobotNames::of(&robot.description.links[link].name))?] = true;
        }
        let watcher = |truth: &Truth| {
            let at = at(truth, world, data)?;
            Ok(Watcher { truth: truth.clone(), at, since_s: None, why: String::new() })
        };
        let all = world.expected.iter().map(watcher).collect::<Result<_, PhysicsError>>()?;
        Ok(Truths { all, robot: is_body, hands })
    }

    /// `taken` are things that nobody expects anything of any more.
    pub fn step(&mut self, data: &Data, contacts: &Contacts, seen: &Seen, stance: &Stance, taken: &[Arc<str>]) {
        let bodies = Bodies { data, contacts, robot: &self.robot, hands: &self.hands };
        for watcher in &mut self.all {
            watcher.step(&bodies, seen, stance, taken);
        }
    }

    pub fn seen(&self) -> Vec<TruthSeen> {
        self.all.iter().map(Watcher::seen).collect()
    }
}

struct Bodies<'a> {
    data: &'a Data,
    contacts: &'a Contacts,
    robot: &'a [bool],
    hands: &'a [bool],
}

impl Bodies<'_> {
    /// A link of the robot that touches one of these, and which.
    fn touching(&self, bodies: &[usize]) -> Option<(usize, usize)> {
        let pairs = self.contacts.0.iter().flat_map(|[one, other]| [(*one, *other), (*other, *one)]);
        pairs.into_iter().find(|(link, thing)| self.robot[*link] && bodies.contains(thing))
    }

    fn in_hand(&self, thing: usize) -> bool {
        self.contacts
            .0
            .iter()
            .any(|[one, other]| *one == thing && self.hands[*other] || *other == thing && self.hands[*one])
    }

    fn name(&self, body: usize) -> &str {
        let name = engine::body_name(self.data, body);
        name.strip_prefix(RobotNames::PREFIX).unwrap_or(name)
    }
}

impl Contacts {
    /// Those with a force, and those `sensed` without one.
    pub fn of(data: &Data, sensed: &[[usize; 2]]) -> Contacts {
        let of_geom = data.model().geom_bodyid();
        let touching = data.contact().iter().filter(|contact| contact.efc_address >= 0);
        let pairs = touching.filter_map(|contact| {
            let [Ok(one), Ok(other)] = contact.geom.map(usize::try_from) else { return None };
            Some([of_geom[one] as usize, of_geom[other] as usize])
        });
        Contacts(pairs.chain(sensed.iter().copied()).collect())
    }
}

impl Watcher {
    fn step(&mut self, bodies: &Bodies, seen: &Seen, stance: &Stance, taken: &[Arc<str>]) {
        let data = bodies.data;
        let is_true = match (&self.truth, &mut self.at) {
            (Truth::Through { by_m, .. }, at) => through(at, *by_m, bodies, stance, &mut self.why),
            (Truth::Untouched { .. }, At::Bodies { bodies: watched, touched }) => {
                if !*touched && let Some((link, thing)) = bodies.touching(watched) {
                    *touched = true;
                    self.since_s = Some(seen.time_s);
                    self.why = format!("{} touched {}", bodies.name(link), bodies.name(thing));
                }
                return;
            }
            (Truth::Inside { .. } | Truth::On { .. }, At::Pairs { pairs, done, of }) => {
                pairs.retain(|pair| !taken.contains(&pair.name));
                let missing: Vec<&str> =
                    pairs.iter().filter(|pair| !pair.holds(bodies)).map(|pair| &*pair.name).collect();
                (*of, *done) = (pairs.len(), pairs.len() - missing.len());
                self.why.clear();
                if !missing.is_empty() {
                    self.why = format!("not so: {}", missing.join(", "));
                }
                missing.is_empty()
            }
            (Truth::Opened { door, times, past_rad }, At::Door { was_shut, done }) => {
                let Some(door) = seen.furniture.door(door) else { return };
                let angle_rad = door.angle_rad(data);
                if *was_shut && angle_rad > *past_rad {
                    (*was_shut, *done) = (false, *done + 1);
                } else if angle_rad < SHUT_RAD && (door.door.latch.is_none() || door.latched) {
                    *was_shut = true;
                }
                self.why = format!("opened {done} of {times} times");
                *done >= *times
            }
            (Truth::Turned { to_rad, .. }, At::Valve { joint }) => {
                let turned_rad = data.qpos()[joint.position];
                self.why = format!("turned to {:.0}°", turned_rad.to_degrees());
                turned_rad >= *to_rad
            }
            (Truth::Pressed { times, .. }, At::Button { joint, travel_m, is_down, done }) => {
                let share = data.qpos()[joint.position] / *travel_m;
                if !*is_down && share > PRESSED_SHARE {
                    (*is_down, *done) = (true, *done + 1);
                } else if share < LET_GO_SHARE {
                    *is_down = false;
                }
                self.why = format!("pressed {done} of {times} times");
                *done >= *times
            }
            (Truth::Happened { event }, At::Event { rest_m }) => {
                self.why = "it did not happen".to_owned();
                happens(event, *rest_m, data, seen)
            }
            _ => return,
        };
        match (is_true, self.lasts()) {
            (true, _) => drop(self.since_s.get_or_insert(seen.time_s)),
            (false, true) => self.since_s = None,
            (false, false) => {}
        }
    }

    /// It must still be so at the end, not only once.
    fn lasts(&self) -> bool {
        match self.truth {
            Truth::Inside { .. } | Truth::On { .. } | Truth::Turned { .. } => true,
            Truth::Through { .. }
            | Truth::Untouched { .. }
            | Truth::Opened { .. }
            | Truth::Pressed { .. }
            | Truth::Happened { .. } => false,
        }
    }

    fn seen(&self) -> TruthSeen {
        let things = match (&self.truth, &self.at) {
            (_, At::Pairs { done, of, .. }) => Some((*done, *of)),
            (Truth::Opened { times, .. }, At::Door { done, .. })
            | (Truth::Pressed { times, .. }, At::Button { done, .. }) => Some(((*done).min(*times), *times)),
            _ => None,
        };
        let (met, at_s) = match self.at {
            At::Bodies { touched, .. } => (!touched, self.since_s),
            _ => (self.since_s.is_some(), self.since_s.filter(|since_s| *since_s > FIRST_STEP_S)),
        };
        let why = if met { String::new() } else { self.why.clone() };
        let text = self.truth.to_string();
        TruthSeen { text, met, at_s, things, why }
    }
}

fn through(at: &mut At, by_m: f64, bodies: &Bodies, stance: &Stance, why: &mut String) -> bool {
    let At::Doorway { world_from_door, half_width_m, door, was_before, passed } = at else { return false };
    let door_from_world = world_from_door.inverse();
    let base_m = door_from_world.transform_point(&Point3::from(stance.base_m));
    let is_before = base_m.x < 0.0;
    if *was_before != is_before {
        *passed = !is_before && base_m.y.abs() < *half_width_m;
    }
    *was_before = is_before;
    let (length_m, width_m) = stance.foot_m;
    let corners = [(0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)];
    let beyond_m = stance.world_from_soles.iter().flat_map(|world_from_sole| {
        let door_from_sole = door_from_world * *world_from_sole;
        corners.map(|(x, y)| door_from_sole.transform_point(&Point3::new(x * length_m, y * width_m, 0.0)).x)
    });
    let beyond_m = beyond_m.fold(f64::INFINITY, f64::min) - 0.5 * Door::FRAME_DEPTH_M;
    if !*passed {
        *why = "the robot did not go through the doorway".to_owned();
        return false;
    }
    if beyond_m < by_m {
        *why = format!("the hindmost heel is {beyond_m:.2} m beyond the frame");
        return false;
    }
    if let Some((link, thing)) = bodies.touching(door) {
        *why = format!("{} still touches {}", bodies.name(link), bodies.name(thing));
        return false;
    }
    true
}

impl PairAt {
    fn holds(&self, bodies: &Bodies) -> bool {
        let data = bodies.data;
        let middle_m = Point3::from(Vector3::from(data.xipos()[self.thing]));
        let in_place_m = engine::world_from_body(data, self.of).inverse().transform_point(&middle_m);
        let over = |size_m: &Vector3<f64>| in_place_m.x.abs() < 0.5 * size_m.x && in_place_m.y.abs() < 0.5 * size_m.y;
        let is_there = match &self.place {
            Place::Room { size_m } => over(size_m) && (0.0..size_m.z).contains(&in_place_m.z),
            Place::Top { size_m } => {
                let touches = |[one, other]: &[usize; 2]| {
                    [*one, *other].contains(&self.thing) && [*one, *other].contains(&self.of)
                };
                over(size_m) && in_place_m.z > size_m.z && bodies.contacts.0.iter().any(touches)
            }
        };
        is_there && !bodies.in_hand(self.thing)
    }
}

fn at(truth: &Truth, world: &PlacedWorld, data: &Data) -> Result<At, PhysicsError> {
    Ok(match truth {
        Truth::Through { door, .. } => doorway(door, world, data)?,
        Truth::Untouched { bodies } => At::Bodies { bodies: below(bodies, data)?, touched: false },
        Truth::Inside { pairs } | Truth::On { pairs } => {
            let pairs: Vec<PairAt> = pairs.iter().map(|pair| pair_at(pair, world, data)).collect::<Result<_, _>>()?;
            At::Pairs { done: 0, of: pairs.len(), pairs }
        }
        Truth::Opened { .. } => At::Door { was_shut: false, done: 0 },
        Truth::Turned { valve, .. } => At::Valve { joint: engine::joint(data, &Valve::joint(valve))? },
        Truth::Pressed { button, .. } => {
            let travel_m = match world.object(button).map(|object| &object.kind) {
                Some(Kind::Button(button)) => button.travel_m,
                _ => 1.0,
            };
            At::Button { joint: engine::joint(data, &Button::joint(button))?, travel_m, is_down: false, done: 0 }
        }
        Truth::Happened { event: Event::Lifted { object, .. } } => {
            At::Event { rest_m: data.xpos()[engine::body(data, object)?][2] }
        }
        Truth::Happened { .. } => At::Event { rest_m: 0.0 },
    })
}

fn doorway(name: &Arc<str>, world: &PlacedWorld, data: &Data) -> Result<At, PhysicsError> {
    let object = world.object(name);
    let world_from_door = object.map_or_else(Pose::identity, |object| object.world_from_object);
    let half_width_m = match object.map(|object| &object.kind) {
        Some(Kind::Door(door)) => 0.5 * door.width_m,
        _ => 0.0,
    };
    let door = below(&[format!("{name}/panel").into(), format!("{name}/handle").into()], data)?;
    Ok(At::Doorway { world_from_door, half_width_m, door, was_before: false, passed: false })
}

/// Bodies of these names, and those that are called as parts of them.
fn below(names: &[Arc<str>], data: &Data) -> Result<Vec<usize>, PhysicsError> {
    let mut found = Vec::new();
    for name in names {
        let part = format!("{name}/");
        let is_below = |body: &usize| {
            let body = engine::body_name(data, *body);
            body == &**name || body.starts_with(&part)
        };
        let before = found.len();
        found.extend((0..data.model().ffi().nbody as usize).filter(is_below));
        // A door without walls has none that could be touched.
        if found.len() == before && name.starts_with("own/") {
            return Err(PhysicsError::NoUntouched { body: name.to_string() });
        }
    }
    Ok(found)
}

fn pair_at(pair: &Pair, world: &PlacedWorld, data: &Data) -> Result<PairAt, PhysicsError> {
    let (thing, of) = (engine::body(data, &pair.thing)?, engine::body(data, &pair.of)?);
    let place = world.object(&pair.of).map_or(Place::Room { size_m: Vector3::zeros() }, place);
    Ok(PairAt { thing, of, name: Arc::clone(&pair.thing), place })
}

fn place(object: &Object) -> Place {
    match &object.kind {
        Kind::Container(container) => Place::Room { size_m: container.size_m },
        Kind::Table(table) => Place::Top { size_m: Vector3::new(table.length_m, table.width_m, table.height_m) },
        Kind::Block(solid) | Kind::Wall(solid) => Place::Top { size_m: solid.size_m },
        // Its body has the frame of its middle.
        Kind::Box(cuboid) => Place::Top { size_m: cuboid.size_m.component_mul(&Vector3::new(1.0, 1.0, 0.5)) },
        _ => Place::Room { size_m: Vector3::zeros() },
    }
}
