//! What holds a step, what waits for what.

use engine::{Command, Control, Engine, Options, RunState, TickInput};
use expect_test::expect;
use testkit::{check, load};

/// A never-run target does not block.
#[test]
fn a_target_that_never_ran_does_not_block() {
    check(
        "
        goto G target=D
        stand_in N duration_s=0.5
        stand_in D duration_s=0.1 after=N
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + D
            0.1 - D success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// A failed target does not block.
#[test]
fn a_failed_target_does_not_block() {
    check(
        "
        sequence root
          fallback F
            stand_in A duration_s=0.1 fails_if=1==1
            stand_in B duration_s=0.3
          stand_in C duration_s=0.1 after=A
        ",
        "",
        expect![[r#"
            0.0 + A
            0.1 - A failure: `1==1` holds
            0.1 + B
            0.1 + C
            0.2 - C success
            0.4 - B success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Concurrency off: every step waits for Previous. On again, it layers again.
#[test]
fn concurrency_off() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.2 after=Beginning
        stand_in C duration_s=0.2 after=Beginning
        stand_in D duration_s=0.1 after=Beginning
        ",
        "
        0 concurrency off
        0.3 concurrency on
        ",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 + C
            0.3 + D
            0.4 - B success
            0.4 - D success
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A step at next that is still running is not triggered again; the track waits for it (the thesis skips it).
#[test]
fn a_step_at_next_that_still_runs_is_waited_for() {
    check(
        "
        stand_in A duration_s=0.3
        stand_in W duration_s=0.1 after=Beginning
        goto G target=A after=W
        ",
        "
        end 0.3
        0.2 why
        ",
        expect![[r#"
            0.0 + A
            0.0 + W
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.2 > root at A: it still runs
            0.3 - A success
            0.3 + A
            0.3 + W
        "#]],
    );
}

/// Nothing overtakes next: a step that is held holds everything behind it; running ones continue.
#[test]
fn a_held_step_holds_everything_behind_it() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.1 after=Beginning
        stand_in C duration_s=0.1 after=Beginning
        ",
        "
        0 break B
        0.3 unbreak B
        0.3 continue
        ",
        expect![[r#"
            0.0 + A
            0.0 ! B held: held at `B`: breakpoint
            0.2 - A success
            0.3 + B
            0.3 + C
            0.4 - B success
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A step that waits for another holds those behind it that would not have to.
#[test]
fn a_waiting_step_holds_everything_behind_it() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.1
        stand_in C duration_s=0.1 after=Beginning
        ",
        "",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + B
            0.2 + C
            0.3 - B success
            0.3 - C success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A track succeeds when next is past its last step and nothing runs.
#[test]
fn a_track_ends_when_its_last_running_step_does() {
    check(
        "
        loop L count=1
          stand_in A duration_s=0.3
          stand_in B duration_s=0.1 after=Beginning
        ",
        "",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 + B
            0.1 - B success
            0.3 - A success
            0.3 - L success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A tree without steps succeeds at once.
#[test]
fn an_empty_track_succeeds() {
    check(
        "sequence S",
        "",
        expect![[r#"
        0.0 # the behavior succeeded
    "#]],
    );
}

/// A failure with no fallback around it: nothing more is triggered, running steps run to their end, then the track
/// fails. Root: automatic off, next = the failed step.
#[test]
fn a_failure_lets_running_steps_end() {
    check(
        "
        stand_in A duration_s=0.3
        stand_in B duration_s=0.1 fails_if=1==1 after=Beginning
        stand_in C duration_s=0.1
        ",
        "
        0.2 why
        0.4 why
        0.5 press
        ",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - B failure: `1==1` holds
            0.2 > root at C: a step failed
            0.3 - A success
            0.3 # the behavior ended: failure: `1==1` holds
            0.4 > root at B: automatic is off
            0.5 + B
            0.6 - B failure: `1==1` holds
            0.6 # the behavior ended: failure: `1==1` holds
        "#]],
    );
}

/// A child track fails the same way, and its composite with it.
#[test]
fn a_failure_in_a_child_track() {
    check(
        "
        sequence root
          loop L
            stand_in A duration_s=0.3
            stand_in B duration_s=0.1 fails_if=1==1 after=Beginning
            stand_in C duration_s=0.1
          stand_in D
        ",
        "0.4 why",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 + B
            0.1 - B failure: `1==1` holds
            0.3 - A success
            0.3 - L failure: `1==1` holds
            0.3 # the behavior ended: failure: `1==1` holds
            0.4 > root at L: automatic is off
        "#]],
    );
}

const TWO_FAILURES: &str = "
    stand_in A duration_s=0.2 fails_if=1==1
    stand_in B duration_s=0.2 fails_if=2==2 after=Beginning
    stand_in C duration_s=0.1
    ";

/// Of several failures in one tick the first in tree order counts.
#[test]
fn the_first_failure_of_a_tick_in_tree_order_counts() {
    check(
        TWO_FAILURES,
        "0.3 why",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.2 - A failure: `1==1` holds
            0.2 - B failure: `2==2` holds
            0.2 # the behavior ended: failure: `1==1` holds
            0.3 > root at A: automatic is off
        "#]],
    );
}

/// … also when a command made the later one fail before.
#[test]
fn tree_order_counts_among_forced_failures() {
    check(
        TWO_FAILURES,
        "
        0.1 force B failure late
        0.1 force A failure early
        0.2 why
        ",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - B failure "late": forced by the operator
            0.1 - A failure "early": forced by the operator
            0.1 # the behavior ended: failure: forced by the operator
            0.2 > root at A: automatic is off
        "#]],
    );
}

/// A failure of an earlier tick counts before one that is first in tree order.
#[test]
fn an_earlier_failure_counts_before_tree_order() {
    check(
        TWO_FAILURES,
        "
        0.1 force B failure
        0.3 why
        ",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - B failure: forced by the operator
            0.2 - A failure: `1==1` holds
            0.2 # the behavior ended: failure: forced by the operator
            0.3 > root at B: automatic is off
        "#]],
    );
}

fn seconds_to_success(outline: &str, tick_ns: i64) -> f64 {
    let mut engine: Engine = load(outline, &Options::default());
    let mut input =
        TickInput { commands: vec![Command { id: 1, what: Control::Automatic { on: true } }], ..TickInput::default() };
    while input.time_ns < 60_000_000_000 {
        engine.tick(&input);
        if let RunState::Ended(end) = engine.run_state() {
            assert_eq!(end.verdict, engine::Verdict::Success);
            return engine::ns_to_seconds(input.time_ns);
        }
        input = TickInput { time_ns: input.time_ns + tick_ns, ..TickInput::default() };
    }
    panic!("it never ended");
}

/// The thesis' example: a walk and two arm motions take 11.7 s one after the other and 7.6 s layered by two waits.
#[test]
fn the_concurrent_actions_of_the_thesis() {
    let in_sequence = "
        sequence ConcurrencyDemo.json
          stand_in Walk duration_s=7.6
          stand_in Right duration_s=2.05
          stand_in Left duration_s=2.05
        ";
    let layered = "
        sequence ConcurrencyDemo.json
          stand_in Walk duration_s=7.6
          wait Wait1 duration_s=1 after=ConcurrencyDemo.json
          wait Wait2 duration_s=2.5 after=ConcurrencyDemo.json
          stand_in Right duration_s=2.05 after=Wait1
          stand_in Left duration_s=2.05 after=Wait2
        ";
    for tick_ns in [1_000_000, 10_000_000, 50_000_000] {
        assert_eq!(seconds_to_success(in_sequence, tick_ns), 11.7);
        assert_eq!(seconds_to_success(layered, tick_ns), 7.6);
    }
    check(
        &layered.replace("2.05", "2.1"),
        "",
        expect![[r#"
            0.0 + Walk
            0.0 + Wait1
            0.0 + Wait2
            1.0 - Wait1 success
            1.0 + Right
            2.5 - Wait2 success
            2.5 + Left
            3.1 - Right success
            4.6 - Left success
            7.6 - Walk success
            7.6 # the behavior succeeded
        "#]],
    );
}
