//! What each step would do, found without moving anything.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Body, Measured, Registry};
use geometry::Pose;
use model::{Definition, DefinitionId, Library, Node, NodeId, Role};
use recording::seconds_text;
use robot::{Preview, Robot};
use serde::Serialize;
use serde_json::json;

use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, count};
use crate::robot_args::{self, RobotArgs};
use crate::run::{self, How, Level};
use crate::world::WorldArgs;

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file.
    file: String,
    /// Only this node and what is below it, by name or path; what comes before still counts.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Run the tree on a simulated robot, with objects at their nominal poses, instead of looking at step by step.
    #[arg(long, conflicts_with = "node")]
    run: bool,
    /// With --run: as fast as the wall clock, not as fast as the machine can.
    #[arg(long, requires = "run")]
    realtime: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    robot: RobotArgs,
}

/// One step that moves the body, puts an object somewhere or judges a value.
#[derive(Serialize)]
struct Row {
    node: Arc<str>,
    path: String,
    #[serde(rename = "type")]
    kind: Arc<str>,
    /// Why it cannot be done.
    problem: Option<String>,
    preview: Option<Preview>,
    /// Where objects of the scene are after it, if it is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<BTreeMap<Arc<str>, Pose>>,
    /// The value that it judges, from where everything would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
    #[serde(skip)]
    wanted: bool,
}

/// A hand path that is worse than this at its worst moment is not reached.
const WORST_QUALITY: f64 = 1.0;

pub fn run(args: &Args) -> Done {
    if args.run {
        return run_whole(args);
    }
    let registry = nodes::registry();
    let choice = args.robot.choice_or_default()?;
    let known = Known { robot: Some(&choice), ..Known::default() };
    let loaded = files::sound(&args.file, files::open(&args.file, &Once::default(), &registry, &known), true)?;
    let Some(robot) = choice.robot(&loaded.library, &registry) else {
        return finish(args, None, &[]);
    };
    let wanted = args.node.as_deref().map(|name| files::node_named(loaded.library.main(), name)).transpose()?;
    let simulated = args.robot.simulated(&robot, None, 0)?;
    let mut body = robot_args::body(&*simulated, &choice.frames, &choice.ground);
    body.use_templates(robot_args::templates_beside(&args.file));
    let mut walk = Walk { library: &loaded.library, registry: &registry, body, rows: Vec::new() };
    let whole = wanted.is_none();
    walk.tree(Library::MAIN, "", wanted, whole, 0);
    let rows: Vec<Row> = walk.rows.into_iter().filter(|row| row.wanted).collect();
    finish(args, Some(&robot), &rows)
}

/// The same tree, on the kinematic robot, beside whatever the real one does.
fn run_whole(args: &Args) -> Done {
    let (realtime, json) = (args.realtime, args.json);
    let whole = run::Args {
        file: args.file.clone(),
        sets: Vec::new(),
        seed: 0,
        repeat: 1,
        autonomy: Level::Full,
        how: How { realtime, json, rate: 100.0, max_time: 3600.0, ascii: false, quiet: false },
        robot: args.robot.clone(),
        world: WorldArgs::default(),
    };
    run::run_as(&whole, Once::default(), true)
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
        let (name, kind) = (node.label().clone(), node.kind.clone());
        let mut row =
            Row { node: name, path, kind, problem: None, preview: None, objects: None, measured: None, wanted };
        match self.registry.preview(node, &self.body) {
            Ok(Some(preview)) => {
                self.move_to(&preview);
                row.preview = Some(preview);
            }
            Ok(None) => match self.registry.measure(node, &self.body) {
                Ok(Some(measured)) => row.measured = Some(measured),
                Ok(None) => match self.put_objects(node) {
                    Ok(None) => return,
                    Ok(objects) => row.objects = objects,
                    Err(problem) => row.problem = Some(problem),
                },
                // What it asks about is not there in a preview; that does not make it impossible.
                Err(problem) => (row.problem, row.objects) = (Some(problem), Some(BTreeMap::new())),
            },
            Err(problem) => row.problem = Some(problem),
        }
        self.rows.push(row);
    }

    fn move_to(&mut self, preview: &Preview) {
        let mut state = (**self.body.state()).clone();
        state.positions.clone_from(&preview.goal);
        state.world_from_base = preview.world_from_base;
        self.body.update(Arc::new(state));
        self.body.advance(0);
    }

    /// None: it asks nothing of the scene.
    fn put_objects(&mut self, node: &Node) -> Result<Option<BTreeMap<Arc<str>, Pose>>, String> {
        let updates = self.registry.nominal(node, &self.body)?;
        for update in &updates {
            self.body.apply(update).map_err(|error| error.to_string())?;
        }
        self.body.advance(0);
        let objects = self.body.scene().objects().iter();
        let placed = objects.filter_map(|(name, object)| Some((name.clone(), object.world_from_object?)));
        Ok((!updates.is_empty()).then(|| placed.collect()))
    }
}

fn path(tree: &Definition, node: NodeId, above: &str) -> String {
    format!("{above}{}", tree.path(node))
}

impl Row {
    fn is_possible(&self) -> bool {
        match &self.preview {
            Some(preview) => preview.quality <= WORST_QUALITY,
            None => self.measured.is_some() || self.objects.is_some(),
        }
    }

    fn moves_body(&self) -> bool {
        self.measured.is_none() && self.objects.is_none()
    }

    fn cells(&self) -> [String; 4] {
        let Some(preview) = &self.preview else {
            let (what, note) = self.without_motion();
            return [self.path.clone(), "–".to_owned(), what, note];
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

    fn without_motion(&self) -> (String, String) {
        if let Some(Measured { value, unit, holds }) = self.measured {
            return (if holds { "holds" } else { "does not hold" }.to_owned(), format!("{value} {unit}"));
        }
        match &self.objects {
            None => ("cannot be done".to_owned(), String::new()),
            Some(_) if self.problem.is_some() => ("cannot be judged".to_owned(), String::new()),
            Some(objects) => {
                let place = |(name, pose): (&Arc<str>, &Pose)| {
                    let [x, y, z] =
                        <[f64; 3]>::from(pose.translation_m()).map(|metres| (metres * 1e3).round() / 1e3 + 0.0);
                    format!("{name} at {x} {y} {z} m")
                };
                ("scene".to_owned(), objects.iter().map(place).collect::<Vec<_>>().join(", "))
            }
        }
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
    let moving = rows.iter().filter(|row| row.moves_body()).count();
    text += &match impossible {
        0 => format!("\n{}, {} s one after the other\n", count(moving, "step"), seconds_text(total_s)),
        some => format!("\n{some} of {} cannot be done\n", count(rows.len(), "step")),
    };
    text
}
