//! Ids of nodes in few bytes: most follow from the place a node had in its file when that was loaded.

use model::NodeId;

use crate::ReplicaError;
use crate::bytes::{Reader, Writer};

/// How far from its place now a node's place at loading is looked for.
const REACH: usize = 64;

const EXPECTED: u64 = 0;
/// Given in order by one author: the difference to the last such id.
const NEAR: u64 = 1;
const SPELLED: u64 = 2;
/// Plus the place at loading.
const SHIFTED: u64 = 3;

/// Where we are in a file, by places at loading.
#[derive(Default)]
struct Cursor {
    file: String,
    path: Vec<usize>,
    /// For each level the place the next sibling would have.
    next: Vec<usize>,
    last: u64,
}

impl Cursor {
    fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.file);
        self.path.clear();
        self.next.clear();
    }

    /// The id of the node that had place `place` below the current one; the root has none.
    fn id_at(&mut self, place: usize) -> NodeId {
        if self.next.is_empty() {
            return NodeId::from_position(&self.file, &[]);
        }
        self.path.push(place);
        let id = NodeId::from_position(&self.file, &self.path);
        self.path.pop();
        id
    }

    fn expected(&self) -> usize {
        self.next.last().copied().unwrap_or(0)
    }

    fn down(&mut self, place: usize) {
        if let Some(next) = self.next.last_mut() {
            *next = place + 1;
            self.path.push(place);
        }
        self.next.push(0);
    }

    fn up(&mut self) {
        self.next.pop();
        self.path.pop();
    }
}

#[derive(Default)]
pub(crate) struct IdWriter {
    cursor: Cursor,
    codes: Writer,
    spelled: Writer,
}

impl IdWriter {
    pub fn begin(&mut self, file: &str) {
        self.cursor.begin(file);
    }

    /// A node that stands at `index` below the one before, which is not yet left by [`Self::up`].
    pub fn node(&mut self, id: NodeId, index: usize) {
        let expected = self.cursor.expected();
        if self.cursor.id_at(expected) == id {
            self.codes.number(EXPECTED);
            return self.cursor.down(expected);
        }
        let found = (0..index + REACH).find(|place| self.cursor.id_at(*place) == id);
        if let Some(place) = found {
            self.codes.number(SHIFTED + place as u64);
            return self.cursor.down(place);
        }
        let step = id.0.wrapping_sub(self.cursor.last) as i64;
        if step.unsigned_abs() < 1 << 32 {
            self.codes.number(NEAR);
            self.spelled.number((step << 1 ^ step >> 63) as u64);
        } else {
            self.codes.number(SPELLED);
            self.spelled.fixed(id.0);
        }
        self.cursor.last = id.0;
        self.cursor.down(expected);
    }

    pub fn up(&mut self) {
        self.cursor.up();
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.bytes(&self.codes.0);
        writer.bytes(&self.spelled.0);
    }
}

pub(crate) struct IdReader<'b> {
    cursor: Cursor,
    codes: Reader<'b>,
    spelled: Reader<'b>,
}

impl<'b> IdReader<'b> {
    pub fn read(reader: &mut Reader<'b>) -> Result<IdReader<'b>, ReplicaError> {
        let (codes, spelled) = (Reader(reader.bytes()?), Reader(reader.bytes()?));
        Ok(IdReader { cursor: Cursor::default(), codes, spelled })
    }

    pub fn begin(&mut self, file: &str) {
        self.cursor.begin(file);
    }

    pub fn node(&mut self) -> Result<NodeId, ReplicaError> {
        let expected = self.cursor.expected();
        let code = self.codes.number()?;
        let (id, place) = match code {
            EXPECTED => (self.cursor.id_at(expected), expected),
            NEAR => {
                let step = self.spelled.number()?;
                let step = (step >> 1) as i64 ^ -((step & 1) as i64);
                (NodeId(self.cursor.last.wrapping_add(step as u64)), expected)
            }
            SPELLED => (NodeId(self.spelled.fixed()?), expected),
            shifted => {
                let place = (shifted - SHIFTED) as usize;
                (self.cursor.id_at(place), place)
            }
        };
        if matches!(code, NEAR | SPELLED) {
            self.cursor.last = id.0;
        }
        self.cursor.down(place.min(usize::MAX - 1));
        Ok(id)
    }

    pub fn up(&mut self) {
        self.cursor.up();
    }
}
