//! Files that people write, or get from others.

use std::collections::BTreeMap;
use std::path::Path;

use cell::Cell;
use engine::{Command, Control, Engine, Options, TickInput};
use expression::{Env, Expression, Names, Slot};
use footsteps::terrain::world_from_text;
use geometry::Pose;
use link::KeyFile;
use model::Value;
use model::file::{MemoryFiles, load, save};
use onboard::Config;
use robot::{Proposal, Robot};
use scene::template::{Template, import_xml};
use serde_json::Value as Json;
use server::Tokens;
use sim::{World, scene_mjcf};
use site::Driver;
use site::stub::{Script, Stub};
use synthesis::{Capabilities, Request};
use trial::Suite;

use crate::seeds::{files, join};
use crate::{Target, parts, text};

const ONE_SKILL: &[u8] = br#"{"version": 1, "inputs": {"x": {}}, "children": [{"type": "log", "value": "x"}]}"#;

pub fn targets() -> Vec<Target> {
    let target = |name, run, seeds| Target { name, is_text: true, run, seeds };
    vec![
        target("behavior", behavior, || {
            let all = files("examples", ".json").into_iter().chain(files("skills", ".json"));
            all.map(|file| join(&[&file, ONE_SKILL])).collect()
        }),
        target("thesis", behavior, || files("crates/model/tests/fixtures", ".json")),
        target("run", run, || {
            let all = ["examples/first", "examples/decide", "examples/recover", "examples/share", "examples/together"];
            all.iter().flat_map(|folder| files(folder, ".json")).map(|file| join(&[&file, ONE_SKILL])).collect()
        }),
        target("expression", expression, expressions),
        target("cell", cell, || files("examples/machine-tending", ".json")),
        target("world", world, || files("worlds", ".json")),
        target("mjcf", mjcf, || {
            let mut all = files("worlds", ".xml");
            all.extend(MJCF.iter().map(|text| text.as_bytes().to_vec()));
            all
        }),
        target("suite", suite, || files("suites", ".json")),
        target("stub", stub, || files("examples/stub", ".json")),
        target("template", template, || files("templates", ".json")),
        target("template_xml", template_xml, || files("crates/scene/tests", ".xml")),
        target("urdf", urdf, || {
            let mut all = files("crates/robot/tests", ".urdf");
            all.extend(files("robots", ".urdf"));
            all
        }),
        target("robot", robot, || files("robots", ".json")),
        target("capabilities", capabilities, || files("capabilities", ".json")),
        target("config", config, || {
            let whole = br#"{"name": "one", "robot": "coact-one", "world": "w", "behavior": "b.json",
                "listen": "127.0.0.1:0", "mode": "finals", "bursts_from": "127.0.0.1:1", "bursts_to": "127.0.0.1:2", "keys": "k",
                "state": "s", "rate_hz": 500, "when_operator_lost": "stop", "hold_manual_after_s": 1.5,
                "free_control_after_s": 20}"#;
            vec![whole.to_vec(), b"{}".to_vec()]
        }),
        target("terrain", terrain, || files("terrains", ".json")),
        target("keys", keys, || {
            let key = "0123456789abcdef".repeat(4);
            vec![
                format!("# a\nsecret {key}\nallow {key} Ann of all operator # b\nallow {key} Bob observer\n")
                    .into_bytes(),
            ]
        }),
        target("tokens", tokens, || {
            let line = |role, name| server::token_line("secret", role, name);
            vec![[line(protocol::Role::Operator, "Ann"), line(protocol::Role::Observer, "Bob")].concat().into_bytes()]
        }),
    ]
}

/// A behavior and its skill: what opens is checked, saved, and opens again as the same.
fn behavior(data: &[u8]) {
    let given = parts(data);
    let open = |main: &str| {
        let mut all = MemoryFiles::from([("main.json", main)]);
        if let Some(skill) = given.get(1) {
            all.0.insert("s.json".to_owned(), text(skill).to_owned());
        }
        load("main.json", &all, nodes::registry().catalogue())
    };
    let Ok(loaded) = open(text(given[0])) else { return };
    let registry = nodes::registry();
    for problem in check::check(&loaded, &registry, &["sensor".into()], &check::Options::default()) {
        assert!(!problem.to_string().is_empty());
    }
    let saved = save(loaded.library.main(), registry.catalogue());
    let again = open(&saved).expect("what is saved opens");
    assert_eq!(save(again.library.main(), registry.catalogue()), saved);
}

/// What opens is run for a while.
fn run(data: &[u8]) {
    let given = parts(data);
    let mut all = MemoryFiles::from([("main.json", text(given[0]))]);
    if let Some(skill) = given.get(1) {
        all.0.insert("s.json".to_owned(), text(skill).to_owned());
    }
    let registry = nodes::registry();
    let Ok(loaded) = load("main.json", &all, registry.catalogue()) else { return };
    let mut engine = Engine::new(loaded.library, registry, &Options::default());
    for tick in 0..12 {
        let mut input = TickInput { time_ns: tick * testkit::TICK_NS, ..TickInput::default() };
        if tick % 6 == 0 {
            input.commands.push(Command { id: 0, what: Control::Automatic { on: true } });
        }
        engine.tick(&input);
        engine.check_invariants().expect("what it keeps fits together");
    }
}

#[derive(Default)]
struct Board(BTreeMap<String, Value>);

impl Names for Board {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        let at = self.0.keys().position(|known| known == name)?;
        Some(Slot(at as u32))
    }

    fn token(&mut self, name: &str) -> u32 {
        u32::from(name == "left_hand")
    }

    fn node(&mut self, name: &str) -> Option<u32> {
        (name == "scan").then_some(9)
    }
}

impl Env for Board {
    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.0.values().nth(slot.0 as usize)
    }

    fn is_free(&self, token: u32) -> bool {
        token == 1
    }

    fn outcome(&self, _node: u32) -> &str {
        "found"
    }

    fn result(&self, _node: u32) -> &'static str {
        "success"
    }

    fn time_s(&self) -> f64 {
        12.5
    }

    fn random(&self) -> f64 {
        0.25
    }
}

fn expression(data: &[u8]) {
    let list = Value::List([Value::from(1.0), Value::from("two"), Value::from(true)].into());
    let map = Value::Map(
        [("slot".into(), Value::from(4.0)), ("name".into(), list.clone())]
            .into_iter()
            .collect::<BTreeMap<_, _>>()
            .into(),
    );
    let known =
        [("x", Value::from(3.0)), ("huge", Value::from(1e308)), ("s", Value::from("go")), ("ok", Value::from(true))];
    let mut board = Board(
        known
            .into_iter()
            .chain([("items", list), ("tray", map)])
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    );
    let mut expression = Expression::new(text(data));
    let _ =
        (expression.variables(), expression.tokens(), expression.nodes(), expression.frames(), expression.constant());
    match expression.bind(&mut board) {
        Ok(()) => drop((expression.value(&board), expression.holds(&board), expression.number(&board))),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn expressions() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for file in files("examples", ".json").into_iter().chain(files("skills", ".json")) {
        let Ok(json) = serde_json::from_slice::<Json>(&file) else { continue };
        strings(&json, &mut all);
    }
    all.sort();
    all.dedup();
    all.extend(expression::FUNCTIONS.iter().map(|function| format!("{}(x, s, items)", function.name).into_bytes()));
    all
}

fn strings(json: &Json, into: &mut Vec<Vec<u8>>) {
    match json {
        Json::String(text) if text.contains([' ', '(', '=']) && text.len() < 120 => {
            into.push(text.clone().into_bytes())
        }
        Json::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Json::Object(items) => items.values().for_each(|item| strings(item, into)),
        _ => {}
    }
}

fn cell(data: &[u8]) {
    if let Ok((_, problems)) = Cell::parse("cell.json", text(data)) {
        assert!(problems.iter().all(|problem| !problem.to_string().is_empty()));
    }
}

/// What is drawn of a world becomes MJCF that an XML reader takes.
fn world(data: &[u8]) {
    let Ok(world) = World::from_json("world.json", text(data)) else { return };
    drop(world.merged("more.json", &[&serde_json::json!({"floor": {"friction": 0.5}})]));
    let robot = Robot::builtin("coact-mini").expect("a robot of our own");
    for seed in [1, u64::MAX] {
        let placed = world.draw(seed);
        let mjcf = scene_mjcf(&placed, &robot, &Pose::identity(), &[]);
        if let Err(wrong) = roxmltree::Document::parse(&mjcf) {
            panic!("{wrong}");
        }
    }
}

const MJCF: &[&str] = &[
    r#"<mujoco><worldbody><body name="b"><geom type="sphere" size="0.1"/></body></worldbody></mujoco>"#,
    r#"<mujoco><asset><hfield name="h" nrow="60" ncol="60" size="1 1 1 1"/><texture name="t" type="2d" builtin="checker" width="60" height="60"/><model name="part" file="part.xml"/></asset>
<worldbody><replicate count="10" offset="1 0 0"><replicate count="10"><geom type="box" size="1 1 1"/></replicate></replicate><flexcomp type="grid" count="3 3 3"/><attach model="part" prefix="a"/><composite type="grid" count="3 3 1"/></worldbody></mujoco>"#,
    r#"<mujoco><include file="other.xml"/><worldbody><include file="w.xml"/></worldbody></mujoco>"#,
];

fn mjcf(data: &[u8]) {
    let file = std::env::temp_dir().join(format!("coact-fuzz-{}.xml", std::process::id()));
    std::fs::write(&file, data).expect("a file");
    if let Err(wrong) = World::find(&file.to_string_lossy()) {
        assert!(!wrong.to_string().is_empty());
    }
}

fn suite(data: &[u8]) {
    match Suite::from_json("suites/suite.json", text(data)) {
        Ok(suite) => assert!(!suite.cases.is_empty()),
        Err(wrong) => assert!(!wrong.to_string().is_empty()),
    }
}

/// What opens is played.
fn stub(data: &[u8]) {
    let Ok(script) = Script::from_text(text(data), "stub.json") else { return };
    let mut stub = Stub::new(script);
    for moment in 0..20_i64 {
        stub.advance(moment * 250_000_000);
        drop((stub.take_events(), stub.take_sights()));
        if moment == 10 {
            stub.stop();
        }
        assert!(stub.state().positions.iter().all(|position| position.is_finite()));
    }
}

fn template(data: &[u8]) {
    let Ok(template) = Template::from_json("template.json", text(data)) else { return };
    let saved = template.to_json();
    let again = Template::from_json("template.json", &saved).unwrap_or_else(|wrong| panic!("{wrong}\n{saved}"));
    assert_eq!(again.to_json(), saved);
    drop((template.mirrored(), template.scaled(2.0)));
}

fn template_xml(data: &[u8]) {
    let files: Vec<(&str, &str)> = parts(data).into_iter().map(|part| ("library.xml", text(part))).collect();
    let imported = import_xml(&files);
    assert!(imported.problems.iter().all(|problem| !problem.to_string().is_empty()));
    for template in &imported.templates {
        Template::from_json("template.json", &template.to_json()).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

fn urdf(data: &[u8]) {
    let Ok(proposal) = Proposal::new(text(data), Path::new("robot.urdf"), "robot.urdf") else { return };
    if let Ok((robot, _)) = &proposal.robot {
        fits_together(robot);
    }
}

fn robot(data: &[u8]) {
    const URDF: &str = include_str!("../../../robots/coact-mini/robot.urdf");
    match Robot::from_texts(text(data), "robot.json", URDF, Path::new("robot.urdf")) {
        Ok((robot, _)) => fits_together(&robot),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What opens is asked for each of its goals, with little patience.
fn capabilities(data: &[u8]) {
    let (known, problems) = Capabilities::load("capabilities.json", text(data));
    assert!(problems.iter().chain(&known.problems()).all(|problem| !problem.to_string().is_empty()));
    for name in known.names().take(4).map(str::to_owned).collect::<Vec<_>>() {
        let request = Request { goals: vec![name], ..Request::default() };
        if let Err(why) = synthesis::synthesize(&known, &request, 1_000) {
            assert!(!why.to_string().is_empty());
        }
    }
}

fn config(data: &[u8]) {
    if let Err(wrong) = Config::from_json(text(data)) {
        assert!(!wrong.is_empty() && wrong.iter().all(|line| !line.is_empty()));
    }
}

fn fits_together(robot: &Robot) {
    let count = robot.model.coordinates().len();
    assert_eq!(robot.mirror.len(), count);
    for preset in robot.presets.keys() {
        let positions = robot.configuration(preset).expect("a preset of its own");
        assert!(robot.model.within_limits(&positions), "{preset}");
        robot.model.forward(&positions, &mut robot.model.new_poses());
    }
    assert!(robot.parts.iter().all(|part| part.coordinates.iter().all(|coordinate| *coordinate < count)));
}

fn terrain(data: &[u8]) {
    match world_from_text(text(data)) {
        Ok(world) => drop(world),
        Err(wrong) => assert!(!wrong.to_string().is_empty()),
    }
}

fn keys(data: &[u8]) {
    match KeyFile::parse(text(data), Path::new("keys")) {
        Ok(keys) => drop(keys.security()),
        Err(wrong) => assert!(!wrong.to_string().is_empty()),
    }
}

fn tokens(data: &[u8]) {
    match Tokens::parse(text(data)) {
        Ok(tokens) => drop(tokens.find("secret")),
        Err((_, wrong)) => assert!(!wrong.is_empty()),
    }
}
