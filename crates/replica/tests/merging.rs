//! Two people, one tree: what each case comes to.

use crate::kit;

use kit::{join, texts};
use model::Edit;
use replica::{Fate, Part};

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

/// Of two neighbours that have changed places the edit says which was moved: an engine treats a step that was moved
/// otherwise than one that stayed.
#[test]
fn a_move_is_a_move_of_the_same_node() {
    for (name, index) in [("A", 2), ("B", 0)] {
        let (mut anna, mut bob) = join("sequence\n  wait A\n  wait B\n  wait C\n");
        let (root, moved) = (anna.document.library().main().root, anna.find(name));
        anna.edit(|document| document.move_to(&[moved], root, index));
        let merged = bob.take(&anna.sent.remove(0));
        assert!(matches!(merged.edits[..], [Edit::Move { node, .. }] if node == moved), "{name}: {merged:?}");
        assert_eq!(merged.authors, ["Anna".into()]);
        assert_eq!(texts(&anna), texts(&bob));
    }
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

#[test]
fn moves_into_each_other_make_no_circle_and_are_told() {
    let (mut anna, mut bob) = join("sequence\n  sequence A\n  sequence B\n");
    let (a, b) = (anna.find("A"), anna.find("B"));
    anna.edit(|document| document.move_to(&[a], b, 0));
    bob.edit(|document| document.move_to(&[b], a, 0));
    let (from_anna, from_bob) = (anna.sent.remove(0), bob.sent.remove(0));
    let (told_bob, told_anna) = (bob.take(&from_anna).notices, anna.take(&from_bob).notices);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.names().len(), 2);
    assert_eq!(told_anna, told_bob);
    assert_eq!(told_anna.len(), 1);
    assert_eq!(told_anna[0].fate, Fate::Circle);
    assert!(told_anna[0].to_string().contains("Anna") && told_anna[0].to_string().contains("Bob"), "{}", told_anna[0]);
}

#[test]
fn deletion_against_a_change_is_told_to_both() {
    let (mut anna, mut bob) = join("sequence\n  sequence K\n    wait A\n");
    let (k, a) = (anna.find("K"), anna.find("A"));
    anna.edit(|document| document.delete(&[k]));
    bob.edit(|document| document.set(a, "duration_s", 9.into()));
    let (from_anna, from_bob) = (anna.sent.remove(0), bob.sent.remove(0));
    let (told_bob, told_anna) = (bob.take(&from_anna).notices, anna.take(&from_bob).notices);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(told_anna, told_bob);
    assert_eq!(told_anna[0].to_string(), "Anna deleted `A` while Bob changed its `duration_s`");
}

#[test]
fn of_two_values_one_stands_and_the_other_is_told() {
    let (mut anna, mut bob) = join("sequence\n  wait A duration_s=1\n");
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    bob.edit(|document| document.set(a, "duration_s", 3.into()));
    let (from_anna, from_bob) = (anna.sent.remove(0), bob.sent.remove(0));
    let (told_bob, told_anna) = (bob.take(&from_anna).notices, anna.take(&from_bob).notices);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(told_anna, told_bob);
    assert_eq!(told_anna[0].to_string(), "Anna's change of the `duration_s` of `A` gave way to Bob's");
}

#[test]
fn two_files_of_one_name_both_stay() {
    let (mut anna, mut bob) = join("sequence\n  sequence A\n    wait C\n  sequence B\n    wait D\n");
    let (a, b) = (anna.find("A"), anna.find("B"));
    anna.edit(|document| document.extract(a, "skill.json"));
    bob.edit(|document| document.extract(b, "skill.json"));
    let (from_anna, from_bob) = (anna.sent.remove(0), bob.sent.remove(0));
    let (told_bob, told_anna) = (bob.take(&from_anna).notices, anna.take(&from_bob).notices);
    assert_eq!(told_anna, told_bob);
    assert_eq!(told_anna[0].fate, Fate::Renamed);
    assert_eq!(texts(&anna), texts(&bob));
    let names: Vec<String> = texts(&anna).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["main.json", "skill-2.json", "skill.json"]);
    // And work in either goes on.
    let d = anna.find("D");
    anna.edit(|document| document.set(d, "duration_s", 4.into()));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
}

#[test]
fn a_skill_used_twice_is_edited_once() {
    let outline =
        "sequence\n  skill One file=s.json\n  skill Two file=s.json\n--- s.json\nsequence\n  wait A duration_s=1\n";
    let (mut anna, mut bob) = join(outline);
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    let merged = bob.take(&anna.sent.remove(0));
    assert_eq!(merged.edits.len(), 1);
    assert_eq!(texts(&anna), texts(&bob));
}

#[test]
fn variables_of_two_people_both_stand() {
    let (mut anna, mut bob) = join("sequence\n  wait A\n");
    let one = |name: &str| vec![(name.into(), 1.into())];
    anna.edit(|document| document.set_variables("main.json", one("x")));
    bob.edit(|document| document.set_variables("main.json", one("y")));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.document.library().main().header.variables.len(), 2);
}

#[test]
fn names_of_expressions_of_two_people_both_stand() {
    let (mut anna, mut bob) = join("sequence\n  wait A\n");
    let one = |name: &str| vec![(name.into(), "1 + 1".into())];
    anna.edit(|document| document.set_lets("main.json", one("x")));
    bob.edit(|document| document.set_lets("main.json", one("y")));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.document.library().main().header.lets.len(), 2);
}

#[test]
fn nesting_beyond_what_a_file_holds_is_flattened_and_told() {
    let (mut anna, mut bob) = join("sequence\n  sequence A\n  sequence B\n");
    let (a, b) = (anna.find("A"), anna.find("B"));
    let edits = anna.edit(|document| document.insert(a, 0, &chain(150)));
    let deepest = kit::deepest(&anna, document::created(&edits)[0]);
    kit::exchange(&mut anna, &mut bob);
    // Each can be done alone; together the nodes would lie 300 deep.
    anna.edit(|document| document.move_to(&[b], deepest, 0));
    bob.edit(|document| document.insert(b, 0, &chain(150)));
    let (from_anna, from_bob) = (anna.sent.remove(0), bob.sent.remove(0));
    let (told_bob, told_anna) = (bob.take(&from_anna).notices, anna.take(&from_bob).notices);
    assert_eq!(told_anna, told_bob);
    assert!(!told_anna.is_empty() && told_anna.iter().all(|notice| notice.fate == Fate::TooDeep), "{told_anna:?}");
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.names().len(), 304, "every node is there");
    kit::loads_again(&anna);
    // And work goes on.
    anna.edit(|document| document.move_to(&[b], document.library().main().root, 0));
    bob.edit(|document| document.set_notes(b, "deep"));
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
}

/// So many nodes below one another.
fn chain(length: usize) -> model::Subtree {
    let mut top = document::node("sequence", "");
    for _ in 0..length {
        let mut around = document::node("sequence", "");
        around.children.push(top);
        top = around;
    }
    top
}

#[test]
fn undo_leaves_what_others_did() {
    let (mut anna, mut bob) = join("sequence\n  wait A duration_s=1\n  wait B\n");
    let (a, root) = (anna.find("A"), anna.document.library().main().root);
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    kit::exchange(&mut anna, &mut bob);
    bob.edit(|document| document.set(a, "duration_s", 3.into()));
    kit::exchange(&mut anna, &mut bob);
    let undone = anna.document.undo().expect("there is a step");
    assert!(undone.edits.is_empty());
    assert_eq!(undone.kept[0].to_string(), "`A` stays: somebody changed it since");
    // An insert is taken back; what another put into it stays in its place.
    let edits = anna.edit(|document| document.insert(root, 1, &document::node("sequence", "Group")));
    let group = document::created(&edits)[0];
    kit::exchange(&mut anna, &mut bob);
    bob.edit(|document| document.insert(group, 0, &document::node("wait", "Inside")));
    kit::exchange(&mut anna, &mut bob);
    let undone = anna.document.undo().expect("there is a step");
    anna.record(&undone.edits);
    assert_eq!(undone.kept[0].to_string(), "`Inside` stays: somebody put it there");
    assert_eq!(anna.names(), ["A", "Inside", "B"]);
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    let redone = anna.document.redo().expect("it can be done again");
    anna.record(&redone.edits);
    kit::exchange(&mut anna, &mut bob);
    assert_eq!(texts(&anna), texts(&bob));
    assert_eq!(anna.find("Group"), group);
}

#[test]
fn history_says_who_changed_what_and_when() {
    let (mut anna, mut bob) = join("sequence\n  wait A\n");
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    kit::exchange(&mut anna, &mut bob);
    bob.clock_s += 100;
    bob.edit(|document| document.rename(a, "B"));
    kit::exchange(&mut anna, &mut bob);
    let history = anna.replica.history(10);
    assert_eq!(history, bob.replica.history(10));
    assert_eq!(history.len(), 2);
    assert_eq!((&*history[0].who, &history[0].touched[..]), ("Anna", &[(a, Part::Setting("duration_s".into()))][..]));
    assert_eq!((&*history[1].who, &history[1].touched[..]), ("Bob", &[(a, Part::Name)][..]));
    assert_eq!(history[1].when_s - history[0].when_s, 100);
}
