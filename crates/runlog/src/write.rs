//! The thread that writes a recording.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use robot::interface::RobotState;
use scene::Sight;
use serde::Serialize;
use thiserror::Error;

use crate::begin::Begin;
use crate::container::Writer;
use crate::depth;
use crate::fold::Folded;
use crate::foxglove;
use crate::line::{Aside, CloudAt, Fact, InputLine, TraceLine};
use crate::schema;
use crate::sight;
use crate::summary::Summary;
use crate::topic;
use crate::witness::{Recorded, Recorder, Room, ToWriter};

/// What a crash may take: chunks are on disk this long after they began.
const FLUSH: Duration = Duration::from_millis(900);
const CHUNK_BYTES: usize = 1 << 20;
/// Ten seconds of ticks: a disk that stands still for longer costs some.
const WAITING: usize = 1_000;
const PICTURE_NS: i64 = 500_000_000;
const CLOUD_NS: i64 = 1_000_000_000;
const SCENE_NS: i64 = 500_000_000;
const BASE_NS: i64 = 33_000_000;
/// Points as the engine saw them: half an hour of looking through a camera of usual size. A robot that looks for days would
/// fill its disk.
const MOST_WHOLE_BYTES: usize = 512 << 20;
const KEYFRAME_NS: i64 = 10_000_000_000;

#[derive(Debug, Error)]
pub enum RecordError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("the thread that writes recordings cannot be started: {0}")]
    Thread(std::io::Error),
}

/// For those who are not in the thread that ticks.
#[derive(Clone)]
pub struct Aloud(SyncSender<ToWriter>);

impl Aloud {
    /// Left out where there is no room: nobody waits for a disk.
    pub fn tell(&self, aside: Aside) {
        let _ = self.0.try_send(ToWriter::Aside(aside));
    }
}

/// A recording that is being written. It is whole when the recorder is dropped and the thread has ended.
pub struct Started {
    pub recorder: Recorder,
    pub thread: JoinHandle<()>,
}

/// Begins to write a recording. `on_trouble` hears, in the writer's thread, why it ends before the run.
pub fn start(
    path: &Path,
    begin: Begin,
    room: Room,
    on_trouble: impl Fn(&str) + Send + 'static,
) -> Result<Started, RecordError> {
    let io = |error| RecordError::Io { path: path.to_owned(), error };
    let file = model::file::private_file().create(true).truncate(true).open(path).map_err(io)?;
    // Whoever lists recordings sees by it that this one is being written.
    let _ = file.try_lock();
    let mut writing = Writing::new(path, file, begin)?;
    let (to, from) = sync_channel(WAITING);
    let lost = Arc::new(AtomicU64::new(0));
    let recorder = Recorder::new(to, room, Arc::clone(&lost));
    let path = path.to_owned();
    let run = move || {
        if let Err(error) = writing.run(&from, &lost) {
            let path = path.display();
            on_trouble(&format!("the recording {path} ends here: {error}; make room on the disk for the next one"));
        }
    };
    let thread = std::thread::Builder::new().name("recorder".to_owned()).spawn(run).map_err(RecordError::Thread)?;
    Ok(Started { recorder, thread })
}

struct Writing {
    /// None: it was closed.
    writer: Option<Writer<BufWriter<File>>>,
    channels: BTreeMap<String, u16>,
    begin: Begin,
    joints: Vec<String>,
    summary: Summary,
    folded: Folded,
    /// When each was last written.
    last: BTreeMap<String, i64>,
    whole_clouds: BTreeSet<(Arc<str>, i64)>,
    now_ns: i64,
    told_lost: u64,
    whole_bytes: usize,
    told_full: bool,
}

impl Writing {
    fn new(path: &Path, file: File, begin: Begin) -> Result<Writing, RecordError> {
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        let writer = Writer::new(BufWriter::new(file), &format!("coact {}", begin.program)).map_err(io)?;
        let robot = begin.robot().ok().flatten();
        let joints = robot.iter().flat_map(|robot| robot.model.coordinates()).map(|each| each.name.clone()).collect();
        let mut writing = Writing {
            writer: Some(writer),
            channels: BTreeMap::new(),
            joints,
            summary: Summary::default(),
            folded: Folded::default(),
            last: BTreeMap::new(),
            whole_clouds: BTreeSet::new(),
            now_ns: begin.began_ns,
            told_lost: 0,
            whole_bytes: 0,
            told_full: false,
            begin,
        };
        let cameras: Vec<String> =
            robot.iter().flat_map(|robot| &robot.cameras).map(|camera| camera.name.clone()).collect();
        writing.head(&cameras).map_err(io)?;
        Ok(writing)
    }

    /// What whoever finds only the beginning needs.
    fn head(&mut self, cameras: &[String]) -> std::io::Result<()> {
        let begin = &self.begin;
        let metadata = [
            ("form", begin.form.to_string()),
            ("program", begin.program.clone()),
            ("program_digest", begin.digests.program.clone()),
            ("behavior", begin.behavior().to_owned()),
            ("behavior_digest", begin.digests.behavior.clone()),
            ("robot", begin.body.as_ref().map(|body| body.robot.name.clone()).unwrap_or_default()),
            ("robot_digest", begin.digests.robot.clone()),
            ("world", begin.world.as_ref().map(|world| world.name.clone()).unwrap_or_default()),
            ("world_digest", begin.digests.world.clone()),
            ("seed", begin.seed.to_string()),
            ("began_unix_ms", begin.began_unix_ms.to_string()),
        ];
        self.out()?.metadata(topic::METADATA, &metadata)?;
        for topic in topic::ALL {
            self.channel(topic)?;
        }
        for camera in cameras {
            for topic in [topic::picture(camera), topic::cloud(camera), topic::depth(camera)] {
                self.channel(&topic)?;
            }
        }
        let begin = serde_json::to_vec(&self.begin).unwrap_or_default();
        self.write(topic::BEGIN, self.begin.began_ns, &begin)?;
        self.out()?.flush()
    }

    fn run(&mut self, from: &Receiver<ToWriter>, lost: &AtomicU64) -> std::io::Result<()> {
        let mut flushed = Instant::now();
        loop {
            match from.recv_timeout(FLUSH.saturating_sub(flushed.elapsed())) {
                Ok(ToWriter::Tick(recorded)) => self.tick(*recorded)?,
                Ok(ToWriter::Aside(aside)) => self.aside(&aside)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.close(lost),
            }
            if flushed.elapsed() >= FLUSH {
                self.note_lost(lost)?;
                self.out()?.flush()?;
                flushed = Instant::now();
            }
        }
    }

    fn note_lost(&mut self, lost: &AtomicU64) -> std::io::Result<()> {
        let all = lost.load(Ordering::Relaxed);
        let ticks = all - std::mem::replace(&mut self.told_lost, all);
        if ticks > 0 { self.aside(&Aside::Lost { ticks }) } else { Ok(()) }
    }

    fn close(&mut self, lost: &AtomicU64) -> std::io::Result<()> {
        self.note_lost(lost)?;
        let summary = serde_json::to_vec(&self.summary).unwrap_or_default();
        let unix_ns = self.begin.unix_ns(self.now_ns);
        let out = self.out()?;
        out.attach(topic::SUMMARY, "application/json", unix_ns, &summary)?;
        self.writer.take().map_or(Ok(()), |writer| writer.close().map(drop))
    }

    fn out(&mut self) -> std::io::Result<&mut Writer<BufWriter<File>>> {
        self.writer.as_mut().ok_or_else(|| std::io::Error::other("it was closed"))
    }

    fn channel(&mut self, topic: &str) -> std::io::Result<u16> {
        if let Some(channel) = self.channels.get(topic) {
            return Ok(*channel);
        }
        let (schema, encoding) = schema::of(topic);
        let channel = self.out()?.channel(topic, &schema, encoding)?;
        self.channels.insert(topic.to_owned(), channel);
        Ok(channel)
    }

    fn write(&mut self, topic: &str, time_ns: i64, data: &[u8]) -> std::io::Result<()> {
        let channel = self.channel(topic)?;
        let unix_ns = self.begin.unix_ns(time_ns);
        let out = self.out()?;
        out.message(channel, unix_ns, data);
        if out.waiting_bytes() >= CHUNK_BYTES { out.flush() } else { Ok(()) }
    }

    fn json(&mut self, topic: &str, time_ns: i64, value: &impl Serialize) -> std::io::Result<()> {
        let bytes = serde_json::to_vec(value).unwrap_or_default();
        self.write(topic, time_ns, &bytes)
    }

    fn is_due(&mut self, topic: &str, time_ns: i64, every_ns: i64) -> bool {
        let is_due = self.last.get(topic).is_none_or(|last_ns| time_ns - last_ns >= every_ns);
        if is_due {
            self.last.insert(topic.to_owned(), time_ns);
        }
        is_due
    }

    fn aside(&mut self, aside: &Aside) -> std::io::Result<()> {
        self.summary.aside(self.now_ns, aside);
        self.json(topic::ASIDE, self.now_ns, aside)
    }

    fn tick(&mut self, recorded: Recorded) -> std::io::Result<()> {
        let Recorded { tick, input, did, seen, looked, asides, idle, doing } = recorded;
        let time_ns = input.time_ns;
        self.now_ns = time_ns;
        self.summary.doing(time_ns, doing);
        for (camera, cloud) in looked {
            if self.has_room_for_points()? && self.whole_clouds.insert((Arc::clone(&camera), cloud.time_ns)) {
                let (topic, message) = match depth::packed(&cloud) {
                    Some(depths) => (topic::depth(&camera), depths),
                    None => {
                        let points = sight::whole_cloud(&cloud, self.begin.unix_ns(cloud.time_ns));
                        (topic::whole_cloud(&camera), points)
                    }
                };
                self.whole_bytes += message.len();
                self.write(&topic, cloud.time_ns, &message)?;
            }
        }
        while self.whole_clouds.len() > 64 {
            let oldest = self.whole_clouds.iter().min_by_key(|(_, time_ns)| *time_ns).cloned();
            self.whole_clouds.retain(|known| Some(known) != oldest.as_ref());
        }
        self.sights(&input.sights)?;
        if let Some(state) = &input.robot {
            self.robot(time_ns, state)?;
        }
        let line = stripped(tick, input, idle);
        self.summary.input(&line);
        self.json(topic::INPUT, time_ns, &line)?;
        if !did.is_empty() {
            self.logs(time_ns, &did)?;
            let line = TraceLine { tick, time_ns, did };
            self.summary.trace(&line);
            self.json(topic::TRACE, time_ns, &line)?;
        }
        for aside in &asides {
            self.aside(aside)?;
        }
        self.seen(time_ns, seen)
    }

    fn has_room_for_points(&mut self) -> std::io::Result<bool> {
        if self.whole_bytes >= MOST_WHOLE_BYTES && !std::mem::replace(&mut self.told_full, true) {
            let text = "from here on the points that steps look at are not on record, which has no more room for them: it \
                        can be looked at, and run again up to here";
            self.aside(&Aside::Warning { text: text.to_owned() })?;
        }
        Ok(!self.told_full)
    }

    fn seen(&mut self, time_ns: i64, seen: crate::line::SeenLine) -> std::io::Result<()> {
        if !seen.is_empty() {
            let has_things = seen.objects.is_some() || seen.detections.is_some();
            self.json(topic::SEEN, time_ns, &seen)?;
            self.folded.take(seen);
            if has_things && self.is_due(topic::SCENE, time_ns, SCENE_NS) {
                let unix_ns = self.begin.unix_ns(time_ns);
                let update = foxglove::scene_update(unix_ns, &self.folded.line());
                self.write(topic::SCENE, time_ns, &update)?;
            }
        }
        if self.is_due(topic::KEYFRAME, time_ns, KEYFRAME_NS) {
            let line = self.folded.line();
            self.json(topic::KEYFRAME, time_ns, &line)?;
        }
        Ok(())
    }

    fn sights(&mut self, sights: &[Arc<Sight>]) -> std::io::Result<()> {
        for sight in sights {
            let Some(cloud) = &sight.cloud else { continue };
            let unix_ns = self.begin.unix_ns(sight.time_ns);
            let topic = topic::picture(&sight.camera);
            if self.is_due(&topic, sight.time_ns, PICTURE_NS)
                && let Some(picture) = sight::picture(sight, cloud, unix_ns)
            {
                self.write(&topic, sight.time_ns, &picture)?;
            }
            let topic = topic::cloud(&sight.camera);
            if self.is_due(&topic, sight.time_ns, CLOUD_NS) {
                let message = sight::thin_cloud(cloud, unix_ns);
                self.write(&topic, sight.time_ns, &message)?;
            }
        }
        Ok(())
    }

    fn robot(&mut self, time_ns: i64, state: &RobotState) -> std::io::Result<()> {
        let unix_ns = self.begin.unix_ns(time_ns);
        let message = foxglove::joint_states(unix_ns, &self.joints, state);
        self.write(topic::JOINTS, time_ns, &message)?;
        if self.is_due(topic::BASE, time_ns, BASE_NS) {
            let message = foxglove::pose_in_frame(unix_ns, "world", &state.world_from_base);
            self.write(topic::BASE, time_ns, &message)?;
        }
        Ok(())
    }

    fn logs(&mut self, time_ns: i64, did: &[Fact]) -> std::io::Result<()> {
        for fact in did {
            let (level, name, text) = match fact {
                Fact::Log { text, .. } => (foxglove::INFO, "log", text.to_string()),
                Fact::Warning { text, .. } => (foxglove::WARNING, "warning", text.to_string()),
                Fact::Run { step: None, fact } => (foxglove::INFO, "run", fact.to_string()),
                _ => continue,
            };
            let message = foxglove::log(self.begin.unix_ns(time_ns), level, name, &text);
            self.write(topic::LOG, time_ns, &message)?;
        }
        Ok(())
    }
}

/// Without what other messages hold.
fn stripped(tick: u64, mut input: engine::TickInput, idle: u64) -> InputLine {
    let mut clouds = Vec::new();
    for (place, sight) in input.sights.iter_mut().enumerate() {
        let Some(cloud) = &sight.cloud else { continue };
        clouds.push(CloudAt {
            sight: place,
            time_ns: cloud.time_ns,
            world_from_camera: cloud.world_from_camera,
            width: cloud.width(),
            height: cloud.height(),
        });
        *sight = Arc::new(Sight { cloud: None, detections: sight.detections.clone(), ..(**sight).clone() });
    }
    if let Some(state) = &mut input.robot {
        *state = Arc::new(RobotState {
            positions: Vec::new(),
            velocities: Vec::new(),
            efforts: Vec::new(),
            ..(**state).clone()
        });
    }
    InputLine { tick, input, clouds, idle }
}
