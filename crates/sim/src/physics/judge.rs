//! Whether legs, feet and trunk are where a robot of flesh and steel could be. What carries the pelvis takes it through
//! anything, and legs pass through the ground they step on: here that is judged, whatever the forces say.

use mujoco_rs::prelude::MjtGeomBase;
use robot::{Robot, Side};

use super::PhysicsError;
use super::engine::{self, Data};
use crate::mjcf::{RobotNames, body_links, is_robot, rigid_links};

/// Touching is no harm; deeper than this nothing goes.
const DEEPEST_M: f64 = 0.01;
/// A foot that carries has something under it, no further away than this.
const FURTHEST_M: f64 = 0.02;
/// Physics steps from one look to the next: a swinging foot goes a centimetre in that time.
const EVERY: usize = 5;
/// How far down is looked for what a foot should stand on, to name it.
const NEAR_M: f64 = 1.0;

#[derive(Clone, Debug)]
pub(super) struct Judge {
    /// Of each geom: whether it is of the robot.
    own: Vec<bool>,
    /// Of each geom: whether it is of a leg, a foot or the trunk.
    parts: Vec<bool>,
    /// Of each geom: whether it is of the world and solid.
    things: Vec<bool>,
    /// Geoms, of a part and of what it passes through in the physics.
    sensed: Vec<[usize; 2]>,
    feet: [Vec<usize>; 2],
    /// None: there is ground of a shape that no distance is known to.
    ground: Option<Vec<usize>>,
    steps: usize,
    /// Bodies of parts and things that touch without a force, when last looked.
    pub touching: Vec<[usize; 2]>,
    /// Why the robot has fallen.
    pub fall: Option<String>,
}

/// A part of the robot in something, by bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub link: usize,
    pub thing: usize,
    pub deep_m: f64,
}

impl Judge {
    pub fn new(robot: &Robot, data: &Data) -> Result<Judge, PhysicsError> {
        let model = data.model();
        let (of_geom, count) = (model.geom_bodyid(), model.geom_type().len());
        let bodies = |links: Vec<usize>| {
            let names = links.into_iter().map(|link| RobotNames::of(&robot.description.links[link].name));
            names.map(|name| engine::body(data, &name)).collect::<Result<Vec<usize>, PhysicsError>>()
        };
        let geoms = |bodies: &[usize]| -> Vec<usize> {
            (0..count).filter(|geom| bodies.contains(&(of_geom[*geom] as usize))).collect()
        };
        let solid = |geom: usize| model.geom_contype()[geom] != 0 || model.geom_conaffinity()[geom] != 0;
        let own = |geom: usize| is_robot(engine::body_name(data, of_geom[geom] as usize));
        let own: Vec<bool> = (0..count).map(own).collect();
        let things: Vec<bool> = (0..count).map(|geom| solid(geom) && !own[geom]).collect();
        let mut parts = vec![false; count];
        geoms(&bodies(body_links(robot))?).into_iter().for_each(|geom| parts[geom] = true);
        let of_feet = |side: Side| bodies(rigid_links(robot, robot.frames.soles[side.index()]));
        let feet = [geoms(&of_feet(Side::Left)?), geoms(&of_feet(Side::Right)?)];
        let known = |geom: usize| is_known(data, geom);
        let ground: Vec<usize> = (0..count).filter(|geom| things[*geom]).collect();
        let sensed = (0..count).filter(|part| parts[*part]).flat_map(|part| {
            let passed = ground.iter().copied().filter(move |thing| known(*thing) && !meet(data, part, *thing));
            passed.map(move |thing| [part, thing])
        });
        let sensed = sensed.collect();
        let ground = ground.iter().all(|thing| known(*thing)).then_some(ground);
        Ok(Judge { own, parts, things, sensed, feet, ground, steps: 0, touching: Vec::new(), fall: None })
    }

    /// `standing` says which feet the walking generator has on the ground. True: the robot has just fallen.
    pub fn step(&mut self, data: &mut Data, standing: [bool; 2]) -> bool {
        self.steps += 1;
        if !self.steps.is_multiple_of(EVERY) || self.fall.is_some() {
            return false;
        }
        let inside = self.inside(data, 0.0);
        self.touching.clear();
        self.touching.extend(inside.iter().map(|inside| [inside.link, inside.thing]));
        let deepest = inside.iter().chain(&self.pressed(data)).copied().fold(None, |deepest: Option<Inside>, next| {
            deepest.filter(|deepest| deepest.deep_m >= next.deep_m).or(Some(next))
        });
        self.fall = deepest.filter(|deepest| deepest.deep_m > DEEPEST_M).map(|deepest| {
            let (link, thing) = (engine::plain_name(data, deepest.link), engine::plain_name(data, deepest.thing));
            format!("the robot fell: its {link} was {:.1} cm inside {thing}", 100.0 * deepest.deep_m)
        });
        if self.fall.is_none() {
            self.fall = Side::BOTH
                .into_iter()
                .filter(|side| standing[side.index()])
                .find_map(|side| self.on_nothing(data, side));
        }
        self.fall.is_some()
    }

    /// Parts that are deeper than this in what they pass through, each pair of bodies once.
    pub fn inside(&self, data: &mut Data, deeper_than_m: f64) -> Vec<Inside> {
        let mut found: Vec<Inside> = Vec::new();
        for [part, thing] in &self.sensed {
            if gap_m(data, *part, *thing) > 0.0 {
                continue;
            }
            let deep_m = -data.geom_distance(*part, *thing, NEAR_M, None);
            if deep_m > deeper_than_m {
                add(&mut found, of_bodies(data, *part, *thing, deep_m));
            }
        }
        found
    }

    /// Parts that are in what pushes back.
    fn pressed(&self, data: &Data) -> Vec<Inside> {
        let mut found = Vec::new();
        for contact in data.contact().iter().filter(|contact| contact.dist < 0.0) {
            let [Ok(one), Ok(other)] = contact.geom.map(usize::try_from) else { continue };
            for (part, thing) in [(one, other), (other, one)] {
                if self.parts[part] && self.things[thing] {
                    add(&mut found, of_bodies(data, part, thing, -contact.dist));
                }
            }
        }
        found
    }

    /// What pushes hardest against the robot: why its feet could not hold.
    pub fn pushed_by(&self, data: &Data) -> Option<String> {
        let mut hardest: Option<(f64, [usize; 2])> = None;
        for (index, contact) in data.contact().iter().enumerate().filter(|(_, contact)| contact.efc_address >= 0) {
            let [Ok(one), Ok(other)] = contact.geom.map(usize::try_from) else { continue };
            let pairs = [[one, other], [other, one]];
            let Some(pair) = pairs.into_iter().find(|[link, thing]| self.own[*link] && self.things[*thing]) else {
                continue;
            };
            let force_n = data.contact_force(index)[0];
            if hardest.is_none_or(|(hardest_n, _)| force_n > hardest_n) {
                hardest = Some((force_n, pair));
            }
        }
        let (_, [link, thing]) = hardest?;
        let name = |geom: usize| engine::plain_name(data, data.model().geom_bodyid()[geom] as usize);
        Some(format!("its {} was against {}", name(link), name(thing)))
    }

    /// Why a foot that should carry does not.
    fn on_nothing(&self, data: &mut Data, side: Side) -> Option<String> {
        let (feet, ground) = (&self.feet[side.index()], self.ground.as_ref()?);
        let mut nearest = (NEAR_M, None);
        for foot in feet {
            for thing in ground {
                if gap_m(data, *foot, *thing) > nearest.0 {
                    continue;
                }
                let away_m = data.geom_distance(*foot, *thing, NEAR_M, None);
                if away_m < FURTHEST_M {
                    return None;
                }
                if away_m < nearest.0 {
                    nearest = (away_m, Some(*thing));
                }
            }
        }
        let foot = feet.first()?;
        let name = |geom: usize| engine::plain_name(data, data.model().geom_bodyid()[geom] as usize);
        let (foot, below) = (name(*foot), nearest.1.map_or_else(|| "anything".to_owned(), name));
        Some(format!("the robot fell: its {foot} stands on nothing, {:.0} cm above {below}", 100.0 * nearest.0))
    }
}

fn of_bodies(data: &Data, part: usize, thing: usize, deep_m: f64) -> Inside {
    let body = |geom: usize| data.model().geom_bodyid()[geom] as usize;
    Inside { link: body(part), thing: body(thing), deep_m }
}

/// As deep as two bodies are anywhere.
fn add(found: &mut Vec<Inside>, inside: Inside) {
    match found.iter_mut().find(|other| (other.link, other.thing) == (inside.link, inside.thing)) {
        Some(other) => other.deep_m = other.deep_m.max(inside.deep_m),
        None => found.push(inside),
    }
}

/// Whether the physics lets these two touch.
fn meet(data: &Data, one: usize, other: usize) -> bool {
    let (types, affinities) = (data.model().geom_contype(), data.model().geom_conaffinity());
    types[one] & affinities[other] != 0 || types[other] & affinities[one] != 0
}

/// Whether MuJoCo tells how far away it is.
fn is_known(data: &Data, geom: usize) -> bool {
    !matches!(data.model().geom_type()[geom], MjtGeomBase::mjGEOM_HFIELD | MjtGeomBase::mjGEOM_SDF)
}

/// At least this far apart, m: of the ball around the part, found at once. Most of the world is far away.
fn gap_m(data: &Data, part: usize, thing: usize) -> f64 {
    let model = data.model();
    let centre_m = geometry::Vector3::from(data.geom_xpos()[part]);
    let from_thing_m = centre_m - geometry::Vector3::from(data.geom_xpos()[thing]);
    let turn = geometry::Matrix3::from_row_slice(&data.geom_xmat()[thing]);
    let in_thing_m = turn.transpose() * from_thing_m;
    let away_m = match model.geom_type()[thing] {
        MjtGeomBase::mjGEOM_PLANE => in_thing_m.z,
        MjtGeomBase::mjGEOM_BOX => {
            let half_m = geometry::Vector3::from(model.geom_size()[thing]);
            (in_thing_m.abs() - half_m).map(|beyond_m| beyond_m.max(0.0)).norm()
        }
        _ => from_thing_m.norm() - model.geom_rbound()[thing],
    };
    away_m - model.geom_rbound()[part]
}
