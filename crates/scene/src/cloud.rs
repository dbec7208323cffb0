use geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::block::{BLOCK, Block};
use crate::depth::Depths;

/// What a colour-and-depth camera saw at one time, row by row from the top left. Where there is no depth there is no
/// point.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Cloud {
    pub time_ns: i64,
    /// The camera looks along its x, z is up in the picture.
    pub world_from_camera: Pose,
    width: u32,
    height: u32,
    /// One list an axis, so that counting points takes several at once. Not a number where there is no depth.
    axes_m: [Vec<f32>; 3],
    /// One list each for red, green and blue, for the same reason.
    channels: [Vec<u8>; 3],
    blocks: Vec<Block>,
    /// What its points were made of, where a depth camera delivered it.
    depths: Option<Depths>,
}

/// As in a record.
#[derive(Serialize, Deserialize)]
struct Written {
    time_ns: i64,
    #[serde(with = "geometry::exact")]
    world_from_camera: Pose,
    width: u32,
    height: u32,
    /// In the world, metres.
    points: Vec<Option<[f32; 3]>>,
    /// Red, green, blue; as many as points.
    colours: Vec<[u8; 3]>,
}

impl Cloud {
    /// A black picture without depth, to be filled by [`Cloud::set`].
    pub fn new(time_ns: i64, world_from_camera: Pose, width: u32, height: u32) -> Cloud {
        let length = width as usize * height as usize;
        let axes_m = [vec![f32::NAN; length], vec![f32::NAN; length], vec![f32::NAN; length]];
        Cloud {
            time_ns,
            world_from_camera,
            width,
            height,
            axes_m,
            channels: [vec![0; length], vec![0; length], vec![0; length]],
            blocks: vec![Block::EMPTY; length.div_ceil(BLOCK)],
            depths: None,
        }
    }

    /// Of what a depth camera delivered: as many depths and colours as pixels. None: there are fewer or more.
    pub fn of_depths(
        time_ns: i64,
        world_from_camera: Pose,
        (width, height): (u32, u32),
        depths: Depths,
        colours: &[[u8; 3]],
    ) -> Option<Cloud> {
        let mut cloud = Cloud::new(time_ns, world_from_camera, width, height);
        if [depths.along_mm.len(), colours.len()] != [cloud.len(); 2] {
            return None;
        }
        for (index, (point, colour)) in depths.points(&world_from_camera, width).zip(colours).enumerate() {
            cloud.set(index, point, *colour);
        }
        cloud.depths = Some(depths);
        Some(cloud)
    }

    /// What its points were made of. None: nobody knows, or somebody has changed them.
    pub fn depths(&self) -> Option<&Depths> {
        self.depths.as_ref()
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// Pixels, with depth or without.
    pub fn len(&self) -> usize {
        self.channels[0].len()
    }

    pub fn is_empty(&self) -> bool {
        self.channels[0].is_empty()
    }

    /// The place of a pixel in the row-by-row order.
    pub fn index(&self, column: u32, row: u32) -> usize {
        row as usize * self.width as usize + column as usize
    }

    /// In the world, metres. What is not finite counts as no depth.
    pub fn set(&mut self, index: usize, world_m: Option<[f32; 3]>, colour: [u8; 3]) {
        self.depths = None;
        let world_m = world_m.filter(|point| point.iter().all(|number| number.is_finite()));
        let block = &mut self.blocks[index / BLOCK];
        block.with_depth -= usize::from(!self.axes_m[0][index].is_nan());
        if let Some(point) = world_m {
            block.add(point);
        }
        for (axis_m, number) in self.axes_m.iter_mut().zip(world_m.unwrap_or([f32::NAN; 3])) {
            axis_m[index] = number;
        }
        for (channel, byte) in self.channels.iter_mut().zip(colour) {
            channel[index] = byte;
        }
    }

    pub fn point(&self, index: usize) -> Option<[f32; 3]> {
        let point = [self.axes_m[0][index], self.axes_m[1][index], self.axes_m[2][index]];
        (!point[0].is_nan()).then_some(point)
    }

    /// Red, green, blue.
    pub fn colour(&self, index: usize) -> [u8; 3] {
        [self.channels[0][index], self.channels[1][index], self.channels[2][index]]
    }

    /// Those with depth: the index, the point in the world and the colour.
    pub fn points(&self) -> impl Iterator<Item = (usize, [f32; 3], [u8; 3])> {
        (0..self.len()).filter_map(|index| Some((index, self.point(index)?, self.colour(index))))
    }

    pub(crate) fn axes_m(&self) -> [&[f32]; 3] {
        [&self.axes_m[0], &self.axes_m[1], &self.axes_m[2]]
    }

    pub(crate) fn channels(&self) -> [&[u8]; 3] {
        [&self.channels[0], &self.channels[1], &self.channels[2]]
    }

    /// One for every [`BLOCK`] pixels, the last for what is left.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl PartialEq for Cloud {
    /// No depth equals no depth, though what is not a number equals nothing.
    fn eq(&self, other: &Cloud) -> bool {
        let head = |cloud: &Cloud| (cloud.time_ns, cloud.world_from_camera, cloud.width, cloud.height);
        head(self) == head(other)
            && self.channels == other.channels
            && (0..self.len()).all(|index| self.point(index) == other.point(index))
    }
}

impl From<Cloud> for Written {
    fn from(cloud: Cloud) -> Written {
        let points = (0..cloud.len()).map(|index| cloud.point(index)).collect();
        let colours = (0..cloud.len()).map(|index| cloud.colour(index)).collect();
        let Cloud { time_ns, world_from_camera, width, height, axes_m: _, channels: _, blocks: _, depths: _ } = cloud;
        Written { time_ns, world_from_camera, width, height, points, colours }
    }
}

impl TryFrom<Written> for Cloud {
    type Error = String;

    fn try_from(written: Written) -> Result<Cloud, String> {
        let Written { time_ns, world_from_camera, width, height, points, colours } = written;
        let length = u64::from(width) * u64::from(height);
        if points.len() as u64 != length || colours.len() as u64 != length {
            return Err(format!(
                "a cloud of {width} by {height} pixels needs {length} points and colours, not {} and {}",
                points.len(),
                colours.len()
            ));
        }
        let mut cloud = Cloud::new(time_ns, world_from_camera, width, height);
        for (index, (point, colour)) in points.into_iter().zip(colours).enumerate() {
            cloud.set(index, point, colour);
        }
        Ok(cloud)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use geometry::Vector3;

    use super::*;
    use crate::depth::Pinhole;

    fn cloud() -> Cloud {
        let mut cloud = Cloud::new(7, Pose::from_translation(0.1, 0.2, 1.5), 2, 2);
        cloud.set(0, Some([1.1, -2.3, 0.7]), [1, 2, 3]);
        cloud.set(2, Some([f32::NAN, 1.0, 1.0]), [4, 5, 6]);
        cloud.set(cloud.index(1, 1), Some([1e-7, 12345.678, -0.0]), [7, 8, 9]);
        cloud
    }

    #[test]
    fn a_record_of_a_cloud_gives_the_same_cloud() {
        let text = serde_json::to_string(&cloud()).unwrap();
        let again: Cloud = serde_json::from_str(&text).unwrap();
        assert_eq!(again, cloud());
        assert_eq!(serde_json::to_string(&again).unwrap(), text);
        for index in 0..4 {
            let bits = |cloud: &Cloud| cloud.point(index).map(|point| point.map(f32::to_bits));
            assert_eq!(bits(&again), bits(&cloud()));
            assert_eq!(again.colour(index), cloud().colour(index));
        }
    }

    #[test]
    fn depths_are_points_where_the_pixels_look() {
        let depths = || Depths {
            pinhole: Pinhole { focal_px: [2.0, 2.0], middle_px: [1.0, 1.0] },
            along_mm: vec![1000, 0, 2000, Depths::delivered_mm(70.0)],
        };
        let turned = Pose::from_axis_angle(Vector3::new(0.0, 0.0, 1.0), Vector3::new(0.0, 0.0, FRAC_PI_2));
        let cloud = Cloud::of_depths(3, turned, (2, 2), depths(), &[[9, 8, 7]; 4]).expect("four pixels");
        let near = |index: usize, wanted: [f32; 3]| {
            let point = cloud.point(index).expect("depth");
            assert!(point.iter().zip(wanted).all(|(is, wanted)| (is - wanted).abs() < 1e-6), "{point:?}");
        };
        // The first pixel looks left and up by a quarter: seen by a camera that is turned to the left.
        near(0, [-0.25, 1.0, 1.25]);
        near(2, [-0.5, 2.0, 0.5]);
        assert_eq!((cloud.point(1), cloud.point(3), cloud.colour(3)), (None, None, [9, 8, 7]));
        assert_eq!(cloud.depths(), Some(&depths()));
        let mut changed = cloud.clone();
        changed.set(1, None, [0; 3]);
        assert_eq!(changed.depths(), None);
        assert!(Cloud::of_depths(3, turned, (2, 3), depths(), &[[0; 3]; 4]).is_none());
    }

    #[test]
    fn what_is_not_finite_has_no_depth() {
        assert_eq!(cloud().point(2), None);
        assert_eq!(cloud().points().map(|(index, ..)| index).collect::<Vec<_>>(), [0, 3]);
    }

    #[test]
    fn too_few_points_are_told() {
        let text = r#"{"time_ns":0,"world_from_camera":[0,0,0,1,0,0,0],"width":2,"height":1,"points":[null],"colours":[[0,0,0]]}"#;
        let error = serde_json::from_str::<Cloud>(text).unwrap_err().to_string();
        assert!(error.contains("2 by 1 pixels needs 2 points"), "{error}");
    }
}
