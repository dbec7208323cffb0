//! The index of a file, or what can be told of one that has none.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use super::chunk::open_chunk;
use super::parts::Body;
use super::{Channel, ChunkAt, HEAD, Index, MAGIC, MOST, Placed, Schema, op};

/// Begins with the bytes of an MCAP file.
pub fn is_mcap(file: &mut (impl Read + Seek)) -> bool {
    let mut magic = [0; MAGIC.len()];
    file.rewind().is_ok() && file.read_exact(&mut magic).is_ok() && magic == MAGIC
}

/// The index of a file; of one that was not closed, as far as its records are whole.
pub fn index(file: &mut (impl Read + Seek), length: u64) -> io::Result<Index> {
    match index_at_end(file, length)? {
        Some(index) => Ok(index),
        None => scan(file, length),
    }
}

fn read_at(file: &mut (impl Read + Seek), at: u64, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

const FOOTER: u64 = HEAD + 20 + MAGIC.len() as u64;

/// None: there is none, or it is damaged.
fn index_at_end(file: &mut (impl Read + Seek), length: u64) -> io::Result<Option<Index>> {
    const DATA_END: u64 = HEAD + 4;
    if length < FOOTER + DATA_END + MAGIC.len() as u64 {
        return Ok(None);
    }
    let footer = read_at(file, length - FOOTER, FOOTER)?;
    let mut body = Body(&footer[HEAD as usize..]);
    let (start, _, sum) = (body.number64(), body.number64(), body.number32());
    let Some(start) = start.filter(|start| *start >= DATA_END && *start <= length - FOOTER) else { return Ok(None) };
    if footer[0] != op::FOOTER || body.0 != MAGIC || length - start > MOST {
        return Ok(None);
    }
    let summary = read_at(file, start, length - start)?;
    let summed = &summary[..summary.len() - MAGIC.len() - 4];
    if sum.is_some_and(|sum| sum != 0 && sum != crc32fast::hash(summed)) {
        return Ok(None);
    }
    let mut index = Index { data_end: start - DATA_END, ..Index::default() };
    let mut rest = Body(&summary[..(length - FOOTER - start) as usize]);
    while !rest.0.is_empty() {
        let record = rest.bytes(HEAD as usize).and_then(|head| {
            let size = u64::from_le_bytes(head[1..].try_into().ok()?);
            Some((head[0], rest.bytes(usize::try_from(size).ok()?)?))
        });
        let Some((kind, body)) = record else { return Ok(None) };
        if note(&mut index, kind, body, 0).is_none() {
            return Ok(None);
        }
    }
    let fits = |offset: u64, size: u64| {
        (HEAD..=MOST).contains(&size) && offset.checked_add(size).is_some_and(|end| end <= start)
    };
    let sound = index.chunks.iter().all(|chunk| fits(chunk.offset, chunk.length))
        && index.attachments.iter().all(|at| fits(at.offset, at.length));
    Ok(sound.then_some(index))
}

/// Takes in a record that stands at this place. None: it is damaged.
fn note(index: &mut Index, kind: u8, bytes: &[u8], at: u64) -> Option<()> {
    let mut body = Body(bytes);
    match kind {
        op::SCHEMA => {
            let id = body.number16()?;
            let (name, encoding) = (body.text()?, body.text()?);
            let count = body.number32()? as usize;
            index.schemas.insert(id, Schema { name, encoding, data: body.bytes(count)?.to_vec() });
        }
        op::CHANNEL => {
            let (id, schema) = (body.number16()?, body.number16()?);
            index.channels.insert(id, Channel { schema, topic: body.text()?, encoding: body.text()? });
        }
        op::CHUNK_INDEX => {
            let (start_ns, end_ns) = (body.number64()?, body.number64()?);
            let (offset, length) = (body.number64()?, body.number64()?);
            let (indexes, indexes_length) = (body.counts()?, body.number64()?);
            body.text()?;
            let (compressed, uncompressed) = (body.number64()?, body.number64()?);
            let counts = BTreeMap::new();
            index.chunks.push(ChunkAt {
                offset,
                length,
                start_ns,
                end_ns,
                indexes,
                indexes_length,
                compressed,
                uncompressed,
                counts,
            });
        }
        op::STATISTICS => {
            body.bytes(8 + 2 + 4 + 4 + 4 + 4 + 8 + 8)?;
            index.counts = body.counts()?;
        }
        op::ATTACHMENT_INDEX => {
            let (offset, length) = (body.number64()?, body.number64()?);
            let (time_ns, _, bytes) = (body.number64()?, body.number64()?, body.number64()?);
            index.attachments.push(Placed {
                name: body.text()?,
                media_type: body.text()?,
                offset,
                length,
                time_ns,
                bytes,
            });
        }
        op::METADATA_INDEX => {
            let (offset, length) = (body.number64()?, body.number64()?);
            index.metadata.push((body.text()?, offset, length));
        }
        op::METADATA => index.metadata.push((body.text()?, at, bytes.len() as u64 + HEAD)),
        _ => {}
    }
    Some(())
}

/// From record to record.
fn scan(file: &mut (impl Read + Seek), length: u64) -> io::Result<Index> {
    let mut index = Index::default();
    let mut at = MAGIC.len() as u64;
    while at + HEAD <= length {
        let head = read_at(file, at, HEAD)?;
        let size = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
        let is_whole = size <= MOST && at + HEAD + size <= length;
        if !is_whole || !(op::HEADER..op::DATA_END).contains(&head[0]) {
            break;
        }
        match head[0] {
            op::SCHEMA | op::CHANNEL | op::METADATA => {
                let body = read_at(file, at + HEAD, size)?;
                if note(&mut index, head[0], &body, at).is_none() {
                    break;
                }
            }
            op::CHUNK => {
                let body = read_at(file, at + HEAD, size)?;
                let Ok(opened) = open_chunk(&body) else { break };
                index.chunks.push(ChunkAt {
                    offset: at,
                    length: HEAD + size,
                    start_ns: opened.start_ns,
                    end_ns: opened.end_ns,
                    compressed: opened.compressed,
                    uncompressed: opened.data.len() as u64,
                    counts: opened.counts(),
                    ..ChunkAt::default()
                });
            }
            op::MESSAGE_INDEX => {
                let id = read_at(file, at + HEAD, 2)?;
                if let Some(chunk) = index.chunks.last_mut() {
                    chunk.indexes.insert(u16::from_le_bytes([id[0], id[1]]), at);
                    chunk.indexes_length += HEAD + size;
                }
            }
            _ => {}
        }
        at += HEAD + size;
    }
    index.data_end = at;
    index.cut = Some(length - at);
    Ok(index)
}
