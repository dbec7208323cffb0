use std::sync::Arc;

use engine::{Binder, Context, StepType, Tick, Token};
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Relinquish;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The token to give back.
    pub token: Token,
}

impl StepType for Relinquish {
    const NAME: &'static str = "relinquish";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Gives back a token that this track, or one around it, has reserved.";
    const ICON: Option<&'static str> = Some("unlock");
    const WORDS: &'static [&'static str] = &["unlock", "free", "give back", "token"];
    const INSTANT: bool = true;
    const MAY_FAIL: bool = false;
    const NEEDS: &'static [Needs] =
        &[Needs { field: "token", missing: "there is no token to give back", remedy: "name it in `token`" }];
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.token(&mut settings.token);
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn relinquishes(settings: &Settings) -> Option<Arc<str>> {
        Some(settings.token.name().clone())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        if !context.relinquish(&settings.token) {
            context.warn(format!("`{}` was not reserved here", settings.token.name()));
        }
        Tick::SUCCESS
    }
}
