use document::{created, node};
use expect_test::expect;
use model::Field;

use super::kit::*;

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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
