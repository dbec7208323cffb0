use crate::code::{Binary, Match, Unary};

/// A function that expressions may call: what help, completion and messages say of it.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    /// As it is written, with names for what it takes.
    pub usage: &'static str,
    pub help: &'static str,
    /// Fewest and most things it takes; for a text function this counts the text before the dot.
    pub(crate) takes: (usize, usize),
    pub(crate) builtin: Builtin,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Builtin {
    Free,
    Outcome,
    Result,
    Defined,
    Time,
    Random,
    Distance,
    Points,
    Unary(Unary),
    Binary(Binary),
    Min,
    Max,
    Clamp,
    Size,
    Text,
    Number,
    Match(Match),
}

const MANY: usize = usize::MAX;

const fn function(
    usage: &'static str,
    name: &'static str,
    takes: (usize, usize),
    builtin: Builtin,
    help: &'static str,
) -> Function {
    Function { name, usage, help, takes, builtin }
}

/// Every function there is.
pub const FUNCTIONS: &[Function] = &[
    function("free('token')", "free", (1, 1), Builtin::Free, "true while nothing holds the token"),
    function("outcome('node')", "outcome", (1, 1), Builtin::Outcome, "named outcome of a node's last run, '' if none"),
    function(
        "result('node')",
        "result",
        (1, 1),
        Builtin::Result,
        "'success', 'failure', 'halted' or 'running'; '' if the node never ran",
    ),
    function("defined(variable)", "defined", (1, 1), Builtin::Defined, "true if the variable has a value"),
    function("time()", "time", (0, 0), Builtin::Time, "seconds since the run began"),
    function("random()", "random", (0, 0), Builtin::Random, "a number from 0 up to, not including, 1"),
    function(
        "distance('a', 'b')",
        "distance",
        (2, 2),
        Builtin::Distance,
        "metres between two frames: of the body, or objects of the scene",
    ),
    function(
        "points('frame', radius_m)",
        "points",
        (2, 2),
        Builtin::Points,
        "how many points of the newest picture are within the radius of a frame",
    ),
    function("abs(x)", "abs", (1, 1), Builtin::Unary(Unary::Abs), "x without its sign"),
    function("floor(x)", "floor", (1, 1), Builtin::Unary(Unary::Floor), "the whole number at or below x"),
    function("ceil(x)", "ceil", (1, 1), Builtin::Unary(Unary::Ceil), "the whole number at or above x"),
    function("round(x)", "round", (1, 1), Builtin::Unary(Unary::Round), "the nearest whole number, halves away from 0"),
    function("sqrt(x)", "sqrt", (1, 1), Builtin::Unary(Unary::Sqrt), "square root"),
    function("sin(angle_rad)", "sin", (1, 1), Builtin::Unary(Unary::Sin), "sine of an angle in radians"),
    function("cos(angle_rad)", "cos", (1, 1), Builtin::Unary(Unary::Cos), "cosine of an angle in radians"),
    function("atan2(y, x)", "atan2", (2, 2), Builtin::Binary(Binary::Atan2), "angle of (x, y) in radians"),
    function("hypot(x, y)", "hypot", (2, 2), Builtin::Binary(Binary::Hypot), "length of (x, y)"),
    function("min(a, b, ...)", "min", (2, MANY), Builtin::Min, "the least"),
    function("max(a, b, ...)", "max", (2, MANY), Builtin::Max, "the greatest"),
    function("clamp(x, low, high)", "clamp", (3, 3), Builtin::Clamp, "x, kept between two limits"),
    function("size(x)", "size", (1, 1), Builtin::Size, "how many items, entries or characters x has"),
    function("text(x)", "text", (1, 1), Builtin::Text, "x as a text"),
    function("number(text)", "number", (1, 1), Builtin::Number, "the number that a text spells"),
    function(
        "text.startsWith(part)",
        "startsWith",
        (2, 2),
        Builtin::Match(Match::StartsWith),
        "true if the text starts with the part",
    ),
    function(
        "text.endsWith(part)",
        "endsWith",
        (2, 2),
        Builtin::Match(Match::EndsWith),
        "true if the text ends with the part",
    ),
    function(
        "text.contains(part)",
        "contains",
        (2, 2),
        Builtin::Match(Match::Contains),
        "true if the part is in the text",
    ),
];

/// What to write instead of a function of CEL or of other languages that does not exist here.
const INSTEAD: &[(&str, &str)] = &[
    ("has", "write defined(x) for a variable, or 'key' in map for a key"),
    ("all", "join one test per item with &&"),
    ("exists", "join one test per item with ||, or write x in list"),
    ("exists_one", "join one test per item with ||, or write x in list"),
    ("map", "write the list out, or keep it in a variable"),
    ("filter", "write the list out, or keep it in a variable"),
    ("matches", "write text.contains(part), text.startsWith(part) or text.endsWith(part)"),
    ("int", "write round(x), floor(x) or number(text)"),
    ("uint", "write round(x), floor(x) or number(text)"),
    ("double", "numbers need no conversion; number(text) reads a text"),
    ("float", "numbers need no conversion; number(text) reads a text"),
    ("string", "write text(x)"),
    ("str", "write text(x)"),
    ("len", "write size(x)"),
    ("length", "write size(x)"),
    ("now", "write time()"),
    ("pow", "write the product: x * x"),
    ("tan", "write sin(x) / cos(x)"),
    ("atan", "write atan2(y, x)"),
    ("type", "a value's kind cannot be asked; == of different kinds is false"),
    ("bool", "write a comparison"),
];

pub(crate) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The message for a function that does not exist.
pub(crate) fn unknown(name: &str) -> String {
    if let Some((_, advice)) = INSTEAD.iter().find(|(other, _)| *other == name) {
        return format!("there is no function `{name}`: {advice}");
    }
    let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    if let Some(near) = names.iter().find(|known| known.eq_ignore_ascii_case(name)) {
        return format!("there is no function `{name}`: write `{near}`");
    }
    format!("there is no function `{name}`; there are {}", names.join(", "))
}
