//! What must have become true of a world for a run to count, whatever the behavior believes.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::Colour;
use super::disturbance::{self, Event};
use super::objects::{Kind, Object};
use robot::reader::Fields;

#[derive(Clone, Debug, PartialEq)]
pub enum Truth {
    /// The robot went through the doorway and has let go of the door.
    Through {
        door: Arc<str>,
        by_m: f64,
    },
    /// Bodies that no link of the robot ever touched, and those below them: `door/frame`.
    Untouched {
        bodies: Vec<Arc<str>>,
    },
    /// Each thing in its container, at the end.
    Inside {
        pairs: Vec<Pair>,
    },
    /// Each thing on its support, at the end.
    On {
        pairs: Vec<Pair>,
    },
    Opened {
        door: Arc<str>,
        times: usize,
        past_rad: f64,
    },
    Turned {
        valve: Arc<str>,
        to_rad: f64,
    },
    Pressed {
        button: Arc<str>,
        times: usize,
    },
    Happened {
        event: Event,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub thing: Arc<str>,
    pub of: Arc<str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Through,
    Untouched,
    Inside,
    On,
    Sorted,
    Opened,
    Turned,
    Pressed,
    Happened,
}

const WORDS: [(&str, Word); 9] = [
    ("through", Word::Through),
    ("untouched", Word::Untouched),
    ("inside", Word::Inside),
    ("on", Word::On),
    ("sorted", Word::Sorted),
    ("opened", Word::Opened),
    ("turned", Word::Turned),
    ("pressed", Word::Pressed),
    ("happened", Word::Happened),
];

const DOOR_PARTS: [&str; 5] = ["frame", "wall", "lintel", "panel", "handle"];
/// Short of its end by less, a valve is tight.
const TIGHT_RAD: f64 = 0.035;

impl Truth {
    /// None: what is expected, or of what, is not known.
    pub(super) fn read(fields: &mut Fields, objects: &[Object]) -> Option<Truth> {
        let mut written = WORDS.iter().filter(|(word, _)| fields.has(word));
        let (Some((key, word)), None) = (written.next(), written.next()) else {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            fields.error("", format!("write what is expected, with one of the keys {}", words.join(", ")));
            return None;
        };
        let is_door = |object: &Object| matches!(object.kind, Kind::Door(_));
        Some(match word {
            Word::Through => {
                let by_m = fields.number("by_m", 0.5, 0.0..=10.0);
                Truth::Through { door: named(fields, objects, key, ("door", is_door))?, by_m }
            }
            Word::Untouched => Truth::Untouched { bodies: bodies(fields, objects)? },
            Word::Inside => {
                let is_container = |object: &Object| matches!(object.kind, Kind::Container(_));
                let of = named(fields, objects, "of", ("container", is_container));
                Truth::Inside { pairs: pairs(things(fields, objects, key)?, &of?) }
            }
            Word::On => {
                let carries = |object: &Object| {
                    matches!(object.kind, Kind::Table(_) | Kind::Block(_) | Kind::Box(_) | Kind::Wall(_))
                };
                let of = named(fields, objects, "of", ("table, block, box or wall", carries));
                Truth::On { pairs: pairs(things(fields, objects, key)?, &of?) }
            }
            Word::Sorted => Truth::Inside { pairs: sorted(fields, objects)? },
            Word::Opened => {
                let times = fields.count("times", 1, 1..=100_000);
                let past_rad = fields.number("past_deg", 10.0, 1.0..=100.0).to_radians();
                Truth::Opened { door: named(fields, objects, key, ("door", is_door))?, times, past_rad }
            }
            Word::Turned => turned(fields, objects)?,
            Word::Pressed => {
                let times = fields.count("times", 1, 1..=100_000);
                let is_button = |object: &Object| matches!(object.kind, Kind::Button(_));
                Truth::Pressed { button: named(fields, objects, key, ("button", is_button))?, times }
            }
            Word::Happened => {
                let mut inner = fields.inner("happened")?;
                let event = disturbance::event(&mut inner, objects);
                inner.end();
                Truth::Happened { event: event? }
            }
        })
    }
}

/// As a report tells it.
impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Through { door, by_m } => write!(f, "through {door}, {by_m} m beyond it"),
            Truth::Untouched { bodies } => write!(f, "{} untouched", bodies.join(", ")),
            Truth::Inside { pairs } => write_pairs(f, pairs, "inside"),
            Truth::On { pairs } => write_pairs(f, pairs, "on"),
            Truth::Opened { door, times: 1, .. } => write!(f, "{door} opened"),
            Truth::Opened { door, times, .. } => write!(f, "{door} opened {times} times"),
            Truth::Turned { valve, to_rad } => write!(f, "{valve} turned to {:.0}°", to_rad.to_degrees()),
            Truth::Pressed { button, times: 1 } => write!(f, "{button} pressed"),
            Truth::Pressed { button, times } => write!(f, "{button} pressed {times} times"),
            Truth::Happened { event: Event::DoorOpens { door, .. } } => write!(f, "{door} opened at some time"),
            Truth::Happened { event: Event::HandleTurns { door, .. } } => write!(f, "the handle of {door} turned"),
            Truth::Happened { event: Event::HandNear { object, .. } } => write!(f, "a hand was at {object}"),
            Truth::Happened { event: Event::Lifted { object, by_m } } => write!(f, "{object} lifted by {by_m} m"),
        }
    }
}

/// What is drawn differs from run to run, and so may the pairs: the places they go to are named.
fn write_pairs(f: &mut fmt::Formatter<'_>, pairs: &[Pair], how: &str) -> fmt::Result {
    let mut places: Vec<&str> = pairs.iter().map(|pair| &*pair.of).collect();
    places.sort_unstable();
    places.dedup();
    match pairs {
        [] => write!(f, "nothing to be {how} of anything"),
        [Pair { thing, of }] => write!(f, "{thing} {how} {of}"),
        _ => write!(f, "things {how} {}", places.join(", ")),
    }
}

fn pairs(things: Vec<Arc<str>>, of: &Arc<str>) -> Vec<Pair> {
    things.into_iter().map(|thing| Pair { thing, of: Arc::clone(of) }).collect()
}

fn named(
    fields: &mut Fields,
    objects: &[Object],
    key: &'static str,
    (kind, fits): (&str, impl Fn(&Object) -> bool),
) -> Option<Arc<str>> {
    let name = fields.needed_text(key)?;
    find(fields, objects, key, name, (kind, fits))
}

fn find(
    fields: &mut Fields,
    objects: &[Object],
    key: &str,
    name: &str,
    (kind, fits): (&str, impl Fn(&Object) -> bool),
) -> Option<Arc<str>> {
    match objects.iter().find(|object| &*object.name == name) {
        Some(object) if fits(object) => return Some(object.name.clone()),
        Some(_) => fields.error(key, format!("`{name}` is no {kind}")),
        None => {
            let near = robot::did_you_mean(name, objects.iter().map(|object| &*object.name));
            fields.error(key, format!("there is no object `{name}` in this world{near}"));
        }
    }
    None
}

/// A name, or several.
fn names<'a>(fields: &mut Fields<'a>, key: &'static str) -> Option<Vec<&'a str>> {
    let value = fields.get(key)?;
    let names: Option<Vec<&str>> = match value {
        Value::String(name) => Some(vec![name]),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let names = names.filter(|names| !names.is_empty());
    if names.is_none() {
        fields.error(key, "a name or a list of names belongs here");
    }
    names
}

fn bodies(fields: &mut Fields, objects: &[Object]) -> Option<Vec<Arc<str>>> {
    let mut found = Vec::new();
    for name in names(fields, "untouched")? {
        let (object, part) = name.split_once('/').unwrap_or((name, ""));
        // Bodies of an MJCF file are known when it is opened.
        if object == "own" {
            found.push(name.into());
            continue;
        }
        find(fields, objects, "untouched", object, ("object", |_: &Object| true))?;
        let is_door = objects.iter().any(|other| &*other.name == object && matches!(other.kind, Kind::Door(_)));
        let word = part.split('/').next().unwrap_or_default();
        if is_door && !part.is_empty() && !DOOR_PARTS.contains(&word) {
            let near = robot::did_you_mean(word, DOOR_PARTS.into_iter());
            let message = format!("a door has no part `{word}`{near}; it has {}", DOOR_PARTS.join(", "));
            fields.error("untouched", message);
            return None;
        }
        found.push(name.into());
    }
    Some(found)
}

/// Named, or chosen by class and colour.
fn things(fields: &mut Fields, objects: &[Object], key: &'static str) -> Option<Vec<Arc<str>>> {
    let item = ("ball, box or container", |object: &Object| object.kind.is_item());
    if !fields.is_object(key) {
        let names = names(fields, key)?;
        return names.into_iter().map(|name| find(fields, objects, key, name, item)).collect();
    }
    let mut choice = fields.inner(key)?;
    let class = choice.text("class");
    let colour = choice.has("colour").then(|| Colour::read(&mut choice, "colour", "grey"));
    choice.get("colour");
    if class.is_none() && colour.is_none() {
        choice.error("", "write a `class`, a `colour` or both");
    }
    let found = chosen(&mut choice, objects, class, colour);
    choice.end();
    found
}

fn chosen(
    fields: &mut Fields,
    objects: &[Object],
    class: Option<&str>,
    colour: Option<Colour>,
) -> Option<Vec<Arc<str>>> {
    let of_class = |object: &&Object| object.kind.is_item() && class.is_none_or(|class| &*object.class == class);
    if let (Some(class), 0) = (class, objects.iter().filter(of_class).count()) {
        let classes = objects.iter().filter(|object| object.kind.is_item()).map(|object| &*object.class);
        let near = robot::did_you_mean(class, classes);
        fields.error("class", format!("no ball, box or container of this world is of the class `{class}`{near}"));
        return None;
    }
    let chosen = objects.iter().filter(of_class).filter(|object| colour.is_none_or(|colour| object.colour == colour));
    Some(chosen.map(|object| object.name.clone()).collect())
}

fn sorted(fields: &mut Fields, objects: &[Object]) -> Option<Vec<Pair>> {
    let class = fields.text("class").unwrap_or("ball");
    let Value::Object(places) = fields.map("sorted")? else { return None };
    let mut all = Vec::new();
    for (word, place) in places {
        let key = format!("sorted.{word}");
        let Some(colour) = Colour::from_word(word) else {
            fields.error(&key, format!("`{word}` is no colour: {} or #rrggbb", Colour::words().join(", ")));
            return None;
        };
        let Some(name) = place.as_str() else {
            fields.error(&key, "the name of a container belongs here");
            return None;
        };
        let is_container = |object: &Object| matches!(object.kind, Kind::Container(_));
        let of = find(fields, objects, &key, name, ("container", is_container))?;
        all.extend(pairs(chosen(fields, objects, Some(class), Some(colour))?, &of));
    }
    Some(all)
}

fn turned(fields: &mut Fields, objects: &[Object]) -> Option<Truth> {
    let valve = named(fields, objects, "turned", ("valve", |object| matches!(object.kind, Kind::Valve(_))))?;
    let Kind::Valve(made) = &objects.iter().find(|object| object.name == valve)?.kind else { return None };
    fields.word("to", &[("tight", ())]);
    let [to_deg, to_nm] = ["to_deg", "to_nm"].map(|key| fields.has(key));
    if usize::from(fields.has("to")) + usize::from(to_deg) + usize::from(to_nm) > 1 {
        fields.error("", "write one of `to`, `to_deg` and `to_nm`");
    }
    let by_angle_rad = fields.number("to_deg", 0.0, 0.0..=3600.0).to_radians();
    let by_torque_nm = fields.number("to_nm", 0.0, 0.0..=1000.0);
    let tight_rad = made.travel_rad - TIGHT_RAD;
    let to_rad = match (to_deg, to_nm) {
        (true, _) => by_angle_rad,
        (_, true) if made.rise_nm_per_rad > 0.0 => (by_torque_nm - made.friction_nm) / made.rise_nm_per_rad,
        _ => tight_rad,
    };
    if to_rad > made.travel_rad {
        let key = if to_deg { "to_deg" } else { "to_nm" };
        fields.error(key, format!("`{valve}` ends at {:.0}°, short of that", made.travel_rad.to_degrees()));
    }
    Some(Truth::Turned { valve, to_rad: to_rad.min(tight_rad) })
}
