//! Names that stand for expressions: `let` of a file.

use std::sync::Arc;

use engine::RobotOnly;
use expression::{Expression, Names, Slot};
use robot::Robot;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tree::{At, Tree};

const ROOT: At = 0;

/// Those of a file.
#[derive(Default)]
pub struct Lets {
    texts: FxHashMap<Arc<str>, Arc<str>>,
    /// Those that stand for the same value in every run with the robot.
    constant: FxHashSet<Arc<str>>,
}

impl Lets {
    pub fn of(tree: &Tree<'_>, robot: Option<&Robot>) -> Lets {
        let texts: FxHashMap<Arc<str>, Arc<str>> = tree.definition.header.lets.iter().cloned().collect();
        let constant = texts.keys().filter(|name| is_constant(&texts, name, robot)).cloned().collect();
        Lets { texts, constant }
    }

    /// What a name stands for, where that is the same in every run.
    pub fn constant(&self, name: &str) -> Option<Arc<str>> {
        self.constant.get(name).and_then(|name| self.texts.get(name)).cloned()
    }
}

fn is_constant(texts: &FxHashMap<Arc<str>, Arc<str>>, name: &str, robot: Option<&Robot>) -> bool {
    let mut expression = Expression::new(texts.get(name).map_or("", |text| text));
    if expression.bind(&mut Following { texts }).is_err() {
        return false;
    }
    expression.constant().is_some()
        || robot.is_some_and(|robot| matches!(expression.of_the_robot(&RobotOnly(robot)), Some(Ok(_))))
}

/// Every name is there; those that stand for something are followed.
struct Following<'f> {
    texts: &'f FxHashMap<Arc<str>, Arc<str>>,
}

impl Names for Following<'_> {
    fn definition(&mut self, name: &str) -> Option<Arc<str>> {
        self.texts.get(name).cloned()
    }

    fn variable(&mut self, _: &str) -> Option<Slot> {
        Some(Slot(0))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        Some(0)
    }
}

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let header = &file.tree.definition.header;
    if header.lets.is_empty() {
        return;
    }
    let texts: FxHashMap<Arc<str>, Arc<str>> = header.lets.iter().cloned().collect();
    for (name, text) in &header.lets {
        let mut expression = Expression::new(text);
        let circle = expression.bind(&mut Following { texts: &texts }).err();
        // What is wrong with the text itself is told with all other expressions.
        if let Some(error) = circle.filter(|_| Expression::new(text).variables().is_ok()) {
            let message = format!("`{name}` cannot be made out: {}", error.message);
            report.error(file, field(ROOT, "let"), message, "write out one of them");
        }
        let declared = [
            ("input", header.inputs.iter().any(|(own, _)| own == name)),
            ("output", header.outputs.iter().any(|(own, _)| own == name)),
            ("variable", header.variables.iter().any(|(own, _)| own == name)),
        ];
        for (what, _) in declared.into_iter().filter(|(_, also)| *also) {
            let message =
                format!("`{name}` is a name of an expression and an {what} of the file; the expression counts");
            let message = message.replace("an variable", "a variable");
            report.error(file, field(ROOT, "let"), message, "take another name for one of them");
        }
        if behavior.world.contains(&**name) {
            let message = format!("`{name}` hides what robot or cell call so");
            report.warning(file, field(ROOT, "let"), message, "take another name");
        }
        let is_read = file.facts.reads.iter().flat_map(|read| &read.names).any(|read| **read == **name);
        if !is_read && !file.facts.followed.contains(name) {
            let message = format!("nothing in the file says `{name}`");
            report.warning(file, field(ROOT, "let"), message, "use it, or take it out");
        }
    }
    for write in &file.facts.writes {
        if texts.contains_key(write.name.as_str()) {
            let place = file.tree.field_saying(write.at, &write.name).unwrap_or("variable");
            let message = format!("`{}` stands for an expression of the file and cannot be set", write.name);
            report.error(file, field(write.at, place), message, "set another variable, or take it out of `let`");
        }
    }
}
