//! Two recorded runs beside each other, and notes that stay in a file.

use std::fs;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::container::{self, Writer};
use crate::line::{Mark, TraceLine};
use crate::read::{File, ReadError};
use crate::replay::{Difference, first_difference};
use crate::{schema, topic};

/// Where two runs part first. None: the same steps did the same things in the same ticks.
pub fn compare(one: &File, other: &File) -> Result<Option<Difference>, ReadError> {
    let (one, other) = (trace(one)?, trace(other)?);
    let most = one.len().max(other.len());
    for place in 0..most {
        let (was, is) = (one.get(place), other.get(place));
        if was == is {
            continue;
        }
        let did = |line: Option<&TraceLine>| line.map(|line| line.did.clone()).unwrap_or_default();
        let at = |line: &TraceLine| (line.tick, line.time_ns);
        let first = was.into_iter().chain(is).map(at).min().unwrap_or_default();
        let of = |line: Option<&TraceLine>| did(line.filter(|line| line.tick == first.0));
        return Ok(Some(first_difference(first, &of(was), &of(is))));
    }
    Ok(None)
}

fn trace(file: &File) -> Result<Vec<TraceLine>, ReadError> {
    let began_ns = file.begin().began_ns;
    let mut lines = Vec::new();
    file.visit((i64::MIN / 4, i64::MAX / 4), &|topic| topic == topic::TRACE, &mut |_, _, bytes| {
        let line: TraceLine = file.parsed(bytes)?;
        lines.push(TraceLine { time_ns: line.time_ns - began_ns, ..line });
        Ok(true)
    })?;
    Ok(lines)
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
