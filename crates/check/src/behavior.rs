use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use engine::{Flow, Registry};
use model::{DefinitionId, Field, Library, Role};
use robot::Robot;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::facts::{self, Facts};
use crate::flow;
use crate::jumps::Jumps;
use crate::other_robots;
use crate::tracks::Tracks;
use crate::tree::{At, Tree};

/// A behavior with its skills, prepared for the concerns.
pub struct Behavior<'a> {
    pub files: Vec<File<'a>>,
    pub world: FxHashSet<&'a str>,
    pub options: &'a Options,
    pub registry: &'a Registry,
    /// The uses of each file.
    pub uses: Vec<Vec<(DefinitionId, At)>>,
    claiming: FxHashMap<Arc<str>, Vec<DefinitionId>>,
    reserving: FxHashMap<Arc<str>, Vec<DefinitionId>>,
    /// Of each file whether it runs as written, and as on the other side.
    sides: Vec<(bool, bool)>,
    /// Of each node of each file whether it never runs on this robot; nothing where no robot is known.
    never_run: Vec<Vec<bool>>,
    searches_left: Cell<u32>,
}

/// One file of it.
pub struct File<'a> {
    pub tree: Tree<'a>,
    pub facts: Facts,
    pub tracks: Tracks,
    pub jumps: Jumps,
    pub flows: Vec<Flow>,
    /// The file that a skill use of this one stands for.
    pub skills: Vec<(At, Option<DefinitionId>)>,
    labels: OnceCell<Vec<Arc<str>>>,
}

/// Looking for a similar name compares with all of them: a broken file with thousands of wrong names gets suggestions
/// for the first.
const SEARCHES: u32 = 200;

impl<'a> Behavior<'a> {
    pub fn new(
        library: &'a Library,
        registry: &'a Registry,
        world: &'a [Arc<str>],
        options: &'a Options,
    ) -> Behavior<'a> {
        let world: FxHashSet<&str> = world.iter().map(|name| &**name).collect();
        let robot = options.robot.as_deref();
        let new = |(id, _)| File::new(library, id, registry, (&world, robot));
        let mut files: Vec<File<'a>> = library.iter().map(new).collect();
        let mut uses = vec![Vec::new(); files.len()];
        for file in &files {
            for (at, target) in &file.skills {
                if let Some(target) = target {
                    uses[target.index()].push((file.tree.id, *at));
                }
            }
        }
        for id in used_first(&files) {
            settle(registry, &mut files, id);
        }
        let mut claiming: FxHashMap<Arc<str>, Vec<DefinitionId>> = FxHashMap::default();
        let mut reserving: FxHashMap<Arc<str>, Vec<DefinitionId>> = FxHashMap::default();
        for file in &files {
            for (at, tokens) in &file.facts.claims {
                for token in tokens {
                    note(&mut claiming, token, file.tree.id);
                    if file.facts.reserves.contains_key(at) {
                        note(&mut reserving, token, file.tree.id);
                    }
                }
            }
        }
        let searches_left = Cell::new(SEARCHES);
        let robot = options.robot.as_deref();
        let never = |file: &File<'_>| robot.map_or_else(Vec::new, |robot| other_robots::never_run(&file.tree, robot));
        let never_run: Vec<Vec<bool>> = files.iter().map(never).collect();
        let sides = sides(&files, &never_run);
        Behavior { files, world, options, registry, uses, claiming, reserving, sides, never_run, searches_left }
    }

    /// It is for other robots: in a case of theirs, or left out on this one.
    pub fn never_runs_here(&self, file: &File<'_>, at: At) -> bool {
        self.never_run[file.tree.id.index()].get(at as usize).copied().unwrap_or_default()
    }

    /// Whether some use runs the file as written, and whether some runs it as on the other side.
    pub fn sides(&self, file: &File<'_>) -> (bool, bool) {
        self.sides[file.tree.id.index()]
    }

    pub fn file(&self, id: DefinitionId) -> &File<'a> {
        &self.files[id.index()]
    }

    /// The known name that a wrong one is most likely a slip of.
    pub fn nearest<'n>(&self, wrong: &str, known: impl FnOnce() -> Vec<&'n str>) -> Option<&'n str> {
        // Of one or two letters every other is a slip.
        let left = self.searches_left.get().checked_sub(1).filter(|_| wrong.chars().nth(2).is_some())?;
        self.searches_left.set(left);
        model::file::nearest(wrong, known().into_iter().filter(|name| *name != wrong))
    }

    /// Another file than this one claims the token; `only_reserved`: reserves it.
    pub fn is_claimed_beside(&self, file: &File<'_>, token: &str, only_reserved: bool) -> bool {
        let files = if only_reserved { &self.reserving } else { &self.claiming };
        files.get(token).is_some_and(|files| files.iter().any(|id| *id != file.tree.id))
    }
}

/// Files come one behind the other, so that the last one noted is enough to note each once.
fn note(files: &mut FxHashMap<Arc<str>, Vec<DefinitionId>>, token: &Arc<str>, file: DefinitionId) {
    let noted = files.entry(token.clone()).or_default();
    if noted.last() != Some(&file) {
        noted.push(file);
    }
}

impl<'a> File<'a> {
    fn new(
        library: &'a Library,
        id: DefinitionId,
        registry: &'a Registry,
        (world, robot): (&FxHashSet<&str>, Option<&Robot>),
    ) -> File<'a> {
        let definition = library.get(id);
        let tree = Tree::new(id, definition, registry);
        let declared: FxHashSet<&str> = declared(&tree).collect();
        let facts = facts::note(&tree, registry, &|name| declared.contains(name) || world.contains(name), robot);
        let tracks = Tracks::new(&tree);
        let is_skill = |at: &At| tree.role(*at) == Some(Role::Skill);
        let skills =
            tree.all().filter(is_skill).map(|at| (at, library.skill_of(id, tree.node(at).id))).collect::<Vec<_>>();
        let jumps = Jumps::new(&tree, &|_| false);
        File { tree, facts, tracks, jumps, flows: Vec::new(), skills, labels: OnceCell::new() }
    }

    pub fn is_main(&self) -> bool {
        self.tree.id == Library::MAIN
    }

    /// What its nodes are called, without the root, each name once.
    pub fn labels(&self) -> &[Arc<str>] {
        self.labels.get_or_init(|| {
            let labels: FxHashSet<&Arc<str>> = self.tree.all().skip(1).map(|at| self.tree.node(at).label()).collect();
            let mut labels: Vec<Arc<str>> = labels.into_iter().cloned().collect();
            labels.sort_unstable();
            labels
        })
    }

    pub fn flow(&self, at: At) -> Flow {
        self.flows.get(at as usize).copied().unwrap_or(Flow::UNKNOWN)
    }

    pub fn skill(&self, at: At) -> Option<DefinitionId> {
        let index = self.skills.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.skills[index].1
    }
}

/// Names that a file declares.
pub fn declared<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = &'t str> {
    let header = &tree.definition.header;
    let inputs = header.inputs.iter().map(|(name, _)| &**name);
    let outputs = header.outputs.iter().map(|(name, _)| &**name);
    inputs
        .chain(outputs)
        .chain(header.variables.iter().map(|(name, _)| &**name))
        .chain(header.lets.iter().map(|(name, _)| &**name))
}

/// On which sides each file runs, by the uses that lead to it.
fn sides(files: &[File<'_>], never_run: &[Vec<bool>]) -> Vec<(bool, bool)> {
    let mut sides = vec![(false, false); files.len()];
    let mut left = vec![(Library::MAIN, false)];
    while let Some((id, mirrored)) = left.pop() {
        let (here, there) = &mut sides[id.index()];
        if std::mem::replace(if mirrored { there } else { here }, true) {
            continue;
        }
        let file = &files[id.index()];
        for (at, used) in &file.skills {
            let is_for_others = never_run[id.index()].get(*at as usize).copied().unwrap_or_default();
            let Some(used) = used.filter(|_| !is_for_others) else { continue };
            match file.tree.node(*at).fields.get("mirrored") {
                None | Some(Field::Bool(false)) => left.push((used, mirrored)),
                Some(Field::Bool(true)) => left.push((used, !mirrored)),
                // Known when it starts.
                Some(_) => left.extend([(used, false), (used, true)]),
            }
        }
    }
    sides
}

/// Every file behind those it uses, as far as circles allow. Without recursion: a chain of files may be long.
fn used_first(files: &[File<'_>]) -> Vec<DefinitionId> {
    let mut order = Vec::with_capacity(files.len());
    let mut visited = vec![false; files.len()];
    for start in files {
        let mut way = vec![(start.tree.id, 0)];
        if std::mem::replace(&mut visited[start.tree.id.index()], true) {
            continue;
        }
        while let Some((id, next)) = way.last_mut() {
            let Some((_, used)) = files[id.index()].skills.get(*next) else {
                order.push(*id);
                way.pop();
                continue;
            };
            *next += 1;
            if let Some(used) = used
                && !std::mem::replace(&mut visited[used.index()], true)
            {
                way.push((*used, 0));
            }
        }
    }
    order
}

/// Works out how the nodes of a file end, once that of the files it uses is known.
fn settle(registry: &Registry, files: &mut [File<'_>], id: DefinitionId) {
    let used = |at: At| files[id.index()].skill(at).map(|used| &files[used.index()]);
    let jumps_out = |at: At| used(at).is_some_and(|file| file.jumps.any_out());
    let skill_flow = |at: At| match used(at) {
        // Not settled yet: it is part of a circle.
        Some(file) if file.flows.is_empty() || file.jumps.any_out() => Flow::UNKNOWN,
        Some(file) => file.flow(0),
        None => Flow::UNKNOWN,
    };
    let file = &files[id.index()];
    let jumps = Jumps::new(&file.tree, &jumps_out);
    let flows = flow::settle(registry, &file.tree, &file.facts, (&file.tracks, &jumps), &skill_flow);
    let file = &mut files[id.index()];
    file.jumps = jumps;
    file.flows = flows;
}
