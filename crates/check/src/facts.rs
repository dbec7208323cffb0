use std::sync::Arc;

use engine::{Binder, Registry, Resolver};
use expression::{Cache, Expression, ExpressionError, Names, Slot};
use model::{Field, Guards, NodeId, Role, When};
use robot::Robot;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use crate::kinds;
use crate::lets::Lets;
use crate::tree::{At, Tree};

/// Everything in the settings of a file that has a meaning outside of them.
#[derive(Default)]
pub struct Facts {
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    pub asked: Vec<Asked>,
    pub wrong: Vec<Wrong>,
    /// Settings of their type that cannot be read, and why.
    pub unreadable: FxHashMap<At, String>,
    /// What steps need for themselves: by their type, and as authored.
    pub claims: FxHashMap<At, Vec<Arc<str>>>,
    /// The tokens that steps reserve for their track, and those that they give back.
    pub reserves: FxHashMap<At, Arc<str>>,
    pub relinquishes: FxHashMap<At, Arc<str>>,
    /// Guards and cases whose condition is a constant that is neither true nor false.
    pub not_conditions: Vec<(At, &'static str, Arc<str>)>,
    /// Values of the moment that are constants which do not fit their setting: the field, and the sentence.
    pub wrong_values: Vec<(At, Arc<str>, String)>,
    /// Names that stand for a constant and are said somewhere.
    pub followed: FxHashSet<Arc<str>>,
    /// Values of the moment that are of another kind or unit than their setting: the field, and the sentence.
    pub unfit: Vec<(At, Arc<str>, String)>,
    /// Expressions that ask what the robot cannot answer: the text, and the sentence.
    pub unanswered: Vec<(At, Arc<str>, String)>,
}

/// A variable that an expression reads.
pub struct Read {
    pub at: At,
    /// The expression.
    pub text: Arc<str>,
    /// `a.b.c` may be a variable of that name, or of a shorter one that holds a map: longest first.
    pub names: Vec<String>,
}

pub struct Write {
    pub at: At,
    pub name: String,
}

/// A node whose outcome or result an expression asks for, by its name as seen from `from`.
pub struct Asked {
    pub at: At,
    pub from: At,
    pub text: Arc<str>,
    pub name: String,
}

pub struct Wrong {
    pub at: At,
    pub field: String,
    pub text: Arc<str>,
    pub error: ExpressionError,
}

/// Notes every name of a file. `is_known` says which dotted names are variables whatever the file does.
pub fn note(tree: &Tree<'_>, registry: &Registry, is_known: &dyn Fn(&str) -> bool, robot: Option<&Robot>) -> Facts {
    let mut cache = Cache::new();
    let mut facts = Facts::default();
    let lets = Lets::of(tree, robot);
    for at in tree.all() {
        let mut noting = Noting {
            facts: &mut facts,
            cache: &mut cache,
            is_known,
            robot,
            lets: &lets,
            at,
            from: at,
            text: "".into(),
            tried: vec![],
        };
        noting.node(tree, registry);
        if at == 0 {
            for (_, text) in &tree.definition.header.lets {
                noting.expression("let", text);
            }
        }
    }
    facts
}

struct Noting<'n> {
    facts: &'n mut Facts,
    cache: &'n mut Cache,
    is_known: &'n dyn Fn(&str) -> bool,
    /// None: it is not known which one is to run it.
    robot: Option<&'n Robot>,
    lets: &'n Lets,
    at: At,
    from: At,
    text: Arc<str>,
    /// Longer names that the variable being read might have had.
    tried: Vec<String>,
}

impl Noting<'_> {
    fn node(&mut self, tree: &Tree<'_>, registry: &Registry) {
        let at = self.at;
        let mut claims = match registry.bind(tree.node(at), &mut Binder::new(self)) {
            Ok(claims) => claims,
            Err(why) => {
                self.facts.unreadable.insert(at, why.to_string());
                Vec::new()
            }
        };
        self.values(tree, registry, &mut claims);
        let common = tree.common(at);
        claims.extend(common.claims.iter().map(|name| Arc::from(name.as_str())));
        claims.retain(|name| !name.is_empty());
        if !claims.is_empty() {
            self.facts.claims.insert(at, claims);
        }
        let node = tree.node(at);
        self.facts.reserves.extend(registry.reserves(node).map(|token| (at, token)));
        self.facts.relinquishes.extend(registry.relinquishes(node).map(|token| (at, token)));
        self.guards("until", &common.until);
        self.guards("while", &common.while_);
        if let Some(When::Condition(text)) = &common.when {
            self.condition("when", text);
        }
        if tree.role(at) == Some(Role::Skill) {
            self.skill_use(tree);
        }
    }

    /// A constant, or what the robot that is to run it makes one.
    fn known(&self, expression: &Expression) -> Option<model::Value> {
        let of_robot = || {
            let robot = self.robot?;
            expression.of_the_robot(&engine::RobotOnly(robot))?.ok()
        };
        expression.constant().or_else(of_robot)
    }

    /// Settings that are values of the moment. What the step claims by them is not known before.
    fn values(&mut self, tree: &Tree<'_>, registry: &Registry, claims: &mut Vec<Arc<str>>) {
        let bound = registry.bound(tree.node(self.at));
        if bound.is_empty() {
            return;
        }
        claims.clear();
        let mut constants = FxHashMap::default();
        for place in &bound {
            let expression = self.expression(&place.field, &place.text);
            let found = kinds::wrong(registry, tree.node(self.at), place, (&expression, &tree.definition.header));
            self.facts.unfit.extend(found.map(|message| (self.at, place.field.clone(), message)));
            constants.extend(self.known(&expression).map(|value| (place.text.clone(), value)));
        }
        let wrong = registry.wrong_constants(tree.node(self.at), &|text| constants.get(text).cloned());
        self.facts.wrong_values.extend(wrong.into_iter().map(|(field, message)| (self.at, field, message)));
    }

    fn guards(&mut self, field: &'static str, guards: &Guards) {
        for guard in guards.list() {
            self.condition(field, &guard.condition);
        }
    }

    fn condition(&mut self, field: &'static str, text: &str) {
        let expression = self.expression(field, text);
        if expression.is_bound() && expression.constant().is_some_and(|value| !matches!(value, model::Value::Bool(_))) {
            self.facts.not_conditions.push((self.at, field, text.into()));
        }
    }

    fn expression(&mut self, field: &str, text: &str) -> Expression {
        let mut expression = Expression::new(text);
        if let Err(error) = self.bind(&mut expression) {
            self.expression_error(field, text, error);
        }
        expression
    }

    /// Inputs are bound at the root of the using file; outputs go to its variables.
    fn skill_use(&mut self, tree: &Tree<'_>) {
        for (_, value) in entries(tree, self.at, "inputs") {
            if let Json::String(text) = value {
                self.from = 0;
                self.expression("inputs", text);
                self.from = self.at;
            }
        }
        for (_, value) in entries(tree, self.at, "outputs") {
            if let Some(name) = value.as_str().filter(|name| !name.is_empty()) {
                self.writes(name);
            }
        }
    }
}

fn entries<'a>(tree: &Tree<'a>, at: At, field: &str) -> impl Iterator<Item = (&'a String, &'a Json)> {
    let object = match tree.node(at).fields.get(field) {
        Some(Field::Json(json)) => json.as_object(),
        _ => None,
    };
    object.into_iter().flatten()
}

impl Names for Noting<'_> {
    /// What is the same in every run is known here, too; of anything else the name is enough.
    fn definition(&mut self, name: &str) -> Option<Arc<str>> {
        let text = self.lets.constant(name)?;
        self.facts.followed.insert(name.into());
        Some(text)
    }

    fn variable(&mut self, name: &str) -> Option<Slot> {
        self.tried.push(name.to_owned());
        if name.contains('.') && !(self.is_known)(name) {
            return None;
        }
        let names = std::mem::take(&mut self.tried);
        self.facts.reads.push(Read { at: self.at, text: self.text.clone(), names });
        Some(Slot(0))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, name: &str) -> Option<u32> {
        let (at, from, text) = (self.at, self.from, self.text.clone());
        self.facts.asked.push(Asked { at, from, text, name: name.to_owned() });
        Some(0)
    }
}

impl Resolver for Noting<'_> {
    fn writes(&mut self, name: &str) -> Option<Slot> {
        self.facts.writes.push(Write { at: self.at, name: name.to_owned() });
        None
    }

    /// References are fields of their own form, which need no binding to be found.
    fn target(&mut self, _: &str, _: &str) -> Option<(u32, NodeId)> {
        None
    }

    fn expression_error(&mut self, field: &str, text: &str, error: ExpressionError) {
        self.facts.wrong.push(Wrong { at: self.at, field: field.to_owned(), text: text.into(), error });
    }

    fn bind(&mut self, expression: &mut Expression) -> Result<(), ExpressionError> {
        self.text = expression.text().into();
        self.tried.clear();
        let mut cache = std::mem::take(self.cache);
        let bound = expression.bind_with(self, &mut cache);
        *self.cache = cache;
        if let Some(robot) = self.robot {
            for (query, about) in expression.questions() {
                if let Err(why) = engine::can_answer(robot, query, &about) {
                    self.facts.unanswered.push((self.at, self.text.clone(), why.to_string()));
                }
            }
        }
        bound
    }
}
