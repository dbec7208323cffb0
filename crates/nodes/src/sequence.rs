use engine::OrganiserType;
use model::{Foreign, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Sequence;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Settings {}

impl OrganiserType for Sequence {
    const NAME: &'static str = "sequence";
    const DOC: &'static str = "Groups steps. They run in order, each after the one before unless it says otherwise.";
    const ICON: Option<&'static str> = Some("list-ordered");
    const WORDS: &'static [&'static str] = &["group", "then", "steps", "folder"];
    const ROLE: Role = Role::Sequence;
    const FOREIGN: &'static [Foreign] = &[
        Foreign::plain("ActionSequenceDefinition", &[]),
        Foreign::plain("BehaviorTreeNodeDefinition", &[]),
        Foreign::plain("BehaviorTreeRootNodeDefinition", &[]),
    ];
    type Settings = Settings;
}
