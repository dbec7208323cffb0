//! What is kept of attempts, and what becomes of it.

use std::sync::Arc;

use engine::{Engine, Options, RunState, TickInput};
use experience::{Batch, Line};
use testkit::{Script, TICK_NS, load};

const VALVE: &str = "
    adaptive Tighten task=valve state=angle state_known=known state_unknown=3600 window=[-20,0] goal=0 done=[{\"condition\":\"torque>=6\",\"state\":0}]
      strategy Low limits=[{\"sense\":\"torque\",\"max\":3}] nominal_s=44 overhead_s=32 stroke=180 on_complete=again records=Twist
        wait Grasp duration_s=0.2
        wait Twist duration_s=0.5
      strategy High limits=[{\"sense\":\"torque\",\"max\":8}] nominal_s=100 overhead_s=40 stroke=180 on_complete=again
        wait Lever duration_s=0.5
    @variables {\"angle\": 30, \"torque\": 1, \"known\": true}
";

struct Ran {
    engine: Engine,
    learned: Vec<Line>,
    trace: String,
}

fn run(script: &str, stored: &[Batch]) -> Ran {
    let mut engine = load(VALVE, &Options::default());
    let script = Script::parse(script);
    let (mut learned, mut time_ns) = (Vec::new(), 0);
    while time_ns <= 100 * TICK_NS {
        let (input, _) = script.input_at(time_ns, &engine);
        let experience = (time_ns == 0).then(|| Arc::new(stored.to_vec()));
        let output = engine.tick(&TickInput { time_ns, experience, ..input });
        learned.extend(output.learned.iter().cloned());
        if matches!(engine.run_state(), RunState::Ended(_)) && !script.has_input_after(time_ns) {
            break;
        }
        time_ns += TICK_NS;
    }
    let trace = testkit::trace(&engine, &[]);
    Ran { engine, learned, trace }
}

fn stored(lines: &[Line]) -> Vec<Batch> {
    experience::read(&lines.iter().map(experience::write).collect::<String>()).batches
}

/// Low meets its limit at 20 degrees, high does the rest.
const FIRST: &str = "0.4 set angle 20\n 0.4 set torque 4\n 0.8 set angle 1\n 0.8 set torque 7";

#[test]
fn what_a_run_has_shown_decides_the_next() {
    let first = run(FIRST, &[]);
    let chosen =
        |trace: &str| trace.lines().filter(|line| line.contains("chose `")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(chosen(&first.trace).len(), 2, "{}", first.trace);
    let kept = stored(&first.learned);
    assert_eq!(kept.len(), 2);
    // The part that is learned from, and where it ended.
    assert!(
        (kept[0].phases_s.approach - 0.2).abs() < 0.11 && kept[0].phases_s.manipulate > 0.0,
        "{:?}",
        kept[0].phases_s
    );
    assert_eq!(kept[0].rows.last().map(|row| (row.1.number(), row.2.clone())), Some((Some(19.0), vec![4.0])));
    assert_eq!(kept[1].rows.last().and_then(|row| row.1.number()), Some(0.0));
    let second = run("0.2 set torque 7", &kept);
    let line = chosen(&second.trace).remove(0);
    assert!(line.contains("chose `High` at 30: `Low` is not safe"), "{line}");
}

/// Where nobody knows the state, samples count from far away, and are moved when the end is found.
#[test]
fn the_end_places_what_counted_from_nowhere() {
    let ran = run(&format!("0 set known false\n{FIRST}"), &[]);
    let batches: Vec<&Batch> = ran
        .learned
        .iter()
        .filter_map(|line| match line {
            Line::Batch(batch) => Some(&**batch),
            _ => None,
        })
        .collect();
    assert!(batches.iter().all(|batch| !batch.placed));
    assert_eq!(batches[0].rows[0].1.number(), Some(3600.0));
    assert!(matches!(ran.learned.last(), Some(Line::Shift(_))), "{:?}", ran.learned);
    let placed = stored(&ran.learned);
    assert!(placed.iter().all(|batch| batch.placed));
    assert_eq!(placed[1].rows.last().and_then(|row| row.1.number()), Some(0.0));
    assert_eq!(placed[0].rows[0].1.number(), Some(29.0));
}

/// Nothing is learned from a run that a person forced, whatever was stored of it before.
#[test]
fn a_forced_run_is_forgotten() {
    let ran = run("0.4 set torque 4\n 0.5 set torque 1\n 0.7 force Lever success\n 0.9 set torque 7", &[]);
    assert!(matches!(ran.learned[0], Line::Batch(_)));
    assert!(matches!(ran.learned[1], Line::Forget(_)));
    assert_eq!(ran.learned.len(), 2, "{:?}", ran.learned);
    assert_eq!(stored(&ran.learned), []);
    let RunState::Ended(end) = ran.engine.run_state() else { panic!("it does not end") };
    assert_eq!(end.verdict, engine::Verdict::Success, "{}", ran.trace);
}

#[test]
fn what_is_of_others_is_told_and_not_used() {
    let first = run(FIRST, &[]);
    let mut kept = stored(&first.learned);
    kept.iter_mut().for_each(|batch| batch.robot = "another".into());
    let ran = run("0.3 set torque 7", &kept);
    assert!(ran.trace.contains("an attempt with `Low` not used: it is of another robot"), "{}", ran.trace);
    assert!(ran.trace.contains("chose `Low`"), "{}", ran.trace);
}

/// The same inputs, the same run: also with what is stored among them.
#[test]
fn experience_is_an_input() {
    let kept = stored(&run(FIRST, &[]).learned);
    let (one, other) = (run(FIRST, &kept), run(FIRST, &kept));
    assert_eq!(one.trace, other.trace);
    assert_eq!(one.learned, other.learned);
    assert_ne!(one.trace, run(FIRST, &[]).trace);
    let input = TickInput { experience: Some(Arc::new(kept)), ..TickInput::default() };
    let json = serde_json::to_string(&input).unwrap();
    assert_eq!(serde_json::from_str::<TickInput>(&json).unwrap(), input);
}
