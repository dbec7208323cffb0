//! A replica as bytes, for a process that must have its tree again after a restart.

use std::sync::Arc;

use model::{Library, NodeId};

use crate::bytes::{Reader, Writer};
use crate::genesis::check;
use crate::history::{Entry, PAST, Part};
use crate::replica::{Peer, Replica, Touched};
use crate::{ReplicaError, Version};

const MAGIC: &[u8; 3] = b"CR1";

impl Replica {
    /// The tree with the changes of this epoch and the newest history.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ReplicaError> {
        let beginning = Version { epoch: self.epoch, ..Version::default() };
        let changes = self.updates_since(&beginning)?.unwrap_or_default();
        let mut writer = Writer::default();
        writer.0.extend_from_slice(MAGIC);
        writer.bytes(&self.genesis);
        writer.bytes(&changes);
        let past = &self.log.past[self.log.past.len().saturating_sub(PAST)..];
        writer.number(past.len() as u64);
        past.iter().for_each(|entry| write_entry(&mut writer, entry));
        let sum = check(&writer.0);
        writer.0.extend_from_slice(&sum);
        Ok(writer.0)
    }

    /// A replica as it was saved, with its library, for a process that starts: as a new peer.
    pub fn from_bytes(bytes: &[u8], peer: Peer) -> Result<(Replica, Library), ReplicaError> {
        let (whole, sum) = bytes.split_at(bytes.len().saturating_sub(4));
        if !whole.starts_with(MAGIC) {
            return Err(ReplicaError::Version);
        }
        if check(whole) != sum {
            return Err(ReplicaError::Damaged("its checksum is wrong"));
        }
        let mut reader = Reader(&whole[MAGIC.len()..]);
        let (genesis, changes) = (reader.bytes()?, reader.bytes()?);
        let (mut replica, mut library) = Replica::from_genesis(genesis, peer)?;
        for _ in 0..reader.count()? {
            replica.log.past.push(read_entry(&mut reader)?);
        }
        reader.end()?;
        if !changes.is_empty() {
            let merged = replica.merge(changes, &library)?;
            let applied = library.apply_all(&merged.edits);
            applied.map_err(|_| ReplicaError::Damaged("its changes do not fit its beginning"))?;
            *replica.lock() = Touched::default();
        }
        Ok((replica, library))
    }
}

fn write_entry(writer: &mut Writer, entry: &Entry) {
    writer.number(entry.peer);
    writer.text(&entry.who);
    writer.number(entry.when_s as u64);
    writer.number(entry.touched.len() as u64);
    for (node, part) in &entry.touched {
        writer.fixed(node.0);
        let (tag, key): (u8, &str) = match part {
            Part::Place => (0, ""),
            Part::Presence => (1, ""),
            Part::Type => (2, ""),
            Part::Name => (3, ""),
            Part::Notes => (4, ""),
            Part::File => (5, ""),
            Part::Setting(key) => (6, key),
            Part::Declaration(key) => (7, key),
        };
        writer.0.push(tag);
        if tag >= 6 {
            writer.text(key);
        }
    }
}

fn read_entry(reader: &mut Reader<'_>) -> Result<Entry, ReplicaError> {
    let (peer, who, when_s) = (reader.number()?, reader.shared()?, reader.number()? as i64);
    let mut touched = Vec::new();
    for _ in 0..reader.count()? {
        let node = NodeId(reader.fixed()?);
        let part = match reader.byte()? {
            0 => Part::Place,
            1 => Part::Presence,
            2 => Part::Type,
            3 => Part::Name,
            4 => Part::Notes,
            5 => Part::File,
            6 => Part::Setting(reader.shared()?),
            7 => Part::Declaration(reader.shared()?),
            _ => return Err(ReplicaError::Damaged("its history cannot be read")),
        };
        touched.push((node, part));
    }
    Ok(Entry { peer, who: Arc::clone(&who), when_s, touched })
}
