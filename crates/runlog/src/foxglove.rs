//! The messages of Foxglove's published schemas that are written, by their field numbers, each with the descriptor that goes
//! into the file, so that any viewer reads it.

use geometry::Pose;
use protocol::talk::{PoseNumbers, SceneAt};
use robot::interface::RobotState;

use crate::line::SeenLine;

/// A message in the making: fields by number.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn key(&mut self, field: u64, wire: u64) {
        self.varint(field << 3 | wire);
    }

    fn number(mut self, field: u64, number: u64) -> Fields {
        self.key(field, 0);
        self.varint(number);
        self
    }

    fn double(mut self, field: u64, number: f64) -> Fields {
        self.key(field, 1);
        self.0.extend(number.to_le_bytes());
        self
    }

    fn fixed(mut self, field: u64, number: u32) -> Fields {
        self.key(field, 5);
        self.0.extend(number.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Fields {
        self.key(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Fields {
        self.bytes(field, text.as_bytes())
    }

    fn part(self, field: u64, part: &Fields) -> Fields {
        self.bytes(field, &part.0)
    }

    /// Nanoseconds since 1970.
    fn time(self, field: u64, unix_ns: u64) -> Fields {
        let (seconds, nanos) = (unix_ns / 1_000_000_000, unix_ns % 1_000_000_000);
        self.part(field, &Fields::default().number(1, seconds).number(2, nanos))
    }
}

fn vector([x, y, z]: [f64; 3]) -> Fields {
    Fields::default().double(1, x).double(2, y).double(3, z)
}

fn pose([x, y, z, i, j, k, w]: [f64; 7]) -> Fields {
    let turn = Fields::default().double(1, i).double(2, j).double(3, k).double(4, w);
    Fields::default().part(1, &vector([x, y, z])).part(2, &turn)
}

/// `foxglove.JointStates`, bit for bit.
pub fn joint_states(unix_ns: u64, names: &[String], state: &RobotState) -> Vec<u8> {
    let RobotState { positions, velocities, efforts, .. } = state;
    let most = positions.len().max(velocities.len()).max(efforts.len());
    let mut message = Fields::default().time(1, unix_ns);
    for index in 0..most {
        let mut joint = Fields::default().text(1, names.get(index).map_or("", String::as_str));
        for (field, numbers) in [(2, positions), (3, velocities), (5, efforts)] {
            if let Some(number) = numbers.get(index) {
                joint = joint.double(field, *number);
            }
        }
        message = message.part(2, &joint);
    }
    message.0
}

pub fn pose_in_frame(unix_ns: u64, frame: &str, at: &Pose) -> Vec<u8> {
    Fields::default().time(1, unix_ns).text(2, frame).part(3, &pose(at.numbers())).0
}

pub fn jpeg(unix_ns: u64, camera: &str, data: &[u8]) -> Vec<u8> {
    Fields::default().time(1, unix_ns).bytes(2, data).text(3, "jpeg").text(4, camera).0
}

const UINT8: u64 = 1;
const FLOAT32: u64 = 7;
/// Of a point: x, y, z as 32-bit numbers, then red, green, blue.
pub const STRIDE: usize = 15;

/// In the world.
pub fn point_cloud(unix_ns: u64, data: &[u8]) -> Vec<u8> {
    let at = pose(Pose::identity().numbers());
    let mut message = Fields::default().time(1, unix_ns).text(2, "world").part(3, &at).fixed(4, STRIDE as u32);
    for (place, name) in ["x", "y", "z", "red", "green", "blue"].into_iter().enumerate() {
        let (offset, kind) = if place < 3 { (4 * place, FLOAT32) } else { (9 + place, UINT8) };
        message = message.part(5, &Fields::default().text(1, name).fixed(2, offset as u32).number(3, kind));
    }
    message.bytes(6, data).0
}

pub const INFO: u64 = 2;
pub const WARNING: u64 = 3;

pub fn log(unix_ns: u64, level: u64, name: &str, text: &str) -> Vec<u8> {
    Fields::default().time(1, unix_ns).number(2, level).text(3, text).text(4, name).0
}

/// Objects and detections as balls with their names, in place of those before.
pub fn scene_update(unix_ns: u64, line: &SeenLine) -> Vec<u8> {
    const ALL: u64 = 1;
    let mut message = Fields::default().part(1, &Fields::default().time(1, unix_ns).number(2, ALL));
    for thing in line.objects.iter().flatten().chain(line.detections.iter().flatten()) {
        let ball = match thing {
            SceneAt::Object(object) => object.pose.map(|at| (object.name.to_string(), at, [0.2, 0.6, 1.0])),
            SceneAt::Detection(seen) => {
                seen.at.as_ref().map(|at| (format!("{} {}", at.class, seen.number), at.pose, [1.0, 0.7, 0.1]))
            }
            SceneAt::Solid(_) | SceneAt::Outline(_) => None,
        };
        if let Some((name, at, colour)) = ball {
            message = message.part(2, &entity(unix_ns, &name, at, colour));
        }
    }
    message.0
}

fn entity(unix_ns: u64, name: &str, at: PoseNumbers, [r, g, b]: [f64; 3]) -> Fields {
    let at = pose(at.map(f64::from));
    let colour = Fields::default().double(1, r).double(2, g).double(3, b).double(4, 1.0);
    let ball = Fields::default().part(1, &at).part(2, &vector([0.05; 3])).part(3, &colour);
    let text = Fields::default().part(1, &at).number(2, 1).double(3, 0.05).part(5, &colour).text(6, name);
    Fields::default().time(1, unix_ns).text(2, "world").text(3, name).part(9, &ball).part(13, &text)
}

/// One field of a message: its number, and its bytes where it has a length or is a number of 64 or 32 bits.
fn fields(bytes: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let key = varint(&mut rest)?;
        let count = match key & 7 {
            0 => {
                varint(&mut rest)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut rest)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (taken, behind) = rest.split_at_checked(count)?;
        found.push((key >> 3, taken));
        rest = behind;
    }
    Some(found)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..10 {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << (7 * place);
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Positions, velocities and efforts of [`joint_states`].
pub fn read_joint_states(bytes: &[u8]) -> Option<[Vec<f64>; 3]> {
    let mut numbers = [Vec::new(), Vec::new(), Vec::new()];
    for (_, joint) in fields(bytes)?.into_iter().filter(|(field, _)| *field == 2) {
        for (field, part) in fields(joint)? {
            let place = match field {
                2 => 0,
                3 => 1,
                5 => 2,
                _ => continue,
            };
            numbers[place].push(f64::from_le_bytes(part.try_into().ok()?));
        }
    }
    Some(numbers)
}

/// The bytes of one field, as of a picture (2) or of points (6).
pub fn read_bytes(bytes: &[u8], field: u64) -> Option<Vec<u8>> {
    let found = fields(bytes)?.into_iter().find(|(number, _)| *number == field);
    Some(found.map(|(_, data)| data.to_vec()).unwrap_or_default())
}

/// By the name of the schema: what describes it, with all that it is made of.
pub fn descriptor(schema: &str) -> &'static [u8] {
    match schema {
        "foxglove.JointStates" => include_bytes!("../schemas/JointStates.bin"),
        "foxglove.PoseInFrame" => include_bytes!("../schemas/PoseInFrame.bin"),
        "foxglove.SceneUpdate" => include_bytes!("../schemas/SceneUpdate.bin"),
        "foxglove.CompressedImage" => include_bytes!("../schemas/CompressedImage.bin"),
        "foxglove.PointCloud" => include_bytes!("../schemas/PointCloud.bin"),
        "foxglove.Log" => include_bytes!("../schemas/Log.bin"),
        _ => &[],
    }
}
