//! What people do at the same time: edit at full speed, run and stop, come and go, and try what they may not.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use testkit::shaped::Dice;

use crate::client::Client;
use crate::process::token;

const PATIENCE: Duration = Duration::from_secs(20);
/// Requests of one editor that wait for an answer.
const OPEN: usize = 32;
/// Nodes of one editor's own: more are deleted again, so that the tree stays as large as it is.
const OWN: usize = 20;

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

pub fn pause(ms: u64) {
    #[expect(clippy::disallowed_methods, reason = "people and processes of the real world take their time")]
    std::thread::sleep(Duration::from_millis(ms));
}

/// Where the operators are now: they move when they are killed.
pub type Where = Mutex<BTreeMap<&'static str, SocketAddr>>;

/// How long things took, in ms.
#[derive(Default)]
pub struct Latency {
    pub all_ms: Vec<f64>,
    pub unanswered: u64,
}

impl Latency {
    pub fn worst_ms(&self) -> f64 {
        self.all_ms.iter().copied().fold(0.0, f64::max)
    }

    pub fn median_ms(&self) -> f64 {
        let mut all = self.all_ms.clone();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Acknowledgements that are remembered.
const LATELY: usize = 400;

/// What one editor did and was told.
#[derive(Default)]
pub struct Diary {
    pub written: u64,
    /// The newest page that the robot is said to have.
    pub acknowledged: u64,
    /// Own nodes by name: whether the robot is said to have them. Those deleted are not here.
    pub nodes: BTreeMap<String, bool>,
    /// What was acknowledged lately, and when: to trace what is lost.
    pub lately: VecDeque<(Instant, String)>,
    /// Edits that this person was told to be taken back, which nobody refuses them.
    pub taken_back: Vec<String>,
    pub edits: u64,
    pub edits_acknowledged: u64,
    pub pushed_back: u64,
}

#[derive(Default)]
pub struct Books {
    pub stop: Mutex<Latency>,
    pub control: Mutex<Latency>,
    pub client_join: Mutex<Latency>,
    pub diaries: Mutex<BTreeMap<&'static str, Diary>>,
    /// What an observer asked for and got.
    pub wrongs: Mutex<Vec<String>>,
    pub refused: std::sync::atomic::AtomicU64,
    pub sockets: std::sync::atomic::AtomicU64,
}

pub struct Crowd<'a> {
    pub at: &'a Where,
    pub books: &'a Books,
    pub over: &'a AtomicBool,
    /// Latencies count: the processes they go through are there.
    pub calm: &'a AtomicBool,
}

impl Crowd<'_> {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn join(&self, name: &str, operator: &'static str) -> Option<Client> {
        while !self.is_over() {
            let address = lock(self.at).get(operator).copied();
            if let Some(client) = address.and_then(|address| Client::join(address, &token(name), PATIENCE).ok()) {
                return Some(client);
            }
            pause(50);
        }
        None
    }

    /// Comes again whenever its operator was killed.
    pub fn stay(&self, name: &'static str, operator: &'static str, live: impl Fn(&mut Client) -> Result<(), String>) {
        while let Some(mut client) = self.join(name, operator) {
            if live(&mut client).is_ok() {
                return;
            }
        }
    }

    /// Writes one page after another, adds nodes and deletes them.
    pub fn edit(&self, name: &'static str, operator: &'static str, seed: u64) {
        let dice = Mutex::new(Dice::new(seed));
        self.stay(name, operator, |client| {
            let mut editor = Editor::default();
            while !self.is_over() {
                while editor.give(client, &mut lock(&dice), lock(&self.books.diaries).entry(name).or_default(), name)? {
                }
                client.listen()?;
                while client.listen()? {}
                editor.take(client, lock(&self.books.diaries).entry(name).or_default());
            }
            // What was answered in the last moment may still be acknowledged.
            let until = Instant::now() + Duration::from_secs(1);
            while Instant::now() < until {
                client.listen()?;
                editor.take(client, lock(&self.books.diaries).entry(name).or_default());
            }
            Ok(())
        });
    }

    /// Changes and takes back.
    pub fn dither(&self, name: &'static str, operator: &'static str, seed: u64) {
        let dice = Mutex::new(Dice::new(seed));
        self.stay(name, operator, |client| {
            while !self.is_over() {
                let [kind, group, notes] = [4, 30, 1_000].map(|limit| lock(&dice).below(limit));
                let ask = match (kind, client.id_of(&format!("group {group}"))) {
                    (0, _) => json!({"ask": "undo"}),
                    (1, _) => json!({"ask": "redo"}),
                    (_, Some(node)) => {
                        json!({"ask": "edit", "operation": {"do": "notes", "node": node, "notes": notes.to_string()}})
                    }
                    (_, None) => json!({"ask": "history", "most": 10}),
                };
                client.ask(ask, PATIENCE)?;
                pause(100);
            }
            Ok(())
        });
    }

    /// Takes control, runs, and stops, and measures how long each takes to be answered.
    pub fn lead(&self, name: &'static str, operator: &'static str) {
        self.stay(name, operator, |client| {
            client.until(PATIENCE, |client| client.link["quality"] == "good")?;
            while !self.is_over() {
                let run = json!({"ask": "run", "control": {"do": "automatic", "on": true}});
                let back = json!({"ask": "run", "control": {"do": "move_next", "by": -1000}});
                for (ask, latency) in [
                    (json!({"ask": "take_control"}), &self.books.control),
                    (back, &self.books.control),
                    (run, &self.books.control),
                    (json!({"ask": "stop"}), &self.books.stop),
                ] {
                    self.measure(client, ask, latency)?;
                    pause(40);
                }
            }
            Ok(())
        });
    }

    fn measure(&self, client: &mut Client, ask: Json, latency: &Mutex<Latency>) -> Result<(), String> {
        let calm = self.calm.load(Ordering::Relaxed);
        while client.listen()? {}
        let begun = Instant::now();
        let answered = client.ask(ask, Duration::from_secs(10));
        if !calm || !self.calm.load(Ordering::Relaxed) {
            return answered.map(drop);
        }
        let mut latency = lock(latency);
        match answered {
            Ok((at, _)) => latency.all_ms.push((at - begun).as_secs_f64() * 1e3),
            Err(why) => {
                latency.unanswered += 1;
                return Err(why);
            }
        }
        Ok(())
    }

    /// Tries everything that is not for an observer, and stops, which is.
    pub fn meddle(&self, name: &'static str, operator: &'static str, may_be_operator: bool) {
        self.stay(name, operator, |client| {
            let mut round: u64 = 0;
            while !self.is_over() {
                round += 1;
                let Some(node) = client.id_of("group 1") else { return Err("no tree yet".to_owned()) };
                let ask = match round % 4 {
                    0 => json!({"ask": "edit", "operation": {"do": "rename", "node": node, "name": "group 1"}}),
                    1 => json!({"ask": "take_control"}),
                    2 => json!({"ask": "run", "control": {"do": "automatic", "on": true}}),
                    _ => json!({"ask": "edit", "operation": {"do": "add", "parent": node, "index": 0, "kind": "log",
                        "name": format!("meddled {round}"), "settings": {}}}),
                };
                let (_, reply) = client.ask(ask.clone(), PATIENCE)?;
                self.books.refused.fetch_add(1, Ordering::Relaxed);
                // A person who may, at a key that may only look: an edit is judged by what becomes of it.
                let judged_later = may_be_operator && ask["ask"] == "edit";
                if reply.get("ok").is_some() && !judged_later {
                    lock(&self.books.wrongs).push(format!("{name}: {ask}: {reply}"));
                }
                if round.is_multiple_of(20) {
                    client.ask(json!({"ask": "stop"}), PATIENCE)?;
                }
                pause(20);
            }
            Ok(())
        });
    }

    /// Comes, looks and goes.
    pub fn visit(&self, name: &'static str, operator: &'static str) {
        while !self.is_over() {
            let calm = self.calm.load(Ordering::Relaxed);
            let address = lock(self.at).get(operator).copied();
            let begun = Instant::now();
            let joined = address.and_then(|address| Client::join(address, &token(name), PATIENCE).ok());
            if calm && self.calm.load(Ordering::Relaxed) && address.is_some() {
                let mut latency = lock(&self.books.client_join);
                match joined {
                    Some(_) => latency.all_ms.push(begun.elapsed().as_secs_f64() * 1e3),
                    None => latency.unanswered += 1,
                }
            }
            drop(joined);
            pause(200);
        }
    }

    /// Sockets that say nothing, and headers that never end.
    pub fn clog(&self, operator: &'static str) {
        let mut held: Vec<TcpStream> = Vec::new();
        while !self.is_over() {
            let address = lock(self.at).get(operator).copied();
            if let Some(mut stream) = address.and_then(|address| TcpStream::connect(address).ok()) {
                if held.len() % 2 == 1 {
                    let _ = stream.write_all(b"GET /api/v1 HTTP/1.1\r\nHost: 127");
                }
                held.push(stream);
                self.books.sockets.fetch_add(1, Ordering::Relaxed);
            }
            if held.len() > 200 {
                held.drain(..100);
            }
            pause(20);
        }
    }
}

#[derive(Debug)]
enum Given {
    Page(u64),
    Add(String),
    Delete,
}

/// One connection of an editor.
#[derive(Default)]
struct Editor {
    open: BTreeMap<u64, Given>,
    /// Answered, by version; the robot has it when it has that version.
    answered: Vec<(u64, Given)>,
    wait_until: Option<Instant>,
}

impl Editor {
    /// False: not now.
    fn give(&mut self, client: &mut Client, dice: &mut Dice, diary: &mut Diary, name: &str) -> Result<bool, String> {
        if self.open.len() >= OPEN || self.wait_until.is_some_and(|until| Instant::now() < until) {
            return Ok(false);
        }
        let own = self.own_nodes(client, name);
        let (operation, given) = match dice.below(10) {
            0 if own.len() < OWN => {
                let Some(parent) = client.id_of(&format!("group {}", dice.below(30))) else { return Ok(false) };
                diary.written += 1;
                let own = format!("{name}'s {}", diary.written);
                let add = json!({"do": "add", "parent": parent, "index": 0, "kind": "log", "name": own,
                    "settings": {"text": "here"}});
                (add, Given::Add(own))
            }
            0 => {
                let own = own[dice.below(own.len() as u64) as usize].clone();
                let Some(node) = client.id_of(&own) else { return Ok(false) };
                diary.nodes.remove(&own);
                (json!({"do": "delete", "nodes": [node]}), Given::Delete)
            }
            _ => {
                let Some(node) = client.id_of(&format!("diary of {name}")) else { return Ok(false) };
                diary.written += 1;
                let text = diary.written.to_string();
                (json!({"do": "set", "node": node, "settings": {"text": text}}), Given::Page(diary.written))
            }
        };
        let id = client.send(json!({"ask": "edit", "operation": operation}))?;
        self.open.insert(id, given);
        Ok(true)
    }

    /// Also those whose operator was killed before it answered: the tree must not grow with them.
    fn own_nodes(&self, client: &Client, name: &str) -> Vec<String> {
        let is_open = |own: &str| self.open.values().any(|given| matches!(given, Given::Add(name) if name == own));
        let names = client.nodes.values().filter_map(|node| node["name"].as_str());
        names.filter(|own| own.starts_with(&format!("{name}'s ")) && !is_open(own)).map(str::to_owned).collect()
    }

    fn take(&mut self, client: &mut Client, diary: &mut Diary) {
        let taken_back = |text: &String| text.contains("did not take your");
        diary.taken_back.extend(std::mem::take(&mut client.notices).into_iter().filter(taken_back));
        for (id, (_, reply)) in std::mem::take(&mut client.replies) {
            let Some(given) = self.open.remove(&id) else { continue };
            if reply["ok"]["is"] == "edited" {
                diary.edits += 1;
                if let Given::Add(name) = &given {
                    diary.nodes.insert(name.clone(), false);
                }
                self.answered.push((reply["ok"]["version"].as_u64().unwrap_or(u64::MAX), given));
            } else {
                diary.pushed_back += 1;
                self.wait_until = Some(Instant::now() + Duration::from_millis(20));
            }
        }
        let has = client.robot_has;
        let (known, open) = std::mem::take(&mut self.answered).into_iter().partition(|(version, _)| *version <= has);
        self.answered = open;
        let known: Vec<(u64, Given)> = known;
        for (version, given) in known {
            diary.edits_acknowledged += 1;
            let (what, now) = (format!("{given:?} as version {version} of {has}"), Instant::now());
            diary.lately.push_back((now, what));
            diary.lately.drain(..diary.lately.len().saturating_sub(LATELY));
            match given {
                Given::Page(page) => diary.acknowledged = diary.acknowledged.max(page),
                Given::Add(name) => {
                    if let Some(known) = diary.nodes.get_mut(&name) {
                        *known = true;
                    }
                }
                Given::Delete => {}
            }
        }
    }
}
