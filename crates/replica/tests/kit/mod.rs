#![allow(dead_code, reason = "each test file uses its part")]

use document::{Document, DocumentError};
use model::{Edit, NodeId};
use replica::{Merged, Peer, Replica};

/// A person with a document and a replica.
pub struct Site {
    pub document: Document,
    pub replica: Replica,
    pub sent: Vec<Vec<u8>>,
    pub clock_s: i64,
}

impl Site {
    pub fn new(document: Document, replica: Replica) -> Site {
        Site { document, replica, sent: Vec::new(), clock_s: 1_700_000_000 }
    }

    pub fn edit(&mut self, act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>) -> Vec<Edit> {
        let edits = act(&mut self.document).expect("the operation is possible");
        self.record(&edits);
        edits
    }

    pub fn record(&mut self, edits: &[Edit]) {
        self.clock_s += 1;
        self.sent.push(self.replica.record(edits, self.clock_s).expect("what a library took can be recorded"));
        self.replica.check_invariants().expect("what a replica keeps fits");
    }

    pub fn take(&mut self, bytes: &[u8]) -> Merged {
        let merged = self.replica.merge(bytes, self.document.library()).expect("it was sent by a replica");
        self.replica.check_invariants().expect("what a replica keeps fits");
        self.document.follow(&merged.edits).expect("merged edits apply");
        merged
    }

    pub fn find(&self, name: &str) -> NodeId {
        let mut nodes =
            self.document.library().iter().flat_map(|(_, tree)| tree.walk(tree.root).map(move |id| (tree, id)));
        nodes.find(|(tree, id)| &*tree.node(*id).name == name).map(|(_, id)| id).expect("a node of that name")
    }

    /// Names of the main file below its root, in tree order.
    pub fn names(&self) -> Vec<String> {
        let tree = self.document.library().main();
        tree.walk(tree.root).skip(1).map(|id| tree.node(id).label().to_string()).collect()
    }
}

pub fn peer(number: u64) -> Peer {
    Peer { number: 0x5eed_0000_0000 + number, name: ["", "Anna", "Bob", "Robot"][number as usize].into() }
}

/// Two sites with the same tree.
pub fn join(outline: &str) -> (Site, Site) {
    let library = testkit::load(outline, &engine::Options::default()).library().clone();
    let anna = Replica::from_library(&library, peer(1), 1).expect("a library");
    let (bob, theirs) = Replica::from_genesis(anna.genesis_bytes(), peer(2)).expect("a genesis");
    let documents = [library, theirs]
        .into_iter()
        .zip(1..)
        .map(|(library, author)| Document::new(library, testkit::registry(), author));
    let mut documents: Vec<Document> = documents.collect();
    let second = documents.pop().expect("two");
    (Site::new(documents.pop().expect("two"), anna), Site::new(second, bob))
}

pub fn exchange(one: &mut Site, other: &mut Site) {
    let (from_one, from_other) = (std::mem::take(&mut one.sent), std::mem::take(&mut other.sent));
    from_one.iter().for_each(|bytes| drop(other.take(bytes)));
    from_other.iter().for_each(|bytes| drop(one.take(bytes)));
}

pub fn texts(site: &Site) -> Vec<(String, String)> {
    let files = site.document.library().iter().map(|(_, tree)| tree.file.to_string());
    let mut texts: Vec<(String, String)> =
        files.map(|file| (file.clone(), site.document.text(&file).expect("it is in the library"))).collect();
    texts[1..].sort();
    texts
}

pub fn deepest(site: &Site, top: NodeId) -> NodeId {
    site.document.library().main().walk(top).last().expect("itself at least")
}

/// What is saved can be read again, and is then the same text.
pub fn loads_again(site: &Site) {
    let mut disk = model::file::MemoryFiles::default();
    for (file, text) in texts(site) {
        disk.insert(file, text);
    }
    let registry = testkit::registry();
    let loaded = model::file::load("main.json", &disk, registry.catalogue()).expect("a merged tree opens");
    for (_, tree) in loaded.library.iter() {
        let text = model::file::save(tree, registry.catalogue());
        assert_eq!(disk.0.get(&*tree.file), Some(&text), "{} is saved as it was", tree.file);
    }
}
