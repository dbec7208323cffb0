use std::collections::BTreeMap;

use loro::VersionVector;

use crate::ReplicaError;
use crate::bytes::{Reader, Writer};
use crate::replica::Replica;

/// Which changes of an epoch a peer has: how many operations of each peer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    pub epoch: u64,
    pub(crate) seen: BTreeMap<u64, u64>,
}

impl Version {
    pub(crate) fn new(epoch: u64, vector: &VersionVector) -> Version {
        // What genesis made everybody has.
        let seen = vector.iter().filter(|(peer, count)| **peer != 0 && **count > 0);
        Version { epoch, seen: seen.map(|(peer, count)| (*peer, *count as u64)).collect() }
    }

    /// Every change of the other is among these.
    pub fn includes(&self, other: &Version) -> bool {
        let has = |(peer, count): (&u64, &u64)| self.seen.get(peer).is_some_and(|seen| seen >= count);
        self.epoch == other.epoch && other.seen.iter().all(has)
    }

    /// The most that two versions have in common: what both have is settled.
    pub fn common(&self, other: &Version) -> Version {
        let both =
            self.seen.iter().filter_map(|(peer, count)| other.seen.get(peer).map(|theirs| (*peer, *count.min(theirs))));
        let seen = if self.epoch == other.epoch { both.collect() } else { BTreeMap::new() };
        Version { epoch: self.epoch, seen }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(self.epoch);
        for (peer, count) in &self.seen {
            writer.number(*peer);
            writer.number(*count);
        }
        writer.0
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Version, ReplicaError> {
        let mut reader = Reader(bytes);
        let mut version = Version { epoch: reader.number()?, ..Version::default() };
        while reader.end().is_err() {
            let (peer, count) = (reader.number()?, reader.number()?);
            version.seen.insert(peer, count.min(i32::MAX as u64));
        }
        Ok(version)
    }

    pub(crate) fn vector(&self, planted: i32) -> VersionVector {
        let mut vector: VersionVector = self.seen.iter().map(|(peer, count)| (*peer, *count as i32)).collect();
        vector.insert(0, planted);
        vector
    }
}

impl Replica {
    /// The changes this peer has. Two peers with equal versions have equal trees.
    pub fn version(&self) -> Version {
        Version::new(self.epoch, &self.state.doc.oplog_vv())
    }

    /// Whether everything of a version, such as one another peer sent, is here.
    pub fn has(&self, version: &Version) -> bool {
        self.version().includes(version)
    }

    /// What a peer with that version lacks; nothing if it lacks nothing.
    pub fn updates_since(&self, version: &Version) -> Result<Option<Vec<u8>>, ReplicaError> {
        if version.epoch != self.epoch {
            return Err(ReplicaError::OtherEpoch { ours: self.epoch, theirs: version.epoch });
        }
        if version.includes(&self.version()) {
            return Ok(None);
        }
        self.update_from(&version.vector(self.planted)).map(Some)
    }
}
