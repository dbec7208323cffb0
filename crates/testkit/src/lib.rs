//! One door for engine tests: an outline of a tree and a script of inputs give a trace.
//!
//! An outline has a line a node, indented by two spaces a level: type, name, then `key=value` settings (JSON, or bare
//! text up to the next blank; quote with `"` where a value has blanks). A line `--- file.json` begins a further file;
//! `@inputs`, `@outputs`, `@variables` lines give a file's header as JSON.
//!
//! A script has a line an input: the time in seconds, then a verb. Everything at one time arrives in one tick.
//!
//! [`shaped`] is networks that lose, delay, repeat and cut, in simulated time.
//!
//! [`check_on`] does the same on a simulated robot; a [`Stage`] is that tick by tick.

mod camera;
pub mod mutate;
mod outline;
pub mod random;
mod script;
pub mod shaped;
mod stage;
mod staged;
mod trace;

use std::sync::Arc;

use engine::{Engine, Options, TickInput};
use model::file::MemoryFiles;

pub use outline::to_json;
pub use script::Script;
pub use stage::{ROBOT_TICK_NS, Stage, check_on, run_on};
pub use trace::trace;

/// Ticks are 0.1 s apart in tests, so that traces read easily.
pub const TICK_NS: i64 = 100_000_000;

/// A tree loaded from an outline, ready to tick.
pub fn load(outline: &str, options: &Options) -> Engine {
    let files = outline::to_json(outline);
    let mut memory = MemoryFiles::default();
    for (name, json) in &files {
        memory.insert(name, json.to_string());
    }
    let registry = nodes::registry();
    let loaded = model::file::load(&files[0].0, &memory, registry.catalogue()).expect("an outline makes a file");
    Engine::new(loaded.library, registry, options)
}

/// A tree loaded from the text of a file, ready to tick.
pub fn load_text(text: &str, options: &Options) -> Engine {
    let registry = nodes::registry();
    let memory = MemoryFiles::from([("main.json", text)]);
    let loaded = model::file::load("main.json", &memory, registry.catalogue()).expect("the text is a file");
    Engine::new(loaded.library, registry, options)
}

/// Runs an outline under a script and compares the trace.
#[track_caller]
pub fn check(outline: &str, script: &str, expected: expect_test::Expect) {
    expected.assert_eq(&run(outline, script));
}

/// Runs an outline under a script. Automatic is turned on at 0 unless the script begins with `manual`.
pub fn run(outline: &str, script: &str) -> String {
    let script = Script::parse(script);
    let mut engine = load(outline, &script.options);
    run_engine(&mut engine, &script)
}

/// Ticks until the behavior has ended, nothing runs and no input is left, or the script's end.
pub fn run_engine(engine: &mut Engine, script: &Script) -> String {
    let mut notes = Vec::new();
    let mut time_ns = 0;
    while time_ns <= script.end_ns {
        let (input, wanted) = script.input_at(time_ns, engine);
        let input = TickInput { time_ns, ..input };
        let output = engine.tick(&input).clone();
        trace::note_output(engine, &input, &output, &wanted, &mut notes);
        let more = script.has_input_after(time_ns);
        let ended = matches!(engine.run_state(), engine::RunState::Ended(_));
        if ended && !more && engine.running().is_empty() {
            break;
        }
        time_ns += TICK_NS;
    }
    trace(engine, &notes)
}

/// The registry all tests share.
pub fn registry() -> Arc<engine::Registry> {
    nodes::registry()
}
