//! Names of nodes.

use expect_test::expect;

use crate::common::problems;

#[test]
fn missing() {
    problems(
        r#"
        wait Open after=Clse
        wait Close
        goto G target=Nowhere
        gosub S target=Opn
        checkpoint E
        "#,
        expect![[r#"
            error: main.json /Open [after]: there is no node `Clse`; it runs as if it said Previous
                did you mean `Close`?
            error: main.json /G [target]: there is no node `Nowhere`
                write the name of a node of this file, or its path
            error: main.json /S [target]: there is no node `Opn`
                did you mean `Open`?
        "#]],
    );
}

#[test]
fn asked_in_expressions() {
    problems(
        r#"
        wait Reach
        condition A condition="result('Rech') == 'success' || outcome('Reach') == 'x'"
        condition B condition="result('/Reach') == 'success'"
        "#,
        expect![[r#"
            error: main.json /A [condition]: there is no node `Rech`
                did you mean `Reach`?
        "#]],
    );
}

#[test]
fn ambiguous() {
    problems(
        r#"
        sequence One
          wait Grip
        sequence Two
          wait Grip
        wait Last after=Grip
        wait Fine after=/Two/Grip
        "#,
        expect![[r#"
            warning: main.json /Last [after]: there are several nodes `Grip`; `/One/Grip` is taken
                write the path: `/One/Grip`, or `/Two/Grip` for another
        "#]],
    );
}

#[test]
fn a_nearer_one_is_not_ambiguous() {
    problems(
        r#"
        sequence One
          wait Grip
          wait A after=Grip
        sequence Two
          wait Grip
          wait B after=Grip
        "#,
        expect![[""]],
    );
}

#[test]
fn siblings_of_one_name_by_path() {
    problems(
        r#"
        wait Grip
        wait Grip
        wait A after=/Grip
        wait B after=/Grip[2]
        wait C after=Beginning
        "#,
        expect![[r#"
            warning: main.json /A [after]: there are several nodes `/Grip`; `/Grip[1]` is taken
                write the path: `/Grip[1]`, or `/Grip[2]` for another
        "#]],
    );
}

#[test]
fn a_skill_that_depends_on_its_user() {
    problems(
        r#"
        wait Home
        skill Use file=s.json
        --- s.json
        choose C
          goto G target=Home when="time() > 1.0"
        "#,
        expect![[r#"
            warning: s.json /G [target]: `Home` is not in this file: it is found in main.json, so the skill depends on who uses it
                name a node of this file, or pass what is needed as an input
        "#]],
    );
}

#[test]
fn a_skill_whose_users_differ() {
    problems(
        r#"
        skill One file=a.json
        skill Two file=s.json
        --- a.json
        wait Home
        skill Inner file=s.json
        --- s.json
        choose C
          goto G target=Home when="time() > 1.0"
        "#,
        expect![[r#"
            error: s.json /G [target]: `Home` is not in this file: it is found where a.json uses the skill, but not where main.json does
                name a node of this file, or add `Home` to main.json
        "#]],
    );
}

#[test]
fn names_that_exist_need_not_be_unique() {
    problems(
        r#"
        wait A
        wait A
        sequence A
          wait A
        "#,
        expect![[""]],
    );
}
