//! All of it together: time, what people do, what goes wrong, and what must be so at the end.

use std::collections::BTreeMap;

use link::{Allowed, Rank, SecretKey};
use model::file::{MemoryFiles, load, save};
use model::{Library, NodeId};
use protocol::Role;
use serde_json::{Value as Json, json};
use testkit::shaped::{Dice, MS, SECOND};

use super::books::{Asked, Books, Counts, Fact, Page};
use super::net::{Net, Way, Weather};
use super::onboard_life::{Disk, OnboardLife};
use super::people::{Kind, LOOKERS, Person, everybody, named, tokens, wish};
use super::station::Station;

const TICK_NS: u64 = 10 * MS;
const STATIONS: usize = 3;
/// Longer than any answer may take, and than an operator that is gone is waited for.
const HEALING_NS: u64 = 30 * SECOND;

/// Some steps to run, and a diary for each person.
pub fn library() -> Library {
    let diaries: Vec<Json> =
        everybody().iter().map(|person| json!({"type": "log", "name": person.diary_name(), "text": "0"})).collect();
    let text = json!({"version": 1, "type": "sequence", "name": "all", "children": [
        {"type": "wait", "name": "first", "duration_s": 0.5},
        {"type": "parallel", "name": "both", "children": [
            {"type": "wait", "name": "left", "duration_s": 0.4},
            {"type": "sequence", "name": "right", "children": [{"type": "wait", "name": "one", "duration_s": 0.3}]}]},
        {"type": "sequence", "name": "diaries", "children": diaries},
        {"type": "wait", "name": "last", "duration_s": 0.5}]});
    let files = MemoryFiles::from([("behavior.json", text.to_string().as_str())]);
    load("behavior.json", &files, nodes::registry().catalogue()).unwrap().library
}

/// Every file as it would be saved, and every node.
fn content(library: &Library) -> (BTreeMap<String, String>, Vec<NodeId>) {
    let registry = nodes::registry();
    let texts = library.iter().map(|(_, tree)| (tree.file.to_string(), save(tree, registry.catalogue())));
    let nodes = library.iter().flat_map(|(_, tree)| tree.walk(tree.root).collect::<Vec<_>>()).collect();
    (texts.collect(), nodes)
}

fn only_one_has(station: &BTreeMap<String, String>, robot: &BTreeMap<String, String>) -> String {
    let lines = |files: &BTreeMap<String, String>| -> Vec<String> {
        files.values().flat_map(|text| text.lines()).map(|line| line.trim().to_owned()).collect()
    };
    let (station, robot) = (lines(station), lines(robot));
    let without = |all: &[String], others: &[String]| -> Vec<String> {
        all.iter().filter(|line| !others.contains(line)).cloned().collect()
    };
    format!("it alone has {:?}, the robot alone {:?}", without(&station, &robot), without(&robot, &station))
}

pub struct World {
    now_ns: u64,
    dice: Dice,
    net: Net,
    secret: SecretKey,
    allowed: Vec<Allowed>,
    disk: Disk,
    robot: Option<OnboardLife>,
    robot_back_ns: u64,
    stations: Vec<Station>,
    station_back_ns: [u64; STATIONS],
    people: Vec<Person>,
    books: Books,
    last_request: u32,
    /// Told when somebody wants to see a bad end again.
    watched: Option<NodeId>,
    watched_at: Option<(Option<bool>, bool, Vec<Option<bool>>)>,
    story: Vec<String>,
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() && std::env::var_os("COACT_SEED").is_some() {
            eprintln!("{}", self.story.join("\n"));
        }
    }
}

impl World {
    pub fn new(seed: u64) -> World {
        let mut dice = Dice::new(seed);
        let people = everybody();
        let secret = SecretKey::new([9; 32]);
        let secrets = [1, 2, 3].map(|byte| SecretKey::new([byte; 32]));
        let ranks = [Rank::Supervisor, Rank::Operator, Rank::Observer];
        let allowed = secrets.iter().zip(ranks).enumerate().map(|(index, (secret, rank))| Allowed {
            key: secret.public(),
            name: format!("station {index}"),
            rank,
        });
        let station =
            |(index, key): (usize, SecretKey)| Station::new(index, key, secret.public(), tokens(&people, index));
        let allowed = allowed.collect();
        let stations = secrets.into_iter().enumerate().map(station).collect();
        let net = Net::new(STATIONS, dice.roll());
        World {
            now_ns: SECOND,
            net,
            secret,
            allowed,
            disk: Disk::default(),
            robot: None,
            robot_back_ns: 0,
            stations,
            station_back_ns: [0; STATIONS],
            people,
            books: Books::default(),
            last_request: 0,
            story: Vec::new(),
            watched: std::env::var("COACT_WATCH").ok().map(|id| serde_json::from_value(json!(id)).unwrap()),
            watched_at: None,
            dice,
        }
    }

    fn note(&mut self, what: String) {
        self.story.push(format!("{:8.2} s {what}", self.now_ns as f64 / SECOND as f64));
    }

    pub fn counts(&self) -> Counts {
        self.books.counts.clone()
    }

    /// People at work, with all that may go wrong.
    pub fn storm(&mut self, seconds: f64) {
        let jitter_ns = self.dice.below(60) * MS + 1;
        let bad = self.dice.below(100) as f64 / 100.0;
        self.net.weather = Weather { loss: 0.3 * bad * bad, duplicate: 0.1 * bad, jitter_ns };
        let until_ns = self.now_ns + (seconds * SECOND as f64) as u64;
        while self.now_ns < until_ns {
            if self.dice.chance(0.12) {
                self.somebody_acts();
            }
            if self.dice.chance(0.006) {
                self.something_breaks();
            }
            self.tick();
        }
    }

    pub fn heal(&mut self) {
        self.net.weather = Weather { jitter_ns: 1, ..Weather::default() };
        self.net.cut_until_ns.iter_mut().for_each(|cut| *cut = [0; 2]);
        (self.robot_back_ns, self.station_back_ns) = (0, [0; STATIONS]);
        self.run_for(HEALING_NS);
    }

    fn run_for(&mut self, ns: u64) {
        let until_ns = self.now_ns + ns;
        while self.now_ns < until_ns {
            self.tick();
        }
    }

    fn tick(&mut self) {
        self.now_ns += TICK_NS;
        self.start_what_is_due();
        for (way, bytes) in self.net.arrived(self.now_ns) {
            match way {
                Way::ToRobot(from) => {
                    if let Some(robot) = &mut self.robot {
                        robot.receive(self.now_ns, from, &bytes, &mut self.dice);
                    }
                }
                Way::ToStation(to) => self.stations[to.station].receive(self.now_ns, to, &bytes),
            }
        }
        if let Some(robot) = &mut self.robot {
            let tick = robot.tick(self.now_ns, &mut self.disk, &mut self.net, &mut self.dice);
            self.books.robot_ticked(self.now_ns, &tick, robot, &self.allowed);
        }
        for station in 0..STATIONS {
            self.stations[station].tick(self.now_ns, &mut self.net, &mut self.dice);
            self.listen(station);
        }
        self.watch();
    }

    /// Where the node is that `COACT_WATCH` names, into the story: to see what became of it.
    fn watch(&mut self) {
        let Some(node) = self.watched else { return };
        let robot = self.robot.as_ref().map(|robot| robot.library().owner_of(node).is_some());
        let disk = self.disk.has(node);
        let station = |station: &Station| station.library().map(|library| library.owner_of(node).is_some());
        let at = (robot, disk, self.stations.iter().map(station).collect());
        if self.watched_at.as_ref() != Some(&at) {
            self.note(format!("the node is at the robot {:?}, its disk {}, stations {:?}", at.0, at.1, at.2));
            self.watched_at = Some(at);
        }
    }

    fn start_what_is_due(&mut self) {
        if self.robot.is_none() && self.robot_back_ns <= self.now_ns {
            let keys = (&self.secret, &*self.allowed);
            self.robot = Some(OnboardLife::start(self.now_ns, keys, &self.disk, &mut self.dice));
            self.books.robot_began(self.now_ns);
        }
        for (station, back_ns) in self.stations.iter_mut().zip(self.station_back_ns) {
            if !station.is_alive() && back_ns <= self.now_ns {
                station.start(&mut self.dice);
            }
        }
    }

    fn listen(&mut self, index: usize) {
        let station = &mut self.stations[index];
        let closed = station.take_closed();
        let heard = station.take_heard();
        let station = &self.stations[index];
        for (_, message) in heard {
            if message["push"] == "notice" {
                let at = self.now_ns as f64 / SECOND as f64;
                self.story.push(format!("{at:8.2} s station {index} is told {message}"));
                let taken_back = message["text"].as_str().is_some_and(|text| text.contains("did not take your"));
                assert!(!taken_back || index == LOOKERS, "an edit of somebody who may edit is taken back: {message}");
            }
            self.books.heard((index, station.lives), &message, |node| station.has(node));
        }
        for person in self.people.iter_mut().filter(|person| person.station == index) {
            person.session = person.session.filter(|session| !closed.contains(session));
        }
    }

    fn something_breaks(&mut self) {
        let station = self.dice.below(STATIONS as u64) as usize;
        match self.dice.below(10) {
            0..=4 => {
                let until_ns = self.now_ns + 100 * MS + self.dice.below(6_000) * MS;
                self.net.cut_until_ns[station] =
                    [[until_ns; 2], [until_ns, 0], [0, until_ns]][self.dice.below(3) as usize];
                self.books.counts.cuts += 1;
                self.note(format!("station {station} is cut off until {} s", until_ns / SECOND));
            }
            5 | 6 => self.kill_robot(),
            7 | 8 => self.kill_station(station),
            _ => {
                self.books.counts.blackouts += 1;
                self.kill_robot();
                (0..STATIONS).for_each(|station| self.kill_station(station));
            }
        }
    }

    fn kill_robot(&mut self) {
        if let Some(robot) = self.robot.take() {
            robot.kill(&mut self.disk, &mut self.dice);
            self.robot_back_ns = self.now_ns + self.dice.below(2_000) * MS;
            self.books.counts.robot_kills += 1;
            self.note("the robot is killed".to_owned());
        }
    }

    fn kill_station(&mut self, index: usize) {
        self.stations[index].kill();
        self.station_back_ns[index] = self.now_ns + self.dice.below(2_000) * MS;
        self.books.counts.operator_kills += 1;
        self.note(format!("station {index} is killed"));
        self.people.iter_mut().filter(|person| person.station == index).for_each(|person| person.session = None);
    }

    fn somebody_acts(&mut self) {
        let index = self.dice.below(self.people.len() as u64) as usize;
        let station = self.people[index].station;
        if !self.stations[station].is_alive() {
            return;
        }
        match self.people[index].session {
            None => self.come(index),
            Some(session) if self.dice.chance(0.02) => {
                self.stations[station].leave(self.now_ns, session);
                self.people[index].session = None;
                self.listen(station);
            }
            Some(_) => {
                let Some(library) = self.stations[station].library() else { return };
                let number = u64::from(self.last_request);
                let (kind, ask) = wish(&mut self.dice, &mut self.people[index], library, number);
                self.ask(index, kind, ask);
            }
        }
    }

    fn come(&mut self, index: usize) {
        let person = &mut self.people[index];
        person.session = self.stations[person.station].join(self.now_ns);
        let token = person.token();
        self.ask(index, Kind::Other, json!({"ask": "hello", "version": protocol::api::VERSION, "token": token}));
    }

    /// Asks; what is answered at once is noted at once.
    fn ask(&mut self, index: usize, kind: Kind, mut ask: Json) {
        let (name, role, at) = (self.people[index].name, self.people[index].role, self.people[index].station);
        let Some(session) = self.people[index].session else { return };
        self.last_request += 1;
        let request = self.last_request;
        ask["id"] = json!(request);
        let life = self.stations[at].lives;
        let asked = Asked { person: name, station: at, life, session, ask: ask.clone(), replies: Vec::new() };
        self.books.asked.insert(request, asked);
        let before = self.there(at);
        self.stations[at].say(self.now_ns, session, &ask);
        self.listen(at);
        self.note(format!("{name}: {ask}: {:?}", self.books.asked[&request].replies));
        let edits = matches!(ask["ask"].as_str(), Some("edit" | "undo" | "redo"));
        let Some(reply) = self.books.asked[&request].replies.first().cloned() else {
            assert!(!edits, "an edit is answered at once");
            return;
        };
        if edits && reply["ok"]["is"] != "edited" {
            self.books.counts.edits_refused += 1;
        }
        if reply["ok"]["is"] == "edited" {
            assert!(role >= Role::Operator, "{name} may only look: {ask}: {reply}");
            self.books.counts.edits += 1;
            self.note_edit((index, kind), &reply["ok"], &before);
        }
    }

    fn there(&self, station: usize) -> Vec<bool> {
        self.books.facts.iter().map(|fact| self.stations[station].has(fact.node)).collect()
    }

    fn note_edit(&mut self, (index, kind): (usize, Kind), edited: &Json, before: &[bool]) {
        let (name, station) = (self.people[index].name, self.people[index].station);
        let version = edited["version"].as_u64().unwrap();
        let life = self.stations[station].lives;
        let after = self.there(station);
        for ((fact, before), after) in self.books.facts.iter_mut().zip(before).zip(after) {
            match (before, after) {
                (true, false) => drop(fact.gone_by.insert(name)),
                // Brought back, which is an edit of its own.
                (false, true) => {
                    fact.gone_by.remove(name);
                    (fact.station, fact.life, fact.version, fact.acknowledged) = (station, life, version, false);
                }
                (true, true) | (false, false) => {}
            }
        }
        if kind == Kind::Add {
            let nodes: Vec<NodeId> = serde_json::from_value(edited["created"].clone()).unwrap();
            let fact = |node| Fact {
                node,
                maker: name,
                station,
                life,
                version,
                acknowledged: false,
                inside: Default::default(),
                gone_by: Default::default(),
                told: false,
            };
            self.books.facts.extend(nodes.into_iter().map(fact));
        }
        if let Some(library) = self.stations[station].library() {
            self.books.facts.iter_mut().for_each(|fact| fact.inside.extend(around(library, fact.node)));
        }
        if let Some(text) = self.stations[station].library().and_then(|library| diary(library, &self.people[index])) {
            let page = Page { text, station, life, version, acknowledged: false };
            self.books.diaries.entry(name).or_default().push(page);
        }
    }

    fn robot(&self) -> &OnboardLife {
        self.robot.as_ref().unwrap()
    }

    /// Robot and operators have the same files and nodes.
    pub fn check_equal(&self) {
        let robots = content(self.robot().library());
        for station in &self.stations {
            let theirs = content(station.library().unwrap());
            let (index, only) = (station.index, only_one_has(&theirs.0, &robots.0));
            assert!(theirs.0 == robots.0, "the files of station {index} differ from the robot's: {only}");
            assert_eq!(theirs.1, robots.1, "the nodes of station {index} differ from the robot's");
        }
    }

    /// Whoever is still there was answered.
    pub fn check_answers(&self) {
        for asked in self.books.asked.values() {
            let there = self.people.iter().find(|person| person.name == asked.person).unwrap();
            let waits = there.session == Some(asked.session) && self.stations[asked.station].lives == asked.life;
            assert!(!waits || asked.replies.len() == 1, "never answered: {asked:?}");
        }
    }

    /// Every edit that was answered is there, taken back, or told; of a station that does not come back, every one that was
    /// acknowledged.
    pub fn check_edits(&self, when: &str) {
        let library = self.robot().library();
        for fact in &self.books.facts {
            let has = library.owner_of(fact.node).is_some();
            if fact.station == LOOKERS {
                assert!(!has, "{when}: {} may only look, and the robot has {fact:?}", fact.maker);
                assert!(fact.told || !fact.gone_by.is_empty(), "{when}: nobody told of {fact:?}");
                continue;
            }
            // What was made outlives the process that it was made at, when that comes back.
            let must_be_there = fact.acknowledged || self.stations[fact.station].is_alive();
            let excused = !fact.gone_by.is_empty() || fact.told;
            assert!(has || excused || !must_be_there, "{when}: the robot lacks {fact:?}");
        }
        for person in self.people.iter().filter(|person| person.station != LOOKERS) {
            let Some(pages) = self.books.diaries.get(person.name) else { continue };
            let first = pages.iter().rposition(|page| page.acknowledged).unwrap_or(0);
            let now = diary(library, person);
            let known = pages[first..].iter().any(|page| Some(&page.text) == now.as_ref());
            let nothing = !pages[first].acknowledged;
            assert!(
                known || nothing,
                "{when}: the robot has page {now:?} of {}, after {:?}",
                person.name,
                pages[first]
            );
        }
    }

    /// Everybody sees the same person in control.
    pub fn check_control(&self) {
        let holder = self.robot().robot.desk.in_control().map(|name| json!(&**name)).unwrap_or_default();
        for person in self.people.iter().filter(|person| person.session.is_some()) {
            let shown = &self.books.shown_control[&person.station];
            assert_eq!(*shown, holder, "who is in control, as station {} shows it", person.station);
        }
    }

    /// Some more work, and then everything goes dark at once: what was acknowledged is on the robot's disk alone.
    pub fn last_light(&mut self) {
        let until_ns = self.now_ns + 2 * SECOND + self.dice.below(1_000) * MS;
        while self.now_ns < until_ns {
            if self.dice.chance(0.2) {
                self.somebody_acts();
            }
            self.tick();
        }
        self.kill_robot();
        (0..STATIONS).for_each(|station| self.kill_station(station));
        self.robot_back_ns = 0;
        self.station_back_ns = [u64::MAX; STATIONS];
        self.start_what_is_due();
        self.check_edits("after the last light");
    }
}

fn around(library: &Library, node: NodeId) -> Vec<NodeId> {
    let parent = |node: &NodeId| library.main().get(*node)?.parent;
    std::iter::successors(parent(&node), parent).collect()
}

fn diary(library: &Library, person: &Person) -> Option<String> {
    let node = named(library, &person.diary_name())?;
    library.main().node(node).fields.get("text").and_then(model::Field::as_str).map(str::to_owned)
}
