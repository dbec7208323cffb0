//! It is a composite like the others: edits, locks, jumps, presses and stops.

use expect_test::expect;
use testkit::check;

const TASK: &str = "
    sequence Root
      adaptive Task task=t recover=Back exit=Away
        strategy One nominal_s=1 limits=[{\"sense\":\"x\",\"max\":3}]
          wait A duration_s=0.3
          wait B duration_s=0.3
        strategy Two nominal_s=2
          wait C duration_s=0.3
        wait Back duration_s=0.1
        wait Away duration_s=0.1
      wait After duration_s=0.1
    @variables {\"x\": 0}
";

/// The strategy that runs is deleted: what runs of it halts, the next one is chosen.
#[test]
fn the_running_strategy_is_deleted() {
    check(
        TASK,
        "0.1 delete One",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.1 - A halted: it was deleted or moved out of its track
        0.1 + Back
        0.2 - Back success
        0.2 # Task: attempt 1 with `One`: its strategy was deleted; 0 counted, 1 samples kept
        0.2 > keeps attempt 1 of t: 1 samples
        0.3 # Task: chose `Two`: `Two` 2 s
        0.3 + C
        0.6 - C success
        0.6 # Task: attempt 2 with `Two`: it ran to its end; 0 counted, 4 samples kept
        0.6 + Away
        0.6 > keeps attempt 2 of t: 4 samples
        0.7 - Away success
        0.7 - Task success
        0.7 + After
        0.8 - After success
        0.8 # the behavior succeeded
    "#]],
    );
}

/// A strategy that is added while another runs is chosen from when there is next a choice.
#[test]
fn a_strategy_is_added() {
    check(
        TASK,
        "0.1 insert Task 0 wait Quick duration_s=0.2 name=Quick\n 0.4 set x 4\n 0.6 set x 0",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.3 - A success
        0.3 + B
        0.4 = x 4
        0.4 - B halted: what it belongs to was halted
        0.4 + Back
        0.5 - Back success
        0.5 # Task: attempt 1 with `One`: `x` is 4.0, and its limit is 3.0; 0 counted, 5 samples kept
        0.5 > keeps attempt 1 of t: 5 samples
        0.6 = x 0
        0.6 # Task: chose `Quick`: `Quick` 0 s; `One` is not safe, 4.0 of `x` is expected, and its limit is 3.0; `Two` 2 s
        0.6 + Quick
        0.8 - Quick success
        0.8 # Task: attempt 2 with `Quick`: it ran to its end; 0 counted, 3 samples kept
        0.8 + Away
        0.8 > keeps attempt 2 of t: 3 samples
        0.9 - Away success
        0.9 - Task success
        0.9 + After
        1.0 - After success
        1.0 # the behavior succeeded
    "#]],
    );
}

/// A limit that is edited counts from the next attempt on.
#[test]
fn a_limit_is_edited() {
    check(
        TASK,
        "0.1 setting One limits []\n 0.2 set x 4\n 0.5 set x 0",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.2 = x 4
        0.2 - A halted: what it belongs to was halted
        0.2 + Back
        0.3 - Back success
        0.3 # Task: attempt 1 with `One`: `x` is 4.0, and its limit is 3.0; 0 counted, 3 samples kept
        0.3 > keeps attempt 1 of t: 3 samples
        0.4 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.4 + A
        0.5 = x 0
        0.7 - A success
        0.7 + B
        1.0 - B success
        1.0 # Task: attempt 2 with `One`: it ran to its end; 1 counted, 7 samples kept
        1.0 + Away
        1.0 > keeps attempt 2 of t: 7 samples
        1.1 - Away success
        1.1 - Task success
        1.1 + After
        1.2 - After success
        1.2 # the behavior succeeded
    "#]],
    );
}

/// A lock lets nothing leave it.
#[test]
fn it_is_locked() {
    check(
        TASK,
        "0.1 lock Task\n 1.2 unlock Task",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.3 - A success
        0.3 + B
        0.6 - B success
        0.6 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 7 samples kept
        0.6 + Away
        0.6 > keeps attempt 1 of t: 7 samples
        0.7 - Away success
        0.7 ! After held: `Task` is locked
        1.2 - Task success
        1.2 + After
        1.3 - After success
        1.3 # the behavior succeeded
    "#]],
    );
}

#[test]
fn a_locked_strategy_is_not_left_by_its_end() {
    check(
        TASK,
        "0.1 lock One\n 1.2 unlock One",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.3 - A success
        0.3 + B
        0.6 - B success
        1.2 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 13 samples kept
        1.2 + Away
        1.2 > keeps attempt 1 of t: 13 samples
        1.3 - Away success
        1.3 - Task success
        1.3 + After
        1.4 - After success
        1.4 # the behavior succeeded
    "#]],
    );
}

/// But what is not safe halts it.
#[test]
fn a_locked_strategy_is_halted_by_its_limit() {
    check(
        TASK,
        "0.1 lock One\n 0.2 set x 4\n 0.4 set x 0",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.2 = x 4
        0.2 - A halted: what it belongs to was halted
        0.2 + Back
        0.3 - Back success
        0.3 # Task: attempt 1 with `One`: `x` is 4.0, and its limit is 3.0; 0 counted, 3 samples kept
        0.3 > keeps attempt 1 of t: 3 samples
        0.4 = x 0
        0.4 # Task: chose `Two`: `One` is not safe, 4.0 of `x` is expected, and its limit is 3.0; `Two` 2 s
        0.4 + C
        0.7 - C success
        0.7 # Task: attempt 2 with `Two`: it ran to its end; 0 counted, 4 samples kept
        0.7 + Away
        0.7 > keeps attempt 2 of t: 4 samples
        0.8 - Away success
        0.8 - Task success
        0.8 + After
        0.9 - After success
        0.9 # the behavior succeeded
    "#]],
    );
}

#[test]
fn a_jump_leads_into_a_strategy() {
    check(
        TASK,
        "manual\n 0 next C\n 0 automatic on",
        expect![[r#"
        0.0 + Task
        0.0 + C
        0.3 - C success
        0.3 # Task: attempt 1 with `Two`: it ran to its end; 0 counted, 4 samples kept
        0.3 + Away
        0.3 > keeps attempt 1 of t: 4 samples
        0.4 - Away success
        0.4 - Task success
        0.4 + After
        0.5 - After success
        0.5 # the behavior succeeded
    "#]],
    );
    check(
        TASK,
        "manual\n 0 next Away\n 0 automatic on",
        expect![[r#"
        0.0 + Task
        0.0 + Away
        0.1 - Away success
        0.1 - Task failure: its exit was run, and the task is not done
        0.1 # the behavior ended: failure: its exit was run, and the task is not done
    "#]],
    );
    check(
        TASK,
        "manual\n 0 next Back\n 0 automatic on",
        expect![[r#"
        0.0 + Task
        0.0 + Back
        0.1 - Back success
        0.2 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.2 + A
        0.5 - A success
        0.5 + B
        0.8 - B success
        0.8 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 7 samples kept
        0.8 + Away
        0.8 > keeps attempt 1 of t: 7 samples
        0.9 - Away success
        0.9 - Task success
        0.9 + After
        1.0 - After success
        1.0 # the behavior succeeded
    "#]],
    );
}

/// Next is set, and nothing that runs is halted: the run of the adaptive ends first, then one begins there.
#[test]
fn next_is_set_into_another_strategy() {
    check(
        TASK,
        "0.1 next C",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.3 - A success
        0.3 + B
        0.6 - B success
        0.6 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 7 samples kept
        0.6 + Away
        0.6 > keeps attempt 1 of t: 7 samples
        0.7 - Away success
        0.7 - Task success
        0.7 + Task
        0.7 + C
        1.0 - C success
        1.0 # Task: attempt 1 with `Two`: it ran to its end; 0 counted, 4 samples kept
        1.0 + Away
        1.0 > keeps attempt 1 of t: 4 samples
        1.1 - Away success
        1.1 - Task success
        1.1 + After
        1.2 - After success
        1.2 # the behavior succeeded
    "#]],
    );
}

#[test]
fn it_is_stepped_into() {
    check(
        TASK,
        "manual\n 0 press into\n 0.1 press\n 0.5 press\n 1 press\n 1.5 automatic on",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.1 + A
        0.4 - A success
        0.5 + B
        0.8 - B success
        0.8 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 9 samples kept
        0.8 > keeps attempt 1 of t: 9 samples
        1.0 + Away
        1.1 - Away success
        1.1 - Task success
        1.5 + After
        1.6 - After success
        1.6 # the behavior succeeded
    "#]],
    );
}

#[test]
fn it_is_stopped_and_run_again() {
    check(
        TASK,
        "0.1 stop\n 0.3 from start",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.1 - A halted: what it belongs to was halted
        0.1 - Task halted: stop was pressed
        0.1 # stopped: stop was pressed
        0.1 > robot stop
        0.3 + Task
        0.3 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.3 + A
        0.6 - A success
        0.6 + B
        0.9 - B success
        0.9 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 7 samples kept
        0.9 + Away
        0.9 > keeps attempt 1 of t: 7 samples
        1.0 - Away success
        1.0 - Task success
        1.0 + After
        1.1 - After success
        1.1 # the behavior succeeded
    "#]],
    );
}

/// A strategy that is slow to come to rest: nothing follows before it has.
#[test]
fn what_follows_waits_for_what_halts() {
    check(
        "
        sequence Root
          adaptive Task task=t exit=Away done=[{\"condition\":\"x>1\"}]
            strategy One
              stand_in A duration_s=2 halt_s=0.3
            wait Away duration_s=0.1
        @variables {\"x\": 0}
        ",
        "0.2 set x 2",
        expect![[r#"
            0.0 + Task
            0.0 # Task: chose `One`: `One` 2 s
            0.0 + A
            0.2 = x 2
            0.5 - A halted: what it belongs to was halted
            0.5 # Task: attempt 1 with `One`: the task is done; 0 counted, 3 samples kept
            0.5 + Away
            0.5 > keeps attempt 1 of t: 3 samples
            0.6 - Away success
            0.6 - Task success: `x>1` holds
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Time limits and guards from outside end it as they end any composite.
#[test]
fn guards_are_outside() {
    check(
        "
        sequence Root
          fallback F
            adaptive Task task=t timeout_s=0.2
              strategy One
                wait A
            wait Catch duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Task
            0.0 # Task: chose `One`: `One` 4 s
            0.0 + A
            0.2 - A halted: what it belongs to was halted
            0.2 - Task failure "timeout": timed out after 0.2 s
            0.2 + Catch
            0.3 - Catch success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// An edit of somebody who is not in control starts nothing: not even the next attempt.
#[test]
fn an_outsider_starts_no_attempt() {
    check(
        TASK,
        "0.1 edits by Bob\n 0.1 delete One\n 0.5 admit",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 1 s; `Two` 2 s
        0.0 + A
        0.1 - A halted: it was deleted or moved out of its track
        0.1 ! Back held: freed by an edit of Bob: waits to be admitted
        0.5 + Back
        0.6 - Back success
        0.6 # Task: attempt 1 with `One`: its strategy was deleted; 0 counted, 1 samples kept
        0.6 > keeps attempt 1 of t: 1 samples
        0.7 # Task: chose `Two`: `Two` 2 s
        0.7 + C
        1.0 - C success
        1.0 # Task: attempt 2 with `Two`: it ran to its end; 0 counted, 4 samples kept
        1.0 + Away
        1.0 > keeps attempt 2 of t: 4 samples
        1.1 - Away success
        1.1 - Task success
        1.1 + After
        1.2 - After success
        1.2 # the behavior succeeded
    "#]],
    );
}
