use std::collections::{BTreeMap, BTreeSet};

use model::Random;

use crate::collision::{LinkShape, all_at};
use crate::model::Model;

/// How many random configurations tell which links often touch.
const SAMPLES: usize = 200;
/// Two links that touch in this share of all configurations are made so: three joints in one place make a hip, whose
/// thigh is a neighbour of the pelvis though there are links between.
const OFTEN: f64 = 0.4;

/// Pairs of shapes whose touching would be a collision, by rising links. Not so for shapes of one rigid body or of two
/// that a joint connects, of links that touch at rest already, and of links that often touch.
pub(crate) fn unfiltered_pairs(model: &Model, shapes: &[LinkShape]) -> Vec<[usize; 2]> {
    let body_of = rigid_bodies(model);
    let above = |body: usize| model.links[body].parent.map(|parent| body_of[parent]);
    let mut pairs = Vec::new();
    for (one, one_shape) in shapes.iter().enumerate() {
        for (two, two_shape) in shapes.iter().enumerate().skip(one + 1) {
            let bodies = [body_of[one_shape.link], body_of[two_shape.link]];
            let joined = above(bodies[0]) == Some(bodies[1]) || above(bodies[1]) == Some(bodies[0]);
            if bodies[0] != bodies[1] && !joined {
                pairs.push([one, two]);
            }
        }
    }
    let links = |[one, two]: [usize; 2]| [shapes[one].link, shapes[two].link];
    let mut meant = touching(model, shapes, &pairs, &model.neutral());
    let mut counts: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut random = Random::new(1);
    for _ in 0..SAMPLES {
        for links in touching(model, shapes, &pairs, &any_configuration(model, &mut random)) {
            *counts.entry(links).or_default() += 1;
        }
    }
    meant.extend(counts.iter().filter(|(_, count)| **count as f64 >= OFTEN * SAMPLES as f64).map(|(links, _)| links));
    pairs.retain(|pair| !meant.contains(&links(*pair)));
    pairs
}

fn any_configuration(model: &Model, random: &mut Random) -> Vec<f64> {
    let range = std::f64::consts::PI;
    let limits = model.coordinates().iter().map(|coordinate| coordinate.limits);
    limits.map(|limits| random.between(limits.lower.max(-range), limits.upper.min(range))).collect()
}

/// For each link, the first link of those that fixed joints make one body of.
fn rigid_bodies(model: &Model) -> Vec<usize> {
    let mut bodies: Vec<usize> = Vec::new();
    for (index, link) in model.links.iter().enumerate() {
        let body = match link.parent {
            Some(parent) if link.drive.is_none() => bodies[parent],
            _ => index,
        };
        bodies.push(body);
    }
    bodies
}

fn touching(model: &Model, shapes: &[LinkShape], pairs: &[[usize; 2]], positions: &[f64]) -> BTreeSet<[usize; 2]> {
    let mut poses = model.new_poses();
    model.forward(positions, &mut poses);
    let at = all_at(shapes, &poses);
    let near = pairs.iter().filter(|[one, two]| !at[*one].is_beyond(&at[*two], 0.0));
    let touching = near.filter(|[one, two]| at[*one].meets(&at[*two]));
    touching.map(|[one, two]| [shapes[*one].link, shapes[*two].link]).collect()
}
