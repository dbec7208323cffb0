//! One picture or one region of a cloud, for somebody who asks: what a narrow line has room for. It comes in pieces, behind
//! everything that matters more.

use std::sync::Arc;

use link::{Keyed, Message};
use protocol::talk::Look;
use protocol::tiles::{CloudTile, ImageTile, TileHead};
use scene::{Cloud, Sight};

use super::pictures::{thinning, with_picture};
use super::{Desk, Pending};
use crate::audit::Now;
use crate::runner::Request;

/// Cameras are opened for it, which takes a moment.
const PATIENCE_NS: u64 = 5_000_000_000;
const MOST: usize = 64;

pub(super) struct Looking {
    look: Look,
    pending: Pending,
    until_ns: u64,
}

impl Desk {
    pub(super) fn wait_for_sight(&mut self, now: Now, look: Look, pending: Pending) {
        if self.looks.len() >= MOST {
            return self.reply(pending.from, pending.id, pending.entry, Err("too many wait for pictures".to_owned()));
        }
        self.requests.push(Request::OpenEyes);
        self.looks.push(Looking { look, pending, until_ns: now.ns.saturating_add(PATIENCE_NS) });
    }

    /// Those who waited too long are told.
    pub(super) fn mind_looks(&mut self, now: Now) {
        let is_late = |looking: &Looking| looking.until_ns <= now.ns;
        let (late, looks): (Vec<Looking>, _) = std::mem::take(&mut self.looks).into_iter().partition(is_late);
        self.looks = looks;
        for Looking { look, pending, .. } in late {
            let camera =
                look.camera.map_or_else(|| "no camera has".to_owned(), |name| format!("camera {name} has not"));
            let why = format!("{camera} shown anything for 5 s: look at the robot's warnings");
            self.reply(pending.from, pending.id, pending.entry, Err(why));
        }
    }

    pub(super) fn tell_looks(&mut self, sights: &[Arc<Sight>]) {
        for sight in sights {
            let Some(cloud) = &sight.cloud else { continue };
            let sees = |looking: &Looking| looking.look.camera.as_ref().is_none_or(|camera| *camera == sight.camera);
            let (served, looks): (Vec<Looking>, _) = std::mem::take(&mut self.looks).into_iter().partition(sees);
            self.looks = looks;
            for Looking { look, pending, .. } in served {
                let kind = if look.cloud { Keyed::Cloud } else { Keyed::Image };
                for (key, bytes) in self.cut(sight, cloud, &look) {
                    self.messages.push((pending.from, Message::Keyed { kind, key, bytes }));
                }
                self.reply(pending.from, pending.id, pending.entry, Ok(()));
            }
        }
    }

    fn cut(&self, sight: &Sight, cloud: &Cloud, look: &Look) -> Vec<(u32, Vec<u8>)> {
        let most = self.settings.look_pixels / if look.cloud { 4 } else { 1 };
        let [left, top, right, bottom] = look.region.unwrap_or([0, 0, 255, 255]).map(u32::from);
        let part = |whole: u32, from: u32, to: u32| (whole * to.saturating_sub(from)).div_ceil(255).max(1);
        let thin = thinning(part(cloud.width(), left, right), part(cloud.height(), top, bottom), most);
        let mut tiles = Vec::new();
        with_picture(sight, cloud, thin, |picture| {
            let bytes = self.settings.look_tile_bytes;
            tiles = if look.cloud { picture.cloud_tiles(bytes) } else { picture.image_tiles(bytes) };
        });
        let head = |bytes: &[u8]| match look.cloud {
            true => CloudTile::from_bytes(bytes).map(|tile| tile.head),
            false => ImageTile::from_bytes(bytes).map(|tile| tile.head),
        };
        let region = [left, top, right, bottom];
        tiles.retain(|(_, bytes)| head(bytes).is_some_and(|head| overlaps(&head, region)));
        tiles
    }
}

/// In 255ths of the picture.
fn overlaps(head: &TileHead, [left, top, right, bottom]: [u32; 4]) -> bool {
    let meets = |start: u16, count: u8, whole: u16, from: u32, to: u32| {
        let (start, whole) = (u32::from(start) * 255, u32::from(whole));
        start < to * whole && start + u32::from(count) * 255 > from * whole
    };
    meets(head.column, head.columns, head.width, left, right) && meets(head.row, head.rows, head.height, top, bottom)
}
