//! Who is there, and what they take it into their heads to do.

use model::{Library, NodeId};
use protocol::Role;
use serde_json::{Value as Json, json};
use server::{SessionId, Tokens, token_line};
use testkit::shaped::Dice;

pub struct Person {
    pub name: &'static str,
    /// As the operator process has it; the key of the process may be worth less.
    pub role: Role,
    pub station: usize,
    pub session: Option<SessionId>,
    /// The newest they wrote into their diary.
    pub diary: u64,
}

impl Person {
    pub fn token(&self) -> String {
        format!("the token of {}", self.name)
    }

    pub fn diary_name(&self) -> String {
        format!("diary of {}", self.name)
    }
}

/// At the supervisor's key, at an operator's, and at one that may only look.
pub fn everybody() -> Vec<Person> {
    let person = |name, role, station| Person { name, role, station, session: None, diary: 0 };
    vec![
        person("Ann", Role::Supervisor, 0),
        person("Olga", Role::Observer, 0),
        person("Otto", Role::Operator, 0),
        person("Bob", Role::Operator, 1),
        person("Bea", Role::Operator, 1),
        person("Cleo", Role::Operator, LOOKERS),
    ]
}

/// The station whose key is an observer's.
pub const LOOKERS: usize = 2;

pub fn tokens(people: &[Person], station: usize) -> Tokens {
    let here = people.iter().filter(|person| person.station == station);
    let lines: String = here.map(|person| token_line(&person.token(), person.role, person.name)).collect();
    Tokens::parse(&lines).unwrap()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Add,
    /// May take away what is there or bring it back.
    Change,
    Diary,
    Other,
}

pub fn named(library: &Library, name: &str) -> Option<NodeId> {
    let main = library.main();
    main.walk(main.root).find(|id| **main.node(*id).label() == *name)
}

fn any_of(dice: &mut Dice, library: &Library, wanted: impl Fn(&str, &str) -> bool) -> Option<NodeId> {
    let main = library.main();
    let nodes: Vec<NodeId> = main
        .walk(main.root)
        .filter(|id| {
            let node = main.node(*id);
            wanted(&node.kind, node.label())
        })
        .collect();
    (!nodes.is_empty()).then(|| nodes[dice.below(nodes.len() as u64) as usize])
}

fn place_in(dice: &mut Dice, library: &Library, parent: NodeId) -> u64 {
    dice.below(library.main().node(parent).children.len() as u64 + 1)
}

/// Something to ask for; `number` is nobody else's.
pub fn wish(dice: &mut Dice, person: &mut Person, library: &Library, number: u64) -> (Kind, Json) {
    match dice.below(22) {
        0..=7 => add(dice, library, number),
        8 | 9 => diary(person, library),
        10..=14 => change(dice, library, number),
        15 => (Kind::Other, json!({"ask": "stop"})),
        16 => (Kind::Other, json!({"ask": "take_control"})),
        17 if dice.chance(0.3) => {
            let to = ["Ann", "Bob", "Olga", "nobody at all"][dice.below(4) as usize];
            (Kind::Other, json!({"ask": "give_control", "to": to}))
        }
        _ => (Kind::Other, json!({"ask": "run", "control": control(dice)})),
    }
}

fn add(dice: &mut Dice, library: &Library, number: u64) -> (Kind, Json) {
    let parent = any_of(dice, library, |kind, _| kind == "sequence" || kind == "parallel");
    let index = parent.map_or(0, |parent| place_in(dice, library, parent));
    let (kind, settings) = match dice.below(4) {
        0 => ("sequence", json!({})),
        1 => ("wait", json!({"duration_s": 0.3})),
        _ => ("log", json!({"text": "here"})),
    };
    let operation = json!({"do": "add", "parent": parent, "index": index, "kind": kind,
        "name": format!("made {number}"), "settings": settings});
    (Kind::Add, json!({"ask": "edit", "operation": operation}))
}

fn diary(person: &mut Person, library: &Library) -> (Kind, Json) {
    let Some(node) = named(library, &person.diary_name()) else { return (Kind::Other, json!({"ask": "document"})) };
    person.diary += 1;
    let operation = json!({"do": "set", "node": node, "settings": {"text": person.diary.to_string()}});
    (Kind::Diary, json!({"ask": "edit", "operation": operation}))
}

fn change(dice: &mut Dice, library: &Library, number: u64) -> (Kind, Json) {
    let made = any_of(dice, library, |_, name| name.starts_with("made "));
    let group = any_of(dice, library, |kind, name| kind == "sequence" && name.starts_with("made "));
    let operation = match (dice.below(8), made) {
        (0 | 1, _) => return (Kind::Change, json!({"ask": "undo"})),
        (2, _) => return (Kind::Change, json!({"ask": "redo"})),
        (3, Some(node)) => json!({"do": "delete", "nodes": [node]}),
        (4 | 5, Some(node)) => json!({"do": "move", "nodes": [node], "parent": group, "index": 0}),
        (6, Some(node)) => json!({"do": "rename", "node": node, "name": format!("made {number}")}),
        (_, Some(node)) => json!({"do": "notes", "node": node, "notes": format!("{number}")}),
        (_, None) => return (Kind::Other, json!({"ask": "history", "most": 5})),
    };
    (Kind::Change, json!({"ask": "edit", "operation": operation}))
}

fn control(dice: &mut Dice) -> Json {
    match dice.below(6) {
        0 | 1 => json!({"do": "automatic", "on": true}),
        2 => json!({"do": "automatic", "on": false}),
        3 => json!({"do": "press"}),
        4 => json!({"do": "move_next", "by": -9}),
        _ => json!({"do": "pause", "on": dice.chance(0.5)}),
    }
}
