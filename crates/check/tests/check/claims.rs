//! Tokens.

use expect_test::expect;

use crate::common::problems;

#[test]
fn kept_by_a_branch_that_never_ends() {
    problems(
        r#"
        parallel P
          sequence A
            reserve Keep token=press
            loop L
              wait W
          sequence B
            wait V
            stand_in Use claims=["press"]
            stand_in Try claims=["press"] on_conflict=fail
          sequence C
            reserve Too token=press
        "#,
        expect![[r#"
            error: main.json /B/Use [claims]: the token `press` is reserved by `Keep` in a branch that never ends and never gives it back, so this waits for ever
                relinquish `press` in that branch, or let the branch end
            error: main.json /B/Try [claims]: the token `press` is reserved by `Keep` in a branch that never ends and never gives it back, so this always fails
                relinquish `press` in that branch, or let the branch end
            error: main.json /C/Too [token]: the token `press` is reserved by `Keep` in a branch that never ends and never gives it back, so this waits for ever
                relinquish `press` in that branch, or let the branch end
        "#]],
    );
}

#[test]
fn kept_later() {
    problems(
        r#"
        parallel P
          sequence B
            stand_in Use claims=["press"]
          sequence A
            wait Z
            loop Keep claims=["press"]
              wait W
        "#,
        expect![[r#"
            warning: main.json /B/Use [claims]: the token `press` is claimed by `Keep`, which never ends, so that this then waits for ever
                let `Keep` end, or let it claim `press` only while it needs it
        "#]],
    );
}

#[test]
fn given_back_or_overridden() {
    problems(
        r#"
        parallel P
          sequence A
            reserve R token=press
            wait V
            relinquish G token=press
            loop L
              wait W
          stand_in Use claims=["press"]
        parallel Q
          loop K claims=["arm"]
            wait X
          stand_in Take claims=["arm"] on_conflict=override
        "#,
        expect![[""]],
    );
}

#[test]
fn given_back_for_nothing() {
    problems(
        r#"
        reserve A token=press
        parallel P
          relinquish B token=press
          relinquish C token=pres
        loop L count=2
          reserve D token=arm
          wait W
        relinquish E token=arm
        "#,
        expect![[r#"
            warning: main.json /P/C [token]: the token `pres` is given back, but nothing around this reserves it
                did you mean `press`?
            warning: main.json /E [token]: the token `arm` is given back, but nothing around this reserves it
                reserve `arm` before it in the same track, or take this out
        "#]],
    );
}

#[test]
fn a_skill_gives_back_what_its_user_took() {
    problems(
        r#"
        reserve A token=press
        skill S file=s.json
        --- s.json
        relinquish B token=press
        "#,
        expect![[""]],
    );
}

#[test]
fn reserved_for_nobody() {
    problems(
        r#"
        reserve A token=press
        loop L
          wait W
        "#,
        expect![[r#"
            warning: main.json /A [token]: the token `press` is reserved and never given back, and nothing else asks for it
                relinquish `press` when it is no longer needed, or take this out
        "#]],
    );
}

#[test]
fn reserved_for_somebody() {
    problems(
        r#"
        reserve A token=press
        loop L
          wait W claims=["press"]
        "#,
        expect![[""]],
    );
}
