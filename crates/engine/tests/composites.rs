//! Parallel, loop, choose.

use expect_test::expect;
use testkit::check;

/// Parallel, all: done when every branch has succeeded; each child is a track of its own.
#[test]
fn parallel_all() {
    check(
        "
        parallel P
          wait A duration_s=0.1
          sequence S
            wait B duration_s=0.1
            wait C duration_s=0.2
        wait D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.1 - B success
            0.1 + C
            0.3 - C success
            0.3 - P success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Parallel, one: done with the first success; the others are halted.
#[test]
fn parallel_one() {
    check(
        "
        sequence Root
          parallel P policy=one
            wait A
            wait B duration_s=0.2
            wait C
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 + C
            0.2 - B success
            0.2 - A halted: what it belongs to was halted
            0.2 - C halted: what it belongs to was halted
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Parallel, priority: another branch's success decides nothing, the priority branch's ends it.
#[test]
fn parallel_priority() {
    check(
        "
        sequence Root
          parallel P policy=priority priority=B
            wait A duration_s=0.1
            wait B duration_s=0.2
            wait C
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 + C
            0.1 - A success
            0.2 - B success
            0.2 - C halted: what it belongs to was halted
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A priority that lies deep in a branch means that branch.
#[test]
fn parallel_priority_by_a_node_inside() {
    check(
        "
        sequence Root
          parallel P policy=priority priority=Deep
            wait A
            sequence S
              wait Deep duration_s=0.1
              wait B duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Deep
            0.1 - Deep success
            0.1 + B
            0.2 - B success
            0.2 - A halted: what it belongs to was halted
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A branch's failure halts the others and fails the parallel, under every policy.
#[test]
fn a_failing_branch() {
    for policy in ["all", "one", "priority priority=A"] {
        check(
            &format!(
                "
                fallback F
                  parallel P policy={policy}
                    wait A
                    stand_in B duration_s=0.2 fails_if=bad outcome=slipped
                    wait C
                  wait Catch duration_s=0.1
                @variables {{\"bad\": true}}
                "
            ),
            "",
            expect![[r#"
                0.0 + P
                0.0 + A
                0.0 + B
                0.0 + C
                0.2 - B failure "slipped": `bad` holds
                0.2 - A halted: what it belongs to was halted
                0.2 - C halted: what it belongs to was halted
                0.2 - P failure "slipped": `bad` holds
                0.2 + Catch
                0.3 - Catch success
                0.3 # the behavior succeeded
            "#]],
        );
    }
}

/// Once decided, later branches are not ticked: what would end or start there in that tick does not.
#[test]
fn once_decided_later_branches_are_not_ticked() {
    check(
        "
        sequence Root
          parallel P policy=one
            sequence Earlier
              wait A duration_s=0.2
              wait A2
            wait B duration_s=0.3
            sequence Later
              wait C duration_s=0.3
              wait Never
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 + C
            0.2 - A success
            0.2 + A2
            0.3 - B success
            0.3 - A2 halted: what it belongs to was halted
            0.3 - C halted: what it belongs to was halted
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Decided in the first tick: later branches do not even start; of two failures the first in tree order counts.
#[test]
fn decided_in_the_first_tick() {
    check(
        "
        fallback F
          parallel P
            wait A
            always_fail B outcome_as=first
            always_fail C outcome_as=second
          always_succeed Catch
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 - B failure "first": it is set to always fail
            0.0 - A halted: what it belongs to was halted
            0.0 - P failure "first": it is set to always fail
            0.0 + Catch
            0.0 - Catch success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// A branch whose step was halted (forced) goes on behind it: halted fails no track.
#[test]
fn halted_fails_no_branch() {
    check(
        "
        sequence Root
          parallel P
            sequence S
              wait A
              wait B duration_s=0.1
        ",
        "0.2 force A halted",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.2 - A halted: forced by the operator
            0.2 + B
            0.3 - B success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A goal condition may be added to any policy and ends it as success, before its branches are ticked.
#[test]
fn parallel_goal() {
    for policy in ["all", "one", "priority priority=A"] {
        check(
            &format!(
                "
                sequence Root
                  parallel P policy={policy} goal=there
                    wait A duration_s=0.3
                    stand_in B duration_s=0.3 fails_if=there
                @variables {{\"there\": false}}
                "
            ),
            "0.3 set there true",
            expect![[r#"
                0.0 + P
                0.0 + A
                0.0 + B
                0.3 = there true
                0.3 - A halted: what it belongs to was halted
                0.3 - B halted: what it belongs to was halted
                0.3 - P success: its goal holds
                0.3 # the behavior succeeded
            "#]],
        );
    }
}

/// A goal that holds from the start: nothing inside starts.
#[test]
fn parallel_goal_from_the_start() {
    check(
        "
        sequence Root
          parallel P goal=there
            wait A
        @variables {\"there\": true}
        ",
        "",
        expect![[r#"
            0.0 + P
            0.0 - P success: its goal holds
            0.0 # the behavior succeeded
        "#]],
    );
}

/// Loop tests its condition after each pass: there is always a first one.
#[test]
fn loop_condition_after_each_pass() {
    check(
        r#"
        loop Once condition=more
          wait A duration_s=0.1
        loop L condition=again
          wait B duration_s=0.2
        @variables {"more": false, "again": true}
        "#,
        "0.4 set again false",
        expect![[r#"
            0.0 + Once
            0.0 + A
            0.1 - A success
            0.1 - Once success
            0.1 + L
            0.1 + B
            0.3 - B success
            0.3 + B
            0.4 = again false
            0.5 - B success
            0.5 - L success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A count limits the passes, with or without a condition; a later start counts anew.
#[test]
fn loop_count() {
    check(
        r#"
        loop Outer count=2
          loop L count=2 condition=more
            wait A duration_s=0.1
        @variables {"more": true}
        "#,
        "",
        expect![[r#"
            0.0 + Outer
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + A
            0.2 - A success
            0.2 - L success
            0.2 + L
            0.2 + A
            0.3 - A success
            0.3 + A
            0.4 - A success
            0.4 - L success
            0.4 - Outer success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A failure inside fails the loop, with its outcome.
#[test]
fn loop_failure_inside() {
    check(
        "
        loop L count=5
          wait A duration_s=0.1
          stand_in B duration_s=0.1 fails_if=bad outcome=slipped
        @variables {\"bad\": false}
        ",
        "0.3 set bad true",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B success
            0.2 + A
            0.3 = bad true
            0.3 - A success
            0.3 + B
            0.4 - B failure "slipped": `bad` holds
            0.4 - L failure "slipped": `bad` holds
            0.4 # the behavior ended: failure: `bad` holds
        "#]],
    );
}

/// Choose: the first case whose condition holds when it is reached; what changes later changes nothing.
#[test]
fn choose_by_condition() {
    check(
        r#"
        wait First duration_s=0.1
        choose C
          wait A when="x > 5"
          sequence S when="x > 1"
            wait B duration_s=0.1
            wait B2 duration_s=0.1
          wait D when="x > 0"
          wait Else
        @variables {"x": 0}
        "#,
        "0.1 set x 2
         0.2 set x 9",
        expect![[r#"
            0.0 + First
            0.1 = x 2
            0.1 - First success
            0.1 + C
            0.1 + B
            0.2 = x 9
            0.2 - B success
            0.2 + B2
            0.3 - B2 success
            0.3 - C success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// By the outcome of the step before, here an operator's answer.
#[test]
fn choose_by_the_answer_to_a_question() {
    check(
        r#"
        question Q options=["left","right"]
        choose C
          wait Left when={"outcome":"left"} duration_s=0.1
          wait Right when={"outcome":"right"} duration_s=0.1
        "#,
        "attended
         0.3 answer Q right",
        expect![[r#"
            0.0 + Q
            0.3 - Q success "right"
            0.3 + C
            0.3 + Right
            0.4 - Right success
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// By the outcome of a named node.
#[test]
fn choose_by_the_outcome_of_a_named_node() {
    check(
        r#"
        fallback F
          stand_in Grasp duration_s=0.1 fails_if=bad outcome=slipped
          always_succeed Catch
        wait Between duration_s=0.1
        choose C of=Grasp
          wait Fine when={"outcome":"held"}
          wait Again when={"outcome":"slipped"} duration_s=0.1
        @variables {"bad": true}
        "#,
        "",
        expect![[r#"
            0.0 + Grasp
            0.1 - Grasp failure "slipped": `bad` holds
            0.1 + Catch
            0.1 - Catch success
            0.1 + Between
            0.2 - Between success
            0.2 + C
            0.2 + Again
            0.3 - Again success
            0.3 - C success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// None holds: success, or failure if authored so.
#[test]
fn choose_none() {
    check(
        r#"
        choose C
          wait A when=no
        choose D if_none=failure
          wait B when=no
        @variables {"no": false}
        "#,
        "",
        expect![[r#"
            0.0 + C
            0.0 - C success
            0.0 + D
            0.0 - D failure: none of its cases holds
            0.0 # the behavior ended: failure: none of its cases holds
        "#]],
    );
}

/// The case's failure is the choose's; a case that cannot be judged fails it rather than being passed over.
#[test]
fn choose_failures() {
    check(
        r#"
        fallback F
          choose C
            always_fail A outcome_as=bad
          always_succeed Catch
        choose D
          wait B when={"outcome":"x"}
          wait Else
        "#,
        "0 delete F
         0 why",
        expect![[r#"
            0.0 + D
            0.0 - D failure: case 1 cannot be judged: no step before it has an outcome: name one in `of`
            0.0 # the behavior ended: failure: case 1 cannot be judged: no step before it has an outcome: name one in `of`
            0.0 > root at D: automatic is off
        "#]],
    );
    check(
        r#"
        fallback F
          choose C
            always_fail A outcome_as=bad
          always_succeed Catch
        "#,
        "",
        expect![[r#"
            0.0 + C
            0.0 + A
            0.0 - A failure "bad": it is set to always fail
            0.0 - C failure "bad": it is set to always fail
            0.0 + Catch
            0.0 - Catch success
            0.0 # the behavior succeeded
        "#]],
    );
}
