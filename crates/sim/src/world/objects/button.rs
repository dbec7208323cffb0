use geometry::{Pose, Vector3};

use super::{Named, Object};
use crate::mjcf::{Element, Sections, Surface, body};
use robot::reader::Fields;

/// On a post. In its frame: on the floor below it; who presses it presses along x.
#[derive(Clone, Debug, PartialEq)]
pub struct Button {
    pub height_m: f64,
    pub radius_m: f64,
    pub travel_m: f64,
    /// At the end of its travel.
    pub force_n: f64,
}

impl Button {
    pub(super) fn read(fields: &mut Fields) -> Button {
        Button {
            height_m: fields.number("height_m", 1.1, 0.2..=2.0),
            radius_m: fields.number("radius_m", 0.03, 0.005..=0.2),
            travel_m: fields.number("travel_m", 0.01, 0.002..=0.05),
            force_n: fields.number("force_n", 8.0, 0.5..=200.0),
        }
    }

    pub fn joint(name: &str) -> String {
        format!("{name}/cap")
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let name = Named(&object.name);
        let post = Surface::of(crate::world::Colour::GREY, 0.6);
        let high_m = self.height_m + 0.1;
        let geom =
            post.cuboid(name.part("post"), Vector3::new(0.06, 0.12, high_m), Vector3::new(0.06, 0.0, 0.5 * high_m));
        out.bodies.push(body(object.name.to_string(), &object.world_from_object).child(geom));
        let to_cap = object.world_from_object * Pose::from_translation(0.0, 0.0, self.height_m);
        let stiffness = self.force_n / (1.2 * self.travel_m);
        let joint = Element::new("joint")
            .with("name", Button::joint(&object.name))
            .with("type", "slide")
            .numbers("axis", &[1.0, 0.0, 0.0])
            .with("limited", "true")
            .numbers("range", &[0.0, self.travel_m])
            .with("stiffness", stiffness)
            .with("springref", -0.2 * self.travel_m)
            .with("damping", 4.0)
            .with("armature", 0.02);
        let cap = Surface::of(object.colour, 0.8);
        let back_m = Vector3::x() * (0.025 - self.travel_m);
        let geom = cap.cylinder(name.part("cap"), self.radius_m, Vector3::zeros(), back_m).with("mass", 0.05);
        out.bodies.push(body(name.part("cap"), &to_cap).child(joint).child(geom));
        out.exclusions.push(Element::new("exclude").with("body1", &*object.name).with("body2", name.part("cap")));
    }
}
