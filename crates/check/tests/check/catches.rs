//! Catches that never run.

use expect_test::expect;

use crate::common::problems;

#[test]
fn nothing_can_fail() {
    problems(
        r#"
        fallback F
          sequence T
            wait A
            set B values={"x":"1"}
            log C value=x
          wait Catch
        "#,
        expect![[r#"
            warning: main.json /Catch: this catch never runs: nothing that is tried can fail
                give what is tried a `timeout_s` or a `while`, or take the catch out
        "#]],
    );
}

#[test]
fn a_wait_that_needs_a_timeout() {
    problems(
        r#"
        fallback F
          wait_until A condition="time() > 3.0"
          wait Catch
        fallback G
          wait_until B condition="time() > 3.0" timeout_s=2
          wait Catch2
        "#,
        expect![[r#"
            warning: main.json /F/Catch: this catch never runs: nothing that is tried can fail
                give what is tried a `timeout_s` or a `while`, or take the catch out
        "#]],
    );
}

#[test]
fn told_to_succeed() {
    problems(
        r#"
        fallback F
          stand_in A fails_if="time() > 1.0" end_as=success
          wait Catch
        "#,
        expect![[r#"
            warning: main.json /Catch: this catch never runs: what is tried is set to end as success
                take `end_as` out of what is tried, or take the catch out
        "#]],
    );
}

#[test]
fn whatever_can_fail() {
    problems(
        r#"
        @variables {"y":null}
        fallback A
          set S values={"y":"1.0 / y"}
          wait C1
        fallback B
          wait W claims=["arm"] on_conflict=fail
          wait C2
        fallback C
          wait V while="time() < 2.0"
          wait C3
        fallback D
          skill U file=s.json
          wait C4
        --- s.json
        condition N condition="time() > 1.0"
        "#,
        expect![[""]],
    );
}

#[test]
fn in_a_skill() {
    problems(
        r#"
        fallback D
          skill U file=s.json
          wait C4
        --- s.json
        wait N
        "#,
        expect![[r#"
            warning: main.json /C4: this catch never runs: nothing that is tried can fail
                give what is tried a `timeout_s` or a `while`, or take the catch out
        "#]],
    );
}

#[test]
fn outcomes_that_do_not_come() {
    problems(
        r#"
        fallback F outcomes=["sliped"]
          stand_in A fails_if="time() > 1.0" outcome=slipped
          wait Catch
        fallback G outcomes=["lost","timeout"]
          stand_in B fails_if="time() > 1.0" timeout_s=2
          wait Catch2
        "#,
        expect![[r#"
            warning: main.json /F [outcomes]: nothing that is tried fails with the outcome `sliped`, so the catch never runs
                did you mean `slipped`?
            warning: main.json /G [outcomes]: nothing that is tried fails with the outcome `lost`
                those that come are `timeout`; write one of these, or give a tried step that outcome
        "#]],
    );
}

#[test]
fn outcomes_that_do() {
    problems(
        r#"
        fallback F outcomes=["slipped","no","counter","late","cold"]
          sequence T
            stand_in A fails_if="time() > 1.0" outcome=slipped
            question Q options=["yes","no"] failures=["no"]
            counter C limit=3
            skill S file=s.json
            wait W while={"condition":"time() < 5.0","outcome":"cold"}
          wait Catch
        --- s.json
        wait_until W condition="time() > 1.0" timeout_s=1 outcome_as=late
        "#,
        expect![[""]],
    );
}
