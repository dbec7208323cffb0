//! A rosbag2, or any MCAP file, with joint states and pictures of ROS 2.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use robot::interface::RobotState;
use robot::{BodyPoses, Robot};
use scene::{Cloud, Depths, Pinhole, Sight};

use super::cdr::{CameraInfo, Image, JointState};
use super::{Give, Item, Pass, What, standing};
use crate::container::{self, HEAD, Index};
use crate::read::ReadError;

const JOINTS: &str = "sensor_msgs/msg/JointState";
const IMAGE: &str = "sensor_msgs/msg/Image";
const INFO: &str = "sensor_msgs/msg/CameraInfo";
/// Between the last message and the first of the next pass.
const PAUSE_NS: u64 = 20_000_000;

pub fn pass(path: &Path, robot: Arc<Robot>) -> Result<Pass, ReadError> {
    let name = path.display().to_string();
    let (file, index) = opened(path)?;
    drop(file);
    let has = |schema: &str| channels(&index, schema).next().is_some();
    if !has(JOINTS) && !has(IMAGE) {
        let what = format!("it has neither {JOINTS} nor {IMAGE}: there is nothing to play back");
        return Err(ReadError::Content { file: name, what });
    }
    let path = path.to_owned();
    Ok(Box::new(move |give| {
        let (file, index) = opened(&path)?;
        Bag { name: path.display().to_string(), file, index }.play(&robot, give)
    }))
}

fn opened(path: &Path) -> Result<(std::fs::File, Index), ReadError> {
    let io = |error| ReadError::Io { file: path.display().to_string(), error };
    let mut file = std::fs::File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut index = container::index(&mut file, length).map_err(io)?;
    index.chunks.sort_by_key(|chunk| (chunk.start_ns, chunk.offset));
    Ok((file, index))
}

/// Their numbers and topics.
fn channels<'i>(index: &'i Index, schema: &str) -> impl Iterator<Item = (u16, &'i str)> {
    let known = index.schemas.iter().filter(move |(_, known)| known.name == schema && known.encoding == "ros2msg");
    let ids: Vec<u16> = known.map(|(id, _)| *id).collect();
    let of = move |id: u16| ids.contains(&id);
    let channels = index.channels.iter().filter(move |(_, channel)| channel.encoding == "cdr" && of(channel.schema));
    channels.map(|(id, channel)| (*id, channel.topic.as_str()))
}

struct Bag {
    name: String,
    file: std::fs::File,
    index: Index,
}

impl Bag {
    fn play(&mut self, robot: &Arc<Robot>, give: &mut Give<'_>) -> Result<i64, ReadError> {
        let kinds: BTreeMap<u16, (&'static str, String)> = [JOINTS, IMAGE, INFO]
            .into_iter()
            .flat_map(|kind| channels(&self.index, kind).map(move |(id, topic)| (id, (kind, topic.to_owned()))))
            .collect();
        let mut eyes = Eyes::new(robot);
        let (mut began, mut end) = (None, 0);
        for chunk in self.index.chunks.clone() {
            let damaged = |what: String| ReadError::Damaged { file: self.name.clone(), at: chunk.offset, what };
            let mut bytes = vec![0; chunk.length as usize];
            let read = self.file.seek(SeekFrom::Start(chunk.offset)).and_then(|_| self.file.read_exact(&mut bytes));
            read.map_err(|error| ReadError::Io { file: self.name.clone(), error })?;
            let opened = container::open_chunk(&bytes[HEAD as usize..]).map_err(damaged)?;
            let mut messages: Vec<_> = opened.messages.iter().collect();
            messages.sort_by_key(|message| message.unix_ns);
            for message in messages {
                let Some((kind, topic)) = kinds.get(&message.channel) else { continue };
                let at_ns = message.unix_ns.saturating_sub(*began.get_or_insert(message.unix_ns)) as i64;
                end = end.max(message.unix_ns);
                let told = eyes.take(kind, topic, opened.bytes(message), at_ns);
                let short = || damaged(format!("a message of {topic} is no {kind}"));
                if let Some(what) = told.ok_or_else(short)?
                    && !give(Item { at_ns, what })
                {
                    return Ok(0);
                }
            }
        }
        Ok((end - began.unwrap_or(end) + PAUSE_NS) as i64)
    }
}

/// What is known by now.
struct Eyes<'r> {
    robot: &'r Arc<Robot>,
    poses: BodyPoses,
    state: RobotState,
    infos: BTreeMap<usize, CameraInfo>,
    /// The newest picture in colours of a camera: width, height and its pixels.
    colours: BTreeMap<usize, (u32, u32, Vec<[u8; 3]>)>,
}

impl<'r> Eyes<'r> {
    fn new(robot: &'r Arc<Robot>) -> Eyes<'r> {
        let positions = robot.configuration("home").unwrap_or_else(|| robot.model.neutral());
        Eyes {
            robot,
            poses: BodyPoses::new(Arc::clone(robot)),
            state: standing(robot, positions, 0),
            infos: BTreeMap::new(),
            colours: BTreeMap::new(),
        }
    }

    /// What a message tells; None: it is damaged.
    fn take(&mut self, kind: &str, topic: &str, message: &[u8], at_ns: i64) -> Option<Option<What>> {
        match kind {
            JOINTS => {
                self.joints(&JointState::read(message)?, at_ns);
                return Some(Some(What::State(Box::new(self.state.clone()))));
            }
            INFO => {
                let info = CameraInfo::read(message)?;
                if let Some(camera) = self.camera(topic) {
                    self.infos.insert(camera, info);
                }
            }
            _ => {
                let image = Image::read(message)?;
                let Some(camera) = self.camera(topic) else { return Some(None) };
                if image.is_depth() {
                    return Some(self.look(camera, &image, at_ns).map(What::Sight));
                }
                let pixels = (0..image.height).flat_map(|row| (0..image.width).map(move |column| (column, row)));
                // Of an encoding that is not known there are no colours.
                if let Some(pixels) = pixels.map(|(column, row)| image.colour(column, row)).collect() {
                    self.colours.insert(camera, (image.width, image.height, pixels));
                }
            }
        }
        Some(None)
    }

    fn joints(&mut self, told: &JointState<'_>, at_ns: i64) {
        let RobotState { positions, velocities, efforts, .. } = &mut self.state;
        for (place, name) in told.names.iter().enumerate() {
            let Some(coordinate) = self.robot.model.coordinate(name) else { continue };
            for (to, from) in [
                (&mut *positions, &told.positions),
                (&mut *velocities, &told.velocities),
                (&mut *efforts, &told.efforts),
            ] {
                if let Some(number) = from.get(place).filter(|number| number.is_finite()) {
                    to[coordinate] = *number;
                }
            }
        }
        self.state.world_from_base = self.poses.stand(&self.state.positions);
        self.state.time_ns = at_ns;
    }

    /// The camera of the robot that the topic names, else its first.
    fn camera(&self, topic: &str) -> Option<usize> {
        let named = self.robot.cameras.iter().position(|camera| topic.split('/').any(|part| part == camera.name));
        named.or((!self.robot.cameras.is_empty()).then_some(0))
    }

    fn look(&mut self, number: usize, depth: &Image<'_>, time_ns: i64) -> Option<Sight> {
        let camera = self.robot.cameras.get(number)?;
        self.poses.place(&self.state.positions, &self.state.world_from_base);
        let world_from_camera = self.poses.world_from_link(camera.link) * camera.link_from_camera;
        let (width, height) = (depth.width, depth.height);
        let info = self.infos.get(&number).filter(|info| (info.width, info.height) == (width, height));
        let pinhole = match info {
            // Its pixels have their middles at whole numbers, ours at halves.
            Some(info) => Pinhole { focal_px: info.focal_px, middle_px: info.middle_px.map(|px| px + 0.5) },
            None => {
                let half = f64::from(width) / 2.0;
                let focal_px = half / (camera.horizontal_view_rad / 2.0).tan();
                Pinhole { focal_px: [focal_px; 2], middle_px: [half, f64::from(height) / 2.0] }
            }
        };
        if !pinhole.is_sound() {
            return None;
        }
        let pixels = || (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let along_mm = |(column, row)| depth.depth_m(column, row).map_or(0, Depths::delivered_mm);
        let colours = self.colours.get(&number);
        let colour = |(column, row): (u32, u32)| {
            let of = |(across, down, pixels): &(u32, u32, Vec<[u8; 3]>)| {
                let nearest =
                    |at: u32, of: u32, all: u32| (u64::from(at) * u64::from(all) / u64::from(of.max(1))) as usize;
                pixels.get(nearest(row, height, *down) * *across as usize + nearest(column, width, *across)).copied()
            };
            colours.and_then(of).unwrap_or_default()
        };
        let depths = Depths { pinhole, along_mm: pixels().map(along_mm).collect() };
        let colours: Vec<[u8; 3]> = pixels().map(colour).collect();
        let cloud = Cloud::of_depths(time_ns, world_from_camera, (width, height), depths, &colours)?;
        let camera = camera.name.as_str().into();
        Some(Sight { camera, time_ns, cloud: Some(Arc::new(cloud)), detections: Vec::new() })
    }
}
