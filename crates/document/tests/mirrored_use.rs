//! A mirrored use runs as the mirrored document, and a skill with values as the same with what they give, tick by tick.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use document::{Document, SidedSkills};
use engine::{Mirror, Plane, RunFact, Told, What};
use model::file::{Files, MemoryFiles, load};
use model::{Library, NodeId};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::Robot;
use serde_json::{Value as Json, json};
use testkit::Stage;

static ROBOT: LazyLock<Robot> = LazyLock::new(|| Robot::builtin("coact-one").expect("our own"));

/// All that leaves an engine tick by tick, and what happens in it.
fn run(robot: &str, library: &Library, script: &str) -> Vec<String> {
    ran(robot, library, script).0
}

fn ran(robot: &str, library: &Library, script: &str) -> (Vec<String>, Stage) {
    let mut stage = Stage::of_library(robot, library, script);
    let mut told = Vec::new();
    loop {
        let goes_on = stage.tick();
        let output = stage.engine.output();
        if !output.commands.is_empty() || !output.stop_parts.is_empty() {
            told.push(format!("{:.2} {:?} {:?}", stage.time_s(), output.commands, output.stop_parts));
        }
        if !goes_on {
            break;
        }
    }
    stage.engine.check_invariants().expect("everything fits together");
    told.extend(stage.engine.recording().events.iter().filter_map(|event| match event.what {
        What::Started(step) => Some(format!("{} + {}", event.tick, step.0)),
        What::Ended { step, verdict, .. } => Some(format!("{} - {} {verdict:?}", event.tick, step.0)),
        _ => None,
    }));
    told.push(format!("{:?}", stage.state().positions));
    (told, stage)
}

fn open(file: &str, files: &dyn Files) -> Library {
    let loaded = load(file, files, nodes::registry().catalogue()).expect("it opens");
    let given = |problem: &&model::Problem| problem.field.as_deref() != Some("inputs");
    let errors: Vec<_> = loaded.problems.iter().filter(|problem| problem.is_error()).filter(given).collect();
    assert!(errors.is_empty(), "{errors:?}");
    loaded.library
}

/// The whole behavior, with copies of the skills that have sides.
fn mirrored(library: Library, robot: &Robot) -> Library {
    let root = library.main().root;
    let mut document = Document::new(library, nodes::registry(), 1);
    let mirror = Mirror { robot, plane: Plane::World, body: None };
    document.mirror(&[root], &mirror, SidedSkills::Copy).expect("it can be mirrored");
    document.library().clone()
}

/// The skill that the behavior uses, written out on the other side; uses in it are `mirrored`, or no longer are.
fn with_mirrored_skill(library: Library, robot: &Robot) -> Library {
    let main = library.main();
    let skill = main.walk(main.root).find_map(|node| library.skill_of(Library::MAIN, node)).expect("it uses a skill");
    let root = library.get(skill).root;
    let mut document = Document::new(library.clone(), nodes::registry(), 1);
    let mirror = Mirror { robot, plane: Plane::World, body: None };
    document.mirror(&[root], &mirror, SidedSkills::Mirrored).expect("it can be mirrored");
    document.library().clone()
}

/// A behavior on disk with one that is only thought beside it.
struct Beside {
    main: String,
    text: String,
}

impl Files for Beside {
    fn read(&self, path: &str) -> Result<String, String> {
        if path == self.main {
            Ok(self.text.clone())
        } else {
            std::fs::read_to_string(path).map_err(|why| why.to_string())
        }
    }
}

fn skills(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            skills(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            let text = std::fs::read_to_string(&path).expect("a file");
            let is_behavior = serde_json::from_str::<Json>(&text).expect("JSON").get("children").is_some();
            found.extend((is_behavior && !text.contains("\"receive\"")).then_some(path));
        }
    }
}

fn use_of(file: &str, mirrored: bool) -> Json {
    json!({"version": 1, "children": [{"type": "skill", "file": file, "mirrored": mirrored}]})
}

/// What is seen and where things are is another matter: as in a preview, objects are where they are set up.
const SCRIPT: &str = "preview\n0 frame mug 0.35 -0.3 0.9\nend 12";

/// Each with its name, and the robot that it is for.
fn shipped() -> Vec<(PathBuf, String, &'static str)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills").canonicalize().expect("skills/");
    let mut found = Vec::new();
    skills(&folder, &mut found);
    assert!(found.len() > 20, "{found:?}");
    let named = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
        // Those have handles above the shoulders of a small robot.
        let robot = if name.contains("-high") { "coact-mini" } else { "coact-one" };
        (path, name, robot)
    };
    found.into_iter().map(named).collect()
}

fn used(path: &Path, name: &str, mirrored: bool) -> Library {
    let main = path.with_file_name("used.json").to_str().expect("UTF-8").to_owned();
    open(&main, &Beside { main: main.clone(), text: use_of(name, mirrored).to_string() })
}

/// What the values of each node were, place by place; none: not always the same.
type Given = BTreeMap<NodeId, Option<Vec<model::Value>>>;

fn given(stage: &Stage) -> Given {
    let mut given = Given::new();
    for note in &stage.engine.recording().notes {
        let (Some(step), Told::Run(RunFact::With { values })) = (note.step, &note.told) else { continue };
        let values: Vec<model::Value> = values.iter().map(|(_, value)| value.clone()).collect();
        let known = given.entry(stage.engine.instance_of_id(step).node).or_insert_with(|| Some(values.clone()));
        if known.as_ref() != Some(&values) {
            *known = None;
        }
    }
    given
}

/// Puts in what the values were; gives how many places that are. A use that is `mirrored` by a value is a step of its
/// track, one that is written so is not: these stay.
fn write_out(library: &mut Library, given: &Given) -> usize {
    let catalogue = nodes::registry();
    let mut places = 0;
    for (node, values) in given {
        let (Some(owner), Some(values)) = (library.owner_of(*node), values) else { continue };
        let Some(written) = library.get_mut(owner).get_mut(*node).filter(|written| &*written.kind != "skill") else {
            continue;
        };
        let info = catalogue.catalogue().get(&written.kind).expect("a type of ours");
        let bound = written.fields.bound(info);
        assert_eq!(bound.len(), values.len(), "{}", written.label());
        places += bound.len();
        written.fields = written.fields.with_values(&bound, values.iter().map(model::Value::to_json));
    }
    places
}

/// Values of the moment are no other way to run: with what they gave put in, a skill does the same in every tick.
#[test]
fn every_shipped_skill_runs_as_with_its_values_written_out() {
    let (mut places, mut with_values) = (0, 0);
    for (path, name, robot) in shipped() {
        let library = used(&path, &name, false);
        let (told, stage) = ran(robot, &library, SCRIPT);
        let mut written = library.clone();
        let put = write_out(&mut written, &given(&stage));
        if put == 0 {
            continue;
        }
        (places, with_values) = (places + put, with_values + 1);
        let again = run(robot, &written, SCRIPT);
        let differs = told.iter().zip(&again).find(|(told, again)| told != again);
        assert!(told == again, "{name}: {differs:?}");
    }
    assert!(places > 60 && with_values > 10, "{places} places of {with_values} skills");
}

/// `mirrored(pose)` goes through angles and back, which costs the last digits of a number.
fn rounded(told: &str) -> String {
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-' | 'e');
    let mut rounded = String::new();
    let mut rest = told;
    while let Some(start) = rest.find(is_number) {
        let length = rest[start..].find(|letter| !is_number(letter)).unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        rounded.push_str(&rest[..start]);
        match word.parse::<f64>() {
            Ok(number) => rounded.push_str(&format!("{:.9}", number + 0.0)),
            Err(_) => rounded.push_str(word),
        }
        rest = &rest[start + length..];
    }
    // -0.0 and 0.0 are the same place.
    (rounded + rest).replace("-0.000000000", "0.000000000")
}

#[test]
fn every_shipped_skill_used_mirrored_is_its_mirrored_file() {
    let mut moved = 0;
    for (path, name, robot) in shipped() {
        let library = |mirrored: bool| self::used(&path, &name, mirrored);
        let used = run(robot, &library(true), SCRIPT);
        let written = with_mirrored_skill(library(false), &Robot::builtin(robot).expect("our own"));
        let written = run(robot, &written, SCRIPT);
        let differs = used.iter().zip(&written).find(|(used, written)| rounded(used) != rounded(written));
        assert!(differs.is_none() && used.len() == written.len(), "{name}: {differs:?}");
        moved += usize::from(used.iter().any(|line| line.contains("Command")));
    }
    assert!(moved > 20, "{moved} of them move the robot");
}

/// A number in a place, written out and as an expression.
#[derive(Clone, Debug)]
struct Value {
    expression: &'static str,
    number: f64,
}

const INPUTS: &str = r#"{"lateral_m": 0.25, "turn_deg": 12, "which": "left"}"#;

fn value() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        Value { expression: "lateral_m", number: 0.25 },
        Value { expression: "lateral_m - 0.125", number: 0.125 },
        Value { expression: "-lateral_m / 2", number: -0.125 },
        Value { expression: "turn_deg", number: 12.0 },
        Value { expression: "turn_deg * 2 + 1", number: 25.0 },
        Value { expression: "which == 'left' ? -turn_deg : turn_deg", number: -12.0 },
    ])
}

/// A tree twice: with values, and with what they give.
type Twins = (Json, Json);

fn put(value: &Value) -> Twins {
    (json!({"=": value.expression}), json!(value.number))
}

fn side() -> impl Strategy<Value = Twins> {
    prop::sample::select(vec![
        (json!({"=": "which"}), json!("left")),
        (json!({"=": "which == 'left' ? 'right' : 'left'"}), json!("right")),
        (json!("left"), json!("left")),
        (json!("right"), json!("right")),
    ])
}

/// Of both.
fn both(make: impl Fn(&dyn Fn(&Twins) -> Json) -> Json) -> Twins {
    (make(&|twins| twins.0.clone()), make(&|twins| twins.1.clone()))
}

fn step() -> impl Strategy<Value = Twins> {
    let frame = prop::sample::select(vec!["chest", "pelvis", "walking"]);
    let senses = prop::sample::select(vec!["left_shoulder_roll_deg", "right_elbow_pitch_deg", "neck_yaw_deg"]);
    let joints = prop::sample::select(vec!["left_shoulder_roll", "right_elbow_pitch", "neck_yaw", "left_elbow_pitch"]);
    prop_oneof![
        (side(), frame, value(), value()).prop_map(|(side, frame, y, yaw)| both(|of| json!({
            "type": "arm", "side": of(&side), "frame": frame, "may_touch_body": true, "duration_s": 0.4,
            "pose": {"x_m": 0.3, "y_m": of(&put(&y)), "z_m": 0.1, "yaw_deg": of(&put(&yaw))}}))),
        (joints, value()).prop_map(|(joint, angle)| both(|of| json!({
            "type": "joint_move", "angles_deg": {joint: of(&put(&angle))}, "duration_s": 0.3, "may_touch_body": true}))),
        (side(), prop::sample::select(vec!["open", "close"])).prop_map(|(side, grip)| both(|of| json!({
            "type": "hand", "side": of(&side), "grip": grip}))),
        (value(), value()).prop_map(|(yaw, pitch)| both(|of| json!({
            "type": "neck", "yaw_deg": of(&put(&yaw)), "pitch_deg": of(&put(&pitch)), "duration_s": 0.3}))),
        senses.clone().prop_map(|sense| both(|_| json!({"type": "set", "values": {"seen": sense}}))),
        (senses, value()).prop_map(|(sense, limit)| both(|of| json!({
            "type": "neck", "yaw_deg": of(&put(&limit)), "duration_s": 0.5, "until": format!("{sense} > 5"),
            "claims": ["left_arm"]}))),
    ]
    .prop_map(|(mut a, mut b)| {
        (a["end_as"], b["end_as"]) = (json!("success"), json!("success"));
        (a, b)
    })
}

fn tree() -> impl Strategy<Value = Twins> {
    let group = prop::sample::select(vec!["sequence", "parallel", "fallback"]);
    (group, prop::collection::vec(step(), 1..6)).prop_map(|(kind, steps)| {
        both(|of| json!({"type": kind, "children": steps.iter().map(of).collect::<Vec<_>>()}))
    })
}

/// A skill in a skill, the inner one on a side that a value may say.
fn files(parts: &[Twins; 2], inner: &Twins, mirrored: bool) -> [MemoryFiles; 2] {
    let header = |json: Json| {
        let mut json = json;
        let inputs: serde_json::Map<String, Json> = serde_json::from_str(INPUTS).expect("JSON");
        let inputs = inputs.into_iter().map(|(name, value)| (name, json!({"default": value}))).collect();
        (json["version"], json["inputs"], json["variables"]) = (json!(1), Json::Object(inputs), json!({"seen": 0}));
        json
    };
    let file = |pick: &dyn Fn(&Twins) -> Json| {
        let middle = json!({"type": "sequence", "children": [pick(&parts[0]),
            {"type": "skill", "file": "last.json", "mirrored": pick(inner)}]});
        let mut files = MemoryFiles::default();
        files.insert("main.json", use_of("middle.json", mirrored).to_string());
        files.insert("middle.json", header(middle).to_string());
        files.insert("last.json", header(json!({"type": "sequence", "children": [pick(&parts[1])]})).to_string());
        files
    };
    [file(&|twins| twins.0.clone()), file(&|twins| twins.1.clone())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn values_and_mirrored_uses_run_as_what_they_stand_for(
        first in tree(), last in tree(),
        inner in prop::sample::select(vec![
            (json!(false), json!(false)), (json!(true), json!(true)),
            (json!({"=": "which == 'left'"}), json!(true)), (json!({"=": "which != 'left'"}), json!(false)),
        ]),
    ) {
        let parts = [first, last];
        let used = files(&parts, &inner, true).map(|files| open("main.json", &files));
        let plain = files(&parts, &inner, false).map(|files| open("main.json", &files));
        // A use that says its side when it starts is a step of its own: what it numbers is another matter.
        let is_same_shape = !inner.0.is_object();
        for [with_values, with_numbers] in [&used, &plain].into_iter().filter(|_| is_same_shape) {
            prop_assert_eq!(run("coact-one", with_values, ""), run("coact-one", with_numbers, ""));
        }
        for (used, plain) in used.iter().zip(plain) {
            prop_assert_eq!(run("coact-one", used, ""), run("coact-one", &mirrored(plain, &ROBOT), ""));
        }
    }
}
