//! Walks whose steps take long to find: planning goes on beside the ticks.

use engine::{Job, StepStatus, StepView, TickInput, Verdict};
use robot::interface::Order;
use testkit::{ROBOT_TICK_NS, Stage};

use super::kit::*;

const BLOCKS: &str =
    r#"frame=world stance={"x_m":3.4} focal={"x_m":9} planner=a_star parameters=rough step_length_m=0.2"#;

fn stage(outline: &str, script: &str) -> Stage {
    Stage::new("coact-one", outline, &format!("terrain low-blocks\nend 200\n{script}"))
}

fn walk(stage: &Stage) -> StepView {
    let tree = stage.engine.library().main();
    let node = tree.walk(tree.root).find(|id| &*tree.node(*id).kind == "walk").expect("a walk");
    stage.engine.step_view(&node.into()).expect("it is there")
}

/// Ticks until the walk plans.
fn planning(stage: &mut Stage) {
    while walk(stage).waits_for.is_none() {
        assert!(stage.tick(), "it never planned:\n{}", stage.trace());
    }
    assert_eq!(walk(stage).waits_for, Some("planning"));
}

#[test]
fn the_first_foot_moves_when_the_modelled_time_is_over() {
    let mut stage = stage(&format!("walk Go {BLOCKS}"), "");
    planning(&mut stage);
    let begin_s = stage.time_s();
    let before = stage.state().positions.clone();
    while walk(&stage).waits_for.is_some() {
        assert_eq!(stage.state().positions, before, "moves before it knows where to");
        stage.tick();
    }
    let took_s = stage.time_s() - begin_s;
    assert!(took_s > 0.015 && took_s < 2.1, "planned for {took_s} s");
    assert_succeeds(&mut stage, "Go");
}

#[test]
fn less_time_to_plan_is_kept_to() {
    let mut stage = stage(&format!("walk Go {BLOCKS} planning_s=0.3"), "");
    planning(&mut stage);
    let begin_s = stage.time_s();
    while walk(&stage).waits_for.is_some() {
        stage.tick();
    }
    assert!(stage.time_s() - begin_s < 0.33, "planned for {} s", stage.time_s() - begin_s);
    assert_succeeds(&mut stage, "Go");
}

#[test]
fn no_planner_plans_within_a_tick() {
    for planner in ["quick", "turn_walk_turn", "a_star"] {
        let outline = format!(r#"walk Go stance={{"x_m":0.4}} focal={{"x_m":2}} planner={planner}"#);
        let mut stage = Stage::new("coact-one", &outline, "end 60");
        stage.tick();
        assert_eq!(walk(&stage).waits_for, Some("planning"), "{planner}");
        assert_eq!(stage.engine.output().jobs.len(), 1, "{planner}");
        assert_succeeds(&mut stage, "Go");
    }
}

#[test]
fn who_is_there_already_plans_beside_the_ticks_too() {
    let mut stage = Stage::new("coact-one", r#"walk Go stance={} focal={"x_m":2}"#, "end 60");
    let before = stage.state().positions.clone();
    planning(&mut stage);
    assert_succeeds(&mut stage, "Go");
    assert_eq!(stage.state().positions, before);
}

/// It has ended so, and its job is nobody's: the robot never moves.
#[track_caller]
fn assert_gives_up(mut stage: Stage, verdict: Verdict) {
    let before = stage.state().positions.clone();
    planning(&mut stage);
    let mut cancelled = 0;
    while stage.tick() {
        cancelled += stage.engine.output().cancelled_jobs.len();
        stage.engine.check_invariants().expect("sound");
    }
    cancelled += stage.engine.output().cancelled_jobs.len();
    assert_eq!(cancelled, 1, "{}", stage.trace());
    let walk = walk(&stage);
    assert_eq!((walk.status, walk.last, walk.waits_for), (StepStatus::Idle, Some(verdict), None));
    assert_eq!(stage.state().positions, before);
}

#[test]
fn a_halt_while_it_plans_cancels_the_job() {
    assert_gives_up(stage(&format!("walk Go {BLOCKS} timeout_s=0.02"), ""), Verdict::Failure);
    assert_gives_up(stage(&format!("walk Go {BLOCKS}"), "0.02 force Go halted"), Verdict::Halted);
}

#[test]
fn a_stop_while_it_plans_cancels_the_job() {
    assert_gives_up(stage(&format!("walk Go {BLOCKS}"), "0.02 stop"), Verdict::Halted);
}

#[test]
fn a_pause_while_it_plans_loses_nothing() {
    let mut stage = stage(&format!("walk Go {BLOCKS}"), "0.02 pause\n3 resume");
    planning(&mut stage);
    stage.run_until(2.9);
    assert!(walk(&stage).status == StepStatus::Running, "{}", stage.trace());
    assert_succeeds(&mut stage, "Go");
}

#[test]
fn an_edit_while_it_plans_counts_for_the_next_start() {
    let script = "0.02 setting Go stance {\"x_m\":0.5}";
    let mut stage = stage(&format!("walk Go {BLOCKS}"), script);
    planning(&mut stage);
    assert_succeeds(&mut stage, "Go");
    let x_m = soles(&stage)[0].translation_m().x;
    assert!((x_m - 3.4).abs() < 0.02, "went to {x_m} m");
}

#[test]
fn deleted_while_it_plans_it_ends_without_a_step() {
    let outline = format!("sequence S\n  walk Go {BLOCKS}\n  wait After duration_s=0.1");
    let mut stage = stage(&outline, "0.02 delete Go");
    let before = stage.state().positions.clone();
    stage.run();
    assert!(stage.trace().contains("- After success"), "{}", stage.trace());
    assert_eq!(stage.state().positions, before);
}

#[test]
fn a_recorded_run_runs_again_the_same() {
    let outline = format!("walk Go {BLOCKS}");
    let mut recorded = stage(&outline, "");
    recorded.keep_inputs();
    recorded.run();
    let text = serde_json::to_string(recorded.inputs()).expect("one value that can be recorded");
    let inputs: Vec<TickInput> = serde_json::from_str(&text).expect("and read");
    assert!(inputs.iter().any(|input| !input.finished.is_empty()));
    let mut again = stage(&outline, "");
    for input in &inputs {
        again.engine.tick(input);
    }
    assert_eq!(again.engine.recording().events, recorded.engine.recording().events);
    assert_eq!(inputs.len() as i64 * ROBOT_TICK_NS, (recorded.time_s() * 1e9).round() as i64);
}

#[test]
fn the_same_walk_plans_as_long_every_time() {
    let trace = || {
        let mut stage = stage(&format!("walk Go {BLOCKS}"), "");
        stage.run();
        stage.trace()
    };
    assert_eq!(trace(), trace());
}

#[test]
fn out_of_reach_it_says_why_and_where() {
    let settings = r#"frame=world stance={"x_m":2.9} focal={"x_m":9} planner=a_star parameters=rough"#;
    let mut stage = Stage::new("coact-one", &format!("walk Go {settings}"), "terrain ditch\nend 60");
    planning(&mut stage);
    stage.run();
    let end = end_of(&stage, "Go");
    assert!(end.contains("no steps lead there") && end.contains("(near x "), "{end}");
}

/// A foot on each tread, both on the last.
fn up(treads: usize, rise_m: f64) -> String {
    let step = |index: usize| {
        let (side, y_m) = if index.is_multiple_of(2) { ("left", 0.1) } else { ("right", -0.1) };
        let tread = (index + 1).min(treads) as f64;
        let (x_m, z_m) = (0.2 * tread, rise_m * tread);
        format!(r#"{{"side":"{side}","pose":{{"x_m":{x_m:.2},"y_m":{y_m},"z_m":{z_m:.2}}}}}"#)
    };
    let steps: Vec<String> = (0..=treads).map(step).collect();
    format!("walk Go by=steps steps=[{}]", steps.join(","))
}

#[test]
fn steps_up_are_gone_through_before_the_robot_is_told_of_them() {
    let mut stage = Stage::new("coact-one", &up(4, 0.08), "end 60");
    stage.tick();
    assert_eq!(walk(&stage).waits_for, Some("planning"));
    let Some((_, Job::GoingThrough(work))) = stage.engine.output().jobs.first() else { panic!("no job") };
    let standing = stage.state().walking.standing.clone();
    work.run();
    assert!(standing.has_gone_through(&work.steps), "for the controller of this robot");
    let mut given = Vec::new();
    while given.is_empty() {
        assert!(stage.tick(), "{}", stage.trace());
        for command in &stage.engine.output().commands {
            if let Order::Footsteps { steps } = &command.order {
                given.clone_from(steps);
            }
        }
    }
    // Taken up by the controller where it was gone through: there is nothing left to go through.
    assert!(standing.is_known() && !standing.has_gone_through(&given));
    assert_eq!(given.len(), 5);
    assert_succeeds(&mut stage, "Go");
    assert!(soles(&stage).iter().all(|sole| (sole.translation_m().z - 0.32).abs() < 0.02));
}

#[test]
fn few_steps_on_the_floor_begin_at_once() {
    let mut stage = Stage::new("coact-one", &up(4, 0.0), "end 60");
    stage.tick();
    assert_eq!((walk(&stage).waits_for, stage.engine.output().jobs.len()), (None, 0));
    assert_succeeds(&mut stage, "Go");
}
