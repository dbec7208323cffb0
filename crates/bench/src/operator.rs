//! What an edit through the API costs the thread of the operator process, and the bytes that each of its clients gets.

use std::path::PathBuf;
use std::time::Instant;

use model::file::load;
use replica::Peer;
use serde_json::{Value as Json, json};
use server::{Effect, Folder, Frame, Now, Nowhere, Operator, SessionId, Setup, Tokens};

use crate::{memory, short, trees};

const ROUNDS: usize = 101;

struct Desk {
    operator: Operator,
    ann: SessionId,
    now: Now,
    last: u32,
    /// Bytes of the last `changed`.
    told: usize,
}

impl Desk {
    /// Alone with its tree: what goes to a robot and to disk is not measured here.
    fn new(folder: &PathBuf) -> Desk {
        let (registry, store) = (nodes::registry(), Folder::new(folder));
        let library = load("main.json", &store, registry.catalogue()).expect("just written").library;
        let setup = Setup {
            registry,
            store: Box::new(store),
            tokens: Tokens::default(),
            peer: Peer { number: 7, name: "bench".into() },
            library,
            robot: None,
            outbox: Box::new(Nowhere(7)),
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
        let mut operator = Operator::new(setup).expect("a tree");
        let now = Now { ns: 1_000_000_000, wall_ms: 1_700_000_000_000 };
        let ann = operator.join(now, true, false).expect("there is room");
        let mut desk = Desk { operator, ann, now, last: 0, told: 0 };
        desk.ask(json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}));
        desk
    }

    /// The answer, and the microseconds until it was there.
    fn ask(&mut self, mut ask: Json) -> (Json, f64) {
        self.last += 1;
        ask["id"] = json!(self.last);
        // Nobody asks more often than is allowed.
        self.now.ns += 10_000_000;
        let text = ask.to_string();
        let begin = Instant::now();
        self.operator.text(self.now, self.ann, &text);
        let took_us = begin.elapsed().as_secs_f64() * 1e6;
        let mut answer = Json::Null;
        for effect in self.operator.take_effects() {
            match effect {
                Effect::Send { to, frame } => {
                    self.operator.sent(self.now, to, frame.len());
                    let Frame::Text(text) = frame else { continue };
                    if text.starts_with("{\"push\":\"changed\"") {
                        self.told = text.len();
                    } else if text.starts_with("{\"reply\"") {
                        answer = serde_json::from_str(&text).expect("JSON");
                    }
                }
                Effect::Work(work) => self.operator.done(self.now, work.run()),
                _ => {}
            }
        }
        assert!(answer.get("error").is_none(), "{ask}: {answer}");
        (answer["ok"].take(), took_us)
    }

    /// Medians of microseconds and of bytes to a client.
    fn measure(&mut self, rounds: usize, operation: impl Fn(usize) -> Json) -> String {
        let (mut took, mut told) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let edit = json!({"ask": "edit", "operation": operation(round)});
            took.push(self.ask(edit).1);
            told.push(self.told as f64);
        }
        format!("{} | {}", short(median(took)), median(told))
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub fn run() {
    println!("| nodes | open ms | bytes a node here | document ms | edit | µs | bytes to a client |");
    println!("|---|---|---|---|---|---|---|");
    let folder = std::env::temp_dir().join(format!("coact-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for nodes in [100, 1_000, 10_000, 50_000] {
        let line = r#"{"type": "wait", "name": "step {i}", "duration_s": 1, "retry": 2, "notes": "as in the plan"}"#;
        let fallback =
            r#"{"type": "fallback", "name": "either", "children": [{"type": "wait", "name": "one", "duration_s": 1}]}"#;
        let text = trees::file(&format!("{fallback},\n{}", trees::repeated(nodes - 3, line)), "{}");
        std::fs::write(folder.join("main.json"), text).expect("a file");
        let (before, begin) = (memory::bytes(), Instant::now());
        let mut desk = Desk::new(&folder);
        let open_ms = begin.elapsed().as_secs_f64() * 1e3;
        let bytes = (memory::bytes() - before) as f64 / nodes as f64;
        let (document, document_us) = desk.ask(json!({"ask": "document"}));
        let ids: Vec<String> = document["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|node| node["id"].as_str().expect("an id").to_owned())
            .collect();
        let (root, steps) = (&ids[0], &ids[3..]);
        let step = |round: usize| &steps[round * 7 % steps.len()];
        let head = format!("{nodes} | {} | {bytes:.0} | {}", short(open_ms), short(document_us / 1e3));
        let set = desk
            .measure(ROUNDS, |round| json!({"do": "set", "node": step(round), "settings": {"duration_s": round + 2}}));
        println!("| {head} | a field | {set} |");
        let name =
            desk.measure(ROUNDS, |round| json!({"do": "rename", "node": step(round), "name": format!("new {round}")}));
        println!("| | | | | a name | {name} |");
        let add = desk.measure(ROUNDS, |round| json!({"do": "add", "parent": root, "index": round * 7 % steps.len(), "kind": "wait", "name": "new"}));
        println!("| | | | | a new step | {add} |");
        let moved = desk.measure(
            ROUNDS,
            |round| json!({"do": "move", "nodes": [step(round)], "parent": root, "index": steps.len() / 2}),
        );
        println!("| | | | | a move | {moved} |");
        let deleted = desk.measure(ROUNDS.min(steps.len()), |round| json!({"do": "delete", "nodes": [&steps[round]]}));
        println!("| | | | | a deletion | {deleted} |");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
