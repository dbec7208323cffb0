//! MCAP, the file format: records with a length each, messages in chunks with a checksum, an index at the end. Our own
//! few lines of it, because the crate for it brings twenty others and has no way to add to a file that was closed or cut.

mod chunk;
mod parts;
mod read;
mod write;

use std::collections::BTreeMap;

pub use chunk::{Chunk, Message, attachment, open_chunk};
pub use read::{index, is_mcap};
pub use write::Writer;

pub const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'A', b'P', 0x30, b'\r', b'\n'];
/// A byte for the kind, eight for the length.
pub const HEAD: u64 = 9;
/// A record of a file that is sound is no larger: a length that is comes from damage.
const MOST: u64 = 1 << 30;

mod op {
    pub const HEADER: u8 = 0x01;
    pub const FOOTER: u8 = 0x02;
    pub const SCHEMA: u8 = 0x03;
    pub const CHANNEL: u8 = 0x04;
    pub const MESSAGE: u8 = 0x05;
    pub const CHUNK: u8 = 0x06;
    pub const MESSAGE_INDEX: u8 = 0x07;
    pub const CHUNK_INDEX: u8 = 0x08;
    pub const ATTACHMENT: u8 = 0x09;
    pub const ATTACHMENT_INDEX: u8 = 0x0a;
    pub const STATISTICS: u8 = 0x0b;
    pub const METADATA: u8 = 0x0c;
    pub const METADATA_INDEX: u8 = 0x0d;
    pub const DATA_END: u8 = 0x0f;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub name: String,
    pub encoding: String,
    pub data: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    pub schema: u16,
    pub topic: String,
    pub encoding: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkAt {
    pub offset: u64,
    pub length: u64,
    pub start_ns: u64,
    pub end_ns: u64,
    indexes: BTreeMap<u16, u64>,
    indexes_length: u64,
    compressed: u64,
    uncompressed: u64,
    counts: BTreeMap<u16, u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub name: String,
    pub media_type: String,
    pub offset: u64,
    pub length: u64,
    time_ns: u64,
    bytes: u64,
}

/// What stands at the end of a file that was closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    pub schemas: BTreeMap<u16, Schema>,
    pub channels: BTreeMap<u16, Channel>,
    pub chunks: Vec<ChunkAt>,
    pub attachments: Vec<Placed>,
    metadata: Vec<(String, u64, u64)>,
    counts: BTreeMap<u16, u64>,
    /// Where data end and the index, or nothing whole, begins.
    pub data_end: u64,
    /// It was not closed: so many bytes at its end are of no use.
    pub cut: Option<u64>,
}

impl Index {
    /// Messages of a channel.
    pub fn count(&self, channel: u16) -> u64 {
        let of_chunks = self.chunks.iter().filter_map(|chunk| chunk.counts.get(&channel));
        self.counts.get(&channel).unwrap_or(&0) + of_chunks.sum::<u64>()
    }
}
