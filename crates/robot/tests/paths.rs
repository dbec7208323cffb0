use std::sync::LazyLock;

use geometry::Pose;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::{Chain, Model, PathSettings, PathSolver};

use crate::common;

use crate::common::hand_paths::{by_joints, configuration, largest_step, shares, straight};

static MODEL: LazyLock<Model> = LazyLock::new(common::coact_one);

fn chain(base: &str) -> Chain {
    let link = |name| MODEL.link(name).expect("a link of the robot");
    Chain::new(&MODEL, link(base), link("left_palm")).expect("a chain")
}

fn within_limits(chain: &Chain, positions: &[f64]) -> bool {
    positions.iter().zip(chain.limits()).all(|(position, limits)| (limits.lower..=limits.upper).contains(position))
}

#[test]
fn what_joints_did_joints_can_do_again() {
    for base in ["chest", "pelvis"] {
        let chain = chain(base);
        let mut solver = PathSolver::new(chain.clone(), PathSettings::default());
        let mut share = shares(1);
        for number in 0..40 {
            let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
            let path = by_joints(&chain, &from, &to);
            let solved = solver.solve(&path.base_from_hand, &path.start);
            assert!(solved.is_solved(), "path {number} from the {base}: {}", solved.quality());
            assert!(largest_step(&path.start, &solved.configurations) <= 0.2 + 1e-9);
            assert!(solved.configurations.iter().all(|positions| within_limits(&chain, positions)));
            let last = chain.base_from_tip(solved.configurations.last().expect("a path has poses"));
            let off = last.distance(path.base_from_hand.last().expect("a path has poses"));
            assert!(off.position_m <= 1e-4 + 1e-9 && off.angle_rad <= 1e-3 + 1e-7, "{off:?}");
        }
    }
}

/// Ends in reach, leads through where no arm can go: trying all over again would find nothing.
#[test]
fn a_path_that_has_no_solution_takes_a_bounded_count_of_iterations() {
    let chain = chain("chest");
    let settings = PathSettings::default();
    let mut solver = PathSolver::new(chain.clone(), settings);
    let mut share = shares(3);
    for number in 0..20 {
        let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
        let (start, end) = (chain.base_from_tip(&from), chain.base_from_tip(&to));
        let away = Pose::from_translation(3.0, 0.0, 0.0) * start;
        let leg = |one: &Pose, other: &Pose| (0..150).map(|at| one.interpolate(other, f64::from(at) / 150.0)).collect();
        let poses: Vec<Pose> = [leg(&start, &away), leg(&away, &end), vec![end]].concat();
        let solved = solver.solve(&poses, &from);
        let one_try = solver_once(&chain, &poses, &from);
        assert!(!solved.is_solved(), "path {number}");
        assert!(
            solved.iterations <= settings.most_iterations.max(one_try) + 120,
            "path {number}: {} iterations in {} tries, {one_try} in one",
            solved.iterations,
            solved.tries
        );
    }
}

fn solver_once(chain: &Chain, poses: &[Pose], from: &[f64]) -> usize {
    let settings = PathSettings { tries: 1, ..PathSettings::default() };
    PathSolver::new(chain.clone(), settings).solve(poses, from).iterations
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn a_step_never_jumps_nor_leaves_the_limits(seed in any::<u64>()) {
        let chain = chain("chest");
        let mut share = shares(seed);
        let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
        // Anywhere: also where the arm cannot go.
        let path = straight(&chain, &from, &to, (2.0, 3.0));
        let mut solver = PathSolver::new(chain.clone(), PathSettings::default());
        let mut positions = path.start.clone();
        for pose in &path.base_from_hand {
            let before = positions.clone();
            let result = solver.step(pose, &mut positions);
            prop_assert!(largest_step(&before, std::slice::from_ref(&positions)) <= 0.2 + 1e-9);
            prop_assert!(within_limits(&chain, &positions));
            let off = chain.base_from_tip(&positions).distance(pose);
            prop_assert!((off.position_m - result.position_error_m).abs() < 1e-9);
        }
    }
}

#[test]
fn a_hand_that_stays_leaves_the_elbow_where_it_is() {
    let chain = chain("chest");
    let start = configuration(&chain, &mut shares(3));
    let mut positions = start.clone();
    let mut solver = PathSolver::new(chain.clone(), PathSettings::default());
    for _ in 0..1_000 {
        solver.step(&chain.base_from_tip(&start), &mut positions);
    }
    assert!(largest_step(&start, &[positions]) < 0.01);
}

#[test]
fn the_same_path_has_the_same_answer_and_nothing_breaks_it() {
    let chain = chain("pelvis");
    let mut share = shares(5);
    let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
    let path = by_joints(&chain, &from, &to);
    let mut solver = PathSolver::new(chain, PathSettings::default());
    let first = solver.solve(&path.base_from_hand, &path.start);
    let nowhere = solver.solve(&[Pose::from_translation(f64::NAN, 0.0, 0.0)], &path.start);
    assert!(!nowhere.is_solved() && nowhere.configurations == [path.start.clone()]);
    assert!(solver.solve(&[], &path.start).is_solved());
    assert_eq!(solver.solve(&path.base_from_hand, &path.start), first);
}
