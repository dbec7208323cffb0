//! Clouds and pictures, for those who watch.

use std::sync::Arc;

use engine::{Options, TickInput, TickOutput};
use geometry::Pose;
use link::udp::PeerId;
use link::{Keyed, Message};
use model::{Beside, Library};
use onboard::{Site, Surroundings};
use protocol::Role;
use protocol::talk::Want;
use protocol::tiles::{CloudTile, ImageTile};
use scene::{Cloud, Sight};

use crate::bench::{Bench, THREE_WAITS};

/// A camera that sees a wall, five times a second.
struct Camera;

impl Surroundings for Camera {
    fn before_tick(&mut self, time_ns: i64, _last_output: &TickOutput, input: &mut TickInput) {
        if time_ns % 200_000_000 != 0 {
            return;
        }
        let mut cloud = Cloud::new(time_ns, Pose::from_translation(0.0, 0.0, 1.5), 320, 240);
        for index in 0..cloud.len() {
            let (column, row) = (index % 320, index / 320);
            cloud.set(index, Some([2.0, column as f32 * 0.01, row as f32 * 0.01]), [column as u8, row as u8, 7]);
        }
        let sight = Sight { camera: "head".into(), time_ns, cloud: Some(Arc::new(cloud)), detections: Vec::new() };
        input.sights.push(Arc::new(sight));
    }
}

impl Site for Camera {
    fn open(&mut self, _library: &Library, _beside: Option<&Beside>) -> Result<Options, String> {
        Ok(Options::default())
    }
}

fn tiles(bench: &Bench, to: PeerId, wanted: Keyed) -> Vec<&[u8]> {
    let of = |(id, message): &'_ (PeerId, Message)| match message {
        Message::Keyed { kind, .. } => *kind == wanted && *id == to,
        _ => false,
    };
    let bytes = |(_, message): &'_ (PeerId, Message)| match message {
        Message::Keyed { bytes, .. } => bytes.len(),
        _ => 0,
    };
    assert!(bench.sent.iter().all(|each| bytes(each) <= 1_200));
    let found = bench.sent.iter().filter(|each| of(each));
    found
        .filter_map(|(_, message)| match message {
            Message::Keyed { bytes, .. } => Some(&**bytes),
            _ => None,
        })
        .collect()
}

#[test]
fn tiles_go_to_those_who_watch_and_are_of_use_alone() {
    let mut bench = Bench::on_site(THREE_WAITS, Box::new(Camera));
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.run_s(0.5);
    assert!(tiles(&bench, ana, Keyed::Cloud).is_empty(), "nobody watches");
    bench.done(ana, "ana", Want::Watch { clouds: true, images: true });
    bench.sent.clear();
    bench.run_s(0.2);
    let clouds: Vec<CloudTile> =
        tiles(&bench, ana, Keyed::Cloud).into_iter().map(|bytes| CloudTile::from_bytes(bytes).unwrap()).collect();
    let points: usize = clouds.iter().map(|tile| tile.points.iter().flatten().count()).sum();
    let (width, height) = (clouds[0].head.width, clouds[0].head.height);
    assert_eq!(points, usize::from(width) * usize::from(height), "one picture, each point once");
    assert_eq!((width, height), (160, 120), "thinned");
    let images = tiles(&bench, ana, Keyed::Image);
    assert!(!images.is_empty() && images.iter().all(|bytes| ImageTile::from_bytes(bytes).is_some()));
    assert!(tiles(&bench, ben, Keyed::Cloud).is_empty() && tiles(&bench, ben, Keyed::Image).is_empty());
    bench.done(ana, "ana", Want::Watch { clouds: false, images: false });
    bench.sent.clear();
    bench.run_s(0.5);
    assert!(tiles(&bench, ana, Keyed::Cloud).is_empty());
}

#[test]
fn a_narrow_link_says_that_it_has_no_room_for_them() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| settings.tile_bytes = None);
    let ana = bench.connect(1);
    let why = bench.refused(ana, "ana", Role::Operator, Want::Watch { clouds: true, images: false });
    assert_eq!(why, "this link is too narrow for clouds and pictures");
}
