//! What each step would do, found without moving anything.

use std::sync::Arc;

use engine::{Body, Registry};
use model::{Definition, DefinitionId, Library, NodeId, Role};
use recording::seconds_text;
use robot::{Preview, Robot};
use serde::Serialize;
use serde_json::json;

use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, count};
use crate::robot_args::{self, RobotArgs};

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file.
    file: String,
    /// Only this node and what is below it, by name or path; what comes before still counts.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    robot: RobotArgs,
}

/// One step that moves the body.
#[derive(Serialize)]
struct Row {
    node: Arc<str>,
    path: String,
    #[serde(rename = "type")]
    kind: Arc<str>,
    /// Why it cannot be done.
    problem: Option<String>,
    preview: Option<Preview>,
    #[serde(skip)]
    wanted: bool,
}

/// A hand path that is worse than this at its worst moment is not reached.
const WORST_QUALITY: f64 = 1.0;

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let choice = args.robot.choice_or_default()?;
    let known = Known { robot: Some(&choice), ..Known::default() };
    let loaded = files::sound(&args.file, files::open(&args.file, &Once::default(), &registry, &known), true)?;
    let Some(robot) = choice.robot(&loaded.library, &registry) else {
        return finish(args, None, &[]);
    };
    let wanted = args.node.as_deref().map(|name| files::node_named(loaded.library.main(), name)).transpose()?;
    let simulated = args.robot.simulated(&robot, None, 0)?;
    let body = robot_args::body(&*simulated, &choice.frames, &choice.ground);
    let mut walk = Walk { library: &loaded.library, registry: &registry, body, rows: Vec::new() };
    let whole = wanted.is_none();
    walk.tree(Library::MAIN, "", wanted, whole, 0);
    let rows: Vec<Row> = walk.rows.into_iter().filter(|row| row.wanted).collect();
    finish(args, Some(&robot), &rows)
}

struct Walk<'a> {
    library: &'a Library,
    registry: &'a Registry,
    body: Body,
    rows: Vec<Row>,
}

/// Skills in skills: a circle of them is an error, but nobody waits for its end.
const MAX_DEPTH: usize = 64;

impl Walk<'_> {
    fn tree(&mut self, id: DefinitionId, above: &str, wanted: Option<NodeId>, whole: bool, depth: usize) {
        let library = self.library;
        let tree = library.get(id);
        for node in tree.walk(tree.root) {
            let is_wanted = whole || wanted.is_some_and(|wanted| tree.is_within(node, wanted));
            let path = path(tree, node, above);
            match (self.registry.catalogue().role(&tree.node(node).kind), library.skill_of(id, node)) {
                (Some(Role::Skill), Some(used)) if depth < MAX_DEPTH => {
                    self.tree(used, &path, None, is_wanted, depth + 1);
                }
                (Some(Role::Step), _) => self.step(tree, node, path, is_wanted),
                _ => {}
            }
        }
    }

    fn step(&mut self, tree: &Definition, id: NodeId, path: String, wanted: bool) {
        let node = tree.node(id);
        let (preview, problem) = match self.registry.preview(node, &self.body) {
            Ok(None) => return,
            Ok(Some(preview)) => (Some(preview), None),
            Err(problem) => (None, Some(problem)),
        };
        if let Some(preview) = &preview {
            let mut state = (**self.body.state()).clone();
            state.positions.clone_from(&preview.goal);
            state.world_from_base = preview.world_from_base;
            self.body.update(Arc::new(state));
        }
        let (node, kind) = (node.label().clone(), node.kind.clone());
        self.rows.push(Row { node, path, kind, problem, preview, wanted });
    }
}

fn path(tree: &Definition, node: NodeId, above: &str) -> String {
    format!("{above}{}", tree.path(node))
}

impl Row {
    fn is_possible(&self) -> bool {
        self.preview.as_ref().is_some_and(|preview| preview.quality <= WORST_QUALITY)
    }

    fn cells(&self) -> [String; 4] {
        let Some(preview) = &self.preview else {
            return [self.path.clone(), "–".to_owned(), "cannot be done".to_owned(), String::new()];
        };
        let quality = match preview.quality {
            quality if quality > WORST_QUALITY => format!("not reached ({quality:.2})"),
            0.0 => "good".to_owned(),
            quality => format!("good ({quality:.2})"),
        };
        let pairs: Vec<String> = preview.collisions.iter().map(|(one, other)| format!("{one} and {other}")).collect();
        let touches = if pairs.is_empty() { "none".to_owned() } else { pairs.join(", ") };
        [self.path.clone(), format!("{} s", seconds_text(preview.duration_s)), quality, touches]
    }
}

fn finish(args: &Args, robot: Option<&Robot>, rows: &[Row]) -> Done {
    let impossible = rows.iter().filter(|row| !row.is_possible()).count();
    if args.json {
        let robot = robot.map(|robot| &robot.name);
        out::print(&format!("{}\n", json!({"robot": robot, "possible": impossible == 0, "steps": rows})))?;
    } else {
        out::print(&text(rows, impossible))?;
    }
    Ok(if impossible == 0 { SUCCESS } else { FAILED })
}

fn text(rows: &[Row], impossible: usize) -> String {
    if rows.is_empty() {
        return "nothing here moves a body\n".to_owned();
    }
    let head = ["step", "duration", "quality", "collisions"].map(str::to_owned);
    let table: Vec<[String; 4]> = std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let widths = [0, 1, 2].map(|column| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for (place, row) in table.iter().enumerate() {
        let [step, duration, quality, touches] = row;
        let [a, b, c] = widths;
        text += format!("{step:<a$}  {duration:>b$}  {quality:<c$}  {touches}").trim_end();
        text.push('\n');
        if let Some(problem) = place.checked_sub(1).and_then(|place| rows[place].problem.as_ref()) {
            text += &format!("  {problem}\n");
        }
    }
    let total_s: f64 = rows.iter().filter_map(|row| row.preview.as_ref()).map(|preview| preview.duration_s).sum();
    text += &match impossible {
        0 => format!("\n{}, {} s one after the other\n", count(rows.len(), "step"), seconds_text(total_s)),
        some => format!("\n{some} of {} cannot be done\n", count(rows.len(), "step")),
    };
    text
}
