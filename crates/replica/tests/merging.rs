//! Two people, one tree: what each case comes to.

mod kit;

use kit::{join, texts};
use model::Edit;

#[test]
fn two_fields_of_one_node_both_stand() {
    let (mut anna, mut bob) = join("sequence\n  wait A duration_s=1\n");
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    bob.edit(|document| document.set(a, "retry", 3.into()));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert!(texts(&anna)[0].1.contains(r#""retry": 3, "duration_s": 2"#), "{:?}", texts(&anna));
}

#[test]
fn a_field_edit_is_one_edit_here_and_small_on_the_wire() {
    let (mut anna, mut bob) = join("sequence\n  wait A duration_s=1\n  wait B duration_s=1\n");
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    anna.edit(|document| document.set(a, "duration_s", 0.35.into()));
    let sent = anna.sent.pop().expect("an edit was recorded");
    assert!(sent.len() <= 110, "{} bytes", sent.len());
    bob.take(&anna.sent.pop().expect("two"));
    let merged = bob.take(&sent);
    assert!(matches!(merged.edits[..], [Edit::Set { .. }]), "{merged:?}");
}

#[test]
fn what_was_put_into_a_deleted_node_stays_in_its_place() {
    let (mut anna, mut bob) = join("sequence\n  sequence K\n    wait A\n  wait B\n  wait C\n");
    let (k, b) = (anna.find("K"), anna.find("B"));
    anna.edit(|document| document.delete(&[k]));
    bob.edit(|document| document.move_to(&[b], k, 0));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.names(), ["B", "C"]);
    anna.edit(|document| document.undo().map(|undone| undone.edits));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.names(), ["K", "A", "B", "C"]);
    assert_eq!(anna.find("K"), k, "undo brings the same id back");
}
