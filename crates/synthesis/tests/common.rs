use model::Subtree;
use synthesis::{Automaton, Capabilities, LIMIT, Plan, Request, Why};

pub fn vigir() -> Capabilities {
    read(include_str!("../../../capabilities/vigir.json"))
}

pub fn read(text: &str) -> Capabilities {
    let (capabilities, problems) = Capabilities::load("capabilities.json", text);
    assert!(problems.is_empty(), "{problems:?}");
    capabilities
}

pub fn names(words: &str) -> Vec<String> {
    words.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

pub fn request(from: &str, goals: &str) -> Request {
    Request { from: names(from), goals: names(goals), ..Request::default() }
}

pub fn run(capabilities: &Capabilities, request: &Request) -> Result<Plan, Why> {
    synthesis::synthesize(capabilities, request, LIMIT)
}

pub fn reason(capabilities: &Capabilities, request: &Request) -> String {
    run(capabilities, request).expect_err("there is no way").to_string()
}

/// The tree of a plan, which was proved.
pub fn tree(capabilities: &Capabilities, request: &Request, plan: &Plan) -> Subtree {
    let tree = synthesis::tree(capabilities, request, plan, "");
    synthesis::prove(capabilities, request, &tree).unwrap_or_else(|fault| panic!("{fault}: {:?}", plan.names()));
    tree
}

/// States and transitions.
pub fn size(plan: &Plan, request: &Request) -> (usize, usize) {
    let automaton = Automaton::of(plan, request);
    (automaton.places.len(), automaton.transitions.len())
}
