use model::{Problem, Severity};
use serde_json::Value as Json;

use crate::json::Tree;
use crate::signals::hint;

/// Collects what is wrong with a file while it is read.
pub(crate) struct Reader<'a> {
    pub file: &'a str,
    pub problems: Vec<Problem>,
}

/// Where in the file: `/variables/slot_1`.
pub(crate) type Place<'a> = &'a str;

impl Reader<'_> {
    pub fn error(&mut self, place: Place, field: Option<&str>, message: impl Into<String>, remedy: impl Into<String>) {
        self.report(Severity::Error, place, field, message.into(), remedy.into());
    }

    pub fn warning(&mut self, place: Place, field: Option<&str>, message: &str, remedy: &str) {
        self.report(Severity::Warning, place, field, message.into(), remedy.into());
    }

    fn report(&mut self, severity: Severity, place: Place, field: Option<&str>, message: String, remedy: String) {
        let mut problem = Problem::in_file(severity, self.file, message, remedy);
        problem.path = place.to_owned();
        problem.field = field.map(str::to_owned);
        self.problems.push(problem);
    }

    /// The entries of an object, each key once.
    pub fn object(&mut self, tree: Tree, place: Place, wanted: &str) -> Vec<(String, Tree)> {
        match tree {
            Tree::Object(entries) => self.once(entries, place),
            _ => {
                self.error(place, None, format!("this must be {wanted}"), "mend it or take it out");
                Vec::new()
            }
        }
    }

    fn once(&mut self, entries: Vec<(String, Tree)>, place: Place) -> Vec<(String, Tree)> {
        let mut kept: Vec<(String, Tree)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match kept.iter_mut().find(|(other, _)| *other == key) {
                None => kept.push((key, value)),
                Some((_, earlier)) => {
                    let message = format!("`{key}` is written twice; the last one counts");
                    self.error(place, Some(&key), message, "take one of them out, or give it another name");
                    *earlier = value;
                }
            }
        }
        kept
    }

    /// The fields of an entry by the names in `known`, in their order; others are reported.
    pub fn fields<const N: usize>(&mut self, tree: Tree, place: Place, known: [&str; N]) -> [Option<Tree>; N] {
        let mut fields = [const { None }; N];
        let names: Vec<String> = known.iter().map(|name| format!("\"{name}\"")).collect();
        for (key, value) in self.object(tree, place, &format!("an object made of {}", names.join(", "))) {
            match known.iter().position(|name| *name == key) {
                Some(at) => fields[at] = Some(value),
                None => {
                    let remedy = format!("take it out{}", hint(&key, known.into_iter()));
                    self.error(place, Some(&key), format!("`{key}` is not known here"), remedy);
                }
            }
        }
        fields
    }

    pub fn text(&mut self, tree: Option<Tree>, place: Place, field: &str) -> String {
        match tree {
            None => String::new(),
            Some(Tree::Plain(Json::String(text))) => text,
            Some(_) => {
                self.error(place, Some(field), format!("`{field}` must be a text"), "write it in quotes");
                String::new()
            }
        }
    }

    pub fn number(&mut self, tree: Option<Tree>, place: Place, field: &str) -> Option<f64> {
        match tree? {
            Tree::Plain(Json::Number(number)) => number.as_f64(),
            _ => {
                self.error(place, Some(field), format!("`{field}` must be a number"), "write it without quotes");
                None
            }
        }
    }

    /// Names are what expressions can say: letters, digits and `_`, parts joined by dots.
    pub fn name_is_good(&mut self, name: &str, place: Place) {
        let part = |part: &str| {
            !part.starts_with(|first: char| first.is_ascii_digit())
                && !part.is_empty()
                && part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        if !name.split('.').all(part) {
            let remedy = "use a-z, A-Z, 0-9, _ and dots between; do not begin with a digit";
            self.error(place, None, format!("expressions cannot say the name `{name}`"), remedy);
        }
    }
}
