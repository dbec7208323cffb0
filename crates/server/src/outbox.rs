//! Edits that the robot does not have yet, on disk: they outlive this process.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::file::private_file;
use replica::Unsent;
use serde::{Deserialize, Serialize};

use crate::syncing::Syncing;

/// Where unsent edits are kept.
pub trait Outbox: Send {
    /// Names this operator process and those before it in the same place, among all that edit one tree.
    fn desk(&self) -> u64;
    /// What a process before this one could not send, the oldest first.
    fn load(&mut self) -> Vec<Unsent>;
    fn add(&mut self, edit: &Unsent) -> io::Result<()>;
    /// These and no others.
    fn replace(&mut self, edits: &[Unsent]) -> io::Result<()>;
    /// Edits that no tree has a place for; says where they are.
    fn put_aside(&mut self, edits: &[Unsent]) -> io::Result<String>;
}

/// In a process that keeps nothing.
pub struct Nowhere(pub u64);

impl Outbox for Nowhere {
    fn desk(&self) -> u64 {
        self.0
    }

    fn load(&mut self) -> Vec<Unsent> {
        Vec::new()
    }

    fn add(&mut self, _edit: &Unsent) -> io::Result<()> {
        Ok(())
    }

    fn replace(&mut self, _edits: &[Unsent]) -> io::Result<()> {
        Ok(())
    }

    fn put_aside(&mut self, edits: &[Unsent]) -> io::Result<String> {
        Ok(format!("{} edits are gone: this process keeps nothing on disk", edits.len()))
    }
}

const UNSENT: &str = "unsent.jsonl";
const LOST: &str = "lost.jsonl";

/// So many operator processes may work in one folder, each in a place of its own.
const MOST_PLACES: u32 = 64;

#[derive(Serialize, Deserialize)]
struct Desk {
    desk: u64,
}

/// A folder of its own: who this is, then a line for each edit. A line that was not written whole is none.
pub struct OutboxFolder {
    folder: PathBuf,
    desk: u64,
    edits: Vec<Unsent>,
    /// Written to; and the folder it is in.
    file: Arc<File>,
    place: Arc<File>,
    syncing: Syncing,
    /// Held as long as this lives.
    _lock: File,
}

impl OutboxFolder {
    /// The first place in the folder that no process has; one with unsent edits before one without. `number` names a
    /// place that is new.
    pub fn open(folder: &Path, number: u64) -> io::Result<OutboxFolder> {
        make_private(folder)?;
        let mut first = None;
        for place in 1..=MOST_PLACES {
            let path = folder.join(place.to_string());
            let is_there = path.exists();
            if !is_there && first.is_some() {
                break;
            }
            let Some(found) = OutboxFolder::take(path, number)? else { continue };
            if !found.edits.is_empty() {
                return Ok(found);
            }
            first.get_or_insert(found);
            if !is_there {
                break;
            }
        }
        first.ok_or_else(|| io::Error::other(format!("{MOST_PLACES} operator processes work in {}", folder.display())))
    }

    /// None: another process has it.
    fn take(folder: PathBuf, number: u64) -> io::Result<Option<OutboxFolder>> {
        make_private(&folder)?;
        let lock = private_file().create(true).truncate(false).open(folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
        let text = match std::fs::read_to_string(folder.join(UNSENT)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut lines = text.lines();
        let desk = lines.next().and_then(|line| serde_json::from_str::<Desk>(line).ok());
        let edits =
            if desk.is_some() { lines.map_while(|line| serde_json::from_str(line).ok()).collect() } else { vec![] };
        let desk = desk.map_or(number, |desk| desk.desk);
        let (file, place) = (Arc::new(written(&folder, desk, &edits)?), Arc::new(File::open(&folder)?));
        place.sync_all()?;
        Ok(Some(OutboxFolder { folder, desk, edits, file, place, syncing: Syncing::start()?, _lock: lock }))
    }
}

impl Outbox for OutboxFolder {
    fn desk(&self) -> u64 {
        self.desk
    }

    fn load(&mut self) -> Vec<Unsent> {
        std::mem::take(&mut self.edits)
    }

    /// A process that is killed now has it; a machine without power has it a moment later.
    fn add(&mut self, edit: &Unsent) -> io::Result<()> {
        (&*self.file).write_all(&line(edit)?)?;
        self.syncing.sync(&self.file, &self.place)
    }

    fn replace(&mut self, edits: &[Unsent]) -> io::Result<()> {
        if edits.is_empty() {
            // Should the old ones come back, the robot has decided them.
            self.file.set_len(line(&Desk { desk: self.desk })?.len() as u64)?;
        } else {
            self.file = Arc::new(written(&self.folder, self.desk, edits)?);
        }
        self.syncing.sync(&self.file, &self.place)
    }

    fn put_aside(&mut self, edits: &[Unsent]) -> io::Result<String> {
        let path = self.folder.join(LOST);
        let mut file = private_file().create(true).append(true).open(&path)?;
        for edit in edits {
            file.write_all(&line(edit)?)?;
        }
        file.sync_all()?;
        Ok(format!("they are in {}", path.display()))
    }
}

/// A file with these alone in place of the one before, to append to: whole on disk before it has its name.
fn written(folder: &Path, desk: u64, edits: &[Unsent]) -> io::Result<File> {
    let mut bytes = line(&Desk { desk })?;
    for edit in edits {
        bytes.extend(line(edit)?);
    }
    let new = folder.join("unsent.new");
    let _ = std::fs::remove_file(&new);
    let mut file = private_file().create_new(true).append(true).open(&new)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    std::fs::rename(&new, folder.join(UNSENT))?;
    Ok(file)
}

fn line<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value).map_err(io::Error::other)?;
    line.push(b'\n');
    Ok(line)
}

/// For nobody else on this machine to read, also if it was there before.
fn make_private(folder: &Path) -> io::Result<()> {
    model::file::create_private(folder)?;
    model::file::make_private(folder).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(number: u64) -> Unsent {
        let edits = vec![model::Edit::Rename { node: model::NodeId(number), name: "new".into() }];
        let (epoch, peer, start, end, when_s) = (7, 1, number - 1, number, 5);
        let (who, files, update) = ("Ann".into(), vec!["a.json".into()], vec![1, 2, 255]);
        Unsent { number, epoch, peer, who, start, end, when_s, edits, files, took: None, update }
    }

    #[test]
    fn what_was_added_is_there_for_the_next_process_and_a_torn_line_is_none() {
        let folder = std::env::temp_dir().join(format!("coact-outbox-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut first = OutboxFolder::open(&folder, 11).unwrap();
        let mut second = OutboxFolder::open(&folder, 12).unwrap();
        assert_eq!((first.desk(), second.desk()), (11, 12), "each has a place of its own");
        second.add(&edit(1)).unwrap();
        second.add(&edit(2)).unwrap();
        first.replace(&[]).unwrap();
        drop((first, second));
        let path = folder.join("2").join(UNSENT);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.truncate(text.len() - 5);
        std::fs::write(&path, text).unwrap();
        let mut again = OutboxFolder::open(&folder, 13).unwrap();
        assert_eq!((again.desk(), again.load()), (12, vec![edit(1)]), "the place with edits comes first");
        again.replace(&[]).unwrap();
        drop(again);
        assert_eq!(OutboxFolder::open(&folder, 14).unwrap().desk(), 11);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
