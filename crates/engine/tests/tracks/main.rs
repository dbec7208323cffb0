//! Tracks: execute after, next, the end of a track. Each case carries the sentence it holds the engine to.

mod order;

use expect_test::expect;
use testkit::{check, run};

/// *Previous* = the step before.
#[test]
fn previous_is_the_default() {
    let expected = expect![[r#"
        0.0 + A
        0.2 - A success
        0.2 + B
        0.3 - B success
        0.3 # the behavior succeeded
    "#]];
    for after in ["", "after=Previous"] {
        let outline = format!("stand_in A duration_s=0.2\nstand_in B duration_s=0.1 {after}");
        expected.assert_eq(&run(&outline, ""));
    }
}

/// *Beginning* = start of the own track.
#[test]
fn beginning_is_the_start_of_the_own_track() {
    check(
        "
        stand_in A duration_s=0.2
        loop L count=1
          stand_in B duration_s=0.2
          stand_in C duration_s=0.1 after=Beginning
        ",
        "",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + L
            0.2 + B
            0.2 + C
            0.3 - C success
            0.4 - B success
            0.4 - L success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A step = until it is no longer running; those in between are not waited for.
#[test]
fn after_a_step() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.5 after=Beginning
        stand_in C duration_s=0.1 after=A
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.2 - A success
            0.2 + C
            0.3 - C success
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A composite = until it is no longer running.
#[test]
fn after_a_composite() {
    check(
        "
        parallel P
          stand_in X duration_s=0.1
          stand_in Y duration_s=0.3
        stand_in B duration_s=0.1 after=Beginning
        stand_in C duration_s=0.1 after=P
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + Y
            0.0 + B
            0.1 - X success
            0.1 - B success
            0.3 - Y success
            0.3 - P success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A composite that still halts is still running.
#[test]
fn after_a_composite_that_halts() {
    check(
        "
        parallel P policy=one
          stand_in X duration_s=0.1
          stand_in Y duration_s=9 halt_s=0.2
        stand_in C duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + Y
            0.1 - X success
            0.3 - Y halted: what it belongs to was halted
            0.3 - P success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// An organising node that is an ancestor = the step before its first step: "start together with the sequence".
#[test]
fn after_an_ancestor_starts_together_with_it() {
    check(
        "
        stand_in Z duration_s=0.1
        sequence S
          stand_in A duration_s=0.3
          stand_in B duration_s=0.1 after=S
        ",
        "",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.1 + B
            0.2 - B success
            0.4 - A success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The step before its first step, and only that one: whatever runs longer further up does not count.
#[test]
fn after_an_organising_node_waits_for_the_step_before_its_first_step() {
    check(
        "
        stand_in Z duration_s=0.5
        stand_in W duration_s=0.3 after=Beginning
        sequence S
          stand_in A duration_s=0.1 after=Beginning
          stand_in B duration_s=0.1 after=S
        ",
        "",
        expect![[r#"
            0.0 + Z
            0.0 + W
            0.0 + A
            0.1 - A success
            0.3 - W success
            0.3 + B
            0.4 - B success
            0.5 - Z success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// An organising node that is no ancestor; with no step before it: Beginning.
#[test]
fn after_an_organising_node_elsewhere() {
    check(
        "
        sequence root
          sequence S
            stand_in A duration_s=0.2
            stand_in X duration_s=0.2
          stand_in C duration_s=0.1 after=S
        ",
        "",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + X
            0.2 + C
            0.3 - C success
            0.4 - X success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Fallbacks and skills are organising nodes too.
#[test]
fn after_a_skill_or_a_fallback() {
    check(
        "
        fallback F
          stand_in A duration_s=0.2
        skill U file=u.json
        stand_in C duration_s=0.1 after=U
        stand_in D duration_s=0.1 after=F
        --- u.json
        stand_in B duration_s=0.3
        ",
        "",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + U/B
            0.2 + C
            0.2 + D
            0.3 - C success
            0.3 - D success
            0.5 - U/B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A sequence with a timeout is a composite; inside it, its own name still means "together with it", so that adding a
/// timeout changes nothing but the timeout.
#[test]
fn a_guarded_sequence_named_from_inside_and_from_behind() {
    check(
        "
        sequence root
          sequence S timeout_s=9
            stand_in A duration_s=0.3
            stand_in B duration_s=0.1 after=S
          stand_in C duration_s=0.1 after=Beginning
          stand_in D duration_s=0.1 after=S
        ",
        "",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.0 + B
            0.0 + C
            0.1 - B success
            0.1 - C success
            0.3 - A success
            0.3 - S success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Something inside a composite of this track = that composite.
#[test]
fn after_something_inside_a_composite() {
    check(
        "
        parallel P
          sequence Left
            stand_in X duration_s=0.1
          stand_in Y duration_s=0.3
        stand_in B duration_s=0.1 after=Beginning
        stand_in C duration_s=0.1 after=X
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + Y
            0.0 + B
            0.1 - X success
            0.1 - B success
            0.3 - Y success
            0.3 - P success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Later, missing, or itself: runs as Previous.
#[test]
fn after_a_later_or_missing_step_runs_as_previous() {
    let expected = expect![[r#"
        0.0 + A
        0.2 - A success
        0.2 + B
        0.3 - B success
        0.3 + C
        0.4 - C success
        0.4 # the behavior succeeded
    "#]];
    for after in ["C", "Later", "Nowhere", "B"] {
        let outline = format!(
            "
            stand_in A duration_s=0.2
            stand_in B duration_s=0.1 after={after}
            sequence Later
              stand_in C duration_s=0.1
            "
        );
        expected.assert_eq(&run(&outline, ""));
    }
}

/// In an enclosing track: runs as Previous. Neither what ran there nor the composite itself counts.
#[test]
fn after_something_in_an_enclosing_track_runs_as_previous() {
    let expected = expect![[r#"
        0.0 + W
        0.1 - W success
        0.1 + L
        0.1 + A
        0.3 - A success
        0.3 + B
        0.4 - B success
        0.4 - L success
        0.4 # the behavior succeeded
    "#]];
    for after in ["W", "L", "root"] {
        let outline = format!(
            "
            sequence root
              stand_in W duration_s=0.1
              loop L count=1
                stand_in A duration_s=0.2
                stand_in B duration_s=0.1 after={after}
            "
        );
        expected.assert_eq(&run(&outline, ""));
    }
}
