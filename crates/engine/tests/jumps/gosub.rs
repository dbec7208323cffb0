//! Calls.

use expect_test::expect;
use testkit::{check, run};

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
