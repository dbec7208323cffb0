use std::collections::BTreeSet;

use model::file::{Files, MemoryFiles, join};
use model::hash::Fnv;
use model::{Autonomy, Problem, Severity};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// What a robot is able to do, by name, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities {
    pub name: String,
    pub notes: String,
    pub modes: Vec<(String, Ability)>,
    pub actions: Vec<(String, Ability)>,
    /// What may hold at the start and what several actions may achieve, with notes: everything that is neither an action
    /// nor a mode.
    pub facts: Vec<(String, String)>,
    /// Facts that nothing achieves: what is so is sensed.
    pub sensors: Vec<(String, Sensor)>,
    /// What is so before anything was done, as far as it is known.
    pub start: Vec<String>,
    /// Equal for the same file that takes the same from the same skills: whoever says it means these very capabilities.
    pub digest: u32,
    index: FxHashMap<String, Kind>,
    achievers: FxHashMap<String, Vec<String>>,
}

/// Something that is so or not, whatever is done.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sensor {
    pub notes: String,
    /// A condition over variables and the scene.
    pub holds_if: String,
}

/// What a name is, and its place in its list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Mode(usize),
    Action(usize),
    Fact,
}

/// Something that is done and ends completed or failed: an action, or a change to a mode, of which exactly one is on.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ability {
    pub notes: String,
    /// Of a mode: those that can follow it. Each may follow itself.
    pub to: Vec<String>,
    /// Actions that must have completed, facts that must hold, the mode that must be on.
    pub needs: Vec<String>,
    /// What holds when it has completed, beside its own name.
    pub achieves: Vec<String>,
    /// What holds no longer when it has completed.
    pub loses: Vec<String>,
    /// The node that does it, as in a behavior file. Files are named as seen from the capabilities file.
    pub step: Option<Map<String, Json>>,
    /// The named outcomes that mean completed; none: every success does.
    pub completes: Vec<String>,
    /// Named outcomes that mean failed, also where the step calls them a success.
    pub fails: Vec<String>,
    /// It starts by itself only if the operator's level is above this.
    pub autonomy: Autonomy,
    /// What inputs of a skill get: expressions over variables of the behavior.
    pub takes: Map<String, Json>,
    /// The variables that outputs of a skill are copied to.
    pub gives: Map<String, Json>,
}

/// The key of a skill file under which it says what it needs and changes.
pub const ANNOTATION: &str = "capability";
const OF_SKILLS: [&str; 8] = ["notes", "to", "needs", "achieves", "loses", "completes", "fails", "autonomy"];

/// What is wrong with what a skill file says of itself. Names that it uses are known where capabilities name the skill.
pub fn annotation_problem(skill: &str, said: &Json) -> Option<Problem> {
    let keys = said.as_object().map(|said| said.keys().map(String::as_str).collect::<Vec<_>>()).unwrap_or_default();
    let unknown = keys.iter().find(|key| !OF_SKILLS.contains(key)).map(|key| format!("`{key}` is unknown here"));
    let unread = || serde_json::from_value::<Ability>(said.clone()).err().map(|error| error.to_string());
    let message = unknown.or_else(unread)?;
    let remedy = format!("a capability has {}", OF_SKILLS.join(", "));
    let problem = Problem::in_file(Severity::Error, skill, message, &remedy);
    Some(Problem { path: ANNOTATION.to_owned(), ..problem })
}

const KEYS: [&str; 7] = ["name", "notes", "start", "modes", "sensors", "facts", "actions"];

impl Capabilities {
    /// Everything that could be read, and everything that is wrong with it.
    pub fn load(file: &str, text: &str) -> (Capabilities, Vec<Problem>) {
        Capabilities::load_with(file, text, &MemoryFiles::default())
    }

    /// What a mode or an action does not say itself, the skill that does it says, under `capability`.
    pub fn load_with(file: &str, text: &str, files: &dyn Files) -> (Capabilities, Vec<Problem>) {
        let hash = Fnv::new().with(text.as_bytes());
        let mut reader = Reader { file, files, hash, problems: Vec::new() };
        let mut capabilities = reader.read(text);
        let wide = reader.hash.finish();
        capabilities.digest = (wide ^ wide >> 32) as u32;
        let mut problems = reader.problems;
        if !problems.iter().any(Problem::is_error) {
            problems.extend(crate::check::problems(&capabilities, file));
        }
        (capabilities, problems)
    }

    /// Of modes and actions that have no steps of their own; the names of the facts.
    pub fn of(modes: Vec<(String, Ability)>, actions: Vec<(String, Ability)>, facts: &[String]) -> Capabilities {
        let facts = facts.iter().map(|name| (name.clone(), String::new())).collect();
        Capabilities { modes, actions, facts, ..Capabilities::default() }.indexed()
    }

    /// What is wrong with them, in words.
    pub fn problems(&self) -> Vec<Problem> {
        crate::check::problems(self, "")
    }

    /// What holds after this has completed.
    pub fn complete(&self, holds: &mut Vec<String>, name: &str) {
        let Some(ability) = self.ability(name) else { return };
        let leaves_mode = self.is_mode(name);
        holds.retain(|each| !(ability.loses.contains(each) || leaves_mode && self.is_mode(each)));
        for each in ability.achieves.iter().map(String::as_str).chain([name]) {
            if !holds.iter().any(|known| known == each) {
                holds.push(each.to_owned());
            }
        }
    }

    /// What is so when these have completed one after the other, as far as it is known. What is no name here is left out.
    pub fn after<'a>(&self, done: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut holds = self.start.clone();
        done.into_iter().for_each(|name| self.complete(&mut holds, name));
        holds
    }

    /// So that each is found by its name at once.
    fn indexed(mut self) -> Capabilities {
        self.index.extend(self.facts.iter().map(|(name, _)| (name.clone(), Kind::Fact)));
        self.index.extend(self.sensors.iter().map(|(name, _)| (name.clone(), Kind::Fact)));
        self.index.extend(self.actions.iter().enumerate().map(|(at, (name, _))| (name.clone(), Kind::Action(at))));
        self.index.extend(self.modes.iter().enumerate().map(|(at, (name, _))| (name.clone(), Kind::Mode(at))));
        for (name, ability) in self.modes.iter().chain(&self.actions) {
            for achieved in ability.achieves.iter().chain([name]) {
                self.achievers.entry(achieved.clone()).or_default().push(name.clone());
            }
        }
        self
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    pub fn is_mode(&self, name: &str) -> bool {
        matches!(self.index.get(name), Some(Kind::Mode(_)))
    }

    pub fn mode(&self, name: &str) -> Option<&Ability> {
        self.ability(name).filter(|_| self.is_mode(name))
    }

    /// Modes and actions after whose completion this holds, in the order of the file; itself, where it is one.
    pub fn achievers(&self, name: &str) -> &[String] {
        self.achievers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Modes, then actions.
    pub fn abilities(&self) -> impl Iterator<Item = &(String, Ability)> {
        self.modes.iter().chain(&self.actions)
    }

    /// Modes, actions, facts and sensors, as the file has them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let modes = self.modes.iter().map(|(name, _)| name.as_str());
        let actions = self.actions.iter().map(|(name, _)| name.as_str());
        modes.chain(actions).chain(self.fact_names())
    }

    /// Facts and sensors.
    pub fn fact_names(&self) -> impl Iterator<Item = &str> {
        let facts = self.facts.iter().map(|(name, _)| name.as_str());
        facts.chain(self.sensors.iter().map(|(name, _)| name.as_str()))
    }

    pub fn sensor(&self, name: &str) -> Option<&Sensor> {
        self.sensors.iter().find(|(known, _)| known == name).map(|(_, sensor)| sensor)
    }

    /// The action or mode of this name.
    pub fn ability(&self, name: &str) -> Option<&Ability> {
        match self.index.get(name)? {
            Kind::Mode(at) => Some(&self.modes[*at].1),
            Kind::Action(at) => Some(&self.actions[*at].1),
            Kind::Fact => None,
        }
    }

    /// A name that stands for the closest of these, for a message.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        model::file::nearest(name, self.names())
    }
}

struct Reader<'a> {
    file: &'a str,
    files: &'a dyn Files,
    hash: Fnv,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: &str, message: String, remedy: &str) {
        let problem = Problem::in_file(Severity::Error, self.file, message, remedy);
        self.problems.push(Problem { path: path.to_owned(), ..problem });
    }

    fn read(&mut self, text: &str) -> Capabilities {
        let keys: Map<String, Json> = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(keys) => keys,
            Err(error) => {
                self.wrong("", format!("it is not a JSON object: {error}"), "");
                return Capabilities::default();
            }
        };
        for key in keys.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            let remedy = format!("a capabilities file has {}", KEYS.join(", "));
            self.wrong(key, format!("`{key}` is unknown here"), &remedy);
        }
        let text_of = |key: &str| keys.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let (name, notes) = (text_of("name"), text_of("notes"));
        let capabilities = Capabilities {
            name,
            notes,
            modes: self.entries(&keys, "modes", true),
            actions: self.entries(&keys, "actions", true),
            facts: self.entries(&keys, "facts", false),
            sensors: self.entries(&keys, "sensors", false),
            start: self.names(&keys, "start"),
            ..Capabilities::default()
        };
        self.names_are_own(&capabilities);
        capabilities.indexed()
    }

    fn entries<T: DeserializeOwned>(
        &mut self,
        keys: &Map<String, Json>,
        key: &str,
        has_steps: bool,
    ) -> Vec<(String, T)> {
        let Some(value) = keys.get(key) else { return Vec::new() };
        let Some(entries) = value.as_object() else {
            self.wrong(key, format!("`{key}` is not an object"), "write it as {\"name\": …}");
            return Vec::new();
        };
        let mut read = Vec::new();
        for (name, value) in entries {
            let value = if has_steps { self.annotated(value) } else { value.clone() };
            match serde_json::from_value(value) {
                Ok(value) => read.push((name.clone(), value)),
                Err(error) => self.wrong(&format!("{key}/{name}"), error.to_string(), ""),
            }
        }
        read
    }

    /// With what the skill says of itself that is not said here.
    fn annotated(&mut self, value: &Json) -> Json {
        let mut value = value.clone();
        let step = value.get("step").filter(|step| step.get("type").is_some_and(|kind| kind == "skill"));
        let Some(skill) = step.and_then(|step| step.get("file")).and_then(Json::as_str) else { return value };
        let skill = join(self.file, skill);
        // Whoever checks the steps tells of a skill that is not there.
        let said = self.files.read(&skill).ok().and_then(|text| serde_json::from_str::<Map<String, Json>>(&text).ok());
        let Some(said) = said.and_then(|mut keys| keys.shift_remove(ANNOTATION)) else { return value };
        self.hash = self.hash.with(said.to_string().as_bytes());
        self.problems.extend(annotation_problem(&skill, &said));
        if let (Some(own), Json::Object(said)) = (value.as_object_mut(), said) {
            for (key, said) in said.into_iter().filter(|(key, _)| OF_SKILLS.contains(&key.as_str())) {
                own.entry(key).or_insert(said);
            }
        }
        value
    }

    fn names(&mut self, keys: &Map<String, Json>, key: &str) -> Vec<String> {
        let Some(value) = keys.get(key) else { return Vec::new() };
        serde_json::from_value(value.clone()).unwrap_or_else(|error| {
            self.wrong(key, error.to_string(), "write it as [\"name\"]");
            Vec::new()
        })
    }

    fn names_are_own(&mut self, capabilities: &Capabilities) {
        let mut seen = BTreeSet::new();
        let twice: Vec<String> = capabilities.names().filter(|name| !seen.insert(*name)).map(str::to_owned).collect();
        for name in twice {
            let message = format!("`{name}` names two things");
            self.wrong(&name, message, "modes, actions and facts share one set of names: rename one");
        }
        let odd: Vec<String> = seen.into_iter().filter(|name| !is_name(name)).map(str::to_owned).collect();
        for name in odd {
            let message = format!("`{name}` is no name");
            self.wrong(&name, message, "write letters, digits and _, beginning with a letter");
        }
    }
}

/// Formulas and command lines hold names as they are.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
}
