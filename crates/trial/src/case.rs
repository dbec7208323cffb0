use serde::Serialize;
use serde_json::{Value, json};
use sim::World;

/// One behavior in one kind of world, many times.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub behavior: String,
    pub mirror: bool,
    /// With all that was merged in.
    pub world: Option<World>,
    pub robot: Option<String>,
    pub set: Vec<(String, Value)>,
    pub cell: Option<String>,
    pub env: Option<String>,
    pub faults: Vec<Value>,
    pub runs: usize,
    pub first_seed: u64,
    pub max_time_s: f64,
    pub ends: Ends,
    pub target: Target,
}

/// How the behavior must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Success,
    Failure,
    /// The time was over.
    Halted,
    Any,
}

/// What is to be reached; what is None is not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Target {
    /// The least share of runs that succeed.
    pub success: Option<f64>,
    /// The longest mean duration.
    pub mean_s: Option<f64>,
    /// The least share of things done.
    pub things: Option<f64>,
}

impl Ends {
    pub const WORDS: [(&'static str, Ends); 4] =
        [("success", Ends::Success), ("failure", Ends::Failure), ("halted", Ends::Halted), ("any", Ends::Any)];

    /// `result` is as a run's report has it.
    pub fn allows(self, result: &str) -> bool {
        match self {
            Ends::Success => result == "success",
            Ends::Failure => result == "failure",
            Ends::Halted => result == "halted",
            Ends::Any => true,
        }
    }

    pub fn word(self) -> &'static str {
        Ends::WORDS.iter().find(|(_, ends)| *ends == self).map_or("", |(word, _)| word)
    }
}

impl Target {
    pub fn is_empty(&self) -> bool {
        *self == Target::default()
    }
}

impl Case {
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        (0..self.runs as u64).map(|index| self.first_seed.wrapping_add(index))
    }

    /// The folder of a run, below that of the failures.
    pub fn run_name(&self, seed: u64) -> String {
        format!("{}-{seed}", self.name)
    }

    /// What `coact` is to be called with; `world` is the file with what was drawn.
    pub fn arguments(&self, seed: u64, world: Option<&str>) -> Vec<String> {
        let mut words: Vec<String> = vec!["run".into(), self.behavior.clone(), "--json".into()];
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        add("--seed", seed.to_string());
        add("--max-time", self.max_time_s.to_string());
        let named = [("--world", world), ("--robot", self.robot.as_deref())];
        let around = [("--cell", self.cell.as_deref()), ("--env", self.env.as_deref())];
        for (option, value) in named.into_iter().chain(around) {
            if let Some(value) = value {
                add(option, value.to_owned());
            }
        }
        self.set.iter().for_each(|(name, value)| add("--set", format!("{name}={value}")));
        self.faults.iter().for_each(|fault| add("--fault", fault.to_string()));
        if self.mirror {
            words.push("--mirror".into());
        }
        words
    }

    /// All that a run of it depends on, besides files and the seed.
    pub fn identity(&self) -> Value {
        json!({
            "arguments": self.arguments(0, None),
            "world": self.world.as_ref().map(|world| (world.name(), world.json())),
            "ends": self.ends.word(),
        })
    }
}
