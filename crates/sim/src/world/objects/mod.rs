//! What a world is furnished with: one file a kind, one line here.

mod button;
mod container;
mod door;
mod items;
mod person;
mod solids;
mod table;
mod valve;

use std::sync::Arc;

use geometry::Pose;

pub use button::Button;
pub use container::Container;
pub use door::{Closer, Door, Handle, Latch};
pub use items::{Ball, Cuboid};
pub use person::{Person, Waypoint};
pub use solids::{Solid, Stairs};
pub use table::Table;
pub use valve::Valve;

use super::colour::Colour;
use crate::mjcf::Sections;
use robot::reader::Fields;

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Of its body; parts are `name/part`.
    pub name: Arc<str>,
    /// What a detector calls it.
    pub class: Arc<str>,
    pub colour: Colour,
    pub world_from_object: Pose,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Door(Door),
    Table(Table),
    Ball(Ball),
    Box(Cuboid),
    Container(Container),
    Valve(Valve),
    Button(Button),
    Wall(Solid),
    Block(Solid),
    Stairs(Stairs),
    Person(Person),
}

struct Type {
    word: &'static str,
    colour: &'static str,
    read: fn(&mut Fields) -> Kind,
}

const TYPES: [Type; 11] = [
    Type { word: "door", colour: "brown", read: |fields| Kind::Door(Door::read(fields)) },
    Type { word: "table", colour: "brown", read: |fields| Kind::Table(Table::read(fields)) },
    Type { word: "ball", colour: "red", read: |fields| Kind::Ball(Ball::read(fields)) },
    Type { word: "box", colour: "blue", read: |fields| Kind::Box(Cuboid::read(fields)) },
    Type { word: "container", colour: "grey", read: |fields| Kind::Container(Container::read(fields)) },
    Type { word: "valve", colour: "red", read: |fields| Kind::Valve(Valve::read(fields)) },
    Type { word: "button", colour: "green", read: |fields| Kind::Button(Button::read(fields)) },
    Type { word: "wall", colour: "white", read: |fields| Kind::Wall(Solid::read(fields, [0.1, 2.0, 2.4])) },
    Type { word: "block", colour: "grey", read: |fields| Kind::Block(Solid::read(fields, [0.4, 0.4, 0.15])) },
    Type { word: "stairs", colour: "grey", read: |fields| Kind::Stairs(Stairs::read(fields)) },
    Type { word: "person", colour: "purple", read: |fields| Kind::Person(Person::read(fields)) },
];

impl Object {
    /// None: what it should be is not known. `before` are those it may stand on.
    pub(super) fn read(fields: &mut Fields, before: &[Object]) -> Option<Object> {
        let word = fields.needed_text("type")?;
        let Some(kind) = TYPES.iter().find(|kind| kind.word == word) else {
            let words: Vec<&str> = TYPES.iter().map(|kind| kind.word).collect();
            let near = robot::did_you_mean(word, words.iter().copied());
            fields.error("type", format!("`{word}` is none of {}{near}", words.join(", ")));
            return None;
        };
        let name = fields.text("name").unwrap_or(word);
        if name.contains(['/', ' ', '"', '<', '&']) {
            fields
                .error("name", format!("`{name}` has a space or one of / \" < & in it: use letters, digits, _ and -"));
        }
        if before.iter().any(|object| &*object.name == name) || name == "floor" || name == "robot" {
            fields.error("name", format!("the name `{name}` is taken already: give each object its own"));
        }
        let class = fields.text("class").unwrap_or(word).into();
        let colour = Colour::read(fields, "colour", kind.colour);
        let placed = fields.level_pose("at");
        let support = fields.text("on").map(|on| before.iter().find(|object| &*object.name == on).ok_or(on));
        let below = match support {
            None => Pose::identity(),
            Some(Ok(object)) => object.world_from_object * Pose::from_translation(0.0, 0.0, object.kind.top_m()),
            Some(Err(on)) => {
                fields.error(
                    "on",
                    format!("there is no object `{on}` before this one: name one that is, or move this down"),
                );
                Pose::identity()
            }
        };
        Some(Object { name: name.into(), class, colour, world_from_object: below * placed, kind: (kind.read)(fields) })
    }

    pub(crate) fn mjcf(&self, moves: bool, out: &mut Sections) {
        match &self.kind {
            Kind::Door(door) => door.mjcf(self, out),
            Kind::Table(table) => table.mjcf(self, moves, out),
            Kind::Ball(ball) => ball.mjcf(self, out),
            Kind::Box(cuboid) => cuboid.mjcf(self, out),
            Kind::Container(container) => container.mjcf(self, out),
            Kind::Valve(valve) => valve.mjcf(self, out),
            Kind::Button(button) => button.mjcf(self, out),
            Kind::Wall(wall) => wall.mjcf(self, false, out),
            Kind::Block(block) => block.mjcf(self, true, out),
            Kind::Stairs(stairs) => stairs.mjcf(self, out),
            Kind::Person(person) => person.mjcf(self, out),
        }
    }
}

impl Kind {
    /// Where things stand that are `on` it, above its origin.
    fn top_m(&self) -> f64 {
        match self {
            Kind::Table(table) => table.height_m,
            Kind::Wall(solid) | Kind::Block(solid) => solid.size_m.z,
            Kind::Box(cuboid) => cuboid.size_m.z,
            Kind::Container(container) => container.thickness_m(),
            _ => 0.0,
        }
    }

    /// It lies about and can be taken away.
    pub fn is_item(&self) -> bool {
        matches!(self, Kind::Ball(_) | Kind::Box(_) | Kind::Container(_))
    }
}

/// Names of parts and geoms.
struct Named<'a>(&'a str);

impl Named<'_> {
    fn part(&self, part: &str) -> String {
        format!("{}/{part}", self.0)
    }

    /// One of two: to the left or the right.
    fn of(&self, part: &str, side: f64) -> String {
        format!("{}/{part}/{}", self.0, if side > 0.0 { "left" } else { "right" })
    }
}
