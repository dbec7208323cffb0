use geometry::{Pose, Vector3};
use serde_json::Value;

use super::{Named, Object};
use crate::mjcf::{Sections, Surface, body};
use robot::reader::Fields;

/// Someone of a person's size who walks a path, whatever is in the way. In its frame: on the floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    pub height_m: f64,
    pub radius_m: f64,
    /// Rising in time; stands still before the first and after the last.
    pub path: Vec<Waypoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    pub time_s: f64,
    pub x_m: f64,
    pub y_m: f64,
}

impl Person {
    pub(super) fn read(fields: &mut Fields) -> Person {
        Person {
            height_m: fields.number("height_m", 1.75, 0.5..=2.5),
            radius_m: fields.number("radius_m", 0.22, 0.05..=0.6),
            path: path(fields),
        }
    }

    /// At a time of the run; None: where it is placed.
    pub fn world_from_person(&self, time_s: f64) -> Option<Pose> {
        let after = self.path.iter().position(|waypoint| waypoint.time_s > time_s);
        let at = |waypoint: &Waypoint| (waypoint.x_m, waypoint.y_m);
        let (x_m, y_m) = match after {
            None => at(self.path.last()?),
            Some(0) => at(&self.path[0]),
            Some(after) => {
                let (from, to) = (&self.path[after - 1], &self.path[after]);
                let share = (time_s - from.time_s) / (to.time_s - from.time_s);
                (from.x_m + (to.x_m - from.x_m) * share, from.y_m + (to.y_m - from.y_m) * share)
            }
        };
        Some(Pose::from_translation(x_m, y_m, 0.0))
    }

    pub(super) fn mjcf(&self, object: &Object, out: &mut Sections) {
        let surface = Surface::of(object.colour, 0.6);
        let (low_m, high_m) = (Vector3::z() * self.radius_m, Vector3::z() * (self.height_m - self.radius_m));
        let geom = surface.capsule(Named(&object.name).part("person"), self.radius_m, low_m, high_m);
        let start = self.world_from_person(0.0).unwrap_or(object.world_from_object);
        out.bodies.push(body(object.name.to_string(), &start).with("mocap", "true").child(geom));
    }
}

fn path(fields: &mut Fields) -> Vec<Waypoint> {
    let Some(value) = fields.get("path") else { return Vec::new() };
    let Value::Array(items) = value else {
        fields.error("path", "a list of {\"time_s\": 0, \"x_m\": 0, \"y_m\": 0} belongs here");
        return Vec::new();
    };
    let mut path: Vec<Waypoint> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(mut point) = fields.item("path", index, item) else { continue };
        let waypoint = Waypoint {
            time_s: point.number("time_s", 0.0, 0.0..=1e5),
            x_m: point.number("x_m", 0.0, -100.0..=100.0),
            y_m: point.number("y_m", 0.0, -100.0..=100.0),
        };
        if path.last().is_some_and(|last| last.time_s >= waypoint.time_s) {
            point.error("time_s", "not after the waypoint before: times rise along a path");
        }
        point.end();
        path.push(waypoint);
    }
    path
}
