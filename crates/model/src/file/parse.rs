use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value as Json;

use crate::{Field, Fields, NodeId, Severity};

/// A node as its file has it, before its type is looked at. They stand in tree order.
pub(super) struct Raw {
    pub parent: Option<u32>,
    /// Place among the parent's children.
    pub index: u32,
    pub child_count: u32,
    /// Empty: the file gives none.
    pub kind: Arc<str>,
    pub id: Option<NodeId>,
    pub name: Arc<str>,
    pub notes: Arc<str>,
    pub fields: Fields,
    /// The type it had in a file of another system, where it was mapped to ours.
    pub was: Option<Arc<str>>,
}

/// A problem of a node that has no id yet.
pub(super) struct Finding {
    pub node: u32,
    pub severity: Severity,
    pub field: Option<String>,
    pub message: String,
    pub remedy: String,
}

impl Finding {
    pub fn error(node: u32, field: Option<&str>, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        let (message, remedy) = (message.into(), remedy.into());
        Finding { node, severity: Severity::Error, field: field.map(str::to_owned), message, remedy }
    }

    pub fn warning(node: u32, field: Option<&str>, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::error(node, field, message, remedy) }
    }
}

/// Types and keys, each text once however many nodes have it.
#[derive(Default)]
pub(super) struct Words {
    known: FxHashSet<Arc<str>>,
    empty: Arc<str>,
}

impl Words {
    pub fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(word) = self.known.get(text) {
            return word.clone();
        }
        let word: Arc<str> = text.into();
        self.known.insert(word.clone());
        word
    }

    pub fn empty(&self) -> Arc<str> {
        self.empty.clone()
    }
}

/// Reads the nodes of a file. The text must have passed the scan for depth: this recurses.
pub(super) fn parse(text: &str, words: &mut Words) -> Result<(Vec<Raw>, Vec<Finding>), serde_json::Error> {
    let mut tree = Tree { nodes: Vec::new(), findings: Vec::new(), words };
    let mut json = serde_json::Deserializer::from_str(text);
    json.disable_recursion_limit();
    NodeSeed { tree: &mut tree, parent: None }.deserialize(&mut json)?;
    json.end()?;
    Ok((tree.nodes, tree.findings))
}

struct Tree<'a> {
    nodes: Vec<Raw>,
    findings: Vec<Finding>,
    words: &'a mut Words,
}

impl Tree<'_> {
    fn open(&mut self, parent: Option<u32>) -> Result<u32, &'static str> {
        let node = u32::try_from(self.nodes.len()).map_err(|_| "too many nodes")?;
        let mut index = 0;
        if let Some(parent) = parent {
            let parent = &mut self.nodes[parent as usize];
            index = parent.child_count;
            parent.child_count += 1;
        }
        let empty = self.words.empty();
        self.nodes.push(Raw {
            parent,
            index,
            child_count: 0,
            kind: empty.clone(),
            id: None,
            name: empty.clone(),
            notes: empty,
            fields: Fields::default(),
            was: None,
        });
        Ok(node)
    }

    fn at(&mut self, node: u32) -> &mut Raw {
        &mut self.nodes[node as usize]
    }

    fn twice(&mut self, node: u32, key: &str) {
        let message = format!("`{}` is written twice; the last one counts", crate::schema::short(key));
        self.findings.push(Finding::error(node, Some(key), message, "take one of them out"));
    }

    /// Keeps a value whose form is wrong, so that saving does not lose it.
    fn odd(&mut self, node: u32, key: &'static str, value: Field, wanted: &str) {
        if value == Field::Null {
            return;
        }
        let message = format!("`{key}` must be {wanted}");
        self.findings.push(Finding::error(node, Some(key), message, "mend it or leave it out"));
        let key = self.words.intern(key);
        self.at(node).fields.push(key, value);
    }

    fn identify(&mut self, node: u32, text: &str) {
        match text.parse() {
            Ok(id) => self.at(node).id = Some(id),
            Err(_) => self.odd(node, "id", Field::Text(text.into()), "1 to 16 hexadecimal digits"),
        }
    }
}

enum Key {
    Type,
    Id,
    Name,
    Notes,
    Children,
    Setting(Arc<str>),
}

struct KeySeed<'a>(&'a mut Words);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Key, E> {
        Ok(match text {
            "type" => Key::Type,
            "id" => Key::Id,
            "name" => Key::Name,
            "notes" => Key::Notes,
            "children" => Key::Children,
            other => Key::Setting(self.0.intern(other)),
        })
    }
}

/// Any value. Scalars do not take the way over a JSON value: most settings are scalars.
struct AnyField;

impl<'de> DeserializeSeed<'de> for AnyField {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Field, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyField {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Field, E> {
        Ok(Field::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Field, E> {
        Ok(Field::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Field, E> {
        Ok(Field::Number(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Field, E> {
        Ok(Field::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Field, E> {
        serde_json::Number::from_f64(value).map(Field::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Field, E> {
        Ok(Field::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Field, A::Error> {
        Json::deserialize(SeqAccessDeserializer::new(items)).map(Field::from_json)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Field, A::Error> {
        Json::deserialize(MapAccessDeserializer::new(entries)).map(Field::from_json)
    }
}

/// The scalar visits of a visitor that wants something else and keeps what it got.
macro_rules! keep_scalars {
    ($keep:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a value")
        }
        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            $keep(self, Field::Null).map_err(E::custom)
        }
        fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
            $keep(self, Field::Bool(value)).map_err(E::custom)
        }
        fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
            $keep(self, Field::Number(value.into())).map_err(E::custom)
        }
        fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
            $keep(self, Field::Number(value.into())).map_err(E::custom)
        }
        fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
            let field = AnyField.visit_f64(value)?;
            $keep(self, field).map_err(E::custom)
        }
    };
}

/// A text, straight to where it is kept, or what stands there instead.
struct TextSeed<'a> {
    words: &'a mut Words,
    /// Many nodes have the same.
    shared: bool,
}

impl TextSeed<'_> {
    fn keep(self, field: Field) -> Result<Result<Arc<str>, Field>, &'static str> {
        Ok(Err(field))
    }
}

impl<'de> DeserializeSeed<'de> for TextSeed<'_> {
    type Value = Result<Arc<str>, Field>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TextSeed<'_> {
    type Value = Result<Arc<str>, Field>;

    keep_scalars!(Self::keep);

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Ok(if text.is_empty() {
            self.words.empty()
        } else if self.shared {
            self.words.intern(text)
        } else {
            text.into()
        }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        AnyField.visit_seq(items).map(Err)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
        AnyField.visit_map(entries).map(Err)
    }
}

struct ChildrenSeed<'t, 'a> {
    tree: &'t mut Tree<'a>,
    parent: u32,
}

impl ChildrenSeed<'_, '_> {
    fn keep(self, field: Field) -> Result<(), &'static str> {
        self.tree.odd(self.parent, "children", field, "a list of nodes");
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ChildrenSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ChildrenSeed<'_, '_> {
    type Value = ();

    keep_scalars!(Self::keep);

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.keep(Field::Text(text.into())).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(NodeSeed { tree: self.tree, parent: Some(self.parent) })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<(), A::Error> {
        let field = AnyField.visit_map(entries)?;
        self.keep(field).map_err(A::Error::custom)
    }
}

struct NodeSeed<'t, 'a> {
    tree: &'t mut Tree<'a>,
    parent: Option<u32>,
}

impl NodeSeed<'_, '_> {
    /// What stands in the place of a node without being one.
    fn keep(self, field: Field) -> Result<(), &'static str> {
        let node = self.tree.open(self.parent)?;
        let key = self.tree.words.intern("value");
        self.tree.at(node).fields.push(key, field);
        Ok(())
    }

    fn text<'de, A: MapAccess<'de>>(
        &mut self,
        node: u32,
        key: &'static str,
        entries: &mut A,
    ) -> Result<Option<Arc<str>>, A::Error> {
        let seed = TextSeed { words: self.tree.words, shared: key == "type" };
        Ok(match entries.next_value_seed(seed)? {
            Ok(text) => Some(text),
            Err(field) => {
                self.tree.odd(node, key, field, "a text");
                None
            }
        })
    }

    fn setting<'de, A: MapAccess<'de>>(
        &mut self,
        node: u32,
        key: Arc<str>,
        entries: &mut A,
        many: &mut FxHashSet<Arc<str>>,
    ) -> Result<(), A::Error> {
        const FEW: usize = 32;
        let field = entries.next_value_seed(AnyField)?;
        let fields = &mut self.tree.at(node).fields;
        // Looking through the list for each key would take minutes on an object of a million keys.
        if fields.len() == FEW {
            many.extend(fields.iter().map(|(key, _)| key.clone()));
        }
        let twice = if fields.len() < FEW { fields.get(&key).is_some() } else { !many.insert(key.clone()) };
        if twice {
            if let Some(there) = fields.get_mut(&key) {
                *there = field;
            }
            self.tree.twice(node, &key);
        } else {
            fields.push(key, field);
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = ();

    keep_scalars!(Self::keep);

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.keep(Field::Text(text.into())).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        let field = AnyField.visit_seq(items)?;
        self.keep(field).map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let node = self.tree.open(self.parent).map_err(A::Error::custom)?;
        let mut seen = [false; 5];
        let mut many = FxHashSet::default();
        while let Some(key) = entries.next_key_seed(KeySeed(self.tree.words))? {
            let (place, name) = match key {
                Key::Setting(key) => {
                    self.setting(node, key, &mut entries, &mut many)?;
                    continue;
                }
                Key::Type => (0, "type"),
                Key::Id => (1, "id"),
                Key::Name => (2, "name"),
                Key::Notes => (3, "notes"),
                Key::Children => (4, "children"),
            };
            if std::mem::replace(&mut seen[place], true) {
                self.tree.twice(node, name);
            }
            if name == "children" {
                entries.next_value_seed(ChildrenSeed { tree: self.tree, parent: node })?;
                continue;
            }
            let Some(text) = self.text(node, name, &mut entries)? else { continue };
            match name {
                "type" => self.tree.at(node).kind = text,
                "id" => self.tree.identify(node, &text),
                "name" => self.tree.at(node).name = text,
                _ => self.tree.at(node).notes = text,
            }
        }
        self.tree.at(node).fields.shrink_to_fit();
        Ok(())
    }
}
