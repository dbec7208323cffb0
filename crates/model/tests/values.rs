use crate::common;

use common::{catalogue, open, report};
use expect_test::{Expect, expect};
use model::file::save;

/// What is wrong with one node of these settings.
fn check(settings: &str, expected: Expect) {
    let text = format!(r#"{{"version": 1, "children": [{{"name": "n", {settings}}}]}}"#);
    let loaded = open(&text);
    let messages: Vec<&str> = loaded.problems.iter().map(|problem| problem.message.as_str()).collect();
    expected.assert_eq(&messages.join("\n"));
    let saved = save(loaded.library.main(), &catalogue());
    assert_eq!(report(&open(&saved)), report(&loaded), "a wrong value is kept");
}

#[test]
fn settings_describe_themselves() {
    let catalogue = catalogue();
    let wait = catalogue.get("wait").expect("in the catalogue");
    let field = wait.field("duration_s").expect("a setting of it");
    assert_eq!(field.unit.as_deref(), Some("s"));
    assert_eq!(field.doc, "How long it waits.");
    assert_eq!(field.default, 4.0);
    let names: Vec<&str> =
        catalogue.get("arm").expect("in it").fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["side", "angles_deg", "goal", "tries", "hold", "frame"]);
    let common: Vec<&str> = model::common_fields().iter().map(|field| field.name.as_str()).collect();
    assert_eq!(common, model::COMMON_FIELDS);
    assert!(model::common_fields()[0].is_reference());
}

#[test]
fn numbers() {
    check(r#""type": "wait", "duration_s": -1"#, expect!["`duration_s` must be at least 0 s, is -1"]);
    check(r#""type": "wait", "duration_s": "fast""#, expect![[r#"`duration_s` must be a number in s, is "fast""#]]);
    check(r#""type": "wait", "duration_s": null"#, expect!["`duration_s` must be a number in s, is null"]);
    check(r#""type": "wait", "timeout_s": null"#, expect![""]);
    check(r#""type": "wait", "timeout_s": -0.5"#, expect!["`timeout_s` must be at least 0 s, is -0.5"]);
    check(r#""type": "wait", "retry": 1.5"#, expect!["`retry` must be a whole number, is 1.5"]);
    check(r#""type": "wait", "retry": -1"#, expect!["`retry` must be at least 0, is -1"]);
    check(r#""type": "wait", "retry": 5000000000"#, expect!["`retry` must be between 0 and 4294967295, is 5000000000"]);
    check(r#""type": "arm", "tries": 11"#, expect!["`tries` must be at most 10, is 11"]);
    check(r#""type": "arm", "tries": 1e300"#, expect!["`tries` must be a whole number, is 1e+300"]);
}

#[test]
fn names_and_texts() {
    check(
        r#""type": "wait", "autonomy": "some""#,
        expect![[r#"`autonomy` must be one of off, low, high, full, is "some""#]],
    );
    check(r#""type": "wait", "on_conflict": 3"#, expect!["`on_conflict` must be one of wait, fail, override, is 3"]);
    check(r#""type": "arm", "side": {}"#, expect!["`side` must be one of left, right, is an object"]);
    check(r#""type": "arm", "frame": """#, expect!["`frame` must not be empty"]);
    check(r#""type": "arm", "hold": 1"#, expect!["`hold` must be true or false, is 1"]);
    check(r#""type": "goto", "target": 1"#, expect!["`target` must be a text, is 1"]);
    check(
        r#""type": "wait", "end_as": "maybe""#,
        expect![[r#"`end_as` must be one of success, failure or left out, is "maybe""#]],
    );
}

#[test]
fn lists_and_objects() {
    check(r#""type": "arm", "angles_deg": []"#, expect!["`angles_deg` must have at least 1 entries, has 0"]);
    check(r#""type": "arm", "angles_deg": [1, "a"]"#, expect![[r#"`angles_deg[2]` must be a number, is "a""#]]);
    check(
        r#""type": "arm", "angles_deg": [1,2,3,4,5,6,7,8]"#,
        expect!["`angles_deg` must have at most 7 entries, has 8"],
    );
    check(r#""type": "arm", "goal": {"x": 1}"#, expect!["`goal` needs `y`"]);
    check(r#""type": "arm", "goal": {"x": 1, "y": "2"}"#, expect![[r#"`goal.y` must be a number, is "2""#]]);
    check(r#""type": "wait", "claims": "hand""#, expect![[r#"`claims` must be a list, is "hand""#]]);
}

#[test]
fn guards() {
    check(r#""type": "wait", "until": "contact""#, expect![""]);
    check(r#""type": "wait", "while": [["a"], {"condition": "b", "edge": "rise"}]"#, expect![""]);
    check(r#""type": "wait", "until": 5"#, expect!["`until` must be left out or a text or an object or a list, is 5"]);
    check(
        r#""type": "wait", "until": {"edge": "up"}"#,
        expect![[r#"
        `until` needs `condition`
        `until.edge` must be one of state, rise, fall, is "up""#]],
    );
    check(
        r#""type": "wait", "until": {"condition": "a", "colour": 1}"#,
        expect!["`until` must not have `colour`; known are `condition`, `edge`, `outcome`, `preview`"],
    );
}

#[test]
fn what_makes_up_a_node() {
    check(r#""type": "wait", "notes": 5"#, expect!["`notes` must be a text"]);
    check(
        r#""type": ["wait"]"#,
        expect![[r#"
        `type` must be a text
        the node has no `type`"#]],
    );
    check(r#""type": "wait", "id": "xyz""#, expect!["`id` must be 1 to 16 hexadecimal digits"]);
    check(r#""type": "sequence", "children": {"a": 1}"#, expect!["`children` must be a list of nodes"]);
    check(
        r#""type": "sequence", "children": [1, ["a"], null]"#,
        expect![[r#"
        a child must be a node, an object with a `type`
        a child must be a node, an object with a `type`
        a child must be a node, an object with a `type`"#]],
    );
    let twice = open(r#"{"version": 1, "children": [{"type": "wait", "duration_s": 1, "duration_s": 2}]}"#);
    assert_eq!(twice.problems[0].message, "`duration_s` is written twice; the last one counts");
    assert!(save(twice.library.main(), &catalogue()).contains(r#""duration_s": 2"#));
}
