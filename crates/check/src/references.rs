//! Names of nodes that lead nowhere, out of the file, or to more than one node.

use model::{DefinitionId, Field};
use rustc_hash::FxHashSet;

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for at in file.tree.all() {
        for (key, written) in file.tree.node(at).fields.iter() {
            if let Field::Ref(reference) = written {
                let asked = Reference { at, from: at, field: key, text: &reference.text };
                asked.check(behavior, file, report);
            }
        }
    }
    for asked in &file.facts.asked {
        let field = file.tree.field_saying(asked.at, &asked.text).unwrap_or("condition");
        Reference { at: asked.at, from: asked.from, field, text: &asked.name }.check(behavior, file, report);
    }
}

/// A name in a field of the node `at`, as seen from the node `from`.
struct Reference<'r> {
    at: At,
    from: At,
    field: &'r str,
    text: &'r str,
}

impl Reference<'_> {
    fn check(&self, behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
        let tree = &file.tree;
        let Some((first, second)) = tree.finder.find_two(tree.node(self.from).id, self.text) else {
            return self.missing(behavior, file, report);
        };
        // An edit may have kept the reference on its node while another of that name came nearer.
        let kept = engine::reference_in(tree.node(self.at), self.field).and_then(|reference| reference.id);
        let (Some(second), Some(taken)) = (second, tree.place(kept.unwrap_or(first))) else { return };
        let taken = tree.finder.path(tree.node(taken).id);
        let remedy = format!("write the path: `{taken}`, or `{}` for another", tree.finder.path(second));
        let message = format!("there are several nodes `{}`; `{taken}` is taken", self.text);
        report.warning(file, field(self.at, self.field), message, remedy);
    }

    fn missing(&self, behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
        let place = field(self.at, self.field);
        let ends = if self.field == "after" { "; it runs as if it said Previous" } else { "" };
        if file.tree.label(self.from) == self.text {
            let message = format!("`{}` is the node itself{ends}", self.text);
            return report.error(file, place, message, "name another node");
        }
        let outside = Outside::of(behavior, file.tree.id, self.text);
        match (outside.found, outside.missing) {
            (Some(found), None) => {
                let message = format!(
                    "`{}` is not in this file: it is found in {found}, so the skill depends on who uses it",
                    self.text
                );
                let remedy = "name a node of this file, or pass what is needed as an input";
                report.warning(file, place, message, remedy);
            }
            (Some(found), Some(missing)) => {
                let message = format!(
                    "`{}` is not in this file: it is found where {found} uses the skill, but not where {missing} does",
                    self.text
                );
                report.error(
                    file,
                    place,
                    message,
                    format!("name a node of this file, or add `{}` to {missing}", self.text),
                );
            }
            (None, _) => {
                let remedy = match behavior.nearest(self.text, || file.labels().iter().map(|label| &**label).collect())
                {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write the name of a node of this file, or its path".to_owned(),
                };
                report.error(file, place, format!("there is no node `{}`{ends}", self.text), remedy);
            }
        }
    }
}

/// What a name finds around the uses of a skill.
#[derive(Default)]
struct Outside {
    found: Option<String>,
    missing: Option<String>,
}

impl Outside {
    /// Goes outward through the uses, each file once.
    fn of(behavior: &Behavior<'_>, inner: DefinitionId, text: &str) -> Outside {
        let mut outside = Outside::default();
        let mut seen = FxHashSet::default();
        let mut to_ask = vec![inner];
        while let Some(id) = to_ask.pop() {
            for (user, via) in &behavior.uses[id.index()] {
                let user = behavior.file(*user);
                let name = || user.tree.definition.file.to_string();
                if user.tree.finder.find(user.tree.node(*via).id, text).is_some() {
                    outside.found.get_or_insert_with(name);
                } else if user.is_main() {
                    outside.missing.get_or_insert_with(name);
                } else if seen.insert(user.tree.id) {
                    to_ask.push(user.tree.id);
                }
            }
        }
        outside
    }
}
