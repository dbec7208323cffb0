//! Clouds and pictures: on a socket of their own, the newest only, two on their way at most.

use std::collections::BTreeMap;

use engine::Body;
use geometry::Vector3;
use link::{Keyed, Message};
use protocol::Role;
use protocol::api::{CLOUD, PICTURE};
use protocol::talk::{Demand, Want};
use protocol::tiles::{CloudTile, ImageTile, TileHead};

use crate::operator::{Frame, Now, Operator};
use crate::session::SessionId;

const MOST_SHEETS: usize = 16;
const MOST_PIXELS: usize = 1 << 20;
/// Tiles that come one by one are shown together, this often.
const EVERY_NS: u64 = 100_000_000;
/// Skin, and what a body that moves is ahead of its picture.
const OWN_BODY_M: f64 = 0.03;
const MOST_UNTAKEN: usize = 2;
const WATCH_VALID_NS: u64 = 10_000_000_000;

/// Whether it is a cloud, and the camera.
type Key = (bool, String);

/// One camera's picture or cloud, put together from its tiles.
struct Sheet {
    at_ms: u32,
    width: u16,
    height: u16,
    pixels: Pixels,
    told_ns: u64,
    /// Counts up; a client has seen it up to some number.
    number: u64,
    fresh: bool,
}

enum Pixels {
    Cloud { origin_m: [f32; 3], points: Vec<Option<([i16; 3], [u8; 3])>> },
    Picture(Vec<[u8; 3]>),
}

#[derive(Default)]
pub struct Sheets(BTreeMap<Key, Sheet>);

impl Operator {
    /// Tells the robot whether anybody wants to see clouds or pictures.
    pub(crate) fn watch_bulk(&mut self) {
        let wants = |cloud: bool| {
            let watches = |topics: &protocol::api::Topics| if cloud { topics.clouds } else { topics.pictures };
            self.sessions.values().any(|session| session.bulk && session.person.is_some() && watches(&session.topics))
        };
        let (clouds, images) = (wants(true), wants(false));
        if self.is_linked() && (clouds || images || self.watching_bulk) {
            let order = Demand {
                by: self.setup.peer.name.clone(),
                role: Role::Observer,
                team_role: None,
                session: 0,
                what: Want::Watch { clouds, images },
            };
            self.offer(Message::Command { bytes: order.to_bytes(), valid_for_ns: WATCH_VALID_NS });
            self.watching_bulk = clouds || images;
        }
    }

    pub(crate) fn tile_came(&mut self, kind: Keyed, bytes: &[u8]) {
        match kind {
            Keyed::Cloud => {
                if let Some(mut tile) = CloudTile::from_bytes(bytes) {
                    if let Some(robot) = &self.robot {
                        leave_out_body(&mut tile, robot.body());
                    }
                    self.sheets.cloud(tile);
                }
            }
            Keyed::Image => {
                if let Some(tile) = ImageTile::from_bytes(bytes) {
                    self.sheets.picture(tile);
                }
            }
            Keyed::Presence | Keyed::Detail | Keyed::Scene | Keyed::Body => {}
        }
    }

    /// A client has taken one.
    pub(crate) fn took(&mut self, now: Now, session: SessionId) {
        if let Some(session) = self.sessions.get_mut(&session) {
            session.untaken = session.untaken.saturating_sub(1);
        }
        self.flush_bulk(now, session);
    }

    pub(crate) fn flush_bulk(&mut self, now: Now, to: SessionId) {
        let keys: Vec<Key> = self.sheets.0.keys().cloned().collect();
        for key in keys {
            let Some(session) = self.sessions.get_mut(&to) else { return };
            let watches = if key.0 { session.gets_clouds() } else { session.gets_pictures() };
            let Some(sheet) = self.sheets.0.get_mut(&key).filter(|_| watches) else { continue };
            // The first tile waits for the others of its picture.
            if sheet.fresh && sheet.told_ns == 0 {
                sheet.told_ns = now.ns;
            }
            if sheet.fresh && now.ns.saturating_sub(sheet.told_ns) >= EVERY_NS {
                (sheet.fresh, sheet.told_ns, sheet.number) = (false, now.ns, sheet.number + 1);
            }
            let seen = session.seen.entry(key.clone()).or_default();
            if *seen >= sheet.number || session.untaken >= MOST_UNTAKEN {
                continue;
            }
            *seen = sheet.number;
            session.untaken += 1;
            let bytes = sheet.packed(&key.1);
            self.send(to, Frame::Binary(bytes));
        }
    }
}

impl Sheets {
    fn sheet(&mut self, key: Key, head: &TileHead, empty: impl FnOnce(usize) -> Pixels) -> Option<&mut Sheet> {
        let count = usize::from(head.width) * usize::from(head.height);
        if count > MOST_PIXELS || self.0.len() >= MOST_SHEETS && !self.0.contains_key(&key) {
            return None;
        }
        let fits = |sheet: &Sheet| sheet.width == head.width && sheet.height == head.height;
        if !self.0.get(&key).is_some_and(fits) {
            let number = self.0.get(&key).map_or(0, |sheet| sheet.number);
            let sheet = Sheet {
                at_ms: head.at_ms,
                width: head.width,
                height: head.height,
                pixels: empty(count),
                told_ns: 0,
                number,
                fresh: false,
            };
            self.0.insert(key.clone(), sheet);
        }
        let sheet = self.0.get_mut(&key)?;
        sheet.at_ms = sheet.at_ms.max(head.at_ms);
        sheet.fresh = true;
        Some(sheet)
    }

    fn cloud(&mut self, tile: CloudTile) {
        let nothing = |count| Pixels::Cloud { origin_m: tile.origin_m, points: vec![None; count] };
        let Some(sheet) = self.sheet((true, tile.head.camera.clone()), &tile.head, nothing) else { return };
        let width = usize::from(sheet.width);
        let Pixels::Cloud { origin_m, points } = &mut sheet.pixels else { return };
        // Tiles of two times may have two origins: all points are given from the newest.
        if *origin_m != tile.origin_m {
            points.iter_mut().for_each(|point| *point = point.and_then(|point| moved(point, *origin_m, tile.origin_m)));
            *origin_m = tile.origin_m;
        }
        for (index, point) in indices(&tile.head, width).zip(tile.points) {
            points[index] = point;
        }
    }

    fn picture(&mut self, tile: ImageTile) {
        let nothing = |count| Pixels::Picture(vec![[0; 3]; count]);
        let Some(sheet) = self.sheet((false, tile.head.camera.clone()), &tile.head, nothing) else { return };
        let width = usize::from(sheet.width);
        let Pixels::Picture(pixels) = &mut sheet.pixels else { return };
        for (index, pixel) in indices(&tile.head, width).zip(tile.pixels) {
            pixels[index] = pixel;
        }
    }
}

/// Cameras see arms and feet of the robot, too: what stands there is drawn as the robot already.
fn leave_out_body(tile: &mut CloudTile, body: &Body) {
    let (model, poses) = (body.robot().collision_model(), body.poses());
    let is_own = model.body_at(poses.link_poses(), &body.state().world_from_base, OWN_BODY_M);
    let origin_m = tile.origin_m.map(f64::from);
    for point in &mut tile.points {
        let Some((mm, _)) = point else { continue };
        let at_m = |axis: usize| origin_m[axis] + f64::from(mm[axis]) / 1000.0;
        if is_own(&Vector3::new(at_m(0), at_m(1), at_m(2))) {
            *point = None;
        }
    }
}

fn indices(head: &TileHead, width: usize) -> impl Iterator<Item = usize> + use<> {
    let (column, row) = (usize::from(head.column), usize::from(head.row));
    let (columns, rows) = (usize::from(head.columns), usize::from(head.rows));
    (0..rows).flat_map(move |down| (0..columns).map(move |across| (row + down) * width + column + across))
}

type Point = ([i16; 3], [u8; 3]);

/// None: it is too far from the new origin.
fn moved((mm, colour): Point, from_m: [f32; 3], to_m: [f32; 3]) -> Option<Point> {
    let mut moved = [0; 3];
    for axis in 0..3 {
        let at = f32::from(mm[axis]) + (from_m[axis] - to_m[axis]) * 1000.0;
        if at.is_nan() || at.abs() > f32::from(i16::MAX) {
            return None;
        }
        moved[axis] = at.round() as i16;
    }
    Some((moved, colour))
}

impl Sheet {
    fn packed(&self, camera: &str) -> Vec<u8> {
        let time_s = f64::from(self.at_ms) / 1e3;
        let mut bytes = Vec::new();
        match &self.pixels {
            Pixels::Cloud { origin_m, points } => {
                let points: Vec<&Point> = points.iter().flatten().collect();
                bytes.push(CLOUD);
                bytes.extend(time_s.to_le_bytes());
                origin_m.iter().for_each(|part| bytes.extend(part.to_le_bytes()));
                bytes.extend((points.len() as u32).to_le_bytes());
                for axis in 0..3 {
                    points.iter().for_each(|(mm, _)| bytes.extend(mm[axis].to_le_bytes()));
                }
                points.iter().for_each(|(_, [red, green, blue])| bytes.extend([*red, *green, *blue, 255]));
            }
            Pixels::Picture(pixels) => {
                bytes.push(PICTURE);
                bytes.extend(time_s.to_le_bytes());
                bytes.extend(self.width.to_le_bytes());
                bytes.extend(self.height.to_le_bytes());
                bytes.push(camera.len() as u8);
                bytes.extend(camera.as_bytes());
                bytes.extend(pixels.as_flattened());
            }
        }
        bytes
    }
}
