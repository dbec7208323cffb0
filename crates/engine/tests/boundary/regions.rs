//! What is put into fallbacks and skills beside next.

use expect_test::expect;
use testkit::check;

/// Put into a decided fallback, try or catch: behind the boundary, even if nothing stands between.
#[test]
fn into_a_decided_fallback() {
    check(
        "
        sequence Root
          fallback F
            sequence Try
              wait A duration_s=0.1
            wait Catch
          fallback G
            sequence Try2
              wait A2 duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 break B
         0.3 insert F 2 wait Catch2
         0.3 insert Try2 1 wait More
         0.3 insert G 1 wait CatchG
         0.3 why
         0.4 insert Root 2 wait Between duration_s=0.1
         0.4 continue",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + A2
            0.2 - A2 success
            0.2 ! B held: held at `B`: breakpoint
            0.3 ! B held: held at `B`: breakpoint
            0.3 > root at B: held at `B`: breakpoint
            0.4 + Between
            0.5 - Between success
            0.5 ! B held: held at `B`: breakpoint
        "#]],
    );
}

/// While the try runs, a step appended to it becomes next; one put into the catch runs if it is needed.
#[test]
fn into_an_undecided_try() {
    check(
        "
        sequence Root
          fallback F
            sequence Try
              wait A duration_s=0.2
            wait Catch duration_s=0.1
          wait B duration_s=0.1
        ",
        "0.1 insert F 1 wait First duration_s=0.1
         0.1 insert Try 1 always_fail More",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + More
            0.2 - More failure: it is set to always fail
            0.2 + First
            0.3 - First success
            0.3 + Catch
            0.4 - Catch success
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A catch that runs: a step appended to it becomes next, one put into the try does not run.
#[test]
fn into_a_catch_that_runs() {
    check(
        "
        sequence Root
          fallback F
            sequence Try
              always_fail A
            wait Catch duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 insert Try 1 wait Late
         0.1 insert F 2 wait More duration_s=0.1
         0.1 why",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + Catch
            0.1 > root at More: waits until `Catch` has ended
            0.3 - Catch success
            0.3 + More
            0.4 - More success
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Put into a skill that has ended: it does not run. While something of the skill runs, an appended step is next.
#[test]
fn into_a_skill() {
    check(
        "
        sequence Root
          skill Use file=skill.json
          wait B duration_s=0.2
        --- skill.json
        wait A duration_s=0.3
        ",
        "0 break B
         0.1 insert Use/root 1 wait More duration_s=0.1
         0.1 why
         0.6 insert Use/root 2 wait Late
         0.6 why",
        expect![[r#"
            0.0 + Use/A
            0.1 > root at Use/More: waits until `A` has ended
            0.3 - Use/A success
            0.3 + Use/More
            0.4 - Use/More success
            0.4 ! B held: held at `B`: breakpoint
            0.6 ! B held: held at `B`: breakpoint
            0.6 > root at B: held at `B`: breakpoint
        "#]],
    );
}

/// A plain sequence only orders: what is appended to it stands directly before next.
#[test]
fn into_a_sequence() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 break B
         0.3 insert S 1 wait More duration_s=0.1
         0.3 continue",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `B`: breakpoint
            0.3 + More
            0.4 - More success
            0.4 ! B held: held at `B`: breakpoint
        "#]],
    );
}

/// A fallback inserted whole directly before next runs like any other step; filled later, too.
#[test]
fn a_new_fallback() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 insert Root 1 fallback F
         0.2 insert F 0 wait Try duration_s=0.1
         0.2 why",
        expect![[r#"
            0.0 + A
            0.2 > root at Try: waits until `A` has ended
            0.3 - A success
            0.3 + Try
            0.4 - Try success
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A branch that has ended stays ended: what is appended runs when its composite starts again.
#[test]
fn appended_to_an_ended_branch() {
    check(
        "
        sequence Root
          loop L count=2
            parallel P
              sequence S
                wait A duration_s=0.1
              wait B duration_s=0.3
        ",
        "0.2 insert S 1 wait More duration_s=0.1",
        expect![[r#"
            0.0 + L
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.3 - B success
            0.3 - P success
            0.3 + P
            0.3 + A
            0.3 + B
            0.4 - A success
            0.4 + More
            0.5 - More success
            0.6 - B success
            0.6 - P success
            0.6 - L success
            0.6 # the behavior succeeded
        "#]],
    );
}
