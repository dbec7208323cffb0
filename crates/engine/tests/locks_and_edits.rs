//! Locks: what is put behind them, appended inside of them, and jumps that wait for them.

use expect_test::expect;
use testkit::check;

/// Spliced directly behind a locked step that runs: next when the lock opens.
#[test]
fn spliced_behind_a_locked_step() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0 lock A
         0.1 insert Root 1 wait X duration_s=0.1
         0.3 insert Root 1 wait W duration_s=0.1
         0.4 why
         0.5 unlock A",
        expect![[r#"
            0.0 + A
            0.2 ! X held: `A` is locked
            0.3 ! W held: `A` is locked
            0.4 > root at W: `A` is locked
            0.5 - A success
            0.5 + W
            0.6 - W success
            0.6 + X
            0.7 - X success
            0.7 + B
            0.8 - B success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// Behind a locked container whose last step has ended: the same.
#[test]
fn spliced_behind_a_locked_container() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 lock S
         0.3 insert Root 1 wait X duration_s=0.1
         0.3 why
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: `S` is locked
            0.3 ! X held: `S` is locked
            0.3 > root at X: `S` is locked
            0.5 + X
            0.6 - X success
            0.6 + B
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A locked container whose last step has ended still has next inside it: a step appended there runs, in a sequence, a
/// skill, the try and the catch of a fallback.
#[test]
fn appended_inside_a_locked_container() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 lock S
         0.2 insert S 1 wait X duration_s=0.1
         0.4 insert Root 1 wait Behind duration_s=0.1
         0.5 insert S 2 wait Y duration_s=0.1
         0.7 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: `S` is locked
            0.2 + X
            0.3 - X success
            0.3 ! B held: `S` is locked
            0.4 ! Behind held: `S` is locked
            0.5 + Y
            0.6 - Y success
            0.6 ! Behind held: `S` is locked
            0.7 + Behind
            0.8 - Behind success
            0.8 + B
            0.9 - B success
            0.9 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          skill Use file=skill.json
          wait B duration_s=0.1
        --- skill.json
        wait A duration_s=0.1
        ",
        "0 lock Use
         0.3 insert Use/root 1 wait X duration_s=0.1
         0.6 unlock Use",
        expect![[r#"
            0.0 + Use/A
            0.1 - Use/A success
            0.1 ! B held: `Use` is locked
            0.3 + Use/X
            0.4 - Use/X success
            0.4 ! B held: `Use` is locked
            0.6 + B
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          fallback F
            sequence Try
              wait A duration_s=0.1
            wait Catch duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 lock F
         0.2 why
         0.3 insert Try 1 always_fail X
         0.5 insert F 2 wait More duration_s=0.1
         0.5 why
         0.7 unlock F",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! Catch held: `F` is locked
            0.2 > root at Catch: `F` is locked
            0.3 + X
            0.3 - X failure: it is set to always fail
            0.3 + Catch
            0.4 - Catch success
            0.4 ! B held: `F` is locked
            0.5 + More
            0.5 > root at B: waits until `More` has ended
            0.6 - More success
            0.6 ! B held: `F` is locked
            0.7 + B
            0.8 - B success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A lock deeper inside keeps what is around it, too.
#[test]
fn a_lock_at_the_end_of_a_skill() {
    check(
        "
        sequence Root
          fallback F
            sequence S
              wait A duration_s=0.1
            wait Catch
          wait B duration_s=0.1
        ",
        "0 lock S
         0.2 why
         0.3 insert S 1 always_fail X
         0.4 why
         0.5 setting Catch duration_s 0.1
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! Catch held: `S` is locked
            0.2 > root at Catch: `S` is locked
            0.3 + X
            0.3 - X failure: it is set to always fail
            0.3 ! Catch held: `S` is locked
            0.4 > root at Catch: `S` is locked
            0.5 + Catch
            0.6 - Catch success
            0.6 + B
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Set next inside at once; outside it is kept, shown, and done when the lock opens. Of several the latest counts, and
/// it goes before what was spliced.
#[test]
fn set_next_out_of_a_lock_is_kept() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
            wait B duration_s=0.1
          wait C duration_s=0.1
          wait D duration_s=0.1
          wait E duration_s=0.1
        ",
        "0 lock S
         0.2 next D
         0.3 next E
         0.3 insert Root 1 wait Spliced duration_s=0.1
         0.3 why
         0.4 unlock S
         0.6 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B success
            0.2 ! C held: `S` is locked; when it opens, next goes to `D`
            0.3 ! Spliced held: `S` is locked; when it opens, next goes to `E`
            0.3 > root at Spliced: `S` is locked; when it opens, next goes to `E`
            0.4 + E
            0.5 - E success
            0.5 # the behavior succeeded
            0.6 > root at the end: the end is reached
        "#]],
    );
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
            wait B duration_s=0.1
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "0 lock S
         0.3 next D
         0.4 next B
         0.4 why
         0.6 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B success
            0.2 ! C held: `S` is locked
            0.4 + B
            0.4 > root at C: waits until `B` has ended
            0.5 - B success
            0.5 ! C held: `S` is locked
            0.6 + C
            0.7 - C success
            0.7 + D
            0.8 - D success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// Kept also out of a locked step that fails: what the operator wants goes before the failure.
#[test]
fn kept_over_a_failure() {
    check(
        "
        sequence Root
          stand_in A duration_s=0.1 fails_if=bad
          wait B
          wait C duration_s=0.1
        @variables {\"bad\": true}
        ",
        "0 lock A
         0.2 next C
         0.2 why
         0.4 unlock A",
        expect![[r#"
            0.0 + A
            0.1 ! B held: `A` is locked
            0.2 > root at B: `A` is locked; when it opens, next goes to `C`
            0.4 - A failure: `bad` holds
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Stop drops it; so does the deletion of where it goes.
#[test]
fn dropped_by_stop() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
            wait B duration_s=0.3
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "0 lock S
         0.2 next D
         0.3 stop
         0.4 unlock S
         0.4 why
         0.5 lock S
         0.5 automatic on
         0.9 next D
         0.9 why
         1.0 delete D
         1.0 why
         1.1 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.3 - B halted: stop was pressed
            0.3 # stopped: stop was pressed
            0.3 > robot stop
            0.4 > root at B: automatic is off
            0.5 + B
            0.8 - B success
            0.8 ! C held: `S` is locked
            0.9 > root at C: `S` is locked; when it opens, next goes to `D`
            1.0 ! C held: `S` is locked
            1.0 > root at C: `S` is locked
            1.1 + C
            1.2 - C success
            1.2 # the behavior succeeded
        "#]],
    );
}

/// A goto that would leave waits likewise: a later jump takes its place.
#[test]
fn a_goto_and_a_later_jump() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.1
            goto Out target=D
          wait C duration_s=0.1
          wait D duration_s=0.1
          wait E duration_s=0.1
        ",
        "0 lock S
         0.2 why
         0.3 next E
         0.3 why
         0.4 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.1 ! C held: `S` is locked; when it opens, next goes to `D`
            0.2 > root at C: `S` is locked; when it opens, next goes to `D`
            0.3 > root at C: `S` is locked; when it opens, next goes to `E`
            0.4 - Out success
            0.4 + E
            0.5 - E success
            0.5 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.3
            goto Out target=D
          wait C duration_s=0.1
          wait D duration_s=0.1
          wait E duration_s=0.1
        ",
        "0 lock S
         0.1 next E
         0.4 why
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.3 - A success
            0.3 + Out
            0.3 ! C held: `S` is locked; when it opens, next goes to `D`
            0.4 > root at C: `S` is locked; when it opens, next goes to `D`
            0.5 - Out success
            0.5 + D
            0.6 - D success
            0.6 + E
            0.7 - E success
            0.7 # the behavior succeeded
        "#]],
    );
}
