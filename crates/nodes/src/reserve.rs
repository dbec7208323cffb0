use std::sync::Arc;

use engine::{Binder, Context, StepType, Tick, Token};
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Reserve;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The token to take.
    pub token: Token,
}

impl StepType for Reserve {
    const NAME: &'static str = "reserve";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Takes a token for its track, waiting until it is free. Steps of the track may use it, others may not, until it is \
         relinquished or the track ends.";
    const ICON: Option<&'static str> = Some("lock");
    const WORDS: &'static [&'static str] = &["lock", "take", "token", "claim"];
    const INSTANT: bool = true;
    const NEEDS: &'static [Needs] =
        &[Needs { field: "token", missing: "there is no token to take", remedy: "name it in `token`" }];
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.token(&mut settings.token);
    }

    fn claims(settings: &Settings) -> Vec<Arc<str>> {
        vec![settings.token.name().clone()]
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn reserves(settings: &Settings) -> Option<Arc<str>> {
        Some(settings.token.name().clone())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        context.reserve(&settings.token);
        Tick::SUCCESS
    }
}
