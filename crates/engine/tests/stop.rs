//! Stop.

use expect_test::expect;
use testkit::check;

/// Stop halts everything, sends the robot its stop in that tick; next = the earliest halted step of the root track.
#[test]
fn stop_halts_everything() {
    check(
        "
        stand_in Done duration_s=0.2
        stand_in A duration_s=1
        stand_in B after=Done duration_s=1
        stand_in C
        ",
        "0.5 stop
         0.5 why",
        expect![[r#"
              0.0 + Done
              0.2 - Done success
              0.2 + A
              0.2 + B
              0.5 - A halted: stop was pressed
              0.5 - B halted: stop was pressed
              0.5 # stopped: stop was pressed
              0.5 > robot stop
              0.5 > root at A: automatic is off
        "#]],
    );
}

/// Nothing runs: the robot gets its stop all the same, and next stays.
#[test]
fn stop_with_nothing_running() {
    check(
        "
        wait A duration_s=0.1
        wait B duration_s=0.1
        ",
        "manual
         0 press
         0.5 stop
         0.5 why
         0.8 stop",
        expect![[r#"
              0.0 + A
              0.1 - A success
              0.5 # stopped: stop was pressed
              0.5 > robot stop
              0.5 > root at B: automatic is off
              0.8 > robot stop
        "#]],
    );
}

/// Stop in a pause works at once and lifts it: what was stopped is stopped, not paused.
#[test]
fn stop_in_a_pause() {
    check(
        "wait A duration_s=1",
        "0.3 pause
         0.5 stop
         0.5 pause
         0.6 why
         0.7 automatic on
         0.7 why
         1.0 stop",
        expect![[r#"
            0.0 + A
            0.3 # paused
            0.3 > robot holds
            0.5 - A halted: stop was pressed
            0.5 # stopped: stop was pressed
            0.5 > refused `pause`: stop was pressed in this tick
            0.5 > robot stop
            0.5 > robot goes on
            0.6 > root at A: automatic is off
            0.7 + A
            0.7 > root at the end: the end is reached
            1.0 - A halted: stop was pressed
            1.0 # stopped: stop was pressed
            1.0 > robot stop
        "#]],
    );
}

/// Stop cancels a press that still waits to trigger the rest of its set.
#[test]
fn stop_cancels_a_pending_press() {
    check(
        r#"
        stand_in A claims=["arm"]
        stand_in B after=Beginning claims=["arm"]
        "#,
        "manual
         0 press
         0.5 stop
         0.8 why
         0.9 stop",
        expect![[r#"
              0.0 + A
              0.0 ! B held: `arm` is held by `A`
              0.5 - A halted: stop was pressed
              0.5 # stopped: stop was pressed
              0.5 > robot stop
              0.8 > root at A: automatic is off
              0.9 > robot stop
        "#]],
    );
}

/// Stop is first in its tick whatever else arrives: the edit applies, whatever would start something is refused.
#[test]
fn stop_with_an_edit_and_presses_in_its_tick() {
    check(
        "
        sequence Root
          wait A duration_s=1
          wait B duration_s=1
        ",
        "0.5 automatic on
         0.5 press
         0.5 only B
         0.5 insert Root 0 wait New duration_s=1
         0.5 stop
         0.5 why
         0.8 press
         0.9 halt",
        expect![[r#"
              0.0 + A
              0.5 - A halted: stop was pressed
              0.5 # stopped: stop was pressed
              0.5 > refused `automatic on`: stop was pressed in this tick
              0.5 > refused `press`: stop was pressed in this tick
              0.5 > refused `only B`: stop was pressed in this tick
              0.5 > robot stop
              0.5 > root at New: automatic is off
              0.8 + New
              0.9 - New halted: stop was pressed
              0.9 # stopped: stop was pressed
              0.9 > robot stop
        "#]],
    );
}

/// Stop as a command cancels the presses before it in its tick, and says so.
#[test]
fn stop_as_a_command_after_a_press() {
    check(
        "wait A duration_s=1",
        "manual
         0 press
         0 halt
         0.2 why
         0.3 halt",
        expect![[r#"
              0.0 # stopped: stop was pressed
              0.0 > refused `press`: stop was pressed in this tick
              0.0 > robot stop
              0.2 > root at A: automatic is off
              0.3 > robot stop
        "#]],
    );
}

/// Stop twice, with a step that takes its time: it ends once, keeps its place as next and starts only when at rest.
#[test]
fn stop_twice_while_halting() {
    check(
        "stand_in A halt_s=0.5",
        "0.2 stop
         0.4 stop
         0.5 automatic on
         0.5 why
         0.8 stop
         end 1.0",
        expect![[r#"
              0.0 + A
              0.2 # stopped: stop was pressed
              0.2 > robot stop
              0.4 > robot stop
              0.5 > root at A: it still runs
              0.7 - A halted: stop was pressed
              0.7 + A
              0.8 # stopped: stop was pressed
              0.8 > robot stop
        "#]],
    );
}

/// Stop reaches every depth and drops the child tracks: begun again, a composite begins at its beginning.
#[test]
fn stop_inside_nested_composites() {
    check(
        "
        wait First duration_s=0.1
        parallel P
          sequence S
            wait A duration_s=0.2
            choose C
              loop L
                wait B duration_s=1
          stand_in D
        ",
        "0.5 stop
         0.5 why
         0.6 automatic on
         0.7 stop",
        expect![[r#"
              0.0 + First
              0.1 - First success
              0.1 + P
              0.1 + A
              0.1 + D
              0.3 - A success
              0.3 + C
              0.3 + L
              0.3 + B
              0.5 - B halted: what it belongs to was halted
              0.5 - L halted: what it belongs to was halted
              0.5 - C halted: what it belongs to was halted
              0.5 - D halted: what it belongs to was halted
              0.5 - P halted: stop was pressed
              0.5 # stopped: stop was pressed
              0.5 > robot stop
              0.5 > root at P: automatic is off
              0.6 + P
              0.6 + A
              0.6 + D
              0.7 - A halted: what it belongs to was halted
              0.7 - D halted: what it belongs to was halted
              0.7 - P halted: stop was pressed
              0.7 # stopped: stop was pressed
              0.7 > robot stop
        "#]],
    );
}

#[test]
fn stop_inside_a_gosub_and_inside_a_skill() {
    check(
        "
        gosub G target=S
        sequence S
          wait A duration_s=0.3
          skill Use file=skill.json
        --- skill.json
        wait B duration_s=1
        wait C duration_s=1
        ",
        "0.5 stop
         0.6 next Use
         0.6 automatic on
         0.8 stop
         0.8 why",
        expect![[r#"
              0.0 + G
              0.0 + G/A
              0.3 - G/A success
              0.3 + G/Use/B
              0.5 - G/Use/B halted: what it belongs to was halted
              0.5 - G halted: stop was pressed
              0.5 # stopped: stop was pressed
              0.5 > robot stop
              0.6 + Use/B
              0.8 - Use/B halted: stop was pressed
              0.8 # stopped: stop was pressed
              0.8 > robot stop
              0.8 > root at Use/B: automatic is off
        "#]],
    );
}

/// Stop cancels questions: an answer that comes later is refused.
#[test]
fn stop_with_a_question_open() {
    check(
        r#"question Q options=["yes","no"]"#,
        "attended
         0.3 stop
         0.3 answer Q yes
         0.4 answer Q yes",
        expect![[r#"
              0.0 + Q
              0.3 - Q halted: stop was pressed
              0.3 # stopped: stop was pressed
              0.3 > refused `answer Q yes`: it does not ask anything now
              0.3 > robot stop
              0.4 > refused `answer Q yes`: it does not ask anything now
        "#]],
    );
}

/// Halted starts no catch, and what was queued by the stopped steps leaves nothing behind.
#[test]
fn stop_inside_a_try_starts_no_catch() {
    check(
        "
        fallback F
          wait Try duration_s=1
          wait Catch duration_s=1
        ",
        "0.3 stop
         0.5 automatic on
         0.6 stop",
        expect![[r#"
              0.0 + Try
              0.3 - Try halted: stop was pressed
              0.3 # stopped: stop was pressed
              0.3 > robot stop
              0.5 + Try
              0.6 - Try halted: stop was pressed
              0.6 # stopped: stop was pressed
              0.6 > robot stop
        "#]],
    );
}

/// A step whose failure was fixed before the stop is tried again and does not fail the new run.
#[test]
fn stop_while_a_failed_step_halts() {
    check(
        "
        stand_in A while=ok halt_s=0.3 duration_s=0.2
        wait B duration_s=0.1
        @variables {\"ok\": true}
        ",
        "0.1 set ok false
         0.2 stop
         0.6 set ok true
         0.6 automatic on",
        expect![[r#"
              0.0 + A
              0.1 = ok false
              0.2 # stopped: stop was pressed
              0.2 > robot stop
              0.4 - A failure: `while ok` does not hold
              0.6 = ok true
              0.6 + A
              0.8 - A success
              0.8 + B
              0.9 - B success
              0.9 # the behavior succeeded
        "#]],
    );
}

/// A step that had succeeded and was only coming to rest is not "halted": next stays behind it.
#[test]
fn stop_while_a_succeeded_step_halts() {
    check(
        "
        stand_in A until=go halt_s=0.3
        wait B duration_s=0.1
        @variables {\"go\": false}
        ",
        "0.1 set go true
         0.2 stop
         0.2 why
         0.6 automatic on",
        expect![[r#"
              0.0 + A
              0.1 = go true
              0.2 # stopped: stop was pressed
              0.2 > robot stop
              0.2 > root at B: automatic is off
              0.4 - A success: `until go` holds
              0.6 + B
              0.7 - B success
              0.7 # the behavior succeeded
        "#]],
    );
}

/// A try that has succeeded and only comes to rest at the stop is not caught afterwards.
#[test]
fn stop_while_a_succeeded_try_comes_to_rest() {
    check(
        "
        sequence Root
          fallback F
            parallel Try policy=one
              stand_in Slow duration_s=5 halt_s=1
              wait Quick duration_s=0.1
            wait Catch duration_s=0.1
          wait Behind duration_s=0.1
        ",
        "0.3 stop
         0.4 automatic on
         0.5 why",
        expect![[r#"
            0.0 + Try
            0.0 + Slow
            0.0 + Quick
            0.1 - Quick success
            0.3 # stopped: stop was pressed
            0.3 > robot stop
            0.5 > root at Behind: waits until `Try` has ended
            0.5 > Try at the end: `Try` is coming to rest
            1.1 - Slow halted: what it belongs to was halted
            1.1 - Try success
            1.1 + Behind
            1.2 - Behind success
            1.2 # the behavior succeeded
        "#]],
    );
}

/// No lock keeps in what a stop halts, also where its result was fixed before.
#[test]
fn stop_while_a_locked_step_halts() {
    check(
        "
        sequence Root
          parallel Outer
            wait Long duration_s=9
            parallel Inner policy=one
              stand_in Slow duration_s=5 halt_s=0.5
              wait Quick duration_s=0.1
        ",
        "0 lock Inner
         0.2 stop
         1 why",
        expect![[r#"
            0.0 + Outer
            0.0 + Long
            0.0 + Inner
            0.0 + Slow
            0.0 + Quick
            0.1 - Quick success
            0.2 - Long halted: what it belongs to was halted
            0.2 # stopped: stop was pressed
            0.2 > robot stop
            0.6 - Slow halted: what it belongs to was halted
            0.6 - Inner success
            0.6 - Outer halted: stop was pressed
            1.0 > root at Outer: automatic is off
        "#]],
    );
    check(
        "
        sequence Root
          parallel P policy=one
            stand_in Slow duration_s=5 halt_s=0.5
            wait Quick duration_s=0.1
        ",
        "0 lock P
         0.2 stop
         1 why",
        expect![[r#"
            0.0 + P
            0.0 + Slow
            0.0 + Quick
            0.1 - Quick success
            0.2 # stopped: stop was pressed
            0.2 > robot stop
            0.6 - Slow halted: what it belongs to was halted
            0.6 - P success
            1.0 > root at the end: the end is reached
        "#]],
    );
}
