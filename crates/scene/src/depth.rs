//! What a depth camera delivers: whole millimetres along its axis, pixel by pixel. The points of a cloud follow from it, on
//! any machine to the last bit, so that a record of it is small and misses nothing.

use geometry::{Pose, Vector3};

/// Where the pixels of a camera look: through one hole, along x; y is left, z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinhole {
    pub focal_px: [f64; 2],
    /// Where its x goes through the picture, from the left and from the top.
    pub middle_px: [f64; 2],
}

/// Pixels row by row from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct Depths {
    pub pinhole: Pinhole,
    /// 0 where there is none.
    pub along_mm: Vec<u16>,
}

impl Pinhole {
    /// From the camera to 1 m along its x, through the middle of a pixel.
    fn through(&self, column: u32, row: u32) -> Vector3<f64> {
        let at = |place: u32, axis: usize| (self.middle_px[axis] - (f64::from(place) + 0.5)) / self.focal_px[axis];
        Vector3::new(1.0, at(column, 0), at(row, 1))
    }

    pub fn is_sound(&self) -> bool {
        let finite = self.middle_px.iter().chain(&self.focal_px).all(|number| number.is_finite());
        finite && self.focal_px.iter().all(|pixels| *pixels > 0.0)
    }
}

impl Depths {
    /// What a camera delivers of this distance along its x: nothing where that is further than its numbers go.
    pub fn delivered_mm(along_m: f64) -> u16 {
        let mm = (along_m * 1e3).round();
        if (1.0..=f64::from(u16::MAX)).contains(&mm) { mm as u16 } else { 0 }
    }

    /// In the world; None where there is no depth.
    pub(crate) fn points(&self, world_from_camera: &Pose, width: u32) -> impl Iterator<Item = Option<[f32; 3]>> {
        let at_m = world_from_camera.translation_m();
        let turn = world_from_camera.rotation().to_rotation_matrix().into_inner();
        self.along_mm.iter().zip(0_u32..).map(move |(along_mm, pixel)| {
            let through = self.pinhole.through(pixel % width, pixel / width);
            let point_m = at_m + turn * (through * (f64::from(*along_mm) / 1e3));
            (*along_mm > 0).then_some([point_m.x as f32, point_m.y as f32, point_m.z as f32])
        })
    }
}
