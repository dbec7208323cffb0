//! Changes that no replica makes, found by `./dev fuzz`: refused, and whoever got them goes on with the tree it had.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use model::file::{MemoryFiles, load};
use model::{Edit, Library};
use replica::{Peer, Replica, ReplicaError};

/// As the target `changes` of `fuzz/src/wire.rs`, which the bytes are made for.
const TREE: &str = r#"{"version": 1, "name": "Main", "variables": {"n": 0}, "children": [
  {"type": "wait", "name": "First", "duration_s": 1},
  {"type": "sequence", "name": "Group", "children": [{"type": "log", "name": "Say", "text": "hi"}]},
  {"type": "skill", "name": "Use", "file": "s.json", "inputs": {"x": "n + 1"}}]}"#;
const SKILL: &str =
    r#"{"version": 1, "inputs": {"x": {"default": 1}}, "children": [{"type": "wait", "duration_s": 2}]}"#;

/// A move whose target Loro looks for and does not find: its own assertion ends the process, where nobody catches it.
const KILLS_LORO: &str = include_str!("fixtures/kills-loro.hex");

fn library() -> Library {
    let files = MemoryFiles::from([("main.json", TREE), ("s.json", SKILL)]);
    load("main.json", &files, testkit::registry().catalogue()).unwrap().library
}

fn peer(number: u64) -> Peer {
    Peer { number, name: "Ann".into() }
}

fn bytes(line: &str) -> Vec<u8> {
    let digits: Vec<u8> = line.bytes().filter_map(|digit| char::from(digit).to_digit(16)).map(|it| it as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

#[test]
fn what_kills_loro_kills_nobody_else() {
    let mut library = library();
    let mut replica = Replica::from_library(&library, peer(9), 1).unwrap();
    let mut begun = None;
    for update in KILLS_LORO.lines().map(bytes) {
        if begun.is_some() {
            break;
        }
        let before = replica.version();
        match replica.merge(&update, &library) {
            Ok(merged) => drop(library.apply_all(&merged.edits).unwrap()),
            Err(error) => {
                assert!(matches!(error, ReplicaError::Damaged(_)), "{error}");
                begun = replica.back_to(&before, &library).unwrap();
            }
        }
        replica.check_invariants().unwrap();
    }
    let new = begun.expect("the bytes kill this Loro: with another version take others that do");
    assert_eq!((new.epoch, replica.epoch()), (2, 2));
    // Whoever has the same begins the same epoch, and both go on.
    let (other, theirs) = Replica::from_genesis(replica.genesis_bytes(), peer(8)).unwrap();
    assert_eq!(other.epoch(), 2);
    let main = library.main();
    let node = main.node(main.root).children[0];
    let edits = [Edit::Rename { node, name: "Still here".into() }];
    library.apply_all(&edits).unwrap();
    let update = replica.record(&edits, 0).unwrap();
    let mut other = other;
    let merged = other.merge(&update, &theirs).unwrap();
    assert_eq!(merged.edits, edits);
}
