use geometry::{Pose, Vector3};

use super::{Named, Object};
use crate::mjcf::{Element, Sections, Surface, armature_with, body};
use robot::reader::Fields;

/// In its frame: on the floor in the middle of the doorway, x through it, away from who comes to it; y to the left.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// Whoever comes along x pushes it open, or pulls.
    pub push: bool,
    pub hinge_left: bool,
    pub handle: Handle,
    /// None: it opens without.
    pub latch: Option<Latch>,
    pub closer: Option<Closer>,
    /// In the hinge.
    pub friction_nm: f64,
    pub width_m: f64,
    pub height_m: f64,
    pub mass_kg: f64,
    pub handle_height_m: f64,
    /// From the edge of the panel to the middle of the handle.
    pub handle_inset_m: f64,
    /// That brings a handle back: at its end, N·m, of a push bar N.
    pub handle_spring: f64,
    /// How far it stands open at the start.
    pub open_rad: f64,
    /// Of the wall to each side of the frame.
    pub wall_m: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    Lever,
    Knob,
    PushBar,
    /// Does not move.
    Fixed,
}

/// Lets go while the handle is past this: rad of a lever or knob, m of a push bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latch {
    pub release: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closer {
    pub torque_nm: f64,
    pub stiffness_nm_per_rad: f64,
    pub damping_nm_s: f64,
}

const THICKNESS_M: f64 = 0.04;
const FRAME_M: f64 = 0.08;
const WIDEST_RAD: f64 = 1.75;
const LEVER_END_RAD: f64 = 1.0;
const KNOB_END_RAD: f64 = 1.4;
const BAR_END_M: f64 = 0.035;
/// From the middle of the panel to the middle of what is gripped.
const STANDOFF_M: f64 = 0.075;

impl Door {
    /// Of the frame, along x.
    pub(crate) const FRAME_DEPTH_M: f64 = 0.12;

    pub(super) fn read(fields: &mut Fields) -> Door {
        let handle = fields.word(
            "handle",
            &[
                ("lever", Handle::Lever),
                ("knob", Handle::Knob),
                ("push_bar", Handle::PushBar),
                ("fixed", Handle::Fixed),
            ],
        );
        let push = fields.word("opens", &[("push", true), ("pull", false)]);
        if handle == Handle::PushBar && !push {
            fields.error("handle", "a push bar is on a door that opens by push: write \"opens\": \"push\"");
        }
        Door {
            push,
            hinge_left: fields.word("hinge", &[("left", true), ("right", false)]),
            latch: latch(fields, handle),
            closer: closer(fields),
            friction_nm: fields.number("friction_nm", 0.5, 0.0..=100.0),
            width_m: fields.number("width_m", 0.9, 0.5..=3.0),
            height_m: fields.number("height_m", 2.0, 1.2..=4.0),
            mass_kg: fields.number("mass_kg", 20.0, 1.0..=300.0),
            handle_height_m: fields.number("handle_height_m", 1.0, 0.4..=1.6),
            handle_inset_m: fields.number("handle_inset_m", 0.08, 0.04..=0.4),
            handle_spring: match handle {
                Handle::PushBar => fields.number("handle_spring_n", 25.0, 0.0..=300.0),
                _ => fields.number("handle_spring_nm", 1.0, 0.0..=20.0),
            },
            open_rad: fields.number("open_deg", 0.0, 0.0..=100.0).to_radians(),
            wall_m: fields.number("wall_m", 1.0, 0.0..=10.0),
            handle,
        }
    }

    pub fn hinge_joint(name: &str) -> String {
        format!("{name}/hinge")
    }

    pub fn handle_joint(name: &str) -> String {
        format!("{name}/handle")
    }

    /// The constraint that holds it shut.
    pub fn latch_name(name: &str) -> String {
        format!("{name}/latch")
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let name = Named(&object.name);
        let side = if self.hinge_left { 1.0 } else { -1.0 };
        let panel_name = name.part("panel");
        let apart = |other: &str| Element::new("exclude").with("body1", other).with("body2", &panel_name);
        // Bodies of their own are small; one around all would be near to everything.
        let frame = self.frame(object).into_iter().map(|(name, geom)| {
            out.exclusions.push(apart(&name));
            body(name, &Pose::identity()).child(geom)
        });
        let frame = body(object.name.to_string(), &object.world_from_object).children(frame);
        out.bodies.push(frame);
        let to_hinge = Pose::from_translation(0.0, side * 0.5 * self.width_m, 0.0);
        let turn = if self.hinge_left == self.push { 1.0 } else { -1.0 };
        let closer = self.closer.unwrap_or(Closer { torque_nm: 0.0, stiffness_nm_per_rad: 0.0, damping_nm_s: 0.5 });
        // A spring pulls as hard as wanted at zero if it is at rest behind it; without stiffness it could not.
        let stiffness =
            if closer.torque_nm > 0.0 { closer.stiffness_nm_per_rad.max(0.2) } else { closer.stiffness_nm_per_rad };
        let rest_rad = if stiffness > 0.0 { -closer.torque_nm / stiffness } else { 0.0 };
        let hinge = Element::new("joint")
            .with("name", Door::hinge_joint(&object.name))
            .with("type", "hinge")
            .numbers("axis", &[0.0, 0.0, turn])
            .with("limited", "true")
            .numbers("range", &[0.0, WIDEST_RAD])
            .with("frictionloss", self.friction_nm)
            .numbers("solimpfriction", &[0.999, 0.999, 0.001])
            .with("stiffness", stiffness)
            .with("springref", rest_rad)
            .with("damping", closer.damping_nm_s)
            .with("armature", armature_with(0.01, closer.damping_nm_s));
        let surface = Surface::of(object.colour, 0.6);
        let clearance_m = 0.005;
        let size_m = Vector3::new(THICKNESS_M, self.width_m - 2.0 * clearance_m, self.height_m - 0.02);
        let middle_m = Vector3::new(0.0, -side * 0.5 * self.width_m, 0.5 * self.height_m + 0.005);
        let panel = surface.cuboid(name.part("panel"), size_m, middle_m).with("mass", self.mass_kg);
        let mut leaf = body(&*panel_name, &(object.world_from_object * to_hinge)).child(hinge).child(panel);
        leaf.children.extend(self.handle(object, side));
        out.bodies.push(leaf);
        if let Some(_latch) = self.latch {
            out.equalities.push(
                Element::new("joint")
                    .with("name", Door::latch_name(&object.name))
                    .with("joint1", Door::hinge_joint(&object.name))
                    .numbers("polycoef", &[0.0, 0.0, 0.0, 0.0, 0.0])
                    .numbers("solref", &[0.004, 1.0])
                    .numbers("solimp", &[0.99, 0.999, 0.001]),
            );
        }
    }

    /// By name.
    fn frame(&self, object: &Object) -> Vec<(String, Element)> {
        let name = Named(&object.name);
        let surface = Surface::of(crate::world::Colour::GREY, 0.6);
        let high_m = self.height_m + FRAME_M;
        let post_m = 0.5 * (self.width_m + FRAME_M);
        let size_m = Vector3::new(Door::FRAME_DEPTH_M, FRAME_M, high_m);
        let cuboid = |surface: &Surface, name: String, size_m: Vector3<f64>, at_m: Vector3<f64>| {
            let geom = surface.cuboid(name.clone(), size_m, at_m);
            (name, geom)
        };
        let mut parts: Vec<(String, Element)> = [1.0, -1.0]
            .map(|side| {
                cuboid(&surface, name.of("frame", side), size_m, Vector3::new(0.0, side * post_m, 0.5 * high_m))
            })
            .into();
        let lintel_m = Vector3::new(Door::FRAME_DEPTH_M, self.width_m, FRAME_M);
        let over_m = Vector3::new(0.0, 0.0, self.height_m + 0.5 * FRAME_M);
        parts.push(cuboid(&surface, name.part("lintel"), lintel_m, over_m));
        if self.wall_m > 0.0 {
            let wall = Surface::of(crate::world::Colour([0.8, 0.8, 0.77]), 0.6);
            let size_m = Vector3::new(0.1, self.wall_m, high_m);
            let at_m = 0.5 * self.width_m + FRAME_M + 0.5 * self.wall_m;
            parts.extend([1.0, -1.0].map(|side| {
                cuboid(&wall, name.of("wall", side), size_m, Vector3::new(0.0, side * at_m, 0.5 * high_m))
            }));
        }
        parts
    }

    /// On both sides of the panel, but for a push bar.
    fn handle(&self, object: &Object, side: f64) -> Vec<Element> {
        let part = Named(&object.name).part("handle");
        let steel = Surface::of(crate::world::Colour([0.75, 0.75, 0.78]), 0.8);
        let y_m = -side * (self.width_m - self.handle_inset_m);
        let to_handle = Pose::from_translation(0.0, y_m, self.handle_height_m);
        let both = [("/out", -1.0), ("/in", 1.0)];
        let named = |end: &str| format!("{part}{end}");
        let joint = |kind: &str, axis: [f64; 3], range: [f64; 2], end: f64| {
            let damping = 0.02 * (self.handle_spring / end).max(0.5);
            Element::new("joint")
                .with("name", Door::handle_joint(&object.name))
                .with("type", kind)
                .numbers("axis", &axis)
                .with("limited", "true")
                .numbers("range", &range)
                .with("stiffness", self.handle_spring / (1.3 * end))
                .with("springref", -0.3 * end)
                .with("damping", damping)
                .with("armature", armature_with(0.001, damping))
        };
        match self.handle {
            Handle::Lever => {
                // Downward at its tip, which points to the hinge.
                let bar = both.map(|(end, x)| {
                    let x_m = x * STANDOFF_M;
                    let tip_m = Vector3::new(x_m, side * 0.12, 0.0);
                    steel.capsule(named(end), 0.011, Vector3::new(x_m, 0.0, 0.0), tip_m).with("mass", 0.15)
                });
                let shaft = steel
                    .cylinder(
                        named("/shaft"),
                        0.011,
                        Vector3::new(-STANDOFF_M, 0.0, 0.0),
                        Vector3::new(STANDOFF_M, 0.0, 0.0),
                    )
                    .with("mass", 0.1);
                let turning = joint("hinge", [-side, 0.0, 0.0], [0.0, LEVER_END_RAD], LEVER_END_RAD);
                vec![body(part.clone(), &to_handle).child(turning).children(bar).child(shaft)]
            }
            Handle::Knob => {
                let knob = both.map(|(end, x)| {
                    let (from_m, to_m) = (Vector3::x() * (x * 0.05), Vector3::x() * (x * 0.085));
                    steel.cylinder(named(end), 0.027, from_m, to_m).with("mass", 0.15)
                });
                let shaft =
                    steel.cylinder(named("/shaft"), 0.01, Vector3::x() * -0.06, Vector3::x() * 0.06).with("mass", 0.1);
                let spring = Element::new("joint")
                    .with("name", Door::handle_joint(&object.name))
                    .with("type", "hinge")
                    .numbers("axis", &[1.0, 0.0, 0.0])
                    .with("limited", "true")
                    .numbers("range", &[-KNOB_END_RAD, KNOB_END_RAD])
                    .with("stiffness", self.handle_spring / KNOB_END_RAD)
                    .with("damping", 0.02)
                    .with("armature", 0.001);
                vec![body(part.clone(), &to_handle).child(spring).children(knob).child(shaft)]
            }
            Handle::PushBar => {
                let half_m = 0.35 * self.width_m;
                let to_bar = Pose::from_translation(0.0, -side * 0.5 * self.width_m, self.handle_height_m);
                let ends_m = [1.0, -1.0].map(|end| Vector3::new(-STANDOFF_M, end * half_m, 0.0));
                let bar = steel.capsule(named("/out"), 0.018, ends_m[0], ends_m[1]).with("mass", 0.8);
                let sliding = joint("slide", [1.0, 0.0, 0.0], [0.0, BAR_END_M], BAR_END_M).with("frictionloss", 0.5);
                vec![body(part, &to_bar).child(sliding).child(bar)]
            }
            Handle::Fixed => {
                let bar = both.map(|(end, x)| {
                    let ends_m = [-0.15, 0.15].map(|z| Vector3::new(x * STANDOFF_M, 0.0, z));
                    steel.capsule(named(end), 0.013, ends_m[0], ends_m[1]).with("mass", 0.2)
                });
                let feet = [-0.15, 0.15].into_iter().enumerate().map(|(index, z)| {
                    let ends_m = [-STANDOFF_M, STANDOFF_M].map(|x| Vector3::new(x, 0.0, z));
                    steel.capsule(named(&format!("/foot{index}")), 0.01, ends_m[0], ends_m[1]).with("mass", 0.1)
                });
                vec![body(part.clone(), &to_handle).children(bar).children(feet)]
            }
        }
    }
}

fn latch(fields: &mut Fields, handle: Handle) -> Option<Latch> {
    let on = fields.flag("latch", handle != Handle::Fixed);
    let release = match handle {
        Handle::Lever => fields.number("latch_deg", 30.0, 1.0..=50.0).to_radians(),
        Handle::Knob => fields.number("latch_deg", 40.0, 1.0..=75.0).to_radians(),
        Handle::PushBar => fields.number("latch_m", 0.02, 0.002..=0.03),
        Handle::Fixed => {
            if on {
                fields.error("latch", "a fixed handle cannot open a latch: leave it out, or take another handle");
            }
            return None;
        }
    };
    on.then_some(Latch { release })
}

fn closer(fields: &mut Fields) -> Option<Closer> {
    let mut closer = fields.inner("closer")?;
    let read = Closer {
        torque_nm: closer.number("torque_nm", 5.0, 0.0..=100.0),
        stiffness_nm_per_rad: closer.number("stiffness_nm_per_rad", 2.0, 0.0..=100.0),
        damping_nm_s: closer.number("damping_nm_s", 5.0, 0.0..=200.0),
    };
    closer.end();
    Some(read)
}
