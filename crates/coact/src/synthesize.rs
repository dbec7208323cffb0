//! Goals to a behavior.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use engine::Registry;
use expression::Expression;
use model::file::{Disk, Files, relative, save};
use model::{Problem, Subtree};
use serde_json::json;
use synthesis::{Automaton, Capabilities, Plan, Request, Why};

use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, Stop, WRONG, complain, count};
use crate::robot_args::Choice;

#[derive(clap::Args)]
pub struct Args {
    /// What the robot is able to do: modes and actions, with what each needs.
    #[arg(long, value_name = "FILE")]
    capabilities: String,
    /// What is so at the start: the mode that is on, actions that have completed, facts.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    from: Vec<String>,
    /// What shall be reached; several in the order in which they are wanted.
    #[arg(long = "goal", value_name = "NAME", value_delimiter = ',', required = true)]
    goals: Vec<String>,
    /// The order is a must: a goal counts only once those before it are reached.
    #[arg(long)]
    order: bool,
    /// Try what fails as often again, instead of failing at once.
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    retry: u32,
    /// Use only these modes.
    #[arg(long, value_name = "MODE", value_delimiter = ',')]
    modes: Vec<String>,
    /// Formulas that must hold too, a line each: `sys G(look_down -> object_template.c)`.
    #[arg(long, value_name = "FILE")]
    formulas: Option<String>,
    /// How many situations to look at before giving up.
    #[arg(long, value_name = "COUNT", default_value_t = synthesis::LIMIT)]
    limit: usize,
    /// Write the behavior to this file.
    #[arg(long, value_name = "OUT")]
    tree: Option<PathBuf>,
    /// Write one step that finds its steps itself, when it starts.
    #[arg(long, requires = "tree")]
    on_board: bool,
    /// Say for which goal each step is done, what could take part and how much was looked at.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Done {
    let capabilities = open(&args.capabilities)?;
    let request = Request {
        from: args.from.clone(),
        goals: args.goals.clone(),
        strict: args.order,
        retry: args.retry,
        modes: args.modes.clone(),
    };
    let formulas = args.formulas.as_ref().map(|file| Disk.read(file).map_err(|error| anyhow!("{file}: {error}")));
    let formulas = formulas.transpose()?;
    let found = match &formulas {
        Some(formulas) => synthesis::synthesize_under(&capabilities, &request, formulas),
        None => synthesis::synthesize(&capabilities, &request, args.limit),
    };
    if matches!(found, Err(Why::Branches | Why::Sensed(_))) {
        return branching(args, &capabilities, &request, &formulas.unwrap_or_default());
    }
    let plan = match found {
        Ok(plan) => plan,
        Err(why) => return refuse(args, &why),
    };
    let out = args.tree.as_deref().unwrap_or(Path::new(&args.capabilities));
    let tree = synthesis::tree(&capabilities, &request, &plan, &seen_from(out, &args.capabilities)?);
    let proof = synthesis::prove(&capabilities, &request, &tree).map_err(|fault| anyhow!("no proof: {fault}"))?;
    if let Some(out) = &args.tree {
        let seen = seen_from(out, &args.capabilities)?;
        write(out, &if args.on_board { synthesis::on_board(&capabilities, &request, &seen) } else { tree })?;
    }
    if args.json {
        let automaton = Automaton::of(&plan, &request);
        let found = json!({"request": request, "plan": plan, "proof": proof, "automaton": automaton});
        out::print(&format!("{found}\n"))?;
        return Ok(SUCCESS);
    }
    let mut text = steps(&capabilities, &plan, args.explain);
    if args.explain {
        text += &explained(&plan, &request);
    }
    out::print(&format!("{text}\n{proof}\n"))?;
    Ok(SUCCESS)
}

/// What is done depends on what is sensed.
fn branching(args: &Args, capabilities: &Capabilities, request: &Request, formulas: &str) -> Done {
    let strategy = match synthesis::strategy(capabilities, request, formulas) {
        Ok(strategy) => strategy,
        Err(why) => return refuse(args, &why),
    };
    let proof = synthesis::prove_strategy(capabilities, request, &strategy);
    let proof = proof.map_err(|fault| anyhow!("no proof: {fault}"))?;
    let out = args.tree.as_deref().unwrap_or(Path::new(&args.capabilities));
    let tree = synthesis::strategy_tree(capabilities, request, &strategy, &seen_from(out, &args.capabilities)?);
    if args.on_board {
        return Err(anyhow!("--on-board: a step that finds its steps itself looks at no sensors; leave it out").into());
    }
    if let Some(out) = &args.tree {
        write(out, &tree)?;
    }
    if args.json {
        out::print(&format!("{}\n", json!({"request": request, "strategy": strategy, "proof": proof})))?;
    } else {
        out::print(&format!("{}\n{proof}\n", outline(&tree, 0)))?;
    }
    Ok(SUCCESS)
}

/// Names, deeper ones further in.
fn outline(tree: &Subtree, depth: usize) -> String {
    let children = tree.children.iter().map(|child| {
        let inside =
            if matches!(&*child.kind, "choose" | "sequence") { outline(child, depth + 1) } else { String::new() };
        format!("{}{}\n{inside}", "  ".repeat(depth), child.name)
    });
    children.collect()
}

fn open(file: &str) -> Result<Capabilities, Stop> {
    let text = Disk.read(file).map_err(|error| anyhow!("{file}: {error}"))?;
    let (capabilities, problems) = Capabilities::load_with(file, &text, &Disk);
    for problem in &problems {
        complain(&problem.to_string());
    }
    if problems.iter().any(Problem::is_error) {
        return Err(anyhow!("{file} has {}", count(problems.len(), "error")).into());
    }
    Ok(capabilities)
}

/// A goal that cannot be had is an answer; a request that means nothing is a mistake.
fn refuse(args: &Args, why: &Why) -> Done {
    let is_mistake = matches!(why, Why::Wrong(_) | Why::Outside(_));
    let code = if is_mistake { WRONG } else { FAILED };
    if args.json {
        out::print(&format!("{}\n", json!({"why": why, "reason": why.to_string()})))?;
    } else {
        complain(&why.to_string());
    }
    Ok(code)
}

fn steps(capabilities: &Capabilities, plan: &Plan, explain: bool) -> String {
    let mut text = String::new();
    for each in &plan.activations {
        text += &each.name;
        if explain {
            let needs = capabilities.ability(&each.name).map_or(&[][..], |ability| &ability.needs);
            let needs = if needs.is_empty() { String::new() } else { format!(", needs {}", needs.join(", ")) };
            text += &format!("  for {}{needs}", each.goal);
        }
        text += "\n";
    }
    text
}

fn explained(plan: &Plan, request: &Request) -> String {
    let automaton = Automaton::of(plan, request);
    let (environment, system) = plan.interest.propositions(request.goals.len());
    let listed = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    format!(
        "\nmodes that take part: {}\nactions: {}\nautomaton: {}, {}\npropositions: {environment} of the environment, \
         {system} of the system\nlooked at {}{}\n",
        listed(&plan.interest.modes),
        listed(&plan.interest.actions),
        count(automaton.places.len(), "state"),
        count(automaton.transitions.len(), "transition"),
        count(plan.looked_at, "situation"),
        if plan.is_shortest { "" } else { "; there may be a shorter way" },
    )
}

/// The capabilities file, as skills of the tree's folder name others.
fn seen_from(out: &Path, capabilities: &str) -> Result<String, Stop> {
    let absolute = |path: &Path| -> Result<String, Stop> {
        let path = std::path::absolute(path).map_err(anyhow::Error::from)?;
        Ok(path.display().to_string().replace('\\', "/"))
    };
    Ok(relative(&absolute(out)?, &absolute(Path::new(capabilities))?))
}

fn write(out: &Path, tree: &Subtree) -> Result<(), Stop> {
    if out.extension().is_none_or(|ending| ending != "json") {
        let right = out.with_extension("json");
        return Err(anyhow!("{}: the name must end in .json, as `{}`", out.display(), right.display()).into());
    }
    out::write(out, &text_of(&out.display().to_string(), tree))
}

fn text_of(file: &str, tree: &Subtree) -> String {
    save(&synthesis::definition(file, tree), nodes::registry().catalogue())
}

/// What is wrong with what a skill says of itself for goals.
pub fn annotation_problem(file: &str, text: &str) -> Option<Problem> {
    let keys: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    synthesis::annotation_problem(file, keys.get(synthesis::ANNOTATION)?)
}

/// Of the capabilities themselves and of every step, checked as in a behavior beside them.
pub fn problems_in(file: &str, text: &str, registry: &Registry, robot: &Choice) -> Vec<Problem> {
    let (capabilities, problems) = Capabilities::load_with(file, text, &Disk);
    if problems.iter().any(Problem::is_error) {
        return problems;
    }
    let steps = Once::holding(file, text_of(file, &synthesis::every_step(&capabilities)));
    let known = Known { robot: Some(robot), given: sensed(&capabilities), ..Known::default() };
    let opened = files::open(file, &steps, registry, &known);
    problems.into_iter().chain(opened.1).collect()
}

/// Variables that sensors look at. The behavior has them, and is not known yet.
fn sensed(capabilities: &Capabilities) -> Vec<Arc<str>> {
    let read = capabilities.sensors.iter().filter_map(|(_, sensor)| Expression::new(&sensor.holds_if).variables().ok());
    read.flatten().map(Arc::from).collect()
}
