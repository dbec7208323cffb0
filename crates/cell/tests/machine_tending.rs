//! The example of five testers: every board ends in the right bin, the arm does one thing at a time, and it is as fast
//! as the arm or the testers allow.

use crate::tending;

use engine::Verdict;
use tending::{Limits, Ran, Wanted, json, run, shipped, with_testers};

fn twenty(seed: u64) -> Ran {
    run(&shipped(), Wanted { boards: 20, seed, record: true })
}

#[test]
fn every_board_ends_in_the_right_bin() {
    for seed in 0..6 {
        let ran = twenty(seed);
        assert_eq!((ran.verdict, ran.reason.as_str()), (Some(Verdict::Success), ""), "seed {seed}");
        assert_eq!((ran.count("right_drops"), ran.count("wrong_drops")), (20.0, 0.0), "seed {seed}");
        let number = |name: &str| match ran.robot.variable(name) {
            Some(model::Value::Number(number)) => *number,
            other => panic!("`{name}` is {other:?}"),
        };
        assert_eq!(number("passed") + number("failed"), 20.0);
        assert_eq!((number("pass_bin"), number("fail_bin")), (ran.count("PASS_BIN"), ran.count("FAIL_BIN")));
        assert_eq!(number("inserted"), 20.0, "no more boards are put in than were asked for");
    }
}

#[test]
fn good_and_bad_boards_both_come() {
    let failed: f64 = (0..6).map(|seed| twenty(seed).count("FAIL_BIN")).sum();
    assert!((6.0..60.0).contains(&failed), "{failed} of 120 failed");
}

#[test]
fn the_arm_never_does_two_things_at_once() {
    let ran = twenty(3);
    let moves = ran.spans_ns("stand_in");
    assert_eq!(moves.len(), 20 * 10, "five moves for each insertion and each extraction");
    for pair in moves.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "{pair:?} overlap");
    }
    assert!(ran.robot.tokens().iter().all(|(_, holder)| holder.is_none()), "the arm is given back");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let times = |seed| (twenty(seed).drops_s, twenty(seed).count("FAIL_BIN"));
    assert_eq!(times(7), times(7));
}

#[test]
fn the_environment_draws_its_own_numbers() {
    let boards = |seed| twenty(seed).count("FAIL_BIN");
    assert!((1..6).any(|seed| boards(seed) != boards(0)), "another seed brings other boards");
}

#[test]
fn a_board_in_the_wrong_bin_fails_the_run_and_names_the_place() {
    let mut files = shipped();
    let all_pass = files.0["tend.json"].replace("'fail'", "'pass'");
    files.insert("tend.json", all_pass);
    let ran = run(&files, Wanted { boards: 20, seed: 1, record: false });
    assert_eq!(ran.verdict, Some(Verdict::Failure));
    assert_eq!(
        ran.reason,
        "the environment failed at /Bins/The board is in the right bin: `wrong_drops == 0` does not hold"
    );
}

#[test]
fn a_tester_in_error_is_left_alone() {
    let mut files = shipped();
    let mut cell = json(&files, "cell.json");
    cell["signals"]["ERROR_1"]["initial"] = true.into();
    files.insert("cell.json", cell.to_string());
    let ran = run(&files, Wanted { boards: 8, seed: 1, record: true });
    assert_eq!(ran.verdict, Some(Verdict::Success));
    let moves = ran.spans_ns("stand_in");
    assert!(moves.iter().any(|(_, _, path)| path.contains("tester 2")), "{moves:?}");
    assert!(moves.iter().all(|(_, _, path)| !path.contains("tester 1")), "{moves:?}");
}

#[test]
fn the_variant_of_five_testers_is_the_shipped_one() {
    let (derived, shipped) = (with_testers(5), shipped());
    for name in shipped.0.keys() {
        assert!(json(&derived, name) == json(&shipped, name), "{name} differs");
    }
}

#[test]
fn throughput_is_what_the_arm_or_the_testers_allow() {
    for testers in 1..=8 {
        let files = with_testers(testers);
        let ran = run(&files, Wanted { boards: 48, seed: 1, record: false });
        assert_eq!(ran.verdict, Some(Verdict::Success), "{}", ran.reason);
        assert_eq!(ran.count("wrong_drops"), 0.0);
        let (measured, limit) = (ran.boards_per_hour(testers), Limits::of(&files, testers).least());
        let ratio = measured / limit;
        assert!((0.95..=1.005).contains(&ratio), "{testers} testers: {measured} of {limit} boards an hour");
    }
}
