//! What holds until an operator lets it go on: breakpoints, and results that need a higher autonomy level.

mod results;

use expect_test::expect;
use testkit::check;

/// Reaching a breakpoint takes automatic off; clearing it starts nothing; continue does.
#[test]
fn clearing_starts_nothing() {
    check(
        "
        wait A duration_s=0.2
        wait B duration_s=0.1
        wait C duration_s=0.1
        ",
        "0 break B
         0.3 why
         0.4 unbreak B
         0.6 why
         0.7 continue
         0.9 why",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 ! B held: held at `B`: breakpoint
            0.3 > root at B: held at `B`: breakpoint
            0.6 > root at B: held at `B`: breakpoint
            0.7 + B
            0.8 - B success
            0.8 + C
            0.9 - C success
            0.9 # the behavior succeeded
            0.9 > root at the end: the end is reached
        "#]],
    );
}

/// Continue sets only the track of the step it names automatic; without a name, all that are held.
#[test]
fn continue_names_a_step() {
    check(
        "
        parallel P
          sequence One
            wait A duration_s=0.1
            wait A2 duration_s=0.1
          sequence Two
            wait B duration_s=0.1
          sequence Three
            wait C duration_s=0.1
            wait C2 duration_s=0.1
        wait Last duration_s=0.1
        ",
        "0 break A
         0 break B
         0 break Three
         0.2 continue A
         0.3 continue Last
         0.5 why
         0.6 continue
         0.6 continue",
        expect![[r#"
            0.0 + P
            0.0 ! A held: held at `A`: breakpoint
            0.0 ! B held: held at `B`: breakpoint
            0.0 ! C held: held at `Three`: breakpoint
            0.2 + A
            0.3 - A success
            0.3 + A2
            0.3 > refused `continue Last`: `Last` is not held: name what continues: `B`, `C`
            0.4 - A2 success
            0.5 > root at Last: waits until `P` has ended
            0.5 > P at B: held at `B`: breakpoint
            0.5 > P at C: held at `Three`: breakpoint
            0.6 + B
            0.6 + C
            0.6 > refused `continue`: nothing waits for continue
            0.7 - B success
            0.7 - C success
            0.7 + C2
            0.8 - C2 success
            0.8 - P success
            0.8 + Last
            0.9 - Last success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// The breakpoint stays and holds the next pass, also of an organising node.
#[test]
fn the_next_pass_is_held() {
    check(
        "
        loop L count=2
          wait A duration_s=0.1
          sequence S
            wait B duration_s=0.1
        ",
        "0 break S
         0.3 continue S
         0.8 continue B
         1.2 continue",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `S`: breakpoint
            0.3 + B
            0.4 - B success
            0.4 + A
            0.5 - A success
            0.5 ! B held: held at `S`: breakpoint
            0.8 + B
            0.9 - B success
            0.9 - L success
            0.9 # the behavior succeeded
            1.2 > refused `continue`: nothing waits for continue
        "#]],
    );
}

/// After a press past a breakpoint its track stays manual, also in the next pass.
#[test]
fn a_press_passes_and_nothing_more() {
    check(
        "
        loop L count=2
          wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 break B
         0.3 press
         0.6 why
         0.7 press
         0.9 why
         1.0 automatic on
         1.2 why
         1.3 continue",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `B`: breakpoint
            0.3 + B
            0.4 - B success
            0.6 > root at the end: the end is reached
            0.6 > L at A: automatic is off
            0.7 + A
            0.8 - A success
            0.9 > root at the end: the end is reached
            0.9 > L at B: automatic is off
            1.0 ! B held: held at `B`: breakpoint
            1.2 > root at the end: the end is reached
            1.2 > L at B: held at `B`: breakpoint
            1.3 + B
            1.4 - B success
            1.4 - L success
            1.4 # the behavior succeeded
        "#]],
    );
}

/// Automatic does not pass a breakpoint; it goes once the breakpoint is cleared.
#[test]
fn automatic_is_held_again() {
    check(
        "
        wait A duration_s=0.1
        wait B duration_s=0.1
        ",
        "0 break B
         0.3 automatic on
         0.5 unbreak B
         0.7 automatic on",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `B`: breakpoint
            0.3 ! B held: held at `B`: breakpoint
            0.7 + B
            0.8 - B success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// The held step is deleted: its track is held all the same, and goes on with the step that follows.
#[test]
fn an_edit_while_held() {
    check(
        "
        sequence root
          wait A duration_s=0.1
          wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0 break B
         0.3 delete B
         0.5 why
         0.8 continue C",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `B`: breakpoint
            0.3 ! C held: held at `a deleted node`: breakpoint
            0.5 > root at C: held at `a deleted node`: breakpoint
            0.8 + C
            0.9 - C success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// Stop and set-next end it; there is nothing to continue then.
#[test]
fn stop_and_set_next_end_it() {
    check(
        "
        wait A duration_s=0.1
        wait B duration_s=0.1
        ",
        "0 break B
         0.3 stop
         0.3 continue
         0.4 continue
         0.5 automatic on
         0.7 next A
         0.8 continue B
         0.9 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: held at `B`: breakpoint
            0.3 # stopped: stop was pressed
            0.3 > refused `continue`: stop was pressed in this tick
            0.3 > robot stop
            0.4 > refused `continue`: nothing waits for continue
            0.5 ! B held: held at `B`: breakpoint
            0.8 > refused `continue B`: `B` is not held: nothing waits for continue
            0.9 > root at A: automatic is off
        "#]],
    );
}

/// What runs beside goes on, and so do other tracks.
#[test]
fn what_runs_goes_on() {
    check(
        "
        parallel P
          sequence One
            wait A duration_s=0.4
            wait B duration_s=0.1 after=Beginning
          sequence Two
            wait C duration_s=0.2
            wait D duration_s=0.1
        ",
        "0 break B
         0.6 press B",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: held at `B`: breakpoint
            0.0 + C
            0.2 - C success
            0.2 + D
            0.3 - D success
            0.4 - A success
            0.6 + B
            0.7 - B success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A claim that is taken when it goes on: the breakpoint is not asked again.
#[test]
fn passed_once_though_it_waits() {
    check(
        "
        parallel P
          wait A duration_s=0.5 claims=[\"arm\"]
          wait B duration_s=0.1 claims=[\"arm\"]
        ",
        "0 break B
         0.2 continue B",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 ! B held: held at `B`: breakpoint
            0.2 ! B held: `arm` is held by `A`
            0.5 - A success
            0.5 + B
            0.6 - B success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}
