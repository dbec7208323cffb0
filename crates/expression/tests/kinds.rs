//! What is known of an expression before it is evaluated, and that nothing that is known is wrong.

use expression::{Expression, Given, Kind, Names, Slot};
use proptest::prelude::*;

use crate::world::{World, sample};

struct Any;

impl Names for Any {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        (!name.contains('.')).then_some(Slot(0))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        Some(0)
    }
}

fn of(name: &str) -> Given {
    match name {
        "far_m" => Given::number("m"),
        "turn_deg" => Given::number("deg"),
        "side" => Given::of(Kind::Text),
        _ => Given::UNKNOWN,
    }
}

fn given(text: &str) -> (Option<Kind>, Option<String>) {
    let mut expression = Expression::new(text);
    expression.bind(&mut Any).unwrap_or_else(|error| panic!("{text}: {error}"));
    let given = expression.given(&of);
    (given.kind, given.unit.map(|unit| unit.to_string()))
}

#[test]
fn kinds_and_units_before_anything_is_evaluated() {
    let number = |unit: &str| (Some(Kind::Number), Some(unit.to_owned()));
    let plain = |kind| (Some(kind), None);
    for (text, expected) in [
        ("far_m", number("m")),
        ("2 * far_m + 0.1", number("m")),
        ("far_m / 2 - reach_m('right')", number("m")),
        ("far_m / far_m", plain(Kind::Number)),
        ("far_m * far_m", plain(Kind::Number)),
        ("max(far_m, 0.3)", number("m")),
        ("abs(turn_deg)", number("deg")),
        ("rad(turn_deg)", number("rad")),
        ("far_m + turn_deg", plain(Kind::Number)),
        ("side", plain(Kind::Text)),
        ("side == 'left' ? far_m : reach_m(side)", number("m")),
        ("side == 'left' ? far_m : 'x'", (None, None)),
        ("side == 'left'", plain(Kind::Bool)),
        ("in_frame('a', 'b').yaw_deg", number("deg")),
        ("pose(far_m)", plain(Kind::Map)),
        ("[far_m] + []", plain(Kind::List)),
        ("size('door').width_m", number("m")),
        ("hand_force_n(side)", number("N")),
        ("x", (None, None)),
    ] {
        assert_eq!(given(text), expected, "{text}");
    }
    let mixed = |text: &str| {
        let mut expression = Expression::new(text);
        expression.bind(&mut Any).expect("an expression");
        expression.mixed_units(&of).len()
    };
    assert_eq!(mixed("far_m + turn_deg > 3"), 1);
    assert_eq!(mixed("far_m > reach_m('left')"), 0);
}

const LEAVES: [&str; 12] =
    ["x", "s", "ok", "items", "tray", "speed", "1", "'t'", "true", "[1]", "pose(1)", "reach_m('right')"];
const FORMS: [&str; 22] = [
    "A + B",
    "A - B",
    "A * B",
    "A / B",
    "A < B",
    "A == B",
    "A && B",
    "!A",
    "-A",
    "A ? B : A",
    "A in B",
    "A[B]",
    "count(A)",
    "slice(A, B)",
    "index_of(A, B)",
    "compose(A, B)",
    "offset(A, B)",
    "abs(A)",
    "max(A, B)",
    "text(A)",
    "size(A)",
    "is_set(x) ? A : B",
];

fn texts() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(LEAVES.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 2, |inner| {
        (prop::sample::select(FORMS.to_vec()), inner.clone(), inner)
            .prop_map(|(form, a, b)| form.replace('A', &format!("({a})")).replace('B', &format!("({b})")))
    })
}

fn of_sample(name: &str) -> Given {
    match name {
        "x" => Given::of(Kind::Number),
        "s" => Given::of(Kind::Text),
        "ok" => Given::of(Kind::Bool),
        "items" => Given::of(Kind::List),
        "tray" => Given::of(Kind::Map),
        _ => Given::UNKNOWN,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is written, of whatever kinds, gives a value or an error, and a value of the kind that was foretold.
    #[test]
    fn what_is_foretold_comes_true(text in texts()) {
        let mut world: World = sample();
        let mut expression = Expression::new(&text);
        if expression.bind(&mut world).is_err() {
            return Ok(());
        }
        let foretold = expression.given(&of_sample);
        let mixed = expression.mixed_units(&of_sample);
        prop_assert!(mixed.len() < 100);
        if let (Ok(value), Some(kind)) = (expression.value(&world), foretold.kind) {
            prop_assert_eq!(Kind::of(&value), kind, "{} gives {}", text, value);
        }
    }
}
