use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::Engine;
use model::file::Disk;
use model::{Catalogue, Definition, DefinitionId, Field, FieldInfo, Library, Node, NodeId, Role, common_fields};
use serde_json::Value as Json;

use crate::describe;
use crate::files::{self, Known};
use crate::out::{self, Done, SUCCESS, WRONG, complain};
use crate::show_picture;

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file.
    file: String,
    /// Draw the branches with plain letters.
    #[arg(long)]
    ascii: bool,
    /// Draw the tree into this SVG file instead.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A skill of skills of skills grows without end in print; nobody reads that far.
const MAX_LINES: usize = 20_000;
const MAX_USES: usize = 32;

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let (loaded, problems) = files::open(&args.file, &Disk, &registry, &Known::default());
    // A broken file is shown as far as it goes.
    for problem in problems.iter().filter(|problem| problem.is_error()) {
        complain(&problem.to_string());
    }
    let Some(loaded) = loaded else { return Ok(WRONG) };
    let code = if problems.iter().any(model::Problem::is_error) { WRONG } else { SUCCESS };
    if let Some(path) = &args.svg {
        out::write(path, &show_picture::picture(loaded.library.main(), registry.catalogue()))?;
        return Ok(code);
    }
    // What belongs to a try is the engine's to say.
    let tries = Engine::new(loaded.library.clone(), registry.clone(), &engine::Options::default()).try_lengths();
    out::print(&tree(&loaded.library, registry.catalogue(), tries, args.ascii))?;
    Ok(code)
}

fn tree(library: &Library, catalogue: &Catalogue, tries: BTreeMap<NodeId, usize>, ascii: bool) -> String {
    let mut showing = Showing { library, catalogue, tries, ascii, lines: Vec::new(), uses: vec![Library::MAIN] };
    let main = library.main();
    let root = main.node(main.root);
    let mut head = format!("{} ({})", root.label(), main.file);
    if &*root.kind != "sequence" {
        head += &format!(": {}", root.kind);
    }
    showing.lines.push(head + &showing.settings(main, root));
    let head = declarations(main);
    showing.beside("", &root.notes);
    showing.lines.extend(head.into_iter().map(|line| format!("  {line}")));
    showing.children(Library::MAIN, main.root, "");
    let mut text = showing.lines.join("\n");
    text.push('\n');
    text
}

struct Showing<'a> {
    library: &'a Library,
    catalogue: &'a Catalogue,
    /// How many children of each fallback are its try.
    tries: BTreeMap<NodeId, usize>,
    ascii: bool,
    lines: Vec<String>,
    /// Files that are being expanded, outermost first.
    uses: Vec<DefinitionId>,
}

impl<'a> Showing<'a> {
    fn children(&mut self, file: DefinitionId, parent: NodeId, indent: &str) {
        let tree = self.library.get(file);
        let node = tree.node(parent);
        let tries = match self.catalogue.role(&node.kind) {
            Some(Role::Fallback) => self.tries.get(&parent).copied(),
            _ => None,
        };
        let [tee, corner, bar] = if self.ascii { ["|- ", "`- ", "|  "] } else { ["├─ ", "└─ ", "│  "] };
        for (place, child) in node.children.iter().enumerate() {
            if self.lines.len() >= MAX_LINES {
                if self.lines.len() == MAX_LINES {
                    self.lines.push("and more; this is only the beginning".to_owned());
                }
                return;
            }
            if let Some(tries) = tries {
                match place {
                    0 => self.lines.push(format!("{indent}{bar}try")),
                    place if place == tries => self.lines.push(format!("{indent}{bar}catch")),
                    _ => {}
                }
            }
            let last = place + 1 == node.children.len();
            let (branch, below) = if last { (corner, "   ") } else { (tee, bar) };
            self.node(file, *child, &format!("{indent}{branch}"), &format!("{indent}{below}"));
        }
    }

    fn node(&mut self, file: DefinitionId, id: NodeId, branch: &str, below: &str) {
        let tree = self.library.get(file);
        let node = tree.node(id);
        let name = if node.name.is_empty() { String::new() } else { format!(" \"{}\"", one_line(&node.name)) };
        self.lines.push(format!("{branch}{}{name}{}", one_line(&node.kind), self.settings(tree, node)));
        self.beside(below, &node.notes);
        if self.catalogue.role(&node.kind) == Some(Role::Skill) {
            self.skill(file, id, below);
        }
        self.children(file, id, below);
    }

    fn skill(&mut self, file: DefinitionId, id: NodeId, indent: &str) {
        let Some(used) = self.library.skill_of(file, id) else { return };
        if self.uses.contains(&used) || self.uses.len() > MAX_USES {
            self.lines.push(format!("{indent}(not expanded again: it is being expanded above)"));
            return;
        }
        let tree = self.library.get(used);
        self.lines.extend(declarations(tree).into_iter().map(|line| format!("{indent}{line}")));
        self.uses.push(used);
        let root = tree.node(tree.root);
        if &*root.kind == "sequence" && root.fields.is_empty() {
            self.children(used, tree.root, indent);
        } else {
            let [corner, blank] = if self.ascii { ["`- ", "   "] } else { ["└─ ", "   "] };
            self.node(used, tree.root, &format!("{indent}{corner}"), &format!("{indent}{blank}"));
        }
        self.uses.pop();
    }

    fn beside(&mut self, indent: &str, notes: &str) {
        let lines = notes.lines().filter(|line| !line.trim().is_empty());
        self.lines.extend(lines.map(|line| format!("{indent}  # {}", one_line(line))));
    }

    /// Settings that differ from their defaults: `  duration_s 7.6 s · after Walk`.
    fn settings(&self, tree: &Definition, node: &Node) -> String {
        let info = self.catalogue.get(&node.kind);
        let known = |key: &str| -> Option<&FieldInfo> {
            let common = common_fields().iter().find(|field| field.name == key);
            info.and_then(|info| info.field(key)).or(common)
        };
        let mut parts = Vec::new();
        for (key, field) in node.fields.iter() {
            let value = match field {
                Field::Ref(reference) => match reference.id.and_then(|id| tree.get(id)) {
                    Some(target) => Json::from(&**target.label()),
                    None => Json::from(&*reference.text),
                },
                other => other.to_json(),
            };
            let info = known(key);
            if info.is_some_and(|info| same(&info.default, &value)) {
                continue;
            }
            let unit = info.and_then(|info| info.unit.as_deref());
            parts.push(format!("{key} {}", one_line(&describe::value_text(&value, unit))));
        }
        let dot = if self.ascii { "; " } else { " · " };
        if parts.is_empty() { String::new() } else { format!("  {}", parts.join(dot)) }
    }
}

fn same(a: &Json, b: &Json) -> bool {
    a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a))
}

/// What a file takes, gives and keeps, a line each.
fn declarations(tree: &Definition) -> Vec<String> {
    let header = &tree.header;
    let with_unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" in {unit}") };
    let mut lines = Vec::new();
    let inputs: Vec<String> = header
        .inputs
        .iter()
        .map(|(name, input)| match &input.default {
            Some(value) => format!("{name}{} (default {})", with_unit(&input.unit), describe::value_text(value, None)),
            None => format!("{name}{}", with_unit(&input.unit)),
        })
        .collect();
    let outputs: Vec<String> =
        header.outputs.iter().map(|(name, output)| format!("{name}{}", with_unit(&output.unit))).collect();
    let variables: Vec<String> = header
        .variables
        .iter()
        .map(|(name, value)| match value {
            Json::Null => name.to_string(),
            value => format!("{name} = {}", describe::value_text(value, None)),
        })
        .collect();
    for (word, list) in [("inputs", inputs), ("outputs", outputs), ("variables", variables)] {
        if !list.is_empty() {
            lines.push(format!("{word}: {}", one_line(&list.join(", "))));
        }
    }
    lines.extend(header.cell.as_ref().map(|cell| format!("cell: {}", one_line(cell))));
    lines
}

/// A name or a value must not break the drawing.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
