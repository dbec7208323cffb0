use crate::common;

use common::{catalogue, named, open, report};
use expect_test::{Expect, expect};
use model::file::{Disk, Files, join, load, save, save_to_disk};
use model::{Field, NodeId};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&report(&open(text)));
}

const FULL: &str = r#"{
  "version": 2,
  "name": "Full",
  "notes": "Says \"all\".",
  "inputs": {
    "speed": {"default": 0.5, "unit": "m/s", "notes": "how fast"},
    "object": {}
  },
  "outputs": {
    "weight": {"unit": "kg"}
  },
  "variables": {"count": 0, "seen": null},
  "cell": "cell.json",
  "id": "0000000000000abc",
  "retry": 2,
  "children": [
    {"type": "wait", "name": "short", "duration_s": 0.1},
    {"type": "wait"},
    {
      "type": "arm",
      "id": "00000000000000ff",
      "name": "reach",
      "notes": "A note that is long enough to keep this node from standing on one line, as it should.",
      "while": {"condition": "grip > 0.2", "edge": "fall"},
      "claims": ["left_hand"],
      "side": "right",
      "angles_deg": [1, 2.5, -3e-9]
    },
    {
      "type": "fallback",
      "name": "try",
      "until": ["done", {"condition": "late"}],
      "children": [
        {"type": "goto", "after": "Beginning"}
      ]
    }
  ]
}
"#;

#[test]
fn a_file_in_our_form_is_written_as_it_was() {
    let mut loaded = open(FULL);
    expect![""].assert_eq(&report(&loaded));
    let text = FULL.replace(
        "[\"done\", {\"condition\": \"late\"}]",
        "[\n        \"done\",\n        {\"condition\": \"late\"}\n      ]",
    );
    assert_eq!(save(loaded.library.main(), &catalogue()), text);
    let reach = named(loaded.library.main(), "reach");
    assert_eq!(reach, NodeId(0xff));
    let node = loaded.library.get_mut(model::Library::MAIN).get_mut(reach).expect("named found it");
    assert!(node.id_written);
    node.id_written = false;
    assert!(!save(loaded.library.main(), &catalogue()).contains("00ff"));
}

#[test]
fn defaults_are_left_out_and_the_order_is_fixed() {
    let loaded = open(
        r#"{"children": [{"hold": false, "tries": 3, "retry": 0, "side": "left", "timeout_s": 4.0, "name": "x",
            "after": null, "type": "arm"}, {"type": "wait", "duration_s": 4}], "version": 1, "type": "sequence"}"#,
    );
    expect![[r#"
        {
          "version": 2,
          "children": [
            {"type": "arm", "name": "x", "timeout_s": 4.0, "tries": 3},
            {"type": "wait"}
          ]
        }
    "#]]
    .assert_eq(&save(loaded.library.main(), &catalogue()));
}

#[test]
fn ids_come_from_the_position() {
    let loaded =
        open(r#"{"version": 1, "children": [{"type": "wait"}, {"type": "fallback", "children": [{"type": "wait"}]}]}"#);
    let tree = loaded.library.main();
    assert_eq!(tree.root, NodeId::from_position("main.json", &[]));
    let children = &tree.node(tree.root).children;
    assert_eq!(children[..], [NodeId::from_position("main.json", &[0]), NodeId::from_position("main.json", &[1])]);
    assert_eq!(tree.node(children[1]).children, [NodeId::from_position("main.json", &[1, 0])]);
}

#[test]
fn ids_do_not_depend_on_the_folder() {
    let text = r#"{"version": 1, "children": [{"type": "wait"}]}"#;
    let files = model::file::MemoryFiles::from([("/somewhere/a/main.json", text), ("main.json", text)]);
    let ids = |path: &str| {
        let loaded = load(path, &files, &catalogue()).expect("both are there");
        loaded.library.main().walk(loaded.library.main().root).collect::<Vec<_>>()
    };
    assert_eq!(ids("/somewhere/a/main.json"), ids("./main.json"));
}

#[test]
fn an_id_that_stands_further_down_is_not_taken() {
    let first = NodeId::from_position("main.json", &[0]);
    let text = format!(r#"{{"version": 1, "children": [{{"type": "wait"}}, {{"type": "wait", "id": "{first}"}}]}}"#);
    let loaded = open(&text);
    expect![""].assert_eq(&report(&loaded));
    let tree = loaded.library.main();
    assert_eq!(tree.node(tree.root).children, [NodeId(first.0.wrapping_add(1)), first]);
}

#[test]
fn an_id_written_twice() {
    check(
        r#"{"version": 1, "children": [{"type": "wait", "id": "7"}, {"type": "wait", "name": "b", "id": "7"}]}"#,
        expect![[r#"
            error: main.json /b [id]: id 0000000000000007 is already taken in this file; the node gets another one
                leave the id out, or write one of its own
        "#]],
    );
}

#[test]
fn what_is_not_known_is_kept_and_reported() {
    let text = r#"{
  "version": 1,
  "author": {"name": "K"},
  "children": [
    {"type": "wiat", "name": "a", "zeta": [1], "alpha": {"b": null}},
    {"type": "wait", "name": "b", "durations_s": 2, "colour": "red"},
    {"type": "wait", "name": "c", "children": [
        {"type": "teleport", "after": "b", "children": [{"type": "wait"}]}
    ]},
    {"name": "d"}
  ]
}
"#;
    check(
        text,
        expect![[r#"
            error: main.json / [author]: unknown field `author`
                known fields of `sequence` are `after`, `when`, `until`, `while`, `timeout_s`, `retry`, `end_as`, `outcome_as`, `claims`, `on_conflict`, `autonomy`, `outcome_autonomy`, `disabled`, `preview`
            error: main.json /a [type]: unknown type `wiat`
                did you mean `wait`?
            error: main.json /b [durations_s]: unknown field `durations_s`
                did you mean `duration_s`?
            error: main.json /b [colour]: unknown field `colour`
                known fields of `wait` are `duration_s`, `after`, `when`, `until`, `while`, `timeout_s`, `retry`, `end_as`, `outcome_as`, `claims`, `on_conflict`, `autonomy`, `outcome_autonomy`, `disabled`, `preview`
            error: main.json /c [children]: a `wait` has no children of its own, but this one has 1; they never run
                move them beside it
            error: main.json /c/teleport [type]: unknown type `teleport`
                known types are `sequence`, `fallback`, `parallel`, `skill`, `checkpoint`, `goto`, `wait`, `arm`
            error: main.json /d [type]: the node has no `type`
                give its `type`; known are `sequence`, `fallback`, `parallel`, `skill`, `checkpoint`, `goto`, `wait`, `arm`
        "#]],
    );
    let once = save(open(text).library.main(), &catalogue());
    for kept in
        [r#""author": {"name": "K"}"#, r#""zeta": [1]"#, r#""alpha": {"b": null}"#, r#""colour": "red""#, "teleport"]
    {
        assert!(once.contains(kept), "{kept} in {once}");
    }
    assert_eq!(save(open(&once).library.main(), &catalogue()), once);
    let loaded = open(text);
    let teleport = loaded
        .library
        .main()
        .walk(loaded.library.main().root)
        .find(|id| &*loaded.library.main().node(*id).kind == "teleport");
    let after = teleport.and_then(|id| loaded.library.main().node(id).fields.get("after").cloned());
    assert!(matches!(after, Some(Field::Ref(reference)) if reference.id == Some(named(loaded.library.main(), "b"))));
}

#[test]
fn versions() {
    check(
        r#"{"name": "x"}"#,
        expect![[r#"
            error: main.json / [version]: the file does not say its version
                write "version": 2
        "#]],
    );
    let text = "{\n  \"version\": 7,\n  \"name\": \"x\"\n}\n";
    check(
        text,
        expect![[r#"
            error: main.json / [version]: file version 7 is not known; known: 1, 2
                use the program that wrote the file, or a newer one than this
        "#]],
    );
    assert_eq!(save(open(text).library.main(), &catalogue()), text);
}

#[test]
fn a_header_that_is_wrong_is_kept() {
    let text = r#"{
  "version": 1,
  "inputs": {
    "a": {"unit": "m", "default": 1, "colour": "red"},
    "b": 5
  },
  "variables": [1],
  "cell": 3
}
"#;
    check(
        text,
        expect![[r#"
            error: main.json / [inputs.a]: `inputs.a` must be made of "default", "kind", "choices", "minimum", "maximum", "title", "unit" and "notes"; not understood: `colour`
                mend it or leave it out
            error: main.json / [inputs.b]: `inputs.b` must be an object: {"unit", "notes"}, and for inputs "default"
                mend it or leave it out
            error: main.json / [variables]: `variables` must be an object
                mend it or leave it out
            error: main.json / [cell]: `cell` must be a text
                mend it or leave it out
        "#]],
    );
    let once = save(open(text).library.main(), &catalogue());
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("valid JSON");
    let newest = text.replace("\"version\": 1", "\"version\": 2");
    assert_eq!(json(&once), json(&newest));
    assert_eq!(save(open(&once).library.main(), &catalogue()), once);
}

#[test]
fn paths_of_files() {
    for (from, name, joined) in [
        ("main.json", "pick.json", "pick.json"),
        ("a/b/main.json", "../pick.json", "a/pick.json"),
        ("a/main.json", "./x//y/../pick.json", "a/x/pick.json"),
        ("main.json", "../../pick.json", "../../pick.json"),
        ("../main.json", "../pick.json", "../../pick.json"),
        ("/a/main.json", "../../../pick.json", "/pick.json"),
        ("a/main.json", "/pick.json", "/pick.json"),
    ] {
        assert_eq!(join(from, name), joined, "{from} {name}");
    }
}

#[test]
fn saving_replaces_the_file_whole_and_leaves_nothing_beside_it() {
    let folder = std::env::temp_dir().join(format!("coact-model-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("main.json");
    for text in ["{\"version\": 1, \"name\": \"old, and longer\"}\n", "{\"version\": 1}\n"] {
        save_to_disk(&path, text).expect("the folder can be written");
        assert_eq!(Disk.read(path.to_str().expect("a plain path")).as_deref(), Ok(text));
    }
    assert_eq!(std::fs::read_dir(&folder).expect("it is there").count(), 1);
    assert!(save_to_disk(folder.join("none").join("x.json"), "{}").is_err());
    let missing = Disk.read(folder.join("none.json").to_str().expect("a plain path"));
    assert!(missing.expect_err("not there").starts_with("there is no file"));
    assert!(Disk.read(folder.to_str().expect("a plain path")).expect_err("a folder").ends_with("is not a file"));
    std::fs::remove_dir_all(&folder).expect("made above");
}
