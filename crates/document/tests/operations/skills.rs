use expect_test::expect;

use super::kit::*;

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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
              "version": 2,
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
