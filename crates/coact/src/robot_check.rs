use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use robot::{
    CollisionModel, Confidence, Corrections, Description, FrameName, Geometry, Guessed, Model, Motion, MovingKind,
    PartName, Problem, Proposal, Robot, RobotError, Severity, Size, TRIED_WALK_M,
};
use serde_json::{Value, json};

use crate::out::{self, Done, SUCCESS, Stop, WRONG, count};

#[derive(clap::Args)]
pub struct Args {
    /// A URDF, a robot.json, the folder of one, or the name of a robot of our own.
    #[arg(value_name = "ROBOT")]
    robot: String,
    /// Write the proposed file here; what is there already is not touched.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// What a person says instead of a guess: the link of pelvis, chest, head, left_hand, right_hand, left_sole or
    /// right_sole. Of a pair one is enough. May be given several times.
    #[arg(long = "link", value_name = "FRAME=LINK", value_parser = said_link)]
    links: Vec<(FrameName, String)>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn said_link(text: &str) -> Result<(FrameName, String), String> {
    let known = || FrameName::ALL.map(FrameName::word).join(", ");
    let (frame, link) = text.split_once('=').ok_or_else(|| "write FRAME=LINK".to_owned())?;
    let name = FrameName::from_word(frame).ok_or_else(|| format!("`{frame}` is none of {}", known()))?;
    Ok((name, link.to_owned()))
}

/// What there is to say, whether it comes from two files or from a guess.
struct Found {
    description: Description,
    model: Model,
    robot: Option<Robot>,
    problems: Vec<Problem>,
    proposal: Option<Proposed>,
}

struct Proposed {
    file: Value,
    text: String,
    guessed: Vec<Guessed>,
}

pub fn run(args: &Args) -> Done {
    let is_urdf = is_urdf(&args.robot);
    if args.write.is_some() && !is_urdf {
        return Err(anyhow!("--write is for a URDF: {} has its small file already", args.robot).into());
    }
    if !args.links.is_empty() && !is_urdf {
        return Err(anyhow!("--link is for a URDF: change `frames` in {} instead", args.robot).into());
    }
    let mut found = if is_urdf { from_urdf(args)? } else { from_small_file(&args.robot)? };
    found.problems.extend(unwatched(&found));
    let errors = found.problems.iter().filter(|problem| problem.is_error()).count();
    if args.json {
        out::print(&format!("{}\n", as_json(&found, errors)))?;
    } else {
        out::print(&as_text(&found, args.write.is_some()))?;
    }
    if let (Some(path), Some(proposed)) = (&args.write, &found.proposal) {
        write(path, &proposed.text)?;
    }
    Ok(if errors == 0 { SUCCESS } else { WRONG })
}

/// Collision shapes that cannot be judged, by the URDF they are in.
fn unwatched(found: &Found) -> Vec<Problem> {
    let file = found.robot.as_ref().map(|robot| robot.urdf_file.display().to_string()).unwrap_or_default();
    let (_, problems) = CollisionModel::new(&found.description, &found.model);
    problems.into_iter().map(|problem| Problem { file: file.clone(), ..problem }).collect()
}

fn is_urdf(robot: &str) -> bool {
    let path = Path::new(robot);
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    path.is_file() && ending.is_none_or(|ending| ending != "json")
}

fn from_urdf(args: &Args) -> Result<Found, Stop> {
    let path = Path::new(&args.robot);
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", args.robot))?;
    let urdf = urdf_name(path, args.write.as_deref());
    let corrections = Corrections { links: args.links.iter().cloned().collect(), ..Corrections::default() };
    let proposal = Proposal::corrected(&String::from_utf8_lossy(&bytes), path, &urdf, &corrections)
        .map_err(|error| anyhow!("{}: {error}", args.robot))?;
    let text = proposal.text();
    let (robot, problems) = match proposal.robot {
        Ok((robot, problems)) => (Some(robot), problems),
        Err(error) => (None, error.problems().to_vec()),
    };
    let (description, model) = (proposal.description, proposal.model);
    let proposed = Proposed { file: proposal.file, text, guessed: proposal.guessed };
    Ok(Found { description, model, robot, problems, proposal: Some(proposed) })
}

/// As the small file should name it: beside it by its name alone.
fn urdf_name(urdf: &Path, small_file: Option<&Path>) -> String {
    let name = urdf.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = |path: &Path| {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        fs::canonicalize(folder).ok()
    };
    match (folder(urdf), small_file.map(folder)) {
        (Some(here), Some(Some(there))) if here != there => here.join(name).display().to_string(),
        _ => name,
    }
}

fn from_small_file(name: &str) -> Result<Found, Stop> {
    match Robot::find(name) {
        Ok((robot, mut problems)) => {
            problems.extend(no_walk(&robot));
            Ok(Found {
                description: robot.description.clone(),
                model: robot.model.clone(),
                robot: Some(robot),
                problems,
                proposal: None,
            })
        }
        Err(RobotError::Unusable { file, problems }) => {
            let told: String = problems.iter().map(|problem| format!("\n{problem}")).collect();
            Err(anyhow!("{file} is not usable:{told}").into())
        }
        Err(error) => Err(anyhow!("{error}").into()),
    }
}

/// A robot on legs that does not walk as its file says, tried without weight.
fn no_walk(robot: &Robot) -> Option<Problem> {
    robot.part(PartName::Leg(robot::Side::Left))?;
    let why = Arc::new(robot.clone()).rehearse_walk(TRIED_WALK_M).err()?;
    Some(Problem {
        severity: Severity::Warning,
        file: robot.name.clone(),
        line: 0,
        element: "walking".to_owned(),
        message: format!("it does not walk {TRIED_WALK_M} m from `home` by three quarters of its longest steps: {why}"),
    })
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    let place = path.display();
    let mut file = fs::File::create_new(path).with_context(|| format!("cannot write {place}"))?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {place}"))?;
    Ok(())
}

fn as_text(found: &Found, writes: bool) -> String {
    let size = Size::of(&found.description, &found.model);
    let kinds = joint_kinds(&found.description);
    let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    let (links, joints) =
        (count(found.description.links.len(), "link"), count(found.description.joints.len(), "joint"));
    let mut text = format!("{}: {links}, {joints} ({})\n", found.description.name, kinds.join(", "));
    text += &format!("mass {:.1} kg, height {:.2} m in the neutral position\n", size.mass_kg, size.height_m);
    text += &meshes_text(&found.description);
    match &found.robot {
        Some(robot) => text += &parts_text(robot),
        None => text += "no body found: two legs and two arms, each the mirror image of the other, are looked for\n",
    }
    for problem in &found.problems {
        text += &format!("{problem}\n");
    }
    text += &summary(&found.problems);
    text += &doubts(found);
    if let Some(proposed) = found.proposal.as_ref().filter(|_| !writes) {
        text += &format!(
            "\nthe file to put beside it, as far as it could be guessed (--write robot.json writes it):\n{}",
            proposed.text
        );
    }
    text
}

/// What of a guess is to be looked at, the least sure first.
fn doubts(found: &Found) -> String {
    let guessed = found.proposal.iter().flat_map(|proposed| &proposed.guessed);
    let mut unsure: Vec<&Guessed> = guessed.filter(|told| told.confidence < Confidence::Sure).collect();
    // Of the grips one says it for all.
    unsure.retain(|told| !told.key.starts_with("grips_") || told.key.ends_with(".close"));
    unsure.sort_by_key(|told| told.confidence);
    let mut text = String::new();
    if !unsure.is_empty() {
        text += "\nguessed, and not sure; look at these, the first ones first:\n";
    }
    for told in unsure {
        text += &format!("  {}: {}\n", told.key, told.note());
        let others: Vec<&str> = told.alternatives.iter().filter_map(|other| other.link.as_deref()).collect();
        if !others.is_empty() {
            text += &format!("    or one of: {}\n", others.join(", "));
        }
    }
    text
}

fn summary(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    match (errors, problems.len() - errors) {
        (0, 0) => "no problems\n".to_owned(),
        (errors, 0) => format!("{}\n", count(errors, "error")),
        (0, others) => format!("{}, none an error\n", count(others, "remark")),
        (errors, others) => format!("{}, {}\n", count(errors, "error"), count(others, "remark")),
    }
}

fn joint_kinds(description: &Description) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for joint in &description.joints {
        let kind = match &joint.motion {
            Motion::Fixed => "fixed",
            Motion::Moving(moving) if moving.mimic.is_some() => "mimic",
            Motion::Moving(moving) => match moving.kind {
                MovingKind::Revolute => "revolute",
                MovingKind::Continuous => "continuous",
                MovingKind::Prismatic => "prismatic",
            },
        };
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

/// Each once, as the URDF names it, with whether its file is there.
fn meshes(description: &Description) -> BTreeMap<&str, bool> {
    let shapes = description.links.iter().flat_map(|link| link.visuals.iter().chain(&link.collisions));
    shapes
        .filter_map(|shape| match &shape.geometry {
            Geometry::Mesh { path, .. } => Some((path.uri.as_str(), path.candidates.iter().any(|path| path.is_file()))),
            _ => None,
        })
        .collect()
}

fn meshes_text(description: &Description) -> String {
    let meshes = meshes(description);
    if meshes.is_empty() {
        return String::new();
    }
    let missing: Vec<&str> = meshes.iter().filter(|(_, found)| !**found).map(|(uri, _)| *uri).collect();
    let mut text = format!("meshes: {} of {} found\n", meshes.len() - missing.len(), meshes.len());
    for uri in missing.iter().take(5) {
        text += &format!("  not found: {uri}\n");
    }
    if missing.len() > 5 {
        text += &format!("  and {} more\n", missing.len() - 5);
    }
    text
}

fn parts_text(robot: &Robot) -> String {
    let mut text = String::new();
    for name in PartName::ALL {
        let Some(part) = robot.part(name) else {
            text += &format!("{:<11} none\n", name.to_string());
            continue;
        };
        let joints: Vec<&str> =
            part.coordinates.iter().map(|coordinate| robot.model.coordinates()[*coordinate].name.as_str()).collect();
        let [base, tip] = [part.base, part.tip].map(|link| robot.description.links[link].name.as_str());
        text += &format!("{:<11} {base} to {tip}: {}\n", name.to_string(), joints.join(", "));
    }
    text
}

fn as_json(found: &Found, errors: usize) -> Value {
    let size = Size::of(&found.description, &found.model);
    let meshes = meshes(&found.description);
    let missing: Vec<&str> = meshes.iter().filter(|(_, found)| !**found).map(|(uri, _)| *uri).collect();
    let parts: BTreeMap<&str, Value> = found
        .robot
        .iter()
        .flat_map(|robot| &robot.parts)
        .map(|part| {
            let link = |link: usize| found.robot.as_ref().map(|robot| robot.description.links[link].name.clone());
            let joints: Vec<&str> = part
                .coordinates
                .iter()
                .map(|coordinate| found.model.coordinates()[*coordinate].name.as_str())
                .collect();
            (part.name.word(), json!({"base": link(part.base), "tip": link(part.tip), "joints": joints}))
        })
        .collect();
    json!({
        "robot": found.description.name,
        "links": found.description.links.len(),
        "joints": joint_kinds(&found.description),
        "mass_kg": size.mass_kg,
        "height_m": size.height_m,
        "meshes": {"named": meshes.len(), "missing": missing},
        "parts": parts,
        "errors": errors,
        "problems": found.problems,
        "guessed": found.proposal.as_ref().map(|proposed| &proposed.guessed),
        "proposal": found.proposal.as_ref().map(|proposed| &proposed.file),
    })
}
