//! What is in a chunk.

use std::collections::BTreeMap;
use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use super::parts::Body;
use super::{HEAD, MOST, op};

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    pub channel: u16,
    pub unix_ns: u64,
    bytes: std::ops::Range<usize>,
}

/// A chunk, unpacked.
pub struct Chunk {
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
    pub(super) compressed: u64,
    pub(super) data: Vec<u8>,
    pub messages: Vec<Message>,
}

impl Chunk {
    pub fn bytes(&self, message: &Message) -> &[u8] {
        &self.data[message.bytes.clone()]
    }

    pub(super) fn counts(&self) -> BTreeMap<u16, u64> {
        let mut counts = BTreeMap::new();
        self.messages.iter().for_each(|message| *counts.entry(message.channel).or_default() += 1);
        counts
    }
}

/// The body of a chunk's record, unpacked, its checksum judged.
pub fn open_chunk(body: &[u8]) -> Result<Chunk, String> {
    let short = || "a chunk is shorter than it says".to_owned();
    let mut body = Body(body);
    let mut head = || {
        Some((body.number64()?, body.number64()?, body.number64()?, body.number32()?, body.text()?, body.number64()?))
    };
    let (start_ns, end_ns, size, sum, packing, compressed) = head().ok_or_else(short)?;
    let packed = body.bytes(usize::try_from(compressed).unwrap_or(usize::MAX)).ok_or_else(short)?;
    if size > MOST {
        return Err(format!("a chunk says that it unpacks to {size} bytes"));
    }
    let data = match packing.as_str() {
        "" => packed.to_vec(),
        "zstd" => unpacked(packed, size)?,
        other => return Err(format!("a chunk is packed by {other}, which is not known here: pack it with zstd")),
    };
    if sum != 0 && crc32fast::hash(&data) != sum {
        return Err("the checksum of a chunk is wrong".to_owned());
    }
    let messages = messages(&data).ok_or_else(short)?;
    Ok(Chunk { start_ns, end_ns, compressed, data, messages })
}

fn unpacked(packed: &[u8], size: u64) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("a chunk does not unpack: {error}");
    let reader = StreamingDecoder::new(packed).map_err(|error| wrong(&error))?;
    let mut data = Vec::with_capacity(size as usize);
    reader.take(size + 1).read_to_end(&mut data).map_err(|error| wrong(&error))?;
    if data.len() as u64 != size {
        return Err(format!("a chunk unpacks to {} bytes and says {size}", data.len()));
    }
    Ok(data)
}

fn messages(data: &[u8]) -> Option<Vec<Message>> {
    let mut messages = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let mut body = Body(data.get(at..)?);
        let kind = body.bytes(1)?[0];
        let size = usize::try_from(body.number64()?).ok()?;
        let start = at + HEAD as usize;
        let end = start.checked_add(size).filter(|end| *end <= data.len())?;
        if kind == op::MESSAGE {
            let (channel, _, unix_ns) = (body.number16()?, body.number32()?, body.number64()?);
            let bytes = start.checked_add(22).filter(|from| *from <= end)?..end;
            messages.push(Message { channel, unix_ns, bytes });
        }
        at = end;
    }
    Some(messages)
}

/// The bytes of an attachment, its checksum judged.
pub fn attachment(record: &[u8]) -> Option<&[u8]> {
    let body = record.get(HEAD as usize..)?;
    let (summed, sum) = body.split_at_checked(body.len().checked_sub(4)?)?;
    let sum = u32::from_le_bytes(sum.try_into().ok()?);
    let mut parts = Body(summed);
    parts.bytes(16)?;
    parts.text()?;
    parts.text()?;
    let count = usize::try_from(parts.number64()?).ok()?;
    (sum == 0 || sum == crc32fast::hash(summed)).then_some(())?;
    parts.bytes(count)
}
