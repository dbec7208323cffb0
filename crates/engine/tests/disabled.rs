//! Steps that are disabled: they count as not there. Each case carries the sentence it holds the engine to.

use expect_test::expect;
use testkit::check;

/// A disabled node does not run, with all that is in it, and what follows executes after what is before it.
#[test]
fn it_counts_as_not_there() {
    check(
        "
        wait A duration_s=0.1
        wait B duration_s=9 disabled=true
        sequence S disabled=true
          wait C duration_s=9
        parallel P
          wait D duration_s=0.2
          wait E duration_s=9 disabled=true
        wait F duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + P
            0.1 + D
            0.3 - D success
            0.3 - P success
            0.3 + F
            0.4 - F success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Who executes after a disabled node waits for nobody, as after one that never ran.
#[test]
fn whoever_executes_after_it_does_not_wait() {
    check(
        "
        wait A duration_s=0.5
        wait B duration_s=0.5 disabled=true
        wait C duration_s=0.1 after=B
        wait D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + C
            0.1 - C success
            0.1 + D
            0.2 - D success
            0.5 - A success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A disabled child of a fallback is neither try nor catch; who waits for one that is disabled in there does not join
/// the try by that.
#[test]
fn in_a_fallback_the_next_child_is_tried() {
    check(
        "
        fallback F
          wait A duration_s=9 disabled=true
          always_fail B
          wait C duration_s=0.1 after=A
        wait D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + B
            0.0 - B failure: it is set to always fail
            0.0 + C
            0.1 - C success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Enabled directly before next, it runs; behind the boundary it does not. Disabled at next, next is what follows.
#[test]
fn while_it_runs_it_comes_and_goes_as_by_insert_and_delete() {
    check(
        "
        wait A duration_s=0.2
        wait B duration_s=0.1 disabled=true
        wait C duration_s=0.2
        wait D duration_s=9
        wait E duration_s=0.1
        ",
        "0.1 setting B disabled false
         0.4 setting B disabled true
         0.4 setting D disabled true",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.3 + C
            0.5 - C success
            0.5 + E
            0.6 - E success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A running step that is disabled ends halted, like one that is deleted.
#[test]
fn a_running_step_that_is_disabled_halts() {
    check(
        "
        wait A duration_s=9
        wait B duration_s=0.1
        ",
        "0.1 setting A disabled true",
        expect![[r#"
            0.0 + A
            0.1 - A halted: it was deleted or moved out of its track
            0.1 + B
            0.2 - B success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Of a parallel that runs, a branch that is disabled no longer counts, and one that is enabled starts.
#[test]
fn branches_come_and_go() {
    check(
        "
        parallel P
          wait A duration_s=0.3
          wait B duration_s=9
          wait C duration_s=0.1 disabled=true
        ",
        "0.1 setting B disabled true
         0.1 setting C disabled false",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - B halted: it was deleted or moved out of its track
            0.1 + C
            0.2 - C success
            0.3 - A success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}
