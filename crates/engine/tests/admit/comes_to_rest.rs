//! What comes to rest by an edit starts nothing.

use expect_test::expect;
use testkit::check;

/// The first step of an empty loop that goes round and round: no pass of the loop may carry it in.
#[test]
fn the_first_step_of_a_loop_that_goes_round() {
    check(
        "
        sequence Root
          loop L count=4
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert L 0 wait New duration_s=0.1
         0.2 why
         0.4 admit",
        expect![[r#"
            0.0 + L
            0.0 # L: begins again in the tick in which it began: no time passes in this loop, so it goes once a tick
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 > root at C: waits until `L` has ended
            0.2 > L at New: added by Bob: waits to be admitted
            0.4 + New
            0.5 - New success
            0.5 + New
            0.6 - New success
            0.6 + New
            0.7 - New success
            0.7 - L success
            0.7 + C
            0.8 - C success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A composite that a jump has left comes to rest by a deletion alone: it does not start again for that.
#[test]
fn what_comes_to_rest_by_a_deletion() {
    check(
        "
        sequence Root
          parallel P
            sequence E
              stand_in S duration_s=0.1 halt_s=0.4
            goto G target=E
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 delete S
         0.2 why
         0.4 stop",
        expect![[r#"
            0.0 + P
            0.0 + S
            0.0 + G
            0.0 - G success
            0.1 - P halted: a jump left it
            0.1 ! P held: freed by an edit of Bob: waits to be admitted
            0.2 > root at P: freed by an edit of Bob: waits to be admitted
            0.4 # stopped: stop was pressed
            0.4 - S halted: what it belongs to was halted
            0.4 > robot stop
        "#]],
    );
}

/// Claims of a composite that ends by a deletion alone free nobody.
#[test]
fn claims_of_what_ends_by_a_deletion() {
    check(
        "
        sequence Root
          parallel P claims=[\"T\"]
            wait A duration_s=0.5
          parallel Q after=Beginning
            wait B duration_s=0.1 claims=[\"T\"]
            wait C duration_s=0.3
        ",
        "0.1 edits by Bob
         0.1 delete A
         0.2 why
         0.4 admit",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Q
            0.0 ! B held: `T` is held by `P`
            0.0 + C
            0.1 - A halted: it was deleted or moved out of its track
            0.1 - P success
            0.1 ! B held: freed by an edit of Bob: waits to be admitted
            0.2 > root at the end: the end is reached
            0.2 > Q at B: freed by an edit of Bob: waits to be admitted
            0.2 > Q at the end: the end is reached
            0.3 - C success
            0.4 + B
            0.5 - B success
            0.5 - Q success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// The step that decides a parallel is moved into a branch of it that has ended: the end of the parallel frees nobody.
#[test]
fn another_branch_decides() {
    check(
        "
        sequence Root
          parallel P policy=priority priority=A
            wait Long duration_s=1
            sequence S
              wait Short duration_s=0.1
          wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0.3 edits by Bob
         0.3 move_node A S 0
         0.4 why
         0.5 admit",
        expect![[r#"
            0.0 + P
            0.0 + Long
            0.0 + Short
            0.1 - Short success
            0.3 - Long halted: what it belongs to was halted
            0.3 - P success
            0.3 ! B held: freed by an edit of Bob: waits to be admitted
            0.4 > root at B: freed by an edit of Bob: waits to be admitted
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A step that waits for a claim, and an edit that takes the claim away.
#[test]
fn claims_taken_away() {
    check(
        r#"
        sequence Root
          wait A duration_s=0.5 claims=["T"]
          wait B duration_s=0.1 claims=["T"] after=Beginning
        "#,
        "0.1 edits by Bob
         0.1 setting B claims []
         0.2 why
         0.3 admit",
        expect![[r#"
            0.0 + A
            0.0 ! B held: `T` is held by `A`
            0.1 ! B held: freed by an edit of Bob: waits to be admitted
            0.2 > root at B: freed by an edit of Bob: waits to be admitted
            0.3 + B
            0.4 - B success
            0.5 - A success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A composite in a composite halts: a deletion by an outsider brings both to rest, and what follows is held.
#[test]
fn what_halts_inside_of_what_halts() {
    check(
        "
        sequence Root
          parallel Outer policy=one
            parallel Inner
              sequence S
                stand_in Slow duration_s=5 halt_s=5
              wait W duration_s=5
            wait Quick duration_s=0.1
          wait Behind duration_s=0.1
        ",
        "0.3 edits by Bob
         0.3 delete S
         0.5 why
         0.6 admit",
        expect![[r#"
            0.0 + Outer
            0.0 + Inner
            0.0 + Slow
            0.0 + W
            0.0 + Quick
            0.1 - Quick success
            0.1 - W halted: what it belongs to was halted
            0.3 - Inner halted: what it belongs to was halted
            0.3 - Outer success
            0.3 ! Behind held: freed by an edit of Bob: waits to be admitted
            0.5 > root at Behind: freed by an edit of Bob: waits to be admitted
            0.6 + Behind
            0.7 - Behind success
            0.7 # the behavior succeeded
            2.1 # Slow: did not come to rest in 2 s: its parts get a robot stop
            2.1 - Slow halted: what it belongs to was halted
        "#]],
    );
}
