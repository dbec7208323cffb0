//! The templates beside a behavior, and everything wrong with them.

use std::collections::BTreeMap;

use engine::Registry;
use model::file::Files;
use model::{Field, Library, Node, Problem, Severity, is_template, templates_folder};
use scene::template::Library as Templates;

/// What is wrong with a file of templates.
pub type Told = robot::Problem;

/// What can be done with objects: the files in `templates` beside the behavior, then our own. What is wrong with one is
/// told, and the others serve.
pub fn templates_beside(file: &str, files: &dyn Files) -> (Templates, Vec<Told>) {
    let folder = templates_folder(file);
    let names = files.names_in(&folder).into_iter().filter(|name| is_template(name));
    let texts = names.map(|name| {
        let path = format!("{folder}/{name}");
        let text = files.read(&path);
        (path, text)
    });
    let texts: Vec<(String, Result<String, String>)> = texts.collect();
    let mut templates = Templates::built_in();
    let told = templates.add_files(texts);
    (templates, told)
}

/// What is left out harms only those that use it: that is an error, all else a warning. So is what a step names and no
/// template has.
pub(crate) fn problems(library: &Library, files: &dyn Files, registry: &Registry) -> Vec<Problem> {
    let (templates, told) = templates_beside(&library.main().file, files);
    let mut problems: Vec<Problem> = told.into_iter().map(as_of_a_file).collect();
    let nodes = || library.iter().flat_map(|(_, tree)| tree.walk(tree.root).map(move |id| (tree, tree.node(id))));
    let class_of: BTreeMap<String, String> = nodes()
        .filter_map(|(_, node)| Some((text(node, "object")?, text(node, "class")?)))
        .filter(|(_, class)| !class.is_empty())
        .map(|(object, class)| (if object.is_empty() { class.clone() } else { object }, class))
        .collect();
    for (tree, node) in nodes() {
        let Some(entry) = registry.get(&node.kind).filter(|entry| entry.info.field("template").is_some()) else {
            continue;
        };
        let parts: Vec<&str> = PARTS.into_iter().filter(|part| entry.info.field(part).is_some()).collect();
        let Some((field, why)) = misfit(node, &parts, &templates, &class_of) else { continue };
        let mut problem =
            Problem::in_file(Severity::Error, &tree.file, why, "name one that is there, or mend its file");
        (problem.node, problem.field) = (Some(node.id), Some(field.to_owned()));
        problem.path = tree.path(node.id);
        problems.push(problem);
    }
    problems
}

/// Fields that name a part of a template.
const PARTS: [&str; 3] = ["grasp", "stand", "affordance"];

/// None: its value is not known before it runs.
fn text(node: &Node, key: &str) -> Option<String> {
    node.fields.get(key).map_or(Some(""), Field::as_str).map(str::to_owned)
}

/// The field that names what is not there, and why that is known.
fn misfit<'a>(
    node: &Node,
    parts: &[&'a str],
    templates: &Templates,
    class_of: &BTreeMap<String, String>,
) -> Option<(&'a str, String)> {
    let (template, object) = (text(node, "template")?, text(node, "object")?);
    let (field, class) = match template.as_str() {
        "" => ("object", class_of.get(&object).unwrap_or(&object)),
        _ => ("template", &template),
    };
    let found = match templates.get(class) {
        Ok(found) => found,
        // What an object is that nobody here sets up is known when it is seen.
        Err(why) => return (field == "template" || templates.broken().contains_key(class)).then_some((field, why)),
    };
    if field == "object" && !class_of.contains_key(&object) {
        return None;
    }
    parts.iter().find_map(|part| {
        let name = text(node, part)?;
        let there = match *part {
            "grasp" => found.grasp(&name).map(|_| ()),
            "stand" => found.stand(&name).map(|_| ()),
            _ => found.affordance(&name).map(|_| ()),
        };
        there.err().map(|why| (*part, why.to_string()))
    })
}

fn as_of_a_file(told: Told) -> Problem {
    let message = format!("line {}: {}", told.line, told.message);
    let remedy = if told.severity == robot::Severity::Error { "until it is mended it is left out" } else { "" };
    let problem = Problem::in_file(Severity::Warning, &told.file, message, remedy);
    Problem { field: (!told.element.is_empty()).then_some(told.element), ..problem }
}
