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
