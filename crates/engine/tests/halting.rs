//! Automatic off, pause, and steps that take their time to halt.

use expect_test::expect;
use testkit::check;

/// Automatic off: nothing more is triggered anywhere (root, branches, the next pass of a loop); running steps finish.
#[test]
fn automatic_off() {
    check(
        r#"
        parallel P
          sequence S
            stand_in A duration_s=0.4
            stand_in B duration_s=0.2
          loop L count=2
            stand_in C duration_s=0.3
        stand_in D duration_s=0.1
        "#,
        "0.2 automatic off
         0.6 why
         0.8 automatic on",
        expect![[r#"
              0.0 + P
              0.0 + A
              0.0 + L
              0.0 + C
              0.3 - C success
              0.4 - A success
              0.6 > root at D: automatic is off
              0.6 > P at B: automatic is off
              0.6 > P at the end: the end is reached
              0.6 > L at C: automatic is off
              0.8 + B
              0.8 + C
              1.0 - B success
              1.1 - C success
              1.1 - L success
              1.1 - P success
              1.1 + D
              1.2 - D success
              1.2 # the behavior succeeded
        "#]],
    );
}

/// A branch added while automatic is off does not start either.
#[test]
fn automatic_off_holds_a_new_branch() {
    check(
        "
        sequence Root
          parallel P
            stand_in A duration_s=0.4
        ",
        "0.1 automatic off
         0.2 insert P 1 stand_in New duration_s=0.1
         0.6 automatic on",
        expect![[r#"
              0.0 + P
              0.0 + A
              0.4 - A success
              0.6 + New
              0.7 - New success
              0.7 - P success
              0.7 # the behavior succeeded
        "#]],
    );
}

/// Pause freezes step timers and holds the robot; nothing is triggered until it is over.
#[test]
fn pause_freezes_timers_and_triggers_nothing() {
    check(
        "
        wait A duration_s=1
        condition Now condition=go
        wait B duration_s=0.1
        @variables {\"go\": true}
        ",
        "0.4 pause
         1.0 why
         1.4 resume",
        expect![[r#"
              0.0 + A
              0.4 # paused
              0.4 > robot holds
              1.0 > root at Now: paused
              1.4 # resumed
              1.4 > robot goes on
              2.0 - A success
              2.0 + Now
              2.0 - Now success
              2.0 + B
              2.1 - B success
              2.1 # the behavior succeeded
        "#]],
    );
}

/// In a pause guards still act; what follows waits for the pause to end.
#[test]
fn guards_act_in_a_pause() {
    check(
        "
        wait A until=go
        fallback F
          wait B while=ok
          wait Catch duration_s=0.1
        @variables {\"go\": false, \"ok\": true}
        ",
        "0.2 pause
         0.3 set go true
         0.5 resume
         0.7 pause
         0.8 set ok false
         1.0 resume",
        expect![[r#"
              0.0 + A
              0.2 # paused
              0.2 > robot holds
              0.3 = go true
              0.3 - A success: `until go` holds
              0.5 # resumed
              0.5 + B
              0.5 > robot goes on
              0.7 # paused
              0.7 > robot holds
              0.8 = ok false
              0.8 - B failure: `while ok` does not hold
              1.0 # resumed
              1.0 + Catch
              1.0 > robot goes on
              1.1 - Catch success
              1.1 # the behavior succeeded
        "#]],
    );
}

/// Between attempts a pause holds the next one back; halting goes on in a pause.
#[test]
fn pause_holds_attempts_but_not_halting() {
    check(
        "
        stand_in A duration_s=0.2 fails_if=bad retry=1
        stand_in B until=go halt_s=0.2
        @variables {\"bad\": true, \"go\": false}
        ",
        "0.2 pause
         0.3 set bad false
         0.5 resume
         0.9 set go true
         0.9 pause
         1.3 resume",
        expect![[r#"
              0.0 + A
              0.2 # paused
              0.2 # A: failed; attempt 2 of 2 follows
              0.2 > robot holds
              0.3 = bad false
              0.5 # resumed
              0.5 > robot goes on
              0.7 - A success
              0.7 + B
              0.9 = go true
              0.9 # paused
              0.9 > robot holds
              1.1 - B success: `until go` holds
              1.1 # the behavior succeeded
              1.3 # resumed
              1.3 > robot goes on
        "#]],
    );
}

/// A halting step is still running: it keeps its claims and blocks what executes after it.
#[test]
fn halting_keeps_claims_and_blocks() {
    check(
        r#"
        parallel P
          sequence One
            stand_in A until=go halt_s=0.5 claims=["arm"]
            wait B duration_s=0.1
          stand_in C claims=["arm"] duration_s=0.1
        @variables {"go": false}
        "#,
        "0.3 set go true
         0.5 why
         0.5 tokens",
        expect![[r#"
              0.0 + P
              0.0 + A
              0.0 ! C held: `arm` is held by `A`
              0.3 = go true
              0.5 > root at the end: the end is reached
              0.5 > P at B: waits until `A` has ended
              0.5 > P at C: `arm` is held by `A`
              0.5 > arm held by `A`
              0.8 - A success: `until go` holds
              0.8 + B
              0.8 + C
              0.9 - B success
              0.9 - C success
              0.9 - P success
              0.9 # the behavior succeeded
        "#]],
    );
}

/// A composite ends only when all have halted; its result was fixed before.
#[test]
fn a_composite_ends_when_all_have_halted() {
    check(
        "
        parallel P policy=one
          stand_in Fast duration_s=0.2
          stand_in Slow halt_s=0.5
          sequence S
            stand_in Slower halt_s=0.7
        wait B duration_s=0.1
        ",
        "",
        expect![[r#"
              0.0 + P
              0.0 + Fast
              0.0 + Slow
              0.0 + Slower
              0.2 - Fast success
              0.7 - Slow halted: what it belongs to was halted
              0.9 - Slower halted: what it belongs to was halted
              0.9 - P success
              0.9 + B
              1.0 - B success
              1.0 # the behavior succeeded
        "#]],
    );
}

/// The result is fixed when halting begins, whatever the guards say afterwards.
#[test]
fn the_result_is_fixed_when_halting_begins() {
    check(
        "
        stand_in A until=go while=ok halt_s=0.5
        fallback F
          stand_in B until=end while=fine halt_s=0.3
          wait Catch duration_s=0.1
        @variables {\"go\": false, \"ok\": true, \"end\": false, \"fine\": true}
        ",
        "0.2 set go true
         0.4 set ok false
         0.9 set fine false
         1.0 set end true",
        expect![[r#"
              0.0 + A
              0.2 = go true
              0.4 = ok false
              0.7 - A success: `until go` holds
              0.7 + B
              0.9 = fine false
              1.0 = end true
              1.2 - B failure: `while fine` does not hold
              1.2 + Catch
              1.3 - Catch success
              1.3 # the behavior succeeded
        "#]],
    );
}

/// After 2 s the body parts get a robot stop and stay claimed until the robot reports them still.
#[test]
fn the_halt_limit() {
    check(
        r#"
        stand_in A claims=["arm"] until=go halt_s=10
        stand_in B claims=["arm"] duration_s=0.1
        @variables {"go": false}
        "#,
        "0.2 set go true
         2.5 tokens
         3.0 still leg
         3.5 still arm",
        expect![[r#"
              0.0 + A
              0.2 = go true
              2.2 # A: did not come to rest in 2 s: its parts get a robot stop
              2.2 - A success: `until go` holds
              2.2 ! B held: `arm` is held by the robot, which has not come to rest
              2.2 > robot stop of arm
              2.5 > arm held by the robot, which has not come to rest
              3.5 + B
              3.6 - B success
              3.6 # the behavior succeeded
        "#]],
    );
}

/// The limit holds for stop, for deep steps, and for parts that a composite claims on behalf of what is inside.
#[test]
fn the_halt_limit_inside_a_composite() {
    check(
        r#"
        sequence S claims=["arm"]
          stand_in A halt_s=10
        "#,
        "0.2 stop
         2.4 automatic on
         3.0 still arm
         3.1 stop
         end 3.1",
        expect![[r#"
              0.0 + S
              0.0 + A
              0.2 # stopped: stop was pressed
              0.2 > robot stop
              2.2 # A: did not come to rest in 2 s: its parts get a robot stop
              2.2 - A halted: what it belongs to was halted
              2.2 - S halted: stop was pressed
              2.2 > robot stop of arm
              2.4 ! S held: `arm` is held by the robot, which has not come to rest
              3.0 + S
              3.0 + A
              3.1 # stopped: stop was pressed
              3.1 > robot stop
        "#]],
    );
}

/// A deleted branch comes to rest in its claims: a track that is made meanwhile does not take the place of its own.
#[test]
fn a_deleted_branch_while_a_call_begins() {
    check(
        "
        sequence Root
          parallel All
            parallel P claims=V
              stand_in S claims=V duration_s=1 halt_s=0.3
              wait Long duration_s=0.6
            sequence Other
              wait W duration_s=0.2
              gosub Call target=W
        ",
        "0.1 delete S",
        expect![[r#"
            0.0 + All
            0.0 + P
            0.0 + S
            0.0 + Long
            0.0 + W
            0.2 - W success
            0.2 + Call
            0.2 + Call/W
            0.4 - S halted: it was deleted or moved out of its track
            0.4 - Call/W success
            0.4 - Call success
            0.6 - Long success
            0.6 - P success
            0.6 - All success
            0.6 # the behavior succeeded
        "#]],
    );
}
