//! What expressions ask of the robot and of what is around it, in steps, on robots of different make.

use std::collections::BTreeMap;

use expression::FUNCTIONS;
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
        ("bends", "has('spine_pitch')"),
        ("sways", "has('spine_roll')"),
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
        ("bends", "true", "true"),
        ("sways", "true", "false"),
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

type Refused = Option<(&'static str, &'static str)>;

/// Each function there is, with a call and what that gives on the large robot before a door in a preview; where an answer
/// may be refused, a call that is, with the reason.
const CALLS: &[(&str, &str, &str, Refused)] = &[
    ("free", "free('camera')", "true", None),
    ("outcome", "outcome('Panel') == ''", "true", Some(("outcome('Nobody')", "Nobody"))),
    ("result", "result('Panel')", "\"success\"", Some(("result('Nobody')", "Nobody"))),
    ("defined", "defined(told)", "false", None),
    ("is_set", "is_set(told)", "false", None),
    ("time", "time() > 0", "true", None),
    ("random", "random() < 1", "true", None),
    ("distance", "distance('lever', 'lever')", "0", Some(("distance('lever', 'mug')", "no frame `mug`"))),
    ("points", "points('pelvis', 0.01)", "", Some(("points('mug', 0.1)", "no frame `mug`"))),
    ("pose", "pose(1, 2).y_m", "2", Some(("pose('far')", "a number, not a text"))),
    ("compose", "compose(pose(1), pose(2)).x_m", "3", Some(("compose(1, pose(2))", "a pose needs a pose"))),
    ("invert", "invert(pose(1)).x_m", "-1", Some(("invert(1)", "a pose needs a pose"))),
    ("offset", "offset(pose(1), 0, 2).y_m", "2", Some(("offset('a', 1)", "a pose needs a pose"))),
    ("mirrored", "mirrored(pose(0, 2)).y_m", "-2", Some(("mirrored(1)", "a pose needs a pose"))),
    ("between", "between(pose(0), pose(2), 0.5).x_m", "1", Some(("between(1, 2, 0)", "a pose needs a pose"))),
    ("in_frame", "in_frame('lever', 'world').z_m", "1", Some(("in_frame('mug', 'world')", "no frame `mug`"))),
    ("is_there", "is_there('mug')", "false", Some(("is_there(1)", "a name in quotes is needed"))),
    ("height_m", "height_m('lever') > 0.99", "true", Some(("height_m('mug')", "no frame `mug`"))),
    ("angle_deg", "angle_deg('leaf', 'leaf')", "0", Some(("angle_deg('leaf')", "a step `door_frame` finds that"))),
    ("hinge", "hinge('leaf')", "\"right\"", Some(("hinge('mug')", "no object `mug`"))),
    ("has", "has('neck')", "true", Some(("has(1)", "a name in quotes is needed"))),
    ("reach_m", "reach_m('right') > 0.4", "true", Some(("reach_m('up')", "`up` is no side"))),
    ("shoulder_height_m", "shoulder_height_m() > 1.2", "true", None),
    ("shoulder_width_m", "shoulder_width_m() > 0.2", "true", None),
    ("body_width_m", "body_width_m() > 0.3", "true", None),
    ("head_height_m", "head_height_m() > shoulder_height_m()", "true", None),
    ("pelvis_height_m", "pelvis_height_m() < shoulder_height_m()", "true", None),
    ("leg_length_m", "leg_length_m() > 0.5", "true", None),
    ("foot_length_m", "foot_length_m()", "0.22", None),
    ("foot_width_m", "foot_width_m()", "0.1", None),
    ("step_width_m", "step_width_m()", "0.2", None),
    ("step_length_m", "step_length_m()", "0.45", None),
    ("step_up_m", "step_up_m()", "0.2", None),
    ("mass_kg", "mass_kg() > 30", "true", None),
    ("hand_limit_n", "hand_limit_n('left')", "120", Some(("hand_limit_n('up')", "`up` is no side"))),
    ("effort_limit", "effort_limit('right', 'elbow')", "70", Some(("effort_limit('right', 'x')", "for the role `x`"))),
    ("effort", "effort('right', 'elbow') < 70", "true", Some(("effort('right', 'x')", "for the role `x`"))),
    ("joint_deg", "joint_deg('right', 'elbow') < 180", "true", Some(("joint_deg('right', 'x')", "for the role `x`"))),
    ("hand_force_n", "hand_force_n('left')", "0", Some(("hand_force_n('up')", "`up` is no side"))),
    ("hand_torque_nm", "hand_torque_nm('left')", "0", Some(("hand_torque_nm('up')", "`up` is no side"))),
    ("foot_load_n", "foot_load_n('left') >= 0", "true", Some(("foot_load_n('up')", "`up` is no side"))),
    ("deg", "round(deg(3.1415926536))", "180", Some(("deg('a')", "a number, not a text"))),
    ("rad", "rad(180) > 3.14", "true", Some(("rad('a')", "a number, not a text"))),
    ("abs", "abs(-2)", "2", Some(("abs('a')", "a number, not a text"))),
    ("floor", "floor(1.5)", "1", Some(("floor('a')", "a number, not a text"))),
    ("ceil", "ceil(1.5)", "2", Some(("ceil('a')", "a number, not a text"))),
    ("round", "round(1.5)", "2", Some(("round('a')", "a number, not a text"))),
    ("sqrt", "sqrt(9)", "3", Some(("sqrt(-1)", "sqrt"))),
    ("sin", "sin(0)", "0", Some(("sin('a')", "a number, not a text"))),
    ("cos", "cos(0)", "1", Some(("cos('a')", "a number, not a text"))),
    ("atan2", "atan2(0, 1)", "0", Some(("atan2('a', 1)", "a number, not a text"))),
    ("hypot", "hypot(3, 4)", "5", Some(("hypot('a', 1)", "a number, not a text"))),
    ("min", "min(3, 4)", "3", Some(("min('a', 1)", "a number, not a text"))),
    ("max", "max(3, 4)", "4", Some(("max('a', 1)", "a number, not a text"))),
    ("clamp", "clamp(5, 1, 2)", "2", Some(("clamp('a', 1, 2)", "a number, not a text"))),
    ("count", "count([1, 2])", "2", Some(("count(1)", "1"))),
    ("size", "size([1, 2])", "2", Some(("size('mug')", "no object `mug`"))),
    ("slice", "slice([1, 2, 3], 1)", "[2,3]", Some(("slice(1, 1)", "1"))),
    ("index_of", "index_of([1, 2], 2)", "1", Some(("index_of(1, 1)", "1"))),
    ("text", "text(1)", "\"1\"", None),
    ("number", "number('12')", "12", Some(("number('far')", "far"))),
    ("startsWith", "'door'.startsWith('do')", "true", Some(("(1).startsWith('a')", "1"))),
    ("endsWith", "'door'.endsWith('or')", "true", Some(("(1).endsWith('a')", "1"))),
    ("contains", "'door'.contains('oo')", "true", Some(("(1).contains('a')", "1"))),
];

const DOOR: &str = "  door_panel Panel handle=lever object=leaf door={\"hinge\":\"right\"}\n";
const DOOR_SCRIPT: &str = "preview\n0 frame lever 1 -0.4 1\n0 frame door_panel 1.05 0 1";

#[test]
fn every_function_is_told_of_and_answers() {
    let page = include_str!("../../../../docs/nodes.md");
    for function in FUNCTIONS {
        assert!(!function.help.is_empty() && function.usage.contains(function.name), "{}", function.name);
        assert!(page.contains(function.usage), "docs/nodes.md does not tell of {}", function.usage);
        assert!(CALLS.iter().any(|(name, ..)| *name == function.name), "no call of {}", function.name);
    }
    let asked: Vec<(&str, &str)> =
        CALLS.iter().filter(|call| !call.2.is_empty()).map(|(name, call, ..)| (*name, *call)).collect();
    // A variable is not to have the name of a function.
    let named: Vec<(String, &str)> = asked.iter().map(|(name, call)| (format!("of_{name}"), *call)).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(name, call)| (name.as_str(), *call)).collect();
    let answers = asked_in(ROBOTS[0], DOOR_SCRIPT, DOOR, &named);
    for (name, call, expected, _) in CALLS.iter().filter(|call| !call.2.is_empty()) {
        assert_eq!(answers[&format!("of_{name}")], *expected, "{call}");
    }
}

#[test]
fn every_function_that_cannot_answer_says_why() {
    for (call, reason) in CALLS.iter().filter_map(|(.., refused)| *refused) {
        let values = serde_json::json!({"told": call});
        let outline = format!("sequence Root\n{DOOR}  set Ask values={values}");
        let mut stage = Stage::new(ROBOTS[0], &outline, DOOR_SCRIPT);
        stage.run();
        let trace = stage.trace();
        assert!(trace.contains("- Ask failure") && trace.contains(reason), "{call}: {trace}");
        assert!(stage.engine.variables().iter().all(|(name, value)| &**name != "told" || value.to_json().is_null()));
    }
    // Without what they are asked about.
    for function in FUNCTIONS.iter().filter(|function| function.query().is_some()) {
        let values = serde_json::json!({"told": format!("{}()", function.name)});
        let mut stage = Stage::new(ROBOTS[0], &format!("set Ask values={values}"), "");
        stage.run();
        let takes_nothing = function.usage.ends_with("()");
        assert_eq!(stage.trace().contains("- Ask success"), takes_nothing, "{}: {}", function.name, stage.trace());
    }
}
