//! Damaged files that open are run for a while: nothing panics, and every tick ends.

use engine::{Command, Control, Engine, Options, TickInput};
use model::file::{MemoryFiles, load};
use testkit::mutate::{Dice, fuzz, mutate};

const MAIN: &str = r#"{"version": 1, "name": "Pick", "variables": {"n": 0, "limit": 3}, "children": [
    {"type": "set", "values": {"n": "n + 1"}, "name": "A"},
    {"type": "parallel", "name": "P", "policy": "one", "goal": "n > limit", "children": [
      {"type": "loop", "name": "L", "count": 3, "children": [{"type": "wait", "duration_s": 0.1, "claims": ["arm"]}]},
      {"type": "stand_in", "duration_s": 0.3, "halt_s": 0.1, "claims": ["arm"], "on_conflict": "override"},
      {"type": "choose", "of": "A", "children": [{"type": "log", "when": "n > 1"}, {"type": "always_fail", "when": {"outcome": "o"}}]}]},
    {"type": "fallback", "name": "F", "outcomes": ["o"], "children": [
      {"type": "skill", "name": "S", "file": "s.json", "inputs": {"x": "n + 1"}, "outputs": {"y": "n"}},
      {"type": "gosub", "target": "P", "until": [{"condition": "n > 2", "edge": "rise"}], "retry": 2, "timeout_s": 0.5}]},
    {"type": "reserve", "token": "arm"}, {"type": "counter", "limit": 3}, {"type": "goto", "target": "A"}]}"#;
const SKILL: &str = r#"{"version": 1, "inputs": {"x": {"default": 1}}, "outputs": {"y": {}}, "children": [
    {"type": "condition", "condition": "x < 9", "after": "Beginning", "outcome": "o"},
    {"type": "question", "options": ["o", "p"], "default": "o"}, {"type": "set", "values": {"y": "x * 2"}}]}"#;

fn check(dice: &mut Dice) {
    let main = mutate(MAIN, dice);
    let skill = if dice.roll(2) == 0 { mutate(SKILL, dice) } else { SKILL.to_owned() };
    let files = MemoryFiles::from([("main.json", main), ("s.json", skill)]);
    let registry = testkit::registry();
    let Ok(loaded) = load("main.json", &files, registry.catalogue()) else { return };
    let mut engine = Engine::new(loaded.library, registry, &Options::default());
    for tick in 0..50 {
        let mut input = TickInput { time_ns: tick * testkit::TICK_NS, ..TickInput::default() };
        if tick % 20 == 0 {
            input.commands.push(Command { id: 0, what: Control::Automatic { on: true } });
        }
        engine.tick(&input);
        if let Err(wrong) = engine.check_invariants() {
            panic!("tick {tick}: {wrong}\n{files:?}");
        }
    }
}

#[test]
fn damaged_files_run() {
    fuzz(2_000, check);
}
