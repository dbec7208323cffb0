//! Steps that no run comes to.

use expect_test::expect;

use crate::common::problems;

#[test]
fn behind_a_goto() {
    problems(
        r#"
        goto G target=End
        wait A
        wait B
        checkpoint End
        wait C
        "#,
        expect![[r#"
            warning: main.json /A: this never runs: `G` before it always goes to `End`
                take it out, or let a goto lead here
        "#]],
    );
}

#[test]
fn not_behind_a_goto_that_may_stay() {
    problems(
        r#"
        wait A
        goto G target=End until="time() > 9.0"
        wait B
        choose C
          goto H target=End when="time() > 1.0"
        wait D
        checkpoint End
        "#,
        expect![[""]],
    );
}

#[test]
fn what_a_jump_leads_to_is_reached() {
    problems(
        r#"
        goto G target=Tail
        sequence Help
          wait A
        sequence Tail
          wait B
          choose C
            goto H target=Help when="time() < 5.0"
        "#,
        expect![[""]],
    );
}

#[test]
fn behind_a_goto_in_a_try() {
    problems(
        r#"
        fallback F
          sequence T
            condition C condition="time() > 1.0"
            goto G target=End
            wait A
          wait Catch
        wait B
        checkpoint End
        "#,
        expect![[r#"
            warning: main.json /F/T/A: this never runs: `G` before it always goes to `End`
                take it out, or let a goto lead here
        "#]],
    );
}

#[test]
fn behind_an_endless_loop() {
    problems(
        r#"
        loop L
          wait A
        wait B
        wait C
        "#,
        expect![[r#"
            warning: main.json /B: this never runs: `L` before it never ends
                let `L` end, or set `after` so that this does not wait for it
        "#]],
    );
}

#[test]
fn not_behind_a_loop_that_ends() {
    problems(
        r#"
        loop One count=3
          wait A
        loop Two condition="time() < 3.0"
          wait B
        loop Three
          stand_in C fails_if="time() > 9.0" end_as=success
          choose D
            goto Out target=Behind when="time() > 9.0"
        checkpoint Behind
        loop Four timeout_s=5
          wait E
        wait F
        "#,
        expect![[""]],
    );
}

#[test]
fn behind_a_condition_that_is_always_true() {
    problems(
        r#"
        sequence S
          loop L condition="1 < 2"
            wait A
        sequence T
          wait B
        "#,
        expect![[r#"
            warning: main.json /T/B: this never runs: `L` before it never ends
                let `L` end, or set `after` so that this does not wait for it
        "#]],
    );
}

#[test]
fn in_another_skill() {
    problems(
        r#"
        skill S file=s.json
        wait A
        --- s.json
        loop L
          wait B
        "#,
        expect![[r#"
            warning: main.json /A: this never runs: `S` before it never ends
                let `S` end, or set `after` so that this does not wait for it
        "#]],
    );
}

#[test]
fn behind_a_step_that_always_fails() {
    problems(
        r#"
        wait A
        always_fail STOP
        wait B
        wait C
        "#,
        expect![[r#"
            warning: main.json /B: this never runs: `STOP` before it always fails
                take `STOP` out, or move this before it
        "#]],
    );
}

#[test]
fn a_failure_that_is_caught_goes_on() {
    problems(
        r#"
        fallback F
          sequence T
            always_fail X
            wait A
          wait Catch
        fallback G
          always_fail Y
          always_fail Z
        wait B
        "#,
        expect![[r#"
            warning: main.json /F/T/A: this never runs: `X` before it always fails
                take `X` out, or move this before it
            warning: main.json /B: this never runs: `Z` before it always fails
                take `Z` out, or move this before it
        "#]],
    );
}

#[test]
fn cases() {
    problems(
        r#"
        choose One
          wait A when="time() > 1.0"
          wait B
          wait C when="time() > 2.0"
        choose Two
          wait D when="1 > 2"
          wait E when=true
          wait F
        "#,
        expect![[r#"
            warning: main.json /One/C: this case is never taken: `B` before it always is
                move it before `B`, or give that case a `when`
            warning: main.json /Two/D [when]: this case is never taken: its condition never holds
                mend the condition, or take the case out
            error: main.json /Two/E [when]: `when` must be a text or an object, is true
                change it, or leave it out
        "#]],
    );
}

#[test]
fn cases_that_may_be_taken() {
    problems(
        r#"
        choose One
          wait A when="time() > 1.0"
          wait B when={"outcome":"x"}
          wait C
        "#,
        expect![[r#"
            warning: main.json /B [when]: this case is never taken: what is asked never ends with the outcome `x`
                take the case out, or give what is asked that outcome
        "#]],
    );
}
