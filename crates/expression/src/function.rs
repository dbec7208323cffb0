use crate::Query;
use crate::code::{Binary, Match, Unary};
use crate::pose::PoseOperation;

/// A function that expressions may call: what help, completion and messages say of it.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    /// As it is written, with names for what it takes.
    pub usage: &'static str,
    pub help: &'static str,
    pub gives: Gives,
    /// Fewest and most things it takes; for a text function this counts the text before the dot.
    pub(crate) takes: (usize, usize),
    pub(crate) builtin: Builtin,
}

/// What a function gives, as far as that is the same wherever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// It depends on what it takes.
    Any,
    Truth,
    /// With its unit; empty: none.
    Number(&'static str),
    Text,
    List,
    Map,
    /// A map with the entries of a pose.
    Pose,
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
    Count,
    Slice,
    IndexOf,
    Size,
    Text,
    Number,
    Match(Match),
    Pose(PoseOperation),
    Ask(Query),
}

const MANY: usize = usize::MAX;

const fn function(
    usage: &'static str,
    name: &'static str,
    takes: (usize, usize),
    builtin: Builtin,
    help: &'static str,
) -> Function {
    Function { name, usage, help, takes, builtin, gives: Gives::Any }
}

impl Function {
    const fn gives(self, gives: Gives) -> Function {
        Function { gives, ..self }
    }

    const fn truth(self) -> Function {
        self.gives(Gives::Truth)
    }

    const fn number(self, unit: &'static str) -> Function {
        self.gives(Gives::Number(unit))
    }

    const fn text(self) -> Function {
        self.gives(Gives::Text)
    }

    const fn pose(self) -> Function {
        self.gives(Gives::Pose)
    }

    /// What it asks of the robot and of what is around it.
    pub fn query(&self) -> Option<Query> {
        match self.builtin {
            Builtin::Ask(query) => Some(query),
            _ => None,
        }
    }
}

/// A function that the robot and what is around it answer.
const fn asks(
    usage: &'static str,
    name: &'static str,
    takes: (usize, usize),
    query: Query,
    help: &'static str,
) -> Function {
    function(usage, name, takes, Builtin::Ask(query), help)
}

const fn poses(
    usage: &'static str,
    name: &'static str,
    takes: (usize, usize),
    operation: PoseOperation,
    help: &'static str,
) -> Function {
    function(usage, name, takes, Builtin::Pose(operation), help).pose()
}

/// Every function there is.
pub const FUNCTIONS: &[Function] = &[
    function("free('token')", "free", (1, 1), Builtin::Free, "true while nothing holds the token").truth(),
    function("outcome('node')", "outcome", (1, 1), Builtin::Outcome, "named outcome of a node's last run, '' if none").text(),
    function(
        "result('node')",
        "result",
        (1, 1),
        Builtin::Result,
        "'success', 'failure', 'halted' or 'running'; '' if the node never ran",
    ).text(),
    function("defined(variable)", "defined", (1, 1), Builtin::Defined, "true if the variable has a value").truth(),
    function("is_set(variable)", "is_set", (1, 1), Builtin::Defined, "the same as defined").truth(),
    function("time()", "time", (0, 0), Builtin::Time, "seconds since the run began").number("s"),
    function("random()", "random", (0, 0), Builtin::Random, "a number from 0 up to, not including, 1").number(""),
    function(
        "distance('a', 'b')",
        "distance",
        (2, 2),
        Builtin::Distance,
        "metres between two frames: of the body, or objects of the scene",
    ).number("m"),
    function(
        "points('frame', radius_m)",
        "points",
        (2, 2),
        Builtin::Points,
        "how many points of the newest picture are within the radius of a frame",
    ).number(""),
    poses(
        "pose(x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg)",
        "pose",
        (0, 6),
        PoseOperation::Make,
        "a pose; what is left out at the end is 0",
    ),
    poses("compose(a, b)", "compose", (2, 2), PoseOperation::Compose, "the pose that b, given in a, has where a is given"),
    poses("invert(a)", "invert", (1, 1), PoseOperation::Invert, "where the frame of a pose is, seen from the pose"),
    poses(
        "offset(a, x_m, y_m, z_m)",
        "offset",
        (2, 4),
        PoseOperation::Offset,
        "the pose, moved along its own axes",
    ),
    poses(
        "mirrored(a)",
        "mirrored",
        (1, 1),
        PoseOperation::Mirror,
        "the pose on the other side of the x-z plane of its frame",
    ),
    poses(
        "between(a, b, share)",
        "between",
        (3, 3),
        PoseOperation::Between,
        "the pose on the way from a (share 0) to b (share 1)",
    ),
    asks(
        "in_frame('a', 'b')",
        "in_frame",
        (2, 3),
        Query::InFrame,
        "the pose of frame a, seen from frame b; in_frame(pose, 'a', 'b'): of a pose given in a",
    )
    .pose(),
    asks("is_there('a')", "is_there", (1, 1), Query::IsThere, "true if there is a frame of that name now").truth(),
    asks(
        "height_m('a')",
        "height_m",
        (1, 1),
        Query::Height,
        "metres that a frame is above the ground under the robot",
    )
    .number("m"),
    asks(
        "angle_deg('door')",
        "angle_deg",
        (1, 2),
        Query::Angle,
        "degrees that a door is open, away from the robot above 0; angle_deg('a', 'b'): that frame a is turned about the \
         vertical from b",
    )
    .number("deg"),
    asks(
        "hinge('door')",
        "hinge",
        (1, 1),
        Query::Hinge,
        "'left' or 'right': where the hinge is, seen from before the door",
    )
    .text(),
    asks(
        "has('neck')",
        "has",
        (1, 1),
        Query::Has,
        "true if the robot has it: a part, as 'left_arm', a turn of spine or neck, as 'spine_pitch', 'fingers', 'gripper', a \
         grip or a preset",
    )
    .truth(),
    asks("reach_m('right')", "reach_m", (1, 1), Query::Reach, "metres from a shoulder to the palm of the stretched arm")
        .number("m"),
    asks(
        "shoulder_height_m()",
        "shoulder_height_m",
        (0, 0),
        Query::ShoulderHeight,
        "metres that the shoulders are above the ground, standing",
    )
    .number("m"),
    asks("shoulder_width_m()", "shoulder_width_m", (0, 0), Query::ShoulderWidth, "metres between the shoulders").number("m"),
    asks(
        "body_width_m()",
        "body_width_m",
        (0, 0),
        Query::BodyWidth,
        "metres from side to side of the robot, standing: what a doorway must leave",
    )
    .number("m"),
    asks(
        "head_height_m()",
        "head_height_m",
        (0, 0),
        Query::HeadHeight,
        "metres that the head is above the ground, standing",
    )
    .number("m"),
    asks(
        "pelvis_height_m()",
        "pelvis_height_m",
        (0, 0),
        Query::PelvisHeight,
        "metres that the pelvis is above the ground, standing",
    )
    .number("m"),
    asks("leg_length_m()", "leg_length_m", (0, 0), Query::LegLength, "metres from a hip to the sole of the stretched leg")
        .number("m"),
    asks("foot_length_m()", "foot_length_m", (0, 0), Query::FootLength, "metres from heel to toe").number("m"),
    asks("foot_width_m()", "foot_width_m", (0, 0), Query::FootWidth, "metres across a sole").number("m"),
    asks("step_width_m()", "step_width_m", (0, 0), Query::StepWidth, "metres between the soles, standing").number("m"),
    asks("step_length_m()", "step_length_m", (0, 0), Query::StepLength, "metres of the longest step forward").number("m"),
    asks("step_up_m()", "step_up_m", (0, 0), Query::StepUp, "metres of the highest step up").number("m"),
    asks("mass_kg()", "mass_kg", (0, 0), Query::Mass, "what the robot weighs").number("kg"),
    asks(
        "hand_limit_n('right')",
        "hand_limit_n",
        (1, 1),
        Query::HandLimit,
        "newtons that behaviors may ask of a hand",
    )
    .number("N"),
    asks(
        "effort_limit('right', 'elbow')",
        "effort_limit",
        (2, 2),
        Query::EffortLimit,
        "what a joint can do, N·m; joints are named as in effort",
    )
    .number("N·m"),
    asks(
        "effort('right', 'elbow')",
        "effort",
        (2, 2),
        Query::Effort,
        "torque of a joint by its role, N·m: shoulder_pitch, shoulder_roll, shoulder_yaw, elbow, hip_pitch, hip_roll, \
         hip_yaw, knee, ankle_pitch, ankle_roll of a side; pitch, roll, yaw of 'spine' and 'neck'",
    )
    .number("N·m"),
    asks(
        "joint_deg('right', 'elbow')",
        "joint_deg",
        (2, 2),
        Query::JointAngle,
        "angle of a joint by its role: 0 when the limb is straight, rising as it bends, or as it goes up at the front or \
         outwards",
    )
    .number("deg"),
    asks("hand_force_n('right')", "hand_force_n", (1, 1), Query::HandForce, "newtons that something exerts on a hand")
        .number("N"),
    asks(
        "hand_torque_nm('right')",
        "hand_torque_nm",
        (1, 1),
        Query::HandTorque,
        "newton metres that something exerts on a hand",
    )
    .number("N·m"),
    asks("foot_load_n('right')", "foot_load_n", (1, 1), Query::FootLoad, "newtons that a foot bears").number("N"),
    function("deg(angle_rad)", "deg", (1, 1), Builtin::Unary(Unary::Degrees), "an angle in degrees").number("deg"),
    function("rad(angle_deg)", "rad", (1, 1), Builtin::Unary(Unary::Radians), "an angle in radians").number("rad"),
    function("abs(x)", "abs", (1, 1), Builtin::Unary(Unary::Abs), "x without its sign"),
    function("floor(x)", "floor", (1, 1), Builtin::Unary(Unary::Floor), "the whole number at or below x").number(""),
    function("ceil(x)", "ceil", (1, 1), Builtin::Unary(Unary::Ceil), "the whole number at or above x").number(""),
    function("round(x)", "round", (1, 1), Builtin::Unary(Unary::Round), "the nearest whole number, halves away from 0").number(""),
    function("sqrt(x)", "sqrt", (1, 1), Builtin::Unary(Unary::Sqrt), "square root").number(""),
    function("sin(angle_rad)", "sin", (1, 1), Builtin::Unary(Unary::Sin), "sine of an angle in radians").number(""),
    function("cos(angle_rad)", "cos", (1, 1), Builtin::Unary(Unary::Cos), "cosine of an angle in radians").number(""),
    function("atan2(y, x)", "atan2", (2, 2), Builtin::Binary(Binary::Atan2), "angle of (x, y) in radians").number("rad"),
    function("hypot(x, y)", "hypot", (2, 2), Builtin::Binary(Binary::Hypot), "length of (x, y)"),
    function("min(a, b, ...)", "min", (2, MANY), Builtin::Min, "the least"),
    function("max(a, b, ...)", "max", (2, MANY), Builtin::Max, "the greatest"),
    function("clamp(x, low, high)", "clamp", (3, 3), Builtin::Clamp, "x, kept between two limits"),
    function("count(x)", "count", (1, 1), Builtin::Count, "how many items, entries or characters x has").number(""),
    function(
        "size('door')",
        "size",
        (1, 1),
        Builtin::Size,
        "how large an object is, as far as that is known: a map with width_m, height_m, depth_m, of a door hinge_m, \
         from its handle to its hinge; of a list or a map how many entries it has",
    ),
    function(
        "slice(list, from, to)",
        "slice",
        (2, 3),
        Builtin::Slice,
        "the items of a list, or the characters of a text, from one place up to another; below 0 from its end",
    ),
    function("index_of(list, x)", "index_of", (2, 2), Builtin::IndexOf, "where x is first in a list; -1 if it is not")
        .number(""),
    function("text(x)", "text", (1, 1), Builtin::Text, "x as a text").text(),
    function("number(text)", "number", (1, 1), Builtin::Number, "the number that a text spells").number(""),
    function(
        "text.startsWith(part)",
        "startsWith",
        (2, 2),
        Builtin::Match(Match::StartsWith),
        "true if the text starts with the part",
    ).truth(),
    function(
        "text.endsWith(part)",
        "endsWith",
        (2, 2),
        Builtin::Match(Match::EndsWith),
        "true if the text ends with the part",
    ).truth(),
    function(
        "text.contains(part)",
        "contains",
        (2, 2),
        Builtin::Match(Match::Contains),
        "true if the part is in the text",
    ).truth(),
];

/// What to write instead of a function of CEL or of other languages that does not exist here.
const INSTEAD: &[(&str, &str)] = &[
    ("all", "join one test per item with &&"),
    ("exists", "join one test per item with ||, or write x in list"),
    ("exists_one", "join one test per item with ||, or write x in list"),
    ("push", "write list + [x]"),
    ("append", "write list + [x]"),
    ("find", "write index_of(list, x)"),
    ("map", "write the list out, or keep it in a variable"),
    ("filter", "write the list out, or keep it in a variable"),
    ("matches", "write text.contains(part), text.startsWith(part) or text.endsWith(part)"),
    ("int", "write round(x), floor(x) or number(text)"),
    ("uint", "write round(x), floor(x) or number(text)"),
    ("double", "numbers need no conversion; number(text) reads a text"),
    ("float", "numbers need no conversion; number(text) reads a text"),
    ("string", "write text(x)"),
    ("str", "write text(x)"),
    ("len", "write count(x)"),
    ("length", "write count(x)"),
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
