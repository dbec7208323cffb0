//! Claims and tokens.

use expect_test::expect;
use testkit::check;

/// A claim is a set; intersecting sets conflict, disjoint ones do not. Policy wait is the default.
#[test]
fn intersecting_sets_conflict() {
    check(
        r#"
        parallel P
          stand_in A claims=["arm","hand"] duration_s=0.3
          stand_in B claims=["hand","leg"] duration_s=0.1
          stand_in C claims=["head"] duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: `hand` is held by `A`
            0.0 + C
            0.1 - C success
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Granted all or nothing: who waits for one holds none of the others.
#[test]
fn all_or_nothing() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"] duration_s=0.3
          stand_in B claims=["x","y"] duration_s=0.1
        "#,
        "0.1 tokens
         0.3 tokens",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: `x` is held by `A`
            0.1 > x held by `A`
            0.1 > y free
            0.3 - A success
            0.3 + B
            0.3 > x held by `B`
            0.3 > y held by `B`
            0.4 - B success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Longest waiter first, whatever the tree order: a later, smaller claim does not starve it either.
#[test]
fn longest_waiter_first() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"] duration_s=0.5
          sequence S
            wait W duration_s=0.2
            stand_in Young claims=["x"] duration_s=0.1
          stand_in Old claims=["x","y"] duration_s=0.1
          sequence T
            wait V duration_s=0.3
            stand_in Small claims=["y"] duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.0 ! Old held: `x` is held by `A`
            0.0 + V
            0.2 - W success
            0.2 ! Young held: `x` is held by `A`
            0.3 - V success
            0.3 ! Small held: `y` goes first to a step that has waited longer
            0.5 - A success
            0.5 ! Young held: `x` goes first to a step that has waited longer
            0.5 + Old
            0.5 ! Small held: `y` is held by `Old`
            0.6 ! Young held: `x` is held by `Old`
            0.6 - Old success
            0.6 + Small
            0.7 + Young
            0.7 - Small success
            0.8 - Young success
            0.8 - P success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// Then tree order. A pause does not shuffle the queue.
#[test]
fn then_tree_order_also_after_a_pause() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"] duration_s=0.4
          sequence S
            wait W duration_s=0.1
            stand_in Third claims=["x"] duration_s=0.1
          stand_in First claims=["x"] duration_s=0.1
          stand_in Second claims=["x"] duration_s=0.1
        "#,
        "0.2 pause
         0.6 resume",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.0 ! First held: `x` is held by `A`
            0.0 ! Second held: `x` is held by `A`
            0.1 - W success
            0.1 ! Third held: `x` is held by `A`
            0.2 # paused
            0.2 > robot holds
            0.6 # resumed
            0.6 ! Third held: `x` is held by `A`
            0.6 ! First held: `x` is held by `A`
            0.6 ! Second held: `x` is held by `A`
            0.6 > robot goes on
            0.8 - A success
            0.8 ! Third held: `x` goes first to a step that has waited longer
            0.8 + First
            0.8 ! Second held: `x` is held by `First`
            0.9 ! Third held: `x` is held by `First`
            0.9 - First success
            0.9 + Second
            1.0 ! Third held: `x` is held by `Second`
            1.0 - Second success
            1.1 + Third
            1.2 - Third success
            1.2 - P success
            1.2 # the behavior succeeded
        "#]],
    );
}

/// Policy fail: it fails at once, not started, with the reason.
#[test]
fn policy_fail() {
    check(
        r#"
        sequence Root
          parallel P
            stand_in A claims=["x"] duration_s=0.2
            fallback F
              stand_in B claims=["x"] on_conflict=fail
              wait Catch duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 - B failure: `x` is held by `A`
            0.0 + Catch
            0.1 - Catch success
            0.2 - A success
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Override: the claim moves in the same tick, the earlier step ends halted; halted fails no track.
#[test]
fn policy_override() {
    check(
        r#"
        sequence Root
          parallel P
            fallback F
              sequence S
                stand_in A claims=["x"]
                wait Then duration_s=0.1
              wait Catch
            sequence T
              wait W duration_s=0.2
              stand_in B claims=["x"] on_conflict=override duration_s=0.3
        "#,
        "0.2 tokens",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.2 - W success
            0.2 - A halted: overridden by `B`
            0.2 + B
            0.2 > x held by `B`
            0.3 + Then
            0.4 - Then success
            0.5 - B success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Override within one track: the next step takes over from the one that runs.
#[test]
fn override_in_the_same_track() {
    check(
        r#"
        stand_in A claims=["x"]
        wait W duration_s=0.2 after=Beginning
        stand_in B after=W claims=["x"] on_conflict=override duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + A
            0.0 + W
            0.2 - W success
            0.2 - A halted: overridden by `B`
            0.2 + B
            0.3 - B success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Only what is wanted moves: an overridden step that halts slowly keeps its other parts, and past the limit the
/// robot stops those, not the part that another step has now.
#[test]
fn override_of_a_slow_step() {
    check(
        r#"
        sequence Root
          parallel P
            stand_in A claims=["x","y"] halt_s=9
            sequence T
              wait W duration_s=0.2
              stand_in B claims=["x"] on_conflict=override duration_s=2.5
            sequence U
              wait V duration_s=0.3
              stand_in C claims=["y"] duration_s=0.1
        "#,
        "0.4 tokens
         2.5 still y",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.0 + V
            0.2 - W success
            0.2 + B
            0.3 - V success
            0.3 ! C held: `y` is held by `A`
            0.4 > x held by `B`
            0.4 > y held by `A`
            2.2 # A: did not come to rest in 2 s: its parts get a robot stop
            2.2 - A halted: overridden by `B`
            2.2 ! C held: `y` is held by the robot, which has not come to rest
            2.2 > robot stop of y
            2.5 + C
            2.6 - C success
            2.7 - B success
            2.7 - P success
            2.7 # the behavior succeeded
        "#]],
    );
}

/// Override of a composite's claim halts all of it.
#[test]
fn override_of_a_composite() {
    check(
        r#"
        sequence Root
          parallel P
            sequence S claims=["x"]
              stand_in A claims=["x"]
              wait Never
            sequence T
              wait W duration_s=0.2
              stand_in B claims=["x"] on_conflict=override duration_s=0.1
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + S
            0.0 + A
            0.0 + W
            0.2 - W success
            0.2 - A halted: overridden by `B`
            0.2 - S halted: overridden by `B`
            0.2 + B
            0.3 - B success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A cycle of waits fails the youngest, with the reason; the older ones get what it then gives back.
#[test]
fn a_circle_of_waits_fails_the_youngest() {
    check(
        "
        sequence Root
          parallel P
            sequence S
              reserve A1 token=a
              wait W1 duration_s=0.2
              reserve B1 token=b
            fallback F
              sequence T
                reserve B2 token=b
                wait W2 duration_s=0.3
                reserve A2 token=a
              relinquish Back token=b
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A1
            0.0 - A1 success
            0.0 + W1
            0.0 + B2
            0.0 - B2 success
            0.0 + W2
            0.2 - W1 success
            0.2 ! B1 held: `b` is held by `F` in `P` (reserved)
            0.3 - W2 success
            0.3 ! A2 held: `a` is held by `S` in `P` (reserved)
            0.3 - A2 failure: waits in a circle with `B1`, `A2`: each holds what the other needs; it began to wait last (for `a`), so it fails. Reserve tokens in the same order everywhere
            0.3 + Back
            0.3 - Back success
            0.4 + B1
            0.4 - B1 success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A circle of three, closed through a composite's claim.
#[test]
fn a_circle_of_three() {
    let trace = testkit::run(
        r#"
        parallel P
          sequence A claims=["a"]
            wait W1 duration_s=0.1
            wait WantsB claims=["b"]
          sequence B claims=["b"]
            wait W2 duration_s=0.2
            wait WantsC claims=["c"]
          sequence C claims=["c"]
            wait W3 duration_s=0.3
            wait WantsA claims=["a"]
        "#,
        "",
    );
    assert!(trace.contains("0.3 - WantsA failure: waits in a circle with `WantsB`, `WantsC`, `WantsA`"), "{trace}");
    assert_eq!(trace.matches("in a circle").count(), 4, "the step, its sequence, the parallel, the run: {trace}");
}

/// A step that no longer waits (jumped over, deleted, automatic off) does not hold up those behind it.
#[test]
fn who_no_longer_waits_holds_nobody_up() {
    check(
        r#"
        sequence Root
          parallel P
            stand_in A claims=["x"] duration_s=0.3
            stand_in Gone claims=["x"]
            stand_in B claims=["x"] duration_s=0.1
        "#,
        "0.1 delete Gone",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! Gone held: `x` is held by `A`
            0.0 ! B held: `x` is held by `A`
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A step that waits has its claims edited: it waits for what it claims now.
#[test]
fn claims_edited_while_waiting() {
    check(
        r#"
        sequence Root
          parallel P
            stand_in A claims=["x"] duration_s=0.3
            stand_in B claims=["x"] duration_s=0.2
        "#,
        "0.1 setting B claims [\"y\"]",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: `x` is held by `A`
            0.1 + B
            0.3 - A success
            0.3 - B success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// `executionMode` OVERRIDE / QUEUE of thesis files loads as override / wait.
#[test]
fn execution_mode_of_thesis_files() {
    let step = |name: &str, mode: &str, after: &str, duration_s: f64| {
        serde_json::json!({
            "type": "WaitDurationActionDefinition", "name": name, "notes": "", "children": [], "claims": ["x"],
            "executeAfterAction": after, "executionMode": mode, "waitDuration": duration_s,
        })
    };
    let file = serde_json::json!({
        "type": "ActionSequenceDefinition", "name": "Root", "notes": "",
        "children": [
            step("A", "QUEUE", "Previous", 0.3),
            step("B", "QUEUE", "Beginning", 0.3),
            step("C", "OVERRIDE", "Beginning", 0.1),
        ],
    });
    let mut files = model::file::MemoryFiles::default();
    files.insert("main.json", file.to_string());
    let registry = testkit::registry();
    let loaded = model::file::load("main.json", &files, registry.catalogue()).expect("it loads");
    let mut engine = engine::Engine::new(loaded.library, registry, &engine::Options::default());
    let trace = testkit::run_engine(&mut engine, &testkit::Script::parse(""));
    expect![[r#"
        0.0 + A
        0.0 ! B held: `x` is held by `A`
        0.3 - A success
        0.3 + B
        0.3 - B halted: overridden by `C`
        0.3 + C
        0.4 - C success
        0.4 # the behavior succeeded
    "#]]
    .assert_eq(&trace);
}

/// A step that waits is jumped over: it has no place in the queue any more.
#[test]
fn who_is_jumped_over_waits_no_more() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"] duration_s=0.3
          sequence S
            stand_in Over claims=["x"]
            wait Other duration_s=0.6
          stand_in B claims=["x"] duration_s=0.1
        "#,
        "0.1 next Other",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! Over held: `x` is held by `A`
            0.0 ! B held: `x` is held by `A`
            0.1 + Other
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.7 - Other success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A cycle of waits that an edit closes: what it made wait for something else has waited for that the shortest.
#[test]
fn a_circle_closed_by_an_edit() {
    check(
        r#"
        sequence Root
          parallel P
            stand_in Z claims=["c"] duration_s=1
            sequence S
              reserve A1 token=a
              stand_in X claims=["c"] duration_s=0.1
            sequence T
              reserve B1 token=b
              stand_in Y claims=["a"] duration_s=0.1
        "#,
        "0.2 setting X claims [\"b\"]",
        expect![[r#"
            0.0 + P
            0.0 + Z
            0.0 + A1
            0.0 - A1 success
            0.0 ! X held: `c` is held by `Z`
            0.0 + B1
            0.0 - B1 success
            0.0 ! Y held: `a` is held by `S` in `P` (reserved)
            0.2 ! X held: `b` is held by `T` in `P` (reserved)
            0.2 - X failure: waits in a circle with `X`, `Y`: each holds what the other needs; it began to wait last (for `b`), so it fails. Reserve tokens in the same order everywhere
            0.2 - Z halted: what it belongs to was halted
            0.2 - P failure: waits in a circle with `X`, `Y`: each holds what the other needs; it began to wait last (for `b`), so it fails. Reserve tokens in the same order everywhere
            0.2 # the behavior ended: failure: waits in a circle with `X`, `Y`: each holds what the other needs; it began to wait last (for `b`), so it fails. Reserve tokens in the same order everywhere
        "#]],
    );
}
