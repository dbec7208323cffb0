//! Random trees and random inputs, for property tests.

mod changes;
mod inputs;
mod trees;

pub use changes::{ChangePlan, NodePick, NodePicks, change};
pub use inputs::{InputPlan, input_script, tick_input};
pub use trees::{FILES, files, subtree_json};

use model::file::{Loaded, MemoryFiles};
use serde_json::Value as Json;

/// Loads generated files; the first is the main one.
pub fn load_files(files: &[(String, Json)]) -> Loaded {
    let mut memory = MemoryFiles::default();
    for (name, json) in files {
        memory.insert(name, json.to_string());
    }
    model::file::load(&files[0].0, &memory, nodes::registry().catalogue()).expect("a generated file opens")
}
