//! Three people on one tree, over a network that delays, loses, doubles and reorders: after it heals all have the same,
//! and nothing that anybody did is gone without being told.

use crate::kit;

use std::collections::BTreeSet;

use document::{Document, DocumentError};
use kit::{Site, loads_again, peer, texts};
use model::{Edit, Library, NodeId, Subtree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::FileFailurePersistence;
use replica::{Notice, Part, Replica, Version};
use serde_json::{Value as Json, json};
use testkit::random::{ChangePlan, NodePick, NodePicks, change, files, load_files};

#[derive(Clone, Debug)]
enum Act {
    Change(ChangePlan),
    Delete(NodePicks),
    MoveTo(NodePicks, NodePick, usize),
    Set(NodePick, &'static str, Json),
    Reset(NodePick, &'static str),
    Rename(NodePick, &'static str),
    Duplicate(NodePicks),
    Wrap(NodePicks, &'static str),
    Unwrap(NodePick),
    Extract(NodePick, &'static str),
    Inline(NodePick),
    Variables(Json),
    Undo,
    Redo,
}

/// What happens next, and at which site.
#[derive(Clone, Debug)]
enum Event {
    Act(usize, Act),
    /// A message on its way arrives; perhaps it will once more.
    Arrive(usize, bool),
    Lose(usize),
    /// A site asks another for what it lacks.
    Ask(usize, usize),
}

fn act() -> impl Strategy<Value = Act> {
    let place = NodePick::any();
    let settings = [
        ("after", json!("A")),
        ("duration_s", json!(0.5)),
        ("duration_s", json!(0.7)),
        ("duration_s", json!({"=": "0.25 + x"})),
        ("duration_s", json!({"=": "x"})),
        ("mirrored", json!({"=": "x == 1"})),
        ("inputs", json!({"x": "x + 1"})),
        ("retry", json!(2)),
        ("retry", json!(3)),
        ("claims", json!(["left_arm"])),
        ("claims", json!(["right_arm"])),
    ];
    prop_oneof![
        4 => change().prop_map(Act::Change),
        2 => NodePick::several().prop_map(Act::Delete),
        5 => (NodePick::several(), place.clone(), 0..5_usize).prop_map(|(nodes, to, index)| Act::MoveTo(nodes, to, index)),
        4 => (place.clone(), select(settings.to_vec())).prop_map(|(node, (key, value))| Act::Set(node, key, value)),
        1 => (place.clone(), select(vec!["after", "claims"])).prop_map(|(node, key)| Act::Reset(node, key)),
        2 => (place.clone(), select(vec!["A", "B", "Z"])).prop_map(|(node, name)| Act::Rename(node, name)),
        1 => NodePick::several().prop_map(Act::Duplicate),
        2 => (NodePick::several(), select(vec!["sequence", "parallel"])).prop_map(|(nodes, kind)| Act::Wrap(nodes, kind)),
        1 => place.clone().prop_map(Act::Unwrap),
        3 => (place.clone(), select(vec!["a.json", "skills/b.json"])).prop_map(|(node, file)| Act::Extract(node, file)),
        1 => place.prop_map(Act::Inline),
        2 => select(vec![json!({"x": 1}), json!({"y": 2}), json!({"x": 3, "z": 4})]).prop_map(Act::Variables),
        3 => Just(Act::Undo),
        1 => Just(Act::Redo),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (0..3_usize, act()).prop_map(|(site, act)| Event::Act(site, act)),
        4 => (any::<usize>(), any::<bool>()).prop_map(|(which, again)| Event::Arrive(which, again)),
        1 => any::<usize>().prop_map(Event::Lose),
        1 => (0..3_usize, 0..3_usize).prop_map(|(site, from)| Event::Ask(site, from)),
    ]
}

fn carry_out(document: &mut Document, act: &Act, next_id: &mut u64) -> Result<Vec<Edit>, DocumentError> {
    let library = document.library().clone();
    let ids = |places: &NodePicks| places.iter().map(|place| place.node(&library)).collect::<Vec<NodeId>>();
    let id = |place: &NodePick| place.node(&library);
    match act {
        Act::Change(plan) => match plan.edit(&library, next_id) {
            Edit::Insert { parent, index, subtree } => document.insert(parent, index, &subtree),
            Edit::Delete { node } => document.delete(&[node]),
            Edit::Move { node, parent, index } => document.move_to(&[node], parent, index),
            Edit::Set { node, field, value: Some(value), .. } => document.set(node, &field, value.to_json()),
            Edit::Set { node, field, .. } => document.reset(node, &field),
            Edit::Retype { node, kind } => document.retype(node, &kind),
            Edit::Notes { node, .. } => document.set_notes(node, &next_id.to_string()),
            _ => document.delete(&[]),
        },
        Act::Delete(nodes) => document.delete(&ids(nodes)),
        Act::MoveTo(nodes, to, index) => document.move_to(&ids(nodes), id(to), *index),
        Act::Set(node, key, value) => document.set(id(node), key, value.clone()),
        Act::Reset(node, key) => document.reset(id(node), key),
        Act::Rename(node, name) => document.rename(id(node), name),
        Act::Duplicate(nodes) => document.duplicate(&ids(nodes)),
        Act::Wrap(nodes, kind) => document.wrap(&ids(nodes), kind),
        Act::Unwrap(node) => document.unwrap(id(node)),
        Act::Extract(node, file) => document.extract(id(node), file),
        Act::Inline(place) => {
            let tree = library.get(place.definition(&library));
            let skills: Vec<NodeId> = tree.walk(tree.root).filter(|id| &*tree.node(*id).kind == "skill").collect();
            document.inline(skills.first().copied().unwrap_or(id(place)))
        }
        Act::Variables(json) => {
            let entries = json.as_object().into_iter().flatten();
            if entries.clone().count() % 2 == 1 {
                let lets = entries.map(|(key, value)| (key.as_str().into(), value.to_string().into())).collect();
                return document.set_lets("main.json", lets);
            }
            let entries = entries.map(|(key, value)| (key.as_str().into(), value.clone())).collect();
            document.set_variables("main.json", entries)
        }
        Act::Undo => document.undo().map(|undone| undone.edits),
        Act::Redo => document.redo().map(|undone| undone.edits),
    }
}

/// One thing somebody did, to be looked for at the end.
#[derive(Debug)]
struct Deed {
    peer: u64,
    /// What the site had before it, and with it.
    before: Version,
    after: Version,
    node: NodeId,
    what: What,
}

#[derive(Debug, PartialEq)]
enum What {
    Set(Part, String),
    /// Below another node, or to be a root.
    Moved(Option<NodeId>),
    Came,
    Went,
}

struct Net {
    sites: Vec<Site>,
    on_the_way: Vec<(usize, Vec<u8>)>,
    deeds: Vec<Deed>,
    notices: Vec<Notice>,
    next_id: u64,
}

impl Net {
    fn new(files: &[(String, Json)]) -> Net {
        let library = load_files(files).library;
        let first = Replica::from_library(&library, peer(1), 1).expect("a library");
        let genesis = first.genesis_bytes().to_vec();
        let mut sites = vec![Site::new(Document::new(library, testkit::registry(), 1), first)];
        for number in 2..=3_u16 {
            let (replica, library) = Replica::from_genesis(&genesis, peer(number.into())).expect("a genesis");
            sites.push(Site::new(Document::new(library, testkit::registry(), number.into()), replica));
        }
        Net { sites, on_the_way: Vec::new(), deeds: Vec::new(), notices: Vec::new(), next_id: 0 }
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Act(site, act) => self.act(*site, act),
            Event::Arrive(which, again) if !self.on_the_way.is_empty() => {
                let which = which % self.on_the_way.len();
                let (to, bytes) =
                    if *again { self.on_the_way[which].clone() } else { self.on_the_way.swap_remove(which) };
                self.take(to, &bytes);
            }
            Event::Lose(which) if !self.on_the_way.is_empty() => {
                let which = which % self.on_the_way.len();
                self.on_the_way.swap_remove(which);
            }
            Event::Ask(site, from) => self.ask(*site, *from),
            Event::Arrive(..) | Event::Lose(_) => {}
        }
    }

    fn act(&mut self, site: usize, act: &Act) {
        let at = &mut self.sites[site];
        let (library, before) = (at.document.library().clone(), at.replica.version());
        let Ok(edits) = carry_out(&mut at.document, act, &mut self.next_id) else { return };
        if edits.is_empty() {
            return;
        }
        at.record(&edits);
        assert_eq!(trees(at.document.library()), trees(&at.replica.library()), "what was recorded is what was done");
        let bytes = at.sent.pop().expect("just recorded");
        let others = (0..self.sites.len()).filter(|other| *other != site);
        self.on_the_way.extend(others.map(|other| (other, bytes.clone())));
        self.note_deeds(site, &library, &before);
    }

    /// By comparing the libraries: what an operation came to, not how it was put together.
    fn note_deeds(&mut self, site: usize, old: &Library, before: &Version) {
        let at = &self.sites[site];
        let (after, new) = (at.replica.version(), at.document.library());
        let mut note = |node: NodeId, what: What| {
            let deed =
                Deed { peer: at.replica.peer().number, before: before.clone(), after: after.clone(), node, what };
            self.deeds.push(deed);
        };
        for (_, tree) in old.iter() {
            for id in tree.walk(tree.root) {
                let Some(owner) = new.owner_of(id) else {
                    note(id, What::Went);
                    continue;
                };
                let (was, is) = (tree.node(id), new.get(owner).node(id));
                if is.parent != was.parent {
                    note(id, What::Moved(is.parent));
                }
                for part in parts(was).into_iter().chain(parts(is)).collect::<BTreeSet<Part>>() {
                    let now = value(is, &part);
                    if value(was, &part) != now {
                        note(id, What::Set(part, now));
                    }
                }
            }
        }
        for (_, tree) in new.iter() {
            for id in tree.walk(tree.root).filter(|id| old.owner_of(*id).is_none()) {
                note(id, What::Came);
            }
        }
    }

    fn take(&mut self, site: usize, bytes: &[u8]) {
        let merged = self.sites[site].take(bytes);
        self.notices.extend(merged.notices);
        let at = &self.sites[site];
        assert_eq!(trees(at.document.library()), trees(&at.replica.library()), "the library is what is shared");
    }

    fn ask(&mut self, site: usize, from: usize) {
        let version = Version::from_bytes(&self.sites[site].replica.version().to_bytes()).expect("just made");
        let bytes = self.sites[from].replica.updates_since(&version).expect("one epoch");
        if let Some(bytes) = bytes {
            self.take(site, &bytes);
        }
    }

    fn heal(&mut self) {
        for _ in 0..2 {
            for (site, from) in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)] {
                self.ask(site, from);
            }
        }
    }

    /// Done by somebody who knew of the deed.
    fn later<'n>(&'n self, deed: &'n Deed) -> impl Iterator<Item = &'n Deed> {
        self.deeds.iter().filter(|other| other.before.includes(&deed.after))
    }

    fn is_accounted_for(&self, deed: &Deed) -> bool {
        let library = self.sites[0].document.library();
        let node = library.owner_of(deed.node).map(|owner| library.get(owner).node(deed.node));
        let stands = match (&deed.what, node) {
            (What::Set(part, wanted), Some(node)) => value(node, part) == *wanted,
            (What::Moved(parent), Some(node)) => node.parent == *parent,
            (What::Came, node) => node.is_some(),
            (What::Went, node) => node.is_none(),
            (_, None) => false,
        };
        let undone = |other: &Deed| {
            other.node == deed.node
                && match (&deed.what, &other.what) {
                    (What::Set(part, _), What::Set(other, _)) => part == other,
                    (What::Moved(_), What::Moved(_)) => true,
                    (What::Went, other) => *other == What::Came,
                    (_, other) => *other == What::Went,
                }
        };
        // Where a node was moved to may itself be gone since: then it stands further up.
        let lost_parent = match &deed.what {
            What::Moved(Some(parent)) => library.owner_of(*parent).is_none(),
            _ => false,
        };
        let told = self.notices.iter().any(|notice| notice.node == deed.node && notice.of.peer == deed.peer);
        stands || told || lost_parent || self.later(deed).any(undone)
    }
}

fn parts(node: &model::Node) -> Vec<Part> {
    let settings = node.fields.iter().map(|(key, _)| Part::Setting(key.clone()));
    [Part::Name, Part::Type, Part::Notes].into_iter().chain(settings).collect()
}

fn value(node: &model::Node, part: &Part) -> String {
    match part {
        Part::Name => node.name.to_string(),
        Part::Type => node.kind.to_string(),
        Part::Notes => node.notes.to_string(),
        Part::Setting(key) => format!("{:?}", node.fields.get(key)),
        _ => String::new(),
    }
}

fn trees(library: &Library) -> Vec<(String, Subtree, model::Header)> {
    let mut trees: Vec<(String, Subtree, model::Header)> =
        library.iter().map(|(_, tree)| (tree.file.to_string(), tree.subtree(tree.root), tree.header.clone())).collect();
    trees[1..].sort_by(|a, b| a.0.cmp(&b.0));
    trees
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn all_are_equal_when_the_network_has_healed(files in files(), events in vec(event(), 1..60)) {
        let mut net = Net::new(&files);
        for event in &events {
            net.happen(event);
        }
        net.heal();
        for site in &net.sites[1..] {
            prop_assert_eq!(site.replica.version(), net.sites[0].replica.version());
            prop_assert_eq!(trees(site.document.library()), trees(net.sites[0].document.library()));
            prop_assert_eq!(texts(site), texts(&net.sites[0]));
        }
        loads_again(&net.sites[0]);
        for deed in &net.deeds {
            prop_assert!(net.is_accounted_for(deed), "{:?}\n{:?}", deed, net.notices);
        }
        // A process that starts again has the same.
        let bytes = net.sites[0].replica.to_bytes().expect("a replica");
        let (again, library) = Replica::from_bytes(&bytes, peer(2)).expect("just saved");
        prop_assert_eq!(trees(&library), trees(net.sites[0].document.library()));
        prop_assert_eq!(again.version(), net.sites[0].replica.version());
    }
}
