//! What holds for every tree and every input. `PROPTEST_CASES=5000` looks further.

use engine::{Command, Control, Engine, Event, Options, TickInput, TickOutput, What};
use model::file::{MemoryFiles, load, save};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::Value as Json;
use testkit::random::{ChangePlan, InputPlan, change, files, input_script, load_files, tick_input};

const TICKS: usize = 40;

fn options(attended: bool) -> Options {
    Options { seed: 7, attended, world: vec![("sensor".into(), Some(false.into()))], ..Options::default() }
}

/// Every other time the times, counts and claims of steps are values of the moment: of a variable that steps set and
/// unset, of a number, of a list, and some that are of the wrong kind or cannot be known.
fn files_with_values() -> impl Strategy<Value = Vec<(String, Json)>> {
    (files(), any::<bool>(), 0..7_usize).prop_map(|(mut files, values, mut place)| {
        files.iter_mut().filter(|_| values).for_each(|(_, json)| bind(json, &mut place));
        files
    })
}

fn bind(json: &mut Json, place: &mut usize) {
    match json {
        Json::Object(entries) => {
            for (key, inner) in entries {
                *place += 1;
                let texts: &[&str] = match (key.as_str(), &*inner) {
                    ("duration_s", Json::Number(_)) => &["x * 0.1", "0.2", "y", "'long'", "time() / 2"],
                    ("count" | "retry", Json::Number(_)) => &["x + 1", "2", "y"],
                    ("claims", Json::Array(_)) => &["['V']", "[]", "x > 1 ? ['V'] : ['W']", "x"],
                    _ => &[],
                };
                match texts.get(*place % texts.len().max(1)) {
                    Some(text) => *inner = serde_json::json!({"=": text}),
                    None => bind(inner, place),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| bind(item, place)),
        _ => {}
    }
}

fn engine(files: &[(String, Json)], attended: bool) -> Engine {
    Engine::new(load_files(files).library, testkit::registry(), &options(attended))
}

/// After a stop nothing starts, and what ran is coming to rest, until a command arrives.
fn check_stopped(engine: &Engine, before: usize) -> Result<(), String> {
    let started = |event: &&Event| matches!(event.what, What::Started(_));
    if let Some(event) = engine.recording().events[before..].iter().find(started) {
        return Err(format!("started after a stop: {event:?}"));
    }
    for id in engine.running() {
        let view = engine.step_view(&engine.instance_of_id(id));
        if view.is_some_and(|view| view.status == engine::StepStatus::Running) {
            return Err(format!("`{}` still runs after a stop", engine.label_of(id)));
        }
    }
    Ok(())
}

fn run(engine: &mut Engine, script: &[(usize, InputPlan)]) -> Result<Vec<TickOutput>, String> {
    let mut outputs = Vec::new();
    let mut next_id = 0;
    let mut stopped = true;
    for tick in 0..TICKS {
        let input = tick_input(engine, script, tick, &mut next_id);
        let before = engine.recording().events.len();
        outputs.push(engine.tick(&input).clone());
        engine.check_invariants().map_err(|wrong| format!("tick {tick}: {wrong}"))?;
        stopped = (stopped || input.stop) && input.commands.is_empty();
        if stopped {
            check_stopped(engine, before).map_err(|wrong| format!("tick {tick}: {wrong}"))?;
        }
        let answers = outputs[tick].answers.len();
        let asked = input.commands.len() + input.edits.len();
        if answers != asked {
            return Err(format!("tick {tick}: {asked} commands and edits, {answers} answers"));
        }
    }
    Ok(outputs)
}

/// Stops it, waits until everything is at rest, and puts next on the first step.
fn come_to_rest(engine: &mut Engine) {
    let first = Command { id: 1, what: Control::MoveNext { by: i64::MIN } };
    for tick in TICKS..TICKS + 60 {
        let commands = if tick == TICKS + 58 { vec![first.clone()] } else { Vec::new() };
        let unlocked = if tick == TICKS { unlock_all(engine) } else { Vec::new() };
        let commands = commands.into_iter().chain(unlocked).collect();
        let time_ns = tick as i64 * testkit::TICK_NS;
        engine.tick(&TickInput { time_ns, stop: tick == TICKS, commands, ..TickInput::default() });
    }
}

fn unlock_all(engine: &Engine) -> Vec<Command> {
    let (locks, _) = engine.marks();
    locks.into_iter().map(|node| Command { id: 1, what: Control::Lock { node, on: false } }).collect()
}

fn edit(engine: &mut Engine, changes: &[ChangePlan]) {
    let mut next_id = 0;
    for (tick, change) in changes.iter().enumerate() {
        let script = [(tick, InputPlan::Edit(vec![change.clone()]))];
        let input = tick_input(engine, &script, tick, &mut next_id);
        engine.tick(&input);
    }
}

/// Every file of the library, saved and loaded again.
fn reloaded(engine: &Engine) -> model::Library {
    let registry = testkit::registry();
    let mut files = MemoryFiles::default();
    for (_, definition) in engine.library().iter() {
        files.insert(&*definition.file, save(definition, registry.catalogue()));
    }
    load("main.json", &files, registry.catalogue()).expect("what was saved opens").library
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn everything_fits_together_after_every_tick(
        files in files_with_values(), script in input_script(TICKS), attended in any::<bool>(),
    ) {
        let mut engine = engine(&files, attended);
        prop_assert_eq!(engine.check_invariants(), Ok(()));
        let run = run(&mut engine, &script);
        prop_assert!(run.is_ok(), "{}\n{}", run.err().unwrap_or_default(), testkit::trace(&engine, &[]));
    }

    #[test]
    fn the_same_inputs_give_the_same_trace(files in files_with_values(), script in input_script(TICKS)) {
        let (mut first, mut second) = (engine(&files, true), engine(&files, true));
        let outputs = (run(&mut first, &script), run(&mut second, &script));
        prop_assert_eq!(outputs.0, outputs.1);
        let (first, second) = (first.recording(), second.recording());
        prop_assert_eq!(&first.events, &second.events);
        prop_assert_eq!(&first.details, &second.details);
        prop_assert_eq!(&first.changes, &second.changes);
        prop_assert_eq!(&first.notes, &second.notes);
    }

    #[test]
    fn an_edited_engine_is_like_a_fresh_one(files in files_with_values(), changes in prop::collection::vec(change(), 1..8)) {
        let mut edited = engine(&files, false);
        edit(&mut edited, &changes);
        prop_assert_eq!(edited.check_invariants(), Ok(()));
        let fresh = Engine::new(reloaded(&edited), testkit::registry(), &options(false));
        prop_assert_eq!(edited.structure(), fresh.structure());
    }

    /// Whatever was edited while it ran: at rest and at the beginning it is laid like a fresh one, and every name that
    /// can be set there can be set here.
    #[test]
    fn a_tree_edited_while_it_ran_is_like_a_fresh_one(files in files_with_values(), script in input_script(TICKS)) {
        let mut edited = engine(&files, true);
        let run = run(&mut edited, &script);
        prop_assert!(run.is_ok(), "{}", run.err().unwrap_or_default());
        let fresh = Engine::new(reloaded(&edited), testkit::registry(), &options(true));
        for name in fresh.settable_names() {
            prop_assert!(edited.settable_names().contains(&name), "`{name}` is not known");
        }
        come_to_rest(&mut edited);
        prop_assert_eq!(edited.check_invariants(), Ok(()));
        prop_assert_eq!(edited.structure(), fresh.structure());
    }

    #[test]
    fn what_is_saved_loads_the_same(files in files_with_values(), changes in prop::collection::vec(change(), 0..8)) {
        let mut edited = engine(&files, false);
        edit(&mut edited, &changes);
        let registry = testkit::registry();
        let again = reloaded(&edited);
        for (_, definition) in again.iter() {
            let before = edited.library().get(edited.library().find(&definition.file).expect("it was saved"));
            prop_assert_eq!(save(definition, registry.catalogue()), save(before, registry.catalogue()));
        }
    }

    #[test]
    fn undoing_gives_the_same_bytes(files in files_with_values(), changes in prop::collection::vec(change(), 1..12)) {
        let registry = testkit::registry();
        let mut library = load_files(&files).library;
        let bytes = |library: &model::Library| -> Vec<String> {
            library.iter().map(|(_, definition)| save(definition, registry.catalogue())).collect()
        };
        let before = bytes(&library);
        let mut undo = Vec::new();
        let mut next_id = 0;
        for change in &changes {
            let edit = change.edit(&library, &mut next_id);
            if let Ok((inverse, _)) = library.apply(&edit) {
                undo.push(inverse);
            }
        }
        for inverse in undo.iter().rev() {
            prop_assert!(library.apply(inverse).is_ok());
        }
        prop_assert_eq!(bytes(&library), before);
    }
}
