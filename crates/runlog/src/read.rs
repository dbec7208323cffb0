//! Reads a recording: a whole one by its index, one that was cut off as far as it goes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use robot::interface::RobotState;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::begin::{Begin, FORM};
use crate::container::{self, Chunk, HEAD, Index};
use crate::foxglove;
use crate::line::{Aside, InputLine, Mark, TraceLine};
use crate::sight::Whole;
use crate::summary::Summary;
use crate::{sight, topic};

/// Chunks that were read last: who plays or seeks back and forth meets them again.
const MOST_CACHED: usize = 32;

/// Is given topic, time and message; says whether it wants more.
type Take<'a> = dyn FnMut(&str, i64, &[u8]) -> Result<bool, ReadError> + 'a;
/// What a camera saw at a time.
type PointsAt<'a> = dyn Fn(&str, i64) -> Option<Arc<Whole>> + 'a;

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{file}: {error}")]
    Io { file: String, error: std::io::Error },
    #[error("{0} is no MCAP file")]
    Foreign(String),
    #[error("{0} is an MCAP file, but no recording of Coact: it has no {begin}", begin = topic::BEGIN)]
    NotOurs(String),
    #[error("{file}: damaged at byte {at}: {what}")]
    Damaged { file: String, at: u64, what: String },
    #[error("{file} is of form {form}, and this program knows form {FORM}: read it with a newer program")]
    Newer { file: String, form: u32 },
    #[error("{file}: {what}")]
    Content { file: String, what: String },
}

pub struct File {
    path: PathBuf,
    name: String,
    file: Mutex<fs::File>,
    index: Index,
    cached: Mutex<Vec<(usize, Arc<Chunk>)>>,
    begin: Arc<Begin>,
}

impl File {
    pub fn open(path: &Path) -> Result<File, ReadError> {
        let name = path.display().to_string();
        let io = |error| ReadError::Io { file: name.clone(), error };
        let mut file = fs::File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        if !container::is_mcap(&mut file) {
            return Err(ReadError::Foreign(name));
        }
        let mut index = container::index(&mut file, length).map_err(io)?;
        index.chunks.sort_by_key(|chunk| chunk.offset);
        let mut opened = File {
            path: path.to_owned(),
            name,
            file: Mutex::new(file),
            index,
            cached: Mutex::default(),
            begin: Arc::new(empty()),
        };
        opened.begin = Arc::new(opened.read_begin()?);
        Ok(opened)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn begin(&self) -> &Begin {
        &self.begin
    }

    pub fn topic(&self, channel: u16) -> &str {
        self.index.channels.get(&channel).map_or("", |channel| channel.topic.as_str())
    }

    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.index.channels.values().map(|channel| channel.topic.as_str())
    }

    /// How many messages a topic has.
    pub fn count(&self, topic: &str) -> u64 {
        let channels = self.index.channels.iter().filter(|(_, channel)| channel.topic == topic);
        channels.map(|(id, _)| self.index.count(*id)).sum()
    }

    /// It was not closed.
    pub fn is_cut(&self) -> bool {
        self.index.cut.is_some()
    }

    pub fn content(&self, what: &str) -> ReadError {
        ReadError::Content { file: self.name.clone(), what: what.to_owned() }
    }

    fn read_begin(&self) -> Result<Begin, ReadError> {
        let not_ours = || ReadError::NotOurs(self.name.clone());
        if self.index.chunks.is_empty() {
            return Err(not_ours());
        }
        let first = self.chunk(0)?;
        let record = first.messages.iter().find(|record| self.topic(record.channel) == topic::BEGIN);
        let bytes = first.bytes(record.ok_or_else(not_ours)?);
        #[derive(serde::Deserialize)]
        struct Form {
            form: u32,
        }
        let form: Form = self.parsed(bytes)?;
        if form.form > FORM {
            return Err(ReadError::Newer { file: self.name.clone(), form: form.form });
        }
        self.parsed(bytes)
    }

    pub fn parsed<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, ReadError> {
        serde_json::from_slice(bytes)
            .map_err(|error| ReadError::Content { file: self.name.clone(), what: format!("a message: {error}") })
    }

    /// Unpacked, its checksum judged.
    pub fn chunk(&self, index: usize) -> Result<Arc<Chunk>, ReadError> {
        let lock = || self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, chunk)) = lock().iter().find(|(known, _)| *known == index) {
            return Ok(Arc::clone(chunk));
        }
        let (offset, length) = (self.index.chunks[index].offset, self.index.chunks[index].length);
        let bytes = self.bytes_at(offset, length)?;
        let damaged = |what: String| ReadError::Damaged { file: self.name.clone(), at: offset, what };
        let chunk = container::open_chunk(&bytes[HEAD as usize..]).map_err(damaged)?;
        let chunk = Arc::new(chunk);
        let mut cached = lock();
        if cached.len() >= MOST_CACHED {
            cached.remove(0);
        }
        cached.push((index, Arc::clone(&chunk)));
        Ok(chunk)
    }

    fn bytes_at(&self, offset: u64, length: u64) -> Result<Vec<u8>, ReadError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = vec![0; length as usize];
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| ReadError::Io { file: self.name.clone(), error })?;
        Ok(bytes)
    }

    /// Every message of these topics in the order of the file, until `take` says that it is enough. Times of the engine.
    pub fn visit(
        &self,
        (from_ns, to_ns): (i64, i64),
        topics: &dyn Fn(&str) -> bool,
        take: &mut Take<'_>,
    ) -> Result<(), ReadError> {
        let wanted: BTreeMap<u16, &str> = self
            .index
            .channels
            .iter()
            .map(|(id, channel)| (*id, channel.topic.as_str()))
            .filter(|(_, topic)| topics(topic))
            .collect();
        let (from, to) = (self.begin.unix_ns(from_ns), self.begin.unix_ns(to_ns));
        for index in self.overlapping(from, to) {
            let chunk = self.chunk(index)?;
            for record in chunk.messages.iter().filter(|record| (from..=to).contains(&record.unix_ns)) {
                let Some(topic) = wanted.get(&record.channel) else { continue };
                if !take(topic, self.begin.time_ns(record.unix_ns), chunk.bytes(record))? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn overlapping(&self, from: u64, to: u64) -> Vec<usize> {
        let chunks = self.index.chunks.iter().enumerate();
        chunks.filter(|(_, chunk)| chunk.start_ns <= to && chunk.end_ns >= from).map(|(index, _)| index).collect()
    }

    /// The newest message of a topic at that time.
    pub fn newest(&self, topic: &str, at_ns: i64) -> Result<Option<(i64, Vec<u8>)>, ReadError> {
        let Some(channel) = self.index.channels.iter().find(|(_, known)| known.topic == topic).map(|(id, _)| *id)
        else {
            return Ok(None);
        };
        let at = self.begin.unix_ns(at_ns);
        for index in self.overlapping(0, at).into_iter().rev() {
            let chunk = self.chunk(index)?;
            let is_it = |record: &&container::Message| record.channel == channel && record.unix_ns <= at;
            if let Some(record) = chunk.messages.iter().filter(is_it).max_by_key(|record| record.unix_ns) {
                let bytes = chunk.bytes(record).to_vec();
                return Ok(Some((self.begin.time_ns(record.unix_ns), bytes)));
            }
        }
        Ok(None)
    }

    /// The time of the last message.
    pub fn end_ns(&self) -> i64 {
        self.index
            .chunks
            .iter()
            .map(|chunk| chunk.end_ns)
            .max()
            .map_or(self.begin.began_ns, |end| self.begin.time_ns(end))
    }

    /// As it was made while it was written; of a file that was cut off, made anew.
    pub fn summary(&self) -> Result<Summary, ReadError> {
        match self.index.attachments.iter().rev().find(|at| at.name == topic::SUMMARY) {
            Some(at) => {
                let bytes = self.bytes_at(at.offset, at.length)?;
                let what = "the summary is damaged".to_owned();
                let damaged = || ReadError::Damaged { file: self.name.clone(), at: at.offset, what };
                self.parsed(container::attachment(&bytes).ok_or_else(damaged)?)
            }
            None => self.summed_up(),
        }
    }

    fn summed_up(&self) -> Result<Summary, ReadError> {
        let mut summary = Summary::default();
        let told = |topic: &str| [topic::INPUT, topic::TRACE, topic::ASIDE].contains(&topic);
        self.visit((i64::MIN / 4, i64::MAX / 4), &told, &mut |topic, time_ns, bytes| {
            match topic {
                topic::INPUT => summary.input(&self.parsed::<InputLine>(bytes)?),
                topic::TRACE => summary.trace(&self.parsed::<TraceLine>(bytes)?),
                _ => summary.aside(time_ns, &self.parsed::<Aside>(bytes)?),
            }
            Ok(true)
        })?;
        Ok(summary)
    }

    pub fn marks(&self) -> Result<Vec<Mark>, ReadError> {
        let mut marks = Vec::new();
        self.visit((i64::MIN / 4, i64::MAX / 4), &|topic| topic == topic::MARK, &mut |_, _, bytes| {
            marks.push(self.parsed(bytes)?);
            Ok(true)
        })?;
        Ok(marks)
    }

    /// The state of an input with the joints that lie beside it.
    pub fn with_joints(&self, state: &RobotState, joints: &[u8]) -> Result<RobotState, ReadError> {
        let read = foxglove::read_joint_states(joints).ok_or_else(|| self.content("joints are damaged"))?;
        let [positions, velocities, efforts] = read;
        Ok(RobotState { positions, velocities, efforts, ..state.clone() })
    }

    /// The input as the engine saw it. `points` gives what somebody looked at, by camera and time.
    pub fn whole_input(
        &self,
        line: InputLine,
        joints: Option<&[u8]>,
        points: &PointsAt<'_>,
    ) -> Result<engine::TickInput, ReadError> {
        let content = |what: String| ReadError::Content { file: self.name.clone(), what };
        let mut input = line.input;
        if let Some(state) = &mut input.robot {
            let joints = joints.ok_or_else(|| content(format!("tick {} has no joints", line.tick)))?;
            *state = Arc::new(self.with_joints(state, joints)?);
        }
        for at in &line.clouds {
            let sight = input.sights.get_mut(at.sight);
            let sight = sight.ok_or_else(|| content(format!("tick {} has a cloud of no sight", line.tick)))?;
            let cloud = sight::cloud(at, points(&sight.camera, at.time_ns).as_deref()).map_err(content)?;
            *sight = Arc::new(scene::Sight { cloud: Some(Arc::new(cloud)), ..(**sight).clone() });
        }
        Ok(input)
    }
}

fn empty() -> Begin {
    Begin::new(&model::Library::default(), &engine::Options::default(), &crate::Facts::default(), (0, 0))
}
