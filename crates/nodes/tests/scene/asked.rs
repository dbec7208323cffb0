//! What expressions ask of the robot and of what is around it, in steps, on robots of different make.

use std::collections::BTreeMap;

use model::Value;
use testkit::Stage;

const ROBOTS: [&str; 2] = ["coact-one", "coact-mini"];

fn asked_in(robot: &str, script: &str, before: &str, questions: &[(&str, &str)]) -> BTreeMap<String, String> {
    let values: BTreeMap<&str, &str> = questions.iter().copied().collect();
    let values = serde_json::to_string(&values).expect("texts");
    let mut stage = Stage::new(robot, &format!("sequence Root\n{before}  set Ask values={values}"), script);
    stage.run();
    let trace = stage.trace();
    assert!(trace.contains("- Ask success"), "{trace}");
    let shown = |value: &Value| value.to_json().to_string();
    stage.engine.variables().iter().map(|(name, value)| (name.to_string(), shown(value))).collect()
}

fn number(answers: &BTreeMap<String, String>, name: &str) -> f64 {
    answers[name].parse().unwrap_or_else(|_| panic!("{name}: {}", answers[name]))
}

#[test]
fn the_robot_tells_how_it_is_made() {
    let questions = [
        ("reach", "reach_m('right')"),
        ("shoulder", "shoulder_height_m()"),
        ("wide", "body_width_m()"),
        ("leg", "leg_length_m()"),
        ("pelvis", "pelvis_height_m()"),
        ("foot", "foot_length_m()"),
        ("stride", "step_length_m()"),
        ("stance", "step_width_m()"),
        ("limit", "hand_limit_n('left')"),
        ("elbow", "effort_limit('right', 'elbow')"),
        ("neck", "has('neck')"),
        ("fingers", "has('fingers')"),
        ("gripper", "has('gripper')"),
        ("hook", "has('hook')"),
        ("tail", "has('tail')"),
    ];
    let [one, mini] = ROBOTS.map(|robot| asked_in(robot, "", "", &questions));
    let whole = |name: &str, of_one: f64, of_mini: f64| {
        assert_eq!((number(&one, name), number(&mini, name)), (of_one, of_mini), "{name}");
    };
    whole("foot", 0.22, 0.17);
    whole("stride", 0.45, 0.28);
    whole("stance", 0.2, 0.18);
    whole("limit", 120.0, 40.0);
    whole("elbow", 70.0, 24.0);
    for name in ["reach", "shoulder", "wide", "leg", "pelvis"] {
        assert!(number(&mini, name) < number(&one, name), "{name}: {mini:?} {one:?}");
    }
    for (name, of_one, of_mini) in [
        ("neck", "true", "true"),
        ("fingers", "true", "false"),
        ("gripper", "false", "true"),
        ("hook", "true", "true"),
        ("tail", "false", "false"),
    ] {
        assert_eq!((one[name].as_str(), mini[name].as_str()), (of_one, of_mini), "{name}");
    }
}

/// The elbow of the one robot turns the other way than that of the other: a skill is not to know.
#[test]
fn a_joint_is_asked_by_its_role() {
    for robot in ROBOTS {
        let bent = "  arm Bend side=right by=preset preset=ready\n";
        let questions = [("bend", "joint_deg('right', 'elbow')"), ("torque", "effort('right', 'elbow')")];
        let answers = asked_in(robot, "", bent, &questions);
        assert!(number(&answers, "bend") > 75.0, "{robot}: {answers:?}");
    }
}

#[test]
fn objects_tell_where_they_are() {
    for robot in ROBOTS {
        let script = "0 frame handle 1.2 0.3 0.95\n0 frame door 1.3 0.0 1.0 10\n0 frame shut 1.3 0.0 1.0 -20";
        let questions = [
            ("high", "height_m('handle')"),
            ("turned", "angle_deg('door', 'shut')"),
            ("seen", "in_frame('handle', 'door')"),
            ("back", "in_frame(in_frame('handle', 'door'), 'door', 'world').y_m"),
            ("there", "is_there('handle')"),
            ("nowhere", "is_there('mug')"),
            ("low", "in_frame(offset(in_frame('handle', 'world'), 0, 0, -0.2), 'world', 'world').z_m"),
        ];
        let answers = asked_in(robot, script, "", &questions);
        assert!((number(&answers, "high") - 0.95).abs() < 1e-6, "{robot}: {answers:?}");
        assert!((number(&answers, "turned") - 30.0).abs() < 1e-6, "{robot}: {answers:?}");
        assert!((number(&answers, "back") - 0.3).abs() < 1e-6, "{robot}: {answers:?}");
        assert!((number(&answers, "low") - 0.75).abs() < 1e-6, "{robot}: {answers:?}");
        assert_eq!((answers["there"].as_str(), answers["nowhere"].as_str()), ("true", "false"), "{robot}");
    }
}

/// Who is not there is named, and nothing moves.
#[test]
fn who_is_not_there_is_named() {
    for (question, reason) in [
        ("height_m('mug')", "there is no frame `mug` now"),
        ("size('mug').width_m", "there is no object `mug` in the scene: none was set up"),
        ("reach_m('middle')", "`middle` is no side: write 'left' or 'right'"),
        ("effort('right', 'elbo')", "robot `coact-one` has no joint for the role `elbo` of `right`"),
        ("compose(pose(1), 3)", "a pose needs a pose"),
    ] {
        let outline = format!("arm Reach side=right duration_s={{\"=\":\"1 + {question}\"}}");
        let mut stage = Stage::new(ROBOTS[0], &outline, "");
        stage.run();
        let trace = stage.trace();
        assert!(trace.contains("- Reach failure") && trace.contains(reason), "{question}: {trace}");
        assert!(!trace.contains("+ Reach"), "{question}: {trace}");
    }
}

/// What a step measured is kept with the object: no file says how wide a door is or how high a table.
#[test]
fn a_preview_knows_the_door_as_the_step_has_it() {
    let outline = "sequence Root\n  door_panel Panel handle=lever object=door door={\"hinge\":\"right\"}\n  \
                   set Ask values={\"hinge\":\"hinge('door')\"}";
    let mut stage = Stage::new(ROBOTS[0], outline, "preview\n0 frame lever 1 -0.4 1\n0 frame door_panel 1.05 0 1");
    stage.run();
    let variables = stage.engine.variables();
    let hinge = variables.iter().find(|(name, _)| &**name == "hinge").map(|(_, value)| value.to_string());
    assert_eq!(hinge.as_deref(), Some("right"), "{}", stage.trace());
}

/// Answers are the same whether they are asked in a setting or written into it.
#[test]
fn a_step_is_made_of_what_the_robot_answers() {
    for robot in ROBOTS {
        let pose = "{\"x_m\":{\"=\":\"0.4 * reach_m('right')\"},\"z_m\":{\"=\":\"0.1 * leg_length_m()\"}}";
        let asked = format!("arm Reach side=right frame=pelvis pose={pose} position_tolerance_m=1");
        let mut stage = Stage::new(robot, &asked, "");
        stage.run();
        let trace = stage.trace();
        assert!(trace.contains("# Reach: with pose.x_m = 0."), "{robot}: {trace}");
    }
}
