//! What sharing a tree costs: taking an edit over, merging it elsewhere, joining; and how many bytes each takes.

use std::hint::black_box;
use std::time::Instant;

use engine::Options;
use model::{Edit, Field, Library, NodeId};
use replica::{Peer, Replica};

use crate::{short, trees};

const ROUNDS: usize = 200;

struct Pair {
    here: (Replica, Library),
    there: (Replica, Library),
    clock_s: i64,
}

impl Pair {
    fn new(nodes: usize) -> (Pair, usize, f64) {
        let line = r#"{"type": "wait", "name": "step {i}", "duration_s": 1, "retry": 2, "notes": "as in the plan"}"#;
        let text = trees::file(&trees::repeated(nodes - 1, line), "{}");
        let library = trees::load(&text, &Options::default()).library().clone();
        let peer = |number| Peer { number, name: "bench".into() };
        let here = Replica::from_library(&library, peer(1), 1).expect("a library");
        let begin = Instant::now();
        let there = Replica::from_genesis(here.genesis_bytes(), peer(2)).expect("just made");
        let join_ns = begin.elapsed().as_nanos() as f64;
        let bytes = here.genesis_bytes().len();
        (Pair { here: (here, library), there, clock_s: 1_700_000_000 }, bytes, join_ns)
    }

    /// Nanoseconds to record it and to merge it elsewhere, and its bytes.
    fn share(&mut self, edit: Edit) -> (f64, f64, usize) {
        let (here, library) = &mut self.here;
        let edits = [edit];
        library.apply_all(&edits).expect("the nodes are there");
        self.clock_s += 1;
        let begin = Instant::now();
        let bytes = here.record(&edits, self.clock_s).expect("what a library took can be recorded");
        let record_ns = begin.elapsed().as_nanos() as f64;
        let (there, library) = &mut self.there;
        let begin = Instant::now();
        let merged = there.merge(&bytes, library).expect("it was recorded");
        let merge_ns = begin.elapsed().as_nanos() as f64;
        library.apply_all(&merged.edits).expect("merged edits apply");
        black_box(merged.notices.len());
        (record_ns, merge_ns, bytes.len())
    }

    fn nth(&self, index: usize) -> NodeId {
        let tree = self.here.1.main();
        let children = &tree.node(tree.root).children;
        children[index % children.len()]
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn row(pair: &mut Pair, edit: impl Fn(&Pair, usize) -> Edit) -> String {
    let (mut record, mut merge, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let edit = edit(pair, round);
        let (record_ns, merge_ns, size) = pair.share(edit);
        record.push(record_ns / 1e3);
        merge.push(merge_ns / 1e3);
        bytes.push(size as f64);
    }
    format!("{} | {} | {}", short(median(record)), short(median(merge)), median(bytes))
}

pub fn run() {
    println!("| nodes | join: bytes | bytes a node | ms | edit | record µs | merge µs | bytes |");
    println!("|---|---|---|---|---|---|---|---|");
    for nodes in [10, 100, 1_000, 10_000] {
        let (mut pair, bytes, join_ns) = Pair::new(nodes);
        let set = row(&mut pair, |pair, round| Edit::Set {
            node: pair.nth(round * 7),
            field: "duration_s".into(),
            value: Some(Field::from_json((round as f64 + 0.25).into())),
            at: None,
        });
        let moved = row(&mut pair, |pair, round| {
            let tree = pair.here.1.main();
            Edit::Move { node: pair.nth(round * 7), parent: tree.root, index: round % (tree.len() - 1) }
        });
        let join = format!("{bytes} | {:.1} | {}", bytes as f64 / nodes as f64, short(join_ns / 1e6));
        println!("| {nodes} | {join} | a field | {set} |");
        println!("| | | | | a move | {moved} |");
    }
}
