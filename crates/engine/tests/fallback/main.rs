//! Fallback: try, catch, and what a failure does to next. Each case carries the sentence it holds the engine to.

mod nested;
mod next;

use expect_test::expect;
use testkit::{check, run};

/// Try = the first child. Success: next = behind the fallback.
#[test]
fn a_try_that_succeeds_skips_the_catch() {
    check(
        "
        fallback F
          stand_in A duration_s=0.1
          stand_in B duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// On a failure next = the catch; it is a sequence of any length; then comes what is behind.
#[test]
fn a_try_that_fails_runs_the_catch() {
    check(
        "
        fallback F
          always_fail A
          stand_in B duration_s=0.1
          stand_in C duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.1 - B success
            0.1 + C
            0.2 - C success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// No catch: continue behind the fallback.
#[test]
fn a_failure_without_a_catch_continues_behind() {
    check(
        "
        fallback F
          stand_in A duration_s=0.1 fails_if=1==1
          stand_in B duration_s=0.2 after=F
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `1==1` holds
            0.2 - B success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

const CONCURRENT: &str = "
    stand_in Z duration_s=0.1
    fallback F
      stand_in A duration_s=0.2 fails_if=a
      stand_in B duration_s=0.1 fails_if=b after=F
      stand_in C duration_s=0.3 fails_if=c after=Z
      stand_in Catch duration_s=0.1
    stand_in D duration_s=0.1 after=Beginning
    @variables {\"a\": false, \"b\": false, \"c\": false}
    ";

/// Try = the first child plus directly following children whose first step executes after something before the
/// fallback's first step. Success needs every member passed and ended. Nothing behind it starts before the try is
/// decided.
#[test]
fn a_concurrent_try_succeeds_when_every_member_has() {
    check(
        CONCURRENT,
        "0.3 why",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.1 + B
            0.1 + C
            0.2 - B success
            0.3 - A success
            0.3 > root at Catch: waits until `C` has ended
            0.4 - C success
            0.4 + D
            0.5 - D success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// The failure of the first member: the catch when the running ones have ended.
#[test]
fn the_first_member_fails() {
    check(
        CONCURRENT,
        "
        0 set a true
        0.3 why
        ",
        expect![[r#"
            0.0 = a true
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.1 + B
            0.1 + C
            0.2 - B success
            0.3 - A failure: `a` holds
            0.3 > root at Catch: waits until `C` has ended
            0.4 - C success
            0.4 + Catch
            0.4 + D
            0.5 - Catch success
            0.5 - D success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// The failure of a middle one, and of the last one to end.
#[test]
fn another_member_fails() {
    let middle = run(CONCURRENT, "0 set b true");
    let last = run(CONCURRENT, "0 set c true");
    let without_ends = |trace: &str| {
        let lines = trace.lines().filter(|line| !line.contains("- B") && !line.contains("- C ") && !line.contains('='));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let expected = expect![[r#"
        0.0 + Z
        0.1 - Z success
        0.1 + A
        0.1 + B
        0.1 + C
        0.3 - A success
        0.4 + Catch
        0.4 + D
        0.5 - Catch success
        0.5 - D success
        0.5 # the behavior succeeded
    "#]];
    expected.assert_eq(&without_ends(&middle));
    expected.assert_eq(&without_ends(&last));
}

/// Several that fail in one tick start the catch once.
#[test]
fn several_members_fail_in_one_tick() {
    check(
        "
        fallback F
          stand_in A duration_s=0.1 fails_if=1==1
          stand_in B duration_s=0.1 fails_if=2==2 after=F
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `1==1` holds
            0.1 - B failure: `2==2` holds
            0.1 + Catch
            0.2 - Catch success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A following child that executes after a step of the try is catch, and so is everything behind it.
#[test]
fn only_directly_following_children_join_the_try() {
    check(
        "
        fallback F
          stand_in A duration_s=0.2
          stand_in B duration_s=0.1 after=A
          stand_in C duration_s=0.1 after=F
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// On a failure no further try step is triggered; a child counts whole: its first step decides that it belongs.
#[test]
fn a_failure_triggers_no_further_step_of_any_member() {
    check(
        "
        fallback F
          sequence S
            stand_in A duration_s=0.1 fails_if=1==1
            stand_in B duration_s=0.1
          sequence T after=F
            stand_in X duration_s=0.3
            stand_in Y duration_s=0.1
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.1 - A failure: `1==1` holds
            0.1 + Catch
            0.2 - Catch success
            0.2 # the behavior succeeded
        "#]],
    );
    check(
        "
        fallback F
          stand_in A duration_s=0.1 fails_if=1==1
          sequence T after=F
            stand_in X duration_s=0.3
            stand_in Y duration_s=0.1
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + X
            0.1 - A failure: `1==1` holds
            0.3 - X success
            0.3 + Catch
            0.4 - Catch success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// On a failure no further try step is triggered, also one that would have waited for nothing but the failed step.
#[test]
fn a_failure_triggers_no_step_that_executes_after_it() {
    check(
        r#"
        fallback F
          sequence S
            stand_in A duration_s=0.1 fails_if=1==1
            stand_in B duration_s=0.3 after=Beginning
            stand_in C duration_s=0.1 after=A
          stand_in Catch duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `1==1` holds
            0.3 - B success
            0.3 + Catch
            0.4 - Catch success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// No catch: continue behind the fallback, not with what is left of the try.
#[test]
fn a_failure_without_a_catch_leaves_out_the_rest_of_the_try() {
    check(
        r#"
        fallback F
          sequence S
            always_fail A
            stand_in B duration_s=0.1
        stand_in D duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + D
            0.1 - D success
            0.1 # the behavior succeeded
        "#]],
    );
}
