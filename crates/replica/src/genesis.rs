//! The whole behavior in few bytes, from which everybody builds the same beginning.
//!
//! Columns of like things, deflated: kinds by number, settings by the shape of their keys, ids only where they do not
//! follow from the place in the file.

use std::sync::Arc;

use model::file::relative;
use model::{Definition, Field, Fields, Header, Library, Node, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ReplicaError;
use crate::Version;
use crate::bytes::{Reader, Writer, hash};
use crate::ids::{IdReader, IdWriter};
use crate::origin::{read_header, write_header};

const MAGIC: &[u8; 3] = b"CG1";
/// What a genesis may become when it is unpacked; a file has at most a tenth of it.
const MAX_UNPACKED: usize = 256 << 20;
const EFFORT: u8 = 9;

pub(crate) struct Genesis {
    pub epoch: u64,
    pub library: Library,
}

impl Genesis {
    /// `holds`: the version of the epoch before that is in it.
    pub fn to_bytes(epoch: u64, holds: &Version, library: &Library) -> Vec<u8> {
        let packed = pack_all(library);
        let mut writer = Writer::default();
        writer.0.extend_from_slice(MAGIC);
        writer.number(epoch);
        writer.bytes(&holds.to_bytes());
        writer.0.extend_from_slice(&packed);
        let sum = check(&writer.0);
        writer.0.extend_from_slice(&sum);
        writer.0
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Genesis, ReplicaError> {
        let mut reader = Reader(bytes);
        if bytes.len() < MAGIC.len() + 4 || reader.take(MAGIC.len())? != MAGIC {
            return Err(ReplicaError::Version);
        }
        let (whole, sum) = bytes.split_at(bytes.len().saturating_sub(4));
        if check(whole) != sum {
            return Err(ReplicaError::Damaged("its checksum is wrong"));
        }
        let mut reader = Reader(&whole[MAGIC.len()..]);
        let epoch = reader.number()?;
        // What is in it of the epoch before makes the bytes differ where that does.
        Version::from_bytes(reader.bytes()?)?;
        Ok(Genesis { epoch, library: unpack_all(reader.0)? })
    }
}

pub(crate) fn pack_all(library: &Library) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(&pack(library), EFFORT)
}

pub(crate) fn unpack_all(packed: &[u8]) -> Result<Library, ReplicaError> {
    let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_UNPACKED)
        .map_err(|_| ReplicaError::Damaged("it cannot be unpacked"))?;
    unpack(&unpacked)
}

pub(crate) fn check(bytes: &[u8]) -> [u8; 4] {
    (hash(bytes) as u32).to_le_bytes()
}

/// Numbers for what comes again and again, in the order it is first seen.
#[derive(Default)]
struct Table {
    numbers: FxHashMap<Arc<str>, u64>,
    texts: Vec<Arc<str>>,
}

impl Table {
    fn number(&mut self, text: &Arc<str>) -> u64 {
        *self.numbers.entry(text.clone()).or_insert_with(|| {
            self.texts.push(text.clone());
            self.texts.len() as u64 - 1
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.number(self.texts.len() as u64);
        self.texts.iter().for_each(|text| writer.text(text));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Vec<Arc<str>>, ReplicaError> {
        (0..reader.count()?).map(|_| reader.shared()).collect()
    }
}

#[derive(Default)]
struct Columns {
    texts: Table,
    shapes: FxHashMap<Vec<u64>, u64>,
    shape_list: Writer,
    heads: Writer,
    nodes: Writer,
    names: Writer,
    values: Writer,
    ids: IdWriter,
}

fn pack(library: &Library) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut places = FxHashMap::default();
    for (_, tree) in library.iter() {
        for id in tree.walk(tree.root) {
            places.insert(id, places.len() as u64);
        }
    }
    columns.heads.number(library.len() as u64);
    for (_, tree) in library.iter() {
        columns.heads.text(&tree.file);
        write_header(&mut columns.heads, &tree.header);
        columns.ids.begin(&relative(&library.main().file, &tree.file));
        columns.node(tree, tree.root, 0, &places);
    }
    let mut whole = Writer::default();
    columns.texts.write(&mut whole);
    whole.number(columns.shapes.len() as u64);
    for column in [&columns.shape_list, &columns.heads, &columns.nodes, &columns.names, &columns.values] {
        whole.bytes(&column.0);
    }
    columns.ids.write(&mut whole);
    whole.0
}

impl Columns {
    fn node(&mut self, tree: &Definition, id: NodeId, index: usize, places: &FxHashMap<NodeId, u64>) {
        let node = tree.node(id);
        self.ids.node(id, index);
        let kind = self.texts.number(&node.kind);
        let keys: Vec<u64> = node.fields.iter().map(|(key, _)| self.texts.number(key)).collect();
        let shapes = self.shapes.len() as u64;
        let shape = *self.shapes.entry(keys).or_insert_with_key(|keys| {
            self.shape_list.number(keys.len() as u64);
            keys.iter().for_each(|key| self.shape_list.number(*key));
            shapes
        });
        self.nodes.number(kind << 2 | u64::from(node.id_written) << 1 | u64::from(!node.notes.is_empty()));
        self.nodes.number(shape);
        self.nodes.number(node.children.len() as u64);
        self.names.text(&node.name);
        if !node.notes.is_empty() {
            self.names.text(&node.notes);
        }
        for (_, field) in node.fields.iter() {
            self.values.field_with(field, |writer, target| match places.get(&target) {
                Some(place) => writer.number(place + 1),
                None => {
                    writer.number(0);
                    writer.fixed(target.0);
                }
            });
        }
        for (index, child) in node.children.iter().enumerate() {
            self.node(tree, *child, index, places);
        }
        self.ids.up();
    }
}

/// Each text once: many nodes have none or the same.
#[derive(Default)]
struct Words(FxHashSet<Arc<str>>);

impl Words {
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let word: Arc<str> = text.into();
        self.0.insert(Arc::clone(&word));
        word
    }
}

struct Unpacking<'b> {
    words: Words,
    texts: Vec<Arc<str>>,
    shapes: Vec<Vec<u64>>,
    nodes: Reader<'b>,
    names: Reader<'b>,
    values: Reader<'b>,
    ids: IdReader<'b>,
    /// Ids in the order of the nodes, by which references name their targets.
    order: Vec<NodeId>,
    /// References whose target may not be read yet: number of the file, node, key and place of the target.
    open: Vec<(usize, NodeId, Arc<str>, usize)>,
}

fn unpack(bytes: &[u8]) -> Result<Library, ReplicaError> {
    let mut reader = Reader(bytes);
    let texts = Table::read(&mut reader)?;
    let shape_count = reader.count()?;
    let mut shape_list = Reader(reader.bytes()?);
    let mut heads = Reader(reader.bytes()?);
    let (nodes, names, values) = (Reader(reader.bytes()?), Reader(reader.bytes()?), Reader(reader.bytes()?));
    let mut shapes = Vec::new();
    for _ in 0..shape_count {
        let keys: Result<Vec<u64>, ReplicaError> = (0..shape_list.count()?).map(|_| shape_list.number()).collect();
        shapes.push(keys?);
    }
    let ids = IdReader::read(&mut reader)?;
    reader.end()?;
    let words = Words::default();
    let (order, open) = (Vec::new(), Vec::new());
    let mut unpacking = Unpacking { words, texts, shapes, nodes, names, values, ids, order, open };
    let mut trees: Vec<Definition> = Vec::new();
    for number in 0..heads.count()? {
        let file = heads.shared()?;
        let header = read_header(&mut heads)?;
        unpacking.ids.begin(&relative(trees.first().map_or(&*file, |main| &*main.file), &file));
        trees.push(unpacking.tree(number, file, header)?);
    }
    if trees.is_empty() {
        return Err(ReplicaError::Damaged("it has no file"));
    }
    for (tree, id, key, place) in std::mem::take(&mut unpacking.open) {
        let target = *unpacking.order.get(place).ok_or(ReplicaError::Damaged("a number of a node is past the end"))?;
        if let Some(Field::Ref(reference)) = trees[tree].get_mut(id).and_then(|node| node.fields.get_mut(&key)) {
            reference.id = Some(target);
        }
    }
    let mut library = Library::default();
    for tree in trees {
        if library.find(&tree.file).is_some() || tree.walk(tree.root).any(|id| library.owner_of(id).is_some()) {
            return Err(ReplicaError::Damaged("two files have one name or one id"));
        }
        library.add(tree);
    }
    Ok(library)
}

impl Unpacking<'_> {
    fn text(&self, number: u64) -> Result<Arc<str>, ReplicaError> {
        self.texts.get(number as usize).cloned().ok_or(ReplicaError::Damaged("a number of a text is past the end"))
    }

    fn tree(&mut self, number: usize, file: Arc<str>, header: Header) -> Result<Definition, ReplicaError> {
        let (root, children) = self.node(number, None)?;
        let root_id = root.id;
        let mut tree = Definition::new(file, header, root);
        let mut open = vec![(root_id, children)];
        while let Some((parent, left)) = open.pop() {
            if left == 0 {
                self.ids.up();
                continue;
            }
            open.push((parent, left - 1));
            if open.len() > model::file::MAX_LEVELS {
                return Err(ReplicaError::Damaged("it is nested too deep"));
            }
            let (node, children) = self.node(number, Some(parent))?;
            let id = node.id;
            if tree.contains(id) {
                return Err(ReplicaError::Damaged("two nodes have one id"));
            }
            tree.insert_node(node);
            tree.get_mut(parent).expect("it was put in before").children.push(id);
            open.push((id, children));
        }
        Ok(tree)
    }

    fn node(&mut self, number: usize, parent: Option<NodeId>) -> Result<(Node, u64), ReplicaError> {
        let id = self.ids.node()?;
        self.order.push(id);
        let head = self.nodes.number()?;
        let shape = self.nodes.number()?;
        let children = self.nodes.number()?;
        let name = self.words.shared(self.names.text()?);
        let notes = self.words.shared(if head & 1 == 0 { "" } else { self.names.text()? });
        let keys = self.shapes.get(shape as usize).cloned().ok_or(ReplicaError::Damaged("a shape is past the end"))?;
        let mut fields = Fields::default();
        for key in keys {
            let key = self.text(key)?;
            let mut target = None;
            let field = self.values.field_with(|reader| match reader.number()? {
                0 => reader.fixed().map(NodeId),
                place => {
                    target = Some(place as usize - 1);
                    Ok(NodeId(0))
                }
            })?;
            self.open.extend(target.map(|place| (number, id, key.clone(), place)));
            fields.push(key, field);
        }
        let kind = self.text(head >> 2)?;
        let node = Node { id, parent, kind, name, notes, children: Vec::new(), fields, id_written: head & 2 != 0 };
        Ok((node, children))
    }
}
