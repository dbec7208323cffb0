use std::sync::Arc;

use serde::de::{self, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::Value as Json;

use crate::NodeRef;

/// One authored setting. Scalars are kept small: a tree of 10,000 nodes is mostly these.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(Box<str>),
    /// A list or an object.
    Json(Box<Json>),
    /// A name in the file, an id in memory: renaming the target does not break it.
    Ref(Box<NodeRef>),
}

impl Field {
    pub fn from_json(json: Json) -> Field {
        match json {
            Json::Null => Field::Null,
            Json::Bool(value) => Field::Bool(value),
            Json::Number(number) => Field::Number(number),
            Json::String(text) => Field::Text(text.into()),
            other => Field::Json(Box::new(other)),
        }
    }

    /// References become their text; a save that must mind ambiguity uses [`crate::reference_text`] instead.
    pub fn to_json(&self) -> Json {
        match self {
            Field::Null => Json::Null,
            Field::Bool(value) => Json::Bool(*value),
            Field::Number(number) => Json::Number(number.clone()),
            Field::Text(text) => Json::String(text.to_string()),
            Field::Json(json) => (**json).clone(),
            Field::Ref(reference) => Json::String(reference.text.to_string()),
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Field::Text(text) => Some(text),
            Field::Ref(reference) => Some(&reference.text),
            _ => None,
        }
    }
}

/// A reference keeps its id here; plain JSON would lose it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FieldForm {
    Ref { reference: NodeRef },
    Json { value: Json },
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Field::Ref(reference) => FieldForm::Ref { reference: (**reference).clone() }.serialize(serializer),
            other => FieldForm::Json { value: other.to_json() }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field, D::Error> {
        Ok(match FieldForm::deserialize(deserializer)? {
            FieldForm::Ref { reference } => Field::Ref(Box::new(reference)),
            FieldForm::Json { value } => Field::from_json(value),
        })
    }
}

impl<'de> Deserializer<'de> for &'de Field {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            Field::Null => visitor.visit_unit(),
            Field::Bool(value) => visitor.visit_bool(*value),
            Field::Number(number) => number.deserialize_any(visitor),
            Field::Text(text) => visitor.visit_borrowed_str(text),
            Field::Json(json) => (&**json).deserialize_any(visitor),
            Field::Ref(reference) => visitor.visit_borrowed_str(&reference.text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            Field::Null => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        match self {
            Field::Json(json) => (&**json).deserialize_enum(name, variants, visitor),
            other => match other.as_str() {
                Some(text) => visitor.visit_enum(text.into_deserializer()),
                None => Err(de::Error::invalid_type(de::Unexpected::Other("a value"), &"a name")),
            },
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for &'de Field {
    type Deserializer = &'de Field;

    fn into_deserializer(self) -> &'de Field {
        self
    }
}

/// The settings written at one node, in the order they were written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fields(Vec<(Arc<str>, Field)>);

impl Fields {
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.0.iter().find(|(name, _)| &**name == key).map(|(_, field)| field)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Field> {
        self.0.iter_mut().find(|(name, _)| &**name == key).map(|(_, field)| field)
    }

    pub fn position(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|(name, _)| &**name == key)
    }

    pub fn push(&mut self, key: Arc<str>, field: Field) {
        self.0.push((key, field));
    }

    /// Puts a field back where it was, so that undo gives the same bytes.
    pub fn insert(&mut self, position: usize, key: Arc<str>, field: Field) {
        self.0.insert(position.min(self.0.len()), (key, field));
    }

    pub fn remove(&mut self, key: &str) -> Option<(usize, Field)> {
        let position = self.position(key)?;
        Some((position, self.0.remove(position).1))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Field)> {
        self.0.iter().map(|(key, field)| (key, field))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Arc<str>, &mut Field)> {
        self.0.iter_mut().map(|(key, field)| (&*key, field))
    }

    pub(crate) fn rename_keys(&mut self, mut name: impl FnMut(&str) -> Arc<str>) {
        for (key, _) in &mut self.0 {
            *key = name(key);
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }

    /// Reads the fields whose keys `wanted` accepts into a settings type.
    pub fn read<T: de::DeserializeOwned>(&self, wanted: impl Fn(&str) -> bool) -> Result<T, serde_json::Error> {
        let entries = self.0.iter().filter(|(key, _)| wanted(key)).map(|(key, field)| (&**key, field));
        T::deserialize(de::value::MapDeserializer::new(entries))
    }
}
