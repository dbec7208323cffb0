//! What waits for an operator, through the desk: breakpoints, held results, answers, variables, a stop in a pause.

use engine::{Control, Instance};
use link::Event;
use link::udp::PeerId;
use model::Value;
use protocol::Role;
use protocol::report::RunMode;
use protocol::talk::{AnswerKind, Detail, Held, HeldBy, Want};

use crate::bench::{Bench, THREE_WAITS, automatic, run};

fn held(bench: &Bench, to: PeerId) -> Vec<Held> {
    let tracks = bench.details(to).into_values().filter_map(|detail| match detail {
        Detail::Track { at, .. } => at,
        _ => None,
    });
    tracks.flat_map(|track| track.held).collect()
}

fn continue_(step: Instance) -> Want {
    run(Control::Continue { step: Some(step) })
}

#[test]
fn clearing_a_breakpoint_starts_nothing_and_continue_does() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let first = bench.instance("first");
    bench.done(ana, "ana", run(Control::Breakpoint { node: first.clone(), on: true }));
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    assert!(!bench.is_running());
    assert_eq!(bench.last_run(ana).mode, RunMode::Manual);
    let [only] = &held(&bench, ana)[..] else { panic!("one track is held: {:?}", held(&bench, ana)) };
    assert_eq!((only.by, &*only.reason), (HeldBy::Breakpoint, "held at `first`: breakpoint"));
    bench.done(ana, "ana", run(Control::Breakpoint { node: first.clone(), on: false }));
    bench.run_s(0.5);
    assert!(!bench.is_running(), "clearing it starts nothing");
    bench.done(ana, "ana", continue_(first.clone()));
    bench.run_s(0.3);
    assert!(bench.is_running());
    assert_eq!(bench.last_run(ana).mode, RunMode::Automatic);
    assert!(held(&bench, ana).is_empty(), "it is no longer shown");
    let why = bench.refused(ana, "ana", Role::Operator, continue_(first));
    assert!(why.contains("nothing waits for continue"), "{why}");
}

/// Branches have one owner; each is told.
#[test]
fn every_branch_that_is_held_is_told_and_continued_by_itself() {
    let text = r#"{"version": 1, "type": "sequence", "children": [{"type": "parallel", "name": "all", "children": [
        {"type": "wait", "name": "left", "duration_s": 9},
        {"type": "wait", "name": "middle", "duration_s": 9},
        {"type": "wait", "name": "right", "duration_s": 9}]}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    for name in ["left", "middle"] {
        bench.done(ana, "ana", run(Control::Breakpoint { node: bench.instance(name), on: true }));
    }
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    let reasons = |bench: &Bench| {
        let mut reasons: Vec<String> = held(bench, ana).into_iter().map(|held| held.reason).collect();
        reasons.sort();
        reasons
    };
    assert_eq!(reasons(&bench), ["held at `left`: breakpoint", "held at `middle`: breakpoint"]);
    bench.done(ana, "ana", continue_(bench.instance("left")));
    bench.run_s(0.3);
    assert_eq!(reasons(&bench), ["held at `middle`: breakpoint"]);
    bench.hear(ana, Event::Stop);
    bench.run_s(0.3);
    assert!(held(&bench, ana).is_empty());
}

#[test]
fn who_is_not_in_control_continues_nothing() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    let first = bench.instance("first");
    bench.done(ana, "ana", run(Control::Breakpoint { node: first.clone(), on: true }));
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    bench.refused(ben, "ben", Role::Operator, continue_(first));
    bench.run_s(0.3);
    assert!(!bench.is_running());
}

#[test]
fn a_held_result_is_told_with_its_reason() {
    let text = r#"{"version": 1, "type": "sequence", "children": [
        {"type": "always_succeed", "name": "reach", "outcome": "reached", "outcome_autonomy": {"reached": "full"}},
        {"type": "wait", "name": "then", "duration_s": 9}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    let [only] = &held(&bench, ana)[..] else { panic!("one result is held: {:?}", held(&bench, ana)) };
    assert_eq!(only.by, HeldBy::Outcome);
    assert!(only.reason.contains("needs an autonomy level above full"), "{}", only.reason);
    bench.done(ana, "ana", continue_(bench.instance("reach")));
    bench.run_s(0.3);
    assert!(held(&bench, ana).is_empty());
    assert!(bench.robot.runner.engine().running().len() == 1, "`then` runs");
}

#[test]
fn an_answer_that_is_none_is_refused_with_those_there_are() {
    let text = r#"{"version": 1, "type": "sequence", "variables": {"n": 0}, "children": [
        {"type": "question", "name": "ask", "text": "go on?", "options": ["yes", "no"]},
        {"type": "input", "name": "how many", "text": "How many?", "variable": "n"}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.run_s(0.3);
    let kinds = |bench: &Bench| {
        let asked = bench.details(ana).into_values().filter_map(|detail| match detail {
            Detail::Question { asked, .. } => asked,
            _ => None,
        });
        asked.map(|asked| asked.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&bench), [AnswerKind::Choice]);
    let answer = |bench: &Bench, name: &str, value: Value| run(Control::Answer { step: bench.instance(name), value });
    let wrong = answer(&bench, "ask", Value::text("maybe"));
    assert_eq!(bench.refused(ana, "ana", Role::Operator, wrong), "`maybe` is not among the answers: yes, no");
    let right = answer(&bench, "ask", Value::text("yes"));
    bench.done(ana, "ana", right);
    bench.run_s(0.3);
    assert_eq!(kinds(&bench), [AnswerKind::Number]);
    let wrong = answer(&bench, "how many", Value::text("many"));
    assert_eq!(bench.refused(ana, "ana", Role::Operator, wrong), "`many` is no answer: it asks for a number");
}

#[test]
fn a_name_that_nobody_knows_is_refused() {
    let mut bench =
        Bench::new(r#"{"version": 1, "variables": {"height": 1}, "children": [{"type": "wait", "name": "w"}]}"#);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let set = |name: &str| run(Control::SetVariable { uses: Vec::new(), name: name.into(), value: Value::Number(2.0) });
    bench.done(ana, "ana", set("height"));
    let why = bench.refused(ana, "ana", Role::Operator, set("hieght"));
    assert_eq!(why, "there is no variable `hieght`; did you mean `height`?");
}

#[test]
fn a_stop_in_a_pause_ends_stopped_and_is_told_so() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.done(ana, "ana", run(Control::Pause { on: true }));
    bench.run_s(0.3);
    let paused = |bench: &Bench| {
        bench.details(ana).into_values().find_map(|detail| match detail {
            Detail::Run(run) => Some(run.paused),
            _ => None,
        })
    };
    assert_eq!((bench.last_run(ana).mode, paused(&bench)), (RunMode::Paused, Some(true)));
    bench.hear(ana, Event::Stop);
    bench.run_s(0.3);
    assert_eq!((bench.last_run(ana).mode, paused(&bench)), (RunMode::Stopped, Some(false)));
    bench.done(ana, "ana", automatic());
    bench.run_s(0.3);
    assert_eq!(bench.last_run(ana).mode, RunMode::Automatic);
}

#[test]
fn who_answers_is_whom_the_question_asks() {
    let ask = |name: &str, of: &str| {
        format!(r#"{{"type": "question", "name": "{name}", "text": "go?", "options": ["yes"], "asked_of": "{of}"}}"#)
    };
    let children = ["in_control", "anybody", "operator", "supervisor"].map(|of| ask(of, of)).join(", ");
    let text = format!(r#"{{"version": 1, "type": "sequence", "children": [{children}]}}"#);
    let mut bench = Bench::new(&text);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let yes =
        |bench: &Bench, name: &str| run(Control::Answer { step: bench.instance(name), value: Value::text("yes") });
    let roles = [Role::Observer, Role::Operator, Role::Supervisor];
    for (name, least) in [("in_control", None), ("anybody", Some(0)), ("operator", Some(1)), ("supervisor", Some(2))] {
        bench.run_s(0.5);
        let refused = roles.iter().take(least.unwrap_or(roles.len()));
        for role in refused {
            let answer = yes(&bench, name);
            bench.refused(ben, "ben", *role, answer);
        }
        let answer = yes(&bench, name);
        let reply = match least {
            None => bench.ask(ana, "ana", Role::Operator, answer),
            Some(least) => bench.ask(ben, "ben", roles[least], answer),
        };
        assert_eq!(reply, protocol::talk::Reply::Done, "{name}");
    }
    bench.run_s(0.5);
    assert_eq!(bench.robot.desk.in_control().map(|name| &**name), Some("ana"), "nobody took the run from her");
    assert!(!bench.is_running(), "all are answered");
}

#[test]
fn a_role_in_the_team_is_asked_and_who_has_it_answers() {
    let text = r#"{"version": 1, "type": "sequence", "children": [
        {"type": "question", "name": "ask", "text": "clear?", "options": ["yes"], "asked_of": "team_role", "team_role": "auxiliary"},
        {"type": "wait", "name": "long", "duration_s": 600}]}"#;
    let mut bench = Bench::new(text);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    let yes = run(Control::Answer { step: bench.instance("ask"), value: Value::text("yes") });
    bench.refused(ben, "ben", Role::Operator, yes.clone());
    bench.team_role = Some("main".into());
    let why = bench.refused(ben, "ben", Role::Supervisor, yes.clone());
    assert!(why.contains("auxiliary"), "{why}");
    bench.team_role = Some("auxiliary".into());
    assert_eq!(bench.ask(ben, "ben", Role::Observer, yes), protocol::talk::Reply::Done);
    bench.run_s(0.5);
    assert_eq!(bench.robot.desk.in_control().map(|name| &**name), Some("ana"));
}

#[test]
fn several_things_are_asked_for_at_once_and_each_goes_to_its_variable() {
    let text = r#"{"version": 1, "type": "sequence", "variables": {"n": 0, "where": {}, "sure": false}, "children": [
        {"type": "input", "name": "ask", "text": "How many, and where?", "variable": "n", "also": [
            {"name": "where", "kind": "point", "variable": "where"}, {"name": "sure", "kind": "bool", "variable": "sure"}]},
        {"type": "wait_until", "name": "there", "condition": "n == 3 && where.x_m == 1.5 && sure"}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.run_s(0.3);
    let asked = bench.details(ana).into_values().find_map(|detail| match detail {
        Detail::Question { asked, .. } => asked,
        _ => None,
    });
    let parts: Vec<(String, AnswerKind)> =
        asked.unwrap().parts.into_iter().map(|part| (part.name, part.kind)).collect();
    let wanted = [("value", AnswerKind::Number), ("where", AnswerKind::Point), ("sure", AnswerKind::Bool)];
    assert_eq!(parts, wanted.map(|(name, kind)| (name.to_owned(), kind)));
    let answer = |bench: &Bench, json: serde_json::Value| {
        run(Control::Answer { step: bench.instance("ask"), value: Value::from_json(&json).unwrap() })
    };
    let half = answer(&bench, serde_json::json!({"value": 3, "where": {"x_m": 1.5, "y_m": 0}, "sure": true}));
    assert!(bench.refused(ana, "ana", Role::Operator, half).starts_with("where: "));
    let all = answer(&bench, serde_json::json!({"value": 3, "where": {"x_m": 1.5, "y_m": 0, "z_m": 1}, "sure": true}));
    bench.done(ana, "ana", all);
    bench.run_s(0.5);
    assert!(!bench.is_running(), "each variable has its part");
}

#[test]
fn automatic_behind_the_end_begins_no_run_and_from_start_does() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let early = bench.refused(ana, "ana", Role::Operator, run(Control::FromStart));
    assert!(early.contains("still runs"), "{early}");
    bench.run_s(4.0);
    let beginnings = bench.robot.runner.engine().beginnings();
    let why = bench.refused(ana, "ana", Role::Operator, automatic());
    assert!(why.contains("the end is reached"), "{why}");
    let step = run(Control::Press { track: None, into: false });
    assert!(bench.refused(ana, "ana", Role::Operator, step).contains("the end is reached"));
    bench.run_s(0.2);
    assert_eq!(bench.robot.runner.engine().beginnings(), beginnings, "what the run left is still to be seen");
    bench.done(ana, "ana", run(Control::FromStart));
    bench.run_s(0.3);
    assert!(bench.is_running());
    assert_eq!(bench.last_run(ana).mode, RunMode::Automatic);
}
