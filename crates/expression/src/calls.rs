//! Compiles operators and functions.

use cel::common::ast::{CallExpr, Expr, IdedExpr, LiteralValue, operators};

use crate::ExpressionError;
use crate::code::{Arithmetic, At, Node, Relation};
use crate::compile::{Compiled, Compiler, Part};
use crate::function::{self, Builtin, Function};
use crate::parse::as_written;
use crate::tokens::{Shape, tokens};

impl Compiler<'_> {
    pub fn call(&mut self, call: &CallExpr) -> Compiled {
        if let (None, Some(make)) = (&call.target, operator(&call.func_name)) {
            return self.operator(&call.func_name, &call.args, make);
        }
        let name = as_written(&call.func_name);
        let Some(function) = function::find(name) else {
            return Err(self.at_word(name, function::unknown(name)));
        };
        let is_method = matches!(function.builtin, Builtin::Match(_));
        let written_well =
            call.target.is_some() == is_method || matches!(function.builtin, Builtin::Count | Builtin::Size);
        let operands: Vec<&IdedExpr> = call.target.as_deref().into_iter().chain(&call.args).collect();
        let (fewest, most) = function.takes;
        if !written_well || operands.len() < fewest || operands.len() > most {
            return Err(self.at_word(name, format!("`{name}` is written {}", function.usage)));
        }
        self.function(function, &operands)
    }

    fn operator(&mut self, name: &str, operands: &[IdedExpr], make: Make) -> Compiled {
        let start = self.mark();
        if let (operators::IN, [needle, IdedExpr { expr: Expr::List(list), .. }]) = (name, operands) {
            let needle = self.expression(needle)?;
            let (items, constant) = self.items(list.elements.iter())?;
            return self.put(start, Node::AmongItems(needle.at, items), constant && needle.constant);
        }
        let mut parts = [Part { at: 0, constant: true }; 3];
        if operands.len() > parts.len() {
            return Err(ExpressionError::new(1, "the expression is not complete"));
        }
        for (part, operand) in parts.iter_mut().zip(operands) {
            *part = self.expression(operand)?;
        }
        let [first, second, third] = parts;
        let constant = first.constant && second.constant && third.constant;
        self.put(start, make(first.at, second.at, third.at), constant)
    }

    fn function(&mut self, function: &Function, operands: &[&IdedExpr]) -> Compiled {
        let start = self.mark();
        let name = match function.builtin {
            Builtin::Free | Builtin::Outcome | Builtin::Result => self.name(function, operands)?,
            _ => "",
        };
        let (node, constant) = match (function.builtin, operands) {
            (Builtin::Free, _) => (Node::Free(self.names.token(name)), false),
            (Builtin::Outcome, _) => (Node::Outcome(self.node(name)?), false),
            (Builtin::Result, _) => (Node::Result(self.node(name)?), false),
            (Builtin::Time, _) => (Node::Time, false),
            (Builtin::Random, _) => (Node::Random, false),
            (Builtin::Defined, [what]) => {
                let what = self.expression(what)?.at;
                if !matches!(self.nodes.last(), Some(Node::Variable { .. } | Node::Select { .. } | Node::Index(..))) {
                    return Err(self.at_word("defined", "`defined` takes the name of a variable: defined(x)"));
                }
                (Node::Defined(what), false)
            }
            (Builtin::Min | Builtin::Max, _) => {
                let (items, constant) = self.items(operands.iter().copied())?;
                let least = function.builtin == Builtin::Min;
                (if least { Node::Least(items) } else { Node::Greatest(items) }, constant)
            }
            (Builtin::Pose(operation), _) => {
                let (items, constant) = self.items(operands.iter().copied())?;
                (Node::Pose(operation, items), constant)
            }
            (Builtin::Ask(query), _) => {
                let (items, _) = self.items(operands.iter().copied())?;
                (Node::Ask(query, items), false)
            }
            (Builtin::Size, [x]) => (Node::SizeOf(self.expression(x)?.at), false),
            (builtin, [x]) => {
                let x = self.expression(x)?;
                let node = match builtin {
                    Builtin::Unary(function) => Node::Unary(function, x.at),
                    Builtin::Count => Node::Size(x.at),
                    Builtin::Text => Node::ToText(x.at),
                    Builtin::Number => Node::ToNumber(x.at),
                    _ => return Err(self.misused(function)),
                };
                (node, x.constant)
            }
            (Builtin::Distance, [a, b]) => (Node::Distance(self.expression(a)?.at, self.expression(b)?.at), false),
            (Builtin::Points, [frame, radius]) => {
                (Node::Points(self.expression(frame)?.at, self.expression(radius)?.at), false)
            }
            (Builtin::IndexOf, [list, x]) => {
                let (list, x) = (self.expression(list)?, self.expression(x)?);
                (Node::IndexOf(list.at, x.at), list.constant && x.constant)
            }
            (Builtin::Slice, [whole, from, rest @ ..]) => {
                let (whole, from) = (self.expression(whole)?, self.expression(from)?);
                let to = match rest {
                    [to, ..] => self.expression(to)?,
                    [] => self.number(f64::from(u32::MAX)),
                };
                let constant = whole.constant && from.constant && to.constant;
                (Node::Slice { whole: whole.at, from: from.at, to: to.at }, constant)
            }
            (builtin, [x, y]) => {
                let (x, y) = (self.expression(x)?, self.expression(y)?);
                let node = match builtin {
                    Builtin::Binary(function) => Node::Binary(function, x.at, y.at),
                    Builtin::Match(test) => Node::Match(test, x.at, y.at),
                    _ => return Err(self.misused(function)),
                };
                (node, x.constant && y.constant)
            }
            (Builtin::Clamp, [x, low, high]) => {
                let (x, low, high) = (self.expression(x)?, self.expression(low)?, self.expression(high)?);
                let node = Node::Clamp { x: x.at, low: low.at, high: high.at };
                (node, x.constant && low.constant && high.constant)
            }
            _ => return Err(self.misused(function)),
        };
        self.put(start, node, constant)
    }

    fn misused(&self, function: &Function) -> ExpressionError {
        self.at_word(function.name, format!("`{}` is written {}", function.name, function.usage))
    }

    /// The quoted name that `free`, `outcome` and `result` take.
    fn name<'e>(&self, function: &Function, operands: &[&'e IdedExpr]) -> Result<&'e str, ExpressionError> {
        match operands {
            [IdedExpr { expr: Expr::Literal(LiteralValue::String(text)), .. }] => Ok(text.inner()),
            _ => {
                let message = format!("`{}` takes a name in quotes: {}", function.name, function.usage);
                Err(self.at_word(function.name, message))
            }
        }
    }

    fn node(&mut self, name: &str) -> Result<u32, ExpressionError> {
        self.names.node(name).ok_or_else(|| {
            let quoted = tokens(self.text).into_iter().find(|t| t.shape == Shape::Text && t.text.contains(name));
            ExpressionError::new(quoted.map_or(1, |token| token.column), format!("there is no node `{name}`"))
        })
    }
}

type Make = fn(At, At, At) -> Node;

fn operator(name: &str) -> Option<Make> {
    Some(match name {
        operators::CONDITIONAL => |condition, then, otherwise| Node::Choose { condition, then, otherwise },
        operators::LOGICAL_AND => |a, b, _| Node::And(a, b),
        operators::LOGICAL_OR => |a, b, _| Node::Or(a, b),
        operators::LOGICAL_NOT => |a, _, _| Node::Not(a),
        operators::NEGATE => |a, _, _| Node::Negate(a),
        operators::ADD => |a, b, _| Node::Add(a, b),
        operators::SUBSTRACT => |a, b, _| Node::Arithmetic(Arithmetic::Subtract, a, b),
        operators::MULTIPLY => |a, b, _| Node::Arithmetic(Arithmetic::Multiply, a, b),
        operators::DIVIDE => |a, b, _| Node::Arithmetic(Arithmetic::Divide, a, b),
        operators::MODULO => |a, b, _| Node::Arithmetic(Arithmetic::Remainder, a, b),
        operators::EQUALS => |a, b, _| Node::Equal(a, b),
        operators::NOT_EQUALS => |a, b, _| Node::Unequal(a, b),
        operators::LESS => |a, b, _| Node::Relation(Relation::Less, a, b),
        operators::LESS_EQUALS => |a, b, _| Node::Relation(Relation::LessEqual, a, b),
        operators::GREATER => |a, b, _| Node::Relation(Relation::Greater, a, b),
        operators::GREATER_EQUALS => |a, b, _| Node::Relation(Relation::GreaterEqual, a, b),
        operators::IN => |a, b, _| Node::Among(a, b),
        operators::INDEX => |a, b, _| Node::Index(a, b),
        _ => return None,
    })
}
