use std::fmt;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use model::Value;

use crate::code::{At, Code, Node as CodeNode};
use crate::compile::compile;
use crate::evaluate::{Program, finite};
use crate::parse::{Cache, parse};
use crate::{Env, EvaluationError, ExpressionError, Names, Query, Slot};

/// A condition or value as authored and, once bound, its code. Clones share both.
#[derive(Clone, Default)]
pub struct Expression {
    text: Arc<str>,
    state: State,
}

#[derive(Clone, Default)]
enum State {
    #[default]
    Unbound,
    Bound(Arc<Code>),
    /// Kept, so that whoever evaluates it is told what is wrong with it.
    Wrong(Arc<ExpressionError>),
}

impl Expression {
    pub fn new(text: &str) -> Expression {
        Expression { text: text.into(), state: State::Unbound }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Nothing was authored.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Compiles it. When that fails it is unbound, whatever it was before, and evaluating it gives the error.
    pub fn bind(&mut self, names: &mut dyn Names) -> Result<(), ExpressionError> {
        let tree = parse(&self.text);
        self.bind_tree(tree.as_ref(), names)
    }

    /// As [`Expression::bind`], but a text that the cache knows is not parsed again.
    pub fn bind_with(&mut self, names: &mut dyn Names, cache: &mut Cache) -> Result<(), ExpressionError> {
        let tree = cache.parse(&self.text);
        self.bind_tree(tree.as_deref(), names)
    }

    fn bind_tree(
        &mut self,
        tree: Result<&IdedExpr, &ExpressionError>,
        names: &mut dyn Names,
    ) -> Result<(), ExpressionError> {
        match tree.map_err(Clone::clone).and_then(|tree| compile(&self.text, tree, names)) {
            Ok(code) => {
                self.state = State::Bound(Arc::new(code));
                Ok(())
            }
            Err(error) => {
                self.state = State::Wrong(Arc::new(error.clone()));
                Err(error)
            }
        }
    }

    pub fn is_bound(&self) -> bool {
        matches!(self.state, State::Bound(_))
    }

    pub fn value(&self, env: &dyn Env) -> Result<Value, EvaluationError> {
        let code = self.code()?;
        Ok(Program::new(code, env).value(code.root())?.into_value())
    }

    /// Whether its value is this one, without taking it from where it lies.
    pub fn gives(&self, env: &dyn Env, value: &Value) -> Result<bool, EvaluationError> {
        let code = self.code()?;
        Ok(Program::new(code, env).value(code.root())?.equals(&value.into()))
    }

    /// As a condition: must give true or false.
    pub fn holds(&self, env: &dyn Env) -> Result<bool, EvaluationError> {
        let code = self.code()?;
        Program::new(code, env).truth(code.root(), "a condition")
    }

    /// As a number, which is finite.
    pub fn number(&self, env: &dyn Env) -> Result<f64, EvaluationError> {
        let code = self.code()?;
        finite(Program::new(code, env).number(code.root(), "this setting")?, "the expression")
    }

    /// What it gives follows from chance too.
    pub fn asks_chance(&self) -> bool {
        self.bound_code().is_some_and(|code| code.nodes.contains(&CodeNode::Random))
    }

    pub(crate) fn bound_code(&self) -> Option<&Code> {
        match &self.state {
            State::Bound(code) => Some(code),
            State::Unbound | State::Wrong(_) => None,
        }
    }

    fn code(&self) -> Result<&Code, EvaluationError> {
        match &self.state {
            State::Bound(code) => Ok(code),
            State::Unbound => Err(EvaluationError::NotBound),
            State::Wrong(error) => Err(EvaluationError::Wrong(error.clone())),
        }
    }

    /// Names of the variables it reads, in order of appearance, once each. A dotted name is given whole: `T1.slot`
    /// may be a variable of that name or a key of the map `T1`, which only binding can tell.
    pub fn variables(&self) -> Result<Vec<String>, ExpressionError> {
        Ok(self.mentions()?.variables)
    }

    /// Names of the tokens that `free` asks for, in order of appearance, once each.
    pub fn tokens(&self) -> Result<Vec<String>, ExpressionError> {
        Ok(self.mentions()?.tokens)
    }

    /// Names of the nodes that `outcome` and `result` ask for, in order of appearance, once each.
    pub fn nodes(&self) -> Result<Vec<String>, ExpressionError> {
        Ok(self.mentions()?.nodes)
    }

    /// Names of the frames that functions are given as texts, in order of appearance, once each.
    pub fn frames(&self) -> Result<Vec<String>, ExpressionError> {
        let code = compile(&self.text, &parse(&self.text)?, &mut Mentions::default())?;
        let mut frames = Vec::new();
        for node in &code.nodes {
            for at in code.frames_of(node) {
                if let CodeNode::Constant(Value::Text(name)) = &code.nodes[at as usize] {
                    note(&mut frames, name);
                }
            }
        }
        Ok(frames)
    }

    /// What it gives on any run with the robot that answers. None: that depends on more than the robot.
    pub fn of_the_robot(&self, env: &dyn Env) -> Option<Result<Value, EvaluationError>> {
        let code = self.code().ok()?;
        code.nodes.iter().all(CodeNode::is_of_the_robot).then(|| self.value(env))
    }

    /// What it asks of the robot and of what is around it with nothing but constants.
    pub fn questions(&self) -> Vec<(Query, Vec<Value>)> {
        let Ok(code) = self.code() else { return Vec::new() };
        let constant = |at: &At| match &code.nodes[*at as usize] {
            CodeNode::Constant(value) => Some(value.clone()),
            _ => None,
        };
        let question = |node: &CodeNode| {
            let CodeNode::Ask(query, items) = node else { return None };
            let start = items.start as usize;
            let about = code.items.get(start..start + items.count as usize)?;
            Some((*query, about.iter().map(constant).collect::<Option<Vec<Value>>>()?))
        };
        code.nodes.iter().filter_map(question).collect()
    }

    fn mentions(&self) -> Result<Mentions, ExpressionError> {
        let mut mentions = Mentions::default();
        compile(&self.text, &parse(&self.text)?, &mut mentions)?;
        Ok(mentions)
    }

    /// Its value, if that depends on no variable, token, node, time or chance.
    pub fn constant(&self) -> Option<Value> {
        if let State::Bound(code) = &self.state {
            return code.constant().cloned();
        }
        let tree = parse(&self.text).ok()?;
        compile(&self.text, &tree, &mut NoNames).ok()?.constant().cloned()
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({:?}{})", self.text, if self.is_bound() { ", bound" } else { "" })
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        self.text == other.text
    }
}

impl Eq for Expression {}

impl From<&str> for Expression {
    fn from(text: &str) -> Expression {
        Expression::new(text)
    }
}

/// Names that an expression uses, collected instead of resolved.
#[derive(Default)]
struct Mentions {
    variables: Vec<String>,
    tokens: Vec<String>,
    nodes: Vec<String>,
}

fn note(names: &mut Vec<String>, name: &str) -> u32 {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_string());
    }
    0
}

impl Names for Mentions {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        Some(Slot(note(&mut self.variables, name)))
    }

    fn token(&mut self, name: &str) -> u32 {
        note(&mut self.tokens, name)
    }

    fn node(&mut self, name: &str) -> Option<u32> {
        Some(note(&mut self.nodes, name))
    }
}

struct NoNames;

impl Names for NoNames {
    fn variable(&mut self, _: &str) -> Option<Slot> {
        None
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        None
    }
}
