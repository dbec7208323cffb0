//! Clouds and pictures, for those who watch them and keep up.

use std::sync::Arc;

use link::udp::PeerId;
use link::{Keyed, Message};
use protocol::tiles::Picture;
use scene::{Cloud, Sight};

use super::{Desk, Operator};

/// Of a cloud or a picture: more pixels are thinned out.
pub(super) const MAX_PIXELS: u32 = 40_000;

/// No new picture for somebody who has so many values still to get.
const BEHIND: usize = 200;

impl Desk {
    pub(super) fn tell_sights(&mut self, sights: &[Arc<Sight>]) {
        let Some(tile_bytes) = self.settings.tile_bytes else { return };
        for sight in sights {
            let Some(cloud) = &sight.cloud else { continue };
            let clouds = self.who(|operator| operator.watches_clouds);
            let images = self.who(|operator| operator.watches_images);
            let (mut cloud_tiles, mut image_tiles) = (Vec::new(), Vec::new());
            with_picture(sight, cloud, thinning(cloud.width(), cloud.height(), MAX_PIXELS), |picture| {
                if !clouds.is_empty() {
                    cloud_tiles = picture.cloud_tiles(tile_bytes);
                }
                if !images.is_empty() {
                    image_tiles = picture.image_tiles(tile_bytes);
                }
            });
            for (kind, to, tiles) in [(Keyed::Cloud, clouds, cloud_tiles), (Keyed::Image, images, image_tiles)] {
                for (key, bytes) in tiles {
                    let each = |to: &PeerId| (*to, Message::Keyed { kind, key, bytes: bytes.clone() });
                    self.messages.extend(to.iter().map(each));
                }
            }
        }
    }

    fn who(&self, watches: fn(&Operator) -> bool) -> Vec<PeerId> {
        let keeps_up = |operator: &Operator| operator.silent_since_ns.is_none() && operator.waiting_keyed < BEHIND;
        let ready = self.operators.iter().filter(|(_, operator)| watches(operator) && keeps_up(operator));
        ready.map(|(id, _)| *id).collect()
    }
}

pub(super) fn with_picture(sight: &Sight, cloud: &Cloud, thin: u32, cut: impl FnOnce(&Picture<'_>)) {
    let pixel = |column: u16, row: u16| {
        let at = cloud.index(u32::from(column) * thin, u32::from(row) * thin);
        (cloud.point(at), cloud.colour(at))
    };
    let origin_m = cloud.world_from_camera.translation_m();
    cut(&Picture {
        camera: &sight.camera,
        at_ms: (sight.time_ns / 1_000_000) as u32,
        width: (cloud.width() / thin) as u16,
        height: (cloud.height() / thin) as u16,
        origin_m: [origin_m.x as f32, origin_m.y as f32, origin_m.z as f32],
        pixel: &pixel,
    });
}

/// Of every so many pixels one is sent.
pub(super) fn thinning(width: u32, height: u32, most_pixels: u32) -> u32 {
    (1..).find(|thin| (width / thin) * (height / thin) <= most_pixels).unwrap_or(1)
}
