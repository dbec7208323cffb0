use model::{Definition, Field, Library, Node, Problem, Severity};
use serde_json::{Map, Value as Json};

use crate::cell::Cell;
use crate::signals::hint;

impl Cell {
    /// What a behavior and its skills get wrong about this cell.
    pub fn check_behavior(&self, behavior: &Library) -> Vec<Problem> {
        let mut problems = Vec::new();
        each_node(behavior, |tree, node| {
            if &*node.kind == "send" {
                problems.extend(self.check_command(tree, node, true));
            }
        });
        let variables: Vec<&str> = self.variables.iter().map(|variable| &*variable.name).collect();
        problems.extend(shadowed(behavior, &variables, "a variable of the cell"));
        model::file::name_places(behavior, &mut problems);
        problems
    }

    /// What an environment and its skills get wrong about this cell.
    pub fn check_environment(&self, environment: &Library) -> Vec<Problem> {
        let mut problems = Vec::new();
        each_node(environment, |tree, node| match &*node.kind {
            "receive" => problems.extend(self.check_command(tree, node, false)),
            "set" => problems.extend(self.check_set(tree, node)),
            _ => {}
        });
        let signals: Vec<&str> = self.signals.iter().map(|signal| &*signal.name).collect();
        problems.extend(shadowed(environment, &signals, "a signal of the cell"));
        model::file::name_places(environment, &mut problems);
        problems
    }

    fn check_command(&self, tree: &Definition, node: &Node, sends: bool) -> Vec<Problem> {
        let name = node.fields.get("command").and_then(Field::as_str).unwrap_or_default();
        if name.is_empty() {
            return Vec::new();
        }
        let command = match self.known_command(name) {
            Ok(command) => command,
            Err(why) => {
                let remedy = format!("declare it under `commands` in {}", self.file);
                return vec![problem(tree, node, "command", why, remedy)];
            }
        };
        let mut problems = Vec::new();
        for field in ["values", "only"] {
            for key in object(node, field).into_iter().flat_map(Map::keys) {
                if !command.values.iter().any(|value| **value == **key) {
                    let hint = hint(key, command.values.iter().map(|value| &**value));
                    let message = format!("command `{name}` has no value `{key}`{hint}");
                    problems.push(problem(tree, node, field, message, "take it out, or declare it in the cell"));
                }
            }
        }
        let given = |value: &str| object(node, "values").is_some_and(|values| values.contains_key(value));
        for value in command.values.iter().filter(|value| sends && !given(value)) {
            let message = format!("command `{name}` needs the value `{value}`");
            problems.push(problem(tree, node, "values", message, format!("give `{value}` in `values`")));
        }
        problems
    }

    fn check_set(&self, tree: &Definition, node: &Node) -> Vec<Problem> {
        let outputs = self.signals.iter().filter(|signal| signal.is_output);
        let set = outputs.filter(|signal| object(node, "values").is_some_and(|set| set.contains_key(&*signal.name)));
        set.map(|signal| {
            let message = format!("signal `{}` is set by commands of the robot, not by its environment", signal.name);
            problem(tree, node, "values", message, "take it out: an environment only reads it")
        })
        .collect()
    }
}

fn each_node<'a>(library: &'a Library, mut see: impl FnMut(&'a Definition, &'a Node)) {
    for (_, tree) in library.iter() {
        for id in tree.walk(tree.root) {
            see(tree, tree.node(id));
        }
    }
}

fn object<'a>(node: &'a Node, field: &str) -> Option<&'a Map<String, Json>> {
    match node.fields.get(field) {
        Some(Field::Json(json)) => json.as_object(),
        _ => None,
    }
}

fn problem(
    tree: &Definition,
    node: &Node,
    field: &str,
    message: impl Into<String>,
    remedy: impl Into<String>,
) -> Problem {
    let mut problem = Problem::in_file(Severity::Error, &tree.file, message, remedy);
    problem.node = Some(node.id);
    problem.field = Some(field.to_owned());
    problem
}

/// A file's own variable hides one of the world: nothing from outside would reach it, and the other way round.
fn shadowed(library: &Library, world: &[&str], what: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (_, tree) in library.iter() {
        let header = &tree.header;
        let inputs = header.inputs.iter().map(|(name, _)| ("inputs", name));
        let outputs = header.outputs.iter().map(|(name, _)| ("outputs", name));
        let variables = header.variables.iter().map(|(name, _)| ("variables", name));
        for (field, name) in inputs.chain(outputs).chain(variables).filter(|(_, name)| world.contains(&&***name)) {
            let message = format!("`{name}` is {what}, and this declaration hides it");
            let root = tree.node(tree.root);
            problems.push(problem(tree, root, field, message, "take it out, or give it another name"));
        }
    }
    problems
}
