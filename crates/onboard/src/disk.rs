//! What outlives the process: the tree, what operators had set, and the audit trail, in one folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use protocol::talk::{Sent, Update, Whole, pack, unpack_borrowed};
use serde::Deserialize;
use thiserror::Error;

use crate::journal::Journal;
use crate::seen::Marks;

const TREE: &str = "tree";
const EDITS: &str = "tree.edits";
const MARKS: &str = "marks.json";
/// Of a day, as `audit-2026-11-16.jsonl`; before that all was in `audit.jsonl` and others with a number behind it.
const AUDIT: &str = "audit-";
const OLD_AUDIT: &str = "audit.jsonl";

/// Says what the file is, and in which form.
const MAGIC: &[u8; 8] = b"coact\0t2";
/// The form before: without the epoch it was opened in and without what was decided.
const MAGIC_1: &[u8; 8] = b"coact\0t1";

/// Of so many days on which anything was done the audit is kept. Days are counted, not compared with the clock: one that
/// jumps to another year takes nothing away.
const AUDIT_DAYS: usize = 30;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{0}: another robot process uses this folder: give each its own with --state")]
    InUse(PathBuf),
}

/// What was found.
#[derive(Debug, Default)]
pub struct Kept {
    pub tree: Option<Update>,
    /// What was taken since that tree was written, in order.
    pub edits: Vec<Sent>,
    pub marks: Option<Marks>,
    /// What could not be used, and where it is now.
    pub problems: Vec<String>,
}

pub struct Store {
    folder: PathBuf,
    /// Held as long as this lives.
    _lock: File,
    journal: Journal,
    /// What is to be told of the folder itself.
    tightened: Option<String>,
}

impl Store {
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let io = |source| StoreError::Io { path: folder.to_owned(), source };
        let was_there = folder.exists();
        fs::create_dir_all(folder).map_err(io)?;
        let tightened = model::file::make_private(folder).map_err(io)?.then_some(folder).filter(|_| was_there);
        let tightened = tightened
            .map(|folder| format!("{}: others on this machine could read it; it is private now", folder.display()));
        let lock = model::file::private_file().create(true).truncate(false).open(folder.join("lock")).map_err(io)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.to_owned())),
            Err(fs::TryLockError::Error(source)) => return Err(io(source)),
        }
        let journal = Journal::open(folder.join(EDITS));
        Ok(Store { folder: folder.to_owned(), _lock: lock, journal, tightened })
    }

    /// What cannot be read is put aside, so that nothing is lost and the robot starts all the same.
    pub fn load(&mut self) -> Kept {
        let mut kept = Kept::default();
        kept.problems.extend(self.tightened.clone());
        let tree = self.read(TREE, &mut kept.problems).map(|bytes| read_tree(&bytes));
        match tree {
            None => {}
            Some(Some(update)) => kept.tree = Some(update),
            Some(None) => kept.problems.push(self.put_aside(TREE, "it is damaged")),
        }
        self.load_edits(&mut kept);
        match self.read(MARKS, &mut kept.problems).map(|bytes| serde_json::from_slice(&bytes)) {
            None => {}
            Some(Ok(marks)) => kept.marks = Some(marks),
            Some(Err(error)) => kept.problems.push(self.put_aside(MARKS, &error.to_string())),
        }
        kept
    }

    fn load_edits(&mut self, kept: &mut Kept) {
        let path = self.journal.path().display().to_string();
        match self.journal.read() {
            Ok(found) => {
                if found.torn_bytes > 0 {
                    let bytes = found.torn_bytes;
                    kept.problems
                        .push(format!("{path}: the last {bytes} bytes were not written whole and are left out"));
                }
                kept.edits = found.edits;
            }
            Err(error) => kept.problems.push(format!("{path}: {error}")),
        }
        if kept.tree.is_none() && !kept.edits.is_empty() {
            kept.edits.clear();
            kept.problems.push(self.put_aside(EDITS, "the tree that it belongs to is not there"));
        }
    }

    fn read(&self, name: &str, problems: &mut Vec<String>) -> Option<Vec<u8>> {
        match fs::read(self.folder.join(name)) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                problems.push(format!("{}: {error}", self.folder.join(name).display()));
                None
            }
        }
    }

    /// Says what it did. An older one put aside is kept, too.
    pub fn put_aside(&self, name: &str, why: &str) -> String {
        let path = self.folder.join(name);
        let free = (1..).map(|number| self.folder.join(format!("{name}.damaged-{number}"))).find(|to| !to.exists());
        let to = free.unwrap_or_else(|| self.folder.join(format!("{name}.damaged")));
        match fs::rename(&path, &to) {
            Ok(()) => format!("{}: {why}; it is now {}", path.display(), to.display()),
            Err(error) => format!("{}: {why}, and it cannot be put aside: {error}", path.display()),
        }
    }

    /// The tree that was kept turned out not to be one.
    pub fn put_tree_aside(&self, why: &str) -> String {
        let mut said = self.put_aside(TREE, why);
        if self.journal.path().exists() {
            said = format!("{said}\n{}", self.put_aside(EDITS, "it belongs to that tree"));
        }
        said
    }

    /// With everything in it; edits that were appended before are no longer needed.
    pub fn save_tree(&mut self, tree: &Update) -> io::Result<()> {
        let body = tree.to_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        self.replace(TREE, &bytes)?;
        // Should it end here, what is in both is taken once.
        self.journal.clear()
    }

    /// On disk when it returns.
    pub fn append_edits(&mut self, edits: &[Sent]) -> io::Result<()> {
        if edits.is_empty() { Ok(()) } else { self.journal.append(edits) }
    }

    pub fn save_marks(&self, marks: &Marks) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(marks).map_err(io::Error::other)?;
        text.push(b'\n');
        self.replace(MARKS, &text)
    }

    /// Whole or not at all, whatever happens meanwhile.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = self.folder.join(format!("{name}.new"));
        let mut file = model::file::private_file().create(true).truncate(true).open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, self.folder.join(name))?;
        File::open(&self.folder)?.sync_all()
    }

    pub fn append_audit(&mut self, lines: &[String]) -> io::Result<()> {
        let day_of = |line: &String| crate::audit::day_of(line).unwrap_or("0000-00-00").to_owned();
        for lines in lines.chunk_by(|one, other| day_of(one) == day_of(other)) {
            let name = format!("{AUDIT}{}.jsonl", day_of(&lines[0]));
            let path = self.folder.join(&name);
            let is_new = !path.exists();
            let mut file = model::file::private_file().create(true).append(true).open(&path)?;
            file.write_all(lines.concat().as_bytes())?;
            file.sync_data()?;
            if is_new {
                self.forget_audits(&name)?;
            }
        }
        Ok(())
    }

    /// The oldest days go, never the one that is being written.
    fn forget_audits(&self, newest: &str) -> io::Result<()> {
        let names = fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut audits: Vec<String> =
            names.filter(|name| name.starts_with(AUDIT) || name.starts_with(OLD_AUDIT)).collect();
        // Those of the old form are the oldest, and of them the one with the greatest number.
        audits.sort_by_key(|name| match name.strip_prefix(OLD_AUDIT) {
            Some(number) => (0, std::cmp::Reverse(number.trim_start_matches('.').parse().unwrap_or(0)), String::new()),
            None => (1, std::cmp::Reverse(0_u32), name.clone()),
        });
        let over = audits.len().saturating_sub(AUDIT_DAYS);
        for name in audits.iter().take(over).filter(|name| *name != newest) {
            fs::remove_file(self.folder.join(name))?;
        }
        Ok(())
    }
}

fn read_tree(bytes: &[u8]) -> Option<Update> {
    let first = bytes.starts_with(MAGIC_1);
    let rest = bytes.strip_prefix(if first { MAGIC_1 } else { MAGIC })?;
    let (sum, body) = rest.split_first_chunk::<8>()?;
    let update = (u64::from_le_bytes(*sum) == checksum(body)).then(|| Update::from_bytes(body)).flatten()?;
    if first { migrated(&update) } else { Some(update) }
}

/// From the form before.
fn migrated(update: &Update) -> Option<Update> {
    #[derive(Deserialize)]
    struct Before<'a> {
        genesis: &'a [u8],
        updates: &'a [u8],
        version: &'a [u8],
    }
    let Before { genesis, updates, version } = unpack_borrowed(&update.bytes)?;
    let (genesis, updates, version) = (genesis.to_vec(), updates.to_vec(), version.to_vec());
    let whole = Whole { origin: update.epoch, genesis, updates, version, decided: Vec::new() };
    Some(Update { epoch: update.epoch, bytes: pack(&whole) })
}

/// Finds damage, not malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    model::hash::Fnv::new().with(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("coact-store-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_saved_is_there_again() {
        let folder = folder("again");
        let tree = Update { epoch: 7, bytes: vec![1, 2, 3] };
        let marks = Marks { concurrency: false, ..Marks::default() };
        {
            let mut store = Store::open(&folder).unwrap();
            assert!(store.load().tree.is_none());
            store.save_tree(&tree).unwrap();
            store.save_marks(&marks).unwrap();
            assert!(matches!(Store::open(&folder), Err(StoreError::InUse(_))));
        }
        let kept = Store::open(&folder).unwrap().load();
        assert_eq!((kept.tree, kept.marks), (Some(tree), Some(marks)));
        assert!(kept.problems.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damage_is_told_and_put_aside() {
        let folder = folder("damage");
        let mut store = Store::open(&folder).unwrap();
        store.save_tree(&Update { epoch: 7, bytes: vec![1; 100] }).unwrap();
        let mut bytes = fs::read(folder.join(TREE)).unwrap();
        bytes[40] ^= 1;
        fs::write(folder.join(TREE), &bytes).unwrap();
        fs::write(folder.join(MARKS), "{").unwrap();
        let kept = store.load();
        assert!(kept.tree.is_none() && kept.marks.is_none());
        assert_eq!(kept.problems.len(), 2, "{:?}", kept.problems);
        assert!(kept.problems[0].contains("damaged"), "{:?}", kept.problems);
        assert_eq!(fs::read(folder.join("tree.damaged-1")).unwrap(), bytes);
        assert!(store.load().problems.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }

    fn audits(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("audit")).collect();
        names.sort();
        names
    }

    #[test]
    fn the_audit_is_bounded_by_days_whatever_the_clock_does() {
        let folder = folder("audit");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("audit.jsonl"), "{}\n").unwrap();
        fs::write(folder.join("audit.jsonl.2"), "{}\n").unwrap();
        let mut store = Store::open(&folder).unwrap();
        let line = |day: &str| format!("{{\"at\":\"{day}T00:00:00.000Z\",\"by\":\"ana\"}}\n");
        store.append_audit(&[line("2026-11-01"), line("2026-11-01"), line("2026-11-02")]).unwrap();
        let two = ["audit-2026-11-01.jsonl", "audit-2026-11-02.jsonl", "audit.jsonl", "audit.jsonl.2"];
        assert_eq!(audits(&folder), two);
        assert_eq!(fs::read_to_string(folder.join(two[0])).unwrap(), line("2026-11-01").repeat(2));
        // A clock that jumps far ahead takes nothing away.
        store.append_audit(&[line("2099-01-01")]).unwrap();
        assert_eq!(audits(&folder).len(), 5);
        for day in 1..=28 {
            store.append_audit(&[line(&format!("2027-01-{day:02}"))]).unwrap();
        }
        let left = audits(&folder);
        assert_eq!(left.len(), AUDIT_DAYS);
        assert!(!left.contains(&"audit.jsonl".to_owned()) && !left.contains(&two[0].to_owned()), "{left:?}");
        assert!(left.contains(&two[1].to_owned()), "{left:?}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_is_private_and_a_folder_that_was_not_becomes_so() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("private");
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.join(MARKS), "{}").unwrap();
        fs::set_permissions(folder.join(MARKS), fs::Permissions::from_mode(0o644)).unwrap();
        let mut store = Store::open(&folder).unwrap();
        store.save_tree(&Update { epoch: 7, bytes: vec![1] }).unwrap();
        store.append_audit(&["{\"at\":\"2026-11-01T\"}\n".to_owned()]).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
        let told = store.load().problems;
        assert!(told.iter().any(|text| text.contains("private now")), "{told:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
