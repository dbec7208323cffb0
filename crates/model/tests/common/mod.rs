//! A small catalogue, and shorthand that every test uses.
#![allow(dead_code, reason = "each test file uses its part of it")]

use model::file::{Loaded, MemoryFiles, load};
use model::{Catalogue, Definition, Foreign, NodeId, NodeInfo, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Nothing {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Wait {
    /// How long it waits.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
}

impl Default for Wait {
    fn default() -> Wait {
        Wait { duration_s: 4.0 }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Goto {
    /// Where it jumps.
    #[schemars(extend("format" = "node"))]
    pub target: String,
}

impl Default for Goto {
    fn default() -> Goto {
        Goto { target: "Next".to_owned() }
    }
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Skill {
    #[schemars(extend("format" = "file"))]
    pub file: String,
    pub inputs: Map<String, Json>,
    pub outputs: std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    #[default]
    Left,
    Right,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Arm {
    pub side: Side,
    #[schemars(length(min = 1, max = 7))]
    pub angles_deg: Vec<f64>,
    pub goal: Option<Point>,
    #[schemars(range(max = 10))]
    pub tries: u8,
    pub hold: bool,
    #[schemars(length(min = 1))]
    pub frame: String,
}

impl Default for Arm {
    fn default() -> Arm {
        let frame = "Chest".to_owned();
        Arm { side: Side::Left, angles_deg: vec![0.0], goal: None, tries: 0, hold: false, frame }
    }
}

pub fn catalogue_with(arm: &'static [Foreign]) -> Catalogue {
    Catalogue::new(vec![
        NodeInfo::of::<Nothing>("sequence", Role::Sequence, "control", "Runs its children.", SEQUENCE),
        NodeInfo::of::<Nothing>("fallback", Role::Fallback, "control", "Tries, then catches.", FALLBACK),
        NodeInfo::of::<Nothing>("parallel", Role::Composite, "control", "Runs all at once.", &[]),
        NodeInfo::of::<Skill>("skill", Role::Skill, "control", "Runs another file.", &[]),
        NodeInfo::of::<Nothing>("checkpoint", Role::Step, "control", "A place.", CHECKPOINT),
        NodeInfo::of::<Goto>("goto", Role::Step, "control", "Jumps.", GOTO),
        NodeInfo::of::<Wait>("wait", Role::Step, "control", "Waits.", WAIT),
        NodeInfo::of::<Arm>("arm", Role::Step, "body", "Moves an arm.", arm),
    ])
}

pub fn catalogue() -> Catalogue {
    catalogue_with(&[])
}

pub fn open(text: &str) -> Loaded {
    open_all([("main.json", text)])
}

pub fn open_all<const N: usize>(files: [(&str, &str); N]) -> Loaded {
    load("main.json", &MemoryFiles::from(files), &catalogue()).expect("the main file opens")
}

/// The problems as people read them.
pub fn report(loaded: &Loaded) -> String {
    loaded.problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// The node of that name.
pub fn named(definition: &Definition, name: &str) -> NodeId {
    definition.walk(definition.root).find(|id| &*definition.node(*id).name == name).expect("a node of that name")
}

const SEQUENCE: &[Foreign] =
    &[Foreign::plain("ActionSequenceDefinition", &[]), Foreign::plain("BehaviorTreeNodeDefinition", &[])];
const FALLBACK: &[Foreign] = &[Foreign::plain("FallbackNodeDefinition", &[])];
const CHECKPOINT: &[Foreign] =
    &[Foreign::plain("CheckpointNodeDefinition", &[]), Foreign::plain("CheckPointNodeDefinition", &[])];
const GOTO: &[Foreign] = &[Foreign::plain("GotoNodeDefinition", &[("nodeToGoto", "target"), ("gotoNode", "target")])];
const WAIT: &[Foreign] = &[
    Foreign::plain("WaitActionDefinition", &[("waitDuration", "duration_s")]),
    Foreign::plain("WaitDurationActionDefinition", &[("waitDuration", "duration_s")]),
];
