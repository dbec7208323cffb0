use geometry::Vector3;

use super::{Named, Object};
use crate::mjcf::{Sections, Surface, free_body};
use robot::reader::Fields;

/// In its frame: where it touches what it lies on. Its body has the frame of its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    pub radius_m: f64,
    pub mass_kg: f64,
    pub friction: f64,
}

/// In its frame: in the middle of its underside.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuboid {
    pub size_m: Vector3<f64>,
    pub mass_kg: f64,
    pub friction: f64,
}

impl Ball {
    pub(super) fn read(fields: &mut Fields) -> Ball {
        Ball {
            radius_m: fields.number("radius_m", 0.035, 0.005..=0.5),
            mass_kg: fields.number("mass_kg", 0.1, 0.001..=50.0),
            friction: fields.number("friction", 0.8, 0.0..=3.0),
        }
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let surface = Surface::of(object.colour, self.friction);
        // Without resistance to rolling a ball never comes to rest.
        let geom = surface.sphere(Named(&object.name).part("ball"), self.radius_m).with("condim", 6);
        let middle = object.world_from_object * geometry::Pose::from_translation(0.0, 0.0, self.radius_m);
        out.bodies.push(free_body(&object.name, &middle, self.mass_kg, vec![geom]));
    }
}

impl Cuboid {
    pub(super) fn read(fields: &mut Fields) -> Cuboid {
        let size = [("length_m", 0.06), ("width_m", 0.06), ("height_m", 0.1)];
        Cuboid {
            size_m: Vector3::from(size.map(|(key, default)| fields.number(key, default, 0.005..=3.0))),
            mass_kg: fields.number("mass_kg", 0.2, 0.001..=100.0),
            friction: fields.number("friction", 0.8, 0.0..=3.0),
        }
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let surface = Surface::of(object.colour, self.friction);
        let geom = surface.cuboid(Named(&object.name).part("box"), self.size_m, Vector3::zeros()).with("condim", 4);
        let middle = object.world_from_object * geometry::Pose::from_translation(0.0, 0.0, 0.5 * self.size_m.z);
        out.bodies.push(free_body(&object.name, &middle, self.mass_kg, vec![geom]));
    }
}
