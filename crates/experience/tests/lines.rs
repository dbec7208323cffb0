//! What is kept is read again as it was; what somebody cut or changed is told, not used, and hides nothing else.

use experience::{Batch, Line, Shift, State, TaskName, WrongLine, read, write};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::toy::{Task, learned};

fn batches() -> Vec<Batch> {
    learned(Task::Tighten, 2.0)
}

fn text_of(batches: &[Batch]) -> String {
    batches.iter().map(|batch| write(&Line::Batch(Box::new(batch.clone())))).collect()
}

#[test]
fn what_is_written_is_read() {
    let batches = batches();
    let read = read(&text_of(&batches));
    assert_eq!(read.batches, batches);
    assert_eq!(read.wrong, []);
}

#[test]
fn a_shift_moves_its_trial_alone() {
    let mut batches = batches();
    batches.iter_mut().for_each(|batch| batch.placed = false);
    let shift = Shift { task: "valve".into(), trial: batches[0].trial, by: -100.0 };
    let read = read(&(text_of(&batches) + &write(&Line::Shift(shift))));
    let number = |batch: &Batch| batch.rows[0].1.number().unwrap();
    for (before, after) in batches.iter().zip(&read.batches) {
        let is_moved = before.trial == batches[0].trial;
        assert_eq!(after.placed, is_moved);
        assert_eq!(number(after) - number(before), if is_moved { -100.0 } else { 0.0 });
    }
    assert!(read.batches.iter().any(|batch| !batch.placed));
}

#[test]
fn what_was_changed_by_hand_is_told_with_its_line() {
    let batches = batches();
    let text = text_of(&batches).replacen("\"max\":3.0", "\"max\":9.0", 1);
    let read = read(&text);
    assert_eq!(read.wrong, [WrongLine { line: 1, why: "it was changed by hand, or damaged" }]);
    assert_eq!(read.batches, batches[1..]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    /// Wherever it was cut: only the line of the cut is lost, and that is told.
    #[test]
    fn a_cut_loses_one_line(share in 0.0_f64..1.0) {
        let batches = batches();
        let text = text_of(&batches);
        let cut = (share * text.len() as f64) as usize;
        let read = read(&text[..cut]);
        let whole = text[..cut].matches('\n').count();
        let ends_with_line = text[..cut].is_empty() || text[..cut].ends_with('\n') || text[cut..].starts_with('\n');
        prop_assert_eq!(read.wrong.len(), usize::from(!ends_with_line));
        prop_assert!(read.batches.len() >= whole);
        prop_assert_eq!(&read.batches[..], &batches[..read.batches.len()]);
    }

    /// Whatever one byte becomes: no panic, and nothing that was not written.
    #[test]
    fn a_changed_byte_never_becomes_experience(place in any::<prop::sample::Index>(), byte in 0x20_u8..0x7f) {
        let batches = batches();
        let mut bytes = text_of(&batches).into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let read = read(&String::from_utf8(bytes).unwrap());
        prop_assert!(read.batches.iter().all(|batch| batches.contains(batch)));
    }
}

#[test]
fn names_lead_nowhere_else() {
    for name in
        ["", " ", "..", "../x", "/etc/x", "a/../../x", "a/../b", ".hidden", "a/.b/c", "a\\b", "a\nb", "a//b", "a "]
    {
        assert!(TaskName::new(name).is_err(), "{name:?}");
    }
    assert!(TaskName::new(&"x".repeat(300)).is_err());
    assert_eq!(TaskName::new("needle-valve/tighten").unwrap().file(), "needle-valve/tighten.jsonl");
    let told = TaskName::new("../x").unwrap_err().to_string();
    assert_eq!(
        told,
        "`../x` cannot name a task: write it as a file's name without its ending, as `needle-valve/tighten`"
    );
}

#[test]
fn a_state_may_have_a_name() {
    let mut batch = batches().remove(0);
    batch.rows.iter_mut().for_each(|row| row.1 = State::Named("pressed".into()));
    assert_eq!(read(&text_of(std::slice::from_ref(&batch))).batches, [batch]);
}
