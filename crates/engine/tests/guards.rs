//! Guards.

use expect_test::expect;
use testkit::check;

/// Checked before triggering. Until true: success, not started.
#[test]
fn until_before_the_start() {
    check(
        "
        wait A until=go
        wait B duration_s=0.1
        @variables {\"go\": true}
        ",
        "",
        expect![[r#"
            0.0 - A success: not started: `until go` holds
            0.0 + B
            0.1 - B success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// While false: failure, not started; both at once: while beats until.
#[test]
fn while_before_the_start() {
    check(
        "
        fallback F
          wait A while=ok until=go
          wait Catch duration_s=0.1
        wait B while=ok
        @variables {\"go\": true, \"ok\": false}
        ",
        "",
        expect![[r#"
            0.0 - A failure: not started: `while ok` does not hold
            0.0 + Catch
            0.1 - Catch success
            0.1 - B failure: not started: `while ok` does not hold
            0.1 # the behavior ended: failure: not started: `while ok` does not hold
        "#]],
    );
}

/// Then each tick before the step ticks: the guard ends it, with the outcome the guard names.
#[test]
fn each_tick() {
    check(
        r#"
        wait A until={"condition":"go","outcome":"touched"}
        fallback F outcomes=["slipped"]
          wait B while=[{"condition":"fine"},{"condition":"ok","outcome":"slipped"}]
          wait Catch duration_s=0.1
        @variables {"go": false, "ok": true, "fine": true}
        "#,
        "0.3 set go true
         0.6 set ok false",
        expect![[r#"
            0.0 + A
            0.3 = go true
            0.3 - A success "touched": `until go` holds
            0.3 + B
            0.6 = ok false
            0.6 - B failure "slipped": `while ok` does not hold
            0.6 + Catch
            0.7 - Catch success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// While beats until in the same tick.
#[test]
fn while_beats_until() {
    check(
        "
        wait A while=ok until=go
        @variables {\"go\": false, \"ok\": true}
        ",
        "0.3 set go true
         0.3 set ok false",
        expect![[r#"
            0.0 + A
            0.3 = go true
            0.3 = ok false
            0.3 - A failure: `while ok` does not hold
            0.3 # the behavior ended: failure: `while ok` does not hold
        "#]],
    );
}

/// Until beats the step's own end: a step that would fail in that tick succeeds.
#[test]
fn until_beats_the_own_end() {
    check(
        "
        stand_in A duration_s=0.3 fails_if=bad until=go
        @variables {\"go\": false, \"bad\": true}
        ",
        "0.3 set go true",
        expect![[r#"
            0.0 + A
            0.3 = go true
            0.3 - A success: `until go` holds
            0.3 # the behavior succeeded
        "#]],
    );
}

/// While beats the step's own end, also of one that only waits for its update to be visible.
#[test]
fn while_beats_the_own_end() {
    check(
        r#"
        fallback F
          wait A duration_s=0.3 while=ok
          set B values={"x":"1"} while=fine
        @variables {"ok": true, "fine": true}
        "#,
        "0.3 set ok false
         0.4 set fine false",
        expect![[r#"
            0.0 + A
            0.3 = ok false
            0.3 - A failure: `while ok` does not hold
            0.3 + B
            0.3 = x 1
            0.4 = fine false
            0.4 - B failure: `while fine` does not hold
            0.4 # the behavior ended: failure: `while fine` does not hold
        "#]],
    );
}

/// Events are edges after the start: what is so already does not count, what becomes so does.
#[test]
fn edges_count_after_the_start() {
    check(
        r#"
        wait Rise until={"condition":"go","edge":"rise"}
        wait Fall until={"condition":"go","edge":"fall"}
        wait Bump while={"condition":"bump","edge":"rise"}
        @variables {"go": true, "bump": true}
        "#,
        "0.2 set go false
         0.4 set go true
         0.5 set go true
         0.7 set go false
         0.9 set bump false
         1.1 set bump true",
        expect![[r#"
            0.0 + Rise
            0.2 = go false
            0.4 = go true
            0.4 - Rise success: `go` became true
            0.4 + Fall
            0.7 = go false
            0.7 - Fall success: `go` became false
            0.7 + Bump
            0.9 = bump false
            1.1 = bump true
            1.1 - Bump failure: `bump` became true
            1.1 # the behavior ended: failure: `bump` became true
        "#]],
    );
}

/// A second start asks for new edges.
#[test]
fn edges_begin_anew_with_each_start() {
    check(
        r#"
        loop L count=2
          wait A until={"condition":"go","edge":"rise"}
        @variables {"go": false}
        "#,
        "0.2 set go true
         0.4 set go false
         0.6 set go true",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.2 = go true
            0.2 - A success: `go` became true
            0.2 + A
            0.4 = go false
            0.6 = go true
            0.6 - A success: `go` became true
            0.6 - L success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A `while` that cannot be judged is violated; an `until` that cannot be judged warns once and goes on.
#[test]
fn guards_that_cannot_be_judged() {
    let trace = testkit::run(
        "
        wait A until=missing duration_s=0.3
        wait B while=missing
        ",
        "",
    );
    assert_eq!(trace.matches("`until missing` cannot be judged").count(), 1, "{trace}");
    assert!(trace.contains("0.3 - A success\n"), "{trace}");
    assert!(trace.contains("0.3 - B failure: not started: `while missing` cannot be judged"), "{trace}");
}

/// Guards are settings of any subtree: an organising node that has one runs as a composite with one track.
#[test]
fn on_a_sequence_a_fallback_and_a_skill() {
    check(
        "
        sequence S until=go
          wait A duration_s=0.2
          wait B
        fallback Outer
          fallback F while=ok
            always_fail C
            wait D
          wait Catch duration_s=0.1
        skill Use file=skill.json timeout_s=0.3
        @variables {\"go\": false, \"ok\": true}
        --- skill.json
        wait E duration_s=0.2
        wait G
        ",
        "0.4 set go true
         0.6 set ok false",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.2 - A success
            0.2 + B
            0.4 = go true
            0.4 - B halted: what it belongs to was halted
            0.4 - S success: `until go` holds
            0.4 + F
            0.4 + C
            0.4 - C failure: it is set to always fail
            0.4 + D
            0.6 = ok false
            0.6 - D halted: what it belongs to was halted
            0.6 - F failure: `while ok` does not hold
            0.6 + Catch
            0.7 - Catch success
            0.7 + Use
            0.7 + Use/E
            0.9 - Use/E success
            0.9 + Use/G
            1.0 - Use/G halted: what it belongs to was halted
            1.0 - Use failure "timeout": timed out after 0.3 s
            1.0 # the behavior ended: failure: timed out after 0.3 s
        "#]],
    );
}

/// On composites, a guard before the start starts nothing inside; later it ends all of it.
#[test]
fn on_composites() {
    check(
        "
        parallel P until=done
          wait A
        loop L until=go
          wait B duration_s=0.2
          wait C
        @variables {\"done\": true, \"go\": false}
        ",
        "0.3 set go true",
        expect![[r#"
            0.0 - P success: not started: `until done` holds
            0.0 + L
            0.0 + B
            0.2 - B success
            0.2 + C
            0.3 = go true
            0.3 - C halted: what it belongs to was halted
            0.3 - L success: `until go` holds
            0.3 # the behavior succeeded
        "#]],
    );
}

/// From outside in: the guard of the sequence is judged before that of the step in it.
#[test]
fn outer_guards_first() {
    check(
        "
        sequence S until=go
          wait A while=ok
        @variables {\"go\": false, \"ok\": true}
        wait After duration_s=0.1
        ",
        "0.2 set go true
         0.2 set ok false",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.2 = go true
            0.2 = ok false
            0.2 - A halted: what it belongs to was halted
            0.2 - S success: `until go` holds
            0.2 + After
            0.3 - After success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Reactive sequences and preconditions are guards: what must hold for what follows stands around it as `while`.
#[test]
fn a_reactive_sequence() {
    check(
        r#"
        fallback Reactive
          sequence While while="near && light"
            wait Grasp duration_s=0.3
            wait Lift duration_s=0.3
          wait Retreat duration_s=0.1
        @variables {"near": true, "light": true}
        "#,
        "0.4 set near false",
        expect![[r#"
            0.0 + While
            0.0 + Grasp
            0.3 - Grasp success
            0.3 + Lift
            0.4 = near false
            0.4 - Lift halted: what it belongs to was halted
            0.4 - While failure: `while near && light` does not hold
            0.4 + Retreat
            0.5 - Retreat success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// An edge is a change: what does not hold at the start has not become false.
#[test]
fn what_never_held_does_not_fall() {
    check(
        r#"
        wait A until={"condition":"go","edge":"fall"}
        @variables {"go": false}
        "#,
        "0.2 set go true
         0.4 set go false",
        expect![[r#"
            0.0 + A
            0.2 = go true
            0.4 = go false
            0.4 - A success: `go` became false
            0.4 # the behavior succeeded
        "#]],
    );
}
