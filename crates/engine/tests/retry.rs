//! Timeout, retry, and the result a step reports.

use expect_test::expect;
use testkit::check;

/// The timeout counts all attempts, from the first start; it stands outside of retry and ends it.
#[test]
fn timeout_over_all_attempts() {
    check(
        "
        stand_in A duration_s=0.4 fails_if=bad retry=5 timeout_s=1
        @variables {\"bad\": true}
        ",
        "",
        expect![[r#"
            0.0 + A
            0.4 # A: failed; attempt 2 of 6 follows
            0.9 # A: failed; attempt 3 of 6 follows
            1.0 - A failure "timeout": timed out after 1 s
            1.0 # the behavior ended: failure: timed out after 1 s
        "#]],
    );
}

/// Guards stand outside of the timeout, the timeout outside of the step's own end.
#[test]
fn guards_then_timeout_then_step() {
    check(
        "
        wait A timeout_s=0.3 until=go
        fallback F
          wait B duration_s=0.2 timeout_s=0.2
          wait Catch duration_s=0.1
        @variables {\"go\": false}
        ",
        "0.3 set go true",
        expect![[r#"
            0.0 + A
            0.3 = go true
            0.3 - A success: `until go` holds
            0.3 + B
            0.5 - B failure "timeout": timed out after 0.2 s
            0.5 + Catch
            0.6 - Catch success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// The timeout excludes pauses, and the time before the first start.
#[test]
fn timeout_excludes_pauses() {
    check(
        r#"
        stand_in First claims=["arm"] duration_s=0.5
        stand_in A after=Beginning claims=["arm"] timeout_s=0.4
        "#,
        "0.7 pause
         1.7 resume",
        expect![[r#"
            0.0 + First
            0.0 ! A held: `arm` is held by `First`
            0.5 - First success
            0.5 + A
            0.7 # paused
            0.7 > robot holds
            1.7 # resumed
            1.7 > robot goes on
            1.9 - A failure "timeout": timed out after 0.4 s
            1.9 # the behavior ended: failure: timed out after 0.4 s
        "#]],
    );
}

/// Between attempts it counts as running and keeps its claims; the next attempt comes in the next tick.
#[test]
fn retry_keeps_running_and_claims() {
    check(
        r#"
        parallel P
          sequence S
            stand_in A duration_s=0.2 fails_if=bad retry=2 claims=["arm"]
            wait Then duration_s=0.1
          stand_in B claims=["arm"] duration_s=0.1
        @variables {"bad": true}
        "#,
        "0.2 tokens
         0.4 set bad false",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: `arm` is held by `A`
            0.2 # A: failed; attempt 2 of 3 follows
            0.2 > arm held by `A`
            0.4 = bad false
            0.5 - A success
            0.5 + Then
            0.5 + B
            0.6 - Then success
            0.6 - B success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// After the last attempt the failure is the step's.
#[test]
fn retry_ends() {
    check(
        "
        always_fail A retry=1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 # A: failed; attempt 2 of 2 follows
            0.1 - A failure: it is set to always fail
            0.1 # the behavior ended: failure: it is set to always fail
        "#]],
    );
}

/// Only its own failure is retried: neither a guard's, nor a timeout's, nor one the operator forced, nor a claim's.
#[test]
fn only_the_own_failure_is_retried() {
    check(
        r#"
        stand_in Holder claims=["arm"] duration_s=9
        fallback F1
          wait A while=ok retry=3 after=Beginning
          always_succeed C1
        fallback F2
          wait B timeout_s=0.1 retry=3
          always_succeed C2
        fallback F3
          wait C retry=3
          always_succeed C3
        fallback F4
          wait D claims=["arm"] on_conflict=fail retry=3
          always_succeed C4
        @variables {"ok": true}
        "#,
        "0.1 set ok false
         0.5 force C failure
         0.6 stop",
        expect![[r#"
            0.0 + Holder
            0.0 + A
            0.1 = ok false
            0.1 - A failure: `while ok` does not hold
            0.1 + C1
            0.1 - C1 success
            0.1 + B
            0.2 - B failure "timeout": timed out after 0.1 s
            0.2 + C2
            0.2 - C2 success
            0.2 + C
            0.5 - C failure: forced by the operator
            0.5 + C3
            0.5 - C3 success
            0.5 - D failure: `arm` is held by `Holder`
            0.5 + C4
            0.5 - C4 success
            0.6 - Holder halted: stop was pressed
            0.6 # stopped: stop was pressed
            0.6 > robot stop
        "#]],
    );
}

/// Gates are not asked again between attempts, and automatic off does not stop the attempts of what runs.
#[test]
fn gates_are_not_asked_again() {
    check(
        "
        stand_in A duration_s=0.2 fails_if=bad retry=2
        wait B duration_s=0.1
        @variables {\"bad\": true}
        ",
        "0.1 level off
         0.1 break A
         0.1 automatic off
         0.3 set bad false
         0.6 why
         0.7 stop",
        expect![[r#"
            0.0 + A
            0.2 # A: failed; attempt 2 of 3 follows
            0.3 = bad false
            0.5 - A success
            0.6 > root at B: automatic is off
            0.7 # stopped: stop was pressed
            0.7 > robot stop
        "#]],
    );
}

/// A composite is retried whole: what still runs of the last attempt comes to rest first.
#[test]
fn retry_of_a_composite() {
    check(
        "
        parallel P retry=1
          stand_in Slow halt_s=0.3 duration_s=0.6
          sequence S
            wait A duration_s=0.1
            stand_in B duration_s=0.1 fails_if=bad
        @variables {\"bad\": true}
        ",
        "0.4 set bad false",
        expect![[r#"
            0.0 + P
            0.0 + Slow
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B failure: `bad` holds
            0.2 # P: failed; attempt 2 of 2 follows
            0.4 = bad false
            0.5 - Slow halted: what it belongs to was halted
            0.5 + Slow
            0.5 + A
            0.6 - A success
            0.6 + B
            0.7 - B success
            1.1 - Slow success
            1.1 - P success
            1.1 # the behavior succeeded
        "#]],
    );
}

/// A guard ends a composite between attempts, too, once what halts has come to rest.
#[test]
fn a_guard_between_attempts() {
    check(
        "
        parallel P retry=1 until=go
          stand_in Slow halt_s=0.5
          always_fail F
        @variables {\"go\": false}
        ",
        "0.2 set go true",
        expect![[r#"
            0.0 + P
            0.0 + Slow
            0.0 + F
            0.0 - F failure: it is set to always fail
            0.0 # P: failed; attempt 2 of 2 follows
            0.2 = go true
            0.5 - Slow halted: what it belongs to was halted
            0.5 - P success: `until go` holds
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Force-failure and force-success are results: `end_as` and `outcome_as`; halted stays halted.
#[test]
fn end_as() {
    check(
        "
        always_fail A end_as=success outcome_as=tried
        sequence S end_as=success
          always_fail B
        fallback F
          wait C duration_s=0.1 end_as=failure outcome_as=no
          always_succeed Catch
        wait D end_as=success
        ",
        "0.3 stop",
        expect![[r#"
            0.0 + A
            0.0 - A success "tried": it is set to always fail
            0.0 + S
            0.0 + B
            0.0 - B failure: it is set to always fail
            0.0 - S success: it is set to always fail
            0.0 + C
            0.1 - C failure "no": it is set to end as failure
            0.1 + Catch
            0.1 - Catch success
            0.1 + D
            0.3 - D halted: stop was pressed
            0.3 # stopped: stop was pressed
            0.3 > robot stop
        "#]],
    );
}

/// Pause: no attempt begins in it.
#[test]
fn no_attempt_in_a_pause() {
    check(
        r#"
        always_fail A retry=1
        "#,
        "0.1 pause
         0.5 resume",
        expect![[r#"
            0.0 + A
            0.0 # A: failed; attempt 2 of 2 follows
            0.1 # paused
            0.1 > robot holds
            0.5 # resumed
            0.5 - A failure: it is set to always fail
            0.5 # the behavior ended: failure: it is set to always fail
            0.5 > robot goes on
        "#]],
    );
}
