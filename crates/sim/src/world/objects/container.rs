use geometry::Vector3;

use super::{Named, Object};
use crate::mjcf::{Sections, Surface, body, free_body};
use robot::reader::Fields;

/// Open at its top. In its frame: in the middle of its underside.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Outside.
    pub size_m: Vector3<f64>,
    pub mass_kg: f64,
    pub friction: f64,
    /// It cannot be moved.
    pub fixed: bool,
}

const THICKNESS_M: f64 = 0.008;

impl Container {
    pub(super) fn read(fields: &mut Fields) -> Container {
        let size = [("length_m", 0.25), ("width_m", 0.25), ("height_m", 0.12)];
        Container {
            size_m: Vector3::from(size.map(|(key, default)| fields.number(key, default, 0.05..=3.0))),
            mass_kg: fields.number("mass_kg", 0.5, 0.01..=100.0),
            friction: fields.number("friction", 0.6, 0.0..=3.0),
            fixed: fields.flag("fixed", false),
        }
    }

    pub(super) fn thickness_m(&self) -> f64 {
        THICKNESS_M
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let name = Named(&object.name);
        let surface = Surface::of(object.colour, self.friction);
        let (x, y, z) = (self.size_m.x, self.size_m.y, self.size_m.z);
        let mut geoms = vec![surface.cuboid(
            name.part("bottom"),
            Vector3::new(x, y, THICKNESS_M),
            Vector3::z() * 0.5 * THICKNESS_M,
        )];
        for side in [1.0, -1.0] {
            let (along_x, along_y) = (Vector3::new(x, THICKNESS_M, z), Vector3::new(THICKNESS_M, y, z));
            let [to_x, to_y] = [x, y].map(|size_m| side * 0.5 * (size_m - THICKNESS_M));
            geoms.push(surface.cuboid(name.of("side", side), along_x, Vector3::new(0.0, to_y, 0.5 * z)));
            geoms.push(surface.cuboid(name.of("end", side), along_y, Vector3::new(to_x, 0.0, 0.5 * z)));
        }
        out.bodies.push(if self.fixed {
            body(object.name.to_string(), &object.world_from_object).children(geoms)
        } else {
            free_body(&object.name, &object.world_from_object, self.mass_kg, geoms)
        });
    }
}
