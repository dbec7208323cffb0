use geometry::Vector3;

use super::{Named, Object};
use crate::mjcf::{Element, Sections, Surface, armature_with, body};
use robot::reader::Fields;

/// In its frame: on the floor in its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub length_m: f64,
    pub width_m: f64,
    pub height_m: f64,
    pub friction: f64,
}

const TOP_M: f64 = 0.03;
const LEG_M: f64 = 0.05;
/// Of a table that is moved while something is on it.
const MASS_KG: f64 = 40.0;

impl Table {
    pub(super) fn read(fields: &mut Fields) -> Table {
        Table {
            length_m: fields.number("length_m", 0.6, 0.1..=5.0),
            width_m: fields.number("width_m", 1.2, 0.1..=5.0),
            height_m: fields.number("height_m", 0.75, 0.1..=2.0),
            friction: fields.number("friction", 0.6, 0.0..=3.0),
        }
    }

    /// Along x, y and about z, of a table that a disturbance moves.
    pub fn joints(name: &str) -> [String; 3] {
        ["x", "y", "yaw"].map(|axis| format!("{name}/{axis}"))
    }

    pub(super) fn mjcf(&self, object: &Object, moves: bool, out: &mut Sections) {
        let name = Named(&object.name);
        let surface = Surface::of(object.colour, self.friction);
        let size_m = Vector3::new(self.length_m, self.width_m, TOP_M);
        let mut geoms = vec![surface.cuboid(name.part("top"), size_m, Vector3::z() * (self.height_m - 0.5 * TOP_M))];
        let leg_m = Vector3::new(LEG_M, LEG_M, self.height_m - TOP_M);
        let [x_m, y_m] = [self.length_m, self.width_m].map(|size_m| 0.5 * (size_m - LEG_M));
        for (index, (x, y)) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].into_iter().enumerate() {
            let at_m = Vector3::new(x * x_m, y * y_m, 0.5 * leg_m.z);
            geoms.push(surface.cuboid(name.part(&format!("leg{index}")), leg_m, at_m));
        }
        let mut table = body(object.name.to_string(), &object.world_from_object);
        if moves {
            let names = Table::joints(&object.name);
            let axes = [("slide", [1.0, 0.0, 0.0]), ("slide", [0.0, 1.0, 0.0]), ("hinge", [0.0, 0.0, 1.0])];
            for (joint, (kind, axis)) in names.iter().zip(axes) {
                let damping = 2_500.0;
                let armature = armature_with(1.0, damping);
                let joint_element = Element::new("joint").with("name", joint).with("type", kind).numbers("axis", &axis);
                table = table.child(joint_element.with("armature", armature).with("damping", damping));
                let drive = Element::new("position").with("name", joint).with("joint", joint);
                out.actuators.push(drive.with("kp", 40_000.0));
            }
            geoms = geoms.into_iter().map(|geom| geom.with("mass", MASS_KG / 5.0)).collect();
        }
        out.bodies.push(table.children(geoms));
    }
}
