//! Writes a file, or goes on with one.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::parts::{Parts, channel_record, put, schema_record};
use super::{Channel, ChunkAt, HEAD, Index, MAGIC, Placed, Schema, op};

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
