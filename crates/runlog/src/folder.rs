//! The folder of recordings: their names, which are kept, and how much room they may take.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use engine::Verdict;

use crate::read::{File, ReadError};

const ENDING: &str = "mcap";
const KEPT: &str = "kept";

/// What recordings may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub most_bytes: u64,
    pub most_age: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { most_bytes: 20 << 30, most_age: Duration::from_secs(60 * 86_400) }
    }
}

#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    pub budget: Budget,
}

/// One file, as far as it is known without reading it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub name: String,
    pub path: PathBuf,
    pub bytes: u64,
    pub written: SystemTime,
    pub kept: bool,
    /// Somebody writes it.
    pub live: bool,
}

impl Folder {
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into(), budget: Budget::default() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes room, and gives the path of a new recording.
    pub fn begin(&self, behavior: &str, unix_ms: u64) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.path)?;
        // Others on this machine need not see what cameras saw.
        model::file::make_private(&self.path)?;
        self.make_room();
        let stem = Path::new(behavior).file_stem().and_then(|stem| stem.to_str()).unwrap_or("run");
        let plain: String =
            stem.chars().map(|letter| if letter.is_alphanumeric() || letter == '-' { letter } else { '-' }).collect();
        let name = format!("{}-{plain}", stamp(unix_ms));
        let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
        let free = names.map(|name| self.file(&name)).find(|path| !path.exists());
        free.ok_or_else(|| io::Error::other("no name is free"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{ENDING}"))
    }

    /// The file of a name; none: it is no name of one, or there is none.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        Some(self.file(name)).filter(|path| is_plain && path.is_file())
    }

    /// Newest first.
    pub fn list(&self) -> Vec<Listed> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut listed: Vec<Listed> = entries.filter_map(|entry| listed(&entry.path())).collect();
        listed.sort_by(|one, other| other.name.cmp(&one.name));
        listed
    }

    pub fn keep(&self, name: &str, keep: bool) -> io::Result<()> {
        let path = self.find(name).ok_or_else(|| io::Error::other(format!("there is no recording {name}")))?;
        let mark = path.with_extension(KEPT);
        match keep {
            true => fs::write(mark, ""),
            false if mark.exists() => fs::remove_file(mark),
            false => Ok(()),
        }
    }

    /// The oldest go first, of those that did not fail; none that is kept or written.
    pub fn make_room(&self) {
        let mut listed = self.list();
        listed.reverse();
        let mut bytes: u64 = listed.iter().map(|each| each.bytes).sum();
        let now = SystemTime::now();
        let age = |each: &Listed| now.duration_since(each.written).unwrap_or_default();
        // One that failed stays three times as long.
        for (may_have_failed, longer) in [(false, 1), (true, 3)] {
            for each in &listed {
                let is_over = bytes > self.budget.most_bytes || age(each) > self.budget.most_age * longer;
                if !is_over || each.kept || each.live || !each.path.exists() {
                    continue;
                }
                if !may_have_failed && failed(&each.path).unwrap_or(true) {
                    continue;
                }
                if fs::remove_file(&each.path).is_ok() {
                    bytes -= each.bytes;
                }
            }
        }
    }
}

fn failed(path: &Path) -> Result<bool, ReadError> {
    Ok(File::open(path)?.summary()?.result != Some(Verdict::Success))
}

fn listed(path: &Path) -> Option<Listed> {
    if path.extension()? != ENDING {
        return None;
    }
    let data = fs::metadata(path).ok()?;
    let name = path.file_stem()?.to_str()?.to_owned();
    let file = fs::File::open(path).ok()?;
    let live = matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock));
    Some(Listed {
        name,
        path: path.to_owned(),
        bytes: data.len(),
        written: data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        kept: path.with_extension(KEPT).exists(),
        live,
    })
}

/// `20261119-215900` of milliseconds since 1970, at Greenwich.
pub fn stamp(unix_ms: u64) -> String {
    let (days, second) = (unix_ms / 86_400_000, unix_ms / 1000 % 86_400);
    // Counted from 1 March of the year 0, so that a leap day is the last of its year.
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}{month:02}{day_of_month:02}-{hour:02}{minute:02}{:02}", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_400_000), "20000229-000000");
        assert_eq!(stamp(1_795_125_599_000), "20261119-215959");
    }
}
