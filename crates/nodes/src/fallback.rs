use engine::OrganiserType;
use model::{Foreign, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Fallback;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The failures the catch asks for, by their named outcome; empty: any failure. Others pass it by.
    pub outcomes: Vec<String>,
}

impl OrganiserType for Fallback {
    const NAME: &'static str = "fallback";
    const DOC: &'static str = "Tries its first child; if that fails, runs the rest. Children right behind the first that start together \
         with it belong to the try. When the try succeeds the rest is skipped.";
    const ICON: Option<&'static str> = Some("shield-question");
    const WORDS: &'static [&'static str] = &["try", "catch", "otherwise", "recover", "selector", "alternative"];
    const ROLE: Role = Role::Fallback;
    const FOREIGN: &'static [Foreign] = &[Foreign::plain("FallbackNodeDefinition", &[])];
    type Settings = Settings;
}
