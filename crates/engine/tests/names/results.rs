//! Results and scopes.

use expect_test::expect;
use testkit::check;

/// Results: success, failure, halted, each with an optional named outcome.
#[test]
fn results_have_named_outcomes() {
    check(
        "
        sequence root
          always_succeed A outcome=good
          fallback F
            always_fail B outcome=slipped
          stand_in C outcome_as=skipped
          stand_in D
        ",
        "
        0.1 force C success mine
        0.2 force D halted shut
        ",
        expect![[r#"
            0.0 + A
            0.0 - A success "good"
            0.0 + B
            0.0 - B failure "slipped": it is set to always fail
            0.0 + C
            0.1 - C success "mine": forced by the operator
            0.1 + D
            0.2 - D halted "shut": forced by the operator
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Halted (overridden) starts no catch and fails no track.
#[test]
fn an_overridden_step_starts_no_catch() {
    check(
        "
        fallback F
          stand_in A claims=[\"arm\"]
          sequence S after=F
            wait W duration_s=0.1
            stand_in B duration_s=0.1 claims=[\"arm\"] on_conflict=override
          stand_in Catch
        stand_in D duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + W
            0.1 - W success
            0.1 - A halted: overridden by `B`
            0.1 + B
            0.2 - B success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Halted (deleted, stopped by a policy) starts no catch and fails no track.
#[test]
fn a_deleted_or_policy_stopped_step_starts_no_catch() {
    check(
        "
        sequence root
          fallback F
            parallel P policy=one
              stand_in X duration_s=0.2
              fallback N
                stand_in Y
                stand_in No
            stand_in A after=F
            stand_in Catch
          stand_in D duration_s=0.1
        ",
        "0.1 delete A",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + Y
            0.0 + A
            0.1 - A halted: it was deleted or moved out of its track
            0.2 - X success
            0.2 - Y halted: what it belongs to was halted
            0.2 - P success
            0.2 + D
            0.3 - D success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Halted (by stop) starts no catch.
#[test]
fn a_stopped_step_starts_no_catch() {
    check(
        "
        fallback F
          stand_in A
          stand_in Catch
        ",
        "
        0.1 stop
        0.3 why
        ",
        expect![[r#"
            0.0 + A
            0.1 - A halted: stop was pressed
            0.1 # stopped: stop was pressed
            0.1 > robot stop
            0.3 > root at A: automatic is off
        "#]],
    );
}

const SCOPES: &str = "
    sequence root
      set Before values={\"v\":\"1\"}
      skill One file=s.json inputs={\"start\":\"v\"} outputs={\"sum\":\"first\"}
      skill Two file=s.json inputs={\"start\":5} outputs={\"sum\":\"second\"}
      log Sum value=\"[v, first, second]\"
    --- s.json
    @inputs {\"start\": {\"type\": \"number\"}}
    @outputs {\"sum\": {}}
    @variables {\"v\": 100}
    sequence S
      set Add values={\"sum\":\"start+v\",\"v\":\"v+1\"}
    ";

/// Scopes: a skill use has its own variables; declared inputs are copied in at its start, declared outputs copied out at
/// its end, visible to whoever follows.
#[test]
fn scopes() {
    check(
        SCOPES,
        "",
        expect![[r#"
            0.0 + Before
            0.0 = v 1
            0.1 - Before success
            0.1 = v 100
            0.1 = start 1
            0.1 + One/Add
            0.1 = sum 101
            0.1 = v 101
            0.2 - One/Add success
            0.2 = first 101
            0.3 = v 100
            0.3 = start 5
            0.3 + Two/Add
            0.3 = sum 105
            0.3 = v 101
            0.4 - Two/Add success
            0.4 = second 105
            0.5 + Sum
            0.5 # Sum:  [1,101,105]
            0.5 - Sum success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Copied in at its start: what the caller's variable becomes later is not seen inside.
#[test]
fn inputs_are_copies() {
    check(
        "
        skill U file=s.json inputs={\"x\":\"v\"}
        @variables {\"v\": 1}
        --- s.json
        @inputs {\"x\": {\"type\": \"number\"}}
        sequence S
          stand_in A duration_s=0.2
          log L value=x
        ",
        "0.1 set v 2",
        expect![[r#"
            0.0 = x 1
            0.0 + U/A
            0.1 = v 2
            0.2 - U/A success
            0.2 + U/L
            0.2 # U/L:  1
            0.2 - U/L success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// At its start, not when it came to be next: a skill that waits for a claim takes the inputs of the tick it starts in.
#[test]
fn inputs_are_those_of_the_start() {
    check(
        "
        stand_in Arm duration_s=0.3 claims=[\"arm\"]
        skill U file=s.json inputs={\"x\":\"v\"} after=Beginning
        @variables {\"v\": 1}
        --- s.json
        @inputs {\"x\": {\"type\": \"number\", \"default\": 0}}
        sequence S
          stand_in A duration_s=0.1 claims=[\"arm\"]
          log L value=x
        ",
        "0.1 set v 2",
        expect![[r#"
            0.0 + Arm
            0.0 = x 0
            0.0 = x 1
            0.0 ! U/A held: `arm` is held by `Arm`
            0.1 = v 2
            0.3 - Arm success
            0.3 = x 0
            0.3 = x 2
            0.3 + U/A
            0.4 - U/A success
            0.4 + U/L
            0.4 # U/L:  2
            0.4 - U/L success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A skill whose last step is the use of another one: what that one gives reaches whoever follows both.
#[test]
fn an_output_goes_through_skills_that_end_together() {
    check(
        "
        sequence root
          skill Outer file=outer.json outputs={\"b\":\"v\"}
          log Got value=\"v\"
        --- outer.json
        @outputs {\"b\": {}}
        skill Inner file=inner.json outputs={\"y\":\"b\"}
        --- inner.json
        @outputs {\"y\": {}}
        set Give values={\"y\":\"6\"}
        ",
        "",
        expect![[r#"
            0.0 + Outer/Inner/Give
            0.0 = y 6
            0.1 - Outer/Inner/Give success
            0.1 = b 6
            0.1 = v 6
            0.2 + Got
            0.2 # Got:  6
            0.2 - Got success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A skill that was next but never started has no end: nothing is copied out.
#[test]
fn a_skill_that_never_started_copies_nothing_out() {
    check(
        "
        stand_in Arm duration_s=0.3 claims=[\"arm\"]
        skill U file=s.json outputs={\"sum\":\"v\"} after=Beginning
        stand_in D duration_s=0.1 after=Beginning
        --- s.json
        @inputs {\"sum\": {\"type\": \"number\", \"default\": 7}}
        @outputs {\"sum\": {}}
        stand_in A claims=[\"arm\"]
        ",
        "0.1 next D",
        expect![[r#"
            0.0 + Arm
            0.0 = sum 7
            0.0 ! U/A held: `arm` is held by `Arm`
            0.1 + D
            0.2 - D success
            0.3 - Arm success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// The named outcome of a step is there for whoever asks for it.
#[test]
fn an_outcome_can_be_asked_for() {
    check(
        r#"
        stand_in A
        condition B condition=outcome('A')=='mine'
        "#,
        "0.1 force A success mine",
        expect![[r#"
            0.0 + A
            0.1 - A success "mine": forced by the operator
            0.1 + B
            0.1 - B success
            0.1 # the behavior succeeded
        "#]],
    );
}

/// A skill that is halted has not come to its end: nothing is copied out.
#[test]
fn a_halted_skill_copies_nothing_out() {
    check(
        r#"
        parallel P policy=one
          skill U file=s.json outputs={"sum":"v"}
          wait W duration_s=0.3
        wait D duration_s=0.1
        --- s.json
        @outputs {"sum": {}}
        sequence S
          set A values={"sum":"7"}
          wait B
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + U/A
            0.0 + W
            0.0 = sum 7
            0.1 - U/A success
            0.1 + U/B
            0.3 - W success
            0.3 - U/B halted: what it belongs to was halted
            0.3 - P success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A skill that its own guard ends has come to its end: its outputs are copied out and visible to whoever follows. One
/// inside of it, or inside of what a guard ends, is halted.
#[test]
fn a_skill_ended_by_its_guard_copies_out() {
    check(
        r#"
        skill U file=s.json outputs={"sum":"v"} until=go
        condition C condition=v==7
        sequence Q until=more
          skill V file=s.json outputs={"sum":"w"}
        wait D duration_s=0.1
        @variables {"go": false, "more": false, "v": 0, "w": 0}
        --- s.json
        @outputs {"sum": {}}
        sequence S
          set A values={"sum":"7"}
          wait B
        "#,
        "0.3 set go true
         0.7 set more true",
        expect![[r#"
            0.0 + U
            0.0 + U/A
            0.0 = sum 7
            0.1 - U/A success
            0.1 + U/B
            0.3 = go true
            0.3 - U/B halted: what it belongs to was halted
            0.3 - U success: `until go` holds
            0.3 = v 7
            0.4 + C
            0.4 - C success
            0.4 + Q
            0.4 + V/A
            0.4 = sum 7
            0.5 - V/A success
            0.5 + V/B
            0.7 = more true
            0.7 - V/B halted: what it belongs to was halted
            0.7 - Q success: `until more` holds
            0.7 + D
            0.8 - D success
            0.8 # the behavior succeeded
        "#]],
    );
}
