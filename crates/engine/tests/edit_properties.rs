//! What edits may start, for every tree. `PROPTEST_CASES=5000` looks further.

use engine::{Command, Control, EditBatch, Editor, Engine, Event, InstanceId, Options, StepStatus, TickInput, What};
use model::Edit;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value as Json, json};
use testkit::random::{ChangePlan, InputPlan, change, files, input_script, load_files, tick_input};

const TICKS: usize = 40;

fn engine(files: &[(String, Json)]) -> Engine {
    let options = Options { seed: 7, world: vec![("sensor".into(), Some(false.into()))], ..Options::default() };
    Engine::new(load_files(files).library, testkit::registry(), &options)
}

fn puts(change: &ChangePlan) -> bool {
    matches!(change, ChangePlan::Insert(..) | ChangePlan::Move(..))
}

/// Only inserts and moves, and no change of what waiting means.
fn inserts_and_moves(script: Vec<(usize, InputPlan)>) -> Vec<(usize, InputPlan)> {
    let keep = |plan: InputPlan| match plan {
        InputPlan::Edit(changes) | InputPlan::OutsideEdit(changes) => {
            Some(InputPlan::Edit(changes.into_iter().filter(puts).collect()))
        }
        InputPlan::Concurrency(_) => None,
        plan => Some(plan),
    };
    script.into_iter().filter_map(|(tick, plan)| Some((tick, keep(plan)?))).collect()
}

/// The node of one instance is, or is above, that of another.
fn is_above(engine: &Engine, above: InstanceId, below: InstanceId) -> bool {
    let (above, below) = (engine.instance_of_id(above), engine.instance_of_id(below));
    let in_uses = below.uses.get(above.uses.len()).copied();
    let at = if above.uses.len() == below.uses.len() { Some(below.node) } else { in_uses };
    let (Some(mut at), true) = (at, below.uses.starts_with(&above.uses)) else { return false };
    loop {
        if at == above.node {
            return true;
        }
        let Some(owner) = engine.library().owner_of(at) else { return false };
        match engine.library().get(owner).node(at).parent {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}

/// Whoever waited for a running step has not started before that ended.
fn check_waits(engine: &Engine, waits: &mut Vec<(InstanceId, InstanceId)>, from: usize) -> Result<(), String> {
    for Event { what, .. } in &engine.recording().events[from..] {
        match what {
            What::Ended { step, .. } => waits.retain(|(_, awaited)| awaited != step),
            What::Started(step) => {
                if let Some((_, awaited)) = waits.iter().find(|(waiter, _)| waiter == step) {
                    let (step, awaited) = (engine.label_of(*step), engine.label_of(*awaited));
                    return Err(format!("`{step}` started before `{awaited}` had ended"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn waits_are_kept(files: &[(String, Json)], script: &[(usize, InputPlan)]) -> Result<(), String> {
    let mut engine = engine(files);
    let mut next_id = 0;
    let mut waits: Vec<(InstanceId, InstanceId)> = Vec::new();
    for tick in 0..TICKS {
        let input = tick_input(&engine, script, tick, &mut next_id);
        let from = engine.recording().events.len();
        for pair in engine.waiting() {
            if !waits.contains(&pair) {
                waits.push(pair);
            }
        }
        engine.tick(&input);
        engine.check_invariants().map_err(|wrong| format!("tick {tick}: {wrong}"))?;
        waits.retain(|(waiter, awaited)| !is_above(&engine, *awaited, *waiter));
        let kept = check_waits(&engine, &mut waits, from);
        kept.map_err(|wrong| format!("tick {tick}: {wrong}\n{}", testkit::trace(&engine, &[])))?;
        if script.iter().any(|(at, plan)| *at == tick && matches!(plan, InputPlan::SetNext(_) | InputPlan::MoveNext(_)))
        {
            // Whoever is not at next any more, by hand, waits for nobody.
            let waiting = engine.waiting();
            waits.retain(|pair| waiting.contains(pair));
        }
    }
    Ok(())
}

/// A tree whose steps all succeed, so that two runs differ only in when they start.
fn calm_tree() -> impl Strategy<Value = Json> {
    let after = prop_oneof![3 => Just(json!({})), 1 => Just(json!({"after": "Beginning"}))];
    let leaf = (1..6_u8, after).prop_map(|(tenths, after)| {
        let mut wait = json!({"type": "wait", "duration_s": f64::from(tenths) / 10.0});
        wait["after"] = after.get("after").cloned().unwrap_or(json!("Previous"));
        wait
    });
    let node = leaf.prop_recursive(3, 14, 4, |inner| {
        let kind = prop_oneof![3 => Just("sequence"), 1 => Just("parallel"), 1 => Just("fallback")];
        (kind, prop::collection::vec(inner, 1..4))
            .prop_map(|(kind, children)| json!({"type": kind, "children": children}))
    });
    prop::collection::vec(node, 1..6)
        .prop_map(|children| json!({"version": 1, "type": "sequence", "children": children}))
}

/// The tick of each first start and last end, by instance.
fn times(engine: &Engine, step: InstanceId) -> (Option<u64>, Option<u64>) {
    let events = &engine.recording().events;
    let started = events.iter().find(|event| event.what == What::Started(step)).map(|event| event.tick);
    let ends = |event: &&Event| matches!(event.what, What::Ended { step: ended, .. } if ended == step);
    (started, events.iter().rev().find(ends).map(|event| event.tick))
}

fn automatic() -> Command {
    Command { id: 0, what: Control::Automatic { on: true } }
}

fn input_at(tick: usize, edits: Vec<EditBatch>) -> TickInput {
    let commands = if tick == 0 { vec![automatic()] } else { Vec::new() };
    TickInput { time_ns: tick as i64 * testkit::TICK_NS, edits, commands, ..TickInput::default() }
}

fn nobody_starts_earlier(tree: &Json, at: usize, change: &ChangePlan) -> Result<(), String> {
    let files = [("main.json".to_owned(), tree.clone())];
    let (mut plain, mut edited) = (engine(&files), engine(&files));
    let mut waiting = Vec::new();
    for tick in 0..3 * TICKS {
        plain.tick(&input_at(tick, Vec::new()));
        let mut edits = Vec::new();
        if tick == at {
            waiting = edited.waiting();
            let edit: Edit = change.edit(edited.library(), &mut 0);
            edits.push(EditBatch { id: 1, edits: vec![edit], by: None });
        }
        edited.tick(&input_at(tick, edits));
    }
    // Moved into what it waits for, it cannot wait for that.
    waiting.retain(|(waiter, awaited)| !is_above(&edited, *awaited, *waiter));
    // What halts because it was moved out of its track has ended: who waited for it may start.
    let ends_alike = |awaited: InstanceId| times(&plain, awaited).1 == times(&edited, awaited).1;
    let freed: Vec<InstanceId> =
        waiting.iter().filter(|(_, awaited)| !ends_alike(*awaited)).map(|(waiter, _)| *waiter).collect();
    waiting.retain(|(waiter, _)| !freed.contains(waiter));
    for (waiter, _) in waiting {
        let (before, now) = (times(&plain, waiter).0, times(&edited, waiter).0);
        // A catch that is moved out of its fallback starts, though it was not needed where it was.
        if now.zip(before).is_some_and(|(now, before)| now < before) {
            let trace = testkit::trace(&edited, &[]);
            return Err(format!("`{}` started in tick {now:?}, not in {before:?}\n{trace}", edited.label_of(waiter)));
        }
    }
    Ok(())
}

fn started_in(engine: &Engine, tick: u64) -> Option<InstanceId> {
    let started = |event: &Event| match event.what {
        What::Started(step) if event.tick == tick => Some(step),
        _ => None,
    };
    engine.recording().events.iter().find_map(started)
}

/// What comes to rest.
fn halting(engine: &Engine) -> Vec<InstanceId> {
    let mut running = engine.running();
    let status = |step: &InstanceId| engine.step_view(&engine.instance_of_id(*step)).map(|view| view.status);
    running.retain(|step| status(step) == Some(StepStatus::Halting));
    running
}

fn an_outsider_starts_nothing(files: &[(String, Json)], at: usize, changes: &[ChangePlan]) -> Result<(), String> {
    let (mut plain, mut edited) = (engine(files), engine(files));
    for tick in 0..at {
        plain.tick(&input_at(tick, Vec::new()));
        edited.tick(&input_at(tick, Vec::new()));
    }
    let mut next_id = 0;
    let edits = changes.iter().map(|change| change.edit(edited.library(), &mut next_id)).collect();
    let by = Some(Editor { name: "Bob".into(), in_control: false });
    let halted = halting(&plain);
    plain.tick(&input_at(at, Vec::new()));
    edited.tick(&input_at(at, vec![EditBatch { id: 1, edits, by }]));
    edited.check_invariants()?;
    let moves = |event: &Event| matches!(event.what, What::Started(_) | What::Ended { .. });
    let tick = at as u64 + 1;
    let begins_to_halt = halting(&plain).iter().any(|step| !halted.contains(step));
    if begins_to_halt || plain.recording().events.iter().any(|event| event.tick == tick && moves(event)) {
        // Something went on without the edit: what that leads to runs in its turn, wherever it was put.
        return Ok(());
    }
    match started_in(&edited, tick) {
        Some(step) => {
            let trace = testkit::trace(&edited, &[]);
            Err(format!("an edit of Bob started `{}` in tick {at}\n{trace}", edited.label_of(step)))
        }
        None => Ok(()),
    }
}

fn is_steady(files: &[(String, Json)]) -> bool {
    !files.iter().any(|(_, json)| json.to_string().contains("random()"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn who_waits_for_a_running_step_waits_until_it_has_ended(files in files(), script in input_script(TICKS)) {
        let kept = waits_are_kept(&files, &inserts_and_moves(script));
        prop_assert!(kept.is_ok(), "{}", kept.err().unwrap_or_default());
    }

    #[test]
    fn no_insert_and_no_move_lets_who_waits_start_earlier(
        tree in calm_tree(), at in 1..12_usize, change in change().prop_filter("an insert or a move", puts),
    ) {
        let kept = nobody_starts_earlier(&tree, at, &change);
        prop_assert!(kept.is_ok(), "{}", kept.err().unwrap_or_default());
    }

    #[test]
    fn who_is_not_in_control_starts_nothing_by_an_edit(
        files in files().prop_filter("nothing at random", |files| is_steady(files)), at in 1..12_usize,
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let held = an_outsider_starts_nothing(&files, at, &changes);
        prop_assert!(held.is_ok(), "{}", held.err().unwrap_or_default());
    }
}
