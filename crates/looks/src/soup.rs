//! Triangles as a file has them, before they are reduced.

use std::sync::Arc;

use nalgebra::{Matrix4, Point3};
use thiserror::Error;

use crate::picture::Picture;

/// Of a file. The largest mesh of a robot that we have seen has 29 MB.
pub(crate) const MOST_BYTES: u64 = 64 << 20;
/// A robot of that many is a scan of one, and 4 million take 200 MB while they are read.
pub(crate) const MOST_TRIANGLES: usize = 4_000_000;
/// Beyond it a coordinate is damage: no robot has a kilometre.
const FURTHEST_M: f32 = 1e6;

#[derive(Debug, Error)]
pub enum LookError {
    #[error("`.{0}` files are not read, only .stl, .obj, .dae and .glb")]
    Format(String),
    #[error("the file has {0} MB, at most {most} are read", most = MOST_BYTES >> 20)]
    Large(u64),
    #[error("more than {MOST_TRIANGLES} triangles")]
    ManyTriangles,
    #[error("no triangle in it")]
    Empty,
    #[error("not {format}: {why}")]
    Damaged { format: &'static str, why: String },
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
    #[error("there is no such file in the folders of the robot: looked for {0}")]
    Missing(String),
    #[error("the robot has no such mesh")]
    Unknown,
    #[error("the meshes of this robot take more than {0} MB in all")]
    Full(usize),
}

pub(crate) fn damaged(format: &'static str, why: impl Into<String>) -> LookError {
    LookError::Damaged { format, why: why.into() }
}

#[derive(Debug, Default)]
pub struct Soup {
    pub(crate) parts: Vec<Part>,
    /// Corners that were gone through, also those of which nothing is kept.
    seen: usize,
}

/// What has one material.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub points: Vec<[f32; 3]>,
    /// As many as there are points, or none.
    pub places: Vec<[f32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    /// None: the URDF says it.
    pub material: Option<Material>,
}

#[derive(Clone, Debug)]
pub(crate) struct Material {
    /// Linear red, green, blue, and opacity.
    pub colour: [f32; 4],
    pub picture: Option<Arc<Picture>>,
}

impl Material {
    /// Of a file whose colours are as screens show them.
    pub fn of_screen([red, green, blue]: [f32; 3], opacity: f32) -> Material {
        let linear = |part: f32| {
            let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.7 };
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        // Exporters that never knew which end is opaque write 0 for what is to be seen.
        let opacity = if (0.02..1.0).contains(&opacity) { opacity } else { 1.0 };
        Material { colour: [linear(red), linear(green), linear(blue), opacity], picture: None }
    }
}

impl Soup {
    /// How many triangles it has.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|part| part.triangles.len()).sum()
    }

    /// The corners of the box around it, in metres.
    pub fn extent(&self) -> Option<([f32; 3], [f32; 3])> {
        let mut points = self.parts.iter().flat_map(|part| &part.points);
        let first = *points.next()?;
        Some(points.fold((first, first), |(low, high), point| {
            let each = |pick: fn(f32, f32) -> f32, so_far: [f32; 3]| {
                [pick(so_far[0], point[0]), pick(so_far[1], point[1]), pick(so_far[2], point[2])]
            };
            (each(f32::min, low), each(f32::max, high))
        }))
    }

    /// Adds a part; counted, so that what is used a thousand times over ends.
    pub(crate) fn add(&mut self, part: Part) -> Result<(), LookError> {
        self.seen += part.points.len().max(3 * part.triangles.len());
        if self.seen > 3 * MOST_TRIANGLES {
            return Err(LookError::ManyTriangles);
        }
        if !part.triangles.is_empty() {
            self.parts.push(part);
        }
        Ok(())
    }

    /// Drops triangles that name no point or one that is no number, and joins parts of one material.
    pub(crate) fn tidy(&mut self) -> Result<(), LookError> {
        for part in &mut self.parts {
            let points = &part.points;
            let good =
                |index: &u32| points.get(*index as usize).is_some_and(|p| p.iter().all(|at| at.abs() < FURTHEST_M));
            part.triangles.retain(|triangle| triangle.iter().all(good));
        }
        let mut joined: Vec<Part> = Vec::new();
        for part in std::mem::take(&mut self.parts).into_iter().filter(|part| !part.triangles.is_empty()) {
            match joined.iter_mut().find(|other| other.is_like(&part)) {
                Some(other) => other.join(part),
                None => joined.push(part),
            }
        }
        self.parts = joined;
        if self.parts.is_empty() { Err(LookError::Empty) } else { Ok(()) }
    }
}

impl Part {
    fn is_like(&self, other: &Part) -> bool {
        let picture = |part: &Part| part.material.as_ref().and_then(|m| m.picture.as_ref().map(Arc::as_ptr));
        let colour = |part: &Part| part.material.as_ref().map(|material| material.colour);
        self.places.is_empty() == other.places.is_empty()
            && picture(self) == picture(other)
            && colour(self) == colour(other)
    }

    fn join(&mut self, other: Part) {
        let first = self.points.len() as u32;
        self.points.extend(other.points);
        self.places.extend(other.places);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
    }

    pub fn transformed(mut self, into: &Matrix4<f32>) -> Part {
        for point in &mut self.points {
            *point = into.transform_point(&Point3::from(*point)).coords.into();
        }
        // A mirror turns each triangle inside out.
        if into.fixed_view::<3, 3>(0, 0).determinant() < 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self
    }
}

/// Of the corners of a polygon, the triangles of a fan.
pub(crate) fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let first = corners.first().copied().unwrap_or_default();
    corners.windows(2).skip(1).map(move |pair| [first, pair[0], pair[1]])
}
