//! The reactive nodes of other behavior trees as guards: ReactiveSequence is `while`, ReactiveFallback is `until`,
//! ForceFailure is `end_as`, a precondition is what a guard does before the start. Against a small reading of what those
//! libraries do, over conditions by chance.

use engine::{Options, RunState, TickInput, Verdict};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use testkit::{TICK_NS, load};

/// What ends the action by itself, after so many ticks.
#[derive(Clone, Copy, Debug)]
struct Action {
    ticks: usize,
    succeeds: bool,
}

/// In which tick, how, and whether the action ever ran.
#[derive(Debug, PartialEq)]
struct Ended {
    tick: usize,
    verdict: Verdict,
    ran: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Running,
    Over(bool),
}

/// As BehaviorTree.CPP ticks it: conditions are ticked anew in each tick, left to right; the first child that decides
/// halts those behind it.
fn reference(task: Option<&[bool]>, safety: Option<&[bool]>, force_failure: bool, action: Action) -> Ended {
    let mut ran_for = 0;
    for tick in 0.. {
        let mut tick_action = || {
            ran_for += 1;
            if ran_for > action.ticks { Status::Over(action.succeeds) } else { Status::Running }
        };
        let reactive_sequence = |act: &mut dyn FnMut() -> Status| match safety {
            Some(holds) if !holds[tick] => Status::Over(false),
            _ => act(),
        };
        let reactive_fallback = |act: &mut dyn FnMut() -> Status| match task {
            Some(holds) if holds[tick] => Status::Over(true),
            _ => reactive_sequence(act),
        };
        if let Status::Over(is_good) = reactive_fallback(&mut tick_action) {
            let verdict = if is_good && !force_failure { Verdict::Success } else { Verdict::Failure };
            return Ended { tick, verdict, ran: ran_for > 0 };
        }
    }
    unreachable!("an action ends")
}

/// The same with guards: `until` around `while` around the action.
fn guarded(task: Option<&[bool]>, safety: Option<&[bool]>, force_failure: bool, action: Action) -> Ended {
    let until = if task.is_some() { "until=task" } else { "" };
    let while_ = if safety.is_some() { "while=safe" } else { "" };
    let end_as = if force_failure { "end_as=failure" } else { "" };
    let fails = if action.succeeds { "" } else { "fails_if=true" };
    // As long as a tick short of it: a step that was started is ticked at once.
    let duration_s = action.ticks as f64 * 0.1;
    ran(
        &format!(
            "
            sequence Root
              sequence Forced {end_as}
                sequence Fallback {until}
                  sequence Sequence {while_}
                    stand_in Action duration_s={duration_s} {fails}
            "
        ),
        task,
        safety,
    )
}

/// The same with an adaptive: the task is its condition, safety its strategy's.
fn adaptive(task: &[bool], safety: &[bool], action: Action) -> Ended {
    let fails = if action.succeeds { "" } else { "fails_if=true" };
    let duration_s = action.ticks as f64 * 0.1;
    ran(
        &format!(
            "
            sequence Root
              adaptive Task task=t max_attempts=1 done=[{{\"condition\":\"task\"}}]
                strategy Way conditions=[{{\"condition\":\"!safe\"}}]
                  stand_in Action duration_s={duration_s} {fails}
            "
        ),
        Some(task),
        Some(safety),
    )
}

fn ran(outline: &str, task: Option<&[bool]>, safety: Option<&[bool]>) -> Ended {
    let world = [("task", task), ("safe", safety)];
    let known = world.iter().filter_map(|(name, holds)| Some((*name, (*holds)?)));
    let world = known.clone().map(|(name, holds)| (name.into(), Some(holds[0].into()))).collect();
    let mut engine = load(outline, &Options { world, ..Options::default() });
    let automatic = engine::Command { id: 1, what: engine::Control::Automatic { on: true } };
    for tick in 0..200 {
        let signals = known.clone().map(|(name, holds)| (name.into(), holds[tick].into())).collect();
        let commands = if tick == 0 { vec![automatic.clone()] } else { Vec::new() };
        engine.tick(&TickInput { time_ns: tick as i64 * TICK_NS, signals, commands, ..TickInput::default() });
        if let RunState::Ended(end) = engine.run_state() {
            let verdict = end.verdict;
            return Ended { tick, verdict, ran: testkit::trace(&engine, &[]).contains("+ Action") };
        }
    }
    panic!("it does not end");
}

prop_compose! {
    fn truths()(often in 0.0_f64..1.0)(list in prop::collection::vec(prop::bool::weighted(often), 200)) -> Vec<bool> {
        list
    }
}

fn action() -> impl Strategy<Value = Action> {
    (0_usize..12, any::<bool>()).prop_map(|(ticks, succeeds)| Action { ticks, succeeds })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn reactive_nodes_are_guards(
        task in prop::option::of(truths()),
        safety in prop::option::of(truths()),
        force_failure in any::<bool>(),
        action in action(),
    ) {
        let (task, safety) = (task.as_deref(), safety.as_deref());
        prop_assert_eq!(guarded(task, safety, force_failure, action), reference(task, safety, force_failure, action));
    }

    /// One attempt of an adaptive is the paper's tree: the task before safety, safety before the strategy.
    #[test]
    fn an_attempt_is_the_fallback_of_the_paper(task in truths(), safety in truths(), action in action()) {
        let expected = reference(Some(&task), Some(&safety), false, action);
        let found = adaptive(&task, &safety, action);
        prop_assert_eq!((found.tick, found.verdict), (expected.tick, expected.verdict));
    }
}
