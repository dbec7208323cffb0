use std::sync::Arc;

use model::Value;

use crate::pose::PoseOperation;
use crate::{Query, Slot};

/// Index of a node in its [`Code`]; always lower than that of the node that uses it.
pub(crate) type At = u32;

/// A run of entries in [`Code::items`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Items {
    pub start: u32,
    pub count: u32,
}

/// A compiled expression: a tree in one flat array, so that dropping it never recurses.
#[derive(Debug, PartialEq)]
pub(crate) struct Code {
    pub nodes: Box<[Node]>,
    /// Operands of nodes that have any number of them.
    pub items: Box<[At]>,
}

impl Code {
    /// The compiler writes operands first, hence the root last.
    pub fn root(&self) -> At {
        self.nodes.len().saturating_sub(1) as At
    }

    /// Where a node is given names of frames.
    pub fn frames_of(&self, node: &Node) -> Vec<At> {
        match node {
            Node::Distance(a, b) => vec![*a, *b],
            Node::Points(frame, _) => vec![*frame],
            Node::SizeOf(object) => vec![*object],
            Node::Ask(query, items) => {
                let operand = |place: &usize| {
                    (*place < items.count as usize).then(|| self.items.get(items.start as usize + place).copied())
                };
                query.frames().iter().filter_map(operand).flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn constant(&self) -> Option<&Value> {
        match &*self.nodes {
            [Node::Constant(value)] => Some(value),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Constant(Value),
    Variable {
        slot: Slot,
        name: Arc<str>,
    },
    Select {
        map: At,
        key: Arc<str>,
    },
    Index(At, At),
    Free(u32),
    Outcome(u32),
    Result(u32),
    Defined(At),
    Time,
    Random,
    Distance(At, At),
    Points(At, At),
    Not(At),
    And(At, At),
    Or(At, At),
    Choose {
        condition: At,
        then: At,
        otherwise: At,
    },
    Equal(At, At),
    Unequal(At, At),
    Relation(Relation, At, At),
    /// `a in b`.
    Among(At, At),
    /// `a in [b, c]`, without building the list.
    AmongItems(At, Items),
    Add(At, At),
    Arithmetic(Arithmetic, At, At),
    Negate(At),
    List(Items),
    /// Keys and values in turn.
    Map(Items),
    Unary(Unary, At),
    Binary(Binary, At, At),
    Clamp {
        x: At,
        low: At,
        high: At,
    },
    Least(Items),
    Greatest(Items),
    Size(At),
    ToText(At),
    ToNumber(At),
    Match(Match, At, At),
    Pose(PoseOperation, Items),
    Ask(Query, Items),
    /// Of a list or a text, from one place up to, not including, another.
    Slice {
        whole: At,
        from: At,
        to: At,
    },
    IndexOf(At, At),
    /// Of a list, a map or, by its name, an object.
    SizeOf(At),
}

impl Node {
    /// What it gives depends on nothing but what it is made of and on which robot there is.
    pub fn is_of_the_robot(&self) -> bool {
        match self {
            Node::Ask(query, _) => query.is_of_the_robot(),
            Node::Variable { .. } | Node::Free(_) | Node::Outcome(_) | Node::Result(_) | Node::Defined(_) => false,
            Node::Time | Node::Random | Node::Distance(..) | Node::Points(..) | Node::SizeOf(_) => false,
            _ => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    pub fn operator(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Arithmetic {
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// Number functions of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unary {
    Abs,
    Floor,
    Ceil,
    Round,
    Sqrt,
    Sin,
    Cos,
    Degrees,
    Radians,
}

/// Number functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binary {
    Atan2,
    Hypot,
}

/// Tests of one text against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Match {
    StartsWith,
    EndsWith,
    Contains,
}
