//! The page's types are those of the server.

use engine::{Control, Instance, Placement};
use expect_test::expect_file;
use model::{Autonomy, NodeId, Value};

#[test]
fn the_pages_types_are_generated_from_these() {
    expect_file!["../../../web/src/api/types.ts"].assert_eq(&protocol::typescript::declarations());
}

/// A control that is new in the engine does not compile here: give the page its type, too.
fn name(control: &Control) -> &'static str {
    match control {
        Control::Automatic { .. } => "automatic",
        Control::Press { .. } => "press",
        Control::Continue { .. } => "continue",
        Control::SetNext { .. } => "set_next",
        Control::MoveNext { .. } => "move_next",
        Control::Pause { .. } => "pause",
        Control::Stop => "stop",
        Control::ResetFailures => "reset_failures",
        Control::Concurrency { .. } => "concurrency",
        Control::RunOnly { .. } => "run_only",
        Control::AutonomyLevel { .. } => "autonomy_level",
        Control::Lock { .. } => "lock",
        Control::Breakpoint { .. } => "breakpoint",
        Control::Admit { .. } => "admit",
        Control::Force { .. } => "force",
        Control::Answer { .. } => "answer",
        Control::SetVariable { .. } => "set_variable",
        Control::FreezeObject { .. } => "freeze_object",
        Control::DeleteObject { .. } => "delete_object",
        Control::PlaceObject(_) => "place_object",
    }
}

#[test]
fn the_page_knows_every_control_by_its_name_and_settings() {
    let at = Instance { uses: vec![NodeId(1)], node: NodeId(2) };
    let all = [
        Control::Automatic { on: true },
        Control::Press { track: Some(at.clone()), into: true },
        Control::Continue { step: Some(at.clone()) },
        Control::SetNext { to: at.clone() },
        Control::MoveNext { by: 1 },
        Control::Pause { on: true },
        Control::Stop,
        Control::ResetFailures,
        Control::Concurrency { on: true },
        Control::RunOnly { node: at.clone() },
        Control::AutonomyLevel { level: Autonomy::High },
        Control::Lock { node: at.clone(), on: true },
        Control::Breakpoint { node: at.clone(), on: true },
        Control::Admit { step: Some(at.clone()) },
        Control::Force { step: at.clone(), verdict: engine::Verdict::Success, outcome: Some("x".into()) },
        Control::Answer { step: at, value: Value::Bool(true) },
        Control::SetVariable { uses: vec![NodeId(1)], name: "x".into(), value: Value::Bool(true) },
        Control::FreezeObject { object: "ball".into(), on: true },
        Control::DeleteObject { object: "ball".into() },
        Control::PlaceObject(Placement {
            object: "ball".into(),
            class: Some("ball".into()),
            frame: "world".into(),
            pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        }),
    ];
    let types = protocol::typescript::declarations();
    for control in &all {
        let json = serde_json::to_value(control).expect("a control is JSON");
        let start = format!("{{ do: \"{}\"", name(control));
        assert_eq!(json["do"], name(control));
        let line = types.lines().find(|line| line.contains(&start)).expect("the page has a type for it");
        for key in json.as_object().expect("an object").keys() {
            assert!(line.contains(&format!("{key}:")) || line.contains(&format!("{key}?:")), "{line} lacks {key}");
        }
    }
}
