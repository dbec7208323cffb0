//! Uses of skills that run on the other side.

use expect_test::{Expect, expect};
use testkit::check_on;

/// An arm to angles of its shoulder roll, which has another sign on the other side.
const SKILL: &str = r#"
        --- inner.json
        @inputs {"roll_deg": {"type": "number", "default": 10}}
        wait Hold duration_s=0.2 claims=["right_arm"]
        hand Open side=right grip=open
        "#;

#[track_caller]
fn check(main: &str, script: &str, expected: Expect) {
    check_on("coact-one", &format!("{main}{SKILL}"), script, expected);
}

/// What it claims is what is claimed on the other side: both go at once.
#[test]
fn it_claims_what_is_on_the_other_side() {
    check(
        r#"
        parallel Both
          skill Right file=inner.json
          skill Left file=inner.json mirrored=true
        "#,
        "",
        expect![[r#"
            0.00 + Both
            0.00 = roll_deg 10
            0.00 + Right/Hold
            0.00 = roll_deg 10
            0.00 + Left/Hold
            0.20 - Right/Hold success
            0.20 + Right/Open
            0.20 - Left/Hold success
            0.20 + Left/Open
            1.28 - Right/Open success "reached"
            1.28 - Left/Open success "reached"
            1.28 - Both success "reached"
            1.28 # the behavior succeeded
        "#]],
    );
}

/// A name stands on the other side for what its expression reads there.
#[test]
fn names_of_expressions_are_on_the_other_side_too() {
    check_on(
        "coact-one",
        r#"
        skill Here file=inner.json
        skill There file=inner.json mirrored=true
        --- inner.json
        @let {"grip": "hand", "hand": "hand_force_n('right')", "reach": "in_frame('right_hand', 'left_hand')"}
        wait Feel duration_s=0.1 until="grip > 20"
        log Say text=reach value="round(reach.y_m) + round(hand)"
        "#,
        "0.15 hand_force left 30 1",
        expect![[r#"
            0.00 + Here/Feel
            0.10 - Here/Feel success
            0.10 + Here/Say
            0.10 # Here/Say: reach -1
            0.10 - Here/Say success
            0.10 + There/Feel
            0.15 - There/Feel success: `until grip > 20` holds
            0.15 + There/Say
            0.15 # There/Say: reach 29
            0.15 - There/Say success
            0.15 # the behavior succeeded
        "#]],
    );
}

/// In a mirrored use what is mirrored runs as it is written.
#[test]
fn mirrored_twice_it_is_as_written() {
    check_on(
        "coact-one",
        r#"
        parallel Both
          skill Twice file=middle.json mirrored=true
          wait Hold duration_s=0.3 claims=["right_arm"]
        --- middle.json
        skill Back file=last.json mirrored=true
        skill Once file=last.json
        --- last.json
        wait Last duration_s=0.1 claims=["left_arm"]
        "#,
        "",
        expect![[r#"
            0.00 + Both
            0.00 + Twice/Back/Last
            0.00 + Hold
            0.10 - Twice/Back/Last success
            0.10 ! Twice/Once/Last held: `right_arm` is held by `Hold`
            0.30 - Hold success
            0.31 + Twice/Once/Last
            0.41 - Twice/Once/Last success
            0.41 - Both success
            0.41 # the behavior succeeded
        "#]],
    );
}

/// A value is evaluated when the use starts, each time; what it claims around itself stays.
#[test]
fn a_value_says_it_at_each_start() {
    check(
        r#"
        @variables {"side": "right"}
        parallel Both
          wait Busy duration_s=0.3 claims=["right_arm"]
          loop Twice count=2
            skill Use file=inner.json mirrored={"=":"side == 'left'"}
            set Other values={"side": "'left'"}
        "#,
        "",
        expect![[r#"
            0.00 + Both
            0.00 + Busy
            0.00 + Twice
            0.00 + Use
            0.00 # Use: with mirrored = false
            0.00 = roll_deg 10
            0.00 ! Use/Hold held: `right_arm` is held by `Busy`
            0.30 - Busy success
            0.30 + Use/Hold
            0.50 - Use/Hold success
            0.50 + Use/Open
            1.58 - Use/Open success "reached"
            1.58 - Use success "reached"
            1.58 + Other
            1.58 = side left
            1.59 - Other success
            1.59 + Use
            1.59 # Use: with mirrored = true
            1.59 + Use/Hold
            1.79 - Use/Hold success
            1.79 + Use/Open
            2.87 - Use/Open success "reached"
            2.87 - Use success "reached"
            2.87 + Other
            2.87 = side left
            2.88 - Other success
            2.88 - Twice success
            2.88 - Both success
            2.88 # the behavior succeeded
        "#]],
    );
}

/// Not known, it does not start.
#[test]
fn a_value_that_does_not_fit_starts_nothing() {
    check(
        r#"
        @variables {"side": "right", "nothing": null}
        fallback F
          skill Word file=inner.json mirrored={"=":"side"}
          skill Unset file=inner.json mirrored={"=":"nothing == 1"}
        "#,
        "",
        expect![[r#"
            0.00 - Word failure: `mirrored` must be true or false, is "right"
            0.00 - Unset failure: the value of `mirrored`, `nothing == 1`, is not known: variable `nothing` has no value yet
            0.00 # the behavior ended: failure: the value of `mirrored`, `nothing == 1`, is not known: variable `nothing` has no value yet
        "#]],
    );
}

/// What runs keeps the side it started on; the next start takes the new one.
#[test]
fn an_edit_counts_from_the_next_start() {
    check(
        r#"
        parallel Both
          wait Busy duration_s=2 claims=["left_arm"]
          loop Twice count=2
            skill Use file=inner.json
        "#,
        "0.1 setting Use mirrored true",
        expect![[r#"
            0.00 + Both
            0.00 + Busy
            0.00 + Twice
            0.00 = roll_deg 10
            0.00 + Use/Hold
            0.20 - Use/Hold success
            0.20 + Use/Open
            1.28 - Use/Open success "reached"
            1.28 ! Use/Hold held: `left_arm` is held by `Busy`
            2.00 - Busy success
            2.00 + Use/Hold
            2.20 - Use/Hold success
            2.20 + Use/Open
            3.28 - Use/Open success "reached"
            3.28 - Twice success "reached"
            3.28 - Both success
            3.28 # the behavior succeeded
        "#]],
    );
}

/// An edit of the skill reaches each use, on the side on which it runs.
#[test]
fn an_edit_of_the_skill_reaches_each_use() {
    check(
        r#"
        parallel Both
          sequence A
            wait Before duration_s=0.3
            skill Left file=inner.json mirrored=true
          sequence B
            wait First duration_s=0.3
            skill Right file=inner.json
          wait Busy duration_s=1 claims=["left_hand"]
        "#,
        r#"0.1 setting Left/Hold claims ["right_hand"]"#,
        expect![[r#"
            0.00 + Both
            0.00 + Before
            0.00 + First
            0.00 + Busy
            0.30 - Before success
            0.30 = roll_deg 10
            0.30 ! Left/Hold held: `left_hand` is held by `Busy`
            0.30 - First success
            0.30 = roll_deg 10
            0.30 + Right/Hold
            0.50 - Right/Hold success
            0.50 + Right/Open
            1.00 - Busy success
            1.01 + Left/Hold
            1.21 - Left/Hold success
            1.21 + Left/Open
            1.58 - Right/Open success "reached"
            2.29 - Left/Open success "reached"
            2.29 - Both success
            2.29 # the behavior succeeded
        "#]],
    );
}

/// What the robot feels is felt on the other side, and values are mirrored like numbers in their place.
#[test]
fn what_is_felt_and_what_is_given() {
    check_on(
        "coact-one",
        r#"
        skill Use file=felt.json mirrored=true inputs={"yaw_deg": "20"}
        set Seen values={"turned_deg": "neck_yaw_deg"}
        --- felt.json
        @inputs {"yaw_deg": {"type": "number"}}
        wait_until Touched condition="right_hand_force_n > 5"
        neck Look yaw_deg={"=":"yaw_deg + 1"} duration_s=0.5
        condition Own condition="abs(neck_yaw_deg - 21) < 0.5"
        "#,
        "0.2 hand_force left 20 0.5",
        expect![[r#"
            0.00 = yaw_deg 20
            0.00 + Use/Touched
            0.20 - Use/Touched success
            0.20 + Use/Look
            0.20 # Use/Look: with yaw_deg = 21
            0.71 - Use/Look success
            0.71 + Use/Own
            0.71 - Use/Own success
            0.71 + Seen
            0.71 = turned_deg -21
            0.72 - Seen success
            0.72 # the behavior succeeded
        "#]],
    );
}

/// It asks and is answered as if the world were on this side.
#[test]
fn what_it_asks_is_answered_on_the_other_side() {
    let ask = |mirrored: &str| {
        let script = "0 frame box 0.5 0.3 0.8 20\n0.2 hand_force left 20 0.5";
        let outline = format!(
            r#"
        skill Use file=asks.json mirrored={mirrored}
        --- asks.json
        @variables {{"which": "right"}}
        wait duration_s=0.3
        set Told values={{"y_m":"round(in_frame('box', 'chest').y_m * 100)","turned":"round(angle_deg('box', 'chest'))","force_n":"round(hand_force_n(which))","far":"round(distance(which + '_hand', 'box') * 100)"}}
        "#
        );
        let trace = testkit::run_on("coact-one", &outline, script);
        trace.lines().filter(|line| line.contains(" = ")).map(|line| format!("{}\n", &line[7..])).collect::<String>()
    };
    expect![[r#"
        which right
        far 76
        force_n 0
        turned 20
        y_m 30
    "#]]
    .assert_eq(&ask("false"));
    expect![[r#"
        which right
        far 44
        force_n 20
        turned -20
        y_m -30
    "#]]
    .assert_eq(&ask("true"));
}
