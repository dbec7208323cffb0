//! What a fallback does to next, and jumps into and out of it.

use expect_test::expect;
use testkit::check;

use super::CONCURRENT;

/// It moves next only while next is inside it or directly behind it: a jump out of the try keeps its next, and the
/// failure that comes later starts no catch. Entering it anew forgets old results.
#[test]
fn a_fallback_that_was_left_does_not_move_next() {
    check(
        "
        sequence root
          stand_in E1 duration_s=0.6
          stand_in E2 duration_s=0.1
          fallback F
            stand_in A duration_s=0.3 fails_if=1==1
            sequence S after=F
              stand_in W duration_s=0.1
              goto G target=E1
            stand_in Catch
        ",
        "
        end 1.5
        1.1 why
        ",
        expect![[r#"
            0.0 + E1
            0.6 - E1 success
            0.6 + E2
            0.7 - E2 success
            0.7 + A
            0.7 + W
            0.8 - W success
            0.8 + G
            0.8 - G success
            0.8 + E1
            1.0 - A failure: `1==1` holds
            1.1 > root at E2: waits until `E1` has ended
            1.4 - E1 success
            1.4 + E2
            1.5 - E2 success
            1.5 + A
            1.5 + W
        "#]],
    );
}

/// Nothing behind it starts before the try is decided, not even what a jump out of the try points at.
#[test]
fn a_jump_behind_waits_for_the_try() {
    check(
        "
        sequence root
          fallback F
            stand_in A duration_s=0.3
            goto G target=E after=F
            stand_in Catch
          stand_in D
          stand_in E duration_s=0.1 after=Beginning
        ",
        "0.1 why",
        expect![[r#"
            0.0 + A
            0.0 + G
            0.0 - G success
            0.1 > root at E: the try of `F` is not decided
            0.3 - A success
            0.3 + E
            0.4 - E success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// … directly behind: a jump there does not save the try from its failure.
#[test]
fn a_failure_moves_next_from_directly_behind() {
    check(
        "
        sequence root
          fallback F
            stand_in A duration_s=0.2 fails_if=1==1
            goto G target=D after=F
            stand_in Catch duration_s=0.1
          stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + G
            0.0 - G success
            0.2 - A failure: `1==1` holds
            0.2 + Catch
            0.3 - Catch success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

const HAND: &str = "
    sequence root
      fallback Fallback
        condition Check condition=raised
        stand_in Arm duration_s=0.2
        set Raised values={\"raised\":\"true\"}
        goto Again target=Fallback
      stand_in Spine duration_s=0.1
    @variables {\"raised\": false}
    ";

/// Entering it anew forgets old results: check the hand, raise the arm, go to the fallback, check again, turn the spine.
#[test]
fn the_fallback_example_of_the_thesis() {
    check(
        HAND,
        "",
        expect![[r#"
            0.0 + Check
            0.0 - Check failure: `raised` does not hold
            0.0 + Arm
            0.2 - Arm success
            0.2 + Raised
            0.2 = raised true
            0.3 - Raised success
            0.3 + Again
            0.3 - Again success
            0.3 + Check
            0.3 - Check success
            0.3 + Spine
            0.4 - Spine success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The same in manual mode, as the thesis shows it.
#[test]
fn the_fallback_example_of_the_thesis_step_by_step() {
    check(
        HAND,
        "
        manual
        0.1 press
        0.2 press
        0.3 press
        0.5 press
        0.7 press
        0.8 press
        0.8 why
        0.9 press
        ",
        expect![[r#"
            0.1 + Check
            0.1 - Check failure: `raised` does not hold
            0.2 + Arm
            0.3 > refused `press`: waits until `Arm` has ended
            0.4 - Arm success
            0.5 + Raised
            0.5 = raised true
            0.6 - Raised success
            0.7 + Again
            0.7 - Again success
            0.8 + Check
            0.8 - Check success
            0.8 > root at Spine: automatic is off
            0.9 + Spine
            1.0 - Spine success
            1.0 # the behavior succeeded
        "#]],
    );
}

/// A jump from the try into the catch skips the rest of the try: the catch runs, once the try's running steps ended.
#[test]
fn a_jump_into_the_catch() {
    check(
        "
        sequence root
          fallback F
            stand_in A duration_s=0.2
            goto G target=C after=F
            stand_in B
            stand_in C duration_s=0.1 after=Beginning
          stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + G
            0.0 - G success
            0.2 - A success
            0.2 + C
            0.3 - C success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// … and so does an operator who sets next there in the middle of the try.
#[test]
fn setting_next_into_the_catch() {
    check(
        "
        fallback F
          sequence Try
            stand_in A duration_s=0.1
            stand_in B
          stand_in C duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "
        manual
        0 press
        0.2 next C
        0.3 press
        0.5 press
        ",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.3 + C
            0.4 - C success
            0.5 + D
            0.6 - D success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// From outside too: the catch runs though the try never did.
#[test]
fn a_jump_from_outside_into_the_catch() {
    check(
        "
        sequence root
          goto G target=C
          fallback F
            stand_in A
            stand_in C duration_s=0.1
          stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + C
            0.1 - C success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Concurrency off changes when the members run, not what belongs to the try.
#[test]
fn a_concurrent_try_with_concurrency_off() {
    check(
        CONCURRENT,
        "
        0 concurrency off
        0 set b true
        ",
        expect![[r#"
            0.0 = b true
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.3 - A success
            0.3 + B
            0.4 - B failure: `b` holds
            0.4 + Catch
            0.5 - Catch success
            0.5 + D
            0.6 - D success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A fallback with a timeout runs as a composite and is a fallback all the same.
#[test]
fn a_guarded_fallback() {
    check(
        "
        sequence root
          fallback F timeout_s=9
            always_fail A
            stand_in B duration_s=0.1
          stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + F
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.1 - B success
            0.1 - F success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}
