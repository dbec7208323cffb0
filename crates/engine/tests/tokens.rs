//! Reserved tokens and the claims of composites.

use expect_test::expect;
use testkit::check;

/// A reserved token belongs to its track: steps there and in child tracks may use it but still exclude each other,
/// others wait; freed by the track's end.
#[test]
fn a_reserved_token() {
    check(
        r#"
        parallel P
          sequence S
            reserve R token=x
            parallel Q
              stand_in A claims=["x"] duration_s=0.2
              stand_in B claims=["x"] duration_s=0.2
            stand_in C claims=["x"] duration_s=0.1
            wait Late duration_s=0.1
          stand_in Other claims=["x"] duration_s=0.1
        "#,
        "0.55 why
         0.5 tokens",
        expect![[r#"
            0.0 + P
            0.0 + R
            0.0 - R success
            0.0 + Q
            0.0 + A
            0.0 ! B held: `x` is held by `A`
            0.0 ! Other held: `x` is held by `A`
            0.2 - A success
            0.2 + B
            0.2 ! Other held: `x` is held by `B`
            0.4 - B success
            0.4 - Q success
            0.4 + C
            0.4 ! Other held: `x` is held by `C`
            0.5 - C success
            0.5 + Late
            0.5 ! Other held: `x` is held by `S` in `P` (reserved)
            0.5 > x held by `S` in `P` (reserved)
            0.6 - Late success
            0.6 + Other
            0.7 - Other success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Inside of a reservation, too, the longest waiter goes first.
#[test]
fn longest_waiter_first_inside_a_reservation() {
    check(
        r#"
        reserve R token=x
        parallel Q
          stand_in A claims=["x"] duration_s=0.3
          sequence S
            wait W duration_s=0.1
            stand_in Young claims=["x"] duration_s=0.1
          stand_in Old claims=["x"] duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + R
            0.0 - R success
            0.0 + Q
            0.0 + A
            0.0 + W
            0.0 ! Old held: `x` is held by `A`
            0.1 - W success
            0.1 ! Young held: `x` is held by `A`
            0.3 - A success
            0.3 ! Young held: `x` goes first to a step that has waited longer
            0.3 + Old
            0.4 ! Young held: `x` is held by `Old`
            0.4 - Old success
            0.5 + Young
            0.6 - Young success
            0.6 - Q success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Freed by relinquish, counting at once in tick order: a later track gets it in that tick, an earlier in the next.
#[test]
fn relinquish_counts_at_once() {
    for (waiter, start) in [("Before", "0.3"), ("Behind", "0.2")] {
        let (before, behind) = match waiter {
            "Before" => ("stand_in Before claims=[\"x\"] duration_s=0.1", "always_succeed Other"),
            _ => ("always_succeed Other", "stand_in Behind claims=[\"x\"] duration_s=0.1"),
        };
        let trace = testkit::run(
            &format!(
                "
                reserve Outer token=x
                relinquish Free token=x
                parallel P
                  sequence Early
                    wait Tick duration_s=0.1
                    {before}
                  sequence S
                    reserve R token=x
                    wait W duration_s=0.2
                    relinquish Back token=x
                    wait Rest duration_s=0.5
                  sequence Late
                    wait Tock duration_s=0.1
                    {behind}
                "
            ),
            "",
        );
        assert!(trace.contains(&format!("{start} + {waiter}\n")), "{trace}");
    }
}

/// A child track may relinquish what a track around it reserved; what nobody reserved gives a warning.
#[test]
fn relinquish_for_a_track_around() {
    check(
        r#"
        reserve R token=x
        sequence S retry=1
          relinquish Back token=x
          relinquish Again token=x
        "#,
        "0 tokens",
        expect![[r#"
            0.0 + R
            0.0 - R success
            0.0 + S
            0.0 + Back
            0.0 - Back success
            0.0 + Again
            0.0 # Again: `x` was not reserved here
            0.0 - Again success
            0.0 - S success
            0.0 # the behavior succeeded
            0.0 > x free
        "#]],
    );
}

/// The end of the root track, by stop too, frees what it reserved; a reservation in a branch ends with the branch.
#[test]
fn a_reservation_ends_with_its_track() {
    check(
        r#"
        sequence S timeout_s=9
          reserve R token=x
        reserve R2 token=y
        wait W
        "#,
        "0.1 tokens
         0.2 stop
         0.2 tokens",
        expect![[r#"
            0.0 + S
            0.0 + R
            0.0 - R success
            0.0 - S success
            0.0 + R2
            0.0 - R2 success
            0.0 + W
            0.1 > x free
            0.1 > y held by the behavior (reserved)
            0.2 - W halted: stop was pressed
            0.2 # stopped: stop was pressed
            0.2 > robot stop
            0.2 > x free
            0.2 > y free
        "#]],
    );
}

/// A composite's claim is open to the steps inside, one at a time, and closed to all others until it ends.
#[test]
fn a_composite_claim_is_open_inside() {
    check(
        r#"
        parallel P
          parallel Q claims=["x"]
            stand_in A claims=["x"] duration_s=0.1
            stand_in B claims=["x"] duration_s=0.1
            wait Long duration_s=0.4
          stand_in Other claims=["x"] duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + Q
            0.0 + A
            0.0 ! B held: `x` is held by `A`
            0.0 + Long
            0.0 ! Other held: `x` is held by `A`
            0.1 - A success
            0.1 + B
            0.1 ! Other held: `x` is held by `B`
            0.2 - B success
            0.2 ! Other held: `x` is held by `Q`
            0.4 - Long success
            0.4 - Q success
            0.4 + Other
            0.5 - Other success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}
