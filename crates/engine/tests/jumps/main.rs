//! Jumps: goto, set-next, gosub. Each case carries the sentence it holds the engine to.

mod gosub;
mod into;

use expect_test::expect;
use testkit::{check, run};

/// Goto X: next becomes the step that is X. Other running steps of the track continue.
#[test]
fn goto_within_a_track() {
    check(
        "
        stand_in A duration_s=0.3
        goto G target=C after=Beginning
        stand_in B
        stand_in C duration_s=0.1 after=Beginning
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + G
            0.0 - G success
            0.0 + C
            0.1 - C success
            0.3 - A success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Goto an organising node: next becomes its first step.
#[test]
fn goto_an_organising_node() {
    check(
        "
        sequence root
          goto G target=S
          stand_in A
          sequence S
            sequence Inner
              stand_in B duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + B
            0.1 - B success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// Goto with no target, or `Next`: the step behind. With a target that is not there: a failure that says so.
#[test]
fn goto_next_and_goto_nowhere() {
    check(
        "
        goto G
        goto H target=Next
        goto K target=Nowhere
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + H
            0.0 - H success
            0.0 + K
            0.0 - K failure: there is no node `Nowhere` to go to
            0.0 # the behavior ended: failure: there is no node `Nowhere` to go to
        "#]],
    );
}

/// A composite being left is halted: out of a parallel.
#[test]
fn out_of_a_parallel() {
    check(
        "
        stand_in Other duration_s=0.4
        parallel P after=Beginning
          sequence Left
            stand_in W duration_s=0.1
            goto G target=Z
          stand_in Y
        stand_in N
        stand_in Z duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Other
            0.0 + P
            0.0 + W
            0.0 + Y
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - Y halted: what it belongs to was halted
            0.1 - P halted: a jump left it
            0.1 + Z
            0.2 - Z success
            0.4 - Other success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Out of a loop, a choose, a guarded sequence: the same.
#[test]
fn out_of_other_composites() {
    for (composite, place) in [("loop P", "stand_in Y"), ("choose P", "stand_in Y"), ("sequence P timeout_s=9", "")] {
        let trace = run(
            &format!(
                "
                sequence root
                  {composite}
                    sequence Body
                      stand_in W duration_s=0.1
                      goto G target=Z
                    {place}
                  stand_in N
                  stand_in Z duration_s=0.1
                "
            ),
            "",
        );
        expect![[r#"
            0.0 + P
            0.0 + W
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - P halted: a jump left it
            0.1 + Z
            0.2 - Z success
            0.2 # the behavior succeeded
        "#]]
        .assert_eq(&trace);
    }
}

/// Out of several composites at once: the outermost that is left is halted, with all in it.
#[test]
fn out_of_nested_composites() {
    check(
        "
        sequence root
          parallel P
            loop L
              stand_in W duration_s=0.1
              goto G target=Z
            stand_in Y halt_s=0.2
          stand_in Z duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + L
            0.0 + W
            0.0 + Y
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - L halted: what it belongs to was halted
            0.3 - Y halted: what it belongs to was halted
            0.3 - P halted: a jump left it
            0.3 + Z
            0.4 - Z success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The innermost track that holds both ends: a jump inside a branch leaves nothing.
#[test]
fn within_a_branch() {
    check(
        "
        parallel P
          sequence Left
            goto G target=B
            stand_in A
            stand_in B duration_s=0.1
          stand_in Y duration_s=0.2
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + G
            0.0 - G success
            0.0 + B
            0.0 + Y
            0.1 - B success
            0.2 - Y success
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}
