//! Demonstration 3 of Team ViGIR, between real processes: a behavior is locked while it runs, another is found from where
//! the robot is then, put in and run. And what is refused on the way.

use serde_json::{Value as Json, json};
use std::path::Path;

use super::client::Client;
use super::process::{Operator, Robot, folder};

const VIGIR: &str = "../../capabilities/vigir.json";

/// Up to the object; the arms are brought before the body when somebody locks it there.
const PICK_UP: &str = r#"{"version": 2, "type": "sequence", "name": "all", "children": [
  {"type": "stand_in", "name": "stand", "duration_s": 0.2},
  {"type": "stand_in", "name": "manipulate", "duration_s": 0.5},
  {"type": "stand_in", "name": "pick up object", "duration_s": 0.3}
]}"#;

fn lay_out(name: &str, behavior: &str) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("behavior.json"), behavior).unwrap();
    std::fs::create_dir_all(folder.join("capabilities")).unwrap();
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(VIGIR), folder.join("capabilities/vigir.json")).unwrap();
    folder
}

fn lock(client: &mut Client, name: &str, on: bool) {
    let node = json!({"uses": [], "node": client.node(name)});
    client.ok(json!({"ask": "run", "control": {"do": "lock", "node": node, "on": on}}));
}

fn result(client: &Client, name: &str) -> Option<String> {
    let id = client.document_has(name).then(|| client.node(name))?;
    let mut results = client.run["results"].as_array().into_iter().flatten();
    let found = results.rfind(|result| result["step"]["node"] == json!(id));
    found.map(|result| result["result"].as_str().unwrap().to_owned())
}

fn synthesize(goals: &[&str]) -> Json {
    json!({"ask": "synthesize", "capabilities": "capabilities/vigir.json", "goals": goals})
}

fn names(found: &Json) -> Vec<&str> {
    found["steps"].as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap()).collect()
}

/// Runs up to the locked pivot, finds the way back and puts it in; gives what was found and the client.
fn to_the_lock(client: &mut Client) -> Json {
    client.ok(json!({"ask": "take_control"}));
    lock(client, "manipulate", true);
    client.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    client.until("the pivot waits in its lock", |client| {
        client.run["waits"].as_str().is_some_and(|waits| waits.contains("is locked"))
    });
    let told = client.ok(json!({"ask": "capabilities"}));
    assert_eq!(told["files"], json!(["capabilities/vigir.json"]));
    assert_eq!(told["told"]["present"], json!(["manipulate"]), "what the run says");
    let found = client.ok(synthesize(&["footstep_execution"]));
    assert_eq!(names(&found), ["stand", "target_pose", "footstep_goal", "footstep_plan", "footstep_execution"]);
    assert_eq!(found["request"]["from"], json!(["manipulate"]));
    assert!(found["link_bytes"].as_u64().unwrap() <= 200, "{found}");
    assert!(found["proof"].as_str().unwrap().starts_with("Proved in all 6 runs"));
    found
}

fn insert(found: &Json, then: Json) -> Json {
    let (tree, from) = (&found["tree"], &found["request"]["from"]);
    let operation = json!({
        "do": "insert", "tree": tree, "then": then, "capabilities": "capabilities/vigir.json", "from": from,
    });
    json!({"ask": "edit", "operation": operation})
}

fn started(behavior: &str, name: &str) -> (Robot, Operator, Client) {
    let folder = lay_out(name, behavior);
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let client = Client::hello(operator.address, "Ann");
    (robot, operator, client)
}

#[test]
fn locked_found_put_in_unlocked_and_at_the_end() {
    let (_robot, _operator, mut ann) = started(PICK_UP, "goal-end");
    let found = to_the_lock(&mut ann);
    ann.ok(insert(&found, json!("end")));
    ann.until_robot_has_all();
    // One step of undo for all of it.
    ann.ok(json!({"ask": "undo"}));
    ann.until("all of it is gone", |client| client.count("footstep_execution") == 0 && client.count("stand") == 1);
    ann.ok(json!({"ask": "redo"}));
    ann.until("all of it is back", |client| client.count("footstep_execution") == 1 && client.count("stand") == 2);
    ann.until_robot_has_all();
    lock(&mut ann, "manipulate", false);
    ann.until("the run has ended", |client| client.run["ended"].is_object());
    assert_eq!(ann.run["ended"]["result"], "success", "{}", ann.run);
    assert_eq!(result(&ann, "footstep_execution: completed").as_deref(), Some("success"));
    assert_eq!(result(&ann, "pick up object"), None, "behind it comes the end");
    assert_eq!(result(&ann, "manipulate").as_deref(), Some("success"));
}

#[test]
fn what_waited_there_runs_behind_it_or_a_step_that_is_named() {
    let (_robot, _operator, mut ann) = started(PICK_UP, "goal-waited");
    let found = to_the_lock(&mut ann);
    ann.ok(insert(&found, json!("waited")));
    ann.until_robot_has_all();
    lock(&mut ann, "manipulate", false);
    ann.until("the run has ended", |client| client.run["ended"].is_object());
    assert_eq!(result(&ann, "footstep_execution: completed").as_deref(), Some("success"));
    assert_eq!(result(&ann, "pick up object").as_deref(), Some("success"), "it waited there");

    let longer = PICK_UP.replace("\n]}", ",\n  {\"type\": \"stand_in\", \"name\": \"home\", \"duration_s\": 0.1}\n]}");
    let (_robot, _operator, mut ann) = started(&longer, "goal-named");
    let found = to_the_lock(&mut ann);
    let home = ann.node("home");
    ann.ok(insert(&found, json!({"step": home})));
    ann.until_robot_has_all();
    lock(&mut ann, "manipulate", false);
    ann.until("the run has ended", |client| client.run["ended"].is_object());
    assert_eq!(result(&ann, "home").as_deref(), Some("success"));
    assert_eq!(result(&ann, "pick up object"), None, "it was jumped over");
}

#[test]
fn why_not_and_what_means_nothing() {
    let (_robot, _operator, mut ann) = started(PICK_UP, "goal-not");
    let error = |reply: Json| -> (String, String) {
        let error = &reply["error"];
        (error["code"].as_str().unwrap_or("none").to_owned(), error["text"].as_str().unwrap_or("").to_owned())
    };
    let from = |from: &[&str], goals: &[&str]| {
        let mut ask = synthesize(goals);
        ask["from"] = json!(from);
        ask
    };
    let none = ann.ok(from(&["stand"], &["stand_prep"]));
    assert_eq!(none["why"], "`stand_prep` cannot be reached from `stand`: nothing leads to it");
    assert_eq!(none["tree"], Json::Null);
    for (ask, says) in [
        (from(&["stand"], &["grasp_objct"]), "did you mean `grasp_object`?"),
        (from(&["stand", "walk"], &["grasp_object"]), "`stand` and `walk` cannot both be on at the start"),
        (from(&["stand"], &["stand"]), "is so already"),
        (from(&["stand"], &[]), "no goal is given"),
        (synthesize(&["grasp_object"]), "no mode is given for the start"),
        (
            json!({"ask": "synthesize", "capabilities": "capabilities/none.json", "goals": ["a"]}),
            "capabilities/none.json",
        ),
        (json!({"ask": "synthesize", "capabilities": "../secret.json", "goals": ["a"]}), "../secret.json"),
    ] {
        let (code, text) = error(ann.ask(ask.clone()));
        assert!(code == "refused" && text.contains(says), "{ask}: {code} {text}");
    }
    let insert = |tree: Json| json!({"ask": "edit", "operation": {"do": "insert", "tree": tree}});
    for tree in [json!(3), json!({}), json!({"type": "no such type"}), json!({"type": "wait", "duration_s": "long"})] {
        let (code, text) = error(ann.ask(insert(tree.clone())));
        assert_eq!(code, "refused", "{tree}: {text}");
    }
    assert_eq!(ann.count("all"), 1);
}

#[test]
fn what_was_found_for_another_situation_is_not_put_in() {
    let (_robot, _operator, mut ann) = started(PICK_UP, "goal-late");
    let found = to_the_lock(&mut ann);
    lock(&mut ann, "manipulate", false);
    ann.until("the run has ended", |client| client.run["ended"].is_object());
    let mut other = found.clone();
    other["request"]["from"] = json!(["stand"]);
    let refused = ann.ask(insert(&other, json!("waited")));
    let text = refused["error"]["text"].as_str().unwrap_or("");
    assert!(text.contains("the run has gone on: now manipulate is so, and it was found for stand"), "{refused}");
    assert_eq!(ann.count("footstep_execution"), 0);
}

#[test]
fn a_robot_with_another_file_says_so() {
    let folder = lay_out("goal-other", PICK_UP);
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let path = folder.join("capabilities/vigir.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"stand_prep\": {\"to\": [\"stand\"]", "\"stand_prep\": {\"to\": [\"walk\"]"))
        .unwrap();
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    let mut ask = synthesize(&["grasp_object"]);
    ask["from"] = json!(["stand"]);
    let refused = ann.ask(ask.clone());
    assert_eq!(refused["error"]["code"], "robot_refused", "{refused}");
    assert!(refused["error"]["text"].as_str().unwrap().contains("another here than on the robot"), "{refused}");
    std::fs::rename(&path, folder.join("capabilities/mine.json")).unwrap();
    ask["capabilities"] = json!("capabilities/mine.json");
    let refused = ann.ask(ask);
    assert!(refused["error"]["text"].as_str().unwrap().contains("it has vigir"), "{refused}");
}
