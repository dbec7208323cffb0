//! A tick: the order of inputs, of steps, of updates; what happens at once and what in the next tick. Each case carries
//! the sentence it holds the engine to.

use engine::{Command, Control, Options, RunState, TickInput};
use expect_test::expect;
use testkit::{check, load, run};

/// Inputs apply in this order: stop, robot state and signals, edits, other commands, whatever order they arrive in.
#[test]
fn inputs_apply_stop_first_then_signals_then_commands() {
    check(
        "
        @variables {\"y\": 0}
        stand_in A
        ",
        "
        world x
        0.2 set y 2
        0.2 signal x 1
        0.2 stop
        ",
        expect![[r#"
            0.0 + A
            0.2 - A halted: stop was pressed
            0.2 # stopped: stop was pressed
            0.2 = x 1
            0.2 = y 2
            0.2 > robot stop
        "#]],
    );
}

/// … edits behind signals and before commands.
#[test]
fn edits_apply_between_signals_and_commands() {
    let trace = run(
        "
        stand_in A duration_s=0.3
        stand_in B after=Beginning
        ",
        "
        world x
        0.2 next B
        0.2 delete B
        0.2 signal x 1
        ",
    );
    let (before, refused) = trace.split_once("0.2 > refused `next B`: node ").expect("B is gone when next is set");
    let (_, after) = refused.split_once(" is not in the tree; it may have been deleted meanwhile\n").expect("a reason");
    expect![[r#"
        0.0 + A
        0.0 + B
        0.2 = x 1
        0.2 - B halted: it was deleted or moved out of its track
    "#]]
    .assert_eq(before);
    expect![[r#"
        0.3 - A success
        0.3 # the behavior succeeded
    "#]]
    .assert_eq(after);
}

/// … other commands in arrival order.
#[test]
fn commands_apply_in_arrival_order() {
    check(
        "log L value=v",
        "
        manual
        0 set v 1
        0 set v 2
        0 automatic on
        0 automatic off
        0.1 automatic off
        0.1 automatic on
        ",
        expect![[r#"
            0.0 = v 1
            0.0 = v 2
            0.1 + L
            0.1 # L:  2
            0.1 - L success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// Inputs are there for the tick they arrive in.
#[test]
fn a_signal_is_seen_in_its_tick() {
    check(
        "wait_until W condition=x>1",
        "
        world x 0
        0.2 signal x 2
        ",
        expect![[r#"
            0.0 + W
            0.2 = x 2
            0.2 - W success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Time is integer nanoseconds: a thousand steps of a tick each, at 1 kHz, lose and gain nothing.
#[test]
fn time_is_integer_nanoseconds() {
    let outline = "loop L count=1000\n  wait W duration_s=0.001";
    let mut engine = load(outline, &Options::default());
    let mut input =
        TickInput { commands: vec![Command { id: 1, what: Control::Automatic { on: true } }], ..TickInput::default() };
    let start_ns = 1_700_000_000_000_000_001;
    input.time_ns = start_ns;
    while !matches!(engine.run_state(), RunState::Ended(_)) {
        engine.tick(&input);
        input = TickInput { time_ns: input.time_ns + 1_000_000, ..TickInput::default() };
    }
    assert_eq!(engine.time_ns() - start_ns, 1_000_000_000);
}

/// Running steps tick in tree order, depth first; child tracks tick inside their composite. Updates apply in execution
/// order, last one wins, all recorded.
#[test]
fn steps_tick_in_tree_order_depth_first() {
    check(
        "
        sequence root
          parallel P
            sequence Left
              wait W1 duration_s=0.1
              set A values={\"v\":\"'a'\"}
            loop L count=1
              wait W2 duration_s=0.1
              set B values={\"v\":\"'b'\"}
          sequence Tail after=Beginning
            wait W3 duration_s=0.1
            set C values={\"v\":\"'c'\"} after=W3
          log Last value=v
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + W1
            0.0 + L
            0.0 + W2
            0.0 + W3
            0.1 - W1 success
            0.1 + A
            0.1 - W2 success
            0.1 + B
            0.1 - W3 success
            0.1 + C
            0.1 = v a
            0.1 = v b
            0.1 = v c
            0.2 - A success
            0.2 - B success
            0.2 - L success
            0.2 - P success
            0.2 - C success
            0.2 + Last
            0.2 # Last:  c
            0.2 - Last success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Tree order is the place in the tree, not the order of starting.
#[test]
fn tree_order_is_not_the_order_of_starting() {
    check(
        "
        sequence root
          goto G target=B
          stand_in A duration_s=0.1
          goto H target=End
          stand_in B duration_s=0.2
          goto K target=A after=Beginning
          checkpoint End
        ",
        "0.1 why",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + B
            0.0 + K
            0.0 - K success
            0.0 + A
            0.1 - A success
            0.1 + H
            0.1 - H success
            0.1 + End
            0.1 - End success
            0.1 > root at the end: the end is reached
            0.2 - B success
            0.2 # the behavior succeeded
        "#]],
    );
    let both = run(
        "
        sequence root
          goto G target=B
          stand_in A duration_s=0.2
          goto H target=End
          stand_in B duration_s=0.2
          goto K target=A after=Beginning
          checkpoint End
        ",
        "",
    );
    let ends: Vec<&str> = both.lines().filter(|line| line.starts_with("0.2 -")).collect();
    assert_eq!(ends[..2], ["0.2 - A success", "0.2 - B success"], "A started behind B");
}

/// Only running conditions and guards are evaluated: what cannot be judged is silent until it runs, and again after.
#[test]
fn only_running_conditions_and_guards_are_evaluated() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.2 until=nothing>1
        wait_until C condition=nobody>1
        ",
        "
        0.6 set nobody 2
        end 0.7
        ",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 # B: `until nothing>1` cannot be judged: variable `nothing` has no value yet
            0.2 + B
            0.4 - B success
            0.4 + C
            0.4 # C: `nobody>1` cannot be judged yet: variable `nobody` has no value yet
            0.6 = nobody 2
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A triggered step is ticked at once; if it ends, the track's rules repeat in the same tick.
#[test]
fn what_ends_at_once_lets_the_next_start_at_once() {
    check(
        "
        sequence root
          checkpoint A
          loop L count=1
            checkpoint B
          fallback F
            always_fail C
            checkpoint D
          goto G target=E
          checkpoint No
          checkpoint E
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 - A success
            0.0 + L
            0.0 + B
            0.0 - B success
            0.0 - L success
            0.0 + C
            0.0 - C failure: it is set to always fail
            0.0 + D
            0.0 - D success
            0.0 + G
            0.0 - G success
            0.0 + E
            0.0 - E success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// Commands go out in the tick they were given in.
#[test]
fn commands_go_out_in_their_tick() {
    check(
        "
        wait W duration_s=0.1
        send S command=grip values={\"force\":\"3\"}
        wait V duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + W
            0.1 - W success
            0.1 + S
            0.1 - S success
            0.1 + V
            0.1 > sent grip force=3
            0.2 - V success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A step that queues an update ends in the next tick, when the update is visible to whoever follows; until then every
/// step sees the world as it was.
#[test]
fn a_step_that_queues_an_update_ends_in_the_next_tick() {
    check(
        "
        set S values={\"v\":\"v+1\"}
        log Same value=v after=Beginning
        log Next value=v after=S
        @variables {\"v\": 1}
        ",
        "",
        expect![[r#"
            0.0 + S
            0.0 + Same
            0.0 # Same:  1
            0.0 - Same success
            0.0 = v 2
            0.1 - S success
            0.1 + Next
            0.1 # Next:  2
            0.1 - Next success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// A step starts at most once per tick; reaching it again ends that track's turn, reported once per run. Other tracks
/// go on.
#[test]
fn a_goto_loop_goes_once_a_tick_and_is_reported_once() {
    check(
        "
        parallel P
          sequence Left
            checkpoint A
            goto G target=A
          log L text=here
        ",
        "end 0.2",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 - A success
            0.0 + G
            0.0 - G success
            0.0 # A: came round to this step twice in one tick: no time passes in this loop, so it goes once a tick
            0.0 + L
            0.0 # L: here
            0.0 - L success
            0.1 + A
            0.1 - A success
            0.1 + G
            0.1 - G success
            0.2 + A
            0.2 - A success
            0.2 + G
            0.2 - G success
        "#]],
    );
}

/// … once per run: a new run, wherever it begins, reports it again.
#[test]
fn a_new_run_reports_again() {
    let trace = run(
        "
        checkpoint Start
        checkpoint A
        goto G target=A
        ",
        "
        0.3 stop
        0.4 next A
        0.5 automatic on
        end 0.8
        ",
    );
    let reports: Vec<&str> =
        trace.lines().filter_map(|line| line.split_once(" # A: came round")).map(|it| it.0).collect();
    assert_eq!(reports, ["0.0", "0.5"], "{trace}");
}

/// … and a step reached through a call that is made anew each time is reported once too.
#[test]
fn a_call_made_again_reports_once() {
    let trace = run(
        "
        loop L count=2
          gosub Call target=S
          goto Over target=End
          sequence S
            checkpoint A
            fallback F
              counter K limit=3 at_limit=succeed
              goto G target=A
          checkpoint End
        ",
        "",
    );
    assert_eq!(trace.lines().filter(|line| line.ends_with("+ Call/A")).count(), 6, "{trace}");
    let reports = trace.lines().filter(|line| line.contains("came round")).count();
    assert_eq!(reports, 1, "{trace}");
}

/// Loop iterations obey this too.
#[test]
fn a_loop_without_time_goes_once_a_tick() {
    check(
        "
        loop L count=3
          checkpoint A
        ",
        "",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 - A success
            0.0 # L: begins again in the tick in which it began: no time passes in this loop, so it goes once a tick
            0.1 + A
            0.1 - A success
            0.2 + A
            0.2 - A success
            0.2 - L success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Retry iterations obey this too.
#[test]
fn a_retry_without_time_goes_once_a_tick() {
    check(
        "
        sequence S retry=2
          always_fail A
        ",
        "",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 # S: failed; attempt 2 of 3 follows
            0.1 + A
            0.1 - A failure: it is set to always fail
            0.1 # S: failed; attempt 3 of 3 follows
            0.2 + A
            0.2 - A failure: it is set to always fail
            0.2 - S failure: it is set to always fail
            0.2 # the behavior ended: failure: it is set to always fail
        "#]],
    );
}

/// Reference resolution happens on edit: a name that comes to exist is found, by an execute-after and by a goto.
#[test]
fn references_are_resolved_on_edit() {
    check(
        "
        stand_in A duration_s=0.3
        stand_in B duration_s=0.6 after=Beginning
        stand_in C duration_s=0.1 after=X
        goto G target=Y
        stand_in No
        checkpoint End
        ",
        "
        0 rename A X
        0.2 rename End Y
        ",
        expect![[r#"
            0.0 + X
            0.0 + B
            0.3 - X success
            0.3 + C
            0.4 - C success
            0.4 + G
            0.4 - G success
            0.4 + Y
            0.4 - Y success
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Flattening happens on edit, for the touched tracks only: a branch that is not touched goes on as it was.
#[test]
fn an_edit_touches_only_its_track() {
    check(
        "
        parallel P
          sequence Left
            stand_in A duration_s=0.3
          sequence Right
            stand_in B duration_s=0.2
            stand_in C duration_s=0.1
        ",
        "0.1 insert Left 1 stand_in New duration_s=0.1 after=Beginning",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 + New
            0.2 - New success
            0.2 - B success
            0.2 + C
            0.3 - A success
            0.3 - C success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}
