use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the end of an attempt means for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// It went as it should and there is more to do: not counted.
    Again,
    /// The hand must be placed anew: not counted.
    Regrasp,
    /// Another strategy is wanted: not counted if another is chosen next.
    Switch,
    /// It went wrong: counted.
    Retry,
    /// Nobody tries again.
    Abort,
}

/// Counts the attempts at a task: those only that went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    pub made: u32,
    pub counted: u32,
    /// The strategy that was to be left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<Arc<str>>,
}

impl Attempts {
    /// With what an attempt will be made. True: the same as the one that was to be left, which counts then.
    pub fn chosen(&mut self, strategy: &str) -> bool {
        let stays = self.left.take().is_some_and(|left| &*left == strategy);
        self.counted += u32::from(stays);
        stays
    }

    pub fn begun(&mut self) {
        self.made += 1;
    }

    pub fn ended(&mut self, strategy: &Arc<str>, means: Means) {
        match means {
            Means::Again | Means::Regrasp | Means::Abort => {}
            Means::Switch => self.left = Some(Arc::clone(strategy)),
            Means::Retry => self.counted += 1,
        }
    }

    pub fn are_used_up(&self, most: u32) -> bool {
        self.counted >= most
    }
}
