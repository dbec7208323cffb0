//! Capabilities by chance: what is found is proved, and on small ones it is what brute force finds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::Random;
use synthesis::{Capabilities, Request, Why};

use crate::common::{read, run, tree};

struct Size {
    modes: u64,
    actions: u64,
    goals: u64,
    loses: bool,
}

fn capabilities(random: &mut Random, size: &Size) -> Capabilities {
    let mut modes = Vec::new();
    for at in 0..size.modes {
        let to: Vec<String> =
            (0..size.modes).filter(|to| *to != at && random.share() < 0.4).map(|to| format!("\"m{to}\"")).collect();
        modes.push(format!(r#""m{at}": {{"to": [{}]}}"#, to.join(", ")));
    }
    let mut actions = Vec::new();
    for at in 0..size.actions {
        let mut needs: Vec<String> =
            (0..at).filter(|_| random.share() < 1.5 / size.actions as f64).map(|need| format!("\"a{need}\"")).collect();
        if random.share() < 0.5 && size.modes > 0 {
            needs.push(format!("\"m{}\"", random.below(size.modes)));
        }
        let mut more = String::new();
        if size.loses && random.share() < 0.3 {
            more += &format!(r#", "loses": ["a{}"]"#, (at + 1 + random.below(size.actions - 1)) % size.actions);
        }
        if random.share() < 0.2 {
            more += &format!(r#", "achieves": ["f{}"]"#, random.below(2));
        }
        if random.share() < 0.2 {
            needs.push(format!("\"f{}\"", random.below(2)));
        }
        if needs.iter().any(|need| more.contains(need.as_str()) && need.contains('f')) {
            more.clear();
        }
        actions.push(format!(r#""a{at}": {{"needs": [{}]{more}}}"#, needs.join(", ")));
    }
    let (modes, actions) = (modes.join(", "), actions.join(", "));
    read(&format!(r#"{{"facts": {{"f0": "", "f1": ""}}, "modes": {{{modes}}}, "actions": {{{actions}}}}}"#))
}

fn request(random: &mut Random, size: &Size) -> Request {
    let mut goals: Vec<String> = Vec::new();
    for _ in 0..size.goals {
        let is_mode = size.modes > 0 && random.share() < 0.2;
        let goal =
            if is_mode { format!("m{}", random.below(size.modes)) } else { format!("a{}", random.below(size.actions)) };
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    let mut from = vec![format!("m{}", random.below(size.modes))];
    from.extend((0..2).filter(|_| random.share() < 0.5).map(|fact| format!("f{fact}")));
    from.retain(|name| goals.first() != Some(name));
    if !from.iter().any(|name| name.starts_with('m')) {
        goals.rotate_left(1);
        from.insert(0, goals[goals.len() - 1].clone());
    }
    Request { from, goals, strict: random.share() < 0.3, ..Request::default() }
}

/// Everything that can be done from here, in the order of the file: written anew, with names and sets.
fn after(capabilities: &Capabilities, request: &Request, at: &State) -> Vec<(String, State)> {
    let mode = at.holds.iter().find(|name| capabilities.is_mode(name)).cloned().unwrap_or_default();
    let mut all = Vec::new();
    for (name, ability) in capabilities.abilities() {
        let follows = !capabilities.is_mode(name)
            || *name == mode
            || capabilities.mode(&mode).is_some_and(|mode| mode.to.contains(name));
        if !follows || !ability.needs.iter().all(|need| at.holds.contains(need)) {
            continue;
        }
        let mut next = at.clone();
        if capabilities.is_mode(name) {
            next.holds.remove(&mode);
        }
        next.holds.retain(|each| !ability.loses.contains(each));
        let gained: BTreeSet<String> = ability.achieves.iter().cloned().chain([name.clone()]).collect();
        let open = request.goals.iter().find(|goal| !at.reached.contains(*goal));
        let reached = gained.iter().filter(|each| request.goals.contains(each));
        next.reached.extend(reached.filter(|each| !request.strict || Some(*each) == open).cloned());
        next.holds.extend(gained);
        all.push((name.clone(), next));
    }
    all
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    holds: BTreeSet<String>,
    reached: BTreeSet<String>,
}

/// Breadth first to each goal in turn; an end from which the others cannot be had is passed by.
fn brute_force(
    capabilities: &Capabilities,
    request: &Request,
    from: &State,
    known: &mut BTreeMap<State, Option<Vec<String>>>,
) -> Option<Vec<String>> {
    let Some(goal) = request.goals.iter().find(|goal| !from.reached.contains(*goal)) else { return Some(Vec::new()) };
    if let Some(known) = known.get(from) {
        return known.clone();
    }
    let mut seen = BTreeSet::from([from.clone()]);
    let mut open = VecDeque::from([(from.clone(), Vec::<String>::new())]);
    let mut found = None;
    'all: while let Some((at, way)) = open.pop_front() {
        for (name, next) in after(capabilities, request, &at) {
            if !seen.insert(next.clone()) {
                continue;
            }
            let way: Vec<String> = way.iter().cloned().chain([name]).collect();
            if !next.reached.contains(goal) {
                open.push_back((next, way));
            } else if let Some(rest) = brute_force(capabilities, request, &next, known) {
                found = Some([way, rest].concat());
                break 'all;
            }
        }
    }
    known.insert(from.clone(), found.clone());
    found
}

#[test]
fn a_thousand_small_ones_are_solved_as_by_brute_force() {
    let (mut solved, mut unsolved) = (0, 0);
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let size = Size {
            modes: 1 + random.below(4),
            actions: 2 + random.below(4),
            goals: 1 + random.below(3),
            loses: seed % 2 == 0,
        };
        let capabilities = capabilities(&mut random, &size);
        let request = request(&mut random, &size);
        let start = State { holds: request.from.iter().cloned().collect(), reached: BTreeSet::new() };
        let expected = brute_force(&capabilities, &request, &start, &mut BTreeMap::new());
        match (run(&capabilities, &request), expected) {
            (Ok(plan), Some(expected)) => {
                assert_eq!(plan.names(), expected, "seed {seed}: {request:?}\n{:?}", capabilities.actions);
                tree(&capabilities, &request, &plan);
                solved += 1;
            }
            (Err(Why::Wrong(_)), _) => {}
            (Err(Why::Limit { .. }), _) => panic!("seed {seed}: the limit was met"),
            (Err(_), None) => unsolved += 1,
            (found, expected) => panic!("seed {seed}: {found:?} and {expected:?}, {request:?}"),
        }
    }
    assert!(solved > 300 && unsolved > 100, "{solved} solved, {unsolved} not: the test tries too little");
}

#[test]
fn larger_ones_are_proved() {
    let (mut solved, mut shortest) = (0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let size = Size { modes: 8, actions: 40, goals: 6, loses: false };
        let capabilities = capabilities(&mut random, &size);
        let request = request(&mut random, &size);
        match run(&capabilities, &request) {
            Ok(plan) => {
                tree(&capabilities, &request, &plan);
                shortest += usize::from(plan.is_shortest);
                solved += 1;
            }
            Err(why @ Why::Limit { .. }) => panic!("seed {seed}: {why}"),
            Err(_) => {}
        }
    }
    assert!(solved > 30, "{solved} solved: the test tries too little");
    assert_eq!(solved, shortest, "all were found before the limit");
}

/// The game and the core say the same of whether there is a way; what the game finds is proved too.
#[test]
fn the_game_agrees_with_the_core() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let size =
            Size { modes: 1 + random.below(3), actions: 2 + random.below(2), goals: 1 + random.below(2), loses: false };
        let capabilities = plain(&mut random, &size);
        let request = request(&mut random, &size);
        let request = Request { from: request.from[..1].to_vec(), ..request };
        match (run(&capabilities, &request), synthesis::synthesize_under(&capabilities, &request, "")) {
            (Ok(plan), Ok(other)) => {
                tree(&capabilities, &request, &other);
                assert_eq!(plan.activations.len(), other.activations.len(), "seed {seed}: {request:?}");
                won += 1;
            }
            (Err(Why::Wrong(one)), Err(Why::Wrong(other))) => assert_eq!(one, other),
            (Err(_), Err(Why::Lost)) => lost += 1,
            (core, game) => panic!("seed {seed}: {core:?} and {game:?}, {request:?}"),
        }
    }
    assert!(won > 40 && lost > 20, "{won} won, {lost} lost: the test tries too little");
}

/// Without facts: what the formulas can say.
fn plain(random: &mut Random, size: &Size) -> Capabilities {
    let mut entries: [Vec<String>; 2] = Default::default();
    for at in 0..size.modes {
        let others = (0..size.modes).filter(|to| *to != at && random.share() < 0.5).map(|to| format!("\"m{to}\""));
        entries[0].push(format!(r#""m{at}": {{"to": [{}]}}"#, others.collect::<Vec<_>>().join(", ")));
    }
    for at in 0..size.actions {
        let mut needs: Vec<String> =
            (0..at).filter(|_| random.share() < 0.5).map(|need| format!("\"a{need}\"")).collect();
        if random.share() < 0.6 {
            needs.push(format!("\"m{}\"", random.below(size.modes)));
        }
        entries[1].push(format!(r#""a{at}": {{"needs": [{}]}}"#, needs.join(", ")));
    }
    read(&format!(r#"{{"modes": {{{}}}, "actions": {{{}}}}}"#, entries[0].join(", "), entries[1].join(", ")))
}
