//! What the world is made of, for people to look at. Never for a behavior: that sees through cameras.

use std::sync::Arc;

use geometry::Pose;
use robot::Transform;

use super::engine::{self, Data};
use super::eyes::colours;
use crate::mjcf::{UNSEEN_GROUP, is_robot};
use crate::sight::Form;
use site::{Solid, SolidForm};

/// Of the geoms that are not the robot's: which, and all that never changes.
pub(super) struct Solids(Vec<Known>);

struct Known {
    geom: usize,
    name: Arc<str>,
    form: Form,
    colour: [f32; 4],
}

impl Solids {
    /// Those of shapes that only MuJoCo knows are left out.
    pub fn new(data: &Data) -> Solids {
        let (colours, bodies) = (colours(data), data.model().geom_bodyid());
        let known = engine::each_form(data, UNSEEN_GROUP).filter_map(|(geom, form)| {
            let name = engine::body_name(data, bodies[geom] as usize);
            let name = if name == "world" { "floor" } else { name };
            Some(Known { geom, name: name.into(), form: form?, colour: colours[geom] })
        });
        Solids(known.filter(|known| !is_robot(&known.name)).collect())
    }

    pub fn now(&self, data: &Data) -> Vec<Solid> {
        let solid = |known: &Known| {
            let at = engine::solid(data, known.geom, known.form);
            Solid {
                name: Arc::clone(&known.name),
                form: form_of(known.form),
                colour: known.colour,
                world_from_solid: Pose::from(&Transform { rotation: at.turn, translation_m: at.at_m }),
            }
        };
        self.0.iter().map(solid).collect()
    }
}

fn form_of(form: Form) -> SolidForm {
    match form {
        Form::Plane(half_m) => SolidForm::Plane { half_m },
        Form::Sphere(radius_m) => SolidForm::Sphere { radius_m },
        Form::Capsule(radius_m, half_m) => SolidForm::Capsule { radius_m, half_m },
        Form::Cylinder(radius_m, half_m) => SolidForm::Cylinder { radius_m, half_m },
        Form::Box(half_m) => SolidForm::Box { half_m: half_m.into() },
    }
}
