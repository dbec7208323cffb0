//! A step may require an autonomy level for a named outcome: its result is held until the level allows it or the
//! operator passes or forces it.

use expect_test::expect;
use testkit::check;

const REACH: &str = r#"
    always_succeed Reach outcome=reached outcome_autonomy={"reached":"high"}
    wait Next duration_s=0.1
    "#;

/// The level lets it pass: equal holds, above passes.
#[test]
fn the_level_allows_it() {
    check(
        REACH,
        "0 level low
         0.1 why
         0.2 level high
         0.4 level full",
        expect![[r#"
            0.0 + Reach
            0.0 ! Reach held: `Reach` ended in success "reached", which needs an autonomy level above high, the operator's is low
            0.1 > root at Next: `Reach` ended in success "reached", which needs an autonomy level above high, the operator's is low
            0.4 - Reach success "reached"
            0.4 + Next
            0.5 - Next success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Above it nothing is held, and other outcomes are not.
#[test]
fn only_the_named_outcome_is_held() {
    check(
        REACH,
        "",
        expect![[r#"
        0.0 + Reach
        0.0 - Reach success "reached"
        0.0 + Next
        0.1 - Next success
        0.1 # the behavior succeeded
    "#]],
    );
    check(
        r#"
        always_succeed Reach outcome=other outcome_autonomy={"reached":"full"}
        "#,
        "",
        expect![[r#"
            0.0 + Reach
            0.0 - Reach success "other"
            0.0 # the behavior succeeded
        "#]],
    );
}

/// A press on its track or continue by its name lets it pass; a bare continue does not decide for the operator.
#[test]
fn the_operator_passes_it() {
    check(
        REACH,
        "0 level low
         0.1 continue
         0.2 press
         0.3 level full",
        expect![[r#"
            0.0 + Reach
            0.0 ! Reach held: `Reach` ended in success "reached", which needs an autonomy level above high, the operator's is low
            0.1 > refused `continue`: name what continues: `Reach`
            0.2 - Reach success "reached"
            0.2 + Next
            0.3 - Next success
            0.3 # the behavior succeeded
        "#]],
    );
    check(
        REACH,
        "0 level low
         0.2 continue Reach
         0.3 level full",
        expect![[r#"
            0.0 + Reach
            0.0 ! Reach held: `Reach` ended in success "reached", which needs an autonomy level above high, the operator's is low
            0.2 - Reach success "reached"
            0.2 + Next
            0.3 - Next success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Forced, it ends as the operator says, also where that outcome needs the level.
#[test]
fn the_operator_forces_it() {
    check(
        REACH,
        "0 level low
         0.2 force Reach failure reached",
        expect![[r#"
            0.0 + Reach
            0.0 ! Reach held: `Reach` ended in success "reached", which needs an autonomy level above high, the operator's is low
            0.2 - Reach failure "reached": forced by the operator
            0.2 # the behavior ended: failure: forced by the operator
        "#]],
    );
}

/// What starts beside it goes on, what executes after it waits, its claims stay taken; a failure is held before the
/// catch hears of it; what a composite hands up counts, and `outcome_as` is what it ends with.
#[test]
fn held_is_running() {
    check(
        r#"
        parallel P
          fallback F
            sequence S outcome_autonomy={"slipped":"full"} claims=["arm"]
              always_fail A outcome=slipped
            wait Catch duration_s=0.1
          wait B duration_s=0.1 claims=["arm"]
          always_succeed C outcome=fine outcome_as=slipped outcome_autonomy={"slipped":"full","fine":"off"}
        "#,
        "0.2 why
         0.3 continue S
         0.6 continue C",
        expect![[r#"
            0.0 + P
            0.0 + S
            0.0 + A
            0.0 - A failure "slipped": it is set to always fail
            0.0 ! S held: `S` ended in failure "slipped", which needs an autonomy level above full, the operator's is full
            0.0 ! B held: `arm` is held by `S`
            0.0 + C
            0.0 ! C held: `C` ended in success "slipped", which needs an autonomy level above full, the operator's is full
            0.2 > root at the end: the end is reached
            0.2 > P at Catch: `S` ended in failure "slipped", which needs an autonomy level above full, the operator's is full
            0.2 > P at B: `arm` is held by `S`
            0.2 > P at the end: `C` ended in success "slipped", which needs an autonomy level above full, the operator's is full
            0.3 - S failure "slipped": it is set to always fail
            0.3 + Catch
            0.3 + B
            0.4 - Catch success
            0.4 - B success
            0.6 - C success "slipped"
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A step whose `until` held before it started reports a result, too.
#[test]
fn also_where_it_did_not_start() {
    check(
        r#"
        wait A until={"condition":"true","outcome":"there"} outcome_autonomy={"there":"full"}
        wait B duration_s=0.1
        "#,
        "0.2 press",
        expect![[r#"
            0.0 ! A held: `A` ended in success "there", which needs an autonomy level above full, the operator's is full
            0.2 - A success "there": not started: `until true` holds
            0.2 + B
            0.3 - B success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Stop halts it, an edit that deletes it too; behind a retry and a lock it is held all the same.
#[test]
fn stop_edit_retry_and_lock() {
    check(
        r#"
        sequence root
          always_fail A outcome=slipped retry=1 outcome_autonomy={"slipped":"full"}
          wait B duration_s=0.1
        "#,
        "0 lock A
         0.3 unlock A
         0.5 stop
         0.6 automatic on
         0.9 delete A",
        expect![[r#"
            0.0 + A
            0.0 # A: failed; attempt 2 of 2 follows
            0.1 ! B held: `A` is locked
            0.3 ! A held: `A` ended in failure "slipped", which needs an autonomy level above full, the operator's is full
            0.5 - A halted: stop was pressed
            0.5 # stopped: stop was pressed
            0.5 > robot stop
            0.6 + A
            0.6 # A: failed; attempt 2 of 2 follows
            0.7 ! A held: `A` ended in failure "slipped", which needs an autonomy level above full, the operator's is full
            0.9 - A halted: it was deleted or moved out of its track
            0.9 + B
            1.0 - B success
            1.0 # the behavior succeeded
        "#]],
    );
}
