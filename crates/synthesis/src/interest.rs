//! What could take part: the closure of the goals under what is needed, and the modes on the way.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{Capabilities, Request};

/// In the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Interest {
    pub modes: Vec<String>,
    pub actions: Vec<String>,
    pub facts: Vec<String>,
}

impl Interest {
    pub fn of(capabilities: &Capabilities, request: &Request) -> Interest {
        Interest::of_also(capabilities, request, &[])
    }

    /// With what else is spoken of.
    pub fn of_also(capabilities: &Capabilities, request: &Request, also: &[String]) -> Interest {
        let mut wanted = BTreeSet::new();
        close(capabilities, &mut wanted, request.goals.iter().chain(also).cloned().collect());
        wanted.extend(request.from.iter().filter(|name| capabilities.is_mode(name)).cloned());
        let modes = loop {
            let modes = modes(capabilities, request, &wanted);
            let needs = modes.iter().filter_map(|name| capabilities.mode(name)).flat_map(|mode| &mode.needs);
            let more: Vec<String> = needs.filter(|need| !wanted.contains(*need)).cloned().collect();
            if more.is_empty() {
                break modes;
            }
            close(capabilities, &mut wanted, more);
        };
        let kept = |names: Vec<&String>| names.into_iter().filter(|name| wanted.contains(*name)).cloned().collect();
        Interest {
            modes,
            actions: kept(capabilities.actions.iter().map(|(name, _)| name).collect()),
            facts: capabilities.fact_names().filter(|name| wanted.contains(*name)).map(str::to_owned).collect(),
        }
    }

    /// Of the environment and of the system, as in the formulas of activations and outcomes.
    pub fn propositions(&self, goals: usize) -> (usize, usize) {
        let all = self.modes.len() + self.actions.len();
        (2 * all, all + goals + 2)
    }
}

/// Adds these, whatever achieves them, what that needs, and so on.
fn close(capabilities: &Capabilities, wanted: &mut BTreeSet<String>, mut open: Vec<String>) {
    while let Some(name) = open.pop() {
        if wanted.insert(name.clone()) {
            open.extend(capabilities.ability(&name).into_iter().flat_map(|ability| ability.needs.clone()));
            open.extend(capabilities.achievers(&name).iter().cloned());
        }
    }
}

fn modes(capabilities: &Capabilities, request: &Request, wanted: &BTreeSet<String>) -> Vec<String> {
    let all = || capabilities.modes.iter().map(|(name, _)| name.as_str());
    let kept: BTreeSet<&str> = if request.modes.is_empty() {
        on_ways(capabilities, &all().filter(|name| wanted.contains(*name)).collect())
    } else {
        request.from.iter().chain(&request.modes).map(String::as_str).collect()
    };
    all().filter(|name| kept.contains(name)).map(str::to_owned).collect()
}

/// These, and the modes through which one can be reached from another without going back the way one came.
fn on_ways<'a>(capabilities: &'a Capabilities, wanted: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut into: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut out: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, mode) in &capabilities.modes {
        for to in mode.to.iter().filter(|to| *to != from) {
            out.entry(from).or_default().push(to);
            into.entry(to).or_default().push(from);
        }
    }
    let forward = reached(wanted, &out);
    let backward = reached(wanted, &into);
    let mut kept: BTreeSet<&str> = forward.intersection(&backward).copied().collect();
    loop {
        let neighbours = |edges: &BTreeMap<&str, Vec<&'a str>>, mode: &str| -> Vec<&'a str> {
            let all = edges.get(mode).into_iter().flatten().copied();
            all.filter(|each| kept.contains(each)).collect()
        };
        let is_passed_through = |mode: &str| {
            let onward = neighbours(&out, mode);
            neighbours(&into, mode).iter().any(|from| onward.iter().any(|to| to != from))
        };
        let idle: BTreeSet<&str> =
            kept.iter().copied().filter(|mode| !wanted.contains(mode) && !is_passed_through(mode)).collect();
        if idle.is_empty() {
            return kept;
        }
        kept = &kept - &idle;
    }
}

fn reached<'a>(from: &BTreeSet<&'a str>, next: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = from.clone();
    let mut open: Vec<&str> = from.iter().copied().collect();
    while let Some(at) = open.pop() {
        for each in next.get(at).into_iter().flatten() {
            if seen.insert(each) {
                open.push(each);
            }
        }
    }
    seen
}
