use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr, IdedEntryExpr, IdedExpr, LiteralValue};
use model::Value;

use crate::code::{At, Code, Items, Node};
use crate::evaluate::{Nothing, Program};
use crate::function;
use crate::tokens::{Shape, tokens};
use crate::{ExpressionError, Names};

/// Deeper trees are refused, so that compiling and evaluating never run out of stack.
const MAX_DEPTH: usize = 250;
/// Names that stand for texts could make more of a short one than any memory holds.
const MAX_NODES: usize = 10_000;

pub(crate) fn compile(text: &str, tree: &IdedExpr, names: &mut dyn Names) -> Result<Code, ExpressionError> {
    let mut compiler = Compiler { text, names, nodes: Vec::new(), items: Vec::new(), depth: 0, open: Vec::new() };
    compiler.expression(tree)?;
    Ok(Code { nodes: compiler.nodes.into(), items: compiler.items.into() })
}

pub(crate) struct Compiler<'c> {
    pub text: &'c str,
    pub names: &'c mut dyn Names,
    pub nodes: Vec<Node>,
    items: Vec<At>,
    depth: usize,
    /// Names whose texts are being compiled, outermost first.
    open: Vec<String>,
}

/// A compiled operand.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub at: At,
    pub constant: bool,
}

/// Where an expression began, to go back to when it folds to a constant.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    nodes: usize,
    items: usize,
}

pub(crate) type Compiled = Result<Part, ExpressionError>;

impl Compiler<'_> {
    pub fn expression(&mut self, tree: &IdedExpr) -> Compiled {
        if self.depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.depth += 1;
        let part = match &tree.expr {
            Expr::Literal(literal) => self.literal(literal),
            Expr::Ident(_) | Expr::Select(_) => self.path(tree),
            Expr::Call(call) => self.call(call),
            Expr::List(list) => {
                let start = self.mark();
                let (items, constant) = self.items(list.elements.iter())?;
                self.put(start, Node::List(items), constant)
            }
            Expr::Map(map) => self.map(&map.entries),
            Expr::Struct(name) => {
                let message = format!("`{}{{...}}` is not available: write a map, {{'key': value}}", name.type_name);
                Err(self.at_word(&name.type_name, message))
            }
            Expr::Comprehension(_) => Err(self.at_macro()),
            Expr::Unspecified => Err(ExpressionError::new(1, "the expression is not complete")),
        };
        self.depth -= 1;
        part
    }

    fn literal(&mut self, literal: &LiteralValue) -> Compiled {
        let value = match literal {
            LiteralValue::Boolean(value) => Value::Bool(*value.inner()),
            LiteralValue::Int(value) => Value::Number(*value.inner() as f64),
            LiteralValue::UInt(value) => Value::Number(*value.inner() as f64),
            LiteralValue::Double(value) => Value::Number(*value.inner()),
            LiteralValue::String(text) => Value::text(text.inner()),
            LiteralValue::Bytes(_) => {
                let message = "bytes are not available: write the text without `b` before its quote";
                return Err(ExpressionError::new(1, message));
            }
            LiteralValue::Null => {
                let message = "there is no null: defined(x) tells whether a variable has a value";
                return Err(self.at_word("null", message));
            }
        };
        Ok(self.push(Node::Constant(value), true))
    }

    /// A variable, or a key of something: `T1.slot` is the variable of that name, or else `slot` of the map `T1`.
    fn path(&mut self, tree: &IdedExpr) -> Compiled {
        let (root, mut keys) = keys_of(tree);
        keys.reverse();
        if let Expr::Select(select) = &root.expr {
            debug_assert!(select.test, "only a presence test ends a path");
            return Err(self.at_macro());
        }
        let start = self.mark();
        let (mut part, keys) = match &root.expr {
            Expr::Ident(name) => {
                let (part, used) = self.variable(name, &keys)?;
                (part, keys.get(used..).unwrap_or(&[]))
            }
            _ => (self.expression(root)?, keys.as_slice()),
        };
        if self.depth + keys.len() > MAX_DEPTH {
            return Err(too_deep());
        }
        for key in keys {
            part = self.put(start, Node::Select { map: part.at, key: Arc::from(*key) }, part.constant)?;
        }
        Ok(part)
    }

    /// The variable with the longest name that exists, and how many of the keys are part of that name.
    fn variable(&mut self, first: &str, keys: &[&str]) -> Result<(Part, usize), ExpressionError> {
        let mut name = first.to_string();
        for key in keys {
            name.push('.');
            name.push_str(key);
        }
        let whole = name.clone();
        for used in (0..=keys.len()).rev() {
            if let Some(text) = self.names.definition(&name) {
                return Ok((self.named(&name, &text)?, used));
            }
            if let Some(slot) = self.names.variable(&name) {
                return Ok((self.push(Node::Variable { slot, name: name.into() }, false), used));
            }
            if let Some(key) = used.checked_sub(1).and_then(|last| keys.get(last)) {
                name.truncate(name.len() - key.len() - 1);
            }
        }
        let message = match first {
            "True" | "TRUE" => "there is no variable `True`: write `true`".into(),
            "False" | "FALSE" => "there is no variable `False`: write `false`".into(),
            _ if first.starts_with('.') => format!("`{first}` begins with a dot: write the name alone"),
            _ if keys.is_empty() => format!("there is no variable `{first}`"),
            _ => format!("there is no variable `{whole}`, nor a map `{first}`"),
        };
        Err(self.at_word(first, message))
    }

    fn map(&mut self, entries: &[IdedEntryExpr]) -> Compiled {
        let start = self.mark();
        let mut flat = Vec::with_capacity(2 * entries.len());
        for entry in entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else {
                return Err(ExpressionError::new(1, "a map is written {'key': value}"));
            };
            flat.push(&entry.key);
            flat.push(&entry.value);
        }
        let (items, constant) = self.items(flat.into_iter())?;
        self.put(start, Node::Map(items), constant)
    }

    pub fn items<'e>(
        &mut self,
        trees: impl ExactSizeIterator<Item = &'e IdedExpr>,
    ) -> Result<(Items, bool), ExpressionError> {
        let mut all = Vec::with_capacity(trees.len());
        let mut constant = true;
        for tree in trees {
            let part = self.expression(tree)?;
            all.push(part.at);
            constant &= part.constant;
        }
        let items = Items { start: self.items.len() as u32, count: all.len() as u32 };
        self.items.extend(all);
        Ok((items, constant))
    }

    pub fn number(&mut self, number: f64) -> Part {
        self.push(Node::Constant(Value::Number(number)), true)
    }

    /// What a name stands for, in the place of the name.
    fn named(&mut self, name: &str, text: &str) -> Compiled {
        if let Some(at) = self.open.iter().position(|open| open == name) {
            let through = self.open.get(at + 1..).unwrap_or(&[]).iter().map(|open| format!(", through `{open}`"));
            let message = format!("`{name}` is made of itself{}", through.collect::<String>());
            return Err(self.at_word(name, message));
        }
        if self.nodes.len() > MAX_NODES {
            return Err(self.at_word(name, format!("what `{name}` stands for makes it too long")));
        }
        self.open.push(name.to_owned());
        let compiled = crate::parse::parse(text).and_then(|tree| self.expression(&tree));
        self.open.pop();
        // Of the innermost name that is wrong its own text is told.
        compiled.map_err(|error| match self.open.is_empty() {
            true => self.at_word(name, error.message),
            false => error,
        })
    }

    pub fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), items: self.items.len() }
    }

    fn push(&mut self, node: Node, constant: bool) -> Part {
        self.nodes.push(node);
        Part { at: (self.nodes.len() - 1) as At, constant }
    }

    /// Adds a node whose operands were written since `start`; when all are constants, so is it.
    pub fn put(&mut self, start: Mark, node: Node, constant: bool) -> Compiled {
        let part = self.push(node, constant);
        if !constant {
            return Ok(part);
        }
        let program = Program { nodes: &self.nodes, items: &self.items, env: &Nothing };
        let value = match program.value(part.at) {
            Ok(value) => value.into_value(),
            Err(error) => return Err(ExpressionError::new(1, format!("this can never have a value: {error}"))),
        };
        self.nodes.truncate(start.nodes);
        self.items.truncate(start.items);
        Ok(self.push(Node::Constant(value), true))
    }

    /// An error at the first place that `word` is written.
    pub fn at_word(&self, word: &str, message: impl Into<String>) -> ExpressionError {
        let first = word.split('.').find(|part| !part.is_empty()).unwrap_or(word);
        let found = tokens(self.text).into_iter().find(|token| token.shape == Shape::Word && token.text == first);
        ExpressionError::new(found.map_or(1, |token| token.column), message)
    }

    /// The parser has expanded a macro; the text still has its name.
    fn at_macro(&self) -> ExpressionError {
        let pieces = tokens(self.text);
        let called = pieces.windows(2).find(|pair| {
            matches!(pair, [name, bracket] if bracket.is("(")
                && matches!(name.text, "all" | "exists" | "exists_one" | "map" | "filter"))
        });
        match called {
            Some([name, ..]) => ExpressionError::new(name.column, function::unknown(name.text)),
            _ => ExpressionError::new(1, "macros are not available in expressions"),
        }
    }
}

fn too_deep() -> ExpressionError {
    ExpressionError::new(1, format!("the expression is over {MAX_DEPTH} levels deep: split it over variables"))
}

/// The expression under a chain of keys, and the keys, last first. A presence test ends the chain.
fn keys_of(tree: &IdedExpr) -> (&IdedExpr, Vec<&str>) {
    let mut keys = Vec::new();
    let mut root = tree;
    while let Expr::Select(select) = &root.expr {
        if select.test {
            break;
        }
        keys.push(select.field.as_str());
        root = &select.operand;
    }
    (root, keys)
}
