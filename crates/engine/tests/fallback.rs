//! Fallback: try, catch, and what a failure does to next. Each case carries the sentence it holds the engine to.

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

/// A sequence counts whole: its last step may fail the try.
#[test]
fn a_sequence_is_one_member() {
    check(
        "
        fallback F
          sequence S
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1 fails_if=1==1
            stand_in X duration_s=0.1
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B failure: `1==1` holds
            0.2 + Catch
            0.3 - Catch success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A composite counts whole.
#[test]
fn a_composite_is_one_member() {
    check(
        "
        fallback F
          parallel P
            stand_in X duration_s=0.1 fails_if=1==1
            stand_in Y duration_s=0.3
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + Y
            0.1 - X failure: `1==1` holds
            0.1 - Y halted: what it belongs to was halted
            0.1 - P failure: `1==1` holds
            0.1 + Catch
            0.2 - Catch success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A nested fallback counts with its catch, and handles its own failures first.
#[test]
fn a_nested_fallback_handles_its_own_failures_first() {
    check(
        "
        fallback F
          fallback N
            always_fail A
            stand_in B duration_s=0.1
          stand_in Catch duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.1 - B success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A failure in a catch is a failure of the enclosing try.
#[test]
fn a_failure_in_a_nested_catch_fails_the_enclosing_try() {
    check(
        "
        fallback F
          fallback N
            always_fail A
            always_fail B
          stand_in Catch duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.0 - B failure: it is set to always fail
            0.0 + Catch
            0.1 - Catch success
            0.1 + D
            0.2 - D success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// … and with no enclosing try a failure of the track.
#[test]
fn a_failure_in_the_outermost_catch_fails_the_track() {
    check(
        "
        fallback F
          always_fail A
          always_fail B
        stand_in D
        ",
        "0.1 why",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.0 - B failure: it is set to always fail
            0.0 # the behavior ended: failure: it is set to always fail
            0.1 > root at B: automatic is off
        "#]],
    );
}

/// The enclosing try has failed already: a nested catch is a further try step and is not triggered.
#[test]
fn a_nested_catch_does_not_start_in_a_failed_try() {
    check(
        "
        fallback F
          stand_in A duration_s=0.1 fails_if=1==1
          fallback N after=F
            stand_in B duration_s=0.2 fails_if=2==2
            stand_in Inner duration_s=0.1
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `1==1` holds
            0.2 - B failure: `2==2` holds
            0.2 + Catch
            0.3 - Catch success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A fallback in a catch.
#[test]
fn a_fallback_in_a_catch() {
    check(
        "
        fallback F
          always_fail A
          fallback N
            always_fail B
            stand_in C duration_s=0.1
          stand_in X duration_s=0.1
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + B
            0.0 - B failure: it is set to always fail
            0.0 + C
            0.1 - C success
            0.1 + X
            0.2 - X success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A skill used twice: each use has a try of its own, also when both run at once.
#[test]
fn a_fallback_in_a_skill_used_twice() {
    check(
        "
        parallel P
          skill One file=f.json inputs={\"bad\":true}
          skill Two file=f.json inputs={\"bad\":false}
        --- f.json
        @inputs {\"bad\": {\"type\": \"boolean\"}}
        fallback F
          stand_in Try duration_s=0.1 fails_if=bad
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 = bad true
            0.0 + One/Try
            0.0 = bad false
            0.0 + Two/Try
            0.1 - One/Try failure: `bad` holds
            0.1 + One/Catch
            0.1 - Two/Try success
            0.2 - One/Catch success
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A catch may ask for named outcomes: one it asks for starts it.
#[test]
fn a_catch_that_asks_for_an_outcome_gets_it() {
    check(
        "
        fallback F outcomes=[\"slipped\",\"late\"]
          always_fail A outcome=late
          stand_in Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A failure "late": it is set to always fail
            0.0 + Catch
            0.1 - Catch success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// A failure it does not ask for passes it by: to the enclosing try, else it fails the track.
#[test]
fn a_failure_nobody_asks_for_passes_by() {
    check(
        "
        fallback F
          fallback N outcomes=[\"slipped\"]
            always_fail A outcome=fell
            stand_in Inner duration_s=0.1
          stand_in Outer duration_s=0.1
        fallback G outcomes=[\"slipped\"]
          always_fail B
          stand_in C
        ",
        "0.2 why",
        expect![[r#"
            0.0 + A
            0.0 - A failure "fell": it is set to always fail
            0.0 + Outer
            0.1 - Outer success
            0.1 + B
            0.1 - B failure: it is set to always fail
            0.1 # the behavior ended: failure: it is set to always fail
            0.2 > root at B: automatic is off
        "#]],
    );
}

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

/// Entering it anew forgets old results: the thesis' check-raise-check loop. (Seed: check hand, arm, goto, spine.)
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
