//! Settings that are values of the moment.

use engine::{Command, Control, Engine, Options, TickInput, What};
use expect_test::expect;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value as Json, json};
use testkit::check;
use testkit::random::load_files;

/// Evaluated when the step is about to start: what was set before counts.
#[test]
fn what_was_set_before_counts() {
    check(
        r#"
        @variables {"pause_s": 0.5}
        set Change values={"pause_s": "0.2"}
        wait A duration_s={"=":"pause_s * 2"}
        wait B duration_s={"=":"pause_s"}
        "#,
        "",
        expect![[r#"
            0.0 + Change
            0.0 = pause_s 0.2
            0.1 - Change success
            0.1 + A
            0.1 # A: with duration_s = 0.4
            0.5 - A success
            0.5 + B
            0.5 # B: with duration_s = 0.2
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Anew in each tick in which it is held, and fixed by the start.
#[test]
fn anew_while_it_is_held_and_fixed_by_the_start() {
    check(
        r#"
        @variables {"pause_s": 5}
        wait First duration_s=0.3 claims=["T"]
        wait A duration_s={"=":"pause_s"} after=Beginning claims=["T"]
        "#,
        "0.1 set pause_s 0.4
         0.5 set pause_s 9",
        expect![[r#"
            0.0 + First
            0.0 ! A held: `T` is held by `First`
            0.1 = pause_s 0.4
            0.3 - First success
            0.3 + A
            0.3 # A: with duration_s = 0.4
            0.5 = pause_s 9
            0.7 - A success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// What a name stands for is worked out anew wherever it is said, and follows what it is made of.
#[test]
fn a_name_stands_for_an_expression() {
    check(
        r#"
        @variables {"force_n": 10}
        @let {"heavy": "force_n > limit_n", "limit_n": "38", "pause_s": "force_n / 100"}
        sequence Hold while="!heavy"
          wait A duration_s={"=":"pause_s"}
          wait B duration_s=5
        "#,
        "0.2 set force_n 40",
        expect![[r#"
            0.0 + Hold
            0.0 + A
            0.0 # A: with duration_s = 0.1
            0.1 - A success
            0.1 + B
            0.2 = force_n 40
            0.2 - B halted: what it belongs to was halted
            0.2 - Hold failure: `while !heavy` does not hold
            0.2 # the behavior ended: failure: `while !heavy` does not hold
        "#]],
    );
}

/// A variable without a value is as before it had one.
#[test]
fn a_step_takes_values_away() {
    check(
        r#"
        @variables {"count": 2}
        set Keep values={"had": "is_set(count)"}
        unset Forget names=["count"]
        set Ask values={"has": "is_set(count)"}
        wait A duration_s={"=":"count"}
        "#,
        "",
        expect![[r#"
            0.0 + Keep
            0.0 = had true
            0.1 - Keep success
            0.1 + Forget
            0.1 = count nothing
            0.2 - Forget success
            0.2 + Ask
            0.2 = has false
            0.3 - Ask success
            0.3 - A failure: the value of `duration_s`, `count`, is not known: variable `count` has no value yet
            0.3 # the behavior ended: failure: the value of `duration_s`, `count`, is not known: variable `count` has no value yet
        "#]],
    );
}

/// A variable that holds a pose is a frame, in the file that has it and nowhere else.
#[test]
fn a_pose_is_a_frame() {
    let outline = "sequence Root\n  set Put values={\"spot\": \"pose(1.5, 0.2, 0.9)\", \"near\": \"{'x_m': 0.1, 'frame': \
                   'spot'}\"}\n  set Ask values={\"high_m\": \"height_m('near')\", \"far_m\": \"in_frame('near', \
                   'world').x_m\", \"gone\": \"is_there('other')\"}\n  make_frame Make object=made frame=spot \
                   pose={\"x_m\":{\"=\":\"far_m / 4\"}}\n  set Look values={\"made_m\": \"in_frame('made', 'world').x_m\"}\n  \
                   unset Forget names=[\"spot\"]\n  set Lost values={\"there\": \"is_there('spot')\"}";
    let mut stage = testkit::Stage::new("coact-one", outline, "");
    stage.run();
    let variables = stage.engine.variables();
    let value = |name: &str| variables.iter().find(|(own, _)| &**own == name).map(|(_, value)| value.to_json());
    let trace = stage.trace();
    assert_eq!(value("far_m"), Some(json!(1.6)), "{trace}");
    assert_eq!(value("made_m"), Some(json!(1.9)), "{trace}");
    assert_eq!((value("gone"), value("there")), (Some(json!(false)), Some(json!(false))), "{trace}");
}

/// What a skill says of its inputs holds, its own words, ranges and units: a use that gives it something else does not
/// start, and nothing in it catches that.
#[test]
fn inputs_are_what_the_skill_says() {
    check(
        r#"
        @variables {"which": "middle", "nothing": null}
        skill Good file=go.json inputs={"side":"'left'","far_m":1.5}
        fallback F
          skill Bad file=go.json inputs={"side":"which","far_m":9}
          fallback G
            skill Unset file=go.json inputs={"far_m":"nothing"}
            fallback H
              skill Without file=go.json
              skill Guarded file=go.json inputs={"far_m":"nothing"} retry=1
        --- go.json
        @inputs {"side":{"choices":["left","right"],"default":"right"},"far_m":{"kind":"number","maximum":2,"unit":"m"}}
        fallback Inside
          log Say end_as=success text=go value="side + text(far_m)"
          log Caught text=caught
        "#,
        "",
        expect![[r#"
            0.0 = side right
            0.0 = side left
            0.0 = far_m 1.5
            0.0 + Good/Say
            0.0 # Good/Say: go left1.5
            0.0 - Good/Say success
            0.0 = side right
            0.0 - Bad/Say failure: `Bad` does not start: `side` must be one of left, right, is "middle"; `far_m` must be at most 2 m, is 9
            0.0 = side right
            0.0 - Unset/Say failure: `Unset` does not start: the value of `far_m`, `nothing`, is not known: variable `nothing` has no value yet
            0.0 = side right
            0.0 - Without/Say failure: `Without` does not start: input `far_m` is not given and has no default
            0.0 + Guarded
            0.0 = side right
            0.0 - Guarded/Say failure: `Guarded` does not start: the value of `far_m`, `nothing`, is not known: variable `nothing` has no value yet
            0.0 # Guarded: failed; attempt 2 of 2 follows
            0.1 - Guarded/Say failure: `Guarded` does not start: the value of `far_m`, `nothing`, is not known: variable `nothing` has no value yet
            0.1 - Guarded failure: `Guarded` does not start: the value of `far_m`, `nothing`, is not known: variable `nothing` has no value yet
            0.1 # the behavior ended: failure: `Guarded` does not start: the value of `far_m`, `nothing`, is not known: variable `nothing` has no value yet
        "#]],
    );
}

/// A use that comes to its turn while its first step waits for a claim takes the inputs of then: they may not fit.
#[test]
fn inputs_that_go_wrong_while_the_first_step_waits() {
    check(
        r#"
        @variables {"far_m": 1}
        parallel P policy=all
          stand_in Hold duration_s=0.3 claims=["left_arm"]
          sequence Later
            wait A_while duration_s=0.2
            set More values={"far_m": "9"}
          sequence Uses
            wait A_moment duration_s=0.1
            fallback F
              skill Use file=go.json inputs={"far_m":"far_m"}
              stand_in Then duration_s=0.1 claims=["left_arm"]
        --- go.json
        @inputs {"far_m":{"kind":"number","maximum":2,"unit":"m"}}
        stand_in Go duration_s=0.1 claims=["left_arm"]
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + Hold
            0.0 + A_while
            0.0 + A_moment
            0.1 - A_moment success
            0.1 = far_m 1
            0.1 ! Use/Go held: `left_arm` is held by `Hold`
            0.2 - A_while success
            0.2 + More
            0.2 = far_m 9
            0.3 - Hold success
            0.3 - More success
            0.3 = far_m nothing
            0.3 - Use/Go failure: `Use` does not start: `far_m` must be at most 2 m, is 9
            0.3 + Then
            0.4 - Then success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

const WITHHELD: &str = r#"
    @variables {"far_m": 1}
    parallel P policy=all
      stand_in Hold duration_s=0.3 claims=["left_arm"]
      sequence Later
        wait A_while duration_s=0.2
        set More values={"far_m": "9"}
      sequence Uses
        wait A_moment duration_s=0.1
        fallback F
          sequence S
            skill Use file=go.json inputs={"far_m":"far_m"}
          stand_in Then duration_s=0.1
    --- go.json
    @inputs {"far_m":{"kind":"number","maximum":2,"unit":"m"}}
    fallback Inside
      stand_in Go duration_s=0.1 claims=["left_arm"]
      stand_in Caught duration_s=0.1
    "#;

/// A use that did not start is told where it would have begun, also when a lock kept that back for a while: what is in it
/// catches it neither when the lock is opened nor when an edit lays the track anew. Next stays in a locked sequence from
/// which the use was moved, until it is unlocked.
#[test]
fn a_use_that_did_not_start_is_caught_around_it_whenever_that_is_decided() {
    for then in ["0.5 unlock S", "0.5 insert F 2 log Behind\n0.6 unlock S", "0.5 move_node Use F 0\n0.7 unlock S"] {
        let trace = testkit::run(WITHHELD, &format!("0 lock S\n{then}"));
        let lines: Vec<&str> = trace.lines().collect();
        assert!(lines.iter().any(|line| line.contains("0.3 - Use/Go failure: `Use` does not start")), "{trace}");
        assert!(lines.iter().any(|line| line.contains("+ Then")), "{trace}");
        // Told as what is behind it in the lock, as behind any failure that a lock keeps back; it never starts.
        assert!(!trace.contains("+ Use/Caught"), "{trace}");
    }
}

/// Of another kind, out of its range, without a value, of no sense: it fails with that reason and does not start.
#[test]
fn what_does_not_fit_does_not_start() {
    check(
        r#"
        @variables {"word": "soon", "less": -1, "nothing": null, "zero": 0}
        fallback F
          wait Word duration_s={"=":"word"}
          fallback G
            wait Less duration_s={"=":"less"}
            fallback H
              wait Unset duration_s={"=":"nothing"}
              fallback I
                wait Divided duration_s={"=":"1 / zero"}
                wait Unknown duration_s={"=":"nobody"}
        "#,
        "",
        expect![[r#"
            0.0 - Word failure: `duration_s` must be a number in s, is "soon"
            0.0 - Less failure: `duration_s` must be at least 0 s, is -1
            0.0 - Unset failure: the value of `duration_s`, `nothing`, is not known: variable `nothing` has no value yet
            0.0 - Divided failure: the value of `duration_s`, `1 / zero`, is not known: division by zero
            0.0 - Unknown failure: the value of `duration_s`, `nobody`, is not known: variable `nobody` has no value yet
            0.0 # the behavior ended: failure: the value of `duration_s`, `nobody`, is not known: variable `nobody` has no value yet
        "#]],
    );
}

/// Each attempt and each pass has its own.
#[test]
fn each_attempt_and_each_pass_evaluates() {
    check(
        r#"
        @variables {"n": 0}
        loop Three count=3
          set Count values={"n": "n + 1"}
          wait Longer duration_s={"=":"n * 0.1"}
        sequence Again retry=1
          set More values={"n": "n + 1"}
          wait Then duration_s={"=":"n * 0.1 - 0.3"}
          always_fail No
        "#,
        "",
        expect![[r#"
            0.0 + Three
            0.0 + Count
            0.0 = n 1
            0.1 - Count success
            0.1 + Longer
            0.1 # Longer: with duration_s = 0.1
            0.2 - Longer success
            0.2 + Count
            0.2 = n 2
            0.3 - Count success
            0.3 + Longer
            0.3 # Longer: with duration_s = 0.2
            0.5 - Longer success
            0.5 + Count
            0.5 = n 3
            0.6 - Count success
            0.6 + Longer
            0.6 # Longer: with duration_s = 0.30000000000000004
            0.9 - Longer success
            0.9 - Three success
            0.9 + Again
            0.9 + More
            0.9 = n 4
            1.0 - More success
            1.0 + Then
            1.0 # Then: with duration_s = 0.10000000000000003
            1.1 - Then success
            1.1 + No
            1.1 - No failure: it is set to always fail
            1.1 # Again: failed; attempt 2 of 2 follows
            1.2 + More
            1.2 = n 5
            1.3 - More success
            1.3 + Then
            1.3 # Then: with duration_s = 0.2
            1.5 - Then success
            1.5 + No
            1.5 - No failure: it is set to always fail
            1.5 - Again failure: it is set to always fail
            1.5 # the behavior ended: failure: it is set to always fail
        "#]],
    );
}

/// A step that is tried again itself.
#[test]
fn a_step_that_is_tried_again() {
    check(
        r#"
        @variables {"pause_s": 0.3}
        parallel P
          stand_in A duration_s={"=":"pause_s"} fails_if="pause_s < 0.25" retry=2
          sequence
            wait duration_s=0.1
            set values={"pause_s": "0.2"}
            wait duration_s=0.5
            set values={"pause_s": "0.4"}
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 # A: with duration_s = 0.3
            0.0 + wait
            0.1 - wait success
            0.1 + set
            0.1 = pause_s 0.2
            0.2 - set success
            0.2 + wait
            0.3 # A: failed; attempt 2 of 3 follows
            0.4 # A: with duration_s = 0.2
            0.6 # A: failed; attempt 3 of 3 follows
            0.7 # A: with duration_s = 0.2
            0.7 - wait success
            0.7 + set
            0.7 = pause_s 0.4
            0.8 - set success
            0.9 - A success
            0.9 - P success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// Limits, how often it is tried and how it ends, also of sequences and loops.
#[test]
fn settings_that_every_step_has() {
    check(
        r#"
        @variables {"limit_s": 0.2, "times": 2, "ends": "success"}
        fallback F
          sequence S timeout_s={"=":"limit_s"}
            wait Long duration_s=1
          loop L count={"=":"times"}
            wait Pass duration_s=0.1
        always_fail End end_as={"=":"ends"}
        "#,
        "",
        expect![[r#"
            0.0 + S
            0.0 # S: with timeout_s = 0.2
            0.0 + Long
            0.2 - Long halted: what it belongs to was halted
            0.2 - S failure "timeout": timed out after 0.2 s
            0.2 + L
            0.2 # L: with count = 2
            0.2 + Pass
            0.3 - Pass success
            0.3 + Pass
            0.4 - Pass success
            0.4 - L success
            0.4 + End
            0.4 # End: with end_as = success
            0.4 - End success: it is set to always fail
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Inside a skill its own variables and inputs are meant.
#[test]
fn in_the_scope_of_a_skill() {
    check(
        r#"
        @variables {"pause_s": 3}
        skill Use file=inner.json inputs={"pause_s": "0.2"}
        --- inner.json
        @inputs {"pause_s": {"type": "number"}}
        wait Inside duration_s={"=":"pause_s"}
        "#,
        "",
        expect![[r#"
            0.0 = pause_s 0.2
            0.0 + Use/Inside
            0.0 # Use/Inside: with duration_s = 0.2
            0.2 - Use/Inside success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// An edit that makes a value of a number, and back, of a step that has not started.
#[test]
fn edited_while_it_runs() {
    check(
        r#"
        @variables {"pause_s": 0.2}
        wait First duration_s=0.3
        wait A duration_s=5
        wait B duration_s={"=":"pause_s"}
        "#,
        r#"0.1 setting A duration_s {"=":"pause_s"}
         0.1 setting B duration_s 0.1
         0.4 setting A duration_s 7"#,
        expect![[r#"
            0.0 + First
            0.3 - First success
            0.3 + A
            0.3 # A: with duration_s = 0.2
            0.5 - A success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

const TICKS: i64 = 60;

fn times(tree: &Json) -> Vec<(u64, u32, bool)> {
    let library = load_files(&[("main.json".to_owned(), tree.clone())]).library;
    let mut engine = Engine::new(library, testkit::registry(), &Options::default());
    for tick in 0..TICKS {
        let mut input = TickInput { time_ns: tick * testkit::TICK_NS, ..TickInput::default() };
        if tick == 0 {
            input.commands.push(Command { id: 0, what: Control::Automatic { on: true } });
        }
        engine.tick(&input);
        engine.check_invariants().expect("everything fits together");
    }
    let moved = engine.recording().events.iter().filter_map(|event| match event.what {
        What::Started(step) => Some((event.tick, step.0, true)),
        What::Ended { step, .. } => Some((event.tick, step.0, false)),
        _ => None,
    });
    moved.collect()
}

/// The tree with numbers written out, and with variables that have them.
fn twins() -> impl Strategy<Value = (Json, Json)> {
    let step =
        (0..4_usize, 0..3_u32, any::<bool>()).prop_map(|(variable, retry, beginning)| (variable, retry, beginning));
    let steps = prop::collection::vec((step, prop_oneof![Just("sequence"), Just("parallel"), Just("loop")]), 1..8);
    (steps, prop::array::uniform4(0..6_u8)).prop_map(|(steps, tenths)| {
        let number = |variable: usize| f64::from(tenths[variable]) / 10.0;
        let tree = |bound: bool| {
            let value = |variable: usize, factor: f64| match bound {
                true => json!({"=": format!("v{variable} * {factor}")}),
                false => json!(number(variable) * factor),
            };
            let children: Vec<Json> = steps
                .iter()
                .map(|((variable, retry, beginning), kind)| {
                    let leaf = json!({
                        "type": "stand_in",
                        "duration_s": value(*variable, 1.0),
                        "timeout_s": value((*variable + 1) % 4, 2.0),
                        "retry": if bound { json!({"=": format!("{retry}")}) } else { json!(retry) },
                        "after": if *beginning { "Beginning" } else { "Previous" },
                    });
                    let count = if bound { json!({"=": "1 + 1"}) } else { json!(2) };
                    match *kind {
                        "loop" => json!({"type": "loop", "count": count, "end_as": "success", "children": [leaf]}),
                        kind => json!({"type": kind, "end_as": "success", "children": [leaf.clone(), leaf]}),
                    }
                })
                .collect();
            let variables: serde_json::Map<String, Json> =
                (0..4).map(|at| (format!("v{at}"), json!(number(at)))).collect();
            json!({"version": 1, "type": "sequence", "variables": variables, "children": children})
        };
        (tree(true), tree(false))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn values_run_as_the_numbers_they_stand_for((bound, written) in twins()) {
        prop_assert_eq!(times(&bound), times(&written));
    }
}
