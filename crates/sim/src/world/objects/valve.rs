use geometry::{Pose, Vector3};

use super::{Named, Object};
use crate::mjcf::{Element, Sections, Surface, body};
use robot::reader::Fields;

/// A wheel on a stand. In its frame: on the floor below its middle; who turns it looks along x.
#[derive(Clone, Debug, PartialEq)]
pub struct Valve {
    pub height_m: f64,
    pub radius_m: f64,
    /// What it takes to turn it where it is loose.
    pub friction_nm: f64,
    /// More for each rad that it is tightened, which is clockwise.
    pub rise_nm_per_rad: f64,
    /// From one end to the other: to its seat, if it has one.
    pub travel_rad: f64,
    /// Tightened at the start.
    pub turned_rad: f64,
}

const SPOKES: usize = 3;
const RIM: usize = 12;

impl Valve {
    pub(super) fn read(fields: &mut Fields) -> Valve {
        let mut valve = Valve {
            height_m: fields.number("height_m", 1.0, 0.2..=2.0),
            radius_m: fields.number("radius_m", 0.12, 0.04..=0.4),
            friction_nm: fields.number("friction_nm", 1.0, 0.0..=50.0),
            rise_nm_per_rad: fields.number("rise_nm_per_rad", 1.5, 0.0..=50.0),
            travel_rad: fields.number("travel_deg", 540.0, 10.0..=3600.0).to_radians(),
            turned_rad: fields.number("turned_deg", 0.0, 0.0..=3600.0).to_radians(),
        };
        let tight_nm = fields.number("tight_nm", f64::INFINITY, 0.1..=1000.0);
        if tight_nm <= valve.friction_nm {
            fields.error("tight_nm", "not more than `friction_nm`: the valve would be tight wherever it is");
        } else {
            valve.travel_rad = valve.travel_rad.min((tight_nm - valve.friction_nm) / valve.rise_nm_per_rad);
        }
        if valve.turned_rad > valve.travel_rad {
            let end_deg = valve.travel_rad.to_degrees();
            let message =
                format!("its end is at {end_deg:.0}° by `travel_deg` or `tight_nm`: it cannot be turned further");
            fields.error("turned_deg", message);
        }
        valve
    }

    pub fn joint(name: &str) -> String {
        format!("{name}/wheel")
    }

    /// What it takes to turn it further.
    pub fn torque_nm(&self, turned_rad: f64) -> f64 {
        self.friction_nm + self.rise_nm_per_rad * turned_rad.max(0.0)
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let name = Named(&object.name);
        let stand = Surface::of(crate::world::Colour::GREY, 0.6);
        let at_m = Vector3::new(0.16, 0.0, 0.5 * self.height_m);
        let post = stand.cuboid(name.part("stand"), Vector3::new(0.08, 0.08, self.height_m), at_m);
        out.bodies.push(body(object.name.to_string(), &object.world_from_object).child(post));
        let to_wheel = object.world_from_object * Pose::from_translation(0.0, 0.0, self.height_m);
        // Clockwise as seen by who looks along x.
        let joint = Element::new("joint")
            .with("name", Valve::joint(&object.name))
            .with("type", "hinge")
            .numbers("axis", &[1.0, 0.0, 0.0])
            .with("limited", "true")
            .numbers("range", &[0.0, self.travel_rad])
            .with("frictionloss", self.torque_nm(self.turned_rad))
            // Softer, friction would creep under a load that it holds.
            .numbers("solimpfriction", &[0.999, 0.999, 0.001])
            .with("damping", 0.05)
            .with("armature", 0.01);
        let surface = Surface::of(object.colour, 0.9);
        let point = |index: usize, count: usize| {
            let angle_rad = std::f64::consts::TAU * index as f64 / count as f64;
            Vector3::new(0.0, self.radius_m * libm::sin(angle_rad), self.radius_m * libm::cos(angle_rad))
        };
        let rim = (0..RIM).map(|index| {
            let part = name.part(&format!("rim{index}"));
            surface.capsule(part, 0.012, point(index, RIM), point(index + 1, RIM)).with("mass", 0.08)
        });
        let spokes = (0..SPOKES).map(|index| {
            let part = name.part(&format!("spoke{index}"));
            surface.capsule(part, 0.009, Vector3::zeros(), point(index, SPOKES)).with("mass", 0.1)
        });
        let axle = surface.cylinder(name.part("axle"), 0.02, Vector3::zeros(), Vector3::x() * 0.1).with("mass", 0.3);
        out.bodies.push(body(name.part("wheel"), &to_wheel).child(joint).children(rim).children(spokes).child(axle));
        out.exclusions.push(Element::new("exclude").with("body1", &*object.name).with("body2", name.part("wheel")));
    }
}
