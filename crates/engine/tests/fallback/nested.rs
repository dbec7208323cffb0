//! A child counts whole: sequences, composites, fallbacks, skills; named outcomes.

use expect_test::expect;
use testkit::check;

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
