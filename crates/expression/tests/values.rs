//! What expressions give, and what they complain of when they cannot.

use crate::world;

use world::sample;

#[track_caller]
fn check(table: &[(&str, &str)]) {
    let mut world = sample();
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, expected, world.run(text)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(text, expected, found)| format!("{text}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn arithmetic() {
    check(&[
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("7 / 2", "3.5"),
        ("7 % 4", "3"),
        ("-7 % 4", "-3"),
        ("7.5 % 2", "1.5"),
        ("-x", "-3"),
        ("--x", "3"),
        ("1 - -1", "2"),
        ("10 - 3 - 2", "5"),
        ("0x10 + 1", "17"),
        ("5u + .5", "5.5"),
        ("1e3", "1000"),
        ("x + 1 // with a remark", "4"),
        ("x / 0", "division by zero"),
        ("x % 0", "division by zero"),
        ("1 / 0", "1: this can never have a value: division by zero"),
        ("huge * 10", "the result of `*` is not a finite number"),
        ("huge + huge", "the result of `+` is not a finite number"),
        ("x - s", "`-` needs a number, not a text"),
        ("-s", "`-` needs a number, not a text"),
    ]);
}

#[test]
fn poses() {
    check(&[
        ("pose(1, 2).yaw_deg", "0"),
        ("compose(pose(1, 0, 0, 0, 0, 90), pose(1)).y_m", "1"),
        ("compose({'x_m': 1, 'frame': 'door'}, pose(1)).frame", "\"door\""),
        ("invert(pose(1, 2, 3)).z_m", "-3"),
        ("offset(pose(0, 0, 0, 0, 0, 90), 0.5, 0, 0.1).y_m", "0.5"),
        ("compose(invert(pose(1, 2, 3, 10, 20, 30)), pose(1, 2, 3, 10, 20, 30)).pitch_deg", "0"),
        ("mirrored(pose(1, 2, 3, 10, 20, 30)).yaw_deg", "-30"),
        ("between(pose(0), pose(2, 0, 0, 0, 0, 90), 0.5).yaw_deg", "45"),
        ("offset(tray, 1)", "a pose needs a pose, a map with x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg, not a map"),
        ("pose('far')", "1: this can never have a value: pose needs a number, not a text"),
        ("pose(1, 2, 3, 4, 5, 6, 7)", "1: `pose` is written pose(x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg)"),
        ("round(deg(rad(30)))", "30"),
        ("is_set(speed) || is_set(x)", "true"),
    ]);
}

#[test]
fn lists_are_built_cut_and_searched() {
    check(&[
        ("items + [x]", "[1,\"two\",true,3]"),
        ("count(items + items)", "6"),
        ("slice(items, 1)", "[\"two\",true]"),
        ("slice(items, 0, -1)", "[1,\"two\"]"),
        ("slice(items, 2, 9)", "[true]"),
        ("slice(items, 2, 1)", "[]"),
        ("slice('robot', 1, 3)", "\"ob\""),
        ("slice(items, 0.5)", "a list is indexed by whole numbers, not by 0.5"),
        ("slice(x, 1)", "slice needs a list or a text, not a number"),
        ("index_of(items, 'two')", "1"),
        ("index_of(items, 9)", "-1"),
        ("index_of(s, 'g')", "index_of needs a list, not a text"),
        ("items.push(x)", "7: there is no function `push`: write list + [x]"),
    ]);
}

/// A name stands for its text, in whatever it is said.
#[test]
fn names_stand_for_expressions() {
    let mut world = sample()
        .stands_for("heavy", "x > 2 && ok")
        .stands_for("twice", "2 * x")
        .stands_for("both", "heavy && twice == 6")
        .stands_for("spot", "pose(x)")
        .stands_for("round", "other + 1")
        .stands_for("other", "round + 1")
        .stands_for("self", "self")
        .stands_for("cut", "x +")
        .stands_for("lost", "nowhere + 1");
    for (text, expected) in [
        ("heavy", "true"),
        ("!heavy || x == 0", "false"),
        ("both && heavy", "true"),
        ("twice * twice", "36"),
        ("spot.x_m + 1", "4"),
        ("1 + round", "5: `round` is made of itself, through `other`"),
        ("self", "1: `self` is made of itself"),
        ("cut > 1", "1: `x +` is not complete: something is missing after column 3"),
        ("lost", "1: there is no variable `nowhere`"),
    ] {
        assert_eq!(world.run(text), expected, "{text}");
    }
    // Each says the one before twice: what is short must not become endless.
    let mut world = sample();
    let names: Vec<String> = (0..60).map(|number| format!("n{number}")).collect();
    for pair in names.windows(2) {
        world = world.stands_for(pair[1].clone().leak(), &format!("{0} + {0}", pair[0]));
    }
    world = world.stands_for("n0", "x");
    assert!(world.run("n59").contains("makes it too long"), "{}", world.run("n59"));
}

#[test]
fn the_robot_is_asked() {
    check(&[
        ("reach_m('right') * 2", "1.2"),
        ("reach_m(x)", "nobody knows"),
        ("reach_m()", "1: `reach_m` is written reach_m('right')"),
    ]);
}

#[test]
fn frames_and_points() {
    check(&[
        ("distance(x, 'ball')", "distance needs a text, not a number"),
        ("distance('a', 'b') < 1", "true"),
        ("distance('hand', 'ball')", "`hand` or `ball` is nowhere"),
        ("points('ball', 'near')", "points needs a number, not a text"),
        ("points('frame', 0.25)", "30"),
        ("points('ball', 0.1)", "`ball` is nowhere"),
    ]);
}

#[test]
fn conditions() {
    check(&[
        ("x < 5", "true"),
        ("x <= 3 && x >= 3", "true"),
        ("x > 3", "false"),
        ("x == 3.0", "true"),
        ("x != 3", "false"),
        ("x == 's'", "false"),
        ("x != 's'", "true"),
        ("items == items && tray == tray", "true"),
        ("items == tray || s == items", "false"),
        ("'a' < 'b'", "true"),
        ("s >= 'go'", "true"),
        ("!ok", "false"),
        ("!!ok", "true"),
        ("x < 5 && s == 'go'", "true"),
        ("false && 1 < speed", "false"),
        ("ok || speed > 1", "true"),
        ("ok && speed > 1", "variable `speed` has no value yet"),
        ("x < s", "`<` compares two numbers or two texts, not a number with a text"),
        ("ok >= ok", "`>=` compares two numbers or two texts, not true or false with true or false"),
        ("x && ok", "`&&` needs true or false, not a number"),
        ("x || ok", "`||` needs true or false, not a number"),
        ("!x", "`!` needs true or false, not a number"),
        ("x < 5 ? 'low' : 'high'", "\"low\""),
        ("x > 5 ? 1 : x > 2 ? 2 : 3", "2"),
        ("x ? 1 : 2", "what stands before `?` needs true or false, not a number"),
        ("x < 5 ? s : speed", "\"go\""),
    ]);
}

#[test]
fn texts_lists_and_maps() {
    check(&[
        ("s + '!'", "\"go!\""),
        ("\"it's\"", "\"it's\""),
        (r"'a\nb'", r#""a\nb""#),
        ("r'a\\b'", r#""a\\b""#),
        (
            "s + 1",
            "`+` adds two numbers, joins two texts or two lists, not a text and a number; text(x) makes a text of any value",
        ),
        ("s + text(1.5) + text(2) + text(ok)", "\"go1.52true\""),
        ("items[0] + 1", "2"),
        ("items[1]", "\"two\""),
        ("items[3]", "index 3 is outside a list of 3, whose first index is 0"),
        ("items[-1]", "index -1 is outside a list of 3, whose first index is 0"),
        ("items[0.5]", "a list is indexed by whole numbers, not by 0.5"),
        ("items['a']", "an index of a list needs a number, not a text"),
        ("s[0]", "`[]` needs a list or a map, not a text"),
        ("tray.slot", "4"),
        ("tray['name']", "\"tray\""),
        ("tray.size_m", "the map has no `size_m`"),
        ("tray[s]", "the map has no `go`"),
        ("tray[1]", "a key of a map needs a text, not a number"),
        ("s.slot", "`.` needs a map, not a text"),
        ("T1.slot", "7"),
        ("T1.other", "1: there is no variable `T1.other`, nor a map `T1`"),
        ("[x, s, [ok]]", r#"[3,"go",[true]]"#),
        ("[1, 2,]", "[1,2]"),
        ("{'a': x, s: 2}.go", "2"),
        ("{'a': 1}", r#"{"a":1}"#),
        ("{1: 2}", "1: this can never have a value: a key of a map needs a text, not a number"),
        ("x in [1, 2, 3]", "true"),
        ("s in ['stop', s]", "true"),
        ("s in ['stop', x]", "false"),
        ("'two' in items", "true"),
        ("'slot' in tray", "true"),
        ("1 in tray", "a key of a map needs a text, not a number"),
        ("'g' in s", "`in` (for a text write text.contains(part)) needs a list or a map, not a text"),
        ("1 in x", "`in` needs a list or a map, not a number"),
        ("[[1, 2], [3]][0][1]", "2"),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("free('left_hand')", "true"),
        ("free('right_hand')", "false"),
        ("outcome('scan') == 'found'", "true"),
        ("result('scan')", "\"success\""),
        ("result('gone')", "8: there is no node `gone`"),
        ("free(x)", "1: `free` takes a name in quotes: free('token')"),
        ("outcome(s)", "1: `outcome` takes a name in quotes: outcome('node')"),
        ("defined(x)", "true"),
        ("defined(speed)", "false"),
        ("defined(T1.slot) && defined(tray.slot) && !defined(tray.lid)", "true"),
        ("defined(items[2]) && !defined(items[3])", "true"),
        ("defined(x + 1)", "1: `defined` takes the name of a variable: defined(x)"),
        ("defined(gone)", "9: there is no variable `gone`"),
        ("time()", "12.5"),
        ("random() < 0.5", "true"),
        ("abs(-x)", "3"),
        ("min(x, 2) + max(1, x, 9)", "11"),
        ("floor(2.7) + ceil(2.1) + round(2.5)", "8"),
        ("round(-2.5)", "-3"),
        ("sqrt(16)", "4"),
        ("sqrt(-x)", "the result of sqrt is not a finite number"),
        ("sin(0) + cos(0)", "1"),
        ("atan2(0, -1)", "3.141592653589793"),
        ("hypot(x, 4)", "5"),
        ("clamp(x, 0, 2)", "2"),
        ("clamp(x, 5, 2)", "clamp: the lower limit 5 is above the upper limit 2"),
        ("size(items) + count('añb') + size(tray)", "8"),
        ("count(items) + count(tray)", "5"),
        ("size('door').width_m", "0.9"),
        ("items.size()", "3"),
        ("count(x)", "count needs a list, a map or a text, not a number"),
        ("text(x)", "\"3\""),
        ("text(items)", r#""[1,\"two\",true]""#),
        ("number('2.5') + number(x)", "5.5"),
        ("number(s)", "`go` is not a number"),
        ("number('inf')", "1: this can never have a value: `inf` is not a number"),
        ("number(ok)", "number needs a text, not true or false"),
        ("s.startsWith('g') && s.endsWith('o') && s.contains('go')", "true"),
        ("items.contains(1)", "contains (for a list write x in list) needs a text, not a list"),
        ("s.contains(1)", "contains needs a text, not a number"),
        ("min(s, 1)", "min needs a number, not a text"),
        ("abs()", "1: `abs` is written abs(x)"),
        ("abs(1, 2)", "1: `abs` is written abs(x)"),
        ("x.abs()", "3: `abs` is written abs(x)"),
        ("contains(s, 'g')", "1: `contains` is written text.contains(part)"),
        ("min(1)", "1: `min` is written min(a, b, ...)"),
    ]);
}

#[test]
fn what_cel_has_and_coact_has_not() {
    check(&[
        ("has('neck') && !has('tail')", "true"),
        ("x > 2 && has( 'neck' )", "true"),
        ("'has(' + text(has('neck'))", "\"has(true\""),
        ("has()", "1: `has` is written has('neck')"),
        ("items.all(i, i > 1)", "7: there is no function `all`: join one test per item with &&"),
        ("items.map(i, i)", "7: there is no function `map`: write the list out, or keep it in a variable"),
        ("items.exists(1, 2)", "7: there is no function `exists`: join one test per item with ||, or write x in list"),
        ("string(x)", "1: there is no function `string`: write text(x)"),
        ("startswith(s, 'g')", "1: there is no function `startswith`: write `startsWith`"),
        ("Point{x: 1}", "1: `Point{...}` is not available: write a map, {'key': value}"),
        ("b'abc'", "1: bytes are not available: write the text without `b` before its quote"),
        ("x == null", "6: there is no null: defined(x) tells whether a variable has a value"),
        ("True", "1: there is no variable `True`: write `true`"),
        ("x + gone", "5: there is no variable `gone`"),
        ("'gone' + gone", "10: there is no variable `gone`"),
        (".x", "2: `.x` begins with a dot: write the name alone"),
    ]);
}
