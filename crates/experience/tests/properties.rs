//! What holds of every choice.

use std::f64::consts::PI;

use experience::{
    Batch, Estimator, Experience, FORMAT, Grid, Horizon, Left, Limit, Nominal, Of, Phases, Question, Row, State,
    Strategy, choose, first_exceeded, slowed,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const GRID: Grid = Grid { bin: 0.1, estimator: Estimator::Max };

fn strategy(number: usize, max: f64, overhead_s: f64, stroke_s: f64) -> Strategy {
    Strategy {
        name: format!("way {number}").into(),
        limits: vec![Limit { sense: "torque".into(), max }],
        nominal: Nominal { attempt_s: overhead_s + stroke_s, overhead_s, stroke: Some(PI) },
        pace: 1.0,
    }
}

fn batch(strategy: &Strategy, rows: &[(f64, f64)], (trial, moving_s): (u64, f64)) -> Batch {
    Batch {
        format: FORMAT,
        task: "valve".into(),
        robot: "toy".into(),
        strategy: strategy.name.clone(),
        parameter: None,
        trial,
        attempt: 0,
        placed: true,
        limits: strategy.limits.clone(),
        rows: rows.iter().map(|(state, torque)| Row(0.0, State::Number(*state), vec![*torque])).collect(),
        moved: 1.0,
        phases_s: Phases { setup: strategy.nominal.overhead_s, manipulate: moving_s, ..Phases::default() },
        ended: "again".into(),
        outcome: "".into(),
    }
}

fn of(strategies: &[Strategy]) -> Of<'_> {
    Of { task: "valve", robot: "toy", strategies, past: true, trial: 0 }
}

prop_compose! {
    fn ways()(each in prop::collection::vec((1.0_f64..10.0, 1.0_f64..60.0, 1.0_f64..120.0), 1..5)) -> Vec<Strategy> {
        each.into_iter().enumerate().map(|(number, (max, over, stroke))| strategy(number, max, over, stroke)).collect()
    }
}

prop_compose! {
    fn situation()(ways in ways())(
        batches in prop::collection::vec(
            (0..ways.len(), prop::collection::vec((-3.0_f64..3.0, -12.0_f64..12.0), 1..12), 1_u64..4, 0.5_f64..80.0),
            0..8,
        ),
        ways in Just(ways),
        state in -3.0_f64..3.0,
        goal in -3.0_f64..3.0,
        window in (-0.5_f64..0.0, 0.0_f64..0.5),
        horizon in prop_oneof![Just(Horizon::Task), Just(Horizon::Attempt)],
    ) -> (Vec<Strategy>, Vec<Batch>, f64, f64, (f64, f64), Horizon) {
        let batches = batches.iter().map(|(way, rows, trial, s)| batch(&ways[*way], rows, (*trial, *s))).collect();
        (ways, batches, state, goal, window, horizon)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    /// What is chosen is safe by what is known in the whole window, nothing that is safe is expected sooner, and of
    /// equals the first; none is chosen only where none is safe. By brute force over the samples.
    #[test]
    fn the_choice_is_safe_and_the_soonest((ways, batches, state, goal, window, horizon) in situation()) {
        let experience = Experience::gather(GRID, &of(&ways), batches.iter().map(|batch| (batch, false)));
        let states = [(State::Number(state), 1.0)];
        let question = Question { strategies: &ways, states: &states, goal: Some(goal), window, horizon };
        let choice = choose(&question, &experience);
        let bin = |state: f64| (state / 0.1).round_ties_even() as i64;
        for (way, judged) in ways.iter().zip(&choice.judged) {
            let mut newest: std::collections::BTreeMap<i64, Vec<f64>> = std::collections::BTreeMap::new();
            for batch in batches.iter().filter(|batch| batch.strategy == way.name) {
                let mut most: std::collections::BTreeMap<i64, f64> = std::collections::BTreeMap::new();
                for Row(_, at, torque) in &batch.rows {
                    let most = most.entry(bin(at.number().unwrap())).or_default();
                    *most = most.max(torque[0].abs());
                }
                most.into_iter().for_each(|(bin, most)| newest.entry(bin).or_default().push(most));
            }
            let range = bin(state + window.0)..=bin(state + window.1);
            let is_beyond = newest.iter().any(|(bin, most)| {
                range.contains(bin) && most.iter().rev().take(5).any(|most| *most > way.limits[0].max)
            });
            prop_assert_eq!(judged.unsafe_.is_some(), is_beyond);
            prop_assert!(judged.expected.s.is_finite() && judged.expected.s >= 0.0);
        }
        let safe = |index: &usize| choice.judged[*index].unsafe_.is_none();
        let soonest = (0..ways.len()).filter(safe).reduce(|best, next| {
            if choice.judged[next].expected.s < choice.judged[best].expected.s { next } else { best }
        });
        prop_assert_eq!(choice.chosen, soonest);
    }

    /// Nothing known: the strategy that is nominally the quickest.
    #[test]
    fn without_experience_the_nominal_times_decide(ways in ways(), state in -3.0_f64..3.0) {
        let states = [(State::Number(state), 1.0)];
        let question =
            Question { strategies: &ways, states: &states, goal: Some(0.0), window: (-1.0, 1.0), horizon: Horizon::Task };
        let choice = choose(&question, &Experience::new(GRID));
        let quickest = ways.iter().map(|way| way.nominal.attempt_s).fold(f64::INFINITY, f64::min);
        prop_assert_eq!(ways[choice.chosen.unwrap()].nominal.attempt_s, quickest);
    }

    /// More of the same never makes a strategy safe that was not.
    #[test]
    fn a_repeated_batch_changes_no_safety((ways, batches, state, goal, window, horizon) in situation()) {
        let states = [(State::Number(state), 1.0)];
        let question = Question { strategies: &ways, states: &states, goal: Some(goal), window, horizon };
        let judged = |batches: &[Batch]| {
            let experience = Experience::gather(GRID, &of(&ways), batches.iter().map(|batch| (batch, false)));
            let judged = choose(&question, &experience).judged;
            judged.into_iter().map(|each| each.unsafe_.is_some()).collect::<Vec<_>>()
        };
        if let Some(last) = batches.last() {
            // Up to five of the newest count.
            let few: Vec<Batch> = batches.iter().take(2).cloned().collect();
            let mut again = few.clone();
            again.extend(few.last().cloned());
            prop_assert_eq!(judged(&few), judged(&again));
            prop_assert!(last.is_finite());
        }
    }

    /// A state that may be in several places takes the mean time, and must be safe in all of them.
    #[test]
    fn a_state_by_chance_takes_the_mean((ways, batches, state, goal, window, horizon) in situation(), other in -3.0_f64..3.0) {
        let experience = Experience::gather(GRID, &of(&ways), batches.iter().map(|batch| (batch, false)));
        let judged = |states: &[(State, f64)]| {
            choose(&Question { strategies: &ways, states, goal: Some(goal), window, horizon }, &experience).judged
        };
        let (here, there) = ((State::Number(state), 1.0), (State::Number(other), 3.0));
        let (one, two) = (judged(std::slice::from_ref(&here)), judged(std::slice::from_ref(&there)));
        for ((both, one), two) in judged(&[here, there]).iter().zip(&one).zip(&two) {
            let mean = (one.expected.s + 3.0 * two.expected.s) / 4.0;
            prop_assert!((both.expected.s - mean).abs() < 1e-9 * mean.max(1.0));
            prop_assert_eq!(both.unsafe_.is_some(), one.unsafe_.is_some() || two.unsafe_.is_some());
        }
    }

    #[test]
    fn a_load_slows_down_to_the_lowest(lowest in 0.0_f64..1.0, loads in prop::collection::vec((0.0_f64..2.0, -3.0_f64..3.0), 0..4)) {
        let pace = slowed(lowest, 1.0, loads.iter().copied());
        prop_assert!((lowest..=1.0).contains(&pace));
        let heavier = slowed(lowest, 1.0, loads.iter().map(|(slows, load)| (*slows, load * 2.0)));
        prop_assert!(heavier <= pace);
    }
}

#[test]
fn what_cannot_be_told_is_beyond() {
    assert_eq!(first_exceeded([(3.0, Some(-2.9)), (3.0, Some(3.0))]), None);
    assert_eq!(first_exceeded([(3.0, Some(1.0)), (3.0, Some(-3.1))]).map(|found| found.limit), Some(1));
    assert_eq!(first_exceeded([(3.0, None)]).map(|found| found.value), Some(None));
    assert!(first_exceeded([(3.0, Some(f64::NAN))]).is_some());
}

#[test]
fn what_is_of_others_is_left_out_and_told() {
    let ways = [strategy(0, 3.0, 10.0, 10.0)];
    let good = batch(&ways[0], &[(0.0, 9.0)], (1, 5.0));
    let robot = Batch { robot: "another".into(), ..good.clone() };
    let limits = Batch { limits: vec![Limit { sense: "torque".into(), max: 9.0 }], ..good.clone() };
    let format = Batch { format: FORMAT + 1, ..good.clone() };
    let none = Batch { moved: f64::NAN, ..good.clone() };
    let stored = [good, robot, limits, format, none];
    let experience = Experience::gather(GRID, &of(&ways), stored.iter().map(|batch| (batch, false)));
    assert_eq!(experience.samples(), 1);
    let told: Vec<(Left, usize)> = experience.left_out().map(|(_, why, count)| (why, count)).collect();
    let each = [Left::OtherFormat, Left::OtherRobot, Left::OtherLimits, Left::NoNumbers];
    assert_eq!(told, each.map(|why| (why, 1)));
}

/// What counts from nobody knows where is used in its own trial only, the past only by who asks for it.
#[test]
fn what_is_not_placed_is_of_its_trial_alone() {
    let ways = [strategy(0, 3.0, 10.0, 10.0)];
    let placed = batch(&ways[0], &[(0.0, 1.0)], (1, 5.0));
    let floating = Batch { placed: false, trial: 2, ..placed.clone() };
    let count = |past: bool, trial: u64, own: bool| {
        let of = Of { past, trial, ..of(&ways) };
        Experience::gather(GRID, &of, [(&placed, false), (&floating, own)].into_iter()).samples()
    };
    assert_eq!((count(true, 2, true), count(true, 3, true), count(true, 2, false)), (2, 1, 1));
    assert_eq!((count(false, 2, true), count(false, 3, true)), (1, 0));
}
