//! Rounds of load and of faults, and what is looked at after each.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use testkit::shaped::Dice;

use crate::client::Client;
use crate::crowd::{Books, Crowd, Where, lock, pause};
use crate::process::{Place, Process, Stored, stored, token};
use crate::relay::Relay;
use crate::table::Table;

const ROUND_S: f64 = 20.0;
const PATIENCE: Duration = Duration::from_secs(60);
/// When nothing more goes wrong, all trees are the same within this time.
const HEALING: Duration = Duration::from_secs(10);
/// Joins that one figure is made of: the fastest, so that the machine's other work is not in it.
const JOINS: usize = 3;
/// A block of a filesystem: what is smaller takes one, too.
const MORE_KB: f64 = 4.096;
/// So much later or sooner a process has its turn on a busy machine.
const MORE_MS: f64 = 20.0;
const OPERATORS: [&str; 3] = ["a", "b", "c"];

/// Everything that is looked at.
#[derive(Default)]
struct Figures {
    worst_mb: BTreeMap<&'static str, f64>,
    first_mb: BTreeMap<&'static str, f64>,
    lost: u64,
    differing: u64,
    meddled: u64,
    ended: u64,
    kills: u64,
    cuts: u64,
    rounds: u64,
    operator_join_ms: Vec<f64>,
    worst_load: f64,
    problems: Vec<String>,
    taken_back: Vec<String>,
    /// Of this round, to trace what is lost.
    faults: Vec<String>,
    began: Option<Instant>,
}

struct Soak {
    place: Place,
    robot_address: std::net::SocketAddr,
    robot: Option<Process>,
    line: Relay,
    operators: BTreeMap<&'static str, Process>,
    at: Arc<Where>,
    books: Arc<Books>,
    figures: Figures,
    dice: Dice,
    first_audit: Option<String>,
}

pub fn run(minutes: f64, seed: u64) -> Table {
    let folder = std::env::temp_dir().join(format!("coact-soak-{}", std::process::id()));
    let mut soak = Soak::begin(Place::new(folder.clone()), seed);
    let total_s = minutes * 60.0;
    let rounds = ((total_s / ROUND_S) as u64).max(3);
    println!("soak of {minutes} minutes, seed {seed}: {rounds} rounds in {}", folder.display());
    for round in 1..=rounds {
        // In the last third the robot lives on, so that what it gathers is seen.
        soak.round(round, total_s / rounds as f64, round * 3 <= rounds * 2);
    }
    let table = soak.judge();
    if table.is_kept() {
        drop(soak);
        let _ = std::fs::remove_dir_all(folder);
    } else {
        soak.figures.problems.iter().for_each(|problem| println!("- {problem}"));
        println!("logs and state are in {}", folder.display());
    }
    table
}

impl Soak {
    fn begin(place: Place, seed: u64) -> Soak {
        let robot = place.robot("127.0.0.1:0");
        let line = Relay::to(robot.address);
        let mut soak = Soak {
            robot_address: robot.address,
            place,
            robot: Some(robot),
            line,
            operators: BTreeMap::new(),
            at: Arc::default(),
            books: Arc::default(),
            figures: Figures::default(),
            dice: Dice::new(seed),
            first_audit: None,
        };
        for name in OPERATORS {
            soak.start_operator(name);
        }
        for name in OPERATORS {
            soak.client(name).unwrap();
        }
        soak.wait(2_000);
        soak.figures.first_mb = soak.memory();
        soak
    }

    fn start_operator(&mut self, name: &'static str) {
        let robot = if name == "b" { self.line.address } else { self.robot_address };
        let operator = self.place.operator(name, robot);
        lock(&self.at).insert(name, operator.address);
        self.operators.insert(name, operator);
    }

    fn note(&mut self, fault: &str) {
        let at_s = self.figures.began.map_or(0.0, |began| began.elapsed().as_secs_f64());
        self.figures.faults.push(format!("{at_s:.2} s {fault}"));
    }

    fn kill_operator(&mut self, name: &'static str) {
        self.note(&format!("{name} killed"));
        lock(&self.at).remove(name);
        self.operators.remove(name);
        self.figures.kills += 1;
    }

    fn memory(&self) -> BTreeMap<&'static str, f64> {
        let mut all: BTreeMap<&'static str, f64> =
            self.operators.iter().map(|(name, process)| (*name, process.memory_mb())).collect();
        all.extend(self.robot.as_ref().map(|robot| ("robot", robot.memory_mb())));
        all
    }

    /// Time passes, and memory is watched.
    fn wait(&mut self, ms: u64) {
        let until = Instant::now() + Duration::from_millis(ms);
        while Instant::now() < until {
            pause(100.min(ms));
            for (name, mb) in self.memory() {
                let worst = self.figures.worst_mb.entry(name).or_default();
                *worst = worst.max(mb);
            }
            let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
            let load = load.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
            self.figures.worst_load = self.figures.worst_load.max(load);
        }
    }

    fn round(&mut self, round: u64, seconds: f64, kills_robot: bool) {
        let (over, calm) = (AtomicBool::new(false), AtomicBool::new(true));
        let (at, books) = (Arc::clone(&self.at), Arc::clone(&self.books));
        (self.figures.faults, self.figures.began) = (Vec::new(), Some(Instant::now()));
        let [ann, bob, uma] = [0; 3].map(|_| self.dice.roll());
        let crowd = &Crowd { at: &at, books: &books, over: &over, calm: &calm };
        std::thread::scope(|scope| {
            scope.spawn(move || crowd.edit("Ann", "a", ann));
            scope.spawn(move || crowd.edit("Bob", "b", bob));
            scope.spawn(move || crowd.dither("Uma", "a", uma));
            scope.spawn(move || crowd.lead("Sue", "a"));
            scope.spawn(move || crowd.meddle("Olga", "a", false));
            scope.spawn(move || crowd.meddle("Guest", "c", true));
            scope.spawn(move || crowd.visit("Judge", "b"));
            scope.spawn(move || crowd.clog("a"));
            self.wait((seconds * 500.0) as u64);
            calm.store(false, Ordering::Relaxed);
            self.faults(seconds / 2.0, kills_robot);
            over.store(true, Ordering::Relaxed);
        });
        self.figures.rounds += 1;
        self.look(round);
    }

    /// Some of what may happen to processes and lines, one after another.
    fn faults(&mut self, seconds: f64, kills_robot: bool) {
        let until = Instant::now() + Duration::from_secs_f64(seconds);
        while Instant::now() < until {
            let name = OPERATORS[self.dice.below(3) as usize];
            match self.dice.below(4) {
                0 => {
                    self.figures.cuts += 1;
                    self.note("line of b cut");
                    self.line.cut();
                    let dark_ms = 500 + self.dice.below(3_000);
                    self.wait(dark_ms);
                    self.line.mend();
                }
                1 if kills_robot => self.kill_robot_and_maybe(None),
                // Both at once: what was acknowledged is on the robot's disk alone.
                2 if kills_robot => self.kill_robot_and_maybe(Some(name)),
                _ => {
                    self.kill_operator(name);
                    let gone_ms = self.dice.below(1_000);
                    self.wait(gone_ms);
                    self.start_operator(name);
                }
            }
            let between_ms = 500 + self.dice.below(1_000);
            self.wait(between_ms);
        }
    }

    fn kill_robot_and_maybe(&mut self, operator: Option<&'static str>) {
        self.note("robot killed");
        self.robot = None;
        self.figures.kills += 1;
        operator.into_iter().for_each(|name| self.kill_operator(name));
        let gone_ms = self.dice.below(1_500);
        self.wait(gone_ms);
        self.robot = Some(self.place.robot(&self.robot_address.to_string()));
        operator.into_iter().for_each(|name| self.start_operator(name));
    }

    /// Somebody who looks, at this operator, when it has the robot's tree.
    fn client(&self, name: &str) -> Result<Client, String> {
        let address = lock(&self.at).get(name).copied().ok_or("it is not there")?;
        self.client_at(address)
    }

    fn client_at(&self, address: std::net::SocketAddr) -> Result<Client, String> {
        let until = Instant::now() + PATIENCE;
        let mut client = loop {
            match Client::join(address, &token("Judge"), Duration::from_secs(5)) {
                Ok(client) => break client,
                Err(why) if Instant::now() > until => return Err(why),
                Err(_) => pause(20),
            }
        };
        let is_there = |client: &Client| client.named("all").is_some();
        if client.until(PATIENCE, is_there)? { Ok(client) } else { Err("the robot's tree never came".to_owned()) }
    }

    /// The robot's tree, as an operator that knows nothing else gets it, and how long that took in ms.
    fn joined(&mut self, robot: std::net::SocketAddr) -> Result<(BTreeMap<String, Json>, f64), String> {
        let begun = Instant::now();
        let _ = std::fs::remove_dir_all(self.place.folder.join("d"));
        let operator = self.place.operator("d", robot);
        let client = self.client_at(operator.address)?;
        Ok((client.nodes, begun.elapsed().as_secs_f64() * 1e3))
    }

    /// After a round, when all has healed.
    fn look(&mut self, round: u64) {
        let processes = self.operators.values_mut().chain(&mut self.robot);
        let ended = processes.map(Process::has_ended).filter(|ended| *ended).count() as u64;
        self.figures.ended += ended;
        match self.equal_trees() {
            Err(why) => {
                self.figures.differing += 1;
                self.figures.problems.push(format!("round {round}: {why}"));
            }
            Ok(tree) => self.look_for_lost(round, &tree),
        }
        if self.first_audit.is_none() {
            self.first_audit = self.audit_lines().into_iter().find(|line| line.contains("\"Sue\""));
        }
        let edits: u64 = lock(&self.books.diaries).values().map(|diary| diary.edits).sum();
        let memory: Vec<String> = self.memory().iter().map(|(name, mb)| format!("{name} {mb:.1}")).collect();
        let stop_ms = lock(&self.books.stop).worst_ms();
        println!("round {round}: {edits} edits so far, worst stop {stop_ms:.0} ms, MB: {}", memory.join(", "));
    }

    /// The robot's tree, when everybody has the same.
    fn equal_trees(&mut self) -> Result<BTreeMap<String, Json>, String> {
        let until = Instant::now() + HEALING;
        loop {
            let (robots, join_ms) = self.joined(self.robot_address)?;
            self.figures.operator_join_ms.push(join_ms);
            let mut differing = Vec::new();
            for name in OPERATORS {
                let theirs = self.client(name)?.nodes;
                if theirs != robots {
                    differing.push(format!("{name} {}", difference(&theirs, &robots)));
                }
            }
            if differing.is_empty() {
                return Ok(robots);
            }
            if Instant::now() > until {
                return Err(format!("trees differ from the robot's: {}", differing.join("; ")));
            }
            self.wait(500);
        }
    }

    fn look_for_lost(&mut self, round: u64, tree: &BTreeMap<String, Json>) {
        let named = |name: &str| tree.values().find(|node| node["name"] == name);
        let mut lost = Vec::new();
        for (who, diary) in &mut *lock(&self.books.diaries) {
            let page = named(&format!("diary of {who}")).and_then(|node| node["settings"]["text"].as_str());
            let page: u64 = page.and_then(|text| text.parse().ok()).unwrap_or(0);
            if page < diary.acknowledged {
                lost.push(format!(
                    "{who} has page {page}, {}",
                    traced(&diary.lately, &format!("Page({})", diary.acknowledged))
                ));
                diary.acknowledged = page;
            }
            // Each counts once.
            diary.nodes.retain(|name, known| {
                let is_lost = *known && named(name).is_none();
                if is_lost {
                    lost.push(format!("not there: {}", traced(&diary.lately, name)));
                }
                !is_lost
            });
            let back = diary.taken_back.drain(..).map(|text| format!("{who} was told: {text}"));
            self.figures.taken_back.extend(back.map(|text| format!("round {round}: {text}")));
        }
        self.figures.lost += lost.len() as u64;
        let faults = self.figures.faults.join(", ");
        self.figures.problems.extend(lost.into_iter().map(|what| format!("round {round}: {what}; in it: {faults}")));
        let is_meddled = |node: &&Json| node["name"].as_str().is_some_and(|name| name.starts_with("meddled"));
        self.figures.meddled += tree.values().filter(is_meddled).count() as u64;
    }

    fn audit_lines(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.place.state()).into_iter().flatten().flatten();
        let audits = files.filter(|file| file.file_name().to_string_lossy().starts_with("audit"));
        let texts = audits.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    fn fastest_join(&mut self, robot: std::net::SocketAddr) -> f64 {
        let times = (0..JOINS).filter_map(|_| self.joined(robot).ok().map(|(_, ms)| ms));
        times.collect::<Vec<f64>>().into_iter().fold(f64::INFINITY, f64::min)
    }

    fn judge(&mut self) -> Table {
        self.wait(3_000);
        let (memory, disk) = (self.memory(), stored(&self.place.state()));
        let join_ms = self.fastest_join(self.robot_address);
        let audit_kept = self.first_audit.as_ref().is_some_and(|first| self.audit_lines().contains(first));
        let fresh = self.fresh();
        let mut table = Table::default();
        self.tell_load(&mut table);
        table.most("worst stop, answered", lock(&self.books.stop).worst_ms(), 250.0, "ms");
        table.most("worst control command, answered", lock(&self.books.control).worst_ms(), 250.0, "ms");
        let unanswered = lock(&self.books.stop).unanswered + lock(&self.books.control).unanswered;
        table.none("stops and commands never answered", unanswered);
        table.none("clients that could not join", lock(&self.books.client_join).unanswered);
        table.none("acknowledged edits lost", self.figures.lost);
        table.none("edits taken back from those who may edit", self.figures.taken_back.len() as u64);
        table.none("rounds after which trees differ", self.figures.differing);
        table
            .none("what observers got that they may not", lock(&self.books.wrongs).len() as u64 + self.figures.meddled);
        table.none("processes that ended by themselves", self.figures.ended);
        table.none("first line of the audit gone", u64::from(!audit_kept));
        for (name, like) in [("robot", "robot"), ("a", "operator"), ("b", "operator"), ("c", "operator")] {
            let mb = memory.get(name).copied().unwrap_or(0.0);
            table.like_fresh(&format!("memory of {name} at the end"), (mb, fresh.memory_mb[like]), 0.0, "MB");
        }
        let kb = |stored: Stored| stored.bytes as f64 / 1e3;
        table.like_fresh("state on disk, without the audit", (kb(disk), kb(fresh.disk)), MORE_KB, "kB");
        table.like_fresh("an operator joins", (join_ms, fresh.join_ms), MORE_MS, "ms");
        self.figures.problems.extend(self.figures.taken_back.iter().take(10).cloned());
        self.figures.problems.extend(lock(&self.books.wrongs).iter().take(10).cloned());
        self.tell_rest(&mut table, disk);
        table
    }

    fn tell_load(&self, table: &mut Table) {
        let diaries = lock(&self.books.diaries);
        let sum = |of: fn(&crate::crowd::Diary) -> u64| diaries.values().map(of).sum::<u64>();
        let (edits, known, back) =
            (sum(|each| each.edits), sum(|each| each.edits_acknowledged), sum(|each| each.pushed_back));
        table.tell("edits: done, acknowledged, pushed back", format!("{edits}, {known}, {back}"));
        let figures = &self.figures;
        table.tell("rounds, kills, cut lines", format!("{}, {}, {}", figures.rounds, figures.kills, figures.cuts));
        let refused = self.books.refused.load(Ordering::Relaxed);
        let sockets = self.books.sockets.load(Ordering::Relaxed);
        table.tell("asked by observers; sockets that clog", format!("{refused}; {sockets}"));
        let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
        table.tell("worst load of this machine", format!("{:.1} on {cores} cores", figures.worst_load));
    }

    fn tell_rest(&self, table: &mut Table, disk: Stored) {
        let (stop, control) = (lock(&self.books.stop), lock(&self.books.control));
        let counts = format!("{} and {}", stop.all_ms.len(), control.all_ms.len());
        let medians = format!("{:.1} and {:.1} ms of {counts}", stop.median_ms(), control.median_ms());
        table.tell("median stop and control command", medians);
        let joins = lock(&self.books.client_join);
        table.tell(
            "worst and median join of a client",
            format!("{:.0} and {:.0} ms", joins.worst_ms(), joins.median_ms()),
        );
        let worst_ms = self.figures.operator_join_ms.iter().copied().fold(0.0, f64::max);
        table.tell("worst join of an operator process", format!("{worst_ms:.0} ms"));
        for (name, worst) in &self.figures.worst_mb {
            let first = self.figures.first_mb.get(name).copied().unwrap_or(0.0);
            table.tell(&format!("memory of {name}: at the start, worst"), format!("{first:.1}, {worst:.1} MB"));
        }
        let audit = disk.audit_bytes as f64 / 1e3;
        table.tell("state folder of the robot", format!("{} files, audit {audit:.0} kB", disk.files));
    }

    /// The same tree on processes that have seen nothing else.
    fn fresh(&mut self) -> Fresh {
        let saved = self.save();
        let folder = self.place.folder.join("fresh");
        let place = Place::new(folder.clone());
        if let Some(text) = saved {
            std::fs::write(folder.join("behavior.json"), text).unwrap();
        }
        let robot = place.robot("127.0.0.1:0");
        let old = std::mem::replace(&mut self.place, place);
        let operators: Vec<Process> = OPERATORS.iter().map(|name| self.place.operator(name, robot.address)).collect();
        for operator in &operators {
            self.client_at(operator.address).unwrap();
        }
        self.wait(3_000);
        let operator_mb = operators.iter().map(Process::memory_mb).fold(0.0, f64::max);
        let memory_mb = BTreeMap::from([("robot", robot.memory_mb()), ("operator", operator_mb)]);
        let disk = stored(&self.place.state());
        let join_ms = self.fastest_join(robot.address);
        self.place = old;
        Fresh { memory_mb, disk, join_ms }
    }

    /// As the robot has it.
    fn save(&mut self) -> Option<String> {
        let address = lock(&self.at).get("a").copied()?;
        let mut client = Client::join(address, &token("Sue"), PATIENCE).ok()?;
        client.ok(serde_json::json!({"ask": "save", "overwrite": true}), PATIENCE).ok()?;
        std::fs::read_to_string(self.place.folder.join("a").join("behavior.json")).ok()
    }
}

struct Fresh {
    memory_mb: BTreeMap<&'static str, f64>,
    disk: Stored,
    join_ms: f64,
}

/// How and when something was acknowledged.
fn traced(lately: &VecDeque<(Instant, String)>, what: &str) -> String {
    let found = lately.iter().rev().find(|(_, text)| text.contains(what));
    let told = |(at, text): &(Instant, String)| format!("{text}, {:.2} s ago", at.elapsed().as_secs_f64());
    format!("acknowledged {}", found.map_or_else(|| format!("{what}, long ago"), told))
}

fn difference(theirs: &BTreeMap<String, Json>, robots: &BTreeMap<String, Json>) -> String {
    let name = |node: &Json| node["name"].as_str().unwrap_or_default().to_owned();
    let more: Vec<String> =
        theirs.iter().filter(|(id, _)| !robots.contains_key(*id)).map(|(_, node)| name(node)).collect();
    let less: Vec<String> =
        robots.iter().filter(|(id, _)| !theirs.contains_key(*id)).map(|(_, node)| name(node)).collect();
    let other = theirs.iter().filter(|(id, node)| robots.get(*id).is_some_and(|robots| robots != *node));
    let other: Vec<String> = other.map(|(_, node)| name(node)).collect();
    let few =
        |names: Vec<String>| format!("{} ({})", names.len(), names.into_iter().take(3).collect::<Vec<_>>().join(", "));
    format!("has {} more, {} less, {} otherwise", few(more), few(less), few(other))
}
