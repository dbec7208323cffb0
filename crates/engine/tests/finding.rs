//! Looking for the way to goals, as a job.

use std::sync::Arc;

use engine::{FindingSteps, Job, JobAnswer};
use synthesis::{Capabilities, Request};

fn finding(goal: &str) -> Job {
    let text = r#"{"modes": {"here": {"to": ["there"]}, "there": {}}, "actions": {"grasp": {"needs": ["there"]}}}"#;
    let (capabilities, problems) = Capabilities::load("able.json", text);
    assert!(problems.is_empty());
    let request = Request { from: vec!["here".to_owned()], goals: vec![goal.to_owned()], ..Request::default() };
    Job::Finding(Box::new(FindingSteps { capabilities: Arc::new(capabilities), request }))
}

#[test]
fn it_takes_modelled_time_whatever_it_comes_to_and_can_be_stopped() {
    let found = finding("grasp").run(&|| false);
    assert_eq!(found.answer, JobAnswer::Behavior(Ok(vec!["there".to_owned(), "grasp".to_owned()])));
    let none = finding("nothing").run(&|| false);
    assert!(matches!(none.answer, JobAnswer::Behavior(Err(_))));
    assert!(found.modelled_s > none.modelled_s && none.modelled_s > 0.0, "{} {}", found.modelled_s, none.modelled_s);
    let stopped = finding("grasp").run(&|| true);
    let JobAnswer::Behavior(Err(why)) = stopped.answer else { panic!("{:?}", stopped.answer) };
    assert!(why.starts_with("stopped after 0 situations: 0 of 1 goals were reached"), "{why}");
    assert!(finding("grasp").limit_s().is_finite());
}
