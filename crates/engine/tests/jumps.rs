//! Jumps: goto, set-next, gosub. Each case carries the sentence it holds the engine to.

use expect_test::expect;
use testkit::{check, run};

/// Goto X: next becomes the step that is X. Other running steps of the track continue.
#[test]
fn goto_within_a_track() {
    check(
        "
        stand_in A duration_s=0.3
        goto G target=C after=Beginning
        stand_in B
        stand_in C duration_s=0.1 after=Beginning
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + G
            0.0 - G success
            0.0 + C
            0.1 - C success
            0.3 - A success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Goto an organising node: next becomes its first step.
#[test]
fn goto_an_organising_node() {
    check(
        "
        sequence root
          goto G target=S
          stand_in A
          sequence S
            sequence Inner
              stand_in B duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + B
            0.1 - B success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// Goto with no target, or `Next`: the step behind. With a target that is not there: a failure that says so.
#[test]
fn goto_next_and_goto_nowhere() {
    check(
        "
        goto G
        goto H target=Next
        goto K target=Nowhere
        ",
        "",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + H
            0.0 - H success
            0.0 + K
            0.0 - K failure: there is no node `Nowhere` to go to
            0.0 # the behavior ended: failure: there is no node `Nowhere` to go to
        "#]],
    );
}

/// A composite being left is halted: out of a parallel.
#[test]
fn out_of_a_parallel() {
    check(
        "
        stand_in Other duration_s=0.4
        parallel P after=Beginning
          sequence Left
            stand_in W duration_s=0.1
            goto G target=Z
          stand_in Y
        stand_in N
        stand_in Z duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Other
            0.0 + P
            0.0 + W
            0.0 + Y
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - Y halted: what it belongs to was halted
            0.1 - P halted: a jump left it
            0.1 + Z
            0.2 - Z success
            0.4 - Other success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Out of a loop, a choose, a guarded sequence: the same.
#[test]
fn out_of_other_composites() {
    for (composite, place) in [("loop P", "stand_in Y"), ("choose P", "stand_in Y"), ("sequence P timeout_s=9", "")] {
        let trace = run(
            &format!(
                "
                sequence root
                  {composite}
                    sequence Body
                      stand_in W duration_s=0.1
                      goto G target=Z
                    {place}
                  stand_in N
                  stand_in Z duration_s=0.1
                "
            ),
            "",
        );
        expect![[r#"
            0.0 + P
            0.0 + W
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - P halted: a jump left it
            0.1 + Z
            0.2 - Z success
            0.2 # the behavior succeeded
        "#]]
        .assert_eq(&trace);
    }
}

/// Out of several composites at once: the outermost that is left is halted, with all in it.
#[test]
fn out_of_nested_composites() {
    check(
        "
        sequence root
          parallel P
            loop L
              stand_in W duration_s=0.1
              goto G target=Z
            stand_in Y halt_s=0.2
          stand_in Z duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + L
            0.0 + W
            0.0 + Y
            0.1 - W success
            0.1 + G
            0.1 - G success
            0.1 - L halted: what it belongs to was halted
            0.3 - Y halted: what it belongs to was halted
            0.3 - P halted: a jump left it
            0.3 + Z
            0.4 - Z success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The innermost track that holds both ends: a jump inside a branch leaves nothing.
#[test]
fn within_a_branch() {
    check(
        "
        parallel P
          sequence Left
            goto G target=B
            stand_in A
            stand_in B duration_s=0.1
          stand_in Y duration_s=0.2
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + G
            0.0 - G success
            0.0 + B
            0.0 + Y
            0.1 - B success
            0.2 - Y success
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

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
        ",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.0 ! K held: breakpoint at `K`
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

/// The last jump counts: setting next elsewhere forgets where a composite was to start.
#[test]
fn set_next_forgets_an_earlier_one() {
    check(
        "
        stand_in A duration_s=0.1
        loop L count=1
          stand_in C duration_s=0.1
          stand_in D duration_s=0.1
        ",
        "
        manual
        0 next D
        0.1 next A
        0.2 automatic on
        ",
        expect![[r#"
            0.2 + A
            0.3 - A success
            0.3 + L
            0.3 + C
            0.4 - C success
            0.4 + D
            0.5 - D success
            0.5 - L success
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

/// Gosub runs its target as a new instance and returns.
#[test]
fn gosub_runs_and_returns() {
    check(
        "
        sequence root
          gosub Call target=S
          goto G target=End
          sequence S
            stand_in A duration_s=0.1
            stand_in B duration_s=0.1
          stand_in End duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Call
            0.0 + Call/A
            0.1 - Call/A success
            0.1 + Call/B
            0.2 - Call/B success
            0.2 - Call success
            0.2 + G
            0.2 - G success
            0.2 + End
            0.3 - End success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// … even if it also runs elsewhere: each has its own state.
#[test]
fn gosub_of_what_runs_elsewhere() {
    check(
        "
        parallel P
          sequence S
            stand_in A duration_s=0.2
            stand_in B duration_s=0.1
          sequence Later
            wait W duration_s=0.1
            gosub One target=S
          sequence Latest
            gosub Two target=S
        ",
        "0.1 force Two/A success",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.0 + Two
            0.0 + Two/A
            0.1 - Two/A success: forced by the operator
            0.1 - W success
            0.1 + One
            0.1 + One/A
            0.1 + Two/B
            0.2 - A success
            0.2 + B
            0.2 - Two/B success
            0.2 - Two success
            0.3 - B success
            0.3 - One/A success
            0.3 + One/B
            0.4 - One/B success
            0.4 - One success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A failure in what it runs is the gosub's failure; a target that is not there too.
#[test]
fn gosub_fails_with_what_it_runs() {
    check(
        "
        sequence root
          fallback F
            gosub Call target=Bad
            gosub None target=Nowhere
          sequence S
            always_fail Bad reason=broken
        ",
        "",
        expect![[r#"
            0.0 + Call
            0.0 + Call/Bad
            0.0 - Call/Bad failure: broken
            0.0 - Call failure: broken
            0.0 + None
            0.0 - None failure: there is no node `Nowhere` to call
            0.0 # the behavior ended: failure: there is no node `Nowhere` to call
        "#]],
    );
}

/// Depth limit 64: calls that call themselves fail with a reason that says so.
#[test]
fn gosub_depth() {
    let trace = run(
        "
        sequence root
          sequence S
            log Deep text=here
            gosub Call target=S
        ",
        "",
    );
    let starts = trace.lines().filter(|line| line.contains("+ ") && line.ends_with("/Deep")).count();
    assert_eq!(starts, 64, "the log in the tree itself, then one in each call");
    let failures: Vec<&str> = trace.lines().filter(|line| line.contains("failure")).collect();
    assert_eq!(failures.len(), 66, "65 gosubs, and the run: {trace}");
    expect![[r#"0.0 # the behavior ended: failure: calls are nested deeper than 64: it calls itself without end"#]]
        .assert_eq(failures[65]);
}

/// Inside a call a name means the called instance first.
#[test]
fn goto_within_a_call() {
    check(
        "
        sequence root
          gosub Call target=S
          goto Skip target=End
          sequence S
            goto G target=B
            stand_in A
            stand_in B duration_s=0.1
          checkpoint End
        ",
        "",
        expect![[r#"
            0.0 + Call
            0.0 + Call/G
            0.0 - Call/G success
            0.0 + Call/B
            0.1 - Call/B success
            0.1 - Call success
            0.1 + Skip
            0.1 - Skip success
            0.1 + End
            0.1 - End success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// Out of a call: the gosub is left, so it is halted.
#[test]
fn goto_out_of_a_call() {
    check(
        "
        sequence root
          parallel P
            gosub Call target=S
            stand_in Y
          stand_in End duration_s=0.1
          goto Skip target=Last
          sequence S
            goto G target=End
            stand_in A
          checkpoint Last
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + Call
            0.0 + Call/G
            0.0 - Call/G success
            0.0 - Call halted: what it belongs to was halted
            0.0 - P halted: a jump left it
            0.0 + End
            0.1 - End success
            0.1 + Skip
            0.1 - Skip success
            0.1 + Last
            0.1 - Last success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// From one call to where another was made: both are left.
#[test]
fn goto_out_of_a_call_in_a_call() {
    check(
        "
        sequence root
          gosub One target=S
          stand_in End duration_s=0.1
          goto Skip target=Last
          sequence S
            gosub Two target=T
            stand_in A
          sequence T
            goto G target=End
            stand_in B
          checkpoint Last
        ",
        "",
        expect![[r#"
            0.0 + One
            0.0 + One/Two
            0.0 + One/Two/G
            0.0 - One/Two/G success
            0.0 - One/Two halted: what it belongs to was halted
            0.0 - One halted: a jump left it
            0.0 + End
            0.1 - End success
            0.1 + Skip
            0.1 - Skip success
            0.1 + Last
            0.1 - Last success
            0.1 # the behavior succeeded
        "#]],
    );
}
