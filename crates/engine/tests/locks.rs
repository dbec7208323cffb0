//! Locks: a node runs on inside, and nothing leaves it.

use expect_test::expect;
use testkit::check;

/// A locked step runs on, but next does not leave it (not even to what may run beside it) and its result is not
/// reported until unlocked.
#[test]
fn lock_on_a_step() {
    check(
        "
        stand_in A duration_s=0.2
        wait B duration_s=0.1 after=Beginning
        wait C duration_s=0.1 after=A
        ",
        "0 lock A
         0.4 why
         0.5 unlock A",
        expect![[r#"
            0.0 + A
            0.0 ! B held: `A` is locked
            0.4 > root at B: `A` is locked
            0.5 - A success
            0.5 + B
            0.5 + C
            0.6 - B success
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A failure of a locked step is withheld, too; the reason is the lock.
#[test]
fn lock_withholds_a_failure() {
    check(
        "
        fallback F
          stand_in A duration_s=0.2 fails_if=bad
          wait Catch duration_s=0.1
        wait B duration_s=0.1
        @variables {\"bad\": true}
        ",
        "0.1 lock A
         0.4 why
         0.5 unlock A",
        expect![[r#"
            0.0 + A
            0.2 ! Catch held: `A` is locked
            0.4 > root at Catch: `A` is locked
            0.5 - A failure: `bad` holds
            0.5 + Catch
            0.6 - Catch success
            0.6 + B
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A locked sequence runs on inside; next does not leave it, and a run does not end in it.
#[test]
fn lock_on_a_sequence() {
    check(
        "
        sequence S
          wait A duration_s=0.1
          wait B duration_s=0.1
        wait C duration_s=0.1
        sequence T
          wait D duration_s=0.1
        ",
        "0 lock S
         0 lock T
         0.4 why
         0.5 unlock S
         0.9 why
         1.0 unlock T",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B success
            0.2 ! C held: `S` is locked
            0.4 > root at C: `S` is locked
            0.5 + C
            0.6 - C success
            0.6 + D
            0.7 - D success
            0.9 > root at the end: the end is reached
            1.0 # the behavior succeeded
        "#]],
    );
}

/// A failure in a locked sequence or skill does not leave it: no catch around it starts before it is unlocked.
#[test]
fn lock_keeps_a_failure_in() {
    check(
        "
        fallback F
          skill Use file=skill.json
          wait Catch duration_s=0.1
        --- skill.json
        wait A duration_s=0.1
        always_fail B
        wait Never
        ",
        "0 lock Use
         0.3 why
         0.5 unlock Use",
        expect![[r#"
            0.0 + Use/A
            0.1 - Use/A success
            0.1 + Use/B
            0.1 - Use/B failure: it is set to always fail
            0.1 ! Use/Never held: `Use` is locked
            0.3 > root at Use/Never: `Use` is locked
            0.5 + Catch
            0.6 - Catch success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A fallback inside of the lock handles its failures: it runs on inside.
#[test]
fn lock_around_a_fallback() {
    check(
        "
        fallback F
          always_fail A
          wait Catch duration_s=0.1
        wait B duration_s=0.1
        ",
        "0 lock F
         0.4 unlock F",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 + Catch
            0.1 - Catch success
            0.1 ! B held: `F` is locked
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A locked composite runs inside, its success or failure is withheld; a lock set late counts as well.
#[test]
fn lock_on_composites() {
    check(
        "
        parallel P
          wait A duration_s=0.2
        fallback F
          loop L
            wait B duration_s=0.1
            always_fail C
          wait Catch duration_s=0.1
        ",
        "0.1 lock P
         0.1 lock L
         0.4 unlock P
         0.8 unlock L",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.2 - A success
            0.2 ! L held: `P` is locked
            0.4 - P success
            0.4 + L
            0.4 + B
            0.5 - B success
            0.5 + C
            0.5 - C failure: it is set to always fail
            0.5 ! Catch held: `L` is locked
            0.8 - L failure: it is set to always fail
            0.8 + Catch
            0.9 - Catch success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// A guard that ends a locked step ends it inside; that result, too, is withheld. Stop passes every lock.
#[test]
fn locks_and_guards_and_stop() {
    check(
        "
        sequence S until=go
          wait A
        wait B
        @variables {\"go\": false}
        ",
        "0 lock S
         0 lock B
         0.2 set go true
         0.4 unlock S
         0.6 stop",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.2 = go true
            0.2 - A halted: what it belongs to was halted
            0.2 ! B held: `S` is locked
            0.4 - S success: `until go` holds
            0.4 + B
            0.6 - B halted: stop was pressed
            0.6 # stopped: stop was pressed
            0.6 > robot stop
        "#]],
    );
}

/// A goto out of a locked node waits until it is unlocked; one that stays inside goes.
#[test]
fn goto_out_of_a_lock_waits() {
    check(
        "
        sequence S
          wait A duration_s=0.1
          goto Inside target=B
          wait Skipped
          wait B duration_s=0.1
          goto Out target=End
        wait Passed
        sequence P until=never
          wait End duration_s=0.1
        @variables {\"never\": false}
        ",
        "0 lock S
         0.4 why
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Inside
            0.1 - Inside success
            0.1 + B
            0.2 - B success
            0.2 + Out
            0.2 ! Passed held: `S` is locked; when it opens, next goes to `End`
            0.4 > root at Passed: `S` is locked; when it opens, next goes to `End`
            0.5 - Out success
            0.5 + P
            0.5 + End
            0.6 - End success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A goto to the end of its track leaves out all that is behind it there, and out of a locked node it waits.
#[test]
fn goto_the_end_of_its_track() {
    check(
        "
        parallel P
          sequence One
            wait A duration_s=0.1
            goto Over end=true
            wait Skipped
          wait Other duration_s=0.2
        sequence S
          wait B duration_s=0.1
          goto Out end=true
        wait Passed
        ",
        "0 lock S
         0.6 unlock S",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Other
            0.1 - A success
            0.1 + Over
            0.1 - Over success
            0.2 - Other success
            0.2 - P success
            0.2 + B
            0.3 - B success
            0.3 + Out
            0.3 ! Passed held: `S` is locked; when it opens, next goes to the end of its track
            0.6 - Out success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Of a goto to the end and what an operator sets while it waits for the lock, the latest counts; stop drops both.
#[test]
fn goto_the_end_and_set_next_in_a_lock() {
    let tree = "
        sequence S
          wait A duration_s=0.1
          goto Out end=true
        wait Passed
        wait End duration_s=0.1
        ";
    check(
        tree,
        "0 lock S
         0.3 next End
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.1 ! Passed held: `S` is locked; when it opens, next goes to the end of its track
            0.5 - Out success
            0.5 + End
            0.6 - End success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        tree,
        "0 lock S
         0.3 stop
         0.5 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.1 ! Passed held: `S` is locked; when it opens, next goes to the end of its track
            0.3 - Out halted: stop was pressed
            0.3 # stopped: stop was pressed
            0.3 > robot stop
        "#]],
    );
}

/// A goto out of a locked composite waits as well.
#[test]
fn goto_out_of_a_locked_composite_waits() {
    check(
        "
        loop L
          wait A duration_s=0.1
          goto Out target=End
        wait Passed
        wait End duration_s=0.1
        ",
        "0 lock L
         0.4 unlock L",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.4 - Out success
            0.4 - L halted: a jump left it
            0.4 + End
            0.5 - End success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Set-next out of a locked node is kept, inside it is obeyed; a press never passes a lock.
#[test]
fn set_next_and_press_in_a_lock() {
    check(
        "
        sequence S
          wait A duration_s=0.1
          wait B duration_s=0.1
        wait C duration_s=0.1
        parallel P
          wait D
        wait E
        ",
        "manual
         0 lock S
         0 press
         0.2 next C
         0.2 move 5
         0.2 next A
         0.3 press
         0.5 next B
         0.5 press
         0.7 press
         0.8 unlock S
         0.8 lock P
         0.8 next P
         0.8 press
         0.9 next E
         0.9 stop",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.2 > refused `move 5`: `S` is locked: next does not leave it for the end
            0.3 + A
            0.4 - A success
            0.5 + B
            0.6 - B success
            0.7 > refused `press`: `S` is locked
            0.8 + P
            0.8 + D
            0.9 - D halted: what it belongs to was halted
            0.9 - P halted: stop was pressed
            0.9 # stopped: stop was pressed
            0.9 > robot stop
        "#]],
    );
}
