use expect_test::expect;
use model::Input;
use serde_json::json;

use super::kit::*;

#[test]
fn settings_are_checked() {
    check(
        THREE,
        |document| {
            let a = named(document, "A");
            document.set(a, "duration_s", json!(1.5))
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "A", "duration_s": 1.5},
                {"type": "wait", "name": "B", "after": "A"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
    for (field, value, expected) in [
        ("duration_s", json!(-1), expect!["`duration_s` must be at least 0 s, is -1"]),
        ("duration_s", json!("long"), expect![[r#"`duration_s` must be a number in s, is "long""#]]),
        (
            "speed",
            json!(1),
            expect![
                "a `wait` has no setting `speed`; it has `duration_s`, `after`, `when`, `until`, `while`, `timeout_s`, `retry`, `end_as`, `outcome_as`, `claims`, `on_conflict`, `autonomy`, `outcome_autonomy`, `disabled`, `preview`"
            ],
        ),
        ("on_conflict", json!("maybe"), expect![[r#"`on_conflict` must be one of wait, fail, override, is "maybe""#]]),
    ] {
        refused(
            THREE,
            |document| {
                let a = named(document, "A");
                document.set(a, field, value)
            },
            expected,
        );
    }
    check(
        THREE,
        |document| {
            let b = named(document, "B");
            document.reset(b, "after")
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "A"},
                {"type": "wait", "name": "B"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
}

#[test]
fn names_notes_and_types() {
    check(
        THREE,
        |document| {
            let a = named(document, "A");
            document.rename(a, "First")
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "First"},
                {"type": "wait", "name": "B", "after": "First"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
    refused(
        THREE,
        |document| {
            let root = named(document, "Root");
            document.retype(root, "wait")
        },
        expect!["`Root` has children, and a `wait` has none; move them out first"],
    );
    refused(
        THREE,
        |document| {
            let a = named(document, "A");
            document.retype(a, "teleport")
        },
        expect!["this version does not know the type `teleport`"],
    );
    check(
        THREE,
        |document| {
            let a = named(document, "A");
            document.retype(a, "stand_in")
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Root",
              "children": [
                {"type": "stand_in", "name": "A"},
                {"type": "wait", "name": "B", "after": "A"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
}

#[test]
fn declarations() {
    check(
        THREE,
        |document| {
            let input = Input { default: Some(json!(3)), unit: "s".into(), ..Input::default() };
            document.set_inputs("main.json", vec![("pause".into(), input)])
        },
        expect![[r#"
            main.json {
              "version": 2,
              "name": "Root",
              "inputs": {
                "pause": {"default": 3, "unit": "s"}
              },
              "children": [
                {"type": "wait", "name": "A"},
                {"type": "wait", "name": "B", "after": "A"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
    refused(
        THREE,
        |document| document.set_variables("main.json", vec![("x".into(), json!(1)), ("x".into(), json!(2))]),
        expect!["`variables` must not have `x` twice"],
    );
}
