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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
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
            wait B duration_s=0.1
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "0 lock S
         0.1 next D
         0.1 stop
         0.2 unlock S
         0.2 why
         0.3 lock S
         0.3 automatic on
         0.6 next D
         0.7 delete D
         0.7 why
         0.8 unlock S",
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
    );
}
