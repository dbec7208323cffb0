use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hash::Fnv;

/// Names one node for ever: run state, traces, commands and edits key on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u64);

impl NodeId {
    /// The id a node without one in its file gets: the same file gives the same ids on every machine.
    pub fn from_position(file: &str, position: &[usize]) -> NodeId {
        let step = |hash: Fnv, index: &usize| hash.with(&[0xff]).with(&(*index as u64).to_le_bytes());
        NodeId(position.iter().fold(Fnv::new().with(file.as_bytes()), step).mixed())
    }

    /// The first id after this one that `taken` does not hold.
    pub fn or_next_free(self, taken: impl Fn(NodeId) -> bool) -> NodeId {
        let mut id = self;
        while taken(id) {
            id = NodeId(id.0.wrapping_add(1));
        }
        id
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for NodeId {
    type Err = String;

    fn from_str(text: &str) -> Result<NodeId, String> {
        let hex = !text.is_empty() && text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex {
            return Err(format!("`{text}` is not an id: write 1 to 16 hexadecimal digits, or leave the id out"));
        }
        u64::from_str_radix(text, 16).map(NodeId).map_err(|error| error.to_string())
    }
}

/// As text, because JavaScript numbers do not hold 64 bits.
impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NodeId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A skill file's place in a [`crate::Library`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DefinitionId(pub u32);

impl DefinitionId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
