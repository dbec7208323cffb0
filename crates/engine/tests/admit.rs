//! Who is not in control starts nothing by an edit.

use expect_test::expect;
use testkit::check;

/// A branch of a running composite is held until it is admitted; the others run on.
#[test]
fn a_new_branch() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert P 1 wait New duration_s=0.1
         0.2 why
         0.4 admit",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 - A success
            0.2 > root at B: waits until `P` has ended
            0.2 > P at New: added by Bob: waits to be admitted
            0.4 + New
            0.5 - New success
            0.5 - P success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A step that becomes next and is held by nothing else.
#[test]
fn a_step_that_becomes_next() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 why
         0.5 admit Now",
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.2 > root at Now: added by Bob: waits to be admitted
            0.3 - Walk success
            0.5 + Now
            0.6 - Now success
            0.6 + C
            0.7 - C success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Further ahead it runs in its turn; so does what waits for something else at next.
#[test]
fn further_ahead() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Next duration_s=0.1
         0.1 insert Root 3 wait Last duration_s=0.1",
        expect![[r#"
            0.0 + A
            0.3 - A success
            0.3 + Next
            0.4 - Next success
            0.4 + B
            0.5 - B success
            0.5 + Last
            0.6 - Last success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Freed by a changed execute after, by a deletion of the one waited for, of next, of a gate.
#[test]
fn freed_by_an_edit() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.5
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 setting Arm after Beginning
         0.2 why
         0.3 admit",
        expect![[r#"
            0.0 + Walk
            0.1 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Arm: freed by an edit of Bob: waits to be admitted
            0.3 + Arm
            0.4 - Arm success
            0.5 - Walk success
            0.5 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          stand_in Walk duration_s=0.5 halt_s=0.2
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 delete Walk
         0.2 why
         0.4 why
         0.5 admit",
        expect![[r#"
            0.0 + Walk
            0.2 > root at Arm: waits until `Walk` has ended
            0.3 - Walk halted: it was deleted or moved out of its track
            0.3 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.4 > root at Arm: freed by an edit of Bob: waits to be admitted
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait Held autonomy=high
          wait C duration_s=0.1
        ",
        "0 level low
         0.2 edits by Bob
         0.2 delete Held
         0.3 why
         0.4 admit",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! Held held: needs an autonomy level above high, the operator's is low
            0.2 ! C held: freed by an edit of Bob: waits to be admitted
            0.3 > root at C: freed by an edit of Bob: waits to be admitted
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A deletion that ends a composite, decides a try, or takes what was called starts nothing behind it.
#[test]
fn freed_by_the_end_of_what_is_around() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.1
            wait B
          wait C duration_s=0.1
        ",
        "0.2 edits by Bob
         0.2 delete B
         0.3 why
         0.4 admit",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.2 - B halted: it was deleted or moved out of its track
            0.2 - P success
            0.2 ! C held: freed by an edit of Bob: waits to be admitted
            0.3 > root at C: freed by an edit of Bob: waits to be admitted
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          fallback F
            stand_in Try halt_s=0.2
            wait Catch
          wait D duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 delete Try
         0.2 why
         0.4 why
         0.5 admit",
        expect![[r#"
            0.0 + Try
            0.2 > root at Catch: waits until `Try` has ended
            0.3 - Try halted: it was deleted or moved out of its track
            0.3 ! Catch held: freed by an edit of Bob: waits to be admitted
            0.4 > root at Catch: freed by an edit of Bob: waits to be admitted
            0.5 + Catch
            4.5 - Catch success
            4.5 + D
            4.6 - D success
            4.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        fallback F
          gosub G target=S
          wait Catch duration_s=0.1
        sequence S
          wait E duration_s=0.3
        ",
        "0.1 edits by Bob
         0.1 delete S
         0.2 why
         0.3 admit",
        expect![[r#"
            0.0 + G
            0.0 + G/E
            0.1 - G/E halted: it was deleted or moved out of its track
            0.1 - G failure: there is no node `S` to call
            0.1 ! Catch held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Catch: freed by an edit of Bob: waits to be admitted
            0.3 + Catch
            0.4 - Catch success
            0.4 # the behavior succeeded
        "#]],
    );
    check(
        "
        loop L
          wait A duration_s=0.1
          wait B
        ",
        "0.2 edits by Bob
         0.2 delete B
         0.3 why
         0.4 stop",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B halted: it was deleted or moved out of its track
            0.2 ! A held: freed by an edit of Bob: waits to be admitted
            0.3 > root at the end: the end is reached
            0.3 > L at A: freed by an edit of Bob: waits to be admitted
            0.4 - L halted: stop was pressed
            0.4 # stopped: stop was pressed
            0.4 > robot stop
        "#]],
    );
}

/// A claim that a deletion makes free.
#[test]
fn freed_by_a_claim() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"]
          sequence S
            wait Z duration_s=0.1
            stand_in B claims=["x"] duration_s=0.1
        "#,
        "0.2 edits by Bob
         0.2 delete A
         0.3 why
         0.4 admit",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Z
            0.1 - Z success
            0.1 ! B held: `x` is held by `A`
            0.2 - A halted: it was deleted or moved out of its track
            0.2 ! B held: freed by an edit of Bob: waits to be admitted
            0.3 > root at the end: the end is reached
            0.3 > P at B: freed by an edit of Bob: waits to be admitted
            0.4 + B
            0.5 - B success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A press passes the gate; taken back, nothing is held.
#[test]
fn pressed_or_taken_back() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 press",
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.2 + Now
            0.3 - Walk success
            0.3 - Now success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 edits by Bob
         0.2 delete Now",
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.3 - Walk success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          wait Walk duration_s=0.5
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 setting Arm after Beginning
         0.2 edits by Bob
         0.2 setting Arm after -
         0.2 why",
        expect![[r#"
            0.0 + Walk
            0.1 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Arm: waits until `Walk` has ended
            0.5 - Walk success
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// What would have started anyway in that tick does; edits of whoever is in control start what they start.
#[test]
fn what_starts_anyway() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.2 edits by Bob
         0.2 insert Root 2 wait Last duration_s=0.1
         0.2 edits
         0.2 insert Root 0 wait Up",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.3 + Last
            0.4 - Last success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A branch that has ended stays ended, whoever appends to it.
#[test]
fn an_ended_branch() {
    check(
        "
        parallel P
          sequence S
            wait A duration_s=0.1
          wait B duration_s=0.3
        ",
        "0.2 edits by Bob
         0.2 insert S 1 wait More",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.3 - B success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Stopped, what was held is part of the tree like anything else; nothing held is nothing to admit.
#[test]
fn after_a_stop() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert P 1 wait New duration_s=0.1
         0.2 admit A
         0.3 stop
         0.4 admit
         0.5 automatic on",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 - A success
            0.2 > refused `admit A`: it is not held for being added by somebody else
            0.3 - P halted: stop was pressed
            0.3 # stopped: stop was pressed
            0.3 > robot stop
            0.4 > refused `admit`: nothing is held for being added by somebody else
            0.5 + P
            0.5 + A
            0.5 + New
            0.6 - New success
            0.7 - A success
            0.7 - P success
            0.7 + B
            0.8 - B success
            0.8 # the behavior succeeded
        "#]],
    );
}

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
