//! What settings do with an expression besides evaluating it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::world;

use expression::{Cache, EvaluationError, Expression, FUNCTIONS};
use model::Value;
use world::{World, sample};

#[test]
fn names_are_listed_in_order_once_each() {
    let text =
        "b > a && free('arm') || tray.slot == b && outcome('scan') == result('place') && free('arm') && defined(c)";
    let expression = Expression::new(text);
    assert_eq!(expression.variables().unwrap(), ["b", "a", "tray.slot", "c"]);
    assert_eq!(expression.tokens().unwrap(), ["arm"]);
    assert_eq!(expression.nodes().unwrap(), ["scan", "place"]);
    assert!(Expression::new("b >").variables().is_err());
}

#[test]
fn constants_are_known_without_binding() {
    let constant = |text: &str| Expression::new(text).constant();
    assert_eq!(constant("1 + 1 == 2 && 'a' in ['a']"), Some(Value::Bool(true)));
    assert_eq!(constant("max(2, 3) * 2"), Some(Value::Number(6.0)));
    for text in ["x", "x == x", "free('arm')", "time() > 0", "random() < 2", "1 / 0", "", "outcome('scan') == ''"] {
        assert_eq!(constant(text), None, "{text}");
    }
    let mut bound = Expression::new("2 > 1");
    bound.bind(&mut sample()).unwrap();
    assert_eq!(bound.constant(), Some(Value::Bool(true)));
}

#[test]
fn a_condition_must_be_true_or_false_and_a_number_a_number() {
    let mut world = sample();
    let mut expression = Expression::new("x + 1");
    assert_eq!(expression.holds(&world), Err(EvaluationError::NotBound));
    expression.bind(&mut world).unwrap();
    assert_eq!(expression.number(&world), Ok(4.0));
    assert_eq!(expression.holds(&world).unwrap_err().to_string(), "a condition needs true or false, not a number");
    let mut text = Expression::new("s");
    text.bind(&mut world).unwrap();
    assert_eq!(text.number(&world).unwrap_err().to_string(), "this setting needs a number, not a text");
}

#[test]
fn a_failed_bind_leaves_it_unbound() {
    let mut expression = Expression::new("x < 5");
    expression.bind(&mut sample()).unwrap();
    assert!(expression.is_bound());
    assert!(expression.bind(&mut World::default()).is_err());
    assert!(!expression.is_bound());
}

#[test]
fn a_cache_gives_what_parsing_gives() {
    let mut cache = Cache::new();
    let mut world = sample();
    for _ in 0..2 {
        for text in ["x < 5", "x <", "gone"] {
            let (mut with, mut without) = (Expression::new(text), Expression::new(text));
            assert_eq!(with.bind_with(&mut world, &mut cache), without.bind(&mut world));
            assert_eq!(with.holds(&world), without.holds(&world));
        }
    }
}

#[test]
fn files_may_say_numbers_and_truth_without_quotes() {
    let read = |json: &str| serde_json::from_str::<Expression>(json).map(|e| e.text().to_string());
    for (json, text) in [
        ("\"x < 5\"", "x < 5"),
        ("5", "5"),
        ("-5", "-5"),
        ("0.1", "0.1"),
        ("2.0", "2"),
        ("1e300", "1e300"),
        ("18446744073709551615", "1.8446744073709552e19"),
        ("true", "true"),
    ] {
        assert_eq!(read(json).unwrap(), text);
        assert!(json.starts_with('"') || Expression::new(text).constant().is_some(), "{text}");
    }
    assert!(read("null").is_err() && read("[1]").is_err());
    assert_eq!(serde_json::to_string(&Expression::new("x < 5")).unwrap(), "\"x < 5\"");
    let schema = serde_json::to_value(schemars::schema_for!(Expression)).unwrap();
    assert_eq!(schema["format"], "expression");
}

#[test]
fn it_is_small_and_shared() {
    fn is_send_and_sync<T: Send + Sync + Default + Clone>() {}
    is_send_and_sync::<Expression>();
    assert!(size_of::<Expression>() <= 32);
    assert!(size_of::<Result<(), EvaluationError>>() <= 24);
    assert!(Expression::default().is_empty() && Expression::new(" ").is_empty());
}

#[test]
fn every_function_is_documented_and_works_as_written() {
    let mut world = World::default()
        .set("radius_m", 0.1)
        .set("x", 1.0)
        .set("y", 1.0)
        .set("low", 0.0)
        .set("high", 2.0)
        .set("angle_rad", 0.0)
        .set("angle_deg", 0.0);
    world = world.set("a", 1.0).set("b", 1.0).set("text", "1").set("part", "1").set("variable", true).declare("none");
    for function in FUNCTIONS {
        assert!(!function.help.is_empty(), "{} has no help", function.name);
        assert!(function.usage.contains(function.name));
        assert_eq!(FUNCTIONS.iter().filter(|other| other.name == function.name).count(), 1, "{}", function.name);
        let call = match function.name {
            "size" => "size({'a': 1})".to_owned(),
            "slice" | "index_of" => format!("{}([1, 2], 1)", function.name),
            "compose" | "between" => function.usage.replace("(a, b", "(pose(1), pose(2)").replace("share", "0.5"),
            "count" => "count('word')".to_owned(),
            "invert" | "mirrored" => format!("{}(pose(1))", function.name),
            "offset" => "offset(pose(1), 1, 2, 3)".to_owned(),
            "pose" => "pose(1, 2, 3, 4, 5, 6)".to_owned(),
            _ => function.usage.replace(", ...", "").replace("'node'", "'scan'"),
        };
        let mut expression = Expression::new(&call);
        expression.bind(&mut world).unwrap_or_else(|error| panic!("{call}: {error}"));
        // What is asked of a robot is answered where there is one.
        if function.query().is_none() {
            expression.value(&world).unwrap_or_else(|error| panic!("{call}: {error}"));
        }
    }
}
