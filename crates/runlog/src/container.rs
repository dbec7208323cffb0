//! MCAP, the file format: records with a length each, messages in chunks with a checksum, an index at the end. Our own
//! few lines of it, because the crate for it brings twenty others and has no way to add to a file that was closed or cut.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

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

/// The parts of a record, one behind the other.
#[derive(Default)]
struct Parts(Vec<u8>);

impl Parts {
    fn number16(mut self, number: u16) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn number32(mut self, number: u32) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn number64(mut self, number: u64) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn text(mut self, text: &str) -> Parts {
        self.0.extend((text.len() as u32).to_le_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    fn counts(mut self, counts: &BTreeMap<u16, u64>) -> Parts {
        self.0.extend((counts.len() as u32 * 10).to_le_bytes());
        for (id, count) in counts {
            self.0.extend(id.to_le_bytes());
            self.0.extend(count.to_le_bytes());
        }
        self
    }
}

fn put(out: &mut Vec<u8>, kind: u8, body: &[u8]) {
    out.push(kind);
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(body);
}

fn schema_record(id: u16, schema: &Schema) -> Vec<u8> {
    let parts = Parts::default().number16(id).text(&schema.name).text(&schema.encoding);
    let mut body = parts.number32(schema.data.len() as u32).0;
    body.extend(&schema.data);
    body
}

fn channel_record(id: u16, channel: &Channel) -> Vec<u8> {
    let parts = Parts::default().number16(id).number16(channel.schema).text(&channel.topic).text(&channel.encoding);
    parts.number32(0).0
}

/// Writes a file from its beginning, or behind what a file has.
pub struct Writer<W: Write> {
    out: W,
    at: u64,
    index: Index,
    chunk: Vec<u8>,
    /// By channel: time and place in the chunk.
    messages: BTreeMap<u16, Vec<(u64, u64)>>,
    times: Option<(u64, u64)>,
    sequence: u32,
}

impl<W: Write> Writer<W> {
    pub fn new(mut out: W, library: &str) -> io::Result<Writer<W>> {
        let mut head = MAGIC.to_vec();
        put(&mut head, op::HEADER, &Parts::default().text("").text(library).0);
        out.write_all(&head)?;
        Writer::behind(out, Index { data_end: head.len() as u64, ..Index::default() })
    }

    /// `out` stands where the data of that index end, and nothing is behind.
    pub fn behind(out: W, index: Index) -> io::Result<Writer<W>> {
        let at = index.data_end;
        let (chunk, messages) = (Vec::new(), BTreeMap::new());
        Ok(Writer { out, at, index, chunk, messages, times: None, sequence: 0 })
    }

    /// Of this topic, made where there is none.
    pub fn channel(&mut self, topic: &str, schema: &Schema, encoding: &str) -> io::Result<u16> {
        if let Some((id, _)) = self.index.channels.iter().find(|(_, channel)| channel.topic == topic) {
            return Ok(*id);
        }
        let known = self.index.schemas.iter().find(|(_, known)| *known == schema).map(|(id, _)| *id);
        let mut records = Vec::new();
        let schema_id = known.unwrap_or_else(|| {
            let id = self.index.schemas.keys().next_back().map_or(1, |last| last + 1);
            put(&mut records, op::SCHEMA, &schema_record(id, schema));
            self.index.schemas.insert(id, schema.clone());
            id
        });
        let id = self.index.channels.keys().next_back().map_or(1, |last| last + 1);
        let channel = Channel { schema: schema_id, topic: topic.to_owned(), encoding: encoding.to_owned() };
        put(&mut records, op::CHANNEL, &channel_record(id, &channel));
        self.index.channels.insert(id, channel);
        self.write_out(&records)?;
        Ok(id)
    }

    pub fn message(&mut self, channel: u16, unix_ns: u64, data: &[u8]) {
        self.sequence = self.sequence.wrapping_add(1);
        let entry = (unix_ns, self.chunk.len() as u64);
        self.messages.entry(channel).or_default().push(entry);
        let (start, end) = self.times.unwrap_or((unix_ns, unix_ns));
        self.times = Some((start.min(unix_ns), end.max(unix_ns)));
        self.chunk.push(op::MESSAGE);
        self.chunk.extend((22 + data.len() as u64).to_le_bytes());
        self.chunk.extend(channel.to_le_bytes());
        self.chunk.extend(self.sequence.to_le_bytes());
        self.chunk.extend(unix_ns.to_le_bytes());
        self.chunk.extend(unix_ns.to_le_bytes());
        self.chunk.extend(data);
    }

    /// Of the chunk that is not written yet.
    pub fn waiting_bytes(&self) -> usize {
        self.chunk.len()
    }

    fn write_out(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// What was given so far is with the system when this returns.
    pub fn flush(&mut self) -> io::Result<()> {
        if let Some((start_ns, end_ns)) = self.times.take() {
            let packed = compress_to_vec(self.chunk.as_slice(), CompressionLevel::Fastest);
            let parts = Parts::default().number64(start_ns).number64(end_ns).number64(self.chunk.len() as u64);
            let parts = parts.number32(crc32fast::hash(&self.chunk)).text("zstd").number64(packed.len() as u64);
            let mut body = parts.0;
            body.extend(&packed);
            let mut records = Vec::with_capacity(body.len() + 1024);
            put(&mut records, op::CHUNK, &body);
            let length = records.len() as u64;
            let mut indexes = BTreeMap::new();
            let messages = std::mem::take(&mut self.messages);
            for (channel, entries) in &messages {
                indexes.insert(*channel, self.at + records.len() as u64);
                let mut body = Parts::default().number16(*channel).number32(entries.len() as u32 * 16).0;
                entries.iter().for_each(|(time, place)| {
                    body.extend(time.to_le_bytes());
                    body.extend(place.to_le_bytes());
                });
                put(&mut records, op::MESSAGE_INDEX, &body);
            }
            let counts: BTreeMap<u16, u64> =
                messages.iter().map(|(channel, entries)| (*channel, entries.len() as u64)).collect();
            self.index.chunks.push(ChunkAt {
                offset: self.at,
                length,
                start_ns,
                end_ns,
                indexes,
                indexes_length: records.len() as u64 - length,
                compressed: packed.len() as u64,
                uncompressed: self.chunk.len() as u64,
                counts,
            });
            self.chunk.clear();
            self.write_out(&records)?;
        }
        self.out.flush()
    }

    pub fn attach(&mut self, name: &str, media_type: &str, unix_ns: u64, data: &[u8]) -> io::Result<()> {
        self.flush()?;
        let parts = Parts::default().number64(unix_ns).number64(unix_ns).text(name).text(media_type);
        let mut body = parts.number64(data.len() as u64).0;
        body.extend(data);
        let sum = crc32fast::hash(&body);
        body.extend(sum.to_le_bytes());
        let mut record = Vec::with_capacity(body.len() + HEAD as usize);
        put(&mut record, op::ATTACHMENT, &body);
        self.index.attachments.push(Placed {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            offset: self.at,
            length: record.len() as u64,
            time_ns: unix_ns,
            bytes: data.len() as u64,
        });
        self.write_out(&record)
    }

    pub fn metadata(&mut self, name: &str, entries: &[(&str, String)]) -> io::Result<()> {
        self.flush()?;
        let mut map = Parts::default();
        for (key, value) in entries {
            map = map.text(key).text(value);
        }
        let mut body = Parts::default().text(name).number32(map.0.len() as u32).0;
        body.extend(map.0);
        let mut record = Vec::new();
        put(&mut record, op::METADATA, &body);
        self.index.metadata.push((name.to_owned(), self.at, record.len() as u64));
        self.write_out(&record)
    }

    /// With the index at its end.
    pub fn close(mut self) -> io::Result<W> {
        self.flush()?;
        let mut end = Vec::new();
        put(&mut end, op::DATA_END, &Parts::default().number32(0).0);
        self.write_out(&end)?;
        let summary_start = self.at;
        let mut summary = self.index.records();
        let mut footer = Parts::default().number64(summary_start).number64(0).0;
        summary.push(op::FOOTER);
        summary.extend(20_u64.to_le_bytes());
        summary.append(&mut footer);
        let sum = crc32fast::hash(&summary);
        summary.extend(sum.to_le_bytes());
        summary.extend(MAGIC);
        self.write_out(&summary)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Index {
    /// Messages of a channel.
    pub fn count(&self, channel: u16) -> u64 {
        let of_chunks = self.chunks.iter().filter_map(|chunk| chunk.counts.get(&channel));
        self.counts.get(&channel).unwrap_or(&0) + of_chunks.sum::<u64>()
    }

    fn records(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.schemas.iter().for_each(|(id, schema)| put(&mut out, op::SCHEMA, &schema_record(*id, schema)));
        self.channels.iter().for_each(|(id, channel)| put(&mut out, op::CHANNEL, &channel_record(*id, channel)));
        let mut counts = self.counts.clone();
        for chunk in &self.chunks {
            chunk.counts.iter().for_each(|(channel, count)| *counts.entry(*channel).or_default() += count);
        }
        let start = self.chunks.iter().map(|chunk| chunk.start_ns).min().unwrap_or(0);
        let end = self.chunks.iter().map(|chunk| chunk.end_ns).max().unwrap_or(0);
        let parts = Parts::default().number64(counts.values().sum()).number16(self.schemas.len() as u16);
        let parts = parts.number32(self.channels.len() as u32).number32(self.attachments.len() as u32);
        let parts = parts.number32(self.metadata.len() as u32).number32(self.chunks.len() as u32);
        put(&mut out, op::STATISTICS, &parts.number64(start).number64(end).counts(&counts).0);
        for chunk in &self.chunks {
            let parts = Parts::default().number64(chunk.start_ns).number64(chunk.end_ns).number64(chunk.offset);
            let parts = parts.number64(chunk.length).counts(&chunk.indexes).number64(chunk.indexes_length);
            let parts = parts.text("zstd").number64(chunk.compressed).number64(chunk.uncompressed);
            put(&mut out, op::CHUNK_INDEX, &parts.0);
        }
        for at in &self.attachments {
            let parts = Parts::default().number64(at.offset).number64(at.length).number64(at.time_ns);
            let parts = parts.number64(at.time_ns).number64(at.bytes).text(&at.name).text(&at.media_type);
            put(&mut out, op::ATTACHMENT_INDEX, &parts.0);
        }
        for (name, offset, length) in &self.metadata {
            let parts = Parts::default().number64(*offset).number64(*length).text(name);
            put(&mut out, op::METADATA_INDEX, &parts.0);
        }
        out
    }
}

/// Reads the parts of a record. None: it is shorter than it says.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes(2)?.try_into().ok()?))
    }

    fn number32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    fn number64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let count = self.number32()? as usize;
        Some(String::from_utf8_lossy(self.bytes(count)?).into_owned())
    }

    fn counts(&mut self) -> Option<BTreeMap<u16, u64>> {
        let length = self.number32()? as usize;
        let mut body = Body(self.bytes(length)?);
        let mut counts = BTreeMap::new();
        while !body.0.is_empty() {
            counts.insert(body.number16()?, body.number64()?);
        }
        Some(counts)
    }
}

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

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    pub channel: u16,
    pub unix_ns: u64,
    bytes: std::ops::Range<usize>,
}

/// A chunk, unpacked.
pub struct Chunk {
    start_ns: u64,
    end_ns: u64,
    compressed: u64,
    data: Vec<u8>,
    pub messages: Vec<Message>,
}

impl Chunk {
    pub fn bytes(&self, message: &Message) -> &[u8] {
        &self.data[message.bytes.clone()]
    }

    fn counts(&self) -> BTreeMap<u16, u64> {
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
