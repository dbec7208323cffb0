//! Edits that were taken since the tree was last written whole, one behind the other in a file. What is said to be on
//! disk is in it, whole; a record that a power cut has torn is left out.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use protocol::talk::{Sent, pack, unpack};

use crate::disk::checksum;

/// Length and checksum of what follows.
const HEAD: usize = 4 + 8;

pub struct Journal {
    path: PathBuf,
    /// How much of the file is whole records.
    good_bytes: u64,
}

/// What was found in a file of records.
#[derive(Debug, Default)]
pub struct Found {
    pub edits: Vec<Sent>,
    /// Bytes behind the last whole record.
    pub torn_bytes: u64,
}

impl Journal {
    pub fn open(path: PathBuf) -> Journal {
        Journal { path, good_bytes: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn read(&mut self) -> io::Result<Found> {
        let mut bytes = Vec::new();
        match File::open(&self.path) {
            Ok(mut file) => drop(file.read_to_end(&mut bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let (edits, good) = records(&bytes);
        self.good_bytes = good as u64;
        Ok(Found { edits, torn_bytes: (bytes.len() - good) as u64 })
    }

    /// On disk when it returns. On an error none of them counts: they are written again, over what was torn.
    pub fn append(&mut self, edits: &[Sent]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for edit in edits {
            let body = pack(edit);
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(checksum(&body).to_le_bytes());
            bytes.extend(body);
        }
        let mut file = model::file::private_file().create(true).truncate(false).open(&self.path)?;
        file.set_len(self.good_bytes)?;
        file.seek(SeekFrom::Start(self.good_bytes))?;
        file.write_all(&bytes)?;
        file.sync_data()?;
        if self.good_bytes == 0
            && let Some(folder) = self.path.parent()
        {
            // A file that was just made has a name only when its folder is written, too.
            File::open(folder)?.sync_all()?;
        }
        self.good_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Everything in it is in the tree that was written whole.
    pub fn clear(&mut self) -> io::Result<()> {
        self.good_bytes = 0;
        match OpenOptions::new().write(true).open(&self.path) {
            Ok(file) => file.set_len(0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Whole records and where they end.
fn records(bytes: &[u8]) -> (Vec<Sent>, usize) {
    let (mut edits, mut good) = (Vec::new(), 0);
    while let Some((head, rest)) = bytes[good..].split_first_chunk::<HEAD>() {
        let (length, sum) = head.split_at(4);
        let length = length.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
        let Some(body) = rest.get(..length).filter(|body| checksum(body).to_le_bytes() == *sum) else { break };
        let Some(edit) = unpack(body) else { break };
        edits.push(edit);
        good += HEAD + length;
    }
    (edits, good)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(number: u64) -> Sent {
        Sent { desk: 5, number, refusals: 0, epoch: 9, update: vec![number as u8; 20] }
    }

    #[test]
    fn what_was_appended_is_there_again_whatever_was_torn_behind_it() {
        let path = std::env::temp_dir().join(format!("coact-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::open(path.clone());
        assert!(journal.read().unwrap().edits.is_empty());
        journal.append(&[edit(1), edit(2)]).unwrap();
        journal.append(&[edit(3)]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut again = Journal::open(path.clone());
            let found = again.read().unwrap();
            assert_eq!(found.edits.len(), cut * 3 / whole.len(), "cut at {cut}");
            assert_eq!(found.torn_bytes > 0, cut * 3 % whole.len() != 0);
            again.append(&[edit(9)]).unwrap();
            let numbers: Vec<u64> =
                Journal::open(path.clone()).read().unwrap().edits.iter().map(|e| e.number).collect();
            assert_eq!(numbers.last(), Some(&9), "what comes behind a torn record can be read");
            assert_eq!(numbers.len(), found.edits.len() + 1);
        }
        journal.clear().unwrap();
        assert!(Journal::open(path.clone()).read().unwrap().edits.is_empty());
        std::fs::remove_file(&path).unwrap();
    }
}
