//! The folder in which what attempts show is kept: a file a task.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result};
use experience::{Batch, Line, Lines, TaskName, read, write};
use site::Memory;

/// In the folder of a robot's state.
pub const NAME: &str = "experience";

/// What a file is called behind the name of its task.
const ENDING: &str = ".jsonl";

/// Deeper nothing is looked for: a link may lead round in a circle.
const DEEPEST: usize = 8;

/// Every task that a folder has, with what its file says.
pub fn tasks(folder: &Path) -> Result<BTreeMap<String, Lines>> {
    let mut tasks = BTreeMap::new();
    if folder.exists() {
        gather(folder, "", DEEPEST, &mut tasks).with_context(|| format!("cannot read {}", folder.display()))?;
    }
    Ok(tasks)
}

fn gather(folder: &Path, under: &str, depth: usize, tasks: &mut BTreeMap<String, Lines>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{under}{name}");
        if entry.file_type()?.is_dir() && depth > 0 {
            gather(&entry.path(), &format!("{path}/"), depth - 1, tasks)?;
        } else if let Some(task) = path.strip_suffix(ENDING)
            && TaskName::new(task).is_ok()
        {
            tasks.insert(task.to_owned(), lines(&entry.path())?);
        }
    }
    Ok(())
}

/// Bytes that are no text are of a line that was damaged.
pub fn lines(path: &Path) -> Result<Lines> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read(&String::from_utf8_lossy(&bytes)))
}

/// Where a task's file is, or would be.
pub fn place(folder: &Path, task: &TaskName) -> Result<PathBuf> {
    if !folder.exists() {
        return Ok(folder.join(task.file()));
    }
    model::file::true_place(folder, &task.file()).map_err(|why| anyhow::anyhow!(why))
}

/// What a run begins with, and where it keeps what it shows.
pub struct ExperienceFolder {
    from: Option<PathBuf>,
    /// Writes beside the ticks. None: nothing is kept.
    writer: Option<Writer>,
    warnings: Vec<String>,
}

struct Writer {
    /// None: it is to end.
    lines: Option<Sender<Sent>>,
    thread: Option<JoinHandle<()>>,
    wrong: Arc<Mutex<Vec<String>>>,
}

enum Sent {
    Lines(Vec<Line>),
    /// Answered when all before it is written.
    Flush(Sender<()>),
}

impl ExperienceFolder {
    /// None: nothing is known and nothing kept.
    pub fn of_run(from: Option<&Path>, to: Option<&Path>) -> Result<Option<Box<dyn Memory>>> {
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let writer = to.map(Writer::begun).transpose()?;
        Ok(Some(Box::new(ExperienceFolder { from: from.map(Path::to_owned), writer, warnings: Vec::new() })))
    }
}

impl Memory for ExperienceFolder {
    fn stored(&mut self) -> Arc<Vec<Batch>> {
        if let Some(writer) = &self.writer {
            writer.flush();
        }
        let Some(from) = &self.from else { return Arc::default() };
        let tasks = match tasks(from) {
            Ok(tasks) => tasks,
            Err(error) => {
                self.warnings.push(format!("{error:#}"));
                return Arc::default();
            }
        };
        for (task, lines) in &tasks {
            self.warnings.extend(lines.wrong.iter().map(|wrong| format!("experience of `{task}`: {wrong}")));
        }
        Arc::new(tasks.into_values().flat_map(|lines| lines.batches).collect())
    }

    fn keep(&mut self, lines: &[Line]) {
        if let Some(sender) = self.writer.as_ref().and_then(|writer| writer.lines.as_ref()) {
            // A writer that is gone has told why.
            let _ = sender.send(Sent::Lines(lines.to_vec()));
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        if let Some(writer) = &self.writer {
            warnings.append(&mut writer.wrong.lock().unwrap_or_else(PoisonError::into_inner));
        }
        warnings
    }
}

impl Writer {
    fn begun(folder: &Path) -> Result<Writer> {
        model::file::create_private(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let (sender, receiver) = channel();
        let wrong = Arc::new(Mutex::new(Vec::new()));
        let (folder, told) = (folder.to_owned(), Arc::clone(&wrong));
        let named = std::thread::Builder::new().name("experience".to_owned());
        let thread = named.spawn(move || write_all(&folder, &receiver, &told))?;
        Ok(Writer { lines: Some(sender), thread: Some(thread), wrong })
    }

    fn flush(&self) {
        let (done, wait) = channel();
        if let Some(sender) = &self.lines
            && sender.send(Sent::Flush(done)).is_ok()
        {
            let _ = wait.recv();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        for wrong in self.wrong.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            crate::out::complain(&format!("coact: {wrong}"));
        }
    }
}

fn write_all(folder: &Path, receiver: &Receiver<Sent>, wrong: &Mutex<Vec<String>>) {
    for sent in receiver {
        match sent {
            Sent::Flush(done) => drop(done.send(())),
            Sent::Lines(lines) => {
                for line in lines {
                    if let Err(why) = append(folder, &line) {
                        wrong.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{why:#}; it is not kept"));
                    }
                }
            }
        }
    }
}

fn append(folder: &Path, line: &Line) -> Result<()> {
    let task = match line {
        Line::Batch(batch) => &batch.task,
        Line::Shift(shift) => &shift.task,
        Line::Forget(what) => &what.task,
    };
    let path = place(folder, &TaskName::new(task)?)?;
    let failed = || format!("cannot write {}", path.display());
    path.parent().map(model::file::create_private).transpose().with_context(failed)?;
    let mut file = model::file::private_file().read(true).append(true).create(true).open(&path).with_context(failed)?;
    // What was cut off stays a line of its own.
    let begin = if ends_with_line(&mut file).with_context(failed)? { "" } else { "\n" };
    file.write_all(format!("{begin}{}", write(line)).as_bytes()).with_context(failed)?;
    file.sync_data().with_context(failed)
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
