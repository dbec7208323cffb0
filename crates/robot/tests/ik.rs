use std::sync::LazyLock;

use geometry::Pose;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::{Chain, ChainError, Description, IkSettings, IkSolver, Model};

use crate::common;

static MODEL: LazyLock<Model> = LazyLock::new(common::coact_one);

fn chain(base: &str, tip: &str) -> Chain {
    let link = |name| MODEL.link(name).expect("a link of the robot");
    Chain::new(&MODEL, link(base), link(tip)).expect("a chain")
}

/// A configuration from a share, 0 to 1, of the range of each joint.
fn within(chain: &Chain, shares: &[f64]) -> Vec<f64> {
    chain
        .limits()
        .iter()
        .zip(shares)
        .map(|(limits, share)| limits.lower + share * (limits.upper - limits.lower))
        .collect()
}

fn assert_solves(base: &str, tip: &str, shares: &[f64]) {
    let chain = chain(base, tip);
    let target = chain.base_from_tip(&within(&chain, shares));
    let mut positions = chain.pick(&MODEL.neutral());
    let result = IkSolver::new(chain.clone(), IkSettings::default()).solve(&target, &mut positions);
    assert!(result.is_solved(), "{result:?}");
    let off = chain.base_from_tip(&positions).distance(&target);
    assert!(off.position_m <= 1e-4 + 1e-9 && off.angle_rad <= 1e-3 + 1e-7, "{off:?}");
    for (position, limits) in positions.iter().zip(chain.limits()) {
        assert!((limits.lower..=limits.upper).contains(position), "{position} is outside {limits:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn an_arm_reaches_where_it_can_be(shares in prop::array::uniform7(0.0..1.0)) {
        assert_solves("chest", "left_palm", &shares);
        assert_solves("chest", "right_palm", &shares);
    }

    #[test]
    fn arm_and_spine(shares in prop::array::uniform10(0.0..1.0)) {
        assert_solves("pelvis", "right_palm", &shares);
    }

    #[test]
    fn a_chain_is_where_the_model_is(shares in prop::array::uniform10(0.0..1.0)) {
        let chain = chain("pelvis", "left_palm");
        let inner = within(&chain, &shares);
        let mut positions = MODEL.neutral();
        chain.coordinates().iter().zip(&inner).for_each(|(coordinate, position)| positions[*coordinate] = *position);
        let mut poses = MODEL.new_poses();
        MODEL.forward(&positions, &mut poses);
        let palm = MODEL.link("left_palm").expect("a palm");
        let off = poses.base_from(palm).distance(&chain.base_from_tip(&inner));
        prop_assert!(off.position_m < 1e-12 && off.angle_rad < 1e-7, "{off:?}");
    }
}

/// A flat arm whose joints turn without end.
const ENDLESS: &str = r#"<robot name="endless"><link name="base"/><link name="a"/><link name="b"/><link name="tip"/>
    <joint name="one" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
    <joint name="two" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/></joint>
    <joint name="three" type="continuous"><parent link="b"/><child link="tip"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/></joint>
    </robot>"#;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn joints_without_end_go_the_shorter_way_round(
        there in prop::array::uniform3(-3.0..3.0),
        start in prop::array::uniform3(-20.0..20.0),
    ) {
        let (description, _) = Description::from_urdf(ENDLESS, std::path::Path::new("")).unwrap();
        let model = Model::new(&description);
        let chain = Chain::new(&model, 0, model.link("tip").unwrap()).unwrap();
        let target = chain.base_from_tip(&there);
        let mut positions = start.to_vec();
        let result = IkSolver::new(chain.clone(), IkSettings::default()).solve(&target, &mut positions);
        prop_assert!(result.is_solved(), "{result:?}");
        for (position, start) in positions.iter().zip(&start) {
            prop_assert!((position - start).abs() <= std::f64::consts::PI + 1e-9, "from {start} to {position}");
        }
        let off = chain.base_from_tip(&positions).distance(&target);
        prop_assert!(off.position_m <= 1e-4 + 1e-9 && off.angle_rad <= 1e-3 + 1e-7, "{off:?}");
        let wound: Vec<f64> = there.iter().map(|position| position + 2.0 * std::f64::consts::TAU).collect();
        let off = chain.base_from_tip(&wound).distance(&target);
        prop_assert!(off.position_m < 1e-12 && off.angle_rad < 1e-7, "{off:?}");
    }
}

#[test]
fn out_of_reach_is_said_and_stays_within_limits() {
    let chain = chain("chest", "left_palm");
    let mut positions = chain.pick(&MODEL.neutral());
    let mut solver = IkSolver::new(chain.clone(), IkSettings::default());
    let result = solver.solve(&Pose::from_translation(2.0, 0.0, 0.0), &mut positions);
    assert!(result.quality > 1.0 && result.position_error_m > 1.0, "{result:?}");
    assert!(positions.iter().zip(chain.limits()).all(|(p, limits)| (limits.lower..=limits.upper).contains(p)));
    let before = positions.clone();
    assert!(!solver.solve(&Pose::from_translation(f64::NAN, 0.0, 0.0), &mut positions).is_solved());
    assert_eq!(positions, before);
}

#[test]
fn the_same_question_has_the_same_answer() {
    let chain = chain("chest", "left_palm");
    let target = chain.base_from_tip(&within(&chain, &[0.1, 0.9, 0.2, 0.3, 0.8, 0.1, 0.7]));
    let neutral = chain.pick(&MODEL.neutral());
    let mut solver = IkSolver::new(chain, IkSettings::default());
    let (mut first, mut second) = (neutral.clone(), neutral);
    solver.solve(&target, &mut first);
    solver.solve(&Pose::from_translation(0.3, 0.4, 0.1), &mut second.clone());
    solver.solve(&target, &mut second);
    assert_eq!(first, second);
}

#[test]
fn what_is_there_already_stays() {
    let chain = chain("chest", "right_palm");
    let there = within(&chain, &[0.4; 7]);
    let mut positions = there.clone();
    IkSolver::new(chain.clone(), IkSettings::default()).solve(&chain.base_from_tip(&there), &mut positions);
    assert_eq!(positions, there);
}

#[test]
fn chains_that_are_none() {
    let link = |name: &str| MODEL.link(name).unwrap();
    let not_below = Chain::new(&MODEL, link("left_palm"), link("head"));
    assert!(matches!(not_below, Err(ChainError::NotBelow { .. })));
    let fixed = Chain::new(&MODEL, link("left_hand"), link("left_palm"));
    assert!(matches!(fixed, Err(ChainError::NothingMoves { .. })));
}
