//! The top levels of a behavior, for a link on which the whole takes long.

use model::{Definition, Fields, Header, Library, Node, NodeId};
use rustc_hash::FxHashMap;

use crate::ReplicaError;
use crate::bytes::{Reader, Writer};
use crate::genesis::{check, pack_all, unpack_all};

const MAGIC: &[u8; 3] = b"CO1";

/// What a narrow link shows first: types and names, with the ids that the whole tree will have.
#[derive(Clone, Debug)]
pub struct Overview {
    pub library: Library,
    /// Nodes whose children are left out, with how many there are below.
    pub hidden: FxHashMap<NodeId, u64>,
}

impl Overview {
    /// The main file down to `levels` below its root; of the other files the root only.
    pub fn of(library: &Library, levels: usize) -> Overview {
        let mut overview = Overview { library: Library::default(), hidden: FxHashMap::default() };
        for (number, tree) in library.iter() {
            let levels = if number == Library::MAIN { levels } else { 0 };
            let mut top = Definition::new(tree.file.clone(), Header::default(), bare(tree.node(tree.root)));
            let mut stack = vec![(tree.root, 0)];
            while let Some((id, above)) = stack.pop() {
                let node = tree.node(id);
                if above == levels {
                    let below = tree.walk(id).count() as u64 - 1;
                    if below > 0 {
                        overview.hidden.insert(id, below);
                    }
                    continue;
                }
                for child in &node.children {
                    top.insert_node(bare(tree.node(*child)));
                    stack.push((*child, above + 1));
                }
                top.get_mut(id).expect("it was put in before").children.clone_from(&node.children);
            }
            overview.library.add(top);
        }
        overview
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.0.extend_from_slice(MAGIC);
        let mut counts = Writer::default();
        for (_, tree) in self.library.iter() {
            for id in tree.walk(tree.root) {
                counts.number(self.hidden.get(&id).copied().unwrap_or(0));
            }
        }
        writer.bytes(&miniz_oxide::deflate::compress_to_vec(&counts.0, 9));
        writer.0.extend_from_slice(&pack_all(&self.library));
        let sum = check(&writer.0);
        writer.0.extend_from_slice(&sum);
        writer.0
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Overview, ReplicaError> {
        let (whole, sum) = bytes.split_at(bytes.len().saturating_sub(4));
        if !whole.starts_with(MAGIC) {
            return Err(ReplicaError::Version);
        }
        if check(whole) != sum {
            return Err(ReplicaError::Damaged("its checksum is wrong"));
        }
        const MAX_COUNTS: usize = 1 << 20;
        let mut reader = Reader(&whole[MAGIC.len()..]);
        let counts = miniz_oxide::inflate::decompress_to_vec_with_limit(reader.bytes()?, MAX_COUNTS)
            .map_err(|_| ReplicaError::Damaged("it cannot be unpacked"))?;
        let library = unpack_all(reader.0)?;
        let mut counts = Reader(&counts);
        let mut hidden = FxHashMap::default();
        for (_, tree) in library.iter() {
            for id in tree.walk(tree.root) {
                let below = counts.number()?;
                if below > 0 {
                    hidden.insert(id, below);
                }
            }
        }
        Ok(Overview { library, hidden })
    }
}

fn bare(node: &Node) -> Node {
    Node { notes: "".into(), fields: Fields::default(), children: Vec::new(), id_written: false, ..node.clone() }
}
