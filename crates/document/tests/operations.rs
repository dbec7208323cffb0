//! Each operation, as the file it leaves; and that undo gives the file before.

use document::{Document, DocumentError, created, node};
use expect_test::{Expect, expect};
use model::file::{MemoryFiles, load};
use model::{Edit, EditError, Field, Input, NodeId};
use serde_json::json;

fn open(outline: &str) -> Document {
    let mut files = MemoryFiles::default();
    for (name, json) in testkit::to_json(outline) {
        files.insert(name, json.to_string());
    }
    let registry = nodes::registry();
    let loaded = load("main.json", &files, registry.catalogue()).expect("it opens");
    Document::new(loaded.library, registry, 1)
}

fn named(document: &Document, name: &str) -> NodeId {
    let mut all = document.library().iter().flat_map(|(_, tree)| tree.walk(tree.root).map(move |id| (tree, id)));
    all.find(|(tree, id)| &**tree.node(*id).label() == name).expect("a node of that name").1
}

fn text(document: &Document) -> String {
    let files = document.library().iter().map(|(_, tree)| tree.file.clone());
    files.map(|file| format!("{file} {}", document.text(&file).expect("it is there"))).collect()
}

/// Does it, compares the files, takes it back and does it again. The edits do the same to a library elsewhere.
#[track_caller]
fn check(outline: &str, act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>, expected: Expect) {
    let mut document = open(outline);
    let before = text(&document);
    let mut elsewhere = document.library().clone();
    let edits = act(&mut document).expect("it is possible");
    let after = text(&document);
    expected.assert_eq(&after);
    elsewhere.apply_all(&edits).expect("the edits apply elsewhere");
    let there = Document::new(elsewhere, nodes::registry(), 2);
    assert_eq!(text(&there), after);
    document.undo().expect("one step");
    assert_eq!(text(&document), before);
    assert!(document.undo_label().is_none(), "it was one step");
    assert!(document.changed_files().is_empty());
    document.redo().expect("and again");
    assert_eq!(text(&document), after);
}

#[track_caller]
fn refused(outline: &str, act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>, expected: Expect) {
    let mut document = open(outline);
    let before = text(&document);
    let error = act(&mut document).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
    assert_eq!(text(&document), before);
    assert!(document.undo_label().is_none());
}

const THREE: &str = "
sequence Root
  wait A
  wait B after=A
  wait C
";

#[test]
fn inserting_resolves_references() {
    check(
        THREE,
        |document| {
            let mut group = node("sequence", "Group");
            let mut jump = node("goto", "");
            jump.fields.push("target".into(), Field::Text("C".into()));
            group.children.push(jump);
            let (parent, c) = (named(document, "Root"), named(document, "C"));
            let edits = document.insert(parent, 1, &group)?;
            assert_eq!(created(&edits), [named(document, "Group")]);
            document.undo()?;
            document.redo()?;
            let jump = named(document, "goto");
            let tree = document.library().main();
            let Some(Field::Ref(reference)) = tree.node(jump).fields.get("target") else { panic!("no reference") };
            assert_eq!(reference.id, Some(c));
            Ok(edits)
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "A"},
                {
                  "type": "sequence",
                  "name": "Group",
                  "children": [
                    {"type": "goto", "target": "C"}
                  ]
                },
                {"type": "wait", "name": "B", "after": "A"},
                {"type": "wait", "name": "C"}
              ]
            }
        "#]],
    );
}

#[test]
fn several_nodes_move_at_once() {
    check(
        THREE,
        |document| {
            let (root, a, b) = (named(document, "Root"), named(document, "A"), named(document, "B"));
            document.move_to(&[b, a], root, 3)
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "C"},
                {"type": "wait", "name": "A"},
                {"type": "wait", "name": "B", "after": "A"}
              ]
            }
        "#]],
    );
}

#[test]
fn deleting_below_a_deleted_node_is_one_deletion() {
    check(
        "
sequence Root
  sequence S
    wait A
  wait B
",
        |document| {
            let (s, a) = (named(document, "S"), named(document, "A"));
            document.delete(&[a, s])
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "B"}
              ]
            }
        "#]],
    );
}

#[test]
fn a_copy_refers_to_itself() {
    check(
        "
sequence Root
  sequence S
    wait A
    wait B after=A
  wait C after=A
",
        |document| {
            let s = named(document, "S");
            document.duplicate(&[s])
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {
                  "type": "sequence",
                  "name": "S",
                  "children": [
                    {"type": "wait", "name": "A"},
                    {"type": "wait", "name": "B", "after": "A"}
                  ]
                },
                {
                  "type": "sequence",
                  "name": "S",
                  "children": [
                    {"type": "wait", "name": "A"},
                    {"type": "wait", "name": "B", "after": "A"}
                  ]
                },
                {"type": "wait", "name": "C", "after": "A"}
              ]
            }
        "#]],
    );
}

#[test]
fn wrapping_and_unwrapping() {
    check(
        THREE,
        |document| {
            let (a, c) = (named(document, "A"), named(document, "C"));
            document.wrap(&[c, a], "parallel")
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {
                  "type": "parallel",
                  "children": [
                    {"type": "wait", "name": "A"},
                    {"type": "wait", "name": "C"}
                  ]
                },
                {"type": "wait", "name": "B", "after": "A"}
              ]
            }
        "#]],
    );
    check(
        "
sequence Root
  wait A
  fallback F
    wait B
    wait C
  wait D
",
        |document| {
            let f = named(document, "F");
            document.unwrap(f)
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "children": [
                {"type": "wait", "name": "A"},
                {"type": "wait", "name": "B"},
                {"type": "wait", "name": "C"},
                {"type": "wait", "name": "D"}
              ]
            }
        "#]],
    );
    refused(
        "
sequence Root
  goto A target=F
  fallback F
    wait B
",
        |document| {
            let f = named(document, "F");
            document.unwrap(f)
        },
        expect!["`A` refers to `F`: let it refer to another node first"],
    );
}

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
              "version": 1,
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
                "a `wait` has no setting `speed`; it has `duration_s`, `after`, `when`, `until`, `while`, `timeout_s`, `retry`, `end_as`, `outcome_as`, `claims`, `on_conflict`, `autonomy`"
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
              "version": 1,
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
              "version": 1,
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
              "version": 1,
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
            let input = Input { default: Some(json!(3)), unit: "s".into(), notes: String::new() };
            document.set_inputs("main.json", vec![("pause".into(), input)])
        },
        expect![[r#"
            main.json {
              "version": 1,
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

const COUNTING: &str = "
@variables {\"n\": 0, \"limit\": 3}
sequence Root
  set Begin values={\"n\":\"0\"}
  sequence Count after=Begin
    set More values={\"n\":\"n+1\",\"local\":\"n*2\"}
    condition Enough condition=\"n<limit&&local>0\"
  goto Again target=Count
  log Show value=n
";

#[test]
fn a_subtree_becomes_a_skill() {
    check(
        COUNTING,
        |document| {
            let count = named(document, "Count");
            document.extract(count, "skills/count.json")
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "variables": {"n": 0, "limit": 3},
              "children": [
                {
                  "type": "set",
                  "name": "Begin",
                  "values": {"n": "0"}
                },
                {
                  "type": "skill",
                  "name": "Count",
                  "after": "Begin",
                  "file": "skills/count.json",
                  "inputs": {"limit": "limit", "n": "n"},
                  "outputs": {"n": "n"}
                },
                {"type": "goto", "name": "Again", "target": "Count"},
                {"type": "log", "name": "Show", "value": "n"}
              ]
            }
            skills/count.json {
              "version": 1,
              "name": "Count",
              "inputs": {
                "limit": {},
                "n": {}
              },
              "outputs": {
                "n": {}
              },
              "children": [
                {
                  "type": "set",
                  "name": "More",
                  "values": {"n": "n+1", "local": "n*2"}
                },
                {"type": "condition", "name": "Enough", "condition": "n<limit&&local>0"}
              ]
            }
        "#]],
    );
    check(
        COUNTING,
        |document| {
            let show = named(document, "Show");
            document.extract(show, "show.json")
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "variables": {"n": 0, "limit": 3},
              "children": [
                {
                  "type": "set",
                  "name": "Begin",
                  "values": {"n": "0"}
                },
                {
                  "type": "sequence",
                  "name": "Count",
                  "after": "Begin",
                  "children": [
                    {
                      "type": "set",
                      "name": "More",
                      "values": {"n": "n+1", "local": "n*2"}
                    },
                    {"type": "condition", "name": "Enough", "condition": "n<limit&&local>0"}
                  ]
                },
                {"type": "goto", "name": "Again", "target": "Count"},
                {
                  "type": "skill",
                  "name": "Show",
                  "file": "show.json",
                  "inputs": {"n": "n"}
                }
              ]
            }
            show.json {
              "version": 1,
              "name": "Show",
              "inputs": {
                "n": {}
              },
              "children": [
                {"type": "log", "name": "Show", "value": "n"}
              ]
            }
        "#]],
    );
}

#[test]
fn a_subtree_that_is_referred_to_inside_does_not() {
    refused(
        "
sequence Root
  sequence S
    wait A
    goto G target=B
  wait B after=A
  condition C condition=\"result('A')=='success'\"
",
        |document| {
            let s = named(document, "S");
            document.extract(s, "s.json")
        },
        expect![
            "it cannot become a file of its own: `/S/G` refers to `/B`, which stays outside; `/B` stays outside and refers to `/S/A`; `/C` stays outside and refers to `/S/A`"
        ],
    );
}

#[test]
fn what_was_made_a_skill_can_be_written_out_again() {
    let mut document = open(COUNTING);
    let before = document.text("main.json");
    let count = named(&document, "Count");
    document.extract(count, "skills/count.json").expect("it becomes a skill");
    let count = named(&document, "Count");
    document.inline(count).expect("and is written out again");
    assert_eq!(document.text("main.json"), before);
}

#[test]
fn variables_of_a_skill_give_way() {
    check(
        "
@variables {\"n\": 0, \"result\": null}
sequence Root
  skill Use file=s.json inputs={\"n\":\"n+1\"} outputs={\"out\":\"result\"}
  log Show value=result
--- s.json
@inputs {\"n\": {}, \"step\": {\"default\": 2}}
@outputs {\"out\": {}}
@variables {\"text\": \"it's\"}
fallback Root
  set S values={\"out\":\"n+step\",\"n\":\"n\"}
  log L value=\"text+'n'\"
",
        |document| {
            let skill = named(document, "Use");
            document.inline(skill)
        },
        expect![[r#"
            main.json {
              "version": 1,
              "name": "Root",
              "variables": {"n": 0, "result": null},
              "children": [
                {
                  "type": "sequence",
                  "name": "Use",
                  "children": [
                    {
                      "type": "set",
                      "values": {"n_2": "n+1", "step": "2", "text": "\"it's\""}
                    },
                    {
                      "type": "fallback",
                      "name": "Root",
                      "children": [
                        {
                          "type": "set",
                          "name": "S",
                          "values": {"result": "n_2+step", "n_2": "n_2"}
                        },
                        {"type": "log", "name": "L", "value": "text+'n'"}
                      ]
                    }
                  ]
                },
                {"type": "log", "name": "Show", "value": "result"}
              ]
            }
            s.json {
              "version": 1,
              "name": "Root",
              "inputs": {
                "n": {},
                "step": {"default": 2}
              },
              "outputs": {
                "out": {}
              },
              "variables": {"text": "it's"},
              "type": "fallback",
              "children": [
                {
                  "type": "set",
                  "name": "S",
                  "values": {"out": "n+step", "n": "n"}
                },
                {"type": "log", "name": "L", "value": "text+'n'"}
              ]
            }
        "#]],
    );
    refused(
        "
@variables {\"sensor\": 0}
sequence Root
  skill Use file=s.json
--- s.json
sequence Root
  log L value=sensor
",
        |document| {
            let skill = named(document, "Use");
            document.inline(skill)
        },
        expect!["it cannot be written out here: it reads `sensor` of the world, and this file has one of its own"],
    );
}

#[test]
fn what_is_not_there_is_refused() {
    let mut document = open(THREE);
    let gone = NodeId(0xdead);
    assert_eq!(document.delete(&[gone]), Err(DocumentError::NoNode(gone)));
    assert_eq!(document.rename(gone, "x"), Err(EditError::NoNode(gone).into()));
    assert_eq!(document.delete(&[]), Err(DocumentError::Nothing));
    assert_eq!(document.undo(), Err(DocumentError::NothingToUndo));
    assert_eq!(document.redo(), Err(DocumentError::NothingToRedo));
    assert_eq!(document.extract(document.library().main().root, "x.json"), Err(EditError::Root.into()));
}

#[test]
fn unsaved_changes_are_known_by_file() {
    let folder = std::env::temp_dir().join(format!("coact-document-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let main = folder.join("main.json").display().to_string();
    std::fs::write(
        &main,
        r#"{"version": 1, "children": [{"type": "sequence", "name": "S"}, {"type": "wait", "name": "A"}]}"#,
    )
    .expect("a file for the test");
    let registry = nodes::registry();
    let library = load(&main, &model::file::Disk, registry.catalogue()).expect("it opens").library;
    let mut document = Document::new(library, registry, 1);
    let (s, a) = (named(&document, "S"), named(&document, "A"));
    assert!(document.changed_files().is_empty());
    document.rename(a, "B").expect("a rename");
    assert!(document.is_changed(&main));
    document.undo().expect("undo");
    assert!(!document.is_changed(&main));
    document.extract(s, "s.json").expect("a skill");
    let skill = folder.join("s.json").display().to_string();
    assert_eq!(document.changed_files().iter().map(|file| &**file).collect::<Vec<_>>(), [&*skill, &*main]);
    assert_eq!(document.save_all().expect("both are written").len(), 2);
    assert!(document.changed_files().is_empty());
    assert_eq!(std::fs::read_to_string(&main).expect("it is there"), document.text(&main).expect("so is this"));
    document.undo().expect("undo");
    assert!(document.is_changed(&main), "it is as it was loaded, but not as it was saved");
    // A file that was written before this behavior had one of its name is not lost.
    std::fs::write(folder.join("t.json"), "mine").expect("a file for the test");
    document.extract(s, "t.json").expect("a skill");
    assert!(document.save_all().is_err());
    assert_eq!(std::fs::read_to_string(folder.join("t.json")).expect("it is there"), "mine");
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}
