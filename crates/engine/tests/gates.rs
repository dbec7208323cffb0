//! Gates: autonomy levels, breakpoints, forced results, questions and inputs.

use expect_test::expect;
use testkit::check;

/// A step starts by itself only if the operator's level is above the step's: equal holds, above passes.
#[test]
fn levels() {
    for (step, equal, above) in [("off", "off", "low"), ("low", "low", "high"), ("high", "high", "full")] {
        let trace = testkit::run(
            &format!("wait A duration_s=0.1 autonomy={step}"),
            &format!("0 level {equal}\n0.3 level {above}"),
        );
        let held = format!("needs an autonomy level above {step}, the operator's is {equal}");
        let expected = format!("0.0 ! A held: {held}\n0.3 + A\n0.4 - A success\n0.4 # the behavior succeeded\n");
        assert_eq!(trace, expected);
    }
}

/// Defaults: operator Full, step Off. A step that requires Full never starts by itself; a press passes the level.
#[test]
fn default_levels_and_a_press() {
    check(
        "
        wait A duration_s=0.1
        wait B duration_s=0.1 autonomy=full
        ",
        "0.3 why
         0.4 press",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! B held: needs an autonomy level above full, the operator's is full
            0.3 > root at B: needs an autonomy level above full, the operator's is full
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A level on a sequence holds the whole of it; what runs goes on when the level falls.
#[test]
fn level_of_a_sequence() {
    check(
        "
        sequence S autonomy=low
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0 level low
         0.1 level high
         0.2 level off
         0.5 level full",
        expect![[r#"
            0.0 ! S held: needs an autonomy level above low, the operator's is low
            0.1 + S
            0.1 + A
            0.3 - A success
            0.3 ! B held: needs an autonomy level above off, the operator's is off
            0.5 + B
            0.6 - B success
            0.6 - S success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A breakpoint holds a start: of a step, a sequence, a skill, a composite. What runs goes on.
#[test]
fn breakpoints() {
    check(
        "
        wait A duration_s=0.2
        sequence S
          wait B duration_s=0.1
        skill Use file=skill.json
        parallel P
          wait D duration_s=0.1
        --- skill.json
        wait C duration_s=0.1
        ",
        "0.1 break A
         0.1 break S
         0.1 break Use
         0.1 break P
         0.3 continue S
         0.5 continue Use
         0.7 continue P",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 ! B held: held at `S`: breakpoint
            0.3 + B
            0.4 - B success
            0.4 ! Use/C held: held at `Use`: breakpoint
            0.5 + Use/C
            0.6 - Use/C success
            0.6 ! P held: held at `P`: breakpoint
            0.7 + P
            0.7 + D
            0.8 - D success
            0.8 - P success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A breakpoint stays for the next start; a press passes it.
#[test]
fn a_breakpoint_stays() {
    check(
        "
        loop L count=2
          wait A duration_s=0.1
        ",
        "0 break A
         0.2 press A
         0.5 why
         0.6 press A",
        expect![[r#"
            0.0 + L
            0.0 ! A held: held at `A`: breakpoint
            0.2 + A
            0.3 - A success
            0.5 > root at the end: the end is reached
            0.5 > L at A: automatic is off
            0.6 + A
            0.7 - A success
            0.7 - L success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Operators may force a result on any running step: each kind, on a leaf.
#[test]
fn force_on_a_leaf() {
    check(
        r#"
        fallback F
          sequence Try
            wait A
            wait B
            wait C
          wait Catch duration_s=0.1
        "#,
        "0.1 force A success done
         0.2 force B halted
         0.3 force C failure slipped
         0.5 force A success",
        expect![[r#"
            0.0 + A
            0.1 - A success "done": forced by the operator
            0.1 + B
            0.2 - B halted: forced by the operator
            0.2 + C
            0.3 - C failure "slipped": forced by the operator
            0.3 + Catch
            0.4 - Catch success
            0.4 # the behavior succeeded
            0.5 > refused `force A success`: it does not run
        "#]],
    );
}

/// On a composite: what is inside halts; a slow one ends with the forced result when all is at rest.
#[test]
fn force_on_a_composite() {
    check(
        r#"
        fallback F
          sequence Try
            parallel P
              wait A
            loop L
              stand_in B halt_s=0.2
            parallel Q
              wait C
          wait Catch duration_s=0.1
        "#,
        "0.1 force P halted
         0.2 force L success
         0.3 force L failure
         0.5 force Q failure",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 - A halted: what it belongs to was halted
            0.1 - P halted: forced by the operator
            0.1 + L
            0.1 + B
            0.3 > refused `force L failure`: it is halting already
            0.4 - B halted: what it belongs to was halted
            0.4 - L success: forced by the operator
            0.4 + Q
            0.4 + C
            0.5 - C halted: what it belongs to was halted
            0.5 - Q failure: forced by the operator
            0.5 + Catch
            0.6 - Catch success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Inside a branch, and inside one use of a skill: the other use is not touched.
#[test]
fn force_inside_a_branch_of_one_use() {
    check(
        "
        parallel P
          skill One file=skill.json
          skill Two file=skill.json
        --- skill.json
        wait A duration_s=0.3
        ",
        "0.1 force Two/A success
         0.1 force Nobody success",
        expect![[r#"
            0.0 + P
            0.0 + One/A
            0.0 + Two/A
            0.1 - Two/A success: forced by the operator
            0.1 > refused `force Nobody success`: node 000000000000dead is not in the tree; it may have been deleted meanwhile
            0.3 - One/A success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Questions are steps: the answer is the outcome; an answer may mean failure; a wrong one leaves it open.
#[test]
fn questions_attended() {
    check(
        r#"
        question Q options=["yes","no"] failures=["no"]
        fallback F outcomes=["no"]
          question Q2 options=["yes","no"] failures=["no"]
          wait Catch duration_s=0.1
        "#,
        "attended
         0.1 answer Q maybe
         0.2 answer Q2 no
         0.3 answer Q yes
         0.3 answer Q no
         0.5 answer Q2 no",
        expect![[r#"
            0.0 + Q
            0.1 > refused `answer Q maybe`: `maybe` is not among the answers: yes, no
            0.2 > refused `answer Q2 no`: it does not ask anything now
            0.3 - Q success "yes"
            0.3 + Q2
            0.3 > refused `answer Q no`: it was answered in this tick already
            0.5 - Q2 failure "no": the operator answered `no`
            0.5 + Catch
            0.6 - Catch success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// An answer to a question that a guard ends in that tick is not kept for the next time it asks.
#[test]
fn an_answer_is_not_kept() {
    check(
        r#"
        loop L count=2
          question Q options=["yes"] until={"condition":"go","edge":"rise"}
        @variables {"go": false}
        "#,
        "attended
         0.2 set go true
         0.2 answer Q yes
         0.4 answer Q yes",
        expect![[r#"
            0.0 + L
            0.0 + Q
            0.2 = go true
            0.2 - Q success: `go` became true
            0.2 + Q
            0.4 - Q success "yes"
            0.4 - L success "yes"
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Headless, questions take their default or fail.
#[test]
fn questions_headless() {
    check(
        r#"
        question Q options=["yes","no"] default=yes
        fallback F
          question Q2 options=["yes","no"]
          always_succeed Catch
        question Q3 options=["yes","no"] failures=["no"] default=no
        "#,
        "",
        expect![[r#"
            0.0 + Q
            0.0 - Q success "yes"
            0.0 + Q2
            0.0 - Q2 failure: nobody is there to answer, and it has no default
            0.0 + Catch
            0.0 - Catch success
            0.0 + Q3
            0.0 - Q3 failure "no": the operator answered `no`
            0.0 # the behavior ended: failure: the operator answered `no`
        "#]],
    );
}

/// Inputs: attended they set their variable, a value of another kind leaves them open; headless default or fail.
#[test]
fn inputs() {
    let outline = r#"
        input A text=Height variable=h default=1.5
        input B text=Name variable=n kind=text
        "#;
    check(
        outline,
        "attended
         0.1 answer A tall
         0.2 answer A 2
         0.4 answer B box",
        expect![[r#"
            0.0 + A
            0.1 > refused `answer A tall`: `tall` is no answer: it asks for a number
            0.2 = h 2
            0.3 - A success
            0.3 + B
            0.4 = n box
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
    check(
        outline,
        "",
        expect![[r#"
            0.0 + A
            0.0 = h 1.5
            0.1 - A success
            0.1 + B
            0.1 - B failure: nobody is there to answer, and it has no default
            0.1 # the behavior ended: failure: nobody is there to answer, and it has no default
        "#]],
    );
}

/// Why a step has not started is always known and shown: every kind of reason, in every track.
#[test]
fn the_reason_is_always_known() {
    check(
        r#"
        parallel P
          sequence After
            wait A duration_s=0.5
            wait A2
          sequence Try
            fallback F
              wait B duration_s=0.5
            wait B2 after=Beginning
          sequence Claim
            wait C claims=["x"] duration_s=0.5
            wait C2
          sequence Waits
            wait D claims=["x"]
          sequence Level
            wait E autonomy=full
          sequence Broken
            wait G
          sequence Locked
            sequence Inner
              always_succeed H
            wait H2
          sequence Done
            always_succeed I
        wait Next
        "#,
        "manual
         0 why
         0 break G
         0 lock Inner
         0.1 automatic on
         0.2 why
         0.3 pause
         0.3 why
         0.4 stop",
        expect![[r#"
            0.0 > root at P: automatic is off
            0.1 + P
            0.1 + A
            0.1 + B
            0.1 + C
            0.1 ! D held: `x` is held by `C`
            0.1 ! E held: needs an autonomy level above full, the operator's is full
            0.1 ! G held: held at `G`: breakpoint
            0.1 + H
            0.1 - H success
            0.1 ! H2 held: `Inner` is locked
            0.1 + I
            0.1 - I success
            0.2 > root at Next: waits until `P` has ended
            0.2 > P at A2: waits until `A` has ended
            0.2 > P at B2: the try of `F` is not decided
            0.2 > P at C2: waits until `C` has ended
            0.2 > P at D: `x` is held by `C`
            0.2 > P at E: needs an autonomy level above full, the operator's is full
            0.2 > P at G: held at `G`: breakpoint
            0.2 > P at H2: `Inner` is locked
            0.3 # paused
            0.3 > robot holds
            0.3 > root at Next: paused
            0.3 > P at A2: paused
            0.3 > P at B2: paused
            0.3 > P at C2: paused
            0.3 > P at D: paused
            0.3 > P at E: paused
            0.3 > P at G: held at `G`: breakpoint
            0.3 > P at H2: paused
            0.4 - A halted: what it belongs to was halted
            0.4 - B halted: what it belongs to was halted
            0.4 - C halted: what it belongs to was halted
            0.4 - P halted: stop was pressed
            0.4 # stopped: stop was pressed
            0.4 > robot stop
            0.4 > robot goes on
        "#]],
    );
}

/// What the operator forces stands, also where the step is set to report another result.
#[test]
fn a_forced_result_beats_end_as() {
    check(
        "
        stand_in a duration_s=5 end_as=success outcome_as=fine
        wait b duration_s=0.1
        ",
        "
        1 force a failure dropped
        ",
        expect![[r#"
            0.0 + a
            1.0 - a failure "dropped": forced by the operator
            1.0 # the behavior ended: failure: forced by the operator
        "#]],
    );
}
