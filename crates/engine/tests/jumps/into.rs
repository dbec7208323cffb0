//! Into composites, and set-next.

use expect_test::expect;
use testkit::check;

/// Into a composite: it starts with the track holding X at X and its other tracks at their beginnings.
#[test]
fn into_a_parallel() {
    check(
        "
        sequence root
          goto G target=B
          stand_in N
          parallel P
            sequence Left
              stand_in A
              stand_in B duration_s=0.1
            sequence Right
              stand_in C duration_s=0.2
              stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + P
            0.0 + B
            0.0 + C
            0.1 - B success
            0.2 - C success
            0.2 + D
            0.3 - D success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Into a loop: only its first pass starts there.
#[test]
fn into_a_loop() {
    check(
        "
        sequence root
          goto G target=B
          loop L count=2
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + L
            0.0 + B
            0.1 - B success
            0.1 + A
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.3 - L success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Into a case of a choose: that case, whatever its condition says. Into a guarded sequence, through both.
#[test]
fn into_a_choose_and_a_guarded_sequence() {
    check(
        "
        sequence root
          goto G target=B
          choose C
            stand_in Yes when=1==1
            sequence No when=1==2 timeout_s=9
              stand_in A
              stand_in B duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + C
            0.0 + No
            0.0 + B
            0.1 - B success
            0.1 - No success
            0.1 - C success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// Across branches: the composite that holds both is left and entered anew.
#[test]
fn across_the_branches_of_a_parallel() {
    check(
        "
        parallel P
          sequence Left
            stand_in A duration_s=0.1
            counter K limit=2
            goto G target=D
          sequence Right
            stand_in C duration_s=0.3
            stand_in D duration_s=0.2
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + C
            0.1 - A success
            0.1 + K
            0.1 - K success
            0.1 + G
            0.1 - G success
            0.1 - C halted: what it belongs to was halted
            0.1 - P halted: a jump left it
            0.1 + P
            0.1 + A
            0.1 + D
            0.2 - A success
            0.2 + K
            0.2 - K failure "counter": executed 2 times: the limit of 2 is reached
            0.2 - D halted: what it belongs to was halted
            0.2 - P failure "counter": executed 2 times: the limit of 2 is reached
            0.2 # the behavior ended: failure: executed 2 times: the limit of 2 is reached
        "#]],
    );
}

/// A composite that is left and entered again waits until what halts in it has come to rest.
#[test]
fn a_composite_entered_anew_waits_for_its_halt() {
    check(
        "
        sequence root
          loop L
            stand_in A duration_s=0.2 halt_s=0.2
            stand_in W duration_s=0.1 after=Beginning
            goto G target=L after=W
        ",
        "end 0.3",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 + W
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.3 - A halted: what it belongs to was halted
            0.3 - L halted: a jump left it
            0.3 + L
            0.3 + A
            0.3 + W
        "#]],
    );
}

/// A jump into a composite that runs is not let into that run: it waits, then the composite starts at X.
#[test]
fn into_a_composite_that_still_runs() {
    check(
        "
        sequence root
          loop L count=2
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
          counter K limit=2 after=Beginning
          goto G target=B after=Beginning
        ",
        "
        end 0.6
        0 break K
        0.1 unbreak K
        0.1 continue
        ",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 ! K held: held at `K`: breakpoint
            0.1 - A success
            0.1 + B
            0.1 + K
            0.1 - K success
            0.1 + G
            0.1 - G success
            0.2 - B success
            0.2 + A
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 - L success
            0.4 + L
            0.4 + B
            0.4 + K
            0.4 - K failure "counter": executed 2 times: the limit of 2 is reached
            0.5 - B success
            0.5 + A
            0.6 - A success
            0.6 + B
        "#]],
    );
}

/// Set-next does the same from outside: in the root track, and into a composite that does not run.
#[test]
fn set_next() {
    check(
        "
        stand_in A duration_s=0.4
        stand_in B
        loop L count=1
          stand_in C
          stand_in D duration_s=0.1
        stand_in E duration_s=0.1
        ",
        "
        0.1 next E
        0.2 next D
        0.2 why
        ",
        expect![[r#"
            0.0 + A
            0.1 + E
            0.2 - E success
            0.2 + L
            0.2 + D
            0.2 > root at E: waits until `L` has ended
            0.2 > L at the end: the end is reached
            0.3 - D success
            0.3 - L success
            0.3 + E
            0.4 - A success
            0.4 - E success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The last jump counts: setting next elsewhere, or to the composite itself, forgets where it was to start.
#[test]
fn set_next_forgets_an_earlier_one() {
    let outline = "
        loop L count=1
          stand_in C duration_s=0.1
          stand_in D duration_s=0.1
        stand_in E duration_s=0.1
        ";
    check(
        outline,
        "
        manual
        0 next D
        0.1 next L
        0.2 automatic on
        ",
        expect![[r#"
            0.2 + L
            0.2 + C
            0.3 - C success
            0.3 + D
            0.4 - D success
            0.4 - L success
            0.4 + E
            0.5 - E success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Running only one branch leaves no trace in a later run of its composite.
#[test]
fn only_one_branch_then_all() {
    check(
        "
        sequence root
          parallel P
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
          stand_in C duration_s=0.1
        ",
        "
        manual
        0 only B
        0.2 next P
        0.3 automatic on
        ",
        expect![[r#"
            0.0 + P
            0.0 + B
            0.1 - B success
            0.1 - P success
            0.1 # the behavior succeeded
            0.3 + P
            0.3 + A
            0.3 + B
            0.4 - A success
            0.4 - B success
            0.4 - P success
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Set-next into a running composite: the innermost track that runs there and holds it. Nothing is halted.
#[test]
fn set_next_in_a_running_child_track() {
    check(
        "
        parallel P
          sequence Left
            stand_in A duration_s=0.3
            stand_in B
            stand_in C duration_s=0.1
          stand_in Y duration_s=0.2
        ",
        "0.1 next C",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Y
            0.1 + C
            0.2 - C success
            0.2 - Y success
            0.3 - A success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}
