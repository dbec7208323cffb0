//! A run computed anew from its inputs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use engine::{Engine, Instance, Registry, TickInput};
use serde_json::Value as Json;

use crate::foxglove;
use crate::line::{Fact, InputLine, TraceLine, facts};
use crate::read::{File, ReadError};
use crate::sight::Whole;
use crate::topic;

/// What a tick was given, and what it did.
pub struct Inputs {
    pub tick: u64,
    pub input: TickInput,
    pub idle: u64,
    /// Empty: nothing.
    pub trace: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct Replayed {
    pub ticks: u64,
    pub end_ns: i64,
    /// None: it is the same, bit for bit.
    pub difference: Option<Difference>,
}

/// Where two runs part first.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub tick: u64,
    pub time_ns: i64,
    pub step: Option<Instance>,
    pub path: String,
    /// What differs: the word of a fact, or its part.
    pub what: String,
    pub was: Json,
    pub is: Json,
}

/// Whoever looks at a cloud does it this soon after it came.
const AHEAD_NS: i64 = 2_000_000_000;

/// The points that somebody looked at, by camera and time, around where the reader is: they were written when they were
/// looked at, which is later than the tick that was given them.
struct Looked<'f> {
    file: &'f File,
    read_until_ns: i64,
    points: BTreeMap<(i64, String), Arc<Whole>>,
}

impl Looked<'_> {
    fn around(&mut self, time_ns: i64) -> Result<(), ReadError> {
        let (file, from_ns, to_ns) = (self.file, self.read_until_ns, time_ns.saturating_add(AHEAD_NS));
        self.points.retain(|(at_ns, _), _| *at_ns > time_ns.saturating_sub(AHEAD_NS));
        if to_ns < from_ns {
            return Ok(());
        }
        self.read_until_ns = to_ns.saturating_add(AHEAD_NS);
        let is_whole = |topic: &str| topic.starts_with(topic::WHOLE_CLOUDS) || topic.starts_with(topic::DEPTHS);
        file.visit((from_ns, self.read_until_ns), &is_whole, &mut |topic, at_ns, bytes| {
            let (camera, whole) = match topic.strip_prefix(topic::DEPTHS) {
                Some(camera) => (camera, Whole::Depths(bytes.to_vec())),
                None => {
                    let points = foxglove::read_bytes(bytes, 6).ok_or_else(|| file.content("points are damaged"))?;
                    (&topic[topic::WHOLE_CLOUDS.len()..], Whole::Points(points))
                }
            };
            self.points.insert((at_ns, camera.to_owned()), Arc::new(whole));
            Ok(true)
        })
    }
}

/// Every tick in its order; `take` says whether it wants another.
pub fn each_tick(file: &File, take: &mut dyn FnMut(Inputs) -> Result<bool, ReadError>) -> Result<(), ReadError> {
    let mut looked = Looked { file, read_until_ns: i64::MIN / 4, points: BTreeMap::new() };
    let mut joints: VecDeque<(i64, Vec<u8>)> = VecDeque::new();
    let mut waiting: Option<Inputs> = None;
    let mut wanted = true;
    let told = |topic: &str| [topic::INPUT, topic::TRACE, topic::JOINTS].contains(&topic);
    file.visit((i64::MIN / 4, i64::MAX / 4), &told, &mut |topic, time_ns, bytes| {
        match topic {
            topic::JOINTS => joints.push_back((time_ns, bytes.to_vec())),
            topic::TRACE => waiting.iter_mut().for_each(|inputs| inputs.trace = bytes.to_vec()),
            _ => {
                if let Some(inputs) = waiting.take() {
                    wanted = take(inputs)?;
                    if !wanted {
                        return Ok(false);
                    }
                }
                let line: InputLine = file.parsed(bytes)?;
                let beside = joints.drain(..).next_back().filter(|(at_ns, _)| *at_ns == time_ns);
                let (tick, idle) = (line.tick, line.idle);
                if let Some(oldest) = line.clouds.iter().map(|cloud| cloud.time_ns).min() {
                    looked.around(oldest)?;
                }
                let points = |camera: &str, time_ns: i64| looked.points.get(&(time_ns, camera.to_owned())).cloned();
                let input = file.whole_input(line, beside.as_ref().map(|(_, bytes)| bytes.as_slice()), &points)?;
                waiting = Some(Inputs { tick, input, idle, trace: Vec::new() });
            }
        }
        Ok(true)
    })?;
    if let Some(inputs) = waiting.filter(|_| wanted) {
        take(inputs)?;
    }
    Ok(())
}

/// Computes the run anew and compares every tick with what it did.
pub fn replay(file: &File, registry: &Arc<Registry>) -> Result<Replayed, ReadError> {
    let options = file.begin().options().map_err(|what| file.content(&what))?;
    let mut engine = Engine::new(file.begin().library(), Arc::clone(registry), &options);
    let mut replayed = Replayed { ticks: 0, end_ns: file.begin().began_ns, difference: None };
    each_tick(file, &mut |inputs| {
        replayed.difference = step(&mut engine, &inputs).err();
        (replayed.ticks, replayed.end_ns) = (engine.tick_count(), inputs.input.time_ns);
        Ok(replayed.difference.is_none())
    })?;
    Ok(replayed)
}

/// One tick, with the idle ones before it. The error: it did something else than in the record.
#[expect(clippy::result_large_err, reason = "made once, where a run differs")]
pub fn step(engine: &mut Engine, inputs: &Inputs) -> Result<(), Difference> {
    none_missing(engine, inputs)?;
    for time_ns in idle_times_ns(engine, inputs) {
        engine.tick(&TickInput { time_ns, ..TickInput::default() });
        engine.clear_recording();
    }
    compared(engine, inputs)
}

/// The error: ticks are not on record.
#[expect(clippy::result_large_err, reason = "made once, where a run differs")]
pub(crate) fn none_missing(engine: &Engine, inputs: &Inputs) -> Result<(), Difference> {
    let missing = inputs.tick.saturating_sub(engine.tick_count() + 1);
    if missing == inputs.idle {
        return Ok(());
    }
    let lost = missing.saturating_sub(inputs.idle);
    Err(Difference {
        tick: engine.tick_count() + 1,
        time_ns: inputs.input.time_ns,
        step: None,
        path: String::new(),
        what: "inputs".to_owned(),
        was: Json::from(format!("{lost} ticks are not in the record")),
        is: Json::Null,
    })
}

/// Of the ticks before this one in which nothing ran and nothing came.
pub(crate) fn idle_times_ns(engine: &Engine, inputs: &Inputs) -> impl Iterator<Item = i64> + use<> {
    let (since_ns, idle) = (engine.time_ns(), i128::from(inputs.idle));
    let passed_ns = i128::from(inputs.input.time_ns - since_ns);
    (1..=idle).map(move |nth| since_ns + (passed_ns * nth / (idle + 1)) as i64)
}

/// The tick itself.
#[expect(clippy::result_large_err, reason = "made once, where a run differs")]
pub(crate) fn compared(engine: &mut Engine, inputs: &Inputs) -> Result<(), Difference> {
    let since = engine.recording().events.len();
    engine.tick(&inputs.input);
    let did = facts(engine, since);
    let (tick, time_ns) = (engine.tick_count(), inputs.input.time_ns);
    let now = if did.is_empty() {
        Vec::new()
    } else {
        serde_json::to_vec(&TraceLine { tick, time_ns, did: did.clone() }).unwrap_or_default()
    };
    let result = if now == inputs.trace { Ok(()) } else { Err(difference(tick, time_ns, &inputs.trace, &did)) };
    engine.clear_recording();
    result
}

fn difference(tick: u64, time_ns: i64, trace: &[u8], did: &[Fact]) -> Difference {
    let was: Vec<Fact> = serde_json::from_slice::<TraceLine>(trace).map(|line| line.did).unwrap_or_default();
    first_difference((tick, time_ns), &was, did)
}

/// Of what two ticks did.
pub fn first_difference((tick, time_ns): (u64, i64), was: &[Fact], is: &[Fact]) -> Difference {
    let json = |fact: Option<&Fact>| fact.and_then(|fact| serde_json::to_value(fact).ok()).unwrap_or(Json::Null);
    let most = was.len().max(is.len());
    let (was, is) = (0..most)
        .map(|place| (json(was.get(place)), json(is.get(place))))
        .find(|(was, is)| {
            let (was, is) = (was.to_string(), is.to_string());
            was != is
        })
        .unwrap_or_default();
    let either = if is.is_null() { &was } else { &is };
    let text = |key: &str| either.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let step = either.get("step").or_else(|| either.get("by"));
    let step = step.and_then(|step| serde_json::from_value(step.clone()).ok());
    let mut what = text("is");
    if let Some(name) = either.get("name").and_then(Json::as_str) {
        what = format!("{what} {name}");
    }
    // Both did the same kind of thing: the part that differs says more.
    if let (Some(was), Some(is)) = (was.as_object(), is.as_object())
        && was.get("is") == is.get("is")
        && let Some(part) =
            was.keys().find(|key| was.get(*key).map(Json::to_string) != is.get(*key).map(Json::to_string))
    {
        let of = |map: &serde_json::Map<String, Json>| map.get(part).cloned().unwrap_or(Json::Null);
        let what = format!("{what}: {part}");
        return Difference { tick, time_ns, step, path: text("path"), what, was: of(was), is: of(is) };
    }
    Difference { tick, time_ns, step, path: text("path"), what, was, is }
}
