use geometry::Vector3;

use super::{Named, Object};
use crate::mjcf::{Sections, Surface, body};
use robot::reader::Fields;

/// A wall or a block to step on. In its frame: in the middle of its underside.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub size_m: Vector3<f64>,
    pub friction: f64,
}

/// In their frame: on the floor before the middle of the first step; they go up along x.
#[derive(Clone, Debug, PartialEq)]
pub struct Stairs {
    pub count: usize,
    pub rise_m: f64,
    pub run_m: f64,
    pub width_m: f64,
}

impl Solid {
    pub(super) fn read(fields: &mut Fields, usual_m: [f64; 3]) -> Solid {
        let [length, width, height] = usual_m;
        Solid {
            size_m: Vector3::new(
                fields.number("length_m", length, 0.01..=50.0),
                fields.number("width_m", width, 0.01..=50.0),
                fields.number("height_m", height, 0.01..=10.0),
            ),
            friction: fields.number("friction", 0.8, 0.0..=3.0),
        }
    }

    pub(super) fn mjcf(&self, object: &Object, ground: bool, out: &mut Sections) {
        let surface = Surface { ground, ..Surface::of(object.colour, self.friction) };
        let geom = surface.cuboid(Named(&object.name).part("solid"), self.size_m, Vector3::z() * (0.5 * self.size_m.z));
        out.bodies.push(body(object.name.to_string(), &object.world_from_object).child(geom));
    }
}

impl Stairs {
    pub(super) fn read(fields: &mut Fields) -> Stairs {
        Stairs {
            count: fields.count("count", 3, 1..=40),
            rise_m: fields.number("rise_m", 0.15, 0.01..=0.5),
            run_m: fields.number("run_m", 0.3, 0.1..=2.0),
            width_m: fields.number("width_m", 1.2, 0.3..=10.0),
        }
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let surface = Surface { ground: true, ..Surface::of(object.colour, 0.8) };
        let steps = (0..self.count).map(|step| {
            let size_m = Vector3::new(self.run_m, self.width_m, self.rise_m * (step + 1) as f64);
            let at_m = Vector3::new(self.run_m * (step as f64 + 0.5), 0.0, 0.5 * size_m.z);
            surface.cuboid(Named(&object.name).part(&format!("step{step}")), size_m, at_m)
        });
        out.bodies.push(body(object.name.to_string(), &object.world_from_object).children(steps));
    }
}
