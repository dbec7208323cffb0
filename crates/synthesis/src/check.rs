//! What is wrong with capabilities, beyond how they are written.

use std::collections::BTreeSet;

use model::{Problem, Severity};

use crate::{Ability, Capabilities};

pub fn problems(capabilities: &Capabilities, file: &str) -> Vec<Problem> {
    let mut checker = Checker { capabilities, file, problems: Vec::new() };
    for (name, mode) in &capabilities.modes {
        checker.mode(name, mode);
        checker.ability(name, mode);
    }
    for (name, action) in &capabilities.actions {
        if !action.to.is_empty() {
            checker.wrong(name, "an action leads to no mode".into(), "leave out `to`, or make it a mode");
        }
        checker.ability(name, action);
    }
    checker.sensors();
    checker.start();
    if checker.problems.is_empty() {
        checker.circles();
    }
    checker.problems
}

struct Checker<'a> {
    capabilities: &'a Capabilities,
    file: &'a str,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn wrong(&mut self, path: &str, message: String, remedy: &str) {
        let problem = Problem::in_file(Severity::Error, self.file, message, remedy);
        self.problems.push(Problem { path: path.to_owned(), ..problem });
    }

    fn unknown(&mut self, path: &str, name: &str, what: &str) {
        let remedy = match self.capabilities.nearest(name) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "name a mode, an action or one of `facts`".to_owned(),
        };
        self.wrong(path, format!("{what} `{name}`, which is unknown"), &remedy);
    }

    fn mode(&mut self, name: &str, mode: &Ability) {
        for next in &mode.to {
            if !self.capabilities.is_mode(next) {
                self.unknown(name, next, "it leads to the mode");
            }
        }
    }

    fn ability(&mut self, name: &str, ability: &Ability) {
        for (list, what) in [(&ability.needs, "needs"), (&ability.achieves, "achieves"), (&ability.loses, "loses")] {
            for each in list {
                if !self.capabilities.is_known(each) {
                    self.unknown(name, each, &format!("it {what}"));
                }
            }
        }
        if ability.needs.iter().any(|need| need == name) {
            self.wrong(name, "it needs itself".into(), "take its own name out of `needs`");
        }
        let modes: Vec<&String> = ability.needs.iter().filter(|need| self.capabilities.is_mode(need)).collect();
        if let [one, other, ..] = modes[..] {
            let message = format!("it needs the modes `{one}` and `{other}`, and only one can be on");
            self.wrong(name, message, "leave one of them");
        }
        for (list, what) in [(&ability.achieves, "achieves"), (&ability.loses, "loses")] {
            if let Some(mode) = list.iter().find(|each| self.capabilities.is_mode(each)) {
                let message = format!("it {what} the mode `{mode}`");
                self.wrong(name, message, "modes change by `to` alone: make what it changes a fact");
            }
        }
        if let Some(both) = ability.achieves.iter().find(|each| ability.loses.contains(each)) {
            self.wrong(name, format!("it achieves and loses `{both}`"), "leave one of them");
        }
        if let Some(both) = ability.completes.iter().find(|each| ability.fails.contains(each)) {
            let message = format!("the outcome `{both}` means completed and failed");
            self.wrong(name, message, "leave it in one of `completes` and `fails`");
        }
        let is_skill = ability.step.as_ref().is_none_or(|step| step.get("type").is_some_and(|kind| kind == "skill"));
        let has_data = !ability.takes.is_empty() || !ability.gives.is_empty();
        if !is_skill && has_data {
            self.wrong(name, "only a skill takes and gives".into(), "write the values into `step` itself");
        }
    }

    fn sensors(&mut self) {
        for (name, sensor) in &self.capabilities.sensors {
            if sensor.holds_if.trim().is_empty() {
                self.wrong(name, "nothing says when it is so".into(), "write a condition in `holds_if`");
            }
            let changed = self
                .capabilities
                .abilities()
                .find(|(_, ability)| ability.achieves.contains(name) || ability.loses.contains(name));
            if let Some((by, _)) = changed {
                let message = format!("it is sensed, and `{by}` says that it changes it");
                self.wrong(name, message, "make it a fact, or say what follows from it in a formula");
            }
        }
    }

    fn start(&mut self) {
        for name in self.capabilities.start.iter().filter(|name| !self.capabilities.is_known(name)) {
            self.unknown("start", name, "it begins with");
        }
        let modes: Vec<&String> =
            self.capabilities.start.iter().filter(|name| self.capabilities.is_mode(name)).collect();
        if let [one, other, ..] = modes[..] {
            let message = format!("it begins with the modes `{one}` and `{other}`, and only one can be on");
            self.wrong("start", message, "leave one of them");
        }
    }

    /// What can never be the first time: each of these needs another of them.
    fn circles(&mut self) {
        let holds: BTreeSet<&str> = self.capabilities.fact_names().collect();
        let never = never(self.capabilities, holds);
        if never.is_empty() {
            return;
        }
        let circle = circle(self.capabilities, &never);
        let message = format!("these need each other, so none can be the first: {}", circle.join(" needs "));
        let first = circle.first().cloned().unwrap_or_default();
        self.wrong(&first, message, "take one of the needs out, or make what may hold at the start a fact");
    }
}

/// What can never be so, whatever mode is on, where these hold at the start.
pub fn never<'a>(capabilities: &'a Capabilities, mut holds: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    holds.extend(capabilities.modes.iter().map(|(name, _)| name.as_str()));
    loop {
        let before = holds.len();
        for (name, ability) in capabilities.abilities() {
            if ability.needs.iter().all(|need| holds.contains(need.as_str())) {
                holds.insert(name);
                holds.extend(ability.achieves.iter().map(String::as_str));
            }
        }
        if holds.len() == before {
            break;
        }
    }
    capabilities.names().filter(|name| !holds.contains(name)).collect()
}

/// Names of which each needs the next, the last being the first again.
pub fn circle(capabilities: &Capabilities, never: &BTreeSet<&str>) -> Vec<String> {
    let Some(first) = never.first() else { return Vec::new() };
    let mut way: Vec<&str> = vec![first];
    loop {
        let last = way[way.len() - 1];
        let below = capabilities.ability(last).map_or_else(|| capabilities.achievers(last), |ability| &ability.needs);
        let Some(next) = below.iter().find_map(|need| never.get(need.as_str())) else {
            return way.into_iter().map(str::to_owned).collect();
        };
        if let Some(start) = way.iter().position(|each| each == next) {
            let around = way[start..].iter().chain([next]);
            return around.map(|each| (*each).to_owned()).collect();
        }
        way.push(next);
    }
}
