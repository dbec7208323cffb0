use std::path::{Component, Path, PathBuf};

use robot::reader::{Fields, Report};
use robot::{Places, Problem, Robot};
use serde_json::{Map, Value, json};
use sim::World;
use sim::WorldError;
use thiserror::Error;

use crate::case::{Case, Ends, Target};

const VERSION: f64 = 1.0;

#[derive(Clone, Debug)]
pub struct Suite {
    pub name: String,
    pub file: String,
    pub cases: Vec<Case>,
    /// Of all runs together.
    pub target: Target,
    /// Of all cases in the file, in its order, whatever of them is run.
    names: Vec<String>,
    places: Places,
}

#[derive(Debug, Error)]
pub enum SuiteError {
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("{file} line {}: not JSON: {error}", error.line())]
    NotJson { file: String, error: serde_json::Error },
    #[error("{file} is not usable:{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    Unusable { file: String, problems: Vec<Problem> },
}

/// What a case, or the defaults, have written.
#[derive(Default)]
struct Written {
    behavior: Option<String>,
    mirror: Option<bool>,
    world: Option<String>,
    with: Option<Value>,
    expect: Vec<Value>,
    robot: Option<String>,
    set: Map<String, Value>,
    cell: Option<String>,
    env: Option<String>,
    faults: Option<Vec<Value>>,
    runs: Option<usize>,
    first_seed: Option<u64>,
    max_time_s: Option<f64>,
    ends: Option<Ends>,
    target: Option<Target>,
}

impl Suite {
    pub fn load(file: &str) -> Result<Suite, SuiteError> {
        let text =
            std::fs::read_to_string(file).map_err(|error| SuiteError::Unreadable { file: file.to_owned(), error })?;
        Suite::from_json(file, &text)
    }

    /// `file` is what problems name; paths count from its folder.
    pub fn from_json(file: &str, text: &str) -> Result<Suite, SuiteError> {
        let text = text.trim_start_matches('\u{feff}');
        let json: Value =
            serde_json::from_str(text).map_err(|error| SuiteError::NotJson { file: file.to_owned(), error })?;
        let places = Places::of(text);
        let mut report = Report::new(file, places.clone());
        let path = Path::new(file);
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let (file, target) = (file.to_owned(), Target::default());
        let mut suite = Suite { name, file, cases: Vec::new(), target, names: Vec::new(), places };
        suite.read(&json, folder, &mut report);
        let problems = report.finish();
        if problems.is_empty() { Ok(suite) } else { Err(SuiteError::Unusable { file: suite.file, problems }) }
    }

    /// Where a key of a case is written: `suite.json line 7: cases[2].behavior`.
    pub fn place(&self, case: &Case, key: &str) -> String {
        let index = self.names.iter().position(|name| *name == case.name).unwrap_or_default();
        let path = format!("cases[{index}].{key}");
        format!("{} line {}: {path}", self.file, self.places.line(&path))
    }

    fn read(&mut self, json: &Value, folder: &Path, report: &mut Report) {
        let Some(mut fields) = report.fields(json, "") else { return };
        if fields.number("version", 0.0, VERSION..=VERSION) == 0.0 {
            fields.error("version", "write \"version\": 1, so that later programs still read this file");
        }
        fields.text("notes");
        self.target = target(&mut fields).unwrap_or_default();
        let mut defaults = Written::default();
        if let Some(mut inner) = fields.inner("defaults") {
            defaults = Written::read(&mut inner);
            inner.end();
        }
        let Some(Value::Array(items)) = fields.get("cases") else {
            fields.error("cases", "a list [{…}, …] of cases belongs here");
            return fields.end();
        };
        if items.is_empty() {
            fields.error("cases", "there is no case: write one");
        }
        for (index, item) in items.iter().enumerate() {
            if let Some(mut inner) = fields.item("cases", index, item) {
                let name = case_name(&mut inner, &mut self.names);
                let case = case(&mut inner, name, &defaults, folder);
                inner.end();
                self.cases.extend(case);
            }
        }
        fields.end();
    }
}

/// None: it has none that serves, which is told.
fn case_name(fields: &mut Fields, taken: &mut Vec<String>) -> Option<String> {
    let name = fields.needed_text("name")?;
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)) {
        fields.error("name", format!("`{name}` names files: use letters, digits, - and _"));
    }
    if taken.iter().any(|other| other == name) {
        fields.error("name", format!("the name `{name}` is taken already: give each case its own"));
    }
    taken.push(name.to_owned());
    Some(name.to_owned())
}

/// None: it cannot be run, which is told.
fn case(fields: &mut Fields, name: Option<String>, defaults: &Written, folder: &Path) -> Option<Case> {
    let own = Written::read(fields);
    let behavior = own.behavior.as_ref().or(defaults.behavior.as_ref());
    if behavior.is_none() && !fields.has("behavior") {
        fields.error("", "`behavior` is missing: write the file that is to run, here or in `defaults`");
    }
    let world = own.world.as_ref().or(defaults.world.as_ref());
    let world = match world {
        Some(world) => Some(furnished(fields, world, [defaults, &own], folder)?),
        None => {
            let needs = [("with", own.with.is_some()), ("expect", !own.expect.is_empty())];
            if let Some((key, _)) = needs.into_iter().find(|(_, written)| *written) {
                fields.error(key, "this case has no world: name one with `world`");
            }
            None
        }
    };
    let file = |path: &Option<String>, other: &Option<String>| {
        path.as_ref().or(other.as_ref()).map(|path| beside(folder, path))
    };
    let mut set = defaults.set.clone();
    set.extend(own.set.clone());
    Some(Case {
        name: name?,
        behavior: beside(folder, behavior?),
        mirror: own.mirror.or(defaults.mirror).unwrap_or(false),
        world,
        robot: own.robot.as_ref().or(defaults.robot.as_ref()).map(|robot| found_robot(folder, robot)),
        set: set.into_iter().collect(),
        cell: file(&own.cell, &defaults.cell),
        env: file(&own.env, &defaults.env),
        faults: own.faults.or(defaults.faults.clone()).unwrap_or_default(),
        runs: own.runs.or(defaults.runs).unwrap_or(1),
        first_seed: own.first_seed.or(defaults.first_seed).unwrap_or(0),
        max_time_s: own.max_time_s.or(defaults.max_time_s).unwrap_or(300.0),
        ends: own.ends.or(defaults.ends).unwrap_or(Ends::Success),
        target: own.target.or(defaults.target).unwrap_or_default(),
    })
}

impl Written {
    fn read(fields: &mut Fields) -> Written {
        let text = |fields: &mut Fields, key: &'static str| fields.text(key).map(str::to_owned);
        let count = |fields: &mut Fields, key: &'static str, range: std::ops::RangeInclusive<usize>| {
            let number = fields.count(key, *range.start(), range);
            fields.has(key).then_some(number)
        };
        let max_time_s = fields.number("max_time_s", 300.0, 0.1..=1e6);
        let mirror = fields.flag("mirror", false);
        let ends = fields.word("ends", &Ends::WORDS);
        Written {
            behavior: text(fields, "behavior"),
            mirror: fields.has("mirror").then_some(mirror),
            world: text(fields, "world"),
            with: fields.map("with").cloned(),
            expect: list(fields, "expect").unwrap_or_default(),
            robot: text(fields, "robot"),
            set: set(fields),
            cell: text(fields, "cell"),
            env: text(fields, "env"),
            faults: list(fields, "faults"),
            runs: count(fields, "runs", 1..=1_000_000),
            first_seed: count(fields, "first_seed", 0..=1 << 52).map(|seed| seed as u64),
            max_time_s: fields.has("max_time_s").then_some(max_time_s),
            ends: fields.has("ends").then_some(ends),
            target: target(fields),
        }
    }
}

fn list(fields: &mut Fields, key: &'static str) -> Option<Vec<Value>> {
    match fields.get(key)? {
        Value::Array(items) => Some(items.clone()),
        _ => {
            fields.error(key, "a list […] belongs here");
            None
        }
    }
}

fn set(fields: &mut Fields) -> Map<String, Value> {
    let Some(Value::Object(map)) = fields.map("set") else { return Map::new() };
    for (name, _) in map.iter().filter(|(_, value)| value.is_null()) {
        fields.error(&format!("set.{name}"), "null is no value; leave it out to keep the variable as it is");
    }
    map.clone()
}

fn target(fields: &mut Fields) -> Option<Target> {
    let mut inner = fields.inner("target")?;
    let mut share = |key: &'static str, most: f64| {
        let number = inner.number(key, 1.0, 0.0..=most);
        inner.has(key).then_some(number)
    };
    let target = Target { success: share("success", 1.0), mean_s: share("mean_s", 1e6), things: share("things", 1.0) };
    inner.end();
    Some(target)
}

/// The world of a case, with all that was merged in.
fn furnished(fields: &mut Fields, name: &str, written: [&Written; 2], folder: &Path) -> Option<World> {
    let key = if fields.has("world") { "world" } else { "" };
    let is_ours = World::names().contains(&name);
    let world = match World::find(&if is_ours { name.to_owned() } else { beside(folder, name) }) {
        Ok(world) => world,
        Err(error) => {
            fields.error(key, error.to_string());
            return None;
        }
    };
    let expected = [world.json()["expect"].as_array().map_or(0, Vec::len), written[0].expect.len()];
    let expect = written.map(|written| json!({"expect": written.expect}));
    let with: Vec<&Value> = written.iter().filter_map(|written| written.with.as_ref()).chain(&expect).collect();
    let problems = match world.merged(name, &with) {
        Ok(world) => return Some(world),
        Err(WorldError::Unusable { problems, .. }) => problems,
        Err(other) => {
            fields.error(key, other.to_string());
            return None;
        }
    };
    for problem in problems {
        match expected_at(&problem.element, expected) {
            // Told as of the defaults, each case would tell it again.
            Some((index, rest)) => fields.error(&format!("expect[{index}]{rest}"), problem.message),
            None => {
                let key = if fields.has("with") { "with" } else { key };
                fields.error(key, format!("in its world, {}: {}", problem.element, problem.message));
            }
        }
    }
    None
}

/// `expect[4].by_m` of a world is `expect[1].by_m` of the case, behind those of the world file and of the defaults.
fn expected_at(element: &str, before: [usize; 2]) -> Option<(usize, &str)> {
    let (index, rest) = element.strip_prefix("expect[")?.split_once(']')?;
    let index: usize = index.parse().ok()?;
    Some((index.checked_sub(before.iter().sum())?, rest))
}

fn found_robot(folder: &Path, robot: &str) -> String {
    if Robot::names().contains(&robot) { robot.to_owned() } else { beside(folder, robot) }
}

/// A path from the folder of the suite, without needless steps.
fn beside(folder: &Path, path: &str) -> String {
    let mut plain = PathBuf::new();
    for part in folder.join(path).components() {
        let named = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if named => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_the_suite() {
        let path = |folder: &str, path: &str| beside(Path::new(folder), path);
        assert_eq!(path("suites", "../behaviors/push.json"), "behaviors/push.json");
        assert_eq!(path("", "./push.json"), "push.json");
        assert_eq!(path("..", "../push.json"), "../../push.json");
        assert_eq!(path("suites", "/else/push.json"), "/else/push.json");
    }
}
