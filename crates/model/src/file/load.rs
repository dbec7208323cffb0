use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::check::{Checked, Plans};
use super::parse::{Finding, Words, parse};
use super::words::{list, nearest};
use super::{Files, build, fold, header, join, migrate, relative, replaced, scan, thesis};
use crate::schema::short;
use crate::{Catalogue, Definition, DefinitionId, Field, Finder, Library, NodeId, Problem, Severity};

/// A behavior with its skill files, and everything that is wrong with them. A broken file still opens.
#[derive(Debug)]
pub struct Loaded {
    pub library: Library,
    pub problems: Vec<Problem>,
}

/// Loads a behavior and, transitively, every skill file it uses.
///
/// Fails only where there is nothing to open: the main file cannot be read, or is no JSON object.
pub fn load(path: &str, files: &dyn Files, catalogue: &Catalogue) -> Result<Loaded, Problem> {
    let main = fold(path);
    let mut loader = Loader {
        catalogue,
        plans: Plans::new(catalogue),
        words: Words::default(),
        main: main.clone(),
        library: Library::default(),
        problems: Vec::new(),
        uses: Vec::new(),
    };
    let text = files.read(&main).map_err(|why| {
        let remedy = match replaced::find(&main) {
            Some(replaced) => format!("it was replaced: give {}{}", replaced.beside(&main), replaced.arguments()),
            None => match replaced::part_of(&main) {
                Some(whole) => format!("it is a part of {whole} now: give that"),
                None => "check the path, and that the file may be read".to_owned(),
            },
        };
        Problem::in_file(Severity::Error, &main, why, remedy)
    })?;
    loader.add(&main, &text)?;
    loader.add_skills(files);
    loader.check_uses();
    loader.report_cycles();
    name_places(&loader.library, &mut loader.problems);
    Ok(Loaded { library: loader.library, problems: loader.problems })
}

/// A node that stands for the tree of another file.
struct SkillUse {
    definition: DefinitionId,
    node: NodeId,
    target: Option<DefinitionId>,
}

struct Loader<'c> {
    catalogue: &'c Catalogue,
    plans: Plans<'c>,
    words: Words,
    main: String,
    library: Library,
    problems: Vec<Problem>,
    uses: Vec<SkillUse>,
}

impl Loader<'_> {
    fn add(&mut self, file: &str, text: &str) -> Result<DefinitionId, Problem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        scan::scan(file, text)?;
        let (mut nodes, mut findings) = parse(text, &mut self.words).map_err(|error| scan::not_json(file, &error))?;
        let foreign = thesis::is_foreign(&nodes[0].kind);
        let written = header::written_version(&nodes[0].fields);
        let mut header = header::take(&mut nodes[0].fields, !foreign, &mut findings);
        if nodes[0].kind.is_empty() {
            nodes[0].kind = self.words.intern("sequence");
        }
        thesis::convert(&mut nodes, file, self.catalogue, &mut self.words);
        migrate::migrate(written, &mut nodes, self.catalogue);
        let mut checked = Checked::default();
        for (at, raw) in nodes.iter_mut().enumerate() {
            self.plans.check(at as u32, raw, &mut checked, &mut findings);
        }
        for key in &checked.unknown_at_root {
            if let Some((_, field)) = nodes[0].fields.remove(key) {
                header.extra.insert(key.to_string(), field.to_json());
            }
        }
        // Ids must not depend on where on a machine the behavior lies.
        let id_file = relative(&self.main, file);
        let (mut definition, ids) = build::build(nodes, (file, &id_file), header, &self.library, &mut findings);
        let references: Vec<(NodeId, Arc<str>)> =
            checked.references.into_iter().map(|(at, key)| (ids[at as usize], key)).collect();
        if !references.is_empty() {
            build::resolve_references(&mut definition, &references);
        }
        findings.sort_by_key(|finding| finding.node);
        self.problems.extend(findings.into_iter().map(|finding| problem(&definition, &ids, finding)));
        let id = self.library.add(definition);
        self.uses.extend(checked.skill_uses.iter().map(|at| SkillUse {
            definition: id,
            node: ids[*at as usize],
            target: None,
        }));
        Ok(id)
    }

    /// `uses` grows while files are added, so this ends when the last added file brings no new one.
    fn add_skills(&mut self, files: &dyn Files) {
        let mut failed: FxHashMap<String, String> = FxHashMap::default();
        let mut next = 0;
        while let Some(SkillUse { definition, node, .. }) = self.uses.get(next) {
            let (definition, node) = (*definition, *node);
            let using = self.library.get(definition);
            let named = using.node(node).fields.get("file").and_then(Field::as_str).unwrap_or_default().to_owned();
            if named.is_empty() {
                self.report(definition, node, "file", "the skill use names no file", "give the skill file in `file`");
            } else {
                let path = self.still_there(join(&using.file, &named), (definition, node), files);
                if self.library.find(&path).is_none() && !failed.contains_key(&path) {
                    let added = match files.read(&path) {
                        Ok(text) => self.add(&path, &text).map_err(|problem| format!("{path}: {}", problem.message)),
                        Err(why) => Err(why),
                    };
                    if let Err(why) = added {
                        failed.insert(path.clone(), why);
                    }
                }
                self.uses[next].target = self.library.find(&path);
                if let Some(why) = failed.get(&path) {
                    let message = format!("the skill file cannot be loaded: {why}");
                    let remedy = match replaced::part_of(&path) {
                        Some(whole) => format!("it is a part of {whole} now: use that, or keep the file of before"),
                        None => "mend the file, or name another one in `file`".to_owned(),
                    };
                    self.report(definition, node, "file", message, remedy);
                }
            }
            next += 1;
        }
    }

    /// A use of a skill that was replaced becomes one of what has replaced it.
    fn still_there(&mut self, path: String, (definition, node): (DefinitionId, NodeId), files: &dyn Files) -> String {
        let Some(replaced) = replaced::find(&path).filter(|_| files.read(&path).is_err()) else { return path };
        let new = replaced.beside(&path);
        if files.read(&new).is_err() {
            return path;
        }
        if let Some(node) = self.library.get_mut(definition).get_mut(node) {
            replaced.rewrite(&mut node.fields);
        }
        let message = format!("{path} was replaced by {new}{}", replaced.told());
        self.report(definition, node, "file", message, "`coact import --upgrade` writes it so");
        if let Some(problem) = self.problems.last_mut() {
            problem.severity = Severity::Warning;
        }
        new
    }

    fn report(
        &mut self,
        definition: DefinitionId,
        node: NodeId,
        field: &str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let tree = self.library.get(definition);
        let mut problem = Problem::in_file(Severity::Error, &tree.file, message, remedy);
        problem.node = Some(node);
        problem.field = Some(field.to_owned());
        self.problems.push(problem);
    }

    /// What a use gives and takes against what its skill declares.
    fn check_uses(&mut self) {
        let mut wrong: Vec<(DefinitionId, NodeId, &'static str, String, String)> = Vec::new();
        for SkillUse { definition, node, target } in &self.uses {
            let Some(target) = target else { continue };
            let skill = self.library.get(*target);
            let fields = &self.library.get(*definition).node(*node).fields;
            let given = |key: &str| match fields.get(key) {
                Some(Field::Json(json)) => json.as_object(),
                _ => None,
            };
            let (inputs, outputs) = (&skill.header.inputs, &skill.header.outputs);
            for name in given("inputs").into_iter().flatten().map(|(name, _)| name) {
                if !inputs.iter().any(|(declared, _)| **declared == **name) {
                    let (message, remedy) = undeclared("input", name, skill, inputs.iter().map(|(name, _)| &**name));
                    wrong.push((*definition, *node, "inputs", message, remedy));
                }
            }
            for (name, input) in inputs {
                let literal = given("inputs").and_then(|given| given.get(&**name));
                // A text is an expression: what it gives is checked with the others.
                let literal = literal.filter(|json| !json.is_string());
                for message in literal.into_iter().flat_map(|literal| input.wrong(name, literal)) {
                    wrong.push((*definition, *node, "inputs", message, format!("give another `{name}`")));
                }
            }
            for (name, _) in inputs.iter().filter(|(_, input)| input.default.is_none()) {
                let is_given = |entries: &serde_json::Map<String, Json>| entries.contains_key(&**name);
                if !given("inputs").is_some_and(is_given) {
                    let message = format!("input `{name}` of {} has no default and is not given", skill.file);
                    wrong.push((*definition, *node, "inputs", message, format!("give `{name}` in `inputs`")));
                }
            }
            for name in given("outputs").into_iter().flatten().map(|(name, _)| name) {
                if !outputs.iter().any(|(declared, _)| **declared == **name) {
                    let (message, remedy) = undeclared("output", name, skill, outputs.iter().map(|(name, _)| &**name));
                    wrong.push((*definition, *node, "outputs", message, remedy));
                }
            }
        }
        for (definition, node, field, message, remedy) in wrong {
            self.report(definition, node, field, message, remedy);
        }
    }

    /// Each use that closes a circle of skills, with the way round. Depth first, without recursion: a chain of skill
    /// files may be long.
    fn report_cycles(&mut self) {
        let mut next_use = vec![Vec::new(); self.library.len()];
        for (at, skill_use) in self.uses.iter().enumerate() {
            next_use[skill_use.definition.index()].push(at);
        }
        let mut visited = vec![false; self.library.len()];
        let mut way: Vec<(DefinitionId, usize)> = vec![(Library::MAIN, 0)];
        let mut closing = Vec::new();
        visited[0] = true;
        while let Some((definition, place)) = way.last_mut() {
            let Some(at) = next_use[definition.index()].get(*place).copied() else {
                way.pop();
                continue;
            };
            *place += 1;
            let Some(target) = self.uses[at].target else { continue };
            if let Some(start) = way.iter().position(|(on_way, _)| *on_way == target) {
                let mut files: Vec<&str> = way[start..].iter().map(|(id, _)| &*self.library.get(*id).file).collect();
                files.push(&self.library.get(target).file);
                closing.push((at, files.join(" → ")));
            } else if !std::mem::replace(&mut visited[target.index()], true) {
                way.push((target, 0));
            }
        }
        for (at, chain) in closing {
            let SkillUse { definition, node, .. } = self.uses[at];
            let message = format!("skills use each other in a circle: {chain}");
            self.report(definition, node, "file", message, "take one of these uses out");
        }
    }
}

fn undeclared<'a>(
    what: &str,
    name: &str,
    skill: &Definition,
    declared: impl Iterator<Item = &'a str> + Clone,
) -> (String, String) {
    let remedy = match nearest(name, declared.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if declared.clone().next().is_none() => format!("declare it in {}, or take it out", skill.file),
        None => format!("declared are {}", list(declared)),
    };
    (format!("{} declares no {what} `{}`", skill.file, short(name)), remedy)
}

/// Gives each problem of a node the path that finds this node and no other: `/Pick/Grasp[2]`.
pub fn name_places(library: &Library, problems: &mut [Problem]) {
    let mut finders: FxHashMap<DefinitionId, Finder<'_>> = FxHashMap::default();
    for problem in problems {
        let (Some(node), Some(file)) = (problem.node, library.find(&problem.file)) else { continue };
        problem.path = finders.entry(file).or_insert_with(|| Finder::new(library.get(file))).path(node);
    }
}

fn problem(definition: &Definition, ids: &[NodeId], finding: Finding) -> Problem {
    let node = ids[finding.node as usize];
    let mut problem = Problem::in_file(finding.severity, &definition.file, finding.message, finding.remedy);
    problem.node = Some(node);
    problem.field = finding.field;
    problem
}
