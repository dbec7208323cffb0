//! Ways to goals, asked of the robot and found there as a job.

use std::sync::Arc;

use link::CommandId;
use model::file::MemoryFiles;
use onboard::Able;
use protocol::Role;
use protocol::talk::{Goal, Reply, Want};
use synthesis::Request;

use crate::bench::{Bench, THREE_WAITS};

const ABLE: &str = r#"{
  "modes": {"here": {"to": ["there"]}, "there": {}},
  "actions": {"look": {"needs": ["here"]}, "grasp": {"needs": ["there", "look"]}}
}"#;

fn able() -> Able {
    Able::read("some/where/able.json", ABLE, &MemoryFiles::default()).unwrap()
}

fn bench() -> Bench {
    Bench::with_settings(THREE_WAITS, |settings| settings.able = vec![able()])
}

fn want(by: &str, digest: u32, goals: &[&str]) -> Want {
    let request = Request {
        from: vec!["here".to_owned()],
        goals: goals.iter().map(|goal| (*goal).to_owned()).collect(),
        ..Request::default()
    };
    Want::Achieve(Box::new(Goal { by: Arc::from(by), digest, request }))
}

fn grasp() -> Want {
    want("able", able().capabilities.digest, &["grasp"])
}

#[test]
fn the_way_is_found_in_modelled_time_whoever_is_in_control() {
    let mut bench = bench();
    let ana = bench.connect(1);
    let id = bench.order(ana, "ana", Role::Operator, grasp());
    bench.tick();
    assert!(!bench.is_answered(id), "looking for it takes its time");
    bench.run_s(0.5);
    let names = ["look", "there", "grasp"].map(str::to_owned).to_vec();
    assert_eq!(bench.answer(id), Reply::Behavior(Ok(names)));
    let none = bench.order(ana, "ana", Role::Operator, want("able", able().capabilities.digest, &["nothing"]));
    bench.run_s(0.5);
    assert!(matches!(bench.answer(none), Reply::Behavior(Err(_))), "{:?}", bench.answer(none));
}

#[test]
fn what_the_robot_does_not_know_is_refused() {
    let mut bench = bench();
    let ana = bench.connect(1);
    let why = bench.refused(ana, "ana", Role::Operator, want("other", 1, &["grasp"]));
    assert!(why.contains("`other`, it has able: start it with --capabilities"), "{why}");
    let why = bench.refused(ana, "ana", Role::Operator, want("able", 1, &["grasp"]));
    assert!(why.contains("another here than on the robot"), "{why}");
    let why = bench.refused(ana, "ana", Role::Observer, grasp());
    assert!(why.contains("observer"), "{why}");
}

#[test]
fn only_so_many_are_looked_for_at_once_and_each_is_answered() {
    let mut bench = bench();
    let ana = bench.connect(1);
    let ids: Vec<CommandId> = (0..6).map(|_| bench.order(ana, "ana", Role::Operator, grasp())).collect();
    bench.run_s(0.5);
    let found = ids.iter().filter(|id| matches!(bench.answer(**id), Reply::Behavior(Ok(_)))).count();
    assert_eq!(found, 4, "the others are told to ask again");
    assert!(matches!(bench.answer(ids[5]), Reply::Refused(why) if why.contains("ask again")));
    let later = bench.order(ana, "ana", Role::Operator, grasp());
    bench.run_s(0.5);
    assert!(matches!(bench.answer(later), Reply::Behavior(Ok(_))));
}
