//! Presses and the child tracks of composites.

use expect_test::expect;
use testkit::check;

const TWO_BRANCHES: &str = "
    sequence root
      parallel P
        sequence Left
          stand_in A duration_s=0.1
          stand_in B duration_s=0.1
        sequence Right
          stand_in C duration_s=0.1
          stand_in D duration_s=0.1
      stand_in E duration_s=0.1
    ";

/// Child tracks start automatic.
#[test]
fn child_tracks_start_automatic() {
    check(
        TWO_BRANCHES,
        "
        manual
        0 press
        0.3 why
        ",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + C
            0.1 - A success
            0.1 + B
            0.1 - C success
            0.1 + D
            0.2 - B success
            0.2 - D success
            0.2 - P success
            0.3 > root at E: automatic is off
        "#]],
    );
}

/// … or manual after *step into*. If a composite with manual tracks blocks the root, the press goes to those, in order.
#[test]
fn step_into() {
    check(
        TWO_BRANCHES,
        "
        manual
        0 press into
        0.1 why
        0.2 press
        0.4 press
        0.4 why
        0.6 press
        ",
        expect![[r#"
            0.0 + P
            0.1 > root at E: automatic is off
            0.1 > P at A: automatic is off
            0.1 > P at C: automatic is off
            0.2 + A
            0.2 + C
            0.3 - A success
            0.3 - C success
            0.4 + B
            0.4 + D
            0.4 > root at E: automatic is off
            0.4 > P at the end: the end is reached
            0.4 > P at the end: the end is reached
            0.5 - B success
            0.5 - D success
            0.5 - P success
            0.6 + E
            0.7 - E success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A press names a track: only that one moves. A track that can trigger nothing is passed over by a forwarded press.
#[test]
fn a_press_on_a_named_track() {
    check(
        TWO_BRANCHES,
        "
        manual
        0 press into
        0.1 press Right
        0.3 press D
        0.5 press D
        0.6 press
        ",
        expect![[r#"
            0.0 + P
            0.1 + C
            0.2 - C success
            0.3 + D
            0.4 - D success
            0.5 > refused `press D`: the track of `D` does not run
            0.6 + A
            0.7 - A success
        "#]],
    );
}

/// If none of the tracks it goes to can trigger anything, the press is refused.
#[test]
fn a_forwarded_press_that_triggers_nothing() {
    check(
        TWO_BRANCHES,
        "
        manual
        0 press into
        0.1 press
        0.1 press
        0.4 press
        0.4 press
        ",
        expect![[r#"
            0.0 + P
            0.1 + A
            0.1 + C
            0.1 > refused `press`: waits until `P` has ended
            0.2 - A success
            0.2 - C success
            0.4 + B
            0.4 + D
            0.4 > refused `press`: waits until `P` has ended
            0.5 - B success
            0.5 - D success
            0.5 - P success
        "#]],
    );
}

/// The press goes down through every composite that blocks; stepping into one does not step into those in it.
#[test]
fn nested_composites() {
    check(
        "
        loop L count=1
          loop M count=1
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
          loop N count=1
            stand_in C duration_s=0.1
            stand_in D duration_s=0.1
        ",
        "
        manual
        0 press into
        0.1 press into
        0.2 press
        0.4 press
        0.6 press
        ",
        expect![[r#"
            0.0 + L
            0.1 + M
            0.2 + A
            0.3 - A success
            0.4 + B
            0.5 - B success
            0.5 - M success
            0.6 + N
            0.6 + C
            0.7 - C success
            0.7 + D
            0.8 - D success
            0.8 - N success
            0.8 - L success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// Automatic off / on sets all tracks.
#[test]
fn automatic_sets_all_tracks() {
    check(
        TWO_BRANCHES,
        "
        0 automatic off
        0 press
        0.1 automatic off
        0.3 why
        0.4 press
        0.5 automatic on
        ",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + C
            0.1 - A success
            0.1 - C success
            0.3 > root at E: automatic is off
            0.3 > P at B: automatic is off
            0.3 > P at D: automatic is off
            0.4 + B
            0.4 + D
            0.5 - B success
            0.5 - D success
            0.5 - P success
            0.5 + E
            0.6 - E success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// … also those that a running composite starts later: the next pass of a loop does not begin by itself.
#[test]
fn automatic_off_holds_the_next_pass_of_a_loop() {
    check(
        "
        loop L
          stand_in A duration_s=0.2
        ",
        "
        0.1 automatic off
        0.4 why
        0.5 press
        0.8 automatic on
        end 1.1
        ",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.2 - A success
            0.4 > root at the end: the end is reached
            0.4 > L at A: automatic is off
            0.5 + A
            0.7 - A success
            0.8 + A
            1.0 - A success
            1.0 + A
        "#]],
    );
}

/// … and on lets a loop that was stepped into go on by itself, pass after pass.
#[test]
fn automatic_on_after_step_into() {
    check(
        "
        loop L count=3
          stand_in A duration_s=0.1
        ",
        "
        manual
        0 press into
        0.1 automatic on
        ",
        expect![[r#"
            0.0 + L
            0.1 + A
            0.2 - A success
            0.2 + A
            0.3 - A success
            0.3 + A
            0.4 - A success
            0.4 - L success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A press whose track ends before its step is reached has triggered nothing, and says so.
#[test]
fn a_press_on_a_track_that_ends() {
    check(
        "
        sequence root
          parallel P policy=one
            stand_in A duration_s=0.1
            sequence Right
              stand_in B duration_s=0.3
              stand_in C
          stand_in E
        ",
        "
        manual
        0 press
        0 why
        ",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 > root at E: automatic is off
            0.0 > P at the end: the end is reached
            0.0 > P at C: waits until `B` has ended
            0.1 - A success
            0.1 - B halted: what it belongs to was halted
            0.1 - P success
        "#]],
    );
    check(
        "
        sequence root
          parallel P policy=one
            stand_in A duration_s=0.1
            sequence Right
              stand_in C
          stand_in E
        ",
        "
        manual
        0 press into
        0.1 press A
        0.2 press C
        ",
        expect![[r#"
            0.0 + P
            0.1 + A
            0.2 - A success
            0.2 - P success
            0.2 > refused `press C`: what it belongs to has ended
        "#]],
    );
}

/// A press through a manual track of a gosub.
#[test]
fn step_into_a_call() {
    check(
        "
        sequence root
          gosub Call target=S
          stand_in E
          sequence S
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
        ",
        "
        manual
        0 press into
        0.1 press
        0.3 press Call/B
        0.5 why
        ",
        expect![[r#"
            0.0 + Call
            0.1 + Call/A
            0.2 - Call/A success
            0.3 + Call/B
            0.4 - Call/B success
            0.4 - Call success
            0.5 > root at E: automatic is off
        "#]],
    );
}

/// A press in a concurrent try takes the try's set; the catch waits for the try.
#[test]
fn a_press_in_a_try() {
    check(
        "
        fallback F
          stand_in A duration_s=0.1 fails_if=1==1
          stand_in B duration_s=0.3 after=F
          stand_in Catch duration_s=0.1 after=A
        ",
        "
        manual
        0 press
        0.2 press
        0.4 press
        ",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `1==1` holds
            0.2 > refused `press`: the try of `F` is not decided
            0.3 - B success
            0.4 + Catch
            0.5 - Catch success
            0.5 # the behavior succeeded
        "#]],
    );
}
