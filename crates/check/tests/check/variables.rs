//! Variables.

use expect_test::expect;

use crate::common::problems;

use crate::common::{found, text};
use check::Options;

#[test]
fn undefined() {
    problems(
        r#"
        @variables {"count":0}
        condition A condition="conut > 1"
        log B value=pose.x
        wait C while="redy && count < 3"
        "#,
        expect![[r#"
            error: main.json /A [condition]: nothing declares or sets the variable `conut`
                did you mean `count`?
            error: main.json /B [value]: nothing declares or sets the variable `pose`
                declare `pose` under `variables` of the file, or set it before
            error: main.json /C [while]: nothing declares or sets the variable `redy`
                declare `redy` under `variables` of the file, or set it before
        "#]],
    );
}

#[test]
fn known_by_whatever_means() {
    problems(
        r#"
        @variables {"count":0}
        @inputs {"goal":{"default":1}}
        set A values={"pose":"{'x': goal}"}
        log B value="pose.x + count"
        input C variable=name default=1
        log D value=name
        "#,
        expect![[""]],
    );
}

#[test]
fn never_set() {
    problems(
        r#"
        @variables {"goal":null,"start":null}
        condition A condition="defined(goal)"
        set B values={"start":1}
        log C value=start
        "#,
        expect![[r#"
            warning: main.json / [variables]: the variable `goal` is declared without a value, and nothing sets it
                give `goal` a value under `variables`, or set it
        "#]],
    );
}

#[test]
fn set_for_nothing() {
    problems(
        r#"
        @variables {"count":0}
        set A values={"cuont":"count + 1"}
        set B values={"other":"1"}
        set C values={"count":"2"}
        "#,
        expect![[r#"
            warning: main.json /A [values]: the variable `cuont` is set here, but nothing reads it
                did you mean `count`?
            warning: main.json /B [values]: the variable `other` is set here, but nothing reads it
                declare `other` under `variables` if people look at it, or take it out
        "#]],
    );
}

#[test]
fn of_a_skill() {
    problems(
        r#"
        skill S file=s.json inputs={"speed":"1","unused":"2"} outputs={"where":"place"}
        --- s.json
        @inputs {"speed":{},"unused":{}}
        @outputs {"where":{},"when":{}}
        set A values={"wher":"speed"}
        "#,
        expect![[r#"
            warning: main.json /S [outputs]: the variable `place` is set here, but nothing reads it
                declare `place` under `variables` if people look at it, or take it out
            warning: s.json / [outputs]: the output `where` is never set
                set `where`; did `wher` mean it?
            warning: s.json / [outputs]: the output `when` is never set
                set `when`; did `wher` mean it?
            warning: s.json / [inputs]: the input `unused` is never read
                use `unused` in the skill, or take it out of `inputs`
            warning: s.json /A [values]: the variable `wher` is set here, but nothing reads it
                did you mean `when`?
        "#]],
    );
}

#[test]
fn of_a_skill_fine() {
    problems(
        r#"
        skill S file=s.json inputs={"speed":"1"} outputs={"where":"place"}
        log L value=place
        --- s.json
        @inputs {"speed":{}}
        @outputs {"where":{},"speed":{}}
        set A values={"where":"speed"}
        "#,
        expect![[""]],
    );
}

/// What the cell provides, what a start gives, and what nobody can know.
#[test]
fn of_the_world() {
    let tree = "
        condition A condition=\"part_present && limit > 1\"
        set B values={\"lamp\":true}
        send C command=strat
    ";
    let given = Options { given: vec!["limit".into()], ..Options::default() };
    assert_eq!(text(&found(tree, &["part_present", "lamp"], &given)), "");
    let open = Options { open_world: true, ..Options::default() };
    assert!(found(tree, &["lamp"], &open).is_empty());
    let commands = Options { commands: Some(vec!["start".into()]), ..given };
    expect![[r#"
        error: main.json /A [condition]: nothing declares or sets the variable `part_present`
            did you mean `part_presnt`?
        error: main.json /C [command]: the cell has no command `strat`
            did you mean `start`?
    "#]]
    .assert_eq(&text(&found(tree, &["part_presnt", "lamp"], &commands)));
}
