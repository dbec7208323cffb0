use std::sync::{Arc, Mutex};

use loro::event::{Diff, DiffEvent};
use loro::{CommitOptions, ExportMode, LoroDoc, Subscription, TreeID, TreeParentId, VersionVector};
use model::{Edit, Library, NodeId};

use crate::genesis::Genesis;
use crate::history::{Entry, Log};
use crate::origin::{Birth, Declared, FilePart, Origin};
use crate::state::{State, TREE, owner_of};
use crate::unsent::Unsent;
use crate::view::Bend;
use crate::{ReplicaError, Version, envelope};

/// Who edits. The number must be new whenever a process starts: one used twice would give two changes one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    pub number: u64,
    /// What people call whoever edits here.
    pub name: Arc<str>,
}

/// One copy of the shared tree.
pub struct Replica {
    pub(crate) state: State,
    pub(crate) peer: Peer,
    pub(crate) epoch: u64,
    pub(crate) genesis: Vec<u8>,
    /// Roots in the order of the library that edits are made in.
    pub(crate) files: Vec<TreeID>,
    pub(crate) touched: Arc<Mutex<Touched>>,
    /// Numbers of those who edited here and said who they are.
    pub(crate) introduced: Vec<u64>,
    pub(crate) log: Log,
    /// What was told to be seen otherwise than it was made.
    pub(crate) told: Vec<Bend>,
    /// Edits made here that the robot is not known to have.
    pub(crate) outbox: Vec<Unsent>,
    pub(crate) last_number: u64,
    /// How many operations genesis took.
    pub(crate) planted: i32,
    /// Loro died of a change, and what it has is of no use any more: see [`Replica::mend`].
    pub(crate) broken: bool,
    _subscription: Subscription,
}

/// What Loro says an import changed.
#[derive(Default)]
pub(crate) struct Touched {
    /// Came or moved.
    pub places: Vec<TreeID>,
    /// Nodes with the keys of their map that changed.
    pub keys: Vec<(TreeID, Vec<String>)>,
}

impl Replica {
    /// The first copy of a behavior, from the library it was loaded into.
    pub fn from_library(library: &Library, peer: Peer, epoch: u64) -> Result<Replica, ReplicaError> {
        let genesis = Genesis::to_bytes(epoch, &Version::default(), library);
        Replica::begin(genesis, library, peer, epoch)
    }

    /// A copy as others have it at the beginning of this epoch, with its library.
    pub fn from_genesis(bytes: &[u8], peer: Peer) -> Result<(Replica, Library), ReplicaError> {
        Replica::from_genesis_beside(bytes, peer, &Library::default())
    }

    /// As [`Replica::from_genesis`], where somebody has much of it already: nodes that are the same are had once.
    pub fn from_genesis_beside(bytes: &[u8], peer: Peer, known: &Library) -> Result<(Replica, Library), ReplicaError> {
        let Genesis { epoch, mut library } = Genesis::from_bytes(bytes)?;
        library.share_with(known);
        let replica = Replica::begin(bytes.to_vec(), &library, peer, epoch)?;
        Ok((replica, library))
    }

    pub(crate) fn begin(genesis: Vec<u8>, library: &Library, peer: Peer, epoch: u64) -> Result<Replica, ReplicaError> {
        if peer.number == 0 || peer.number == u64::MAX {
            return Err(ReplicaError::Refused("a peer has a random number other than 0 and the highest".to_owned()));
        }
        let doc = new_doc()?;
        doc.set_peer_id(0)?;
        let mut state = State::new(doc);
        let files = plant(&mut state, library)?;
        state.nodes.all_are_there();
        state.doc.commit_with(CommitOptions::new().timestamp(0));
        let planted = state.nodes.len() as i32;
        state.pack()?;
        state.doc.set_peer_id(peer.number)?;
        let touched = Arc::new(Mutex::new(Touched::default()));
        let listener = Arc::clone(&touched);
        let subscription = state.doc.subscribe_root(Arc::new(move |event| note(&listener, &event)));
        Ok(Replica {
            state,
            peer,
            epoch,
            genesis,
            files,
            touched,
            introduced: Vec::new(),
            log: Log::default(),
            told: Vec::new(),
            outbox: Vec::new(),
            last_number: 0,
            planted,
            broken: false,
            _subscription: subscription,
        })
    }

    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Who records from here on: several people may edit at one copy, each with a number of their own.
    pub fn speak_as(&mut self, peer: &Peer) -> Result<(), ReplicaError> {
        if self.peer != *peer {
            self.state.doc.set_peer_id(peer.number)?;
            self.peer = peer.clone();
        }
        Ok(())
    }

    /// Number of the tree all peers began with; a higher one replaces it.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// What someone who joins gets first; [`Self::updates_since`] an empty version gives the rest.
    pub fn genesis_bytes(&self) -> &[u8] {
        &self.genesis
    }

    /// Takes over edits that were just applied to the library here, and gives the bytes that tell the others.
    pub fn record(&mut self, edits: &[Edit], when_s: i64) -> Result<Vec<u8>, ReplicaError> {
        let before = self.state.doc.oplog_vv();
        let has_header = edits.iter().any(|edit| matches!(edit, Edit::Header { .. }));
        let names =
            if has_header { self.files.iter().map(|root| self.state.file_name(*root)).collect() } else { Vec::new() };
        self.introduce()?;
        self.state.straighten()?;
        for edit in edits {
            self.state.record(edit, &mut self.files)?;
        }
        let took = self.state.marked.iter().filter_map(|node| self.state.nodes.get(node)).map(Birth::id);
        let took = took.collect();
        self.state.write_marks()?;
        if !edits.iter().all(is_content) {
            self.state.find_kept();
        }
        self.state.doc.commit_with(CommitOptions::new().timestamp(when_s));
        // Told to those who ask what changed elsewhere; here it is known.
        *self.lock() = Touched::default();
        for change in Log::read(&self.state, self.state.new_since(&before)) {
            self.log.add(change);
        }
        let end = self.state.doc.oplog_vv().get(&self.peer.number).copied().unwrap_or(0) as u64;
        let update = self.update_from(&before)?;
        self.last_number += 1;
        self.outbox.push(Unsent {
            number: self.last_number,
            epoch: self.epoch,
            peer: self.peer.number,
            who: Arc::clone(&self.peer.name),
            start: before.get(&self.peer.number).copied().unwrap_or(0) as u64,
            end,
            when_s,
            edits: edits.to_vec(),
            files: names,
            took: Some(took),
            update: update.clone(),
        });
        Ok(update)
    }

    /// Says once who this peer is.
    fn introduce(&mut self) -> Result<(), ReplicaError> {
        if !self.introduced.contains(&self.peer.number) {
            self.introduced.push(self.peer.number);
            let names = self.state.doc.get_map("w");
            names.insert(&format!("{:x}", self.peer.number), &*self.peer.name)?;
        }
        Ok(())
    }

    pub(crate) fn lock(&self) -> std::sync::MutexGuard<'_, Touched> {
        self.touched.lock().expect("the listener does not panic")
    }

    pub(crate) fn update_from(&self, version: &VersionVector) -> Result<Vec<u8>, ReplicaError> {
        self.update(ExportMode::updates(version))
    }

    pub(crate) fn update(&self, of: ExportMode<'_>) -> Result<Vec<u8>, ReplicaError> {
        let exported = self.state.doc.export(of).map_err(|error| ReplicaError::Refused(error.to_string()))?;
        Ok(envelope::close(self.epoch, &exported))
    }

    /// Who changed what and when: the newest `most` operations, the newest last.
    pub fn history(&self, most: usize) -> Vec<Entry> {
        self.log.entries(&self.state, most)
    }

    /// What this epoch began with is this much.
    pub fn genesis_len(&self) -> usize {
        self.genesis.len()
    }

    /// What is kept beside Loro fits it: else says what does not.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.state.check_hidden()
    }

    /// The library as the shared tree has it: the same text on every peer that has the same changes.
    pub fn library(&self) -> Library {
        self.state.project().0
    }
}

fn new_doc() -> Result<LoroDoc, ReplicaError> {
    let doc = LoroDoc::new();
    // Each batch stays a change of its own, with its author and time.
    doc.set_change_merge_interval(-1);
    Ok(doc)
}

impl State {
    /// What was planted, as Loro has it that was read from bytes: there a node that nobody touches takes no more than
    /// its place, where one that was made here has a map of its own.
    fn pack(&mut self) -> Result<(), ReplicaError> {
        let refused = |error: &dyn std::fmt::Display| ReplicaError::Refused(error.to_string());
        let bytes = self.doc.export(ExportMode::Snapshot).map_err(|error| refused(&error))?;
        self.doc = new_doc()?;
        self.doc.import(&bytes).map_err(|error| refused(&error))?;
        self.tree = self.doc.get_tree(TREE);
        Ok(())
    }
}

/// Changes neither places nor files.
fn is_content(edit: &Edit) -> bool {
    match edit {
        Edit::Set { .. } | Edit::Rename { .. } | Edit::Notes { .. } | Edit::Retype { .. } | Edit::Header { .. } => true,
        Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Move { .. }
        | Edit::AddFile { .. }
        | Edit::RemoveFile { .. } => false,
    }
}

/// Puts the genesis into an empty document, in an order that gives the same names on every machine: only places, for
/// the content is known.
fn plant(state: &mut State, library: &Library) -> Result<Vec<TreeID>, ReplicaError> {
    let mut roots = Vec::new();
    for (_, tree) in library.iter() {
        let mut places: rustc_hash::FxHashMap<NodeId, TreeID> = rustc_hash::FxHashMap::default();
        for id in tree.walk(tree.root) {
            let Some(node) = tree.shared(id) else { continue };
            let parent = node.parent.and_then(|parent| places.get(&parent)).copied();
            let at = state.tree.create(parent.map_or(TreeParentId::Root, TreeParentId::Node))?;
            let birth = if parent.is_none() {
                let mut origin = Origin::of_node(node);
                let declared = Declared::from_header(&tree.header);
                origin.file = Some(Box::new(FilePart { name: tree.file.clone(), declared }));
                roots.push(at);
                Birth::Made(Box::new(origin))
            } else {
                Birth::Planted(Arc::clone(node))
            };
            places.insert(id, at);
            state.register(at, birth);
        }
    }
    Ok(roots)
}

fn note(listener: &Mutex<Touched>, event: &DiffEvent<'_>) {
    let Ok(mut touched) = listener.lock() else { return };
    for container in &event.events {
        match &container.diff {
            Diff::Tree(tree) => touched.places.extend(tree.diff.iter().map(|item| item.target)),
            Diff::Map(map) => {
                if let Some(node) = owner_of(container.target) {
                    touched.keys.push((node, map.updated.keys().map(|key| key.to_string()).collect()));
                }
            }
            _ => {}
        }
    }
}
