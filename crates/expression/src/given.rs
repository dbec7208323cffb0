//! What an expression will give, as far as that is known before it is evaluated: its kind and its unit.

use std::sync::Arc;

use model::Value;

use crate::code::{Arithmetic, At, Code, Items, Node, Unary};
use crate::function::{FUNCTIONS, Gives};
use crate::{Expression, Kind};

/// What is known of a value before there is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    pub kind: Option<Kind>,
    /// Empty: none, as of a count. None: not known.
    pub unit: Option<Arc<str>>,
}

impl Given {
    pub const UNKNOWN: Given = Given { kind: None, unit: None };

    pub fn of(kind: Kind) -> Given {
        Given { kind: Some(kind), unit: None }
    }

    pub fn number(unit: &str) -> Given {
        Given { kind: Some(Kind::Number), unit: Some(unit.into()) }
    }

    /// Of numbers that are written, nobody knows the unit.
    pub fn of_value(value: &Value) -> Given {
        Given::of(Kind::of(value))
    }

    /// Where it may be either of two.
    fn or(self, other: Given) -> Given {
        Given {
            kind: self.kind.filter(|kind| other.kind == Some(*kind)),
            unit: self.unit.filter(|unit| other.unit.as_ref() == Some(unit)),
        }
    }

    /// Of a sum or of the least of two: one of which nobody knows the unit has that of the other.
    fn with(self, other: Given) -> Given {
        let unit = match (self.unit, other.unit) {
            (Some(one), Some(same)) if one == same => Some(one),
            (Some(_), Some(_)) => None,
            (one, two) => one.or(two),
        };
        Given { kind: Some(Kind::Number), unit }
    }
}

/// Units that names end with, the longest first.
const ENDINGS: [(&str, &str); 16] = [
    ("_deg_s", "deg/s"),
    ("_rad_s", "rad/s"),
    ("_m_s", "m/s"),
    ("_effort_nm", "N·m"),
    ("_effort_n", "N"),
    ("_deg", "deg"),
    ("_rad", "rad"),
    ("_nm", "N·m"),
    ("_kg", "kg"),
    ("_mm", "mm"),
    ("_cm", "cm"),
    ("_ms", "ms"),
    ("_hz", "Hz"),
    ("_m", "m"),
    ("_n", "N"),
    ("_s", "s"),
];

/// By what its name ends with; none: the name says nothing.
pub fn unit_of_name(name: &str) -> Option<&'static str> {
    ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, unit)| *unit)
}

impl Expression {
    /// `of` says what is known of variables, by their names.
    pub fn given(&self, of: &dyn Fn(&str) -> Given) -> Given {
        match self.bound_code() {
            Some(code) => Knowing { code, of }.at(code.root()),
            None => Given::UNKNOWN,
        }
    }

    /// Sums, differences and comparisons of what has different units: what stands left, and what right.
    pub fn mixed_units(&self, of: &dyn Fn(&str) -> Given) -> Vec<(Arc<str>, Arc<str>)> {
        let Some(code) = self.bound_code() else { return Vec::new() };
        let knowing = Knowing { code, of };
        let pair = |node: &Node| match node {
            Node::Add(a, b) | Node::Arithmetic(Arithmetic::Subtract, a, b) | Node::Relation(_, a, b) => Some((*a, *b)),
            _ => None,
        };
        let differ = |(a, b): (At, At)| {
            let (left, right) = (knowing.at(a).unit?, knowing.at(b).unit?);
            (left != right && !left.is_empty() && !right.is_empty()).then_some((left, right))
        };
        code.nodes.iter().filter_map(pair).filter_map(differ).collect()
    }
}

struct Knowing<'k> {
    code: &'k Code,
    of: &'k dyn Fn(&str) -> Given,
}

impl Knowing<'_> {
    fn operands(&self, items: Items) -> &[At] {
        let start = items.start as usize;
        self.code.items.get(start..start + items.count as usize).unwrap_or(&[])
    }

    fn together(&self, items: Items) -> Given {
        let given = self.operands(items).iter().map(|at| self.at(*at));
        given.reduce(Given::with).unwrap_or(Given::UNKNOWN)
    }

    fn at(&self, at: At) -> Given {
        match &self.code.nodes[at as usize] {
            Node::Constant(value) => Given::of_value(value),
            Node::Variable { name, .. } => (self.of)(name),
            Node::Select { map, key } => self.entry(*map, key),
            Node::Index(..) => Given::UNKNOWN,
            Node::Free(_) | Node::Defined(_) | Node::Not(_) | Node::And(..) | Node::Or(..) => Given::of(Kind::Bool),
            Node::Equal(..) | Node::Unequal(..) | Node::Relation(..) => Given::of(Kind::Bool),
            Node::Among(..) | Node::AmongItems(..) | Node::Match(..) => Given::of(Kind::Bool),
            Node::Outcome(_) | Node::Result(_) | Node::ToText(_) => Given::of(Kind::Text),
            Node::Time => Given::number("s"),
            Node::Distance(..) => Given::number("m"),
            Node::Random | Node::Points(..) | Node::Size(_) | Node::IndexOf(..) => Given::number(""),
            Node::ToNumber(_) => Given::of(Kind::Number),
            Node::Choose { then, otherwise, .. } => self.at(*then).or(self.at(*otherwise)),
            Node::Add(a, b) => self.sum(*a, *b),
            Node::Arithmetic(operation, a, b) => self.arithmetic(*operation, *a, *b),
            Node::Negate(a) => Given { kind: Some(Kind::Number), ..self.at(*a) },
            Node::Unary(function, x) => self.unary(*function, *x),
            Node::Binary(..) => Given::of(Kind::Number),
            Node::Clamp { x, low, high } => self.at(*x).with(self.at(*low)).with(self.at(*high)),
            Node::Least(items) | Node::Greatest(items) => self.together(*items),
            Node::List(_) => Given::of(Kind::List),
            Node::Slice { whole, .. } => Given { unit: None, ..self.at(*whole) },
            Node::Map(_) | Node::Pose(..) => Given::of(Kind::Map),
            Node::SizeOf(_) => Given::UNKNOWN,
            Node::Ask(query, _) => {
                let function = FUNCTIONS.iter().find(|function| function.query() == Some(*query));
                function.map_or(Given::UNKNOWN, |function| of_function(function.gives))
            }
        }
    }

    /// The entries of poses and sizes say their unit.
    fn entry(&self, map: At, key: &str) -> Given {
        let known = matches!(&self.code.nodes[map as usize], Node::Pose(..) | Node::Ask(..) | Node::SizeOf(_));
        match unit_of_name(key).filter(|_| known) {
            Some(unit) => Given::number(unit),
            None => Given { kind: None, unit: unit_of_name(key).map(Into::into) },
        }
    }

    fn sum(&self, a: At, b: At) -> Given {
        let (a, b) = (self.at(a), self.at(b));
        match (a.kind, b.kind) {
            (Some(Kind::Number), _) | (_, Some(Kind::Number)) => a.with(b),
            (Some(kind), _) | (_, Some(kind)) => Given::of(kind),
            _ => Given::UNKNOWN,
        }
    }

    fn arithmetic(&self, operation: Arithmetic, a: At, b: At) -> Given {
        let (a, b) = (self.at(a), self.at(b));
        let is_plain = |given: &Given| given.unit.as_deref().is_none_or(str::is_empty);
        let unit = match operation {
            Arithmetic::Subtract | Arithmetic::Remainder => return a.with(b),
            Arithmetic::Multiply if is_plain(&a) => b.unit,
            Arithmetic::Multiply | Arithmetic::Divide if is_plain(&b) => a.unit,
            Arithmetic::Divide if a.unit.is_some() && a.unit == b.unit => Some("".into()),
            Arithmetic::Multiply | Arithmetic::Divide => None,
        };
        // A number that is written may be meant in anything: `0.5 * x` has the unit of x, `2 * 3` none that is known.
        Given { kind: Some(Kind::Number), unit: unit.filter(|unit| !unit.is_empty()) }
    }

    fn unary(&self, function: Unary, x: At) -> Given {
        match function {
            Unary::Abs | Unary::Floor | Unary::Ceil | Unary::Round => Given { kind: Some(Kind::Number), ..self.at(x) },
            Unary::Degrees => Given::number("deg"),
            Unary::Radians => Given::number("rad"),
            Unary::Sqrt | Unary::Sin | Unary::Cos => Given::of(Kind::Number),
        }
    }
}

fn of_function(gives: Gives) -> Given {
    match gives {
        Gives::Any => Given::UNKNOWN,
        Gives::Truth => Given::of(Kind::Bool),
        Gives::Number(unit) => Given::number(unit),
        Gives::Text => Given::of(Kind::Text),
        Gives::List => Given::of(Kind::List),
        Gives::Map | Gives::Pose => Given::of(Kind::Map),
    }
}
