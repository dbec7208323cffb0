//! Two recorded runs beside each other, and notes that stay in a file.

use std::fs;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use engine::RunFact;

use crate::container::{self, Writer};
use crate::line::{Fact, Mark, TraceLine};
use crate::read::{File, ReadError};
use crate::replay::{Difference, first_difference};
use crate::{schema, topic};

/// Where two runs part first, in tick and time of the first. None: the same steps did the same things in the same ticks of
/// the run, however long either waited for its beginning.
pub fn compare(one: &File, other: &File) -> Result<Option<Difference>, ReadError> {
    let (one, other) = (Told::of(one)?, Told::of(other)?);
    let most = one.lines.len().max(other.lines.len());
    for place in 0..most {
        let (was, is) = (one.lines.get(place), other.lines.get(place));
        if was == is {
            continue;
        }
        let did = |line: Option<&TraceLine>| line.map(|line| line.did.clone()).unwrap_or_default();
        let at = |line: &TraceLine| (line.tick, line.time_ns);
        let first = was.into_iter().chain(is).map(at).min().unwrap_or_default();
        let of = |line: Option<&TraceLine>| did(line.filter(|line| line.tick == first.0));
        let in_file = (first.0 + one.began.0, first.1 + one.began.1);
        return Ok(Some(first_difference(in_file, &of(was), &of(is))));
    }
    Ok(None)
}

/// What a run did, from its beginning on: ticks and times are counted from there.
struct Told {
    began: (u64, i64),
    lines: Vec<TraceLine>,
}

impl Told {
    fn of(file: &File) -> Result<Told, ReadError> {
        let mut lines: Vec<TraceLine> = Vec::new();
        file.visit((i64::MIN / 4, i64::MAX / 4), &|topic| topic == topic::TRACE, &mut |_, _, bytes| {
            lines.push(file.parsed(bytes)?);
            Ok(true)
        })?;
        let begins = |fact: &Fact| matches!(fact, Fact::Run { step: None, fact: RunFact::Began });
        let first = lines.iter().position(|line| line.did.iter().any(begins)).unwrap_or(0);
        lines.drain(..first);
        let began = lines.first().map_or((0, file.begin().began_ns), |line| (line.tick, line.time_ns));
        for line in &mut lines {
            (line.tick, line.time_ns) = (line.tick - began.0, line.time_ns - began.1);
        }
        Ok(Told { began, lines })
    }
}

/// Writes a mark behind what a file has, and its index anew: one that was cut off is whole then. An empty text takes away
/// the marks of that moment, for those who read them.
pub fn mark(path: &Path, mark: &Mark) -> Result<(), ReadError> {
    let name = path.display().to_string();
    let io = |error| ReadError::Io { file: name.clone(), error };
    let opened = File::open(path)?;
    let unix_ns = opened.begin().unix_ns((mark.at_s * 1e9) as i64 + opened.begin().began_ns);
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
    if file.try_lock().is_err() {
        return Err(opened.content("it is being written: mark it when the run is over"));
    }
    let length = file.metadata().map_err(io)?.len();
    let index = container::index(&mut file, length).map_err(io)?;
    file.set_len(index.data_end).map_err(io)?;
    file.seek(SeekFrom::Start(index.data_end)).map_err(io)?;
    let mut writer = Writer::behind(file, index).map_err(io)?;
    let (schema, encoding) = schema::of(topic::MARK);
    let channel = writer.channel(topic::MARK, &schema, encoding).map_err(io)?;
    writer.message(channel, unix_ns, &serde_json::to_vec(mark).unwrap_or_default());
    writer.close().map_err(io)?;
    Ok(())
}

/// The marks that were not taken away.
pub fn marks(file: &File) -> Result<Vec<Mark>, ReadError> {
    let mut left: Vec<Mark> = Vec::new();
    for mark in file.marks()? {
        if mark.text.is_empty() {
            left.retain(|known| (known.at_s - mark.at_s).abs() > 1e-6);
        } else {
            left.push(mark);
        }
    }
    left.sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
    Ok(left)
}
