use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize as _;
use serde_json::{Map, Value};
use thiserror::Error;

use super::{Camera, Places, Robot, limits, mirror, parts, postures};
use crate::problem::Problem;
use crate::reader::Report;
use crate::reader::join;
use crate::urdf::Adapted;
use crate::{Corrections, Description, Model, Proposal, UrdfError, builtin};

const VERSION: u64 = 1;
const KEYS: [&str; 16] = [
    "version",
    "urdf",
    "root",
    "held",
    "frames",
    "parts",
    "presets_deg",
    "presets_m",
    "grips_deg",
    "grips_m",
    "mirror",
    "cameras",
    "walking",
    "hands",
    "corrections",
    "notes",
];

/// There is nothing to work with.
#[derive(Debug, Error)]
pub enum RobotError {
    #[error("there is no robot `{name}`: neither a file nor a folder, nor one of our own, {}", builtin::names().join(", "))]
    Unknown { name: String },
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("{file} line {}: not JSON: {error}", error.line())]
    NotJson { file: String, error: serde_json::Error },
    #[error("{file}: {error}")]
    Urdf { file: String, error: UrdfError },
    #[error("{file} is not usable:{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    Unusable { file: String, problems: Vec<Problem> },
}

impl RobotError {
    /// All that could be told one by one.
    pub fn problems(&self) -> &[Problem] {
        match self {
            RobotError::Unusable { problems, .. } | RobotError::Urdf { error: UrdfError::NoLinks { problems }, .. } => {
                problems
            }
            _ => &[],
        }
    }
}

pub(crate) type Loaded = Result<(Robot, Vec<Problem>), RobotError>;

impl Robot {
    /// One of our own by name, or what is at a path: a robot.json, its folder, or a URDF for which one is guessed.
    pub fn find(name_or_path: &str) -> Loaded {
        match builtin::load(name_or_path) {
            Some(loaded) => loaded,
            None if Path::new(name_or_path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf")) => {
                Robot::guessed(Path::new(name_or_path))
            }
            None if Path::new(name_or_path).exists() => Robot::load(Path::new(name_or_path)),
            None => Err(RobotError::Unknown { name: name_or_path.to_owned() }),
        }
    }

    /// From a URDF alone, with the small file that is guessed for it.
    pub fn guessed(urdf: &Path) -> Loaded {
        let text = read(urdf)?;
        let name = urdf.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let unusable = |error| RobotError::Urdf { file: urdf.display().to_string(), error };
        Proposal::new(&text, urdf, &name).map_err(unusable)?.robot
    }

    /// From texts that are at hand. `file` and `urdf_file` are named in problems; meshes are looked for beside the latter.
    pub fn from_texts(small_file: &str, file: &str, urdf: &str, urdf_file: &Path) -> Loaded {
        let files = RobotFiles { name: String::new(), file: file.to_owned(), text: small_file.to_owned() };
        let (mut robot, problems) =
            files.load(&|_| Ok(UrdfFile { text: urdf.to_owned(), path: urdf_file.to_owned() }))?;
        robot.name.clone_from(&robot.description.name);
        Ok((robot, problems))
    }

    /// `path` is a robot.json or the folder of one. All problems are told at once: of the URDF, then of the small file.
    pub fn load(path: &Path) -> Loaded {
        let file = if path.is_dir() { path.join("robot.json") } else { path.to_owned() };
        let text = read(&file)?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let whole_folder = fs::canonicalize(if folder == Path::new("") { Path::new(".") } else { &folder });
        let name =
            whole_folder.ok().as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        RobotFiles { name: name.unwrap_or_default(), file: file.display().to_string(), text }.load(&|urdf| {
            let path = folder.join(urdf);
            Ok(UrdfFile { text: read(&path)?, path })
        })
    }
}

fn read(path: &Path) -> Result<String, RobotError> {
    let bytes = fs::read(path).map_err(|error| RobotError::Unreadable { file: path.display().to_string(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A small file that is read already, from disk or from this program.
pub(crate) struct RobotFiles {
    pub name: String,
    pub file: String,
    pub text: String,
}

pub(crate) struct UrdfFile {
    pub text: String,
    pub path: PathBuf,
}

impl RobotFiles {
    /// `urdf` reads the file of a name.
    pub fn load(self, urdf: &dyn Fn(&str) -> Result<UrdfFile, RobotError>) -> Loaded {
        let text = self.text.trim_start_matches('\u{feff}');
        let not_json = |error| RobotError::NotJson { file: self.file.clone(), error };
        let file: Map<String, Value> = serde_json::from_str(text).map_err(not_json)?;
        let mut reader = Report::new(&self.file, Places::of(text));
        reader.only(&file, "", &KEYS);
        version(&file, &mut reader);
        let urdf_name = match file.get("urdf") {
            None => "robot.urdf",
            Some(name) => reader.text(name, "urdf").unwrap_or("robot.urdf"),
        };
        let UrdfFile { text: urdf_text, path } = urdf(urdf_name)?;
        let urdf_text = adapted(&file, &urdf_text, &mut reader);
        let urdf_file = path.display().to_string();
        let (description, mut problems) = Description::from_urdf(&urdf_text, path.parent().unwrap_or(Path::new("")))
            .map_err(|error| RobotError::Urdf { file: urdf_file.clone(), error })?;
        problems.iter_mut().for_each(|problem| problem.file.clone_from(&urdf_file));
        let robot = robot(self.name, &file, description, &mut reader);
        problems.extend(reader.finish());
        match robot {
            Some(robot) => {
                let (small_file, small_file_at) = (self.text.into(), self.file);
                Ok((Robot { urdf: urdf_text.into(), urdf_file: path, small_file, small_file_at, ..robot }, problems))
            }
            None => Err(RobotError::Unusable { file: self.file, problems }),
        }
    }
}

/// The URDF as the small file wants it: hung on another link, with joints held still.
fn adapted(file: &Map<String, Value>, urdf: &str, reader: &mut Report) -> String {
    if !file.contains_key("root") && !file.contains_key("held") {
        return urdf.to_owned();
    }
    let root = file.get("root").and_then(|root| reader.text(root, "root")).map(str::to_owned);
    let mut held = Vec::new();
    match file.get("held").map(Value::as_array) {
        None => {}
        Some(None) => reader.error("held", "a list of joint names belongs here; none is held"),
        Some(Some(names)) => {
            held.extend(names.iter().filter_map(|name| reader.text(name, "held")).map(str::to_owned));
        }
    }
    Adapted { root, held }.apply(urdf).unwrap_or_else(|why| {
        reader.error("root", format!("{why}; the URDF is taken as it is"));
        urdf.to_owned()
    })
}

fn version(file: &Map<String, Value>, reader: &mut Report) {
    match file.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(newer) if newer > VERSION => {
            reader.error("version", format!("version {newer} is of a newer program; this one knows {VERSION}"));
        }
        _ => {
            reader.warn("version", format!("write \"version\": {VERSION}, so that later programs still read this file"))
        }
    }
}

fn robot(name: String, file: &Map<String, Value>, mut description: Description, reader: &mut Report) -> Option<Robot> {
    let placed = parts::place(file, &mut description, reader);
    let model = Model::new(&description);
    // The sections that need no frames are judged even when these are missing.
    let walking = limits::read(file, "walking", reader);
    let hands = limits::read(file, "hands", reader);
    let cameras = cameras(file, &model, reader);
    if let Some(Err(why)) = file.get("corrections").map(Corrections::deserialize) {
        reader.warn("corrections", format!("not understood, and of use for another guess only: {why}"));
    }
    let frames = parts::frames(file, &placed, &model, reader);
    let pelvis = frames.as_ref().map_or(0, |frames| frames.pelvis);
    let mirror = mirror::mirror(file, &model, pelvis, reader);
    let presets = postures::presets(file, &model, &mirror, reader);
    let frames = frames?;
    mirror::frames_agree(&description, &model, &frames, &mirror, reader);
    let parts = parts::parts(file, &model, &frames, reader);
    let grips = postures::grips(file, &model, (&mirror, &parts), reader);
    Some(Robot {
        name,
        description,
        urdf: "".into(),
        urdf_file: PathBuf::new(),
        small_file: "".into(),
        small_file_at: String::new(),
        model,
        frames,
        parts,
        presets,
        grips,
        mirror,
        cameras,
        walking,
        hands,
        collision: OnceLock::new(),
        sizes: OnceLock::new(),
        roles: OnceLock::new(),
    })
}

fn cameras(file: &Map<String, Value>, model: &Model, reader: &mut Report) -> Vec<Camera> {
    let section = reader.section(file, "cameras").cloned().unwrap_or_default();
    let mut cameras = Vec::new();
    for (name, camera) in &section {
        let path = join("cameras", name);
        let Some(camera) = reader.object(camera, &path) else { continue };
        reader.only(camera, &path, &["link", "xyz_m", "rpy_deg", "horizontal_view_deg", "width", "height"]);
        let Some(written) = camera.get("link") else {
            reader.error(&path, "`link` is missing: name the link it is fixed to; left out");
            continue;
        };
        let Some(link) = parts::link(written, &join(&path, "link"), model, reader) else { continue };
        let mut number = |key: &str, default: f64, upper: f64| {
            let path = join(&path, key);
            let Some(number) = camera.get(key).and_then(|value| reader.number(value, &path)) else { return default };
            if number <= 0.0 || number > upper {
                reader.error(&path, format!("{number} is not between 0 and {upper}; {default} is taken"));
                return default;
            }
            number
        };
        let horizontal_view_rad = number("horizontal_view_deg", 70.0, 179.0).to_radians();
        let (width, height) = (number("width", 640.0, 16384.0) as u32, number("height", 480.0, 16384.0) as u32);
        let link_from_camera = reader.pose(camera, &path);
        cameras.push(Camera { name: name.clone(), link, link_from_camera, horizontal_view_rad, width, height });
    }
    cameras
}
