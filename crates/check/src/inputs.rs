//! What a use gives a skill, against what the skill says it takes.

use expression::{Cache, Expression, Names, Slot};
use model::Field;
use serde_json::Value as Json;

use crate::behavior::{Behavior, File};
use crate::kinds;
use crate::report::{Report, field};

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let mut cache = Cache::new();
    for at in file.tree.all() {
        let Some(used) = file.skill(at).map(|id| behavior.file(id)) else { continue };
        let Some(Field::Json(given)) = file.tree.node(at).fields.get("inputs") else { continue };
        for (name, input) in &used.tree.definition.header.inputs {
            let Some(Json::String(text)) = given.get(&**name) else { continue };
            let mut expression = Expression::new(text);
            if expression.bind_with(&mut Anything, &mut cache).is_err() {
                continue;
            }
            let header = &file.tree.definition.header;
            if let Some(message) = kinds::wrong_input(name, input, (&expression, header)) {
                report.error(file, field(at, "inputs"), message, format!("give another `{name}`"));
            }
        }
    }
}

struct Anything;

impl Names for Anything {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        (!name.contains('.')).then_some(Slot(0))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        Some(0)
    }
}
