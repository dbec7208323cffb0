//! Pictures and points of what cameras saw, small.

use std::collections::BTreeSet;

use jpeg_encoder::{ColorType, Encoder};
use scene::{Cloud, Sight};

use crate::depth;
use crate::foxglove::{self, STRIDE};
use crate::line::CloudAt;

const MOST_PICTURE_BYTES: usize = 15_000;
/// Tried one after the other until a picture is small enough; the last is taken as it is.
const QUALITIES: [u8; 5] = [80, 60, 40, 20, 8];
/// Points nearer to each other than this are one.
const VOXEL_M: f32 = 0.005;
/// So many take up to 20 kB when they are packed.
const MOST_POINTS: usize = 2_200;

/// None: it has no pixels, or more than a JPEG can have.
pub fn picture(sight: &Sight, cloud: &Cloud, unix_ns: u64) -> Option<Vec<u8>> {
    let (width, height) = (u16::try_from(cloud.width()).ok()?, u16::try_from(cloud.height()).ok()?);
    let pixels: Vec<u8> = (0..cloud.len()).flat_map(|index| cloud.colour(index)).collect();
    let jpeg = |quality: u8| {
        let mut bytes = Vec::new();
        Encoder::new(&mut bytes, quality).encode(&pixels, width, height, ColorType::Rgb).ok().map(|()| bytes)
    };
    let mut data = Vec::new();
    for quality in QUALITIES {
        data = jpeg(quality)?;
        if data.len() <= MOST_PICTURE_BYTES {
            break;
        }
    }
    Some(foxglove::jpeg(unix_ns, &sight.camera, &data))
}

/// To be looked at: thinned to a grid, in the world.
pub fn thin_cloud(cloud: &Cloud, unix_ns: u64) -> Vec<u8> {
    let mut taken = BTreeSet::new();
    let on_grid = |point: [f32; 3]| point.map(|number| (number / VOXEL_M).round() as i32);
    for (index, point, _) in cloud.points() {
        taken.insert((on_grid(point), index));
    }
    let mut last = None;
    let mut kept: Vec<([i32; 3], usize)> =
        taken.into_iter().filter(|(cell, _)| last.replace(*cell) != Some(*cell)).collect();
    let every = kept.len().div_ceil(MOST_POINTS).max(1);
    kept = kept.into_iter().step_by(every).collect();
    let mut data = Vec::with_capacity(kept.len() * STRIDE);
    for (cell, index) in kept {
        cell.iter().for_each(|number| data.extend((*number as f32 * VOXEL_M).to_le_bytes()));
        data.extend(cloud.colour(index));
    }
    foxglove::point_cloud(unix_ns, &data)
}

/// As the engine saw it, bit for bit: every pixel in its order, not a number where there is no depth.
pub fn whole_cloud(cloud: &Cloud, unix_ns: u64) -> Vec<u8> {
    let mut data = Vec::with_capacity(cloud.len() * STRIDE);
    for index in 0..cloud.len() {
        cloud.point(index).unwrap_or([f32::NAN; 3]).iter().for_each(|number| data.extend(number.to_le_bytes()));
        data.extend(cloud.colour(index));
    }
    foxglove::point_cloud(unix_ns, &data)
}

/// What somebody looked at, as it is on record.
#[derive(Debug)]
pub enum Whole {
    /// Of [`depth::packed`].
    Depths(Vec<u8>),
    /// Those of [`whole_cloud`].
    Points(Vec<u8>),
}

/// The cloud that the engine saw; without points where nobody looked at them.
pub fn cloud(at: &CloudAt, whole: Option<&Whole>) -> Result<Cloud, String> {
    match whole {
        None => Ok(Cloud::new(at.time_ns, at.world_from_camera, at.width, at.height)),
        Some(Whole::Points(points)) => cloud_of_points(at, points),
        Some(Whole::Depths(bytes)) => {
            let cloud = depth::unpacked(at.time_ns, bytes).ok_or("the depths of a cloud are damaged")?;
            let is_it = (cloud.width(), cloud.height()) == (at.width, at.height)
                && geometry::exact::numbers(&cloud.world_from_camera)
                    == geometry::exact::numbers(&at.world_from_camera);
            if is_it { Ok(cloud) } else { Err("the depths of a cloud are those of another".to_owned()) }
        }
    }
}

fn cloud_of_points(at: &CloudAt, points: &[u8]) -> Result<Cloud, String> {
    let mut cloud = Cloud::new(at.time_ns, at.world_from_camera, at.width, at.height);
    if points.len() != cloud.len() * STRIDE {
        return Err(format!("a cloud of {} points has {} bytes", cloud.len(), points.len()));
    }
    for (index, bytes) in points.chunks_exact(STRIDE).enumerate() {
        let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let point = [number(0), number(4), number(8)];
        cloud.set(index, (!point[0].is_nan()).then_some(point), [bytes[12], bytes[13], bytes[14]]);
    }
    Ok(cloud)
}

/// x, y, z in metres and red, green, blue of each point of a message of ours.
pub fn points(data: &[u8]) -> impl Iterator<Item = ([f32; 3], [u8; 3])> + '_ {
    data.chunks_exact(STRIDE).map(|bytes| {
        let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        ([number(0), number(4), number(8)], [bytes[12], bytes[13], bytes[14]])
    })
}
