//! The trees that are measured, as files.

use std::fmt::Write;
use std::sync::Arc;

use engine::{Command, Control, Engine, Options, Registry, TickInput};
use model::file::MemoryFiles;

pub fn file(children: &str, variables: &str) -> String {
    format!("{{\"version\": 1, \"variables\": {variables}, \"children\": [{children}]}}")
}

/// `count` nodes of one line each; `{i}` is the number.
pub fn repeated(count: usize, node: &str) -> String {
    let mut children = String::new();
    for index in 0..count {
        let separator = if index == 0 { "" } else { ",\n" };
        write!(children, "{separator}{}", node.replace("{i}", &index.to_string())).expect("writing to a string");
    }
    children
}

pub fn instant(count: usize) -> String {
    file(&repeated(count, r#"{"type": "always_succeed", "name": "step {i}"}"#), "{}")
}

/// `running` waits that never end, then steps that are not reached until the tree has `total`.
pub fn running(running: usize, total: usize) -> String {
    let waits = repeated(running, r#"{"type": "wait", "name": "run {i}", "duration_s": 1e6, "after": "Beginning"}"#);
    if total <= running {
        return file(&waits, "{}");
    }
    let rest = repeated(total - running, r#"{"type": "wait", "name": "later {i}", "duration_s": 1}"#);
    file(&format!("{waits},\n{rest}"), "{}")
}

/// `count` steps that run and are asked in every tick.
pub fn asked(count: usize) -> String {
    file(&repeated(count, r#"{"type": "asked", "name": "run {i}", "after": "Beginning"}"#), "{}")
}

/// Nodes in each group of [`nested`].
pub const NESTED: usize = 11;

/// Groups of sequences in sequences and parallels with sequences; the first step runs and does not end.
pub fn nested(count: usize) -> String {
    let wait = r#"{"type": "wait", "duration_s": 1}"#;
    let branch = format!(r#"{{"type": "sequence", "name": "branch {{i}}", "children": [{wait}, {wait}]}}"#);
    let inner = format!(r#"{{"type": "sequence", "name": "inner {{i}}", "children": [{wait}, {wait}, {wait}]}}"#);
    let parallel = format!(r#"{{"type": "parallel", "children": [{branch}, {wait}]}}"#);
    let group = format!(r#"{{"type": "sequence", "children": [{wait}, {inner}, {parallel}]}}"#);
    let first = r#"{"type": "wait", "duration_s": 1e6}"#;
    file(&format!("{first},\n{}", repeated(count / NESTED, &group)), "{}")
}

/// A running step under ten guards.
pub fn guarded(conditions: usize) -> String {
    let guards: Vec<String> = (0..conditions).map(|index| format!("\"v{index} < 5\"")).collect();
    let variables: Vec<String> = (0..conditions).map(|index| format!("\"v{index}\": 1")).collect();
    let node = format!(r#"{{"type": "wait", "name": "move", "duration_s": 1e6, "while": [{}]}}"#, guards.join(", "));
    file(&node, &format!("{{{}}}", variables.join(", ")))
}

pub fn load(text: &str, options: &Options) -> Engine {
    load_with(nodes::registry(), text, options)
}

pub fn load_with(registry: Arc<Registry>, text: &str, options: &Options) -> Engine {
    let files = MemoryFiles::from([("main.json", text)]);
    let loaded = model::file::load("main.json", &files, registry.catalogue()).expect("the tree is a file");
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    Engine::new(loaded.library, registry, options)
}

pub fn automatic(time_ns: i64) -> TickInput {
    let what = Control::Automatic { on: true };
    TickInput { time_ns, commands: vec![Command { id: 1, what }], ..TickInput::default() }
}

pub fn from_the_beginning(time_ns: i64) -> TickInput {
    let mut input = automatic(time_ns);
    input.commands.insert(0, Command { id: 2, what: Control::MoveNext { by: i64::MIN / 2 } });
    input
}
