use std::sync::Arc;

use model::{Field, Fields, Header, Input, Node, NodeId, Output, Subtree};
use serde_json::Value as Json;

use crate::ReplicaError;
use crate::bytes::{Reader, Writer};
use crate::state::Content;

/// Between two neighbours' places, so that some more fit in before the fields are numbered anew.
pub(crate) const GAP: u64 = 64;

/// Named values in an order: settings of a node, or one kind of declaration of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ordered<T>(pub Vec<(u64, Arc<str>, T)>);

impl Ordered<Field> {
    pub fn from_fields(fields: &Fields) -> Ordered<Field> {
        Ordered::from_list(fields.iter().map(|(key, field)| (key.clone(), field.clone())))
    }
}

impl<T> Ordered<T> {
    pub fn from_list(list: impl IntoIterator<Item = (Arc<str>, T)>) -> Ordered<T> {
        let numbered = list.into_iter().enumerate();
        Ordered(numbered.map(|(index, (key, value))| ((index as u64 + 1) * GAP, key, value)).collect())
    }

    pub fn sort(&mut self) {
        self.0.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    }

    pub fn put(&mut self, place: u64, key: &str, value: T) {
        self.remove(key);
        self.0.push((place, key.into(), value));
    }

    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(_, name, _)| &**name != key);
    }

    pub fn get(&self, key: &str) -> Option<&(u64, Arc<str>, T)> {
        self.0.iter().find(|(_, name, _)| &**name == key)
    }

    /// A place in front of the value that stands at `index`; none if there is no room left.
    pub fn place_at(&self, index: usize) -> Option<u64> {
        let index = index.min(self.0.len());
        let before = index.checked_sub(1).map_or(0, |left| self.0[left].0);
        match self.0.get(index) {
            None => Some(before + GAP),
            Some((after, _, _)) => (after.saturating_sub(before) > 1).then(|| before + (after - before) / 2),
        }
    }
}

/// What makes a node the root of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FilePart {
    pub name: Arc<str>,
    pub declared: Declared,
}

/// A header with a place for every declaration, so that two people can add one each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declared {
    /// By the letter of [`LETTERS`].
    pub lists: [Ordered<Json>; 5],
    pub cell: Option<String>,
}

/// Inputs, outputs, variables, keys that are unknown and names of expressions, as keys of a root begin with them.
pub(crate) const LETTERS: [char; 5] = ['I', 'O', 'V', 'E', 'L'];

impl Declared {
    pub fn from_header(header: &Header) -> Declared {
        let inputs = header.inputs.iter().map(|(name, input)| (name.clone(), to_json(input)));
        let outputs = header.outputs.iter().map(|(name, output)| (name.clone(), to_json(output)));
        let extra = header.extra.iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
        Declared {
            lists: [
                Ordered::from_list(inputs),
                Ordered::from_list(outputs),
                Ordered::from_list(header.variables.iter().cloned()),
                Ordered::from_list(extra),
                Ordered::from_list(header.lets.iter().map(|(name, text)| (name.clone(), Json::from(&**text)))),
            ],
            cell: header.cell.clone(),
        }
    }

    pub fn header(&self) -> Header {
        let [inputs, outputs, variables, extra, lets] = &self.lists;
        let list = |of: &Ordered<Json>| of.0.clone().into_iter().map(|(_, name, json)| (name, json));
        Header {
            inputs: list(inputs).map(|(name, json)| (name, read_or_default::<Input>(json))).collect(),
            outputs: list(outputs).map(|(name, json)| (name, read_or_default::<Output>(json))).collect(),
            variables: list(variables).collect(),
            lets: list(lets).map(|(name, json)| (name, json.as_str().unwrap_or_default().into())).collect(),
            cell: self.cell.clone(),
            extra: list(extra).map(|(name, json)| (name.to_string(), json)).collect(),
        }
    }
}

fn read_or_default<T: serde::de::DeserializeOwned + Default>(json: Json) -> T {
    serde_json::from_value(json).unwrap_or_default()
}

fn to_json<T: serde::Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// A node as it was made; what was changed since lies over it, key by key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Origin {
    pub id: NodeId,
    pub kind: Arc<str>,
    pub name: Arc<str>,
    pub notes: Arc<str>,
    pub id_written: bool,
    pub fields: Ordered<Field>,
    pub file: Option<Box<FilePart>>,
}

/// A node as it was when it came to be.
#[derive(Clone, Debug)]
pub(crate) enum Birth {
    /// With the epoch: as in the library it began with.
    Planted(Arc<Node>),
    Made(Box<Origin>),
}

impl Birth {
    pub fn id(&self) -> NodeId {
        match self {
            Birth::Planted(node) => node.id,
            Birth::Made(origin) => origin.id,
        }
    }

    pub fn file(&self) -> Option<&FilePart> {
        match self {
            Birth::Planted(_) => None,
            Birth::Made(origin) => origin.file.as_deref(),
        }
    }

    pub fn content(&self) -> Content {
        match self {
            Birth::Planted(node) => Content {
                kind: node.kind.clone(),
                name: node.name.clone(),
                notes: node.notes.clone(),
                id_written: node.id_written,
                fields: Ordered::from_fields(&node.fields),
            },
            Birth::Made(origin) => Content {
                kind: origin.kind.clone(),
                name: origin.name.clone(),
                notes: origin.notes.clone(),
                id_written: origin.id_written,
                fields: origin.fields.clone(),
            },
        }
    }
}

impl Origin {
    pub fn of_node(node: &Node) -> Origin {
        Origin {
            id: node.id,
            kind: node.kind.clone(),
            name: node.name.clone(),
            notes: node.notes.clone(),
            id_written: node.id_written,
            fields: Ordered::from_fields(&node.fields),
            file: None,
        }
    }

    /// Without what is below it.
    pub fn of_subtree(top: &Subtree) -> Origin {
        Origin {
            id: top.id,
            kind: top.kind.clone(),
            name: top.name.clone(),
            notes: top.notes.clone(),
            id_written: top.id_written,
            fields: Ordered::from_fields(&top.fields),
            file: None,
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.fixed(self.id.0);
        writer.0.push(u8::from(self.id_written) | u8::from(self.file.is_some()) << 1);
        for text in [&self.kind, &self.name, &self.notes] {
            writer.text(text);
        }
        writer.number(self.fields.0.len() as u64);
        for (_, key, field) in &self.fields.0 {
            writer.text(key);
            writer.field(field);
        }
        if let Some(file) = &self.file {
            writer.text(&file.name);
            write_header(&mut writer, &file.declared.header());
        }
        writer.0
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Origin, ReplicaError> {
        let mut reader = Reader(bytes);
        let id = NodeId(reader.fixed()?);
        let flags = reader.byte()?;
        let (kind, name, notes) = (reader.shared()?, reader.shared()?, reader.shared()?);
        let mut fields = Vec::new();
        for _ in 0..reader.count()? {
            let key = reader.shared()?;
            fields.push((key, reader.field()?));
        }
        let file = if flags & 2 == 0 {
            None
        } else {
            let name = reader.shared()?;
            let declared = Declared::from_header(&read_header(&mut reader)?);
            Some(Box::new(FilePart { name, declared }))
        };
        reader.end()?;
        let id_written = flags & 1 != 0;
        Ok(Origin { id, kind, name, notes, id_written, fields: Ordered::from_list(fields), file })
    }
}

pub(crate) fn write_header(writer: &mut Writer, header: &Header) {
    writer.text(&serde_json::to_string(header).unwrap_or_default());
}

pub(crate) fn read_header(reader: &mut Reader<'_>) -> Result<Header, ReplicaError> {
    serde_json::from_str(reader.text()?).map_err(|_| ReplicaError::Damaged("a header cannot be read"))
}
