use crate::common;

use common::{coact, file, folder};

const FOREIGN: &str = r#"{
  "type": "ActionSequenceDefinition",
  "name": "Door.json",
  "futureSetting": 3,
  "children": [
    {"type": "WaitDurationActionDefinition", "name": "Pause", "waitDuration": 1.5, "executeAfterAction": "Previous"},
    {"type": "WaitDurationActionDefinition", "name": "Odd", "waitDuration": 2.0, "colour": "red", "executeAfterAction": "Pause"},
    {"type": "ConditionNodeDefinition", "name": "STOP", "conditionType": "ALWAYS_FAIL"},
    {"type": "MimicActionDefinition", "name": "Arm", "side": "right", "j0Degrees": 40.1}
  ]
}"#;

#[test]
fn a_foreign_file_becomes_ours_and_nothing_is_lost() {
    let from = file("import-from", FOREIGN);
    let out = folder("import-to").join("door.json");
    let place = out.to_str().expect("UTF-8");
    let ran = coact(&["import", &from, "-o", place]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out, format!("wrote {place}\n"));
    assert!(ran.err.contains("`colour` of `WaitDurationActionDefinition` has no counterpart"), "{}", ran.err);
    assert!(ran.err.contains("`MimicActionDefinition` is kept"), "{}", ran.err);
    assert!(ran.err.contains("2 nodes stay in the form of the other system"), "{}", ran.err);
    let text = std::fs::read_to_string(&out).expect("it was written");
    for kept in ["futureSetting", "red", "40.1", r#""type": "wait", "name": "Pause", "duration_s": 1.5"#, "always_fail"]
    {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert_eq!(coact(&["check", place]).code, 0);
    let again = coact(&["import", place]);
    assert_eq!(again.out, text, "importing again changes nothing");
}

#[test]
fn nothing_is_overwritten_unasked() {
    let from = file("import-force", FOREIGN);
    let out = folder("import-force-to").join("door.json");
    std::fs::write(&out, "mine").expect("a file");
    let place = out.to_str().expect("UTF-8");
    let ran = coact(&["import", &from, "-o", place]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("is there already"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "mine");
    assert_eq!(coact(&["import", &from, "-o", place, "--force"]).code, 0);
    assert!(std::fs::read_to_string(&out).expect("it is there").contains("Pause"));
}

#[test]
fn skill_files_go_beside() {
    let from = folder("import-skills");
    let write = |name: &str, text: &str| std::fs::write(from.join(name), text).expect("a file");
    std::fs::create_dir_all(from.join("door")).expect("a folder");
    write(
        "Main.json",
        r#"{"type": "ActionSequenceDefinition", "name": "Main.json", "children": [{"file": "door/Open.json"}]}"#,
    );
    write(
        "door/Open.json",
        r#"{"type": "ActionSequenceDefinition", "name": "door/Open.json", "children": [{"type": "WaitDurationActionDefinition", "name": "W", "waitDuration": 1.0}]}"#,
    );
    let main = from.join("Main.json").to_str().expect("UTF-8").to_owned();
    assert_eq!(coact(&["import", &main]).code, 2, "it needs a place for two files");
    let to = folder("import-skills-to");
    let place = to.join("main.json").to_str().expect("UTF-8").to_owned();
    let ran = coact(&["import", &main, "-o", &place]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(to.join("door/Open.json").is_file(), "{}", ran.out);
    assert_eq!(coact(&["run", "-q", &place]).out, "success after 1 s\n");
}

#[test]
fn a_broken_file_is_not_imported() {
    let from = file("import-broken", r#"{"version": 1, "children": [{"type": "wiat"}]}"#);
    let out = folder("import-broken-to").join("out.json");
    assert_eq!(coact(&["import", &from, "-o", out.to_str().expect("UTF-8")]).code, 2);
    assert!(!out.exists());
}

/// A screw as the other system has it: r, Δx, Δθ, v_max and ω_max, with its axis in the frame of the hand itself, so that r
/// is what the file says.
const SCREWS: [[f64; 5]; 4] =
    [[0.0, 0.08, 0.0, 0.2, 0.6], [0.0, 0.0, 0.7, 0.2, 0.6], [0.1, 0.0, 0.5, 0.04, 2.0], [0.06, 0.04, -0.6, 0.05, 1.0]];

/// T = T_base + 2δt, with T_base = max(|Δθ| / ω_max, D / v_max), D = √((rΔθ)² + Δx²): the speeds of the file are those of the
/// plateau. How many waypoints there are is the other system's own matter; with 21 or more δt is T_base / 20 or less.
#[test]
fn imported_screws_are_as_fast_as_their_file_says() {
    let screws = SCREWS.iter().enumerate().map(|(index, [radius_m, way_m, turn_rad, linear_m_s, angular_rad_s])| {
        serde_json::json!({
            "type": "ScrewPrimitiveActionDefinition", "name": format!("Screw {index}"), "side": "right",
            "objectFrame": "right_hand",
            "screwAxisPose": {"x": 0.0, "y": radius_m, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 0.0},
            "translation": way_m, "rotation": turn_rad, "maxLinearVelocity": linear_m_s, "maxAngularVelocity": angular_rad_s,
            "jointspaceOnly": true, "linearPositionWeight": -1.0, "angularPositionWeight": -1.0,
            "executeAfterAction": "Previous"
        })
    });
    let ready = serde_json::json!({
        "type": "ArmActionDefinition", "name": "Ready", "side": "right", "usePredefinedJointAngles": true, "preset": "READY",
        "trajectoryDuration": 2.0, "jointspaceWeight": -1.0
    });
    let children: Vec<_> = std::iter::once(ready).chain(screws).collect();
    let theirs = serde_json::json!({"type": "ActionSequenceDefinition", "name": "Screws.json", "children": children});
    let from = file("import-screws", &theirs.to_string());
    let out = folder("import-screws-to").join("screws.json");
    let place = out.to_str().expect("UTF-8");
    let imported = coact(&["import", &from, "-o", place]);
    assert_eq!((imported.code, imported.err.as_str()), (0, ""));
    let report = coact(&["run", place, "--robot", "coact-one", "--json"]).json();
    assert_eq!(report["result"], "success", "{report}");
    for (index, [radius_m, way_m, turn_rad, linear_m_s, angular_rad_s]) in SCREWS.iter().enumerate() {
        let name = format!("Screw {index}");
        let steps = report["steps"].as_array().expect("steps");
        let step = steps.iter().find(|step| step["node"] == name.as_str()).expect("it ran");
        let took_s = step["end_s"].as_f64().expect("s") - step["start_s"].as_f64().expect("s");
        let distance_m = (radius_m * turn_rad).hypot(*way_m);
        let base_s = (turn_rad.abs() / angular_rad_s).max(distance_m / linear_m_s);
        // A state of the robot may be a tick or two old.
        let bounds = base_s..=base_s + 2.0 * base_s / 20.0 + 0.05;
        assert!(bounds.contains(&took_s), "{name} took {took_s} s, T_base is {base_s} s");
    }
}
