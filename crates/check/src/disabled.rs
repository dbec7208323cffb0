//! What leads to a node that is disabled, or would disable a whole file.

use model::Field;

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tree::At;

pub fn check(_behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let tree = &file.tree;
    if tree.common(0).disabled {
        let remedy = "disable what uses it, or what is in it";
        report.warning(file, field(0, "disabled"), "the root of a file cannot be disabled: it runs", remedy);
    }
    for at in tree.all() {
        // Whoever executes after it never waits.
        for (key, written) in tree.node(at).fields.iter().filter(|(key, _)| &***key != "after") {
            if let Field::Ref(reference) = written {
                leads_to(file, (at, key), reference.id, report);
            }
        }
    }
}

fn leads_to(file: &File<'_>, (at, key): (At, &str), target: Option<model::NodeId>, report: &mut Report<'_>) {
    let definition = file.tree.definition;
    let Some(target) = target.filter(|target| definition.contains(*target) && definition.is_off(*target)) else {
        return;
    };
    let path = file.tree.finder.path(target);
    report.error(file, field(at, key), format!("`{path}` is disabled"), "enable it, or name another node");
}
