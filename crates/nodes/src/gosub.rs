use engine::{Binder, Branching, Children, CompositeType, Runs, Target, Tick};
use model::Needs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Gosub;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The node to run.
    pub target: Target,
}

impl CompositeType for Gosub {
    const NAME: &'static str = "gosub";
    const GROUP: &'static str = "control";
    const DOC: &'static str = "Runs another node of the tree as an instance of its own, then goes on behind itself.";
    const ICON: Option<&'static str> = Some("corner-up-left");
    const WORDS: &'static [&'static str] = &["call", "function", "subroutine"];
    const BRANCHING: Branching = Branching::Call;
    const NEEDS: &'static [Needs] = &[Needs {
        field: "target",
        missing: "the gosub has no target, so it fails",
        remedy: "name the node to run in `target`",
    }];
    const RUNS: Runs = Runs::Called("target");
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.target("target", &mut settings.target);
    }

    fn tick(settings: &Settings, _state: &mut (), children: &mut Children<'_>) -> Tick {
        if settings.target.is_empty() {
            return Tick::failure("it has no target: choose the node to run");
        }
        children.call(&settings.target).into_tick()
    }
}
