//! Variables that are read, set or declared for nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::behavior::{Behavior, File, declared};
use crate::report::{Report, field};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let variables = Variables::of(behavior, file);
    variables.undefined(report);
    variables.written_in_vain(report);
    variables.never_set(report);
    variables.unused_inputs(report);
}

const ROOT: At = 0;

struct Variables<'v, 'a> {
    behavior: &'v Behavior<'a>,
    file: &'v File<'a>,
    declared: FxHashSet<&'v str>,
    written: FxHashSet<&'v str>,
    /// Every name that an expression reads, or reads a part of.
    read: FxHashSet<&'v str>,
    given: FxHashSet<&'v str>,
}

impl<'v, 'a> Variables<'v, 'a> {
    fn of(behavior: &'v Behavior<'a>, file: &'v File<'a>) -> Variables<'v, 'a> {
        let given = behavior.options.given.iter().map(|name| &**name).filter(|_| file.is_main());
        Variables {
            behavior,
            file,
            declared: declared(&file.tree).collect(),
            written: file.facts.writes.iter().map(|write| write.name.as_str()).collect(),
            read: file.facts.reads.iter().flat_map(|read| &read.names).map(String::as_str).collect(),
            given: given.collect(),
        }
    }

    fn exists(&self, name: &str) -> bool {
        self.declared.contains(name)
            || self.written.contains(name)
            || self.given.contains(name)
            || self.behavior.world.contains(name)
    }

    /// Names that a wrong one may be a slip of, in a fixed order.
    fn known(&self) -> Vec<&'v str> {
        let sets = [&self.declared, &self.written, &self.given, &self.behavior.world];
        let mut known: Vec<&str> = sets.into_iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    fn undefined(&self, report: &mut Report<'_>) {
        if self.behavior.options.open_world {
            return;
        }
        for read in &self.file.facts.reads {
            if read.names.iter().any(|name| self.exists(name)) {
                continue;
            }
            let (Some(name), Some(whole)) = (read.names.last(), read.names.first()) else { continue };
            let near = self.behavior.nearest(whole, || self.known());
            let near = near.or_else(|| self.behavior.nearest(name, || self.known()));
            let remedy = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare `{name}` under `variables` of the file, or set it before"),
            };
            let is_let =
                read.at == ROOT && self.file.tree.definition.header.lets.iter().any(|(_, text)| *text == read.text);
            let said = self.file.tree.field_saying(read.at, &read.text).filter(|_| !is_let);
            let place = said.unwrap_or(if is_let { "let" } else { "condition" });
            let message = format!("nothing declares or sets the variable `{name}`");
            report.error(self.file, field(read.at, place), message, remedy);
        }
    }

    /// A name that is set, read by nobody and declared nowhere is likely a slip.
    fn written_in_vain(&self, report: &mut Report<'_>) {
        let wanted = || {
            let mut wanted: Vec<&str> = self.read.iter().chain(&self.declared).copied().collect();
            wanted.sort_unstable();
            wanted.dedup();
            wanted
        };
        for write in &self.file.facts.writes {
            let name = write.name.as_str();
            if self.read.contains(name) || self.declared.contains(name) || self.behavior.world.contains(name) {
                continue;
            }
            let remedy = match self.behavior.nearest(name, wanted) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare `{name}` under `variables` if people look at it, or take it out"),
            };
            let place = self.file.tree.field_saying(write.at, name).unwrap_or("variable");
            let message = format!("the variable `{name}` is set here, but nothing reads it");
            report.warning(self.file, field(write.at, place), message, remedy);
        }
    }

    fn never_set(&self, report: &mut Report<'_>) {
        let header = &self.file.tree.definition.header;
        let inputs: FxHashSet<&str> = header.inputs.iter().map(|(name, _)| &**name).collect();
        let values: FxHashMap<&str, bool> =
            header.variables.iter().map(|(name, value)| (&**name, !value.is_null())).collect();
        let is_set = |name: &str| {
            self.written.contains(name)
                || self.given.contains(name)
                || inputs.contains(name)
                || values.get(name).copied().unwrap_or(false)
        };
        for (name, _) in header.variables.iter().filter(|(name, _)| !is_set(name)) {
            let message = format!("the variable `{name}` is declared without a value, and nothing sets it");
            let remedy = format!("give `{name}` a value under `variables`, or set it");
            report.warning(self.file, field(ROOT, "variables"), message, remedy);
        }
        for (name, _) in header.outputs.iter().filter(|(name, _)| !is_set(name)) {
            let message = format!("the output `{name}` is never set");
            let remedy = match self.behavior.nearest(name, || sorted(&self.written)) {
                Some(near) => format!("set `{name}`; did `{near}` mean it?"),
                None => format!("set `{name}` in the skill, or take it out of `outputs`"),
            };
            report.warning(self.file, field(ROOT, "outputs"), message, remedy);
        }
    }

    fn unused_inputs(&self, report: &mut Report<'_>) {
        let header = &self.file.tree.definition.header;
        let outputs: FxHashSet<&str> = header.outputs.iter().map(|(name, _)| &**name).collect();
        for (name, _) in &header.inputs {
            if !self.read.contains(&**name) && !outputs.contains(&**name) {
                let message = format!("the input `{name}` is never read");
                let remedy = format!("use `{name}` in the skill, or take it out of `inputs`");
                report.warning(self.file, field(ROOT, "inputs"), message, remedy);
            }
        }
    }
}

fn sorted<'s>(names: &FxHashSet<&'s str>) -> Vec<&'s str> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_unstable();
    names
}
