//! Why there is no behavior: facts. The sentence is what `Display` makes of them, for people.

use std::collections::BTreeSet;

use serde::Serialize;
use thiserror::Error;

use crate::check::{circle, never};
use crate::gr1::{NotSteps, Outside, TooLarge};
use crate::world::World;
use crate::{Capabilities, Request, Wrong};

#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    #[error(transparent)]
    Wrong(Wrong),
    /// No row of modes leads there.
    #[error("{}`{mode}` cannot be reached from `{from}`: {}", chain(.through), .end.sentence(.mode))]
    NoWay { through: Vec<String>, mode: String, from: String, end: End },
    #[error("{}nothing achieves `{fact}`, and it does not hold at the start", chain(.through))]
    NothingAchieves { through: Vec<String>, fact: String },
    #[error("{}none of these can be the first: {}", chain(.through), .circle.join(" needs "))]
    Circle { through: Vec<String>, circle: Vec<String> },
    /// A formula says what this form cannot.
    #[error(transparent)]
    Outside(
        #[from]
        #[serde(serialize_with = "as_text")]
        Outside,
    ),
    #[error(transparent)]
    TooLarge(
        #[from]
        #[serde(serialize_with = "as_text")]
        TooLarge,
    ),
    #[error("whatever is done, what answers can keep all its promises and keep the goals from being reached")]
    Lost,
    #[error("there is a way, but what is done on it depends on what is sensed: it is no row of steps")]
    Branches,
    #[error("there is a way, but not as steps: {0}")]
    NotSteps(#[from] NotSteps),
    #[error("`{0}` is sensed, so what is done depends on what it will be: only a game finds a way, see `--formulas`")]
    Sensed(String),
    #[error("{}", not_after(.goal, .after))]
    NotAfter { goal: String, after: Vec<String> },
    #[error(
        "stopped after {looked_at} situations: {goals_reached} of {goals} goals were reached, `{goal}` was being looked for"
    )]
    Limit { looked_at: usize, goals_reached: usize, goals: usize, goal: String },
}

fn as_text<S: serde::Serializer>(error: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// Where the modes end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// No mode leads to it.
    NothingLeadsTo,
    /// Only these do, and they cannot be reached either.
    OnlyFrom(Vec<String>),
    /// Only modes that the request leaves out do.
    LeftOut(Vec<String>),
}

impl End {
    fn sentence(&self, mode: &str) -> String {
        match self {
            End::NothingLeadsTo => "nothing leads to it".to_owned(),
            End::OnlyFrom(from) => format!("only {} leads to `{mode}`, and cannot be reached either", quoted(from)),
            End::LeftOut(from) => format!("only {} would lead on, which may not be used", quoted(from)),
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What needs what, from the goal on: "`a` needs `b`, `b` needs `c`: ".
fn chain(through: &[String]) -> String {
    let needs: Vec<String> = through.windows(2).map(|pair| format!("`{}` needs `{}`", pair[0], pair[1])).collect();
    if needs.is_empty() { String::new() } else { format!("{}: ", needs.join(", ")) }
}

fn not_after(goal: &str, after: &[String]) -> String {
    if after.is_empty() {
        format!("`{goal}` cannot be had: what it needs cannot hold at once")
    } else {
        format!("`{goal}` cannot be had any more after {}, in no order of what comes before it", quoted(after))
    }
}

/// What is impossible even where nothing that was achieved is ever lost and modes are left alone.
pub fn impossible(capabilities: &Capabilities, request: &Request, world: &World) -> Result<(), Why> {
    let reach = Reach::new(capabilities, request, world);
    for goal in &request.goals {
        if !reach.can(goal) {
            return Err(reach.why(goal));
        }
    }
    Ok(())
}

struct Reach<'a> {
    capabilities: &'a Capabilities,
    request: &'a Request,
    on: &'a str,
    /// May be used by the request.
    used: BTreeSet<&'a str>,
    /// Can be had alone.
    had: BTreeSet<&'a str>,
}

impl<'a> Reach<'a> {
    fn new(capabilities: &'a Capabilities, request: &'a Request, world: &'a World) -> Reach<'a> {
        let interest = &world.interest;
        let used = interest.modes.iter().chain(&interest.actions).map(String::as_str).collect();
        let on = request.from.iter().find(|name| capabilities.is_mode(name)).map_or("", String::as_str);
        let holds = request.from.iter().map(String::as_str).collect();
        let mut reach = Reach { capabilities, request, on, used, had: holds };
        reach.grow();
        reach
    }

    /// Rounds over all, until nothing more can be had.
    fn grow(&mut self) {
        let mut open: Vec<&str> = self.used.iter().copied().filter(|name| !self.had.contains(name)).collect();
        loop {
            let before = open.len();
            let mut left = Vec::new();
            for name in open {
                if self.can_be_done(name) {
                    self.had.insert(name);
                    let ability = self.capabilities.ability(name);
                    self.had.extend(ability.into_iter().flat_map(|each| &each.achieves).map(String::as_str));
                } else {
                    left.push(name);
                }
            }
            open = left;
            if open.len() == before {
                return;
            }
        }
    }

    fn can_be_done(&self, name: &str) -> bool {
        let Some(ability) = self.capabilities.ability(name) else { return false };
        let entered = || self.leading_to(name).any(|mode| self.had.contains(mode));
        ability.needs.iter().all(|need| self.had.contains(need.as_str()))
            && (!self.capabilities.is_mode(name) || entered())
    }

    fn leading_to(&self, mode: &str) -> impl Iterator<Item = &'a str> {
        let mode = mode.to_owned();
        let modes = self.capabilities.modes.iter();
        modes.filter(move |(name, each)| *name != mode && each.to.contains(&mode)).map(|(name, _)| name.as_str())
    }

    fn can(&self, name: &str) -> bool {
        self.had.contains(name)
    }

    /// Goes down what is missing to its ground.
    fn why(&self, goal: &str) -> Why {
        let mut through = vec![goal.to_owned()];
        loop {
            let at = through[through.len() - 1].clone();
            let missing = self.missing_below(&at);
            let Some(next) = missing else { return self.ground(through, &at) };
            if through.contains(&next) {
                return self.circle(through);
            }
            through.push(next);
        }
    }

    fn missing_below(&self, name: &str) -> Option<String> {
        let first_missing = |name: &str| {
            let needs = self.capabilities.ability(name).map_or(&[][..], |ability| &ability.needs);
            needs.iter().find(|need| !self.can(need)).cloned()
        };
        if self.capabilities.ability(name).is_some() {
            return first_missing(name);
        }
        self.capabilities.achievers(name).first().cloned()
    }

    fn ground(&self, through: Vec<String>, name: &str) -> Why {
        if !self.capabilities.is_mode(name) {
            return Why::NothingAchieves { through, fact: name.to_owned() };
        }
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let leading: Vec<&str> = self.leading_to(name).collect();
        let is_open = |mode: &&str| self.used.contains(*mode);
        let end = if leading.is_empty() {
            End::NothingLeadsTo
        } else if !self.request.modes.is_empty() && !leading.iter().any(is_open) {
            End::LeftOut(owned(leading))
        } else {
            End::OnlyFrom(owned(leading))
        };
        Why::NoWay { through, mode: name.to_owned(), from: self.on.to_owned(), end }
    }

    fn circle(&self, through: Vec<String>) -> Why {
        let holds = self.request.from.iter().map(String::as_str).collect();
        let circle = circle(self.capabilities, &never(self.capabilities, holds));
        Why::Circle { through, circle }
    }
}
