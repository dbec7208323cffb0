//! Tags of the family 36h11, with full poses.

use std::sync::Arc;

use kornia_apriltag::decoder::Detection;
use kornia_apriltag::family::TagFamilyKind;
use kornia_apriltag::{AprilTagDecoder, DecodeTagsConfig};
use kornia_image::{Image, ImageSize};
use scene::{Cloud, DetectError, Detector, Found, Picture};

use crate::intrinsics::Intrinsics;
use crate::settings::AprilTagSettings;
use crate::tag_pose::camera_from_tag;

/// Larger pictures are searched at half their size; the corners are found in the whole one again.
const MOST_PIXELS_AT_FULL_SIZE: usize = 640 * 480;

pub struct AprilTags {
    settings: AprilTagSettings,
    /// For pictures of the size that came last.
    decoder: Option<([u32; 2], AprilTagDecoder)>,
}

impl AprilTags {
    pub fn new(settings: &AprilTagSettings) -> AprilTags {
        AprilTags { settings: settings.clone(), decoder: None }
    }

    fn decoded(&mut self, cloud: &Cloud) -> Result<Vec<Detection>, DetectError> {
        let size = [cloud.width(), cloud.height()];
        if self.decoder.as_ref().is_none_or(|(of, _)| *of != size) {
            self.decoder = Some((size, decoder(size)?));
        }
        let Some((_, decoder)) = &mut self.decoder else { return Ok(Vec::new()) };
        let grey = (0..cloud.len()).map(|index| brightness(cloud.colour(index))).collect();
        let image = Image::<u8, 1>::new(image_size(size), grey).map_err(|error| refused(size, &error))?;
        let found = decoder.decode(&image).map_err(|error| refused(size, &error));
        decoder.clear();
        let mut found = found?;
        // Found by several threads, so in any order.
        found.sort_by(|one, other| one.id.cmp(&other.id).then(one.center.x.total_cmp(&other.center.x)));
        Ok(found)
    }

    fn found(&self, tag: &Detection, intrinsics: &Intrinsics, cloud: &Cloud) -> Option<Found> {
        // `corners` are in the order of the picture, so a tag on its side would be turned by 90 degrees.
        let corners = [[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let corners_px = corners.map(|[right, down]| {
            let corner = tag.quad.homography_project(right, down);
            [f64::from(corner.x), f64::from(corner.y)]
        });
        let known = self.settings.tags.get(&tag.id);
        let size_m = known.and_then(|tag| tag.size_m).unwrap_or(self.settings.size_m);
        let camera_from_tag = camera_from_tag(&corners_px, size_m, intrinsics)?;
        let class = known.and_then(|tag| tag.class.clone());
        Some(Found {
            class: class.unwrap_or_else(|| format!("tag_{}", tag.id).into()),
            confidence: 1.0 - f64::from(tag.hamming.min(3)) / 3.0,
            mask: inside(&corners_px, cloud),
            world_from_object: Some(cloud.world_from_camera * camera_from_tag),
        })
    }
}

impl Detector for AprilTags {
    fn name(&self) -> &Arc<str> {
        &self.settings.name
    }

    fn detect(&mut self, picture: &Picture) -> Result<Vec<Found>, DetectError> {
        let cloud = &picture.cloud;
        if cloud.is_empty() {
            return Err(DetectError(format!("a picture of `{}` has no pixels", picture.camera)));
        }
        let tags = self.decoded(cloud)?;
        if tags.is_empty() {
            return Ok(Vec::new());
        }
        let intrinsics = self.settings.intrinsics.or_else(|| Intrinsics::of(cloud)).ok_or_else(|| {
            let camera = &picture.camera;
            DetectError(format!("a picture of `{camera}` has too little depth to tell its lens: give `intrinsics`"))
        })?;
        Ok(tags.iter().filter_map(|tag| self.found(tag, &intrinsics, cloud)).collect())
    }
}

fn decoder(size: [u32; 2]) -> Result<AprilTagDecoder, DetectError> {
    let config = DecodeTagsConfig::new(vec![TagFamilyKind::Tag36H11]);
    let mut config = config.map_err(|error| refused(size, &error))?;
    if size[0] as usize * size[1] as usize <= MOST_PIXELS_AT_FULL_SIZE {
        config.downscale_factor = 1;
    }
    AprilTagDecoder::new(config, image_size(size)).map_err(|error| refused(size, &error))
}

fn refused([width, height]: [u32; 2], error: &dyn std::error::Error) -> DetectError {
    DetectError(format!("tags cannot be looked for in {width} × {height} pixels: {error}"))
}

fn image_size([width, height]: [u32; 2]) -> ImageSize {
    ImageSize { width: width as usize, height: height as usize }
}

fn brightness([red, green, blue]: [u8; 3]) -> u8 {
    ((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000) as u8
}

/// The pixels with their middles in a convex shape whose corners go round clockwise in the picture.
fn inside(corners_px: &[[f64; 2]; 4], cloud: &Cloud) -> Vec<u32> {
    let is_inside = |x: f64, y: f64| {
        (0..4).all(|side| {
            let [from, to] = [corners_px[side], corners_px[(side + 1) % 4]];
            (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]) >= 0.0
        })
    };
    let range = |axis: usize, count: u32| {
        let least = corners_px.iter().map(|corner| corner[axis]).fold(f64::INFINITY, f64::min);
        let most = corners_px.iter().map(|corner| corner[axis]).fold(f64::NEG_INFINITY, f64::max);
        let edge = |place: f64| place.clamp(0.0, f64::from(count)) as u32;
        edge(least.floor())..edge(most.ceil())
    };
    let (rows, columns) = (range(1, cloud.height()), range(0, cloud.width()));
    let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    let within = all.filter(|(column, row)| is_inside(f64::from(*column) + 0.5, f64::from(*row) + 0.5));
    within.map(|(column, row)| row * cloud.width() + column).collect()
}
