//! A step that looks at something in every tick, as most that move a robot do; those of `nodes` that only let time pass
//! sleep until it has.

use std::sync::Arc;

use engine::{Context, Registry, StepType, Tick, step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Asked;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// It ends after this.
    pub duration_s: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { duration_s: 1e6 }
    }
}

impl StepType for Asked {
    const NAME: &'static str = "asked";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Asks in every tick whether it is over.";
    type Settings = Settings;
    type State = ();

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let is_over = context.has_run_for(settings.duration_s);
        if is_over { Tick::SUCCESS } else { Tick::Running }
    }
}

pub fn registry() -> Arc<Registry> {
    let entries = nodes::entries().into_iter().chain([step::<Asked>()]);
    Arc::new(Registry::new(entries.collect()))
}
