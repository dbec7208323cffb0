//! Properties that hold for any text.

use crate::world;

use expression::Expression;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use world::{World, sample};

/// Everything that can be asked of a text; only a panic fails.
fn use_all(text: &str) {
    let mut world = sample();
    let mut expression = Expression::new(text);
    let _ = (expression.variables(), expression.tokens(), expression.nodes(), expression.constant());
    match expression.bind(&mut world) {
        Ok(()) => {
            for error in [expression.value(&world).err(), expression.holds(&world).err()].into_iter().flatten() {
                assert!(!error.to_string().is_empty());
            }
            if let Ok(number) = expression.number(&world) {
                assert!(number.is_finite());
            }
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(error.column >= 1 && error.column <= text.chars().count() + 1, "{text:?}: {error:?}");
        }
    }
}

const PIECES: &[&str] = &[
    "x",
    "s",
    "ok",
    "items",
    "tray",
    "T1",
    ".slot",
    "speed",
    "gone",
    "1",
    "0.5",
    "1e308",
    "0x",
    "'go'",
    "\"a\"",
    "'",
    "'''",
    "r'\\",
    "b'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "?",
    ".",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "in",
    "=",
    "&",
    "|",
    " ",
    "\n",
    "//",
    "min(",
    "size(",
    "free('arm')",
    "has(",
    ".all(i, ",
    ".map(",
    "defined(",
    "null",
    "if",
    "and",
    "é",
    "“",
    "\\",
    "`",
    "u",
    "\u{0}",
    "_",
];

/// Well-formed texts that the mutations start from.
const WELL_FORMED: &[&str] = &[
    "x < 5 && s == 'go' || !ok",
    "clamp(x + 3 * (T1.slot - 2), 0, 10) > size(items) ? 'yes' : s + \"no\"",
    "free('left_hand') && outcome('scan') == 'found' && result('scan') != ''",
    "items[0] in [1, x, {'a': tray.slot}.a] && defined(tray.lid)",
    "s.startsWith('g') ? min(1, 2, x) : -abs(x) % 2.5e1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn garbage_never_panics(text in ".{0,80}") {
        use_all(&text);
    }

    #[test]
    fn pieces_in_any_order_never_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..25)) {
        use_all(&pieces.concat());
        use_all(&pieces.join(" "));
    }

    #[test]
    fn mutations_never_panic(
        text in prop::sample::select(WELL_FORMED),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES), 0..3), 1..5),
    ) {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, piece, change) in changes {
            let at = at.index(characters.len().max(1)).min(characters.len());
            match change {
                0 => drop(characters.splice(at..at, piece.chars())),
                1 => drop(characters.splice(at..(at + 1).min(characters.len()), piece.chars())),
                _ => drop(characters.splice(at..(at + 2).min(characters.len()), [])),
            }
        }
        use_all(&characters.into_iter().collect::<String>());
    }

    #[test]
    fn arithmetic_agrees_with_doubles((text, expected) in arithmetic()) {
        let mut world = World::default().set("x", X).set("y", Y);
        let mut expression = Expression::new(&text);
        let found = match expression.bind(&mut world) {
            Ok(()) => expression.number(&world).ok(),
            Err(error) => {
                prop_assert!(error.message.starts_with("this can never have a value"), "{}: {}", text, error);
                None
            }
        };
        prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
    }
}

const X: f64 = 3.25;
const Y: f64 = -0.7;

/// A text with every operation in brackets, and what doubles make of it; None where they leave the finite.
fn arithmetic() -> impl Strategy<Value = (String, Option<f64>)> {
    let leaf = prop_oneof![
        Just(("x".to_string(), Some(X))),
        Just(("y".to_string(), Some(Y))),
        (0..100_000_i64).prop_map(|n| (n.to_string(), Some(n as f64))),
        (0.0..1e6_f64).prop_map(|n| (format!("{n:?}"), Some(n))),
        Just(("1e200".to_string(), Some(1e200))),
    ];
    leaf.prop_recursive(6, 40, 2, |inner| {
        let operation = prop::sample::select(vec!['+', '-', '*', '/', '%', '~']);
        (inner.clone(), operation, inner).prop_map(|((left, a), operation, (right, b))| {
            if operation == '~' {
                return (format!("(-{left})"), a.map(|a| -a));
            }
            let value = a.zip(b).and_then(|(a, b)| compute(operation, a, b));
            (format!("({left} {operation} {right})"), value)
        })
    })
}

fn compute(operation: char, a: f64, b: f64) -> Option<f64> {
    let value = match operation {
        '+' => a + b,
        '-' => a - b,
        '*' => a * b,
        '/' => a / b,
        _ => a % b,
    };
    (b != 0.0 || !matches!(operation, '/' | '%')).then_some(value).filter(|value| value.is_finite())
}
