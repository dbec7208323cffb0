use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Capabilities;

/// What shall be reached, and from where. Small: it is all that crosses a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The mode that is on, and what holds: completed actions and facts.
    pub from: Vec<String>,
    /// In the order in which they are wanted.
    pub goals: Vec<String>,
    /// The order is a must, and not a wish.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strict: bool,
    /// What fails is tried as often again; 0: any failure fails the behavior.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retry: u32,
    /// Only these modes may be used; none: those that are on a way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A request that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    #[error("no goal is given")]
    NoGoal,
    #[error("{} goals are too many: at most {MOST_GOALS}", .0)]
    TooManyGoals(usize),
    #[error("`{name}` is unknown{}", nearest.as_ref().map(|name| format!(": did you mean `{name}`?")).unwrap_or_default())]
    Unknown { name: String, nearest: Option<String> },
    #[error("the goal `{0}` is named twice")]
    Twice(String),
    #[error("no mode is given for the start: name the one that is on, of {}", .0.join(", "))]
    NoMode(Vec<String>),
    #[error("`{0}` and `{1}` cannot both be on at the start: name one mode")]
    TwoModes(String, String),
    #[error("`{0}` is so already: leave the goal out, or take it out of the start to have it done again")]
    Already(String),
    #[error("`{0}` is no mode, and only modes can be chosen from")]
    NoSuchMode(String),
}

pub const MOST_GOALS: usize = 64;

impl Request {
    /// Itself, if it means something: names are known, one mode is on, no goal is reached already.
    pub fn checked(&self, capabilities: &Capabilities) -> Result<Request, Wrong> {
        match self.goals.len() {
            0 => return Err(Wrong::NoGoal),
            many if many > MOST_GOALS => return Err(Wrong::TooManyGoals(many)),
            _ => {}
        }
        for name in self.from.iter().chain(&self.goals) {
            if !capabilities.is_known(name) {
                let nearest = capabilities.nearest(name).map(str::to_owned);
                return Err(Wrong::Unknown { name: name.clone(), nearest });
            }
        }
        if let Some(other) = self.modes.iter().find(|mode| !capabilities.is_mode(mode)) {
            return Err(Wrong::NoSuchMode(other.clone()));
        }
        self.one_mode(capabilities)?;
        for (place, goal) in self.goals.iter().enumerate() {
            if self.goals[..place].contains(goal) {
                return Err(Wrong::Twice(goal.clone()));
            }
            let undone = || capabilities.is_mode(goal) || loses(capabilities, goal);
            if self.from.contains(goal) && (place == 0 || !undone()) {
                return Err(Wrong::Already(goal.clone()));
            }
        }
        Ok(self.clone())
    }

    fn one_mode(&self, capabilities: &Capabilities) -> Result<(), Wrong> {
        let on: Vec<&String> = self.from.iter().filter(|name| capabilities.is_mode(name)).collect();
        match on[..] {
            [] if !capabilities.modes.is_empty() => {
                Err(Wrong::NoMode(capabilities.modes.iter().map(|(name, _)| name.clone()).collect()))
            }
            [one, other, ..] if one != other => Err(Wrong::TwoModes(one.clone(), other.clone())),
            _ => Ok(()),
        }
    }
}

fn loses(capabilities: &Capabilities, name: &str) -> bool {
    capabilities.abilities().any(|(_, ability)| ability.loses.iter().any(|lost| lost == name))
}
