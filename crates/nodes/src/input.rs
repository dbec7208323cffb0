use engine::{Accepts, AskedOf, Binder, Context, Finding, Part, StepType, Tick, Variable};
use model::{Needs, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::question::no_team_role;

pub struct Input;

/// What may be entered or shown in the 3D view.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Number,
    Text,
    Bool,
    /// Where and how something is in the world: a map with x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg.
    Pose,
    /// A place in the world, as a click on the point cloud gives it: a map with x_m, y_m, z_m.
    Point,
    /// The name of an object of the scene.
    Object,
    /// The name of an object that the operator places as a template.
    Template,
    /// The name of a frame.
    Frame,
}

impl Kind {
    fn accepts(self, class: &str) -> Accepts {
        let class = (!class.is_empty()).then(|| class.to_owned());
        match self {
            Kind::Number => Accepts::Number,
            Kind::Text => Accepts::Text,
            Kind::Bool => Accepts::Bool,
            Kind::Pose => Accepts::Pose,
            Kind::Point => Accepts::Point,
            Kind::Object => Accepts::Object(class),
            Kind::Template => Accepts::Template(class),
            Kind::Frame => Accepts::Frame,
        }
    }
}

/// What is asked for beside the first.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Also {
    /// What it is called in the card.
    pub name: String,
    /// The variable the value goes to.
    pub variable: Variable,
    /// What may be entered.
    pub kind: Kind,
    /// Of objects and templates: only those of this class.
    pub class: String,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What the operator is asked for, with its unit.
    pub text: String,
    /// The variable the value goes to.
    pub variable: Variable,
    /// What may be entered.
    pub kind: Kind,
    /// Of objects and templates: only those of this class.
    pub class: String,
    /// What is asked for in the same card.
    pub also: Vec<Also>,
    /// Taken when nobody is there to answer; left out: the step fails then. With `also` a map: the first under `value`,
    /// the others under their names.
    #[schemars(extend("format" = "value"))]
    pub default: Option<serde_json::Value>,
    /// Who may answer.
    pub asked_of: AskedOf,
    /// Asked of a role in the team: which, as `auxiliary`. People say at their station which one they have.
    pub team_role: String,
}

/// What the first of several is called in the answer.
const FIRST: &str = "value";

impl Settings {
    fn accepts(&self) -> Accepts {
        let first = self.kind.accepts(&self.class);
        if self.also.is_empty() {
            return first;
        }
        let also =
            self.also.iter().map(|each| Part { name: each.name.clone(), accepts: each.kind.accepts(&each.class) });
        Accepts::Several([Part { name: FIRST.to_owned(), accepts: first }].into_iter().chain(also).collect())
    }

    /// Each variable with its part of the answer.
    fn parts(&self, value: Value) -> Vec<(&Variable, Value)> {
        let Value::Map(entries) = &value else { return vec![(&self.variable, value)] };
        if self.also.is_empty() {
            return vec![(&self.variable, value)];
        }
        let names =
            [(&self.variable, FIRST)].into_iter().chain(self.also.iter().map(|each| (&each.variable, &*each.name)));
        names.filter_map(|(variable, name)| Some((variable, entries.get(name)?.clone()))).collect()
    }
}

impl StepType for Input {
    const NAME: &'static str = "input";
    const GROUP: &'static str = "operator";
    const DOC: &'static str = "Asks the operator for a value, a pose, a point, an object, a template or a frame, or for several of them \
        at once, and sets variables to them.";
    const ICON: Option<&'static str> = Some("keyboard");
    const WORDS: &'static [&'static str] = &["ask", "enter", "type", "form"];
    const NEEDS: &'static [Needs] =
        &[Needs { field: "variable", missing: "the value goes to no variable", remedy: "name one in `variable`" }];
    type Settings = Settings;
    type State = ();

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        binder.writes(&mut settings.variable);
        settings.also.iter_mut().for_each(|each| binder.writes(&mut each.variable));
    }

    fn findings(settings: &Settings) -> Vec<Finding> {
        no_team_role(settings.asked_of, &settings.team_role).into_iter().collect()
    }

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn tick(settings: &Settings, _state: &mut (), context: &mut Context<'_>) -> Tick {
        let accepts = settings.accepts();
        let value = if context.is_attended() {
            let whom = (settings.asked_of, &*settings.team_role);
            let Some(value) = context.ask(&settings.text, &accepts, whom) else { return Tick::Running };
            value
        } else {
            match settings.default.as_ref().and_then(Value::from_json) {
                Some(value) if accepts.refusal(&value).is_none() => value,
                Some(value) => return Tick::failure(format!("its default `{value}` is not of the kind it asks for")),
                None => return Tick::failure("nobody is there to answer, and it has no default"),
            }
        };
        for (variable, value) in settings.parts(value) {
            context.set(variable, value);
        }
        Tick::SUCCESS
    }
}
