use std::collections::BTreeMap;
use std::sync::Arc;

use model::Value;

use crate::code::{At, Code, Items, Match, Node, Relation};
use crate::val::Val;
use crate::{Env, EvaluationError, Kind, Query, Slot};

/// No function that the robot answers takes more.
const MOST_ASKED_ABOUT: usize = 3;

pub(crate) type Evaluated<T> = Result<T, EvaluationError>;

/// Code together with what it sees.
#[derive(Clone, Copy)]
pub(crate) struct Program<'a> {
    pub nodes: &'a [Node],
    pub items: &'a [At],
    pub env: &'a dyn Env,
}

impl<'a> Program<'a> {
    pub fn new(code: &'a Code, env: &'a dyn Env) -> Program<'a> {
        Program { nodes: &code.nodes, items: &code.items, env }
    }

    #[inline]
    fn node(&self, at: At) -> &'a Node {
        &self.nodes[at as usize]
    }

    pub fn operands(&self, items: Items) -> impl Iterator<Item = At> + 'a {
        let start = items.start as usize;
        self.items[start..start + items.count as usize].iter().copied()
    }

    /// The value of a constant or of a variable that has one, where it lies: what most comparisons compare.
    #[inline]
    fn leaf(&self, at: At) -> Option<&'a Value> {
        match self.node(at) {
            Node::Constant(value) => Some(value),
            Node::Variable { slot, .. } => self.env.variable(*slot),
            _ => None,
        }
    }

    pub fn value(&self, at: At) -> Evaluated<Val<'a>> {
        Ok(match self.node(at) {
            Node::Constant(value) => value.into(),
            Node::Variable { slot, name } => self.variable(*slot, name)?,
            Node::Select { map, key } => self.select(*map, key)?,
            Node::Index(whole, index) => self.index(*whole, *index)?,
            Node::Free(token) => Val::Bool(self.env.is_free(*token)),
            Node::Outcome(node) => Val::Text(self.env.outcome(*node)),
            Node::Result(node) => Val::Text(self.env.result(*node)),
            Node::Defined(what) => Val::Bool(self.defined(*what)?),
            Node::Time => Val::Number(finite(self.env.time_s(), "time()")?),
            Node::Random => Val::Number(finite(self.env.random(), "random()")?),
            Node::Distance(a, b) => Val::Number(self.distance_m(*a, *b)?),
            Node::Points(frame, radius_m) => Val::Number(self.points(*frame, *radius_m)?),
            Node::Not(a) => Val::Bool(!self.truth(*a, "`!`")?),
            Node::And(a, b) => Val::Bool(self.and(*a, *b)?),
            Node::Or(a, b) => Val::Bool(self.or(*a, *b)?),
            Node::Choose { condition, then, otherwise } => {
                let chosen = if self.truth(*condition, "what stands before `?`")? { then } else { otherwise };
                self.value(*chosen)?
            }
            Node::Equal(a, b) => Val::Bool(self.equal(*a, *b)?),
            Node::Unequal(a, b) => Val::Bool(!self.equal(*a, *b)?),
            Node::Relation(order, a, b) => Val::Bool(self.order(*order, *a, *b)?),
            Node::Among(a, b) => Val::Bool(self.among(*a, *b)?),
            Node::AmongItems(a, items) => Val::Bool(self.among_items(*a, *items)?),
            Node::Add(a, b) => self.add(*a, *b)?,
            Node::Arithmetic(operation, a, b) => Val::Number(self.arithmetic(*operation, *a, *b)?),
            Node::Negate(a) => Val::Number(-self.number(*a, "`-`")?),
            Node::List(items) => Val::Owned(self.list(*items)?),
            Node::Map(items) => Val::Owned(self.map(*items)?),
            Node::Unary(function, x) => Val::Number(self.unary(*function, *x)?),
            Node::Binary(function, x, y) => Val::Number(self.binary(*function, *x, *y)?),
            Node::Clamp { x, low, high } => Val::Number(self.clamp(*x, *low, *high)?),
            Node::Least(items) => Val::Number(self.extreme(*items, "min", |best, x| x < best)?),
            Node::Greatest(items) => Val::Number(self.extreme(*items, "max", |best, x| x > best)?),
            Node::Size(x) => Val::Number(self.size(*x)?),
            Node::ToText(x) => self.spell(*x)?,
            Node::ToNumber(x) => Val::Number(self.read_number(*x)?),
            Node::Match(test, text, part) => Val::Bool(self.matches(*test, *text, *part)?),
            Node::Pose(operation, items) => self.pose(*operation, *items)?,
            Node::Ask(query, items) => self.ask(*query, *items)?,
            Node::Slice { whole, from, to } => Val::Owned(self.slice(*whole, *from, *to)?),
            Node::IndexOf(list, x) => Val::Number(self.index_of(*list, *x)?),
            Node::SizeOf(x) => self.size_of(*x)?,
        })
    }

    /// Its value as true or false; `place` says who asks.
    #[inline]
    pub fn truth(&self, at: At, place: &'static str) -> Evaluated<bool> {
        match self.node(at) {
            Node::Relation(order, a, b) => self.order(*order, *a, *b),
            Node::Equal(a, b) => self.equal(*a, *b),
            Node::And(a, b) => self.and(*a, *b),
            _ => match self.value(at)? {
                Val::Bool(value) => Ok(value),
                other => Err(wrong(place, Kind::Bool, &other)),
            },
        }
    }

    /// Its value as a number; `place` says who asks.
    pub fn number(&self, at: At, place: &'static str) -> Evaluated<f64> {
        match self.node(at) {
            Node::Arithmetic(operation, a, b) => self.arithmetic(*operation, *a, *b),
            _ => match self.leaf(at) {
                Some(Value::Number(value)) => Ok(*value),
                _ => match self.value(at)? {
                    Val::Number(value) => Ok(value),
                    other => Err(wrong(place, Kind::Number, &other)),
                },
            },
        }
    }

    #[inline]
    fn variable(&self, slot: Slot, name: &Arc<str>) -> Evaluated<Val<'a>> {
        match self.env.variable(slot) {
            Some(value) => Ok(value.into()),
            None => Err(EvaluationError::Unset(name.clone())),
        }
    }

    fn defined(&self, what: At) -> Evaluated<bool> {
        match self.value(what) {
            Ok(_) => Ok(true),
            Err(EvaluationError::Unset(_) | EvaluationError::Key(_) | EvaluationError::Index { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn and(&self, a: At, b: At) -> Evaluated<bool> {
        Ok(self.truth(a, "`&&`")? && self.truth(b, "`&&`")?)
    }

    fn or(&self, a: At, b: At) -> Evaluated<bool> {
        Ok(self.truth(a, "`||`")? || self.truth(b, "`||`")?)
    }

    fn equal(&self, a: At, b: At) -> Evaluated<bool> {
        match (self.leaf(a), self.leaf(b)) {
            (Some(left), Some(right)) => Ok(same(left, right)),
            _ => Ok(self.value(a)?.equals(&self.value(b)?)),
        }
    }

    fn order(&self, order: Relation, a: At, b: At) -> Evaluated<bool> {
        if let (Some(Value::Number(left)), Some(Value::Number(right))) = (self.leaf(a), self.leaf(b)) {
            return Ok(match order {
                Relation::Less => left < right,
                Relation::LessEqual => left <= right,
                Relation::Greater => left > right,
                Relation::GreaterEqual => left >= right,
            });
        }
        let (left, right) = (self.value(a)?, self.value(b)?);
        let Some(ordering) = left.compare(&right) else {
            let operator = order.operator();
            return Err(EvaluationError::Order { operator, left: left.kind(), right: right.kind() });
        };
        Ok(match order {
            Relation::Less => ordering.is_lt(),
            Relation::LessEqual => ordering.is_le(),
            Relation::Greater => ordering.is_gt(),
            Relation::GreaterEqual => ordering.is_ge(),
        })
    }

    fn among(&self, needle: At, whole: At) -> Evaluated<bool> {
        let (needle, whole) = (self.value(needle)?, self.value(whole)?);
        if let Some(list) = whole.list() {
            return Ok(list.iter().any(|item| needle.equals(&item.into())));
        }
        let Some(map) = whole.map() else {
            let place = if whole.kind() == Kind::Text { "`in` (for a text write text.contains(part))" } else { "`in`" };
            return Err(wrong(place, Kind::ListOrMap, &whole));
        };
        match needle.text() {
            Some(key) => Ok(map.contains_key(key)),
            None => Err(wrong("a key of a map", Kind::Text, &needle)),
        }
    }

    fn among_items(&self, needle: At, items: Items) -> Evaluated<bool> {
        let needle = self.value(needle)?;
        for item in self.operands(items) {
            let found = match self.node(item) {
                Node::Constant(value) => needle.equals(&value.into()),
                _ => needle.equals(&self.value(item)?),
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add(&self, a: At, b: At) -> Evaluated<Val<'a>> {
        if let (Some(Value::Number(left)), Some(Value::Number(right))) = (self.leaf(a), self.leaf(b)) {
            return Ok(Val::Number(finite(left + right, "`+`")?));
        }
        let (left, right) = (self.value(a)?, self.value(b)?);
        if let (Val::Number(left), Val::Number(right)) = (&left, &right) {
            return Ok(Val::Number(finite(left + right, "`+`")?));
        }
        if let (Some(left), Some(right)) = (left.list(), right.list()) {
            return Ok(Val::Owned(Value::List([left, right].concat().into())));
        }
        match (left.text(), right.text()) {
            (Some(left), Some(right)) => Ok(Val::Owned(Value::Text([left, right].concat().into()))),
            _ => Err(EvaluationError::Add { left: left.kind(), right: right.kind() }),
        }
    }

    fn distance_m(&self, a: At, b: At) -> Evaluated<f64> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let place = "distance";
        let first = a.text().ok_or_else(|| wrong(place, Kind::Text, &a))?;
        let second = b.text().ok_or_else(|| wrong(place, Kind::Text, &b))?;
        finite(self.env.distance_m(first, second).map_err(|why| EvaluationError::Unseen(why.into()))?, "distance")
    }

    fn points(&self, frame: At, radius_m: At) -> Evaluated<f64> {
        let frame = self.value(frame)?;
        let name = frame.text().ok_or_else(|| wrong("points", Kind::Text, &frame))?;
        let radius_m = self.number(radius_m, "points")?;
        let count = self.env.points(name, radius_m).map_err(|why| EvaluationError::Unseen(why.into()))?;
        Ok(count as f64)
    }

    fn ask(&self, query: Query, items: Items) -> Evaluated<Val<'a>> {
        const NOTHING: Value = Value::Bool(false);
        let mut about = [NOTHING; MOST_ASKED_ABOUT];
        let mut count = 0;
        for (place, at) in about.iter_mut().zip(self.operands(items)) {
            *place = self.value(at)?.into_value();
            count += 1;
        }
        self.answer(query, about.get(..count).unwrap_or(&[]))
    }

    fn answer(&self, query: Query, about: &[Value]) -> Evaluated<Val<'a>> {
        let answer = self.env.ask(query, about).map_err(|why| EvaluationError::Unseen(why.into()))?;
        match answer {
            Value::Number(number) => Ok(Val::Number(finite(number, "a function of the robot")?)),
            other => Ok(other.into()),
        }
    }

    fn size_of(&self, x: At) -> Evaluated<Val<'a>> {
        let x = self.value(x)?;
        match x.list().map(<[Value]>::len).or_else(|| x.map().map(BTreeMap::len)) {
            Some(count) => Ok(Val::Number(count as f64)),
            None => self.answer(Query::Size, &[x.into_value()]),
        }
    }

    fn matches(&self, test: Match, text: At, part: At) -> Evaluated<bool> {
        let (whole, part) = (self.value(text)?, self.value(part)?);
        let (name, holds): (_, fn(&str, &str) -> bool) = match test {
            Match::StartsWith => ("startsWith", |whole, part| whole.starts_with(part)),
            Match::EndsWith => ("endsWith", |whole, part| whole.ends_with(part)),
            Match::Contains => ("contains", |whole, part| whole.contains(part)),
        };
        match (whole.text(), part.text()) {
            (Some(whole), Some(part)) => Ok(holds(whole, part)),
            (None, _) if whole.kind() == Kind::List => {
                Err(wrong("contains (for a list write x in list)", Kind::Text, &whole))
            }
            (None, _) => Err(wrong(name, Kind::Text, &whole)),
            (_, None) => Err(wrong(name, Kind::Text, &part)),
        }
    }
}

/// Equality of values that lie in place; the common kinds first.
#[inline]
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right,
        (Value::Text(left), Value::Text(right)) => **left == **right,
        (left, right) => left == right,
    }
}

/// Refuses what would leave the numbers.
#[inline]
pub(crate) fn finite(number: f64, place: &'static str) -> Evaluated<f64> {
    if number.is_finite() { Ok(number) } else { Err(EvaluationError::NotFinite(place)) }
}

#[cold]
pub(crate) fn wrong(place: &'static str, wanted: Kind, found: &Val<'_>) -> EvaluationError {
    EvaluationError::Kind { place, wanted, found: found.kind() }
}

/// What constants see.
pub(crate) struct Nothing;

impl Env for Nothing {
    fn variable(&self, _: Slot) -> Option<&Value> {
        None
    }

    fn is_free(&self, _: u32) -> bool {
        false
    }

    fn outcome(&self, _: u32) -> &str {
        ""
    }

    fn result(&self, _: u32) -> &'static str {
        ""
    }

    fn time_s(&self) -> f64 {
        0.0
    }

    fn random(&self) -> f64 {
        0.0
    }
}
