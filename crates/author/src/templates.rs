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

/// What is left out harms only those that use it: that is an error, all else a warning.
pub(crate) fn problems(library: &Library, files: &dyn Files, registry: &Registry) -> Vec<Problem> {
    let (templates, told) = templates_beside(&library.main().file, files);
    let mut problems: Vec<Problem> = told.into_iter().map(as_of_a_file).collect();
    if templates.broken().is_empty() {
        return problems;
    }
    let nodes = || library.iter().flat_map(|(_, tree)| tree.walk(tree.root).map(move |id| (tree, tree.node(id))));
    let text = |node: &Node, key: &str| node.fields.get(key).and_then(Field::as_str).unwrap_or_default().to_owned();
    let class_of: BTreeMap<String, String> = nodes()
        .map(|(_, node)| (text(node, "object"), text(node, "class")))
        .filter(|(_, class)| !class.is_empty())
        .collect();
    let uses = nodes()
        .filter(|(_, node)| registry.get(&node.kind).is_some_and(|entry| entry.info.field("template").is_some()));
    for (tree, node) in uses {
        let (template, object) = (text(node, "template"), text(node, "object"));
        let (field, class) = match template.as_str() {
            "" => ("object", class_of.get(&object).unwrap_or(&object)),
            _ => ("template", &template),
        };
        let Some(why) = templates.broken().get(class) else { continue };
        let message = format!("the template for class `{class}` cannot be used: {why}");
        let mut problem = Problem::in_file(Severity::Error, &tree.file, message, "mend it in its file");
        (problem.node, problem.field) = (Some(node.id), Some(field.to_owned()));
        problem.path = tree.path(node.id);
        problems.push(problem);
    }
    problems
}

fn as_of_a_file(told: Told) -> Problem {
    let message = format!("line {}: {}", told.line, told.message);
    let remedy = if told.severity == robot::Severity::Error { "until it is mended it is left out" } else { "" };
    let problem = Problem::in_file(Severity::Warning, &told.file, message, remedy);
    Problem { field: (!told.element.is_empty()).then_some(told.element), ..problem }
}
