//! The template libraries of the DARPA Robotics Challenge: files for objects, for grasps and for where to stand, tied
//! together by `template_type`. What is wrong is told and left out; the rest serves.

use std::collections::{BTreeMap, BTreeSet};

use robot::{Problem, Severity};
use roxmltree::Document;

use super::problem;
use super::xml::{Entry, Items, Kind, Parsed};
use super::{LeftOut, Template};

/// What came of some files that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// In the order of their types.
    pub templates: Vec<Template>,
    /// Classes that the files have but nobody can use, each with why.
    pub broken: BTreeMap<String, String>,
    pub problems: Vec<Problem>,
}

/// All templates of some files that belong together, each with its name and text.
pub fn import_xml(files: &[(&str, &str)]) -> Imported {
    let texts: Vec<(&str, String)> =
        files.iter().map(|(file, text)| (*file, without_line_numbers(text.trim_start_matches('\u{feff}')))).collect();
    let mut imported = Imported::default();
    let mut documents = Vec::new();
    for (file, text) in &texts {
        match Document::parse(text) {
            Ok(document) => documents.push((*file, document)),
            Err(error) => {
                let message = format!("not XML: {error}");
                let wrong = problem(file, error.pos().row, "", message);
                // What it would have said of these nobody knows.
                for class in named_in(text) {
                    imported.broken.insert(class, wrong.to_string());
                }
                imported.problems.push(wrong);
            }
        }
    }
    let mut import = Import { imported, by_type: BTreeMap::new(), broken_types: BTreeSet::new() };
    let parsed: Vec<Parsed> = documents.iter().map(|(file, document)| Parsed::new(file, document)).collect();
    import.objects(&parsed);
    import.parts(&parsed);
    import.finish()
}

/// As printed in a report, every line begins with its number.
fn without_line_numbers(text: &str) -> String {
    let rest = |line: &str| line.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    let numbered = |line: &str| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !numbered(first) {
        return text.to_owned();
    }
    let lines: Vec<String> = text.lines().map(rest).collect();
    // The declaration must be the very first.
    lines.join("\n").trim_start().to_owned()
}

/// Of a text that is no XML: what it seems to be about.
fn named_in(text: &str) -> impl Iterator<Item = String> {
    let after = text.split("template_name=\"").skip(1);
    after.filter_map(|rest| rest.split('"').next()).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Two spellings of one name.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    plain(one) == plain(other)
}

struct Import {
    imported: Imported,
    /// Each with the file that says what it is.
    by_type: BTreeMap<i64, (Template, String)>,
    /// Types whose object was left out; what belongs to them goes with it.
    broken_types: BTreeSet<i64>,
}

impl Import {
    fn objects(&mut self, parsed: &[Parsed]) {
        for file in parsed {
            let kind = file.kind();
            if kind.as_ref() != Ok(&Kind::Objects) {
                self.imported.problems.extend(kind.err());
                continue;
            }
            let (entries, wrong) = file.entries();
            self.imported.problems.extend(wrong);
            for entry in &entries {
                self.object(file, entry);
            }
        }
    }

    fn object(&mut self, file: &Parsed, entry: &Entry) {
        let same_type = self.by_type.get(&entry.number).map(|(other, from)| {
            let (number, class) = (entry.number, &other.class);
            format!("type {number} is `{class}` of {from} already: give it a number of its own")
        });
        let same_name = || {
            let (_, from) = self.by_type.values().find(|(other, _)| other.class == entry.name)?;
            Some(format!("`{}` is in {from} already: remove one, or give it another name", entry.name))
        };
        let mut reader = file.reader();
        let read = match same_type.or_else(same_name) {
            Some(message) => {
                reader.problems.push(problem(file.file(), entry.line, "template", message));
                None
            }
            None => reader.object(entry),
        };
        match read {
            Some(template) => drop(self.by_type.insert(entry.number, (template, file.file().to_owned()))),
            None => {
                let why = reader.problems.first().map(ToString::to_string).unwrap_or_default();
                self.imported.broken.insert(entry.name.clone(), why);
                self.broken_types.insert(entry.number);
            }
        }
        self.imported.problems.extend(reader.problems);
    }

    fn parts(&mut self, parsed: &[Parsed]) {
        for file in parsed {
            let Ok(kind) = file.kind() else { continue };
            if kind == Kind::Objects {
                continue;
            }
            let (entries, wrong) = file.entries();
            self.imported.problems.extend(wrong);
            for entry in &entries {
                self.part(file, kind, entry);
            }
        }
    }

    fn part(&mut self, file: &Parsed, kind: Kind, entry: &Entry) {
        if self.broken_types.contains(&entry.number) && !self.by_type.contains_key(&entry.number) {
            return;
        }
        let mut reader = file.reader();
        let unsafe_name = self.judge_name(file, entry);
        let what = if kind == Kind::Grasps { "grasp" } else { "stand pose" };
        if !self.by_type.contains_key(&entry.number)
            && let Some(wrong) = unsafe_name
        {
            self.imported.problems.push(wrong);
            return;
        }
        let (template, _) = self
            .by_type
            .entry(entry.number)
            .or_insert_with(|| (Template { class: entry.name.clone(), ..Template::default() }, file.file().to_owned()));
        if let Some(wrong) = unsafe_name {
            let none_yet = if kind == Kind::Grasps { template.grasps.is_empty() } else { template.stands.is_empty() };
            let left_out = LeftOut { what, name: String::new(), is_first: none_yet, why: wrong.to_string() };
            template.left_out.push(left_out);
            self.imported.problems.push(wrong);
            return;
        }
        let twice = match kind {
            Kind::Grasps => {
                let items = reader.grasps(entry.element);
                add(&mut template.grasps, &mut template.left_out, items, |grasp| &grasp.name)
            }
            Kind::Objects | Kind::Stands => {
                let items = reader.stands(entry.element);
                add(&mut template.stands, &mut template.left_out, items, |stand| &stand.name)
            }
        };
        if !twice.is_empty() {
            let (class, names) = (&template.class, twice.join(", "));
            let message = format!(
                "`{class}` has a {what} of this name from a file before, which counts: {names}; keep the files of the \
                 robot's own hands alone"
            );
            let wrong = problem(file.file(), entry.line, entry.element.tag_name().name(), message);
            self.imported.problems.push(Problem { severity: Severity::Warning, ..wrong });
        }
        self.imported.problems.extend(reader.problems);
    }

    /// The number says what an entry belongs to; a name that differs is told. Where the name is that of another object
    /// nobody can know which of the two is meant: then that is what is wrong with it.
    fn judge_name(&mut self, file: &Parsed, entry: &Entry) -> Option<Problem> {
        let (number, name) = (entry.number, &entry.name);
        let known = self.by_type.get(&number).map(|(template, from)| (&template.class, from));
        if known.is_some_and(|(class, _)| is_same(class, name)) {
            return None;
        }
        let at = |message: String| problem(file.file(), entry.line, entry.element.tag_name().name(), message);
        let other = self.by_type.iter().find(|(_, (other, _))| is_same(&other.class, name)).map(|(other, _)| other);
        let (class, from) = match (known, other) {
            (None, None) => return None,
            (None, Some(other)) => {
                return Some(at(format!("no object is type {number}, and `{name}` is type {other}: mend its number")));
            }
            (Some((class, from)), Some(other)) => {
                return Some(at(format!(
                    "type {number} is `{class}` in {from}, and `{name}` is type {other}: it is left out, because it \
                     may belong to either; mend its number or its name"
                )));
            }
            (Some(known), None) => known,
        };
        let message = format!(
            "type {number} is called `{name}` here and `{class}` in {from}: it is taken for `{class}`; make them equal"
        );
        self.imported.problems.push(Problem { severity: Severity::Warning, ..at(message) });
        None
    }

    fn finish(self) -> Imported {
        let Import { mut imported, by_type, .. } = self;
        let templates = by_type.into_values().map(|(template, _)| template);
        imported.templates = templates.filter(|template| !imported.broken.contains_key(&template.class)).collect();
        imported
    }
}

/// Gives the names that were there already.
fn add<T>(all: &mut Vec<T>, left_out: &mut Vec<LeftOut>, items: Items<T>, name: impl Fn(&T) -> &String) -> Vec<String> {
    let is_behind = !all.is_empty();
    left_out.extend(items.left_out.into_iter().map(|one| LeftOut { is_first: one.is_first && !is_behind, ..one }));
    let mut twice = Vec::new();
    for item in items.good {
        if all.iter().any(|other| name(other) == name(&item)) {
            twice.push(name(&item).clone());
        } else {
            all.push(item);
        }
    }
    twice
}
