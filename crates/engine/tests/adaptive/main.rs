//! The adaptive: attempts, what ends them and what that means.

mod as_guards;
mod in_the_tree;
mod learning;

use expect_test::expect;
use testkit::check;

/// A valve whose torque and angle a script says.
const VALVE: &str = "
    sequence Root
      adaptive Tighten task=valve state=angle window=[-20,0] goal=0 setup=Look recover=Back exit=Away done=[{\"condition\":\"torque>=6\",\"outcome\":\"tight\",\"state\":0}]
        wait Look duration_s=0.1
        strategy Low limits=[{\"sense\":\"torque\",\"max\":3}] nominal_s=44 overhead_s=32 stroke=180 on_complete=again
          wait TwistLow duration_s=0.5
        strategy High limits=[{\"sense\":\"torque\",\"max\":8}] nominal_s=100 overhead_s=40 stroke=180 on_complete=again
          wait TwistHigh duration_s=0.5
        wait Back duration_s=0.1
        wait Away duration_s=0.1
    @variables {\"angle\": 90, \"torque\": 1}
";

/// Completed strokes do not count; a limit changes the strategy; the task's end is told with its outcome.
#[test]
fn a_limit_changes_the_strategy() {
    check(
        VALVE,
        "0.8 set torque 4\n 0.8 set angle 20\n 1.5 set torque 7\n 1.5 set angle 2",
        expect![[r#"
        0.0 + Tighten
        0.0 + Look
        0.1 - Look success
        0.1 # Tighten: chose `Low` at 90: `Low` 44 s; `High` 100 s
        0.1 + TwistLow
        0.6 - TwistLow success
        0.6 # Tighten: attempt 1 with `Low`: it ran to its end, and there is more to do; 0 counted, 6 samples kept
        0.6 > keeps attempt 1 of valve: 6 samples
        0.7 + Look
        0.8 = torque 4
        0.8 = angle 20
        0.8 - Look success
        0.8 # Tighten: chose `Low` at 20: `Low` 1 s; `High` 47 s
        0.8 + Back
        0.9 - Back success
        0.9 # Tighten: attempt 2 with `Low`: `torque` is 4.0, and its limit is 3.0; 0 counted, 1 samples kept
        0.9 > keeps attempt 2 of valve: 1 samples
        1.0 + Look
        1.1 - Look success
        1.1 # Tighten: chose `High` at 20: `Low` is not safe, at 20 4.0 of `torque` is expected, and its limit is 3.0; `High` 47 s
        1.1 + TwistHigh
        1.5 = torque 7
        1.5 = angle 2
        1.5 - TwistHigh halted: what it belongs to was halted
        1.5 # Tighten: attempt 3 with `High`: the task is done; 0 counted, 5 samples kept
        1.5 + Away
        1.5 > keeps attempt 3 of valve: 5 samples
        1.5 > moves trial 1 of valve by -2
        1.6 - Away success
        1.6 - Tighten success "tight": `torque>=6` holds
        1.6 # the behavior succeeded
    "#]],
    );
}

/// Done in the tick of the limit is done: the task is judged before what is safe.
#[test]
fn done_beats_a_limit_of_the_same_tick() {
    check(
        VALVE,
        "0.3 set torque 7",
        expect![[r#"
        0.0 + Tighten
        0.0 + Look
        0.1 - Look success
        0.1 # Tighten: chose `Low` at 90: `Low` 44 s; `High` 100 s
        0.1 + TwistLow
        0.3 = torque 7
        0.3 - TwistLow halted: what it belongs to was halted
        0.3 # Tighten: attempt 1 with `Low`: the task is done; 0 counted, 3 samples kept
        0.3 + Away
        0.3 > keeps attempt 1 of valve: 3 samples
        0.3 > moves trial 1 of valve by -90
        0.4 - Away success
        0.4 - Tighten success "tight": `torque>=6` holds
        0.4 # the behavior succeeded
    "#]],
    );
}

/// Nothing left that is safe: it ends by itself, with the reason of each strategy.
#[test]
fn no_strategy_safe() {
    check(
        VALVE,
        "0.3 set torque 4\n 0.7 set torque -9\n 1.0 set torque 1",
        expect![[r#"
        0.0 + Tighten
        0.0 + Look
        0.1 - Look success
        0.1 # Tighten: chose `Low` at 90: `Low` 44 s; `High` 100 s
        0.1 + TwistLow
        0.3 = torque 4
        0.3 - TwistLow halted: what it belongs to was halted
        0.3 + Back
        0.4 - Back success
        0.4 # Tighten: attempt 1 with `Low`: `torque` is 4.0, and its limit is 3.0; 0 counted, 3 samples kept
        0.4 > keeps attempt 1 of valve: 3 samples
        0.5 + Look
        0.6 - Look success
        0.6 # Tighten: chose `High` at 90: `Low` is not safe, at 90 4.0 of `torque` is expected, and its limit is 3.0; `High` 70 s
        0.6 + TwistHigh
        0.7 = torque -9
        0.7 - TwistHigh halted: what it belongs to was halted
        0.7 + Back
        0.8 - Back success
        0.8 # Tighten: attempt 2 with `High`: `torque` is -9.0, and its limit is 8.0; 0 counted, 2 samples kept
        0.8 > keeps attempt 2 of valve: 2 samples
        0.9 + Look
        1.0 = torque 1
        1.0 - Look success
        1.0 # Tighten: no strategy is safe at 90: `Low` is not safe, at 90 4.0 of `torque` is expected, and its limit is 3.0; `High` is not safe, at 90 9.0 of `torque` is expected, and its limit is 8.0
        1.0 + Away
        1.1 - Away success
        1.1 - Tighten failure "aborted": no strategy is safe at 90: `Low` is not safe, at 90 4.0 of `torque` is expected, and its limit is 3.0; `High` is not safe, at 90 9.0 of `torque` is expected, and its limit is 8.0
        1.1 # the behavior ended: failure: no strategy is safe at 90: `Low` is not safe, at 90 4.0 of `torque` is expected, and its limit is 3.0; `High` is not safe, at 90 9.0 of `torque` is expected, and its limit is 8.0
    "#]],
    );
}

/// Done before anything was tried.
#[test]
fn done_at_the_start() {
    check(
        VALVE,
        "0 set torque 6.5",
        expect![[r#"
        0.0 = torque 6.5
        0.0 + Tighten
        0.0 + Away
        0.1 - Away success
        0.1 - Tighten success "tight": `torque>=6` holds
        0.1 # the behavior succeeded
    "#]],
    );
}

/// What goes wrong counts, also before a strategy is chosen; then it gives up.
#[test]
fn attempts_are_used_up() {
    check(
        "
        sequence Root
          adaptive Grasp task=grasp max_attempts=2 recover=Back
            strategy Firm
              stand_in Close duration_s=0.1 fails_if=true
            wait Back duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Grasp
            0.0 # Grasp: chose `Firm`: `Firm` 0 s
            0.0 + Close
            0.1 - Close failure: `true` holds
            0.1 + Back
            0.2 - Back success
            0.2 # Grasp: attempt 1 with `Firm`: the strategy ended as failure: `true` holds; 1 counted, 2 samples kept
            0.2 > keeps attempt 1 of grasp: 2 samples
            0.3 # Grasp: chose `Firm`: `Firm` 0 s
            0.3 + Close
            0.4 - Close failure: `true` holds
            0.4 + Back
            0.5 - Back success
            0.5 # Grasp: attempt 2 with `Firm`: the strategy ended as failure: `true` holds; 2 counted, 2 samples kept
            0.5 - Grasp failure "attempts": 2 attempts went wrong; the last: the strategy ended as failure: `true` holds
            0.5 # the behavior ended: failure: 2 attempts went wrong; the last: the strategy ended as failure: `true` holds
            0.5 > keeps attempt 2 of grasp: 2 samples
        "#]],
    );
    check(
        "
        sequence Root
          adaptive Grasp task=grasp max_attempts=2 setup=Look
            stand_in Look duration_s=0.1 fails_if=true
            wait Firm duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + Grasp
            0.0 + Look
            0.1 - Look failure: `true` holds
            0.2 + Look
            0.3 - Look failure: `true` holds
            0.3 - Grasp failure "attempts": 2 attempts went wrong; the last: the setup ended as failure: `true` holds
            0.3 # the behavior ended: failure: 2 attempts went wrong; the last: the setup ended as failure: `true` holds
        "#]],
    );
}

/// Without learning a limit is met again and again, and each time counts that changes nothing.
#[test]
fn without_learning_the_attempts_are_used_up() {
    check(
        "
        sequence Root
          adaptive Tighten task=valve learn=off max_attempts=2
            strategy Low limits=[{\"sense\":\"torque\",\"max\":3}]
              wait Twist duration_s=0.5
        @variables {\"torque\": 4}
        ",
        "",
        expect![[r#"
            0.0 + Tighten
            0.0 # Tighten: chose `Low`: `Low` 0 s
            0.0 # Tighten: attempt 1 with `Low`: `torque` is 4.0, and its limit is 3.0; 0 counted, 0 samples kept
            0.1 # Tighten: chose `Low`: `Low` 0 s
            0.1 # Tighten: attempt 2 with `Low`: `torque` is 4.0, and its limit is 3.0; 1 counted, 0 samples kept
            0.2 # Tighten: chose `Low`: `Low` 0 s
            0.2 - Tighten failure "attempts": 2 attempts went wrong; the last: `torque` is 4.0, and its limit is 3.0
            0.2 # the behavior ended: failure: 2 attempts went wrong; the last: `torque` is 4.0, and its limit is 3.0
        "#]],
    );
}

/// What else ends an attempt: counted or not, or for good.
#[test]
fn conditions_say_what_an_end_means() {
    let tree = |means: &str| {
        format!(
            "
            sequence Root
              adaptive Task task=t max_attempts=2
                strategy Way conditions=[{{\"condition\":\"slips\",\"outcome\":\"slipped\",\"means\":\"{means}\"}}]
                  wait Turn duration_s=0.3
            @variables {{\"slips\": false}}
            "
        )
    };
    let script = "0.1 set slips true\n 0.3 set slips false";
    check(
        &tree("regrasp"),
        script,
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `Way`: `Way` 0 s
        0.0 + Turn
        0.1 = slips true
        0.1 - Turn halted: what it belongs to was halted
        0.1 # Task: attempt 1 with `Way`: `slips` holds; 0 counted, 2 samples kept
        0.1 > keeps attempt 1 of t: 2 samples
        0.2 # Task: chose `Way`: `Way` 0 s
        0.2 # Task: attempt 2 with `Way`: `slips` holds; 0 counted, 1 samples kept
        0.2 > keeps attempt 2 of t: 1 samples
        0.3 = slips false
        0.3 # Task: chose `Way`: `Way` 0 s
        0.3 + Turn
        0.6 - Turn success
        0.6 # Task: attempt 3 with `Way`: it ran to its end; 0 counted, 4 samples kept
        0.6 - Task success
        0.6 # the behavior succeeded
        0.6 > keeps attempt 3 of t: 4 samples
    "#]],
    );
    check(
        &tree("abort"),
        script,
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `Way`: `Way` 0 s
        0.0 + Turn
        0.1 = slips true
        0.1 - Turn halted: what it belongs to was halted
        0.1 # Task: attempt 1 with `Way`: `slips` holds; 0 counted, 2 samples kept
        0.1 - Task failure "slipped": `slips` holds
        0.1 # the behavior ended: failure: `slips` holds
        0.1 > keeps attempt 1 of t: 2 samples
        0.3 = slips false
    "#]],
    );
    check(
        &tree("retry"),
        script,
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `Way`: `Way` 0 s
        0.0 + Turn
        0.1 = slips true
        0.1 - Turn halted: what it belongs to was halted
        0.1 # Task: attempt 1 with `Way`: `slips` holds; 1 counted, 2 samples kept
        0.1 > keeps attempt 1 of t: 2 samples
        0.2 # Task: chose `Way`: `Way` 0 s
        0.2 # Task: attempt 2 with `Way`: `slips` holds; 2 counted, 1 samples kept
        0.2 - Task failure "attempts": 2 attempts went wrong; the last: `slips` holds
        0.2 # the behavior ended: failure: 2 attempts went wrong; the last: `slips` holds
        0.2 > keeps attempt 2 of t: 1 samples
        0.3 = slips false
    "#]],
    );
}

/// A parameter is set before its strategy starts, by how much is borne.
#[test]
fn a_parameter_is_set_before_the_start() {
    check(
        "
        sequence Root
          adaptive Pack task=pack
            strategy Move parameter={\"name\":\"speed\",\"from\":0.2,\"to\":1,\"loads\":[{\"sense\":\"load\",\"slows\":0.25}]}
              wait Carry duration_s=0.1
        @variables {\"speed\": 0, \"load\": -2}
        ",
        "",
        expect![[r#"
            0.0 + Pack
            0.0 # Pack: chose `Move`: `Move` 0 s
            0.0 = speed 0.5
            0.1 + Carry
            0.2 - Carry success
            0.2 # Pack: attempt 1 with `Move`: it ran to its end; 0 counted, 2 samples kept
            0.2 - Pack success
            0.2 # the behavior succeeded
            0.2 > keeps attempt 1 of pack: 2 samples
        "#]],
    );
}

/// Equal expectations: the first in tree order; `adapt` off: the first whatever is expected.
#[test]
fn ties_go_by_the_tree() {
    let tree = |adapt: bool, first: f64| {
        format!(
            "
            sequence Root
              adaptive Task task=t adapt={adapt}
                strategy One nominal_s={first}
                  wait A duration_s=0.1
                strategy Two nominal_s=5
                  wait B duration_s=0.1
            "
        )
    };
    check(
        &tree(true, 5.0),
        "",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 5 s; `Two` 5 s
        0.0 + A
        0.1 - A success
        0.1 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 2 samples kept
        0.1 - Task success
        0.1 # the behavior succeeded
        0.1 > keeps attempt 1 of t: 2 samples
    "#]],
    );
    check(
        &tree(true, 6.0),
        "",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `Two`: `One` 6 s; `Two` 5 s
        0.0 + B
        0.1 - B success
        0.1 # Task: attempt 1 with `Two`: it ran to its end; 0 counted, 2 samples kept
        0.1 - Task success
        0.1 # the behavior succeeded
        0.1 > keeps attempt 1 of t: 2 samples
    "#]],
    );
    check(
        &tree(false, 6.0),
        "",
        expect![[r#"
        0.0 + Task
        0.0 # Task: chose `One`: `One` 6 s
        0.0 + A
        0.1 - A success
        0.1 # Task: attempt 1 with `One`: it ran to its end; 0 counted, 2 samples kept
        0.1 - Task success
        0.1 # the behavior succeeded
        0.1 > keeps attempt 1 of t: 2 samples
    "#]],
    );
}
