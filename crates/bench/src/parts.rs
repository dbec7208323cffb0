//! What of a tree takes memory in the processes: `./dev bench memory`.

use std::sync::Arc;

use engine::{Engine, Options};
use model::Edit;
use model::file::MemoryFiles;
use replica::{Peer, Replica};
use server::{Folder, Nowhere, Operator, Setup, Tokens};

use crate::{memory, trees};

const NODES: usize = 10_000;

/// What is made, and the bytes a node that stay with it.
fn measured<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let before = memory::bytes();
    let made = make();
    (made, (memory::bytes() as f64 - before as f64) / NODES as f64)
}

fn row(what: &str, bytes: f64) {
    println!("| {what} | {bytes:.0} |");
}

pub fn run() {
    let line = r#"{"type": "wait", "name": "step {i}", "duration_s": 1, "retry": 2, "notes": "as in the plan"}"#;
    let text = trees::file(&trees::repeated(NODES - 1, line), "{}");
    let registry = nodes::registry();
    let peer = |number| Peer { number, name: "bench".into() };
    println!("Bytes a node that stay, of {NODES} nodes; each row is beside those above it.\n");
    println!("| what | bytes a node |");
    println!("|---|---|");
    let (library, of_library) = measured(|| {
        let files = MemoryFiles::from([("main.json", text.as_str())]);
        model::file::load("main.json", &files, registry.catalogue()).expect("a tree").library
    });
    row("the tree as loaded", of_library);
    let (copy, bytes) = measured(|| library.clone());
    row("a copy of it", bytes);
    let (engine, of_engine) = measured(|| Engine::new(copy, Arc::clone(&registry), &Options::default()));
    row("the engine, ready to run", of_engine);
    let (mut replica, of_replica) = measured(|| Replica::from_library(&library, peer(1), 1).expect("a tree"));
    row("a copy of the shared tree", of_replica);
    // As the operator of a demo does: it has the tree that it gave the robot.
    let join = || Replica::from_genesis_beside(replica.genesis_bytes(), peer(2), &library).expect("just made");
    let (joined, of_joined) = measured(join);
    row("another that joined, with its tree", of_joined);
    // Whoever edits the places of nodes has to have them all at hand.
    let first = library.main().node(library.main().root).children[0];
    let edit = Edit::Rename { node: first, name: "renamed".into() };
    let (_, of_edit) = measured(|| replica.record(&[edit], 1).expect("an edit"));
    row("the shared tree, more after a first name was edited", of_edit);
    let edit = Edit::Move { node: first, parent: library.main().root, index: 5 };
    let (_, of_edit) = measured(|| replica.record(&[edit], 2).expect("an edit"));
    row("the shared tree, more after a first step was moved", of_edit);
    let (_, of_reading) = measured(|| drop(replica.library()));
    row("the shared tree, more after it was read whole", of_reading);
    let folder = std::env::temp_dir().join(format!("coact-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("main.json"), &text).expect("a file");
    let (operator, of_operator) = measured(|| {
        let store = Folder::new(&folder);
        let library = library.clone();
        let setup = Setup {
            registry: Arc::clone(&registry),
            store: Box::new(store),
            tokens: Tokens::default(),
            peer: peer(3),
            library,
            robot: None,
            outbox: Box::new(Nowhere(3)),
            has_link: false,
            simulated: true,
            scenes: Vec::new(),
            budget_bytes: None,
            narrow: false,
            recordings: None,
            trials: None,
            workshop: None,
            meshes: None,
        };
        Operator::new(setup).expect("a tree")
    });
    row("an operator process with the tree as loaded", of_operator);
    let _ = std::fs::remove_dir_all(&folder);
    drop((engine, replica, joined, operator));
}
