//! Expressions that are none.

use expect_test::expect;

use crate::common::problems;

#[test]
fn in_settings() {
    problems(
        r#"
        condition C condition="1 +"
        set S values={"x":"a b"}
        log L value=x
        "#,
        expect![[r#"
            error: main.json /C [condition]: the expression `1 +` is wrong at column 3: `1 +` is not complete: something is missing after column 3
                mend the expression there
            error: main.json /S [values]: the expression `a b` is wrong at column 3: an operator is missing between `a` and `b`
                mend the expression there
        "#]],
    );
}

#[test]
fn in_guards_and_cases() {
    problems(
        r#"
        wait A until="1 <" while=["(true", {"condition":"nope(1)"}]
        choose C
          wait B when="= 2"
        "#,
        expect![[r#"
            error: main.json /A [until]: the expression `1 <` is wrong at column 3: `1 <` is not complete: something is missing after column 3
                mend the expression there
            error: main.json /A [while]: the expression `(true` is wrong at column 1: `(` at column 1 is never closed
                mend the expression there
            error: main.json /A [while]: the expression `nope(1)` is wrong at column 1: there is no function `nope`; there are free, outcome, result, defined, is_set, time, random, distance, points, pose, compose, invert, offset, mirrored, between, in_frame, is_there, height_m, angle_deg, hinge, has, reach_m, shoulder_height_m, shoulder_width_m, body_width_m, head_height_m, pelvis_height_m, leg_length_m, foot_length_m, foot_width_m, step_width_m, step_length_m, step_up_m, mass_kg, hand_limit_n, effort_limit, effort, joint_deg, hand_force_n, hand_torque_nm, foot_load_n, deg, rad, abs, floor, ceil, round, sqrt, sin, cos, atan2, hypot, min, max, clamp, count, size, slice, index_of, text, number, startsWith, endsWith, contains
                mend the expression there
            error: main.json /C/B [when]: the expression `= 2` is wrong at column 1: `=` is not an operator: write `==` to compare
                mend the expression there
        "#]],
    );
}

#[test]
fn in_inputs_of_a_skill() {
    problems(
        r#"
        skill Use file=s.json inputs={"n":"1 ++"}
        --- s.json
        @inputs {"n": {}}
        log L value=n
        "#,
        expect![[r#"
            error: main.json /Use [inputs]: the expression `1 ++` is wrong at column 4: `1 ++` is not complete: something is missing after column 4
                mend the expression there
        "#]],
    );
}

#[test]
fn a_condition_is_true_or_false() {
    problems(
        r#"
        condition A condition="1 + 1"
        wait B until="'text'"
        choose C
          wait D when=5
        loop E condition="3"
          wait F
        "#,
        expect![[r#"
            error: main.json /A [condition]: the condition `1 + 1` is a value that is neither true nor false
                write a comparison, such as `count < 3`
            error: main.json /B [until]: the condition `'text'` is a value that is neither true nor false
                write a comparison, such as `count < 3`
            error: main.json /C/D [when]: `when` must be a text or an object, is 5
                change it, or leave it out
            error: main.json /E [condition]: the condition `3` is a value that is neither true nor false
                write a comparison, such as `count < 3`
        "#]],
    );
}

#[test]
fn a_wrong_value_is_reported_once() {
    problems(
        r#"
        wait A duration_s=long
        question Q options=5
        log B value=[1]
        "#,
        expect![[r#"
            error: main.json /A [duration_s]: `duration_s` must be a number in s, is "long"
                change it, or leave it out for its default, 4.0
            error: main.json /Q [options]: `options` must be a list, is 5
                change it, or leave it out for its default, []
            error: main.json /B [value]: `value` must be a text or a number or true or false, is a list of 1
                change it, or leave it out for its default, ""
        "#]],
    );
}

#[test]
fn fine() {
    problems(
        r#"
        condition C condition=true
        wait A until={"condition":"time() > 1.0","edge":"rise"}
        log L value=5
        "#,
        expect![[""]],
    );
}
