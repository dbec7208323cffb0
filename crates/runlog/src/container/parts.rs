//! What records are made of.

use std::collections::BTreeMap;

use super::{Channel, Schema};

/// The parts of a record, one behind the other.
#[derive(Default)]
pub struct Parts(pub Vec<u8>);

impl Parts {
    pub fn number16(mut self, number: u16) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn number32(mut self, number: u32) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn number64(mut self, number: u64) -> Parts {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn text(mut self, text: &str) -> Parts {
        self.0.extend((text.len() as u32).to_le_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    pub fn counts(mut self, counts: &BTreeMap<u16, u64>) -> Parts {
        self.0.extend((counts.len() as u32 * 10).to_le_bytes());
        for (id, count) in counts {
            self.0.extend(id.to_le_bytes());
            self.0.extend(count.to_le_bytes());
        }
        self
    }
}

pub fn put(out: &mut Vec<u8>, kind: u8, body: &[u8]) {
    out.push(kind);
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(body);
}

pub fn schema_record(id: u16, schema: &Schema) -> Vec<u8> {
    let parts = Parts::default().number16(id).text(&schema.name).text(&schema.encoding);
    let mut body = parts.number32(schema.data.len() as u32).0;
    body.extend(&schema.data);
    body
}

pub fn channel_record(id: u16, channel: &Channel) -> Vec<u8> {
    let parts = Parts::default().number16(id).number16(channel.schema).text(&channel.topic).text(&channel.encoding);
    parts.number32(0).0
}

/// Reads the parts of a record. None: it is shorter than it says.
pub struct Body<'a>(pub &'a [u8]);

impl<'a> Body<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn number16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes(2)?.try_into().ok()?))
    }

    pub fn number32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    pub fn number64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    pub fn text(&mut self) -> Option<String> {
        let count = self.number32()? as usize;
        Some(String::from_utf8_lossy(self.bytes(count)?).into_owned())
    }

    pub fn counts(&mut self) -> Option<BTreeMap<u16, u64>> {
        let length = self.number32()? as usize;
        let mut body = Body(self.bytes(length)?);
        let mut counts = BTreeMap::new();
        while !body.0.is_empty() {
            counts.insert(body.number16()?, body.number64()?);
        }
        Some(counts)
    }
}
