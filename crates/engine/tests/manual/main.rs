//! Manual stepping: presses, what they trigger and why they are refused. Each case carries the sentence it holds the
//! engine to.

mod inside;

use expect_test::expect;
use testkit::check;

const THREE: &str = "
    stand_in A duration_s=0.2
    stand_in B duration_s=0.1
    stand_in C duration_s=0.1
    ";

/// A track is automatic or manual: a manual one starts nothing by itself; a press (default root) triggers the next step.
#[test]
fn a_press_triggers_the_next_step() {
    check(
        THREE,
        "
        manual
        0.1 why
        0.2 press
        0.5 why
        0.6 press
        0.8 press
        ",
        expect![[r#"
            0.1 > root at A: automatic is off
            0.2 + A
            0.4 - A success
            0.5 > root at B: automatic is off
            0.6 + B
            0.7 - B success
            0.8 + C
            0.9 - C success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// A press that can trigger nothing is refused with the reason, never kept for later.
#[test]
fn a_refused_press_is_not_kept() {
    check(
        THREE,
        "
        manual
        0 press
        0.1 press
        0.4 why
        ",
        expect![[r#"
            0.0 + A
            0.1 > refused `press`: waits until `A` has ended
            0.2 - A success
            0.4 > root at B: automatic is off
        "#]],
    );
}

/// The reasons: the end is reached, it still runs, paused, a step failed.
#[test]
fn refused_with_the_reason() {
    check(
        "
        stand_in A duration_s=0.5
        stand_in B duration_s=0.1 after=Beginning fails_if=1==1
        stand_in C
        ",
        "
        manual
        0 pause
        0 press
        0.1 resume
        0.1 press
        0.3 press
        0.4 next A
        0.4 press
        ",
        expect![[r#"
            0.0 # paused
            0.0 > refused `press`: paused
            0.0 > robot holds
            0.1 # resumed
            0.1 + A
            0.1 + B
            0.1 > robot goes on
            0.2 - B failure: `1==1` holds
            0.3 > refused `press`: a step failed
            0.4 > refused `press`: it still runs
            0.6 - A success
        "#]],
    );
    check(
        "stand_in A duration_s=0.1",
        "
        manual
        0 press
        0.2 press
        ",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 # the behavior succeeded
            0.2 > refused `press`: the end is reached: run it from the start, or set next
        "#]],
    );
}

/// Two presses in one tick are not taken for one, nor is the second kept.
#[test]
fn a_second_press_in_one_tick_is_refused() {
    check(
        THREE,
        "
        manual
        0 press
        0 press
        ",
        expect![[r#"
            0.0 + A
            0.0 > refused `press`: it was pressed in this tick already
            0.2 - A success
        "#]],
    );
}

/// The set of a press = the unbroken run of steps from next whose execute-after index is below next at the press.
#[test]
fn a_press_triggers_a_concurrent_set() {
    check(
        "
        stand_in Z duration_s=0.1
        stand_in A duration_s=0.1
        stand_in B duration_s=0.1 after=Beginning
        stand_in C duration_s=0.1 after=Z
        stand_in D duration_s=0.1 after=A
        stand_in E duration_s=0.1 after=Beginning
        ",
        "
        manual
        0 press
        0.2 press
        0.4 press
        ",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.2 + A
            0.2 + B
            0.2 + C
            0.3 - A success
            0.3 - B success
            0.3 - C success
            0.4 + D
            0.4 + E
            0.5 - D success
            0.5 - E success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// … below next at the press: a step of the set that ends at once draws nothing more in.
#[test]
fn the_set_is_fixed_at_the_press() {
    check(
        "
        checkpoint A
        checkpoint B
        checkpoint C after=A
        ",
        "
        manual
        0 press
        0.1 press
        ",
        expect![[r#"
            0.0 + A
            0.0 - A success
            0.1 + B
            0.1 - B success
            0.1 + C
            0.1 - C success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// With concurrency off every step is a set of its own.
#[test]
fn a_set_with_concurrency_off() {
    check(
        "
        stand_in A duration_s=0.1
        stand_in B duration_s=0.1 after=Beginning
        ",
        "
        manual
        0 concurrency off
        0 press
        0.2 press
        ",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.2 + B
            0.3 - B success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A set is one press: what of it must wait for a claim starts when it may; setting next withdraws it.
#[test]
fn a_set_that_waits_for_a_claim() {
    let arms = "
        stand_in A duration_s=0.2 claims=[\"arm\"]
        stand_in B duration_s=0.1 claims=[\"arm\"] after=Beginning
        stand_in C duration_s=0.1
        ";
    check(
        arms,
        "
        manual
        0 press
        0.5 press
        ",
        expect![[r#"
            0.0 + A
            0.0 ! B held: `arm` is held by `A`
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.5 + C
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        arms,
        "
        manual
        0 press
        0.1 next C
        0.4 next B
        0.6 why
        ",
        expect![[r#"
            0.0 + A
            0.0 ! B held: `arm` is held by `A`
            0.2 - A success
            0.6 > root at B: automatic is off
        "#]],
    );
}

/// A press passes autonomy level and breakpoint.
#[test]
fn a_press_passes_autonomy_and_breakpoint() {
    check(
        "
        stand_in A duration_s=0.1 autonomy=high
        stand_in B duration_s=0.1
        sequence S
          stand_in C duration_s=0.1
        ",
        "
        0 level low
        0 break B
        0 break S
        0.1 press
        0.3 press
        0.5 press
        ",
        expect![[r#"
            0.0 ! A held: needs an autonomy level above high, the operator's is low
            0.1 + A
            0.2 - A success
            0.2 ! B held: held at `B`: breakpoint
            0.3 + B
            0.4 - B success
            0.5 + C
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// … never a lock.
#[test]
fn a_press_does_not_pass_a_lock() {
    check(
        "
        sequence root
          sequence S
            stand_in A duration_s=0.1
          stand_in B duration_s=0.1
        ",
        "
        manual
        0 lock S
        0 press
        0.2 press
        0.3 unlock S
        0.4 press
        ",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.2 > refused `press`: `S` is locked
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// … nor a claim.
#[test]
fn a_press_does_not_pass_a_claim() {
    check(
        "
        stand_in A duration_s=0.3 claims=[\"arm\"]
        checkpoint K after=Beginning
        stand_in B duration_s=0.1 claims=[\"arm\"] after=K
        ",
        "
        manual
        0 press
        0.1 press
        0.2 press
        0.4 why
        0.5 press
        ",
        expect![[r#"
            0.0 + A
            0.0 + K
            0.0 - K success
            0.1 ! B held: `arm` is held by `A`
            0.1 > refused `press`: `arm` is held by `A`
            0.2 > refused `press`: `arm` is held by `A`
            0.3 - A success
            0.4 > root at B: automatic is off
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}
