//! Recorded runs, for those who look at them: read, computed anew and compared on a thread of their own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use document::Document;
use engine::{Instance, Registry};
use model::Library;
use protocol::api::{
    Against, Answer, Ask, BarView, ChannelOf, CloudView, DifferenceView, DocumentView, EditedAt, Failure, FailureCode,
    InstanceView, LineView, MomentView, PictureView, PosedView, Push, RangeView, RecordedRun, RecordingEntry,
    RecordingView, ReplayedView, StatisticsView, VersionsView, WhatIfView,
};
use protocol::talk::Detail;
use runlog::{Difference, File, Folder, Listed, Mark, ReadError, Simulate, Summary, topic};

use crate::difference::words;
use crate::marks;
use crate::node_view::{file_view, node_view};
use crate::numbers::Numbers;
use crate::operator::{Effect, Operator, failure};
use crate::previewing::run_detail;
use crate::robot_seen::RobotSeen;
use crate::run_seen::RunSeen;
use crate::session::SessionId;
use crate::trials::{self, Trials, Wanted};
use crate::work::{Worked, caught};

/// Recordings that are open: whoever looks at one asks for moment after moment.
const MOST_OPEN: usize = 4;
const MOST_VALUES: u32 = 20_000;

/// The recordings of this machine.
#[derive(Clone)]
pub struct Recordings {
    folder: Folder,
    open: Arc<Mutex<Vec<Kept>>>,
    /// None: what was around a run cannot be made again here.
    simulate: Option<Simulate>,
}

type Kept = (Stamp, Arc<Opened>);

type Stamp = (PathBuf, u64, Option<SystemTime>);

struct Opened {
    file: File,
    summary: Summary,
    /// What the numbers of instances stand for, by the version of the tree.
    numbers: Mutex<BTreeMap<u32, Arc<Numbers>>>,
}

impl Recordings {
    pub fn new(folder: Folder) -> Recordings {
        Recordings { folder, open: Arc::default(), simulate: None }
    }

    pub fn with_simulator(self, simulate: Simulate) -> Recordings {
        Recordings { simulate: Some(simulate), ..self }
    }

    fn opened(&self, (folder, file): (&Folder, &str), name: &str) -> Result<Arc<Opened>, Failure> {
        let missing =
            || failure(FailureCode::Refused, format!("there is no recording {name} any more: list them again"));
        let path = folder.find(file).ok_or_else(missing)?;
        let data = std::fs::metadata(&path).map_err(|_| missing())?;
        let stamp = (path.clone(), data.len(), data.modified().ok());
        let lock = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opened)) = lock().iter().find(|(known, _)| *known == stamp) {
            return Ok(Arc::clone(opened));
        }
        let file = File::open(&path).map_err(unread)?;
        let summary = file.summary().map_err(unread)?;
        let opened = Arc::new(Opened { file, summary, numbers: Mutex::default() });
        let mut open = lock();
        open.retain(|((known, ..), _)| *known != path);
        if open.len() >= MOST_OPEN {
            open.remove(0);
        }
        open.push((stamp, Arc::clone(&opened)));
        Ok(opened)
    }
}

fn unread(error: ReadError) -> Failure {
    failure(FailureCode::Failed, error.to_string())
}

/// One request about a recording.
pub struct Recall {
    session: SessionId,
    request: u32,
    by: String,
    ask: Ask,
    recordings: Option<Recordings>,
    trials: Option<Trials>,
    registry: Arc<Registry>,
    /// The tree that is open.
    library: Library,
}

impl std::fmt::Debug for Recall {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "recall for {:?}, request {}", self.session, self.request)
    }
}

impl Operator {
    pub(crate) fn recall(&mut self, (session, request): (SessionId, u32), name: &str, ask: Ask) -> Result<(), Failure> {
        let library = if matches!(ask, Ask::WhatIf { .. }) {
            self.shared.document().library().clone()
        } else {
            Library::default()
        };
        if matches!(ask, Ask::StartTrial { .. } | Ask::StopTrial) {
            self.audit(format!("{name} wants {ask:?}"));
        }
        let registry = Arc::clone(&self.setup.registry);
        let (recordings, trials) = (self.setup.recordings.clone(), self.setup.trials.clone());
        let recall = Recall { session, request, by: name.to_owned(), ask, recordings, trials, registry, library };
        self.effects.push(Effect::Recall(Box::new(recall)));
        Ok(())
    }
}

impl Recall {
    pub fn asked(&self) -> (SessionId, u32) {
        (self.session, self.request)
    }

    /// A run computed anew takes its time; who looks at moments does not wait for it.
    pub fn is_long(&self) -> bool {
        matches!(self.ask, Ask::Replay { .. } | Ask::WhatIf { .. } | Ask::Compare { .. })
    }

    pub fn run(self) -> Worked {
        let (session, request) = self.asked();
        Worked::Answer { session, request, answer: Box::new(caught(move || self.answer())) }
    }

    fn answer(&self) -> Result<Answer, Failure> {
        let opened = |name: &str| self.opened(name);
        Ok(match &self.ask {
            Ask::Recordings { search } => self.list(search.as_deref().unwrap_or_default())?,
            Ask::OpenRecording { recording } => Answer::Recording(Box::new(self.recording(recording)?)),
            Ask::Moment { recording, at_s, tree } => {
                Answer::Moment(Box::new(self.moment(&*opened(recording)?, *at_s, *tree)?))
            }
            Ask::Range { recording, channel, from_s, to_s, most } => {
                Answer::Range(range(&*opened(recording)?, channel, (*from_s, *to_s), *most)?)
            }
            Ask::RecordedPicture { recording, camera, at_s } => picture(&*opened(recording)?, camera, *at_s)?,
            Ask::RecordedCloud { recording, at_s } => cloud(&*opened(recording)?, *at_s)?,
            Ask::Mark { recording, at_s, text } => self.mark(recording, *at_s, text)?,
            Ask::Keep { recording, keep } => {
                let (folder, file) = self.place(recording)?;
                let kept = folder.keep(&file, *keep);
                kept.map_err(|error| failure(FailureCode::Failed, error.to_string()))?;
                Answer::Done
            }
            Ask::Compare { recording, with } => {
                let (one, other) = (opened(recording)?, opened(with)?);
                let difference = runlog::compare(&one.file, &other.file).map_err(unread)?;
                Answer::Compared { difference: difference.map(|difference| difference_view(0, &difference)) }
            }
            Ask::Replay { recording } => self.replay(&*opened(recording)?)?,
            Ask::WhatIf { recording, from_s, against } => self.what_if(&*opened(recording)?, *from_s, *against)?,
            Ask::Suites => self.trials()?.suites(),
            Ask::StartTrial { suite, runs, first_seed } => {
                self.trials()?.start(suite, Wanted { runs: *runs, first_seed: *first_seed }, &self.by)?
            }
            Ask::StopTrial => self.trials()?.stop(),
            Ask::Trial => self.trials()?.view(),
            _ => return Err(failure(FailureCode::BadRequest, "this is about no recording")),
        })
    }

    fn recordings(&self) -> Result<&Recordings, Failure> {
        let none = "this operator process has no recordings: start it with --recordings FOLDER";
        self.recordings.as_ref().ok_or_else(|| failure(FailureCode::Refused, none))
    }

    fn trials(&self) -> Result<&Trials, Failure> {
        let none = "this operator process runs no trials: it has no folder of its own";
        self.trials.as_ref().ok_or_else(|| failure(FailureCode::Refused, none))
    }

    /// The folder that a recording lies in, and its name there.
    fn place(&self, name: &str) -> Result<(Folder, String), Failure> {
        match self.trials.as_ref().and_then(|trials| trials.recording(name)) {
            Some(folder) => Ok((folder, trials::RECORDING.to_owned())),
            None => Ok((self.recordings()?.folder.clone(), name.to_owned())),
        }
    }

    fn opened(&self, name: &str) -> Result<Arc<Opened>, Failure> {
        let (folder, file) = self.place(name)?;
        // Those of trials are read as the others are, also where nothing else is recorded.
        match &self.recordings {
            Some(recordings) => recordings.opened((&folder, &file), name),
            None => Recordings::new(folder.clone()).opened((&folder, &file), name),
        }
    }

    fn list(&self, search: &str) -> Result<Answer, Failure> {
        let recordings = self.recordings()?;
        let listed = recordings.folder.list();
        let bytes: u64 = listed.iter().map(|each| each.bytes).sum();
        let search = search.to_lowercase();
        // One that cannot be read is not there for this list; `coact runs list` says why.
        let entries = listed.iter().filter_map(|each| entry(each, &*self.opened(&each.name).ok()?).ok());
        let holds = |entry: &RecordingEntry| {
            let texts = [&entry.name, &entry.behavior].into_iter().chain(&entry.robot).chain(&entry.world);
            texts.chain(&entry.who).any(|text| text.to_lowercase().contains(&search))
        };
        Ok(Answer::Recordings {
            recordings: entries.filter(holds).collect(),
            folder: recordings.folder.path().display().to_string(),
            bytes: bytes as f64,
            most_bytes: recordings.folder.budget.most_bytes as f64,
        })
    }

    fn recording(&self, name: &str) -> Result<RecordingView, Failure> {
        let listed = self.listed(name)?;
        if !listed.live {
            marks::settle(&listed.path)?;
        }
        let opened = self.opened(name)?;
        let (begin, summary) = (opened.file.begin(), &opened.summary);
        let at_s = |ns: i64| begin.at_s(ns);
        let digests = &begin.digests;
        Ok(RecordingView {
            entry: entry(&listed, &opened).map_err(unread)?,
            versions: VersionsView {
                program: begin.program.clone(),
                program_digest: digests.program.clone(),
                robot_digest: digests.robot.clone(),
                world_digest: digests.world.clone(),
                behavior_digest: digests.behavior.clone(),
            },
            document: document_view(begin.library(), &self.registry, 0),
            bars: bars(summary, begin.began_ns),
            lines: summary
                .lines
                .iter()
                .map(|line| LineView {
                    at_s: at_s(line.at_ns),
                    kind: line.kind,
                    step: line.step.as_ref().map(instance),
                    text: line.text.clone(),
                })
                .collect(),
            marks: marks::all(&opened.file)?,
            channels: {
                let channels = opened.file.channels().map_err(unread)?.into_iter();
                channels.map(|(name, unit)| ChannelOf { name, unit }).collect()
            },
            edits: summary
                .edits
                .iter()
                .map(|edit| EditedAt { at_s: at_s(edit.at_ns), version: edit.version, by: edit.by.clone() })
                .collect(),
            cameras: summary.cameras.clone(),
            has_clouds: !summary.cameras.is_empty(),
            ticks: summary.ticks as f64,
        })
    }

    fn moment(&self, opened: &Opened, at_s: f64, tree: bool) -> Result<MomentView, Failure> {
        let file = &opened.file;
        let begin = file.begin();
        let at_ns = engine_ns(file, at_s);
        let moment = file.moment(at_ns).map_err(unread)?;
        let version = opened.summary.edits.iter().filter(|edit| edit.at_ns <= at_ns).map(|edit| edit.version).max();
        let version = version.unwrap_or(0);
        let numbers = self.numbers(opened, at_ns, version)?;
        let robot = begin.robot().map_err(|what| failure(FailureCode::Failed, what))?;
        let mut run = RunSeen::default();
        let seen = moment.seen;
        seen.happenings.iter().for_each(|happening| run.happening(happening));
        if let Some(marks) = &seen.marks {
            run.detail(Detail::Run(run_detail(marks)));
        }
        for detail in seen.variables {
            run.detail(detail);
        }
        if let Some(details) = seen.details {
            run.details(details);
        }
        if let Some(report) = seen.run {
            let tick = u64::try_from(moment.time_ns).unwrap_or(0) / 10_000_000;
            run.report(protocol::report::RunReport { tick, ..report });
        }
        let (variables, tokens) = run.variables(&numbers);
        let mut told = vec![Push::Run(run.view(&numbers)), Push::Variables { variables, tokens }];
        let mut posed = None;
        if let (Some(robot), Some(state)) = (robot, &moment.robot) {
            let mut shown = RobotSeen::new(robot);
            let report = onboard::robot_report(state);
            shown.report(&report, moment.time_ns);
            shown.put_objects(seen.objects.unwrap_or_default());
            for thing in [seen.detections, seen.solids, seen.outlines].into_iter().flatten().flatten() {
                let key = thing.key();
                shown.thing(key, thing);
            }
            let (objects, frames, cameras) = (shown.objects(), shown.frames(), shown.cameras());
            told.push(Push::Scene { objects, frames, cameras, detections: shown.around.detections() });
            told.extend(shown.around.lacks(None).map(|(push, _)| push));
            shown.felt_then(state);
            told.extend(shown.felt().map(Push::Body));
            posed = Some(PosedView {
                base: state.world_from_base.numbers(),
                joints: state.positions.clone(),
                flags: report.flags,
            });
        }
        let newest = |topic: &str| file.newest(topic, at_ns).map_err(unread);
        let mut pictures = Vec::new();
        let mut cloud_s: Option<f64> = None;
        for camera in &opened.summary.cameras {
            pictures.extend(newest(&topic::picture(camera))?.map(|(ns, _)| (camera.clone(), begin.at_s(ns))));
            let at = newest(&topic::cloud(camera))?.map(|(ns, _)| begin.at_s(ns));
            cloud_s = at.map_or(cloud_s, |at| Some(cloud_s.map_or(at, |known| known.max(at))));
        }
        let document = match tree && version > 0 {
            true => {
                let (library, _) = file.library_at(at_ns).map_err(unread)?;
                Some(document_view(library, &self.registry, version))
            }
            false => None,
        };
        Ok(MomentView {
            at_s: begin.at_s(moment.time_ns),
            tick: moment.tick as f64,
            version,
            document,
            told,
            robot: posed,
            commanded: None,
            pictures,
            cloud_s,
        })
    }

    fn numbers(&self, opened: &Opened, at_ns: i64, version: u32) -> Result<Arc<Numbers>, Failure> {
        let lock = || opened.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&version) {
            return Ok(Arc::clone(known));
        }
        let library = match version {
            0 => opened.file.begin().library(),
            _ => opened.file.library_at(at_ns).map_err(unread)?.0,
        };
        let numbers = Arc::new(Numbers::of(&library, self.registry.catalogue()));
        lock().insert(version, Arc::clone(&numbers));
        Ok(numbers)
    }

    fn mark(&self, name: &str, at_s: f64, text: &str) -> Result<Answer, Failure> {
        let listed = self.listed(name)?;
        let mark = Mark { at_s, by: self.by.clone(), text: text.to_owned() };
        marks::add(&listed.path, &mark, listed.live)?;
        Ok(Answer::Marks { marks: marks::all(&File::open(&listed.path).map_err(unread)?)? })
    }

    /// By the name that it has in requests.
    fn listed(&self, name: &str) -> Result<Listed, Failure> {
        let (folder, file) = self.place(name)?;
        let listed = folder.list().into_iter().find(|each| each.name == file);
        let missing = || failure(FailureCode::Refused, "there is no such recording any more: list them again");
        Ok(Listed { name: name.to_owned(), ..listed.ok_or_else(missing)? })
    }

    fn replay(&self, opened: &Opened) -> Result<Answer, Failure> {
        let began = std::time::Instant::now();
        let replayed = runlog::replay(&opened.file, &self.registry).map_err(unread)?;
        let begin = opened.file.begin();
        let duration_s = begin.at_s(replayed.end_ns);
        Ok(Answer::Replayed(ReplayedView {
            difference: replayed.difference.map(|difference| difference_view(begin.began_ns, &difference)),
            ticks: replayed.ticks as f64,
            duration_s,
            speed: duration_s / began.elapsed().as_secs_f64().max(1e-9),
        }))
    }

    fn what_if(&self, opened: &Opened, from_s: f64, against: Against) -> Result<Answer, Failure> {
        let begin = opened.file.begin();
        let from_ns = engine_ns(&opened.file, from_s);
        let simulate =
            self.recordings.as_ref().and_then(|recordings| recordings.simulate.as_ref()).filter(|_| begin.simulated);
        let simulator = match (against, simulate) {
            (Against::Recorded, _) | (Against::Best, None) => None,
            (Against::Simulated, None) => {
                let text = "the robot of this run was not simulated: ask for it against what was recorded";
                return Err(failure(FailureCode::Refused, text));
            }
            (Against::Best | Against::Simulated, Some(simulate)) => {
                let made = simulate(begin, &self.registry);
                Some(made.map_err(|why| failure(FailureCode::Failed, format!("it cannot be simulated again: {why}")))?)
            }
        };
        let found = runlog::what_if(&opened.file, &self.registry, from_ns, &self.library, simulator).map_err(unread)?;
        let reason = match &found.unlike {
            None => found.reason,
            Some((_, time_ns, what)) => format!(
                "{} (before the edit, from {:.2} s on, the simulator is not as it was on record: {what})",
                found.reason,
                begin.at_s(*time_ns)
            ),
        };
        Ok(Answer::WhatIf(Box::new(WhatIfView {
            from_s,
            recorded_until_s: found.parted_ns.map(|ns| begin.at_s(ns)),
            simulated: found.simulated,
            result: found.result,
            reason,
            duration_s: begin.at_s(found.summary.end_ns),
            bars: bars(&found.summary, begin.began_ns),
            difference: found.difference.map(|difference| difference_view(begin.began_ns, &difference)),
        })))
    }
}

fn engine_ns(file: &File, at_s: f64) -> i64 {
    // A time that is no number is the beginning.
    let since_ns = if at_s.is_finite() { (at_s * 1e9).round() as i64 } else { 0 };
    file.begin().began_ns.saturating_add(since_ns)
}

fn instance(step: &Instance) -> InstanceView {
    InstanceView { uses: step.uses.clone(), node: step.node }
}

fn entry(listed: &Listed, opened: &Opened) -> Result<RecordingEntry, ReadError> {
    let (begin, summary) = (opened.file.begin(), &opened.summary);
    let at_s = |ns: i64| begin.at_s(ns);
    let run = |run: &runlog::Run| RecordedRun {
        began_s: at_s(run.began_ns),
        ended_s: run.ended_ns.map(at_s),
        result: run.result,
        reason: run.reason.clone(),
    };
    Ok(RecordingEntry {
        name: listed.name.clone(),
        behavior: begin.behavior().to_owned(),
        robot: begin.body.as_ref().map(|body| body.robot.name.clone()),
        world: begin.world.as_ref().map(|world| world.name.clone()),
        seed: begin.seed as f64,
        began_unix_ms: begin.began_unix_ms as f64,
        duration_s: at_s(summary.end_ns.max(begin.began_ns)),
        result: summary.result,
        reason: summary.reason.clone(),
        runs: summary.runs.iter().map(run).collect(),
        who: summary.who.clone(),
        bytes: listed.bytes as f64,
        kept: listed.kept,
        live: listed.live,
        cut: opened.file.is_cut() && !listed.live,
        lost: summary.lost as f64,
        marks: u32::try_from(opened.file.count(topic::MARK)).unwrap_or(u32::MAX),
    })
}

fn bars(summary: &Summary, began_ns: i64) -> Vec<BarView> {
    let at_s = |ns: i64| (ns - began_ns) as f64 / 1e9;
    let view = |bar: &runlog::Bar| BarView {
        step: instance(&bar.step),
        path: bar.path.clone(),
        kind: bar.kind.to_string(),
        start_s: at_s(bar.start_ns),
        end_s: bar.end_ns.map(at_s),
        result: bar.result,
        outcome: bar.outcome.as_deref().map(str::to_owned),
        reason: bar.reason.as_deref().map(str::to_owned),
    };
    summary.bars.iter().map(view).collect()
}

fn document_view(library: Library, registry: &Arc<Registry>, version: u32) -> DocumentView {
    let document = Document::new(library, Arc::clone(registry), 0);
    let library = document.library();
    let files = library.iter().map(|(_, tree)| protocol::api::FileView { unsaved: false, ..file_view(tree) }).collect();
    let nodes = library.iter().flat_map(|(file, tree)| tree.walk(tree.root).map(move |node| (file, node)));
    let nodes = nodes.map(|(file, node)| node_view(&document, file, node)).collect();
    DocumentView { version, files, nodes, undo: None, redo: None }
}

fn difference_view(began_ns: i64, difference: &Difference) -> DifferenceView {
    let Difference { tick, time_ns, step, path, what, was, is } = difference.clone();
    let at_s = (time_ns - began_ns) as f64 / 1e9;
    let text = words(difference, at_s);
    DifferenceView { at_s, tick: tick as f64, step: step.as_ref().map(instance), path, what, was, is, text }
}

fn range(opened: &Opened, channel: &str, (from_s, to_s): (f64, f64), most: u32) -> Result<RangeView, Failure> {
    let span = (engine_ns(&opened.file, from_s), engine_ns(&opened.file, to_s));
    let unknown = || failure(FailureCode::BadRequest, format!("the recording has no channel `{channel}`"));
    let found = opened.file.range(channel, span).map_err(unread)?.ok_or_else(unknown)?;
    let of = found.statistics();
    let values = found.thinned(most.min(MOST_VALUES) as usize);
    Ok(RangeView {
        channel: channel.to_owned(),
        times_s: values.iter().map(|(ns, _)| opened.file.begin().at_s(*ns)).collect(),
        values: values.iter().map(|(_, value)| *value).collect(),
        statistics: StatisticsView {
            count: of.count as f64,
            least: of.least,
            greatest: of.greatest,
            mean: of.mean,
            deviation: of.deviation,
        },
        unit: found.unit,
    })
}

fn picture(opened: &Opened, camera: &str, at_s: f64) -> Result<Answer, Failure> {
    let at_ns = engine_ns(&opened.file, at_s);
    let none = || failure(FailureCode::Refused, format!("camera {camera} had no picture by then"));
    let (ns, message) = opened.file.newest(&topic::picture(camera), at_ns).map_err(unread)?.ok_or_else(none)?;
    let jpeg = runlog::foxglove::read_bytes(&message, 2).ok_or_else(none)?;
    let at_s = opened.file.begin().at_s(ns);
    Ok(Answer::Picture(PictureView { camera: camera.to_owned(), at_s, jpeg_base64: base64(&jpeg) }))
}

/// In the form of [`protocol::api::CLOUD`].
fn cloud(opened: &Opened, at_s: f64) -> Result<Answer, Failure> {
    let at_ns = engine_ns(&opened.file, at_s);
    let none = || failure(FailureCode::Refused, "no camera had seen points by then");
    let mut newest: Option<(i64, Vec<u8>)> = None;
    for camera in &opened.summary.cameras {
        let found = opened.file.newest(&topic::cloud(camera), at_ns).map_err(unread)?;
        newest = newest.into_iter().chain(found).max_by_key(|(ns, _)| *ns);
    }
    let (ns, message) = newest.ok_or_else(none)?;
    let data = runlog::foxglove::read_bytes(&message, 6).ok_or_else(none)?;
    let points: Vec<([f32; 3], [u8; 3])> = runlog::points(&data).collect();
    let at_s = opened.file.begin().at_s(ns);
    let origin = points.first().map_or([0.0; 3], |(point, _)| *point);
    let mut bytes = at_s.to_le_bytes().to_vec();
    bytes.insert(0, protocol::api::CLOUD);
    origin.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend((points.len() as u32).to_le_bytes());
    for axis in 0..3 {
        for (point, _) in &points {
            let mm = ((point[axis] - origin[axis]) * 1e3).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX));
            bytes.extend((mm as i16).to_le_bytes());
        }
    }
    points.iter().for_each(|(_, [red, green, blue])| bytes.extend([*red, *green, *blue, 255]));
    Ok(Answer::Cloud(CloudView { at_s, points_base64: base64(&bytes) }))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place)) as usize & 63] as char;
            text.push(if place > three.len() { '=' } else { letter });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_are_written_as_everybody_reads_them() {
        let known = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="];
        for (count, text) in known.into_iter().enumerate() {
            assert_eq!(base64(&b"foob"[..count]), text);
        }
    }
}
