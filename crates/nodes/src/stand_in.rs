use engine::{Binder, Context, End, Flow, Halt, StepType, Tick};
use expression::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct StandIn;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// How long it takes.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How long it takes to come to rest when it is halted.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s"))]
    pub halt_s: f64,
    /// Fails at the end if this holds then.
    pub fails_if: Expression,
    /// The named outcome of that failure.
    pub outcome: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { duration_s: 4.0, halt_s: 0.0, fails_if: Expression::default(), outcome: String::new() }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    halting_since_ns: Option<i64>,
}

impl StepType for StandIn {
    const NAME: &'static str = "stand_in";
    const GROUP: &'static str = "action";
    const DOC: &'static str = "Takes the place of an action that does not exist yet: it takes as long, claims what you write under `claims`, and can \
         fail and halt like one.";
    const ICON: Option<&'static str> = Some("activity");
    type Settings = Settings;
    type State = State;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.expression("fails_if", &mut settings.fails_if);
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn outcomes(settings: &Settings) -> Option<Vec<String>> {
        Some(vec![settings.outcome.clone()])
    }

    fn flow(settings: &Settings) -> Flow {
        let never = settings.fails_if.is_empty().then_some(false);
        let holds = never.or_else(|| settings.fails_if.constant().and_then(|value| value.as_bool()));
        Flow { instant: settings.duration_s == 0.0, ..Flow::UNKNOWN }.fails_if(holds)
    }

    fn tick(settings: &Settings, _state: &mut State, context: &mut Context<'_>) -> Tick {
        let left_ns = engine::seconds_to_ns(settings.duration_s) - context.elapsed_ns();
        if left_ns > 0 {
            context.sleep_ns(left_ns);
            return Tick::Running;
        }
        if settings.fails_if.is_empty() {
            return Tick::SUCCESS;
        }
        match context.holds(&settings.fails_if) {
            Ok(false) => Tick::SUCCESS,
            Ok(true) => {
                let end = End::failure(format!("`{}` holds", settings.fails_if.text()));
                Tick::Ended(end.with_outcome(&settings.outcome))
            }
            Err(error) => Tick::failure(format!("`{}` cannot be judged: {error}", settings.fails_if.text())),
        }
    }

    fn halt(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        let now_ns = context.time_ns();
        let since_ns = *state.halting_since_ns.get_or_insert(now_ns);
        if now_ns - since_ns >= engine::seconds_to_ns(settings.halt_s) { Halt::Done } else { Halt::StillHalting }
    }
}
