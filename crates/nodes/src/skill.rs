use std::collections::BTreeMap;

use engine::OrganiserType;
use model::Role;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub struct Skill;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The skill's file, seen from the folder of this one.
    #[schemars(extend("format" = "file"))]
    pub file: String,
    /// What each input gets, copied in at the start: a text is an expression over this file's variables.
    #[schemars(schema_with = "inputs")]
    pub inputs: BTreeMap<String, Json>,
    /// The variable of this file that each output is copied to at the end.
    #[schemars(extend("format" = "outputs"))]
    pub outputs: BTreeMap<String, String>,
    /// Runs the whole skill as on the other side: left and right change places, in a world that is mirrored with its
    /// objects, as for a door whose hinge is on the other side. What it is given is not mirrored.
    pub mirrored: bool,
}

/// A text is an expression; anything else is itself. What fits the skill declares.
fn inputs(_: &mut SchemaGenerator) -> Schema {
    let given = ["string", "number", "boolean", "array", "object"];
    json_schema!({
        "type": "object",
        "format": "inputs",
        "additionalProperties": {"type": given, "format": "expression"}
    })
}

impl OrganiserType for Skill {
    const NAME: &'static str = "skill";
    const DOC: &'static str =
        "Uses the tree of another file. Every use shares one definition; variables and state belong to each use.";
    const ICON: Option<&'static str> = Some("puzzle");
    const WORDS: &'static [&'static str] = &["use", "subtree", "call", "file"];
    const ROLE: Role = Role::Skill;
    type Settings = Settings;
}
