use model::{NodeId, Problem, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::behavior::{Behavior, File};
use crate::tree::At;

/// Problems found so far.
pub struct Report<'a> {
    loaded: &'a [Problem],
    broken: FxHashSet<NodeId>,
    found: Vec<Problem>,
}

impl<'a> Report<'a> {
    pub fn new(loaded: &'a [Problem]) -> Report<'a> {
        let broken = loaded.iter().filter(|problem| problem.is_error()).filter_map(|problem| problem.node).collect();
        Report { loaded, broken, found: Vec::new() }
    }

    /// Loading has reported an error of the node already.
    pub fn is_broken(&self, file: &File<'_>, at: At) -> bool {
        self.broken.contains(&file.tree.node(at).id)
    }

    pub fn error(&mut self, file: &File<'_>, place: Blamed<'_>, message: impl Into<String>, remedy: impl Into<String>) {
        self.add(Severity::Error, file, place, message.into(), remedy.into());
    }

    pub fn warning(
        &mut self,
        file: &File<'_>,
        place: Blamed<'_>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.add(Severity::Warning, file, place, message.into(), remedy.into());
    }

    pub fn add(&mut self, severity: Severity, file: &File<'_>, place: Blamed<'_>, message: String, remedy: String) {
        let node = file.tree.node(place.at);
        let mut problem = Problem::in_file(severity, &file.tree.definition.file, message, remedy);
        problem.path = file.tree.finder.path(node.id);
        problem.node = Some(node.id);
        problem.field = place.field.map(str::to_owned);
        self.found.push(problem);
    }

    /// By file, then by place in the tree, what loading found first; each once.
    pub fn finish(self, behavior: &Behavior<'_>) -> Vec<Problem> {
        let files: FxHashMap<&str, usize> =
            behavior.files.iter().enumerate().map(|(index, file)| (&*file.tree.definition.file, index)).collect();
        let place = |problem: &Problem| {
            let file = files.get(problem.file.as_str()).copied();
            let tree = file.map(|index| &behavior.files[index].tree);
            let at = problem.node.and_then(|node| tree?.place(node));
            // What belongs to no node stands before what does; what belongs to no file stands behind all files.
            (file.unwrap_or(usize::MAX), at.map_or(0, |at| at + 1))
        };
        let mut all: Vec<((usize, At), Problem)> =
            self.loaded.iter().cloned().chain(self.found).map(|problem| (place(&problem), problem)).collect();
        all.sort_by_key(|(place, _)| *place);
        let mut seen = FxHashSet::default();
        all.retain(|(place, problem)| seen.insert((*place, problem.field.clone(), problem.message.clone())));
        all.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// A node, and the field of it that is wrong.
#[derive(Clone, Copy)]
pub struct Blamed<'a> {
    at: At,
    field: Option<&'a str>,
}

pub fn node<'a>(at: At) -> Blamed<'a> {
    Blamed { at, field: None }
}

pub fn field(at: At, field: &str) -> Blamed<'_> {
    Blamed { at, field: Some(field) }
}
