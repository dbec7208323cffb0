//! What things of a world are made of, in MJCF.

use geometry::{Pose, Vector3};

use super::Element;
use crate::world::Colour;

/// What touches what. A geom of type `t` meets one of affinity `a` if they share a bit.
pub(crate) mod touch {
    /// Trunk, head and legs of the robot.
    pub const BODY: u32 = 1;
    /// Things of the world.
    pub const THING: u32 = 2;
    pub const LEFT_ARM: u32 = 4;
    pub const RIGHT_ARM: u32 = 8;
    pub const ARMS: u32 = LEFT_ARM | RIGHT_ARM;
}

/// How a thing's surface behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub colour: Colour,
    pub friction: f64,
    /// What the walking generator steps on: legs pass through it, arms and things do not.
    pub ground: bool,
}

impl Surface {
    pub fn of(colour: Colour, friction: f64) -> Surface {
        Surface { colour, friction, ground: false }
    }

    fn geom(&self, name: String, kind: &str, size_m: &[f64]) -> Element {
        let meets = touch::THING | touch::ARMS | if self.ground { 0 } else { touch::BODY };
        let Colour([red, green, blue]) = self.colour;
        Element::new("geom")
            .with("name", name)
            .with("type", kind)
            .numbers("size", size_m)
            .numbers("rgba", &[red, green, blue, 1.0])
            .numbers("friction", &[self.friction, 0.005, 0.0005])
            .with("contype", touch::THING)
            .with("conaffinity", meets)
    }

    pub fn cuboid(&self, name: String, size_m: Vector3<f64>, at_m: Vector3<f64>) -> Element {
        self.geom(name, "box", (size_m * 0.5).as_slice()).numbers("pos", at_m.as_slice())
    }

    pub fn capsule(&self, name: String, radius_m: f64, from_m: Vector3<f64>, to_m: Vector3<f64>) -> Element {
        let ends: Vec<f64> = from_m.iter().chain(to_m.iter()).copied().collect();
        self.geom(name, "capsule", &[radius_m]).numbers("fromto", &ends)
    }

    pub fn cylinder(&self, name: String, radius_m: f64, from_m: Vector3<f64>, to_m: Vector3<f64>) -> Element {
        let ends: Vec<f64> = from_m.iter().chain(to_m.iter()).copied().collect();
        self.geom(name, "cylinder", &[radius_m]).numbers("fromto", &ends)
    }

    pub fn sphere(&self, name: String, radius_m: f64) -> Element {
        self.geom(name, "sphere", &[radius_m])
    }

    pub fn plane(&self, name: String) -> Element {
        self.geom(name, "plane", &[0.0, 0.0, 1.0])
    }
}

/// The inertia that a damped joint has besides its links. With what the damping takes in one step on top, a step that
/// looks only at the speed before it comes out as one that knows the speed after it: however strong, damping never
/// throws a joint back.
pub(crate) fn armature_with(armature: f64, damping: f64) -> f64 {
    armature + damping * crate::PHYSICS_PERIOD_NS as f64 * 1e-9
}

pub(crate) fn body(name: impl Into<String>, parent_from_body: &Pose) -> Element {
    Element::new("body").with("name", name.into()).at(parent_from_body)
}

/// A thing that lies about; `mass_kg` is spread over its geoms.
pub(crate) fn free_body(name: &str, world_from_body: &Pose, mass_kg: f64, geoms: Vec<Element>) -> Element {
    let each_kg = mass_kg / geoms.len().max(1) as f64;
    body(name, world_from_body)
        .child(Element::new("freejoint").with("name", name))
        .children(geoms.into_iter().map(|geom| geom.with("mass", each_kg)))
}

/// What a world is made of besides its bodies.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    pub bodies: Vec<Element>,
    pub equalities: Vec<Element>,
    pub actuators: Vec<Element>,
    pub exclusions: Vec<Element>,
    pub assets: Vec<Element>,
}
