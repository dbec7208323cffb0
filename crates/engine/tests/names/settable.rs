//! Senses of the robot and signals of a cell can be read, not set; unknown names are errors.

use expect_test::expect;
use testkit::{check, check_on};

/// A sense that a guard reads is not moved by hand, whether or not an expression has named it.
#[test]
fn senses_are_read() {
    check_on(
        "coact-one",
        "
        wait A duration_s=0.3 until=\"right_hand_force_n > 50\"
        ",
        "0.1 set right_hand_force_n 99
         0.1 set left_hand_force_n 99
         0.1 set walking true",
        expect![[r#"
            0.00 + A
            0.10 > refused `set right_hand_force_n 99`: `right_hand_force_n` is a sense of the robot: it can be read, not set
            0.10 > refused `set left_hand_force_n 99`: `left_hand_force_n` is a sense of the robot: it can be read, not set
            0.10 > refused `set walking true`: `walking` is a sense of the robot: it can be read, not set
            0.30 - A success
            0.30 # the behavior succeeded
        "#]],
    );
}

/// A name that the behavior declares is its own, whatever the world calls so.
#[test]
fn a_declared_name_is_ones_own() {
    check_on(
        "coact-one",
        "
        wait A duration_s=0.3 until=walking
        @variables {\"walking\": false}
        ",
        "0.1 set walking true",
        expect![[r#"
            0.00 + A
            0.10 = walking true
            0.10 - A success: `until walking` holds
            0.10 # the behavior succeeded
        "#]],
    );
}

/// Signals are read; what is written nowhere is a slip, and near names are told.
#[test]
fn signals_and_unknown_names() {
    check(
        "
        wait A duration_s=0.3 until=door_open
        set B values={\"counted\":\"1\"}
        @variables {\"height\": 1}
        ",
        "world door_open false
         0.1 set door_open true
         0.1 set hieght 2
         0.1 set something 2
         0.1 set counted 5
         0.2 set height 2",
        expect![[r#"
            0.0 + A
            0.1 = counted 5
            0.1 > refused `set door_open true`: `door_open` is a signal of the cell: it can be read, not set
            0.1 > refused `set hieght 2`: there is no variable `hieght`; did you mean `height`?
            0.1 > refused `set something 2`: there is no variable `something`; there are `counted`, `height`
            0.2 = height 2
            0.3 - A success
            0.3 + B
            0.3 = counted 1
            0.4 - B success
            0.4 # the behavior succeeded
        "#]],
    );
}
