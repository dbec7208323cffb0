//! What happens to a world while the robot works in it.

use std::fmt;
use std::sync::Arc;

use geometry::Vector3;
use robot::Side;
use serde_json::Value;

use super::objects::{Kind, Object};
use robot::reader::Fields;

#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    pub start: Start,
    pub duration_s: f64,
    pub deed: Deed,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    At {
        time_s: f64,
    },
    /// Once, the first time it is so.
    On {
        event: Event,
        after_s: f64,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    DoorOpens {
        door: Arc<str>,
        past_rad: f64,
    },
    /// As a share of what lets go the latch.
    HandleTurns {
        door: Arc<str>,
        past_share: f64,
    },
    /// Either hand to the middle of the object, or of the handle of a door.
    HandNear {
        object: Arc<str>,
        within_m: f64,
    },
    Lifted {
        object: Arc<str>,
        by_m: f64,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Against opening, at the edge of the panel, up to the force.
    HoldDoor {
        door: Arc<str>,
        force_n: f64,
    },
    CloseDoor {
        door: Arc<str>,
        speed_rad_s: f64,
        force_n: f64,
    },
    PushHand {
        side: Side,
        push: Push,
    },
    /// Out of sight and reach, for good.
    TakeAway {
        object: Arc<str>,
    },
    MoveTable {
        table: Arc<str>,
        x_m: f64,
        y_m: f64,
        yaw_rad: f64,
    },
    /// Something stands in it, behind the door as seen by who comes.
    BlockDoorway {
        door: Arc<str>,
    },
    BlindCamera {
        camera: Option<Arc<str>>,
    },
}

/// Along the axes of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Push {
    Force {
        force_n: Vector3<f64>,
    },
    /// As hard as it takes, up to 300 N.
    By {
        by_m: Vector3<f64>,
    },
}

#[derive(Clone, Copy)]
enum Word {
    HoldDoor,
    CloseDoor,
    PushHand,
    TakeAway,
    MoveTable,
    BlockDoorway,
    BlindCamera,
}

const WORDS: [(&str, Word); 7] = [
    ("hold_door", Word::HoldDoor),
    ("close_door", Word::CloseDoor),
    ("push_hand", Word::PushHand),
    ("take_away", Word::TakeAway),
    ("move_table", Word::MoveTable),
    ("block_doorway", Word::BlockDoorway),
    ("blind_camera", Word::BlindCamera),
];

impl Disturbance {
    /// None: what is to happen, or to what, is not known.
    pub(super) fn read(fields: &mut Fields, objects: &[Object]) -> Option<Disturbance> {
        let start = start(fields, objects);
        let duration_s = fields.number("duration_s", 2.0, 0.0..=1e5);
        fields.needed_text("do")?;
        let door = |object: &Object| matches!(object.kind, Kind::Door(_));
        let deed = match fields.word("do", &WORDS) {
            Word::HoldDoor => {
                let force_n = fields.number("force_n", 60.0, 0.0..=2000.0);
                Deed::HoldDoor { door: object(fields, objects, "door", door)?, force_n }
            }
            Word::CloseDoor => {
                let speed_rad_s = fields.number("speed_deg_s", 45.0, 1.0..=360.0).to_radians();
                let force_n = fields.number("force_n", 60.0, 0.0..=2000.0);
                Deed::CloseDoor { door: object(fields, objects, "door", door)?, speed_rad_s, force_n }
            }
            Word::PushHand => {
                let side = fields.word("side", &[("right", Side::Right), ("left", Side::Left)]);
                Deed::PushHand { side, push: push(fields)? }
            }
            Word::TakeAway => {
                Deed::TakeAway { object: object(fields, objects, "ball, box or container", |o| o.kind.is_item())? }
            }
            Word::MoveTable => {
                let [x_m, y_m] = ["x_m", "y_m"].map(|key| fields.number(key, 0.0, -5.0..=5.0));
                let yaw_rad = fields.number("yaw_deg", 0.0, -180.0..=180.0).to_radians();
                let is_table = |object: &Object| matches!(object.kind, Kind::Table(_));
                Deed::MoveTable { table: object(fields, objects, "table", is_table)?, x_m, y_m, yaw_rad }
            }
            Word::BlockDoorway => Deed::BlockDoorway { door: object(fields, objects, "door", door)? },
            Word::BlindCamera => Deed::BlindCamera { camera: fields.text("camera").map(Arc::from) },
        };
        Some(Disturbance { start: start?, duration_s, deed })
    }

    /// The table it moves.
    pub(crate) fn moved_table(&self) -> Option<&Arc<str>> {
        match &self.deed {
            Deed::MoveTable { table, .. } => Some(table),
            _ => None,
        }
    }

    pub(crate) fn blocked_door(&self) -> Option<&Arc<str>> {
        match &self.deed {
            Deed::BlockDoorway { door } => Some(door),
            _ => None,
        }
    }
}

/// As a log tells it.
impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::HoldDoor { door, force_n } => write!(f, "someone holds {door} shut with up to {force_n:.0} N"),
            Deed::CloseDoor { door, force_n, .. } => write!(f, "someone pulls {door} closed with up to {force_n:.0} N"),
            Deed::PushHand { side, push: Push::Force { force_n } } => {
                write!(f, "something pushes the {} hand with {:.0} N", side.word(), force_n.norm())
            }
            Deed::PushHand { side, push: Push::By { by_m } } => {
                write!(f, "something pushes the {} hand by {:.0} mm", side.word(), by_m.norm() * 1e3)
            }
            Deed::TakeAway { object } => write!(f, "someone takes {object} away"),
            Deed::MoveTable { table, x_m, y_m, .. } => {
                write!(f, "someone moves {table} by {:.0} mm", libm::hypot(*x_m, *y_m) * 1e3)
            }
            Deed::BlockDoorway { door } => write!(f, "something stands behind {door}"),
            Deed::BlindCamera { camera: Some(camera) } => write!(f, "the camera {camera} is blind"),
            Deed::BlindCamera { camera: None } => f.write_str("all cameras are blind"),
        }
    }
}

fn start(fields: &mut Fields, objects: &[Object]) -> Option<Start> {
    if fields.has("at_s") == fields.has("on") {
        fields.get("at_s");
        fields.get("on");
        fields.error("", "write when it happens: either `at_s` or `on`");
        return None;
    }
    if fields.has("at_s") {
        fields.get("on");
        return Some(Start::At { time_s: fields.number("at_s", 0.0, 0.0..=1e5) });
    }
    let after_s = fields.number("after_s", 0.0, 0.0..=1e5);
    fields.get("at_s");
    let mut on = fields.inner("on")?;
    let event = event(&mut on, objects);
    on.end();
    Some(Start::On { event: event?, after_s })
}

pub(super) fn event(fields: &mut Fields, objects: &[Object]) -> Option<Event> {
    #[derive(Clone, Copy)]
    enum Word {
        DoorOpens,
        HandleTurns,
        HandNear,
        Lifted,
    }
    fields.needed_text("event")?;
    let door = |object: &Object| matches!(object.kind, Kind::Door(_));
    let words = [
        ("door_opens", Word::DoorOpens),
        ("handle_turns", Word::HandleTurns),
        ("hand_near", Word::HandNear),
        ("lifted", Word::Lifted),
    ];
    Some(match fields.word("event", &words) {
        Word::DoorOpens => {
            let past_rad = fields.number("past_deg", 5.0, 0.0..=100.0).to_radians();
            Event::DoorOpens { door: object(fields, objects, "door", door)?, past_rad }
        }
        Word::HandleTurns => {
            let past_share = fields.number("past_share", 0.5, 0.0..=2.0);
            Event::HandleTurns { door: object(fields, objects, "door", door)?, past_share }
        }
        Word::HandNear => {
            let within_m = fields.number("within_m", 0.15, 0.0..=5.0);
            Event::HandNear { object: object(fields, objects, "object", |_| true)?, within_m }
        }
        Word::Lifted => {
            let by_m = fields.number("by_m", 0.05, 0.0..=3.0);
            Event::Lifted { object: object(fields, objects, "ball, box or container", |o| o.kind.is_item())?, by_m }
        }
    })
}

fn object(fields: &mut Fields, objects: &[Object], kind: &str, fits: impl Fn(&Object) -> bool) -> Option<Arc<str>> {
    let name = fields.needed_text("object")?;
    let found = objects.iter().find(|object| &*object.name == name);
    match found {
        Some(object) if fits(object) => return Some(object.name.clone()),
        Some(_) => fields.error("object", format!("`{name}` is no {kind}")),
        None => {
            let near = robot::did_you_mean(name, objects.iter().map(|object| &*object.name));
            fields.error("object", format!("there is no object `{name}` in this world{near}"));
        }
    }
    None
}

fn push(fields: &mut Fields) -> Option<Push> {
    if fields.has("force_n") == fields.has("by_m") {
        fields.get("force_n");
        fields.get("by_m");
        fields.error(
            "",
            "write how the hand is pushed: either `force_n` or `by_m`, [x, y, z] along the axes of the world",
        );
        return None;
    }
    let key = if fields.has("force_n") { "force_n" } else { "by_m" };
    fields.get(if key == "force_n" { "by_m" } else { "force_n" });
    let numbers =
        fields.get(key).and_then(Value::as_array).map(|items| items.iter().filter_map(Value::as_f64).collect());
    let three: Option<[f64; 3]> = numbers.and_then(|numbers: Vec<f64>| numbers.try_into().ok());
    let Some(three) = three.filter(|three| three.iter().all(|number| number.abs() <= 1000.0)) else {
        fields.error(key, "three numbers [x, y, z] of at most 1000 belong here");
        return None;
    };
    let three = Vector3::from(three);
    Some(if key == "force_n" { Push::Force { force_n: three } } else { Push::By { by_m: three } })
}
