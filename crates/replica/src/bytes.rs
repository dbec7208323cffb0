//! Small binary forms. What is read comes from other machines: every length is checked against what is there.

use std::sync::Arc;

use model::{Field, NodeId, NodeRef};
use serde_json::{Number, Value as Json};

use crate::ReplicaError;

#[derive(Default)]
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    /// Seven bits a byte, the low ones first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn fixed(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub fn json(&mut self, json: &Json) {
        self.text(&json.to_string());
    }

    pub fn field(&mut self, field: &Field) {
        self.field_with(field, |writer, id| writer.fixed(id.0));
    }

    /// A field whose references are written in a form of the caller's.
    pub fn field_with(&mut self, field: &Field, id: impl FnOnce(&mut Writer, NodeId)) {
        match field {
            Field::Null => self.0.push(0),
            Field::Bool(value) => self.0.push(1 + u8::from(*value)),
            Field::Number(number) => {
                self.0.push(3);
                self.text(&number.to_string());
            }
            Field::Text(text) => {
                self.0.push(4);
                self.text(text);
            }
            Field::Json(json) => {
                self.0.push(5);
                self.json(json);
            }
            Field::Ref(reference) => {
                self.0.push(6 + u8::from(reference.id.is_some()));
                self.text(&reference.text);
                if let Some(target) = reference.id {
                    id(self, target);
                }
            }
        }
    }
}

pub(crate) struct Reader<'b>(pub &'b [u8]);

type Read<T> = Result<T, ReplicaError>;

impl<'b> Reader<'b> {
    pub fn byte(&mut self) -> Read<u8> {
        let (first, rest) = self.0.split_first().ok_or(ReplicaError::Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn number(&mut self) -> Read<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(ReplicaError::Damaged("a number is too long"))
    }

    /// How many of something follow, each at least a byte long.
    pub fn count(&mut self) -> Read<usize> {
        let count = self.number()?;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= self.0.len())
            .ok_or(ReplicaError::Damaged("a length is past the end"))
    }

    pub fn take(&mut self, len: usize) -> Read<&'b [u8]> {
        if len > self.0.len() {
            return Err(ReplicaError::Damaged("it ends too early"));
        }
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        Ok(taken)
    }

    pub fn bytes(&mut self) -> Read<&'b [u8]> {
        let len = self.count()?;
        self.take(len)
    }

    pub fn text(&mut self) -> Read<&'b str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| ReplicaError::Damaged("a text is not UTF-8"))
    }

    pub fn shared(&mut self) -> Read<Arc<str>> {
        self.text().map(Arc::from)
    }

    pub fn fixed(&mut self) -> Read<u64> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight were taken")))
    }

    pub fn json(&mut self) -> Read<Json> {
        serde_json::from_str(self.text()?).map_err(|_| ReplicaError::Damaged("a value is not JSON"))
    }

    pub fn field(&mut self) -> Read<Field> {
        self.field_with(|reader| reader.fixed().map(NodeId))
    }

    pub fn field_with(&mut self, id: impl FnOnce(&mut Self) -> Read<NodeId>) -> Read<Field> {
        Ok(match self.byte()? {
            0 => Field::Null,
            1 => Field::Bool(false),
            2 => Field::Bool(true),
            3 => {
                let number: Number =
                    serde_json::from_str(self.text()?).map_err(|_| ReplicaError::Damaged("a number is none"))?;
                Field::Number(number)
            }
            4 => Field::Text(self.text()?.into()),
            5 => Field::Json(Box::new(self.json()?)),
            tag @ 6..=7 => {
                let text = self.shared()?;
                let id = if tag == 7 { Some(id(self)?) } else { None };
                Field::Ref(Box::new(NodeRef { id, text }))
            }
            _ => return Err(ReplicaError::Damaged("a value has an unknown form")),
        })
    }

    pub fn end(&self) -> Read<()> {
        if self.0.is_empty() { Ok(()) } else { Err(ReplicaError::Damaged("there is more than there should be")) }
    }
}

/// The same on every machine and in every version.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    model::hash::Fnv::new().with(bytes).mixed()
}
