//! Joining, starting again, and staying small.

use crate::kit;

use document::Document;
use kit::{join, peer, texts};
use model::Library;
use model::file::MemoryFiles;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use replica::{Overview, Replica, ReplicaError, Version};
use serde_json::Value as Json;
use testkit::random::{files, load_files};

/// Every behavior and skill of this repository, in one tree: what people wrote, not what a generator makes.
fn real_tree() -> Library {
    let repository = format!("{}/../..", env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["skills", "examples"] {
        list(std::path::Path::new(&repository).join(folder), &mut files);
    }
    files.sort();
    let mut children = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a listed file");
        let Ok(Json::Object(mut root)) = serde_json::from_str(&text) else { continue };
        if !root.contains_key("version") || !root.get("children").is_some_and(Json::is_array) {
            continue;
        }
        for key in ["version", "inputs", "outputs", "variables", "let", "cell", "capability"] {
            root.shift_remove(key);
        }
        root.entry("type").or_insert("sequence".into());
        children.push(Json::Object(root));
    }
    let text = serde_json::json!({"version": 1, "children": children}).to_string();
    let disk = MemoryFiles::from([("main.json", text)]);
    model::file::load("main.json", &disk, testkit::registry().catalogue()).expect("it opens").library
}

fn list(folder: std::path::PathBuf, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository").flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(path, files);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
}

fn count(library: &Library) -> usize {
    library.iter().map(|(_, tree)| tree.len()).sum()
}

#[test]
fn joining_takes_few_bytes_a_node() {
    let loaded = real_tree();
    // The same, put together in an editor: no id follows from its place.
    let mut document = Document::new(loaded.clone(), testkit::registry(), 9);
    let (root, tops) = (loaded.main().root, loaded.main().node(loaded.main().root).children.clone());
    for top in tops {
        document.insert(root, 0, &loaded.main().subtree(top)).expect("known types");
        document.delete(&[top]).expect("it is there");
    }
    for library in [&loaded, document.library()] {
        let replica = Replica::from_library(library, peer(1), 1).expect("a library");
        let (bytes, nodes) = (replica.genesis_bytes().len(), count(library));
        println!("{nodes} nodes, {bytes} bytes, {:.1} a node", bytes as f64 / nodes as f64);
        assert!(nodes >= 300, "a tree of {nodes} nodes");
        assert!(bytes <= 60 * nodes, "{bytes} bytes for {nodes} nodes");
    }
}

#[test]
fn who_has_the_tree_already_does_not_have_its_nodes_twice() {
    let library = real_tree();
    let replica = Replica::from_library(&library, peer(1), 1).expect("a library");
    let mut known = library.clone();
    let changed = library.main().root;
    let edit = model::Edit::Notes { node: changed, notes: "only here".into() };
    known.apply_all(&[edit]).expect("the root is there");
    let joined = Replica::from_genesis_beside(replica.genesis_bytes(), peer(2), &known).expect("just made");
    let (ours, theirs) = (known.main(), joined.1.main());
    assert_eq!(theirs, library.main());
    for id in theirs.walk(theirs.root) {
        let [ours, theirs] = [ours, theirs].map(|tree| tree.shared(id).expect("both have it"));
        assert_eq!(std::sync::Arc::ptr_eq(ours, theirs), id != changed, "{}", theirs.label());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn a_genesis_is_the_library(files in files()) {
        let library = load_files(&files).library;
        let replica = Replica::from_library(&library, peer(1), 7).expect("a library");
        let (joined, theirs) = Replica::from_genesis(replica.genesis_bytes(), peer(2)).expect("just made");
        prop_assert_eq!(joined.epoch(), 7);
        let trees = |library: &Library| library.iter().map(|(_, tree)| tree.clone()).collect::<Vec<_>>();
        prop_assert_eq!(trees(&library), trees(&theirs));
        prop_assert_eq!(trees(&joined.library()), trees(&theirs));
    }

    #[test]
    fn damaged_bytes_are_an_error(files in files(), at in any::<usize>(), bit in 0..8_u32, cut in any::<bool>()) {
        let library = load_files(&files).library;
        let mut replica = Replica::from_library(&library, peer(1), 1).expect("a library");
        let edit = model::Edit::Notes { node: library.main().root, notes: "noted".into() };
        let update = replica.record(&[edit], 5).expect("the root is there");
        let damage = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            if cut {
                bytes.truncate(at);
            }
            bytes
        };
        prop_assert!(Replica::from_bytes(&damage(&replica.to_bytes().expect("a replica")), peer(2)).is_err());
        prop_assert!(Replica::from_genesis(&damage(replica.genesis_bytes()), peer(2)).is_err());
        let (mut other, theirs) = Replica::from_genesis(replica.genesis_bytes(), peer(2)).expect("just made");
        prop_assert!(other.merge(&damage(&update), &theirs).is_err());
        prop_assert!(Overview::from_bytes(&damage(&Overview::of(&library, 2).to_bytes())).is_err());
        let _ = Version::from_bytes(&damage(&replica.version().to_bytes()));
        prop_assert!(!other.merge(&update, &theirs).expect("undamaged").edits.is_empty());
    }
}

#[test]
fn an_overview_has_the_top_levels_with_their_ids() {
    let library = real_tree();
    let overview = Overview::from_bytes(&Overview::of(&library, 1).to_bytes()).expect("just made");
    let (whole, top) = (library.main(), overview.library.main());
    assert_eq!(top.node(top.root).children, whole.node(whole.root).children);
    let hidden: u64 = whole.node(whole.root).children.iter().filter_map(|id| overview.hidden.get(id)).sum();
    assert_eq!(hidden as usize + top.len(), whole.len());
}

#[test]
fn a_peer_of_an_older_epoch_takes_the_new_tree_and_keeps_its_edits() {
    let (mut robot, mut anna) = join("sequence\n  wait A duration_s=1\n  wait B\n  sequence C\n    wait D\n");
    let (a, b, c, d) = (robot.find("A"), robot.find("B"), robot.find("C"), robot.find("D"));
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    kit::exchange(&mut robot, &mut anna);
    anna.replica.acknowledge(&robot.replica.version());
    // Anna is cut off and goes on; the robot's tree changes and begins a new epoch.
    anna.edit(|document| document.rename(b, "Bee"));
    anna.edit(|document| document.set(d, "duration_s", 9.into()));
    anna.edit(|document| document.set_variables("main.json", vec![("x".into(), 1.into())]));
    robot.edit(|document| document.delete(&[c]));
    robot.replica.next_epoch(robot.document.library()).expect("a new epoch");
    assert_eq!(robot.replica.operations(), 0);
    let late = anna.sent.remove(0);
    let refused = robot.replica.merge(&late, robot.document.library());
    assert_eq!(refused.err(), Some(ReplicaError::OtherEpoch { ours: 2, theirs: 1 }));
    let rebased = anna.replica.rebase(robot.replica.genesis_bytes(), anna.document.library()).expect("a newer epoch");
    anna.document.follow(&rebased.edits).expect("they apply");
    let updates: Vec<Vec<u8>> = anna.replica.unsent().iter().map(|unsent| unsent.update.clone()).collect();
    assert_eq!(updates.len(), 2);
    assert_eq!(rebased.lost.len(), 1, "the node is gone: {:?}", rebased.lost);
    anna.sent.clear();
    robot.sent.clear();
    updates.iter().for_each(|bytes| drop(robot.take(bytes)));
    assert_eq!(texts(&robot), texts(&anna));
    assert_eq!(robot.names(), ["A", "Bee"]);
    assert_eq!(robot.replica.history(9).len(), 4, "of the epoch before, too");
    // What is in the new tree already is not done twice.
    anna.edit(|document| document.duplicate(&[b]));
    kit::exchange(&mut robot, &mut anna);
    let new = robot.replica.next_epoch(robot.document.library()).expect("a new epoch");
    let rebased = anna.replica.advance(&new, anna.document.library()).expect("a newer epoch");
    assert_eq!((rebased.edits.len(), anna.replica.unsent().len(), rebased.lost.len()), (0, 0, 0));
    assert_eq!(anna.replica.genesis_bytes(), robot.replica.genesis_bytes(), "both have made the same beginning");
}

/// As where both edits are merged: what others put into a node that is deleted is not deleted with it.
#[test]
fn a_deletion_that_is_done_again_leaves_what_came_meanwhile() {
    let (mut robot, mut anna) = join(
        "sequence\n  sequence G\n    sequence H\n      wait A duration_s=1\n  wait B duration_s=1\n  wait C duration_s=1\n",
    );
    let (g, h, b, c) = (anna.find("G"), anna.find("H"), anna.find("B"), anna.find("C"));
    anna.edit(|document| document.delete(&[g]));
    robot.edit(|document| document.move_to(&[b], h, 0));
    robot.edit(|document| document.move_to(&[c], g, 1));
    robot.replica.next_epoch(robot.document.library()).expect("a new epoch");
    let rebased = anna.replica.rebase(robot.replica.genesis_bytes(), anna.document.library()).expect("a newer epoch");
    anna.document.follow(&rebased.edits).expect("they apply");
    assert_eq!(anna.names(), ["B", "C"]);
    assert_eq!(rebased.kept.iter().map(|kept| (kept.node, &*kept.by)).collect::<Vec<_>>(), {
        let mut kept = vec![(b, "Bob"), (c, "Bob")];
        kept.sort_unstable();
        kept
    });
    let update = anna.replica.unsent()[0].update.clone();
    robot.take(&update);
    assert_eq!(texts(&robot), texts(&anna));
}

#[test]
fn whoever_lacks_something_waits_and_gets_it() {
    let (mut anna, mut bob) = join("sequence\n  wait A duration_s=1\n");
    let a = anna.find("A");
    anna.edit(|document| document.set(a, "duration_s", 2.into()));
    let seen = anna.replica.version();
    anna.edit(|document| document.rename(a, "B"));
    let merged = bob.take(&anna.sent[1]);
    assert!(merged.pending && merged.edits.is_empty());
    assert!(!bob.replica.has(&seen));
    let missing = anna.replica.updates_since(&bob.replica.version()).expect("one epoch").expect("something");
    assert!(!bob.take(&missing).pending);
    assert!(bob.replica.has(&anna.replica.version()));
    assert_eq!(anna.replica.updates_since(&bob.replica.version()), Ok(None));
    assert_eq!(texts(&anna), texts(&bob));
}

#[test]
fn a_hundred_thousand_edits_stay_small() {
    const EDITS: u64 = 100_000;
    const EPOCH: u64 = 5_000;
    let (mut robot, mut anna) = join("sequence\n  wait A duration_s=1\n  wait B\n");
    let nodes = [robot.find("A"), robot.find("B")];
    let mut largest = 0;
    for number in 0..EDITS {
        let (node, field) = (nodes[number as usize % 2], "duration_s".into());
        let value = Some(model::Field::from_json((number % 977).into()));
        let edit = model::Edit::Set { node, field, value, at: None };
        anna.document.follow(std::slice::from_ref(&edit)).expect("the nodes are there");
        anna.record(&[edit]);
        robot.take(&anna.sent.pop().expect("just recorded"));
        anna.replica.acknowledge(&robot.replica.version());
        if robot.replica.operations() >= EPOCH {
            largest = largest.max(robot.replica.to_bytes().expect("a replica").len());
            let new = robot.replica.next_epoch(robot.document.library()).expect("a new epoch");
            let rebased = anna.replica.advance(&new, anna.document.library()).expect("a newer epoch");
            assert_eq!(rebased, replica::Rebased::default());
        }
    }
    assert_eq!(texts(&robot), texts(&anna));
    assert!(robot.replica.epoch() >= EDITS / EPOCH);
    assert!(largest < 400_000, "{largest} bytes");
    assert!(robot.replica.history(10_000).len() <= EPOCH as usize + 200);
}
