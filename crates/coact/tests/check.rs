use crate::common;

use common::{behavior, coact, file};

#[test]
fn every_problem_of_every_file_is_said() {
    let first = behavior("check-first", r#"{"type": "wait", "duration_s": -1}, {"type": "wiat"}"#);
    let second = file(
        "check-second",
        r#"{"type": "ActionSequenceDefinition", "children": [{"type": "MimicActionDefinition"}]}"#,
    );
    let ran = coact(&["check", &first, &second]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out.matches("error: ").count(), 2, "{}", ran.out);
    assert!(ran.out.ends_with("2 errors, 1 warning in 2 files\n"), "{}", ran.out);
}

#[test]
fn warnings_alone_pass() {
    let file = file(
        "check-warning",
        r#"{"type": "ActionSequenceDefinition", "children": [{"type": "MimicActionDefinition"}]}"#,
    );
    let ran = coact(&["check", &file]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.ends_with("1 warning in 1 file\n"), "{}", ran.out);
}

#[test]
fn json_has_all_of_it() {
    let file = behavior("check-json", r#"{"type": "wiat", "name": "Pause"}"#);
    let ran = coact(&["check", "--json", &file, "nowhere.json"]);
    assert_eq!(ran.code, 2);
    let json = ran.json();
    assert_eq!((&json["errors"], &json["warnings"], &json["files"]), (&2.into(), &0.into(), &2.into()));
    assert_eq!(json["problems"][0]["path"], "/Pause");
    assert_eq!(json["problems"][0]["severity"], "error");
    assert!(json["problems"][0]["remedy"].is_string());
}

#[test]
fn a_skill_that_two_behaviors_use_is_reported_once() {
    let folder = common::folder("check-shared");
    let place = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(place("skill.json"), r#"{"version": 1, "children": [{"type": "wiat"}]}"#).expect("a file");
    for name in ["a.json", "b.json"] {
        let text = r#"{"version": 1, "children": [{"type": "skill", "file": "skill.json"}]}"#;
        std::fs::write(place(name), text).expect("a file");
    }
    let ran = coact(&["check", &place("a.json"), &place("b.json")]);
    assert!(ran.out.ends_with("1 error in 2 files\n"), "{}", ran.out);
}

/// Two steps without a name of their own: each problem says which of them it means.
#[test]
fn a_place_names_one_node_alone() {
    let wait = r#"{"type": "wait"}, {"type": "wait", "duration_s": -1}, {"type": "wait", "claim": 1}"#;
    let skill = r#"{"type": "skill"}, {"type": "skill"}, {"type": "condition", "condition": "x"}"#;
    let file = behavior("check-places", &format!(r#"{wait}, {skill}, {{"type": "condition", "condition": "1 +"}}"#));
    let json = coact(&["check", "--json", &file]).json();
    let problems = json["problems"].as_array().expect("a list");
    let paths: Vec<&str> = problems.iter().map(|problem| problem["path"].as_str().expect("a path")).collect();
    assert_eq!(paths, ["/wait[2]", "/wait[3]", "/skill[1]", "/skill[2]", "/condition[1]", "/condition[2]"]);
}

#[test]
fn a_file_in_another_encoding_is_said_to_be_one() {
    let path = common::folder("check-encoding").join("utf16.json");
    std::fs::write(&path, [0xff, 0xfe, b'{', 0, b'}', 0]).expect("a file");
    let ran = coact(&["check", path.to_str().expect("UTF-8")]);
    assert!(ran.out.contains("is not UTF-8 text: save it as UTF-8"), "{}", ran.out);
}

/// Beside the behavior lies a library with a good entry and a bad one.
#[test]
fn what_is_wrong_with_templates_is_said_and_is_an_error_for_those_who_use_it() {
    let library = r#"<templatelibrary>
  <template template_name="saw" template_type="1"/>
  <template template_name="valve" template_type="2"><inertial><mass value="heavy"/></inertial></template>
</templatelibrary>"#;
    let check = |name: &str, children: &str| {
        let file = behavior(name, children);
        let folder = std::path::Path::new(&file).parent().expect("a folder").join("templates");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("objects.xml"), library).expect("a file");
        (coact(&["check", &file]), coact(&["run", &file, "--robot", "coact-mini", "--json"]))
    };
    let (checked, ran) = check("check-templates", r#"{"type": "wait", "duration_s": 0.1}"#);
    assert_eq!((checked.code, ran.code), (0, 0), "{}{}", checked.out, ran.err);
    assert!(
        checked.out.contains("objects.xml") && checked.out.contains("line 3: `value` is `heavy`"),
        "{}",
        checked.out
    );
    assert!(checked.out.ends_with("1 warning in 1 file\n"), "{}", checked.out);
    let uses = r#"{"type": "template_stand", "object": "wheel", "template": "valve"}"#;
    let (checked, ran) = check("check-templates-used", uses);
    assert!(checked.out.contains("the template for class `valve` cannot be used"), "{}", checked.out);
    assert_eq!((checked.code, ran.code), (2, 2), "{}", checked.out);
}

#[test]
fn templates_grasps_stand_poses_and_affordances_that_are_not_there_are_told() {
    let nodes = r#"{"type": "setup_object", "name": "See", "class": "ball", "object": "toy", "nominal": {}},
      {"type": "template_stand", "name": "A", "object": "it", "template": "nonsense"},
      {"type": "template_grasp", "name": "B", "object": "it", "template": "ball", "grasp": "by the ears"},
      {"type": "template_grasp", "name": "C", "object": "toy", "grasp": "by the tail"},
      {"type": "template_affordance", "name": "D", "object": "it", "template": "ball", "affordance": "fly"},
      {"type": "template_grasp", "name": "H", "object": "it", "template": "wall"},
      {"type": "template_grasp", "name": "E", "object": "toy"},
      {"type": "template_grasp", "name": "F", "object": "a thing of nobody's"}"#;
    let ran = coact(&["check", &behavior("check-template-names", nodes)]);
    for told in [
        "/A [template]: there is no template for class `nonsense`",
        "/B [grasp]: template `ball` has no grasp `by the ears`",
        "/C [grasp]: template `ball` has no grasp `by the tail`",
        "/D [affordance]: template `ball` has no affordance `fly`",
        "/H [grasp]: template `wall` has no grasp: write one in its file",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    for fine in ["/E [", "/F ["] {
        assert!(!ran.out.contains(fine), "{fine}: {}", ran.out);
    }
}

#[test]
fn no_file_is_a_usage_error() {
    assert_eq!(coact(&["check"]).code, 2);
}

#[test]
fn counters_without_a_limit_and_models_that_are_not_there_are_told() {
    let nodes = r#"{"type": "counter", "name": "Count"}, {"type": "configure_detectors", "name": "Look", "models": {"yolo": true, "simulated": true}}"#;
    let ran = coact(&["check", &behavior("check-silent", nodes)]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.out.contains("/Count [limit]: the counter has no limit"), "{}", ran.out);
    assert!(ran.out.contains("/Look [models]: there is no detector model `yolo` here"), "{}", ran.out);
    assert!(ran.out.contains("there is `simulated`"), "{}", ran.out);
}
